// What may be decided before a game, in the players' words. Pure. The first value of each is what is played unless told.

/** @type {Record<string, { name: string, values: Record<string, string> }>} */
export const TERMS = {
  target: { name: "Game hole", values: { 121: "to 121", 61: "to 61" } },
  counting: { name: "Counting", values: { auto: "the table counts", manual: "the players count" } },
  muggins: { name: "Muggins", values: { off: "no muggins", on: "muggins" } },
  overclaim: { name: "Claims of too much", values: { correct: "are put right", two: "two to the others", excess: "the excess to the others" } },
  policy: { name: "Manners", values: { friendly: "friendly", tournament: "as in a tournament" } },
  first_deal: { name: "Deals the next game", values: { loser: "who lost", winner: "who won" } },
  game_points: { name: "Game, skunk, double skunk", values: { "1,2,4": "1, 2, 4 games", "2,3,3": "2, 3, 3 games" } },
  capture_peg: { name: "Knocked out by reaching", values: { back: "the back peg", front: "the front peg" } },
  preset: { name: "Spaces", values: { standard: "standard", harsh: "harsh" } },
  innings: { name: "Innings", values: { 3: "3 innings" } },
  zigzag: { name: "Zig-zags", values: { alternating: "two rows in turn", stairs: "stairs" } },
  diagonals: { name: "Diagonals", values: { on: "count as lines", off: "count nothing" } },
  start: { name: "Markers", values: { fixed: "as always", random: "laid by you" } },
  variant: { name: "Cards", values: { grid: "are swapped", square: "stay where they lie" } },
  hints: { name: "Hints", values: { off: "no hints", on: "hints" } },
};

/** Said in the heading even where it is what is played unless told. */
const ALWAYS = ["target", "counting"];

/**
 * An option's name.
 * @param {string} key
 */
export const termName = (key) => TERMS[key]?.name ?? key.replaceAll("_", " ");

/**
 * A value in words: "the players count".
 * @param {string} key
 * @param {string} value
 */
export const termWords = (key, value) => TERMS[key]?.values[value] ?? (key === "innings" ? `${value} innings` : value);

/**
 * What is decided at this table: what is always said, and what is not as usual.
 * @param {Record<string, unknown>} options
 */
export function inForce(options) {
  const told = Object.entries(options).map(([key, value]) => /** @type {[string, string]} */ ([key, String(value)]));
  return told.filter(([key, value]) => ALWAYS.includes(key) || (TERMS[key] && !isUsual(key, value)))
    .map(([key, value]) => said(key, value));
}

/**
 * Whether this is what is played unless told otherwise.
 * @param {string} key
 * @param {string} value
 */
const isUsual = (key, value) => Object.keys(TERMS[key].values).at(key === "target" ? -1 : 0) === value;

/** Values that say nothing without the name of what they decide. */
const NAMED = ["overclaim", "first_deal", "capture_peg", "preset", "zigzag", "diagonals", "start", "variant", "game_points"];

/**
 * @param {string} key
 * @param {string} value
 */
const said = (key, value) => (NAMED.includes(key) ? `${termName(key)}: ${termWords(key, value)}` : termWords(key, value));
