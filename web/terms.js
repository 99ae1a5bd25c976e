// What may be decided before a game, in the players' words. Pure. The first value of each is what is played unless told.

import { phrase, say, sayMany } from "./say.js";

/** @type {Record<string, { name: string, values: Record<string, string> }>} */
export const TERMS = {
  target: { name: phrase("Game hole"), values: { 121: phrase("to 121"), 61: phrase("to 61") } },
  counting: { name: phrase("Counting"), values: { auto: phrase("the table counts"), manual: phrase("the players count") } },
  muggins: { name: phrase("Muggins"), values: { off: phrase("no muggins"), on: phrase("muggins") } },
  overclaim: { name: phrase("Claims of too much"), values: { correct: phrase("are put right"), two: phrase("two to the others"), excess: phrase("the excess to the others") } },
  policy: { name: phrase("Manners"), values: { friendly: phrase("friendly"), tournament: phrase("as in a tournament") } },
  first_deal: { name: phrase("Deals the next game"), values: { loser: phrase("who lost"), winner: phrase("who won") } },
  game_points: { name: phrase("Game, skunk, double skunk"), values: { "1,2,4": phrase("1, 2, 4 games"), "2,3,3": phrase("2, 3, 3 games") } },
  capture_peg: { name: phrase("Knocked out by reaching"), values: { back: phrase("the back peg"), front: phrase("the front peg") } },
  preset: { name: phrase("Spaces"), values: { standard: phrase("standard"), harsh: phrase("harsh") } },
  innings: { name: phrase("Innings"), values: { 3: phrase("3 innings") } },
  zigzag: { name: phrase("Zig-zags"), values: { alternating: phrase("two rows in turn"), stairs: phrase("stairs") } },
  diagonals: { name: phrase("Diagonals"), values: { on: phrase("count as lines"), off: phrase("count nothing") } },
  start: { name: phrase("Markers"), values: { fixed: phrase("as always"), random: phrase("laid by you") } },
  variant: { name: phrase("Cards"), values: { grid: phrase("are swapped"), square: phrase("stay where they lie") } },
  hints: { name: phrase("Hints"), values: { off: phrase("no hints"), on: phrase("hints") } },
};

/** Said in the heading even where it is what is played unless told. */
const ALWAYS = ["target", "counting"];

/**
 * An option's name.
 * @param {string} key
 */
export const termName = (key) => say(TERMS[key]?.name ?? key.replaceAll("_", " "));

/**
 * A value in words: "the players count".
 * @param {string} key
 * @param {string} value
 */
export const termWords = (key, value) => TERMS[key]?.values[value] ? say(TERMS[key].values[value]) : key === "innings" ? sayMany("{n} inning", "{n} innings", Number(value)) : say(value);

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
