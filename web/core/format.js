// The players' words for seats, cards and holes. Pure, but for the names that the table has told.

import { constants } from "./constants.js";
import { phrase, say, sayMany } from "./i18n.js";

/** Suits as they lie in the pad of cards: black and red in turn. */
const LAID = ["S", "H", "C", "D"];

/** @typedef {{ letter: string, name: string }[]} Named */

/** All 52 cards, suit by suit, ace to king. */
export const deck = () => LAID.flatMap((suit) => constants.ranks.map(({ letter }) => letter + suit));

/**
 * @param {Named} all
 * @param {string} wanted
 */
const nameIn = (all, wanted) => all.find(({ letter }) => letter === wanted)?.name ?? "?";

/**
 * "5H" → "5 of hearts".
 * @param {string} card
 */
export const cardName = (card) =>
  say("{rank} of {suit}", { rank: nameIn(constants.ranks, card[0]), suit: nameIn(constants.suits, card[1]) });

/**
 * What a rank is printed as: "TH" → "10".
 * @param {string} card
 */
export const rank = (card) => (card[0] === "T" ? "10" : card[0]);

/** @typedef {Pick<Api.Snapshot, "players">} Sitting */
/** @typedef {number | null | undefined} MaybeSeat */

/**
 * The name of a seat: "Red", "Blue's partner".
 * @param {Sitting} snapshot
 * @param {MaybeSeat} seat
 */
export const seatName = (snapshot, seat) =>
  snapshot.players.find((player) => player.seat === seat)?.name ?? say("Seat {n}", { n: (seat ?? 0) + 1 });

/**
 * The name of a side is that of its first seat.
 * @param {Sitting} snapshot
 * @param {number} side
 */
export const sideName = (snapshot, side) =>
  snapshot.players.find((player) => player.side === side)?.name ?? constants.seats[side]?.name ?? say("Side {n}", { n: side + 1 });

/**
 * The side of a seat.
 * @template {MaybeSeat} Seat
 * @param {Sitting} snapshot
 * @param {Seat} seat
 */
export const sideOf = (snapshot, seat) => snapshot.players.find((player) => player.seat === seat)?.side ?? seat;

/**
 * "red-4" → "4"; "red-start-1" → "the start".
 * @param {string} id
 */
export const holeName = (id) => (isStart(id) ? say("the start") : id.slice(id.lastIndexOf("-") + 1));

/**
 * "red-4" → "Red 4"; "roof-4" → "Roof 4"; "red-start-1" → "Red's start"; "apex-start-1" → "the start".
 * @param {string} id
 */
export function holeFull(id) {
  const [first] = id.split("-");
  const seat = constants.seats.find(({ colour }) => colour === first);
  if (isStart(id)) return seat ? say("{name}'s start", { name: seat.name }) : say("the start");
  const track = seat?.name ?? say(first).replace(/^./, (letter) => letter.toUpperCase());
  return say("{track} {number}", { track, number: holeName(id) });
}

/**
 * Whether several race through this hole, so that its number is nobody's alone.
 * @param {string} id
 */
export const isShared = (id) =>
  !isStart(id) && !constants.seats.some(({ colour }) => id.startsWith(`${colour}-`));

/** @param {string} id */
function isStart(id) {
  return /-start-\d+$/.test(id);
}

/**
 * "red-4" → "red 4"; "red-start-2" → "red start 2": for those who hear the board.
 * @param {string} id
 */
export const holeSpoken = (id) => id.split("-").map((part) => say(part)).join(" ");

/**
 * What the devices with a cable are called.
 * @type {Record<string, string>}
 */
export const CABLES = {
  sensors: phrase("Pegs"), lights: phrase("Lights"), cards: phrase("Card reader"), buttons: phrase("Buttons"),
};

/**
 * What all devices are called.
 * @type {Record<string, string>}
 */
export const DEVICES = { ...CABLES, remote: phrase("The other table") };

// What may be decided before a game, in the players' words. Pure. The first value of each is what is played unless told.

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

// Which moment of which game a snapshot shows. Pure.

/**
 * Another one after each move, and where another game is begun or taken up: that makes no move, so `moves` stays.
 * @param {Pick<Api.Snapshot, "run" | "moves" | "game" | "phase" | "scores" | "players" | "last">} snapshot
 */
export const momentOf = ({ run, moves, game, phase, scores, players, last }) =>
  JSON.stringify([run, moves, game, phase, scores, players.map(({ name }) => name), last?.move ?? null]);
