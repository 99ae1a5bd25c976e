// Which peg is which on the simulated board. It tells only which holes are taken; a peg keeps its colour because
// what vanished from one hole is what appears in another. Pure but for what it remembers.

/** @typedef {{ seat: number | null, name: string }} Peg */

/**
 * `counts` are the pegs of each: [[seat, how many]], where the seat is null for pegs that are nobody's. Those on no
 * hole are in the hand. `seatAt(hole)` is the likely owner there.
 * @param {[seat: number | null, count: number][]} counts
 * @param {(hole: string) => number | null} seatAt
 */
export function Hand(counts, seatAt) {
  /** @type {Map<string, Peg>} */
  const where = new Map();
  /** @type {Peg[]} */
  const loose = [];
  let begun = false;

  /**
   * The holes are taken so.
   * @param {string[]} occupied
   */
  function see(occupied) {
    for (const [hole, peg] of where) {
      if (!occupied.includes(hole)) where.delete(hole), loose.push(peg);
    }
    for (const hole of occupied) {
      if (!where.has(hole)) where.set(hole, begun ? takeFor(hole) : fresh(seatAt(hole)));
    }
    if (!begun) fillUp();
    begun = true;
  }

  /** @param {string} hole */
  function lift(hole) {
    const peg = where.get(hole);
    if (peg) loose.push(peg);
    where.delete(hole);
  }

  /** @param {string} hole */
  function place(hole) {
    const peg = loose.pop();
    if (peg) where.set(hole, peg);
  }

  /**
   * The peg in the hand that is placed next becomes this one.
   * @param {string} name
   */
  function choose(name) {
    const index = loose.findIndex((peg) => peg.name === name);
    if (index >= 0) loose.push(...loose.splice(index, 1));
  }

  /**
   * The table knows whose peg stands in a hole: where it was taken for another's, the two change names.
   * @param {string} hole
   * @param {number | null} seat
   */
  function know(hole, seat) {
    const peg = where.get(hole);
    if (!peg || peg.seat === seat) return;
    const other = [...where].find(([at, each]) => each.seat === seat && seatAt(at) !== seat)?.[1]
      ?? loose.find((each) => each.seat === seat);
    if (other) [peg.seat, peg.name, other.seat, other.name] = [other.seat, other.name, peg.seat, peg.name];
    else where.set(hole, fresh(seat));
  }

  /** @param {string} hole */
  function takeFor(hole) {
    const index = loose.findLastIndex((peg) => peg.seat === seatAt(hole));
    return loose.splice(index >= 0 ? index : -1, 1)[0] ?? fresh(seatAt(hole));
  }

  function fillUp() {
    const whole = counts.reduce((sum, [, count]) => sum + count, 0);
    for (const [seat, count] of counts) {
      while (all().filter((peg) => peg.seat === seat).length < count && all().length < whole) loose.push(fresh(seat));
    }
  }

  const all = () => [...where.values(), ...loose];

  /**
   * A peg not seen before.
   * @param {number | null} seat
   * @returns {Peg}
   */
  function fresh(seat) {
    const used = all().map((peg) => peg.name);
    let nth = 1;
    while (used.includes(`${seat}-${nth}`)) nth += 1;
    return { seat, name: `${seat}-${nth}` };
  }

  return { where, loose, see, know, lift, place, choose };
}
