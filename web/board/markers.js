// Where the pegs of 'Round the Bases stand: where the game says they belong, but for those the table says are to be
// moved. Spare pegs lie in their boxes, in whatever holes. Pure.

const RUNNERS = 4;
const PEGS = 5;
const SCALES = [["tens", [50, 40, 30, 20, 10]], ["units", [9, 8, 7, 6, 5, 4, 3, 2, 1]]];
const RUNS = [20, 15, 10, 5, 4, 3, 2, 1];

/** The pegs as `Picture` shows them; those of no side have the seat null. */
export function markers({ phase, runners, outs, inning, points, scores, advice }) {
  const done = Math.min(inning - (phase === "over" ? 0 : 1), 9);
  const field = runners.map((space) => (space ? `bases-${space}` : "batter-0"));
  const neutral = [...field, ...spare("runners", RUNNERS - field.length), `outs-${outs}`, `innings-${done}`];
  const sides = scores.map((runs, seat) => side(["red", "blue"][seat], phase === "cut" ? 0 : points[seat], runs));
  const holes = new Map([...neutral.map((hole) => [hole, null]), ...sides.flatMap((own, seat) => own.map((hole) => [hole, seat]))]);
  for (const { place } of advice) holes.delete(place);
  for (const { lift, seat } of advice) if (lift) holes.set(lift, seat);
  return [...holes].map(([hole, seat]) => ({ hole, seat, front: true, name: hole }));
}

function side(name, points, runs) {
  const scales = SCALES.flatMap(([scale, numbers]) => {
    const left = scale === "units" ? points % 10 : points - (points % 10);
    return parts(left, numbers).map((number) => `${name}-${scale}-${number}`);
  });
  const used = [...scales, ...parts(runs, RUNS).map((number) => `${name}-runs-${number}`)];
  return [...used, ...spare(`${name}-pegs`, PEGS - used.length)];
}

const spare = (box, count) => Array.from({ length: Math.max(0, count) }, (_, i) => `${box}-${i + 1}`);

/** The holes that make a sum, each once, the largest first. */
function parts(sum, numbers) {
  const taken = [];
  for (const number of numbers) {
    if (number <= sum) taken.push(number), (sum -= number);
  }
  return taken;
}
