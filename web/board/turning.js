// How the board's picture is turned: for the seat one looks from, and laid down where the page is wide. Pure.

/** @typedef {{ x_mm: number, y_mm: number }} Place */

/**
 * Degrees, by quarters: those who sit across see it upside down.
 * @param {Place[]} holes
 * @param {number} seats
 * @param {number | null} seat
 * @param {boolean} isWide
 */
export function turning(holes, seats, seat, isWide) {
  const span = (/** @type {keyof Place} */ axis) =>
    Math.max(...holes.map((hole) => hole[axis])) - Math.min(...holes.map((hole) => hole[axis]));
  const across = seat !== null && seat >= seats / 2 ? 180 : 0;
  return across + (isWide && span("y_mm") > span("x_mm") ? 90 : 0);
}
