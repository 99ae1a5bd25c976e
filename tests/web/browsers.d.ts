// What browsers with <dialog> have beyond ES2022: Safari 15.4, Chrome 97, Firefox 104. Newer functions, for example
// toSorted, would break the pages on older phones.
interface Array<T> {
  findLast(predicate: (value: T, index: number, all: T[]) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number, all: T[]) => unknown): number;
}
