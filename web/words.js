// The players' words for seats, cards and holes. Pure, but for the names that the table has told.

import { constants } from "./constants.js";
import { phrase, say } from "./say.js";

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
