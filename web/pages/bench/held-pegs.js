// The identity of the pegs on the simulated board, which reports only occupied holes: a peg that disappeared from one hole
// is the one that appears in another. Pure, apart from its own state.

/** @typedef {{ seat: number | null, name: string }} Peg */

/**
 * Create the pegs. `counts` lists the pegs of each seat: [seat, count]; the seat is null for pegs that belong to no seat. Pegs
 * in no hole are in the hand. `seatAt(hole)` returns the likely owner of a peg in a hole.
 * @param {[seat: number | null, count: number][]} counts
 * @param {(hole: string) => number | null} seatAt
 */
export function createHeldPegs(counts, seatAt) {
  /** @type {Map<string, Peg>} */
  const pegAt = new Map();
  /** @type {Peg[]} */
  const inHand = [];
  let isInitialized = false;

  /** @param {string[]} occupied */
  function setOccupied(occupied) {
    for (const [hole, peg] of pegAt) {
      if (!occupied.includes(hole)) pegAt.delete(hole), inHand.push(peg);
    }
    for (const hole of occupied) {
      if (!pegAt.has(hole)) pegAt.set(hole, isInitialized ? takeFor(hole) : createPeg(seatAt(hole)));
    }
    if (!isInitialized) addMissingPegs();
    isInitialized = true;
  }

  /** @param {string} hole */
  function lift(hole) {
    const peg = pegAt.get(hole);
    if (peg) inHand.push(peg);
    pegAt.delete(hole);
  }

  /** Place the next peg of the hand in a hole. @param {string} hole */
  function place(hole) {
    const peg = inHand.pop();
    if (peg) pegAt.set(hole, peg);
  }

  /** Choose the peg of the hand that is placed next. @param {string} name */
  function chooseNext(name) {
    const index = inHand.findIndex((peg) => peg.name === name);
    if (index >= 0) inHand.push(...inHand.splice(index, 1));
  }

  /**
   * Set the owner of the peg in a hole as the table knows it. If it was taken for another's peg, the two are exchanged.
   * @param {string} hole
   * @param {number | null} seat
   */
  function setOwner(hole, seat) {
    const peg = pegAt.get(hole);
    if (!peg || peg.seat === seat) return;
    const other = [...pegAt].find(([at, each]) => each.seat === seat && seatAt(at) !== seat)?.[1]
      ?? inHand.find((each) => each.seat === seat);
    if (other) [peg.seat, peg.name, other.seat, other.name] = [other.seat, other.name, peg.seat, peg.name];
    else pegAt.set(hole, createPeg(seat));
  }

  /** Take the likeliest peg out of the hand. @param {string} hole */
  function takeFor(hole) {
    const index = inHand.findLastIndex((peg) => peg.seat === seatAt(hole));
    return inHand.splice(index >= 0 ? index : -1, 1)[0] ?? createPeg(seatAt(hole));
  }

  function addMissingPegs() {
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    for (const [seat, count] of counts) {
      while (allPegs().filter((peg) => peg.seat === seat).length < count && allPegs().length < total) inHand.push(createPeg(seat));
    }
  }

  const allPegs = () => [...pegAt.values(), ...inHand];

  /**
   * Create a peg that was not seen before.
   * @param {number | null} seat
   * @returns {Peg}
   */
  function createPeg(seat) {
    const used = allPegs().map((peg) => peg.name);
    let nth = 1;
    while (used.includes(`${seat}-${nth}`)) nth += 1;
    return { seat, name: `${seat}-${nth}` };
  }

  return { pegAt, inHand, setOccupied, setOwner, lift, place, chooseNext };
}
