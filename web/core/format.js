// Names of seats, cards, holes, devices and game options as players read them. Pure, apart from the loaded constants.

import { constants } from "./constants.js";
import { formatMessage, formatPlural, gettextNoop } from "./i18n.js";

/** Order of the suits on the card pad: black and red alternate. */
const SUIT_ORDER = ["S", "H", "C", "D"];
const RANKS = "A23456789TJQK";

/** @typedef {{ letter: string, name: string }[]} NamedLetters */

/** Return all 52 cards, suit by suit, from ace to king. */
export const allCards = () => SUIT_ORDER.flatMap((suit) => constants.ranks.map(({ letter }) => letter + suit));

/**
 * @param {NamedLetters} all
 * @param {string} wanted
 */
const findName = (all, wanted) => all.find(({ letter }) => letter === wanted)?.name ?? "?";

/** Return the name of a card: "5H" → "5 of hearts". @param {string} card */
export const cardName = (card) =>
  formatMessage("{rank} of {suit}", { rank: findName(constants.ranks, card[0]), suit: findName(constants.suits, card[1]) });

/** Return the rank as printed on a card: "TH" → "10". @param {string} card */
export const rankLabel = (card) => (card[0] === "T" ? "10" : card[0]);

/** Whether a move changes what is already on the table. @param {{ type: string }} move */
export const isCorrection = ({ type }) => ["undo", "adjust", "correct", "rule", "misdeal"].includes(type);

/** Return what a card adds to the count. @param {string} card */
export const cardValue = (card) => ("TJQK".includes(card[0]) ? 10 : card[0] === "A" ? 1 : Number(card[0]));

/** Return cards in the order in which a player holds them: by rank, from the ace on. @param {string[]} cards */
export const sortCards = (cards) => [...cards].sort((a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || SUIT_ORDER.indexOf(a[1]) - SUIT_ORDER.indexOf(b[1]));

/** @typedef {Pick<Api.Snapshot, "players">} WithPlayers */
/** @typedef {number | null | undefined} MaybeSeat */

/**
 * Return the name of a seat: "Red", "Blue's partner".
 * @param {WithPlayers} snapshot
 * @param {MaybeSeat} seat
 */
export const seatName = (snapshot, seat) =>
  snapshot.players.find((player) => player.seat === seat)?.name ?? formatMessage("Seat {n}", { n: (seat ?? 0) + 1 });

/**
 * Return the name of a side, which is the name of its first seat.
 * @param {WithPlayers} snapshot
 * @param {number} side
 */
export const sideName = (snapshot, side) =>
  snapshot.players.find((player) => player.side === side)?.name ?? constants.seats[side]?.name ?? formatMessage("Side {n}", { n: side + 1 });

/**
 * Return the names of all who play on a side: "Ann & Cid". A partner whom nobody has named is left out.
 * @param {WithPlayers} snapshot
 * @param {number} side
 */
export const sideNames = (snapshot, side) => snapshot.players
  .filter((player) => player.side === side && player.name !== defaultPartnerName(side)).map(({ name }) => name).join(" & ") || sideName(snapshot, side);

/** Return the name of a partner whom nobody has named. @param {number} side */
export const defaultPartnerName = (side) => formatMessage("{name}'s partner", { name: constants.seats[side].name });

/**
 * Return the side of a seat.
 * @template {MaybeSeat} Seat
 * @param {WithPlayers} snapshot
 * @param {Seat} seat
 */
export const sideOf = (snapshot, seat) => snapshot.players.find((player) => player.seat === seat)?.side ?? seat;

/** Return the short name of a hole: "red-4" → "4", "red-start-1" → "the start". @param {string} id */
export const holeName = (id) => (isStart(id) ? formatMessage("the start") : id.slice(id.lastIndexOf("-") + 1));

/**
 * Return the full name of a hole: "red-4" → "Red 4"; "roof-4" → "Roof 4"; "red-start-1" → "Red's start"; "apex-start-1" → "the start".
 * @param {string} id
 */
export function holeFullName(id) {
  const [first] = id.split("-");
  const seat = constants.seats.find(({ colour }) => colour === first);
  if (isStart(id)) return seat ? formatMessage("{name}'s start", { name: seat.name }) : formatMessage("the start");
  const track = seat?.name ?? formatMessage(first).replace(/^./, (letter) => letter.toUpperCase());
  return formatMessage("{track} {number}", { track, number: holeName(id) });
}

/** Whether several tracks share this hole, so that its number alone does not tell whose peg is meant. @param {string} id */
export const isShared = (id) =>
  !isStart(id) && !constants.seats.some(({ colour }) => id.startsWith(`${colour}-`));

/** Whether a hole is one of those in which the pegs start. @param {string} id */
export function isStart(id) {
  return /-start-\d+$/.test(id);
}

/** Return the name of a hole for screen readers: "red-4" → "red 4", "red-start-2" → "red start 2". @param {string} id */
export const holeSpokenName = (id) => id.split("-").map((part) => formatMessage(part)).join(" ");

/** Names of the devices that have a cable. @type {Record<string, string>} */
export const CABLE_NAMES = {
  sensors: gettextNoop("Pegs"), lights: gettextNoop("Lights"), cards: gettextNoop("Card reader"), buttons: gettextNoop("Buttons"),
};

/** Names of all devices. @type {Record<string, string>} */
export const DEVICE_NAMES = { ...CABLE_NAMES, remote: gettextNoop("The other table"), wifi: gettextNoop("Wi-Fi") };

/** Options that the heading shows even with their default value. */
const ALWAYS_SHOWN = ["target", "counting"];

/** @param {string} key */
export const optionName = (key) => constants.options[key]?.name ?? key.replaceAll("_", " ");

/**
 * Return the name of an option's value: "the players count".
 * @param {string} key
 * @param {string} value
 */
export const optionValueName = (key, value) => constants.options[key]?.values[value] ?? formatMessage(value);

/** Return the options in force: those that are always shown, and those that differ from their default. @param {Record<string, unknown>} options */
export function describeOptions(options) {
  const entries = Object.entries(options).map(([key, value]) => /** @type {[string, string]} */ ([key, String(value)]));
  return entries.filter(([key, value]) => ALWAYS_SHOWN.includes(key) || (constants.options[key] && constants.options[key].default !== value))
    .map(([key, value]) => describeOption(key, value));
}

/**
 * @param {string} key
 * @param {string} value
 */
const describeOption = (key, value) => (constants.options[key]?.is_named ? `${optionName(key)}: ${optionValueName(key, value)}` : optionValueName(key, value));

/**
 * Return a key of the game and the state that a snapshot shows. It changes with each move, and when another game is
 * started or resumed, which leaves `moves` as it was.
 * @param {Pick<Api.Snapshot, "run" | "moves" | "game" | "phase" | "scores" | "players" | "last">} snapshot
 */
export const momentKey = ({ run, moves, game, phase, scores, players, last }) =>
  JSON.stringify([run, moves, game, phase, scores, players.map(({ name }) => name), last?.move ?? null]);

/** Patterns for a time and how long ago it was. */
const SEEN_AGO = gettextNoop("seen {ago}");
export const BEGAN_AGO = gettextNoop("began {ago}");
export const ENDED_AGO = gettextNoop("ended {ago}");
/** @type {Record<string, (n: number) => string>} */
const TIME_AGO = {
  minute: (n) => formatPlural("{n} minute ago", "{n} minutes ago", n),
  hour: (n) => formatPlural("{n} hour ago", "{n} hours ago", n),
  day: (n) => formatPlural("{n} day ago", "{n} days ago", n),
};
const UNIT_SECONDS = { minute: 60, hour: 3600, day: 86400 };

/**
 * Return how long ago something was, in the largest unit that fits: "seen 3 hours ago".
 * @param {number} then
 * @param {number} now
 * @param {string} pattern
 */
export function formatTimeAgo(then, now, pattern = SEEN_AGO) {
  const past = Math.max(0, now - then) / 1000;
  const [unit, size] = Object.entries(UNIT_SECONDS).findLast(([, size]) => past >= size) ?? ["", 1];
  if (!unit) return formatMessage(pattern, { ago: formatMessage("just now") });
  return formatMessage(pattern, { ago: TIME_AGO[unit](Math.floor(past / size)) });
}
