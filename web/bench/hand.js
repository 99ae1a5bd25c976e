// Which peg is which on the simulated board. It tells only which holes are taken; a peg keeps its colour because
// what vanished from one hole is what appears in another. Pure but for what it remembers.

/**
 * `counts` are the pegs of each: [[seat, how many]], where the seat is null for pegs that are nobody's. Those on no
 * hole are in the hand. `seatAt(hole)` is the likely owner there.
 */
export function Hand(counts, seatAt) {
  const where = new Map();
  const loose = [];
  let begun = false;

  /** The holes are taken so. */
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

  function lift(hole) {
    loose.push(where.get(hole));
    where.delete(hole);
  }

  function place(hole) {
    where.set(hole, loose.pop());
  }

  /** The peg in the hand that is placed next becomes this one. */
  function choose(name) {
    const index = loose.findIndex((peg) => peg.name === name);
    if (index >= 0) loose.push(...loose.splice(index, 1));
  }

  /** The table knows whose peg stands in a hole: where it was taken for another's, the two change names. */
  function know(hole, seat) {
    const peg = where.get(hole);
    if (!peg || peg.seat === seat) return;
    const other = [...where].find(([at, each]) => each.seat === seat && seatAt(at) !== seat)?.[1]
      ?? loose.find((each) => each.seat === seat);
    if (other) [peg.seat, peg.name, other.seat, other.name] = [other.seat, other.name, peg.seat, peg.name];
    else where.set(hole, fresh(seat));
  }

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

  function fresh(seat) {
    const used = all().map((peg) => peg.name);
    const nth = Array.from({ length: 99 }, (_, i) => i + 1).find((i) => !used.includes(`${seat}-${i}`));
    return { seat, name: `${seat}-${nth}` };
  }

  return { where, loose, see, know, lift, place, choose };
}
