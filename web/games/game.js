// The interface between the page and the games, and its defaults.

import { seatName, sideName, sideNames } from "../core/format.js";
import { formatMessage, formatPlural, gettextNoop } from "../core/i18n.js";

/**
 * How the page shows a game. The functions receive snapshots of that game only, with its own fields.
 * @typedef {object} Game
 * @property {string} key the snapshot's `game.key`
 * @property {{ call(snapshot: Api.Snapshot): string }["call"]} turnSentence whose turn it is, as a sentence
 * @property {import("../core/component.js").Component} Panel the panel of the game
 * @property {{ call(snapshot: Api.Snapshot): Set<unknown> | null }["call"]} seenCards cards that cannot turn up now; null while no card is expected
 * @property {{ call(snapshot: Api.Snapshot): Set<unknown> }["call"]} knownCards cards of this deal that have been seen
 * @property {{ call(snapshot: Api.Snapshot): number | null }["call"]} goSeat the seat that may say go, or null
 * @property {{ call(snapshot: Api.Snapshot): string | null }["call"]} nextLabel the label of the `next` button, or null
 * @property {{ call(snapshot: Api.Snapshot): boolean }["call"]} canCallMisdeal whether a misdeal can be called
 * @property {{ call(snapshot: Api.Snapshot): "scores" | "end" | null }["call"]} abandonMethod how a game is abandoned: by
 *   restoring the opening scores, by ending it, or not at all
 * @property {{ call(snapshot: Api.Snapshot, side: number): number }["call"]} openingScore the opening score of a side
 * @property {boolean} isRace whether it is a race: then phones show the board above the panel
 * @property {string} dealerMark the mark of the dealer
 * @property {{ call(snapshot: Api.Snapshot, side: number): string }["call"]} sideMark another mark of a side, or ""
 * @property {{ call(snapshot: Api.Snapshot): [seat: number | null, count: number][] }["call"]} pegCounts the number of pegs of each seat
 * @property {{ call(snapshot: Api.Snapshot, side: number): { value: number, max: number } | null }["call"]} progress the progress
 *   of a side to the target, or null
 */

/** @type {Record<string, string>} */
const SKUNKS = { skunk: gettextNoop(": a skunk"), "double skunk": gettextNoop(": a double skunk") };
/** @type {Record<string, string>} */
const SKUNK_NAMES = { skunk: gettextNoop("skunk"), "double skunk": gettextNoop("double skunk") };

/** Return the result of a game: "Red wins by 33: a skunk, worth 2 games." @param {Api.Snapshot} snapshot */
export function resultSentence(snapshot) {
  const { winner, scores, players, skunk, skunks = [], game_points: games = 1, alive } = snapshot;
  if (winner === null) return formatMessage("The game is over.");
  const n = alive ? 0 : scores[winner] - Math.max(...scores.filter((_, side) => side !== winner)); // a chase is not won by points
  const name = sideNames(snapshot, winner);
  const isOne = players.filter(({ side }) => side === winner).length < 2;
  const result = n > 0 ? (isOne ? formatMessage("{name} wins by {n}", { name, n }) : formatMessage("{name} win by {n}", { name, n }))
    : isOne ? formatMessage("{name} wins", { name }) : formatMessage("{name} win", { name });
  const how = snapshot.double ? formatMessage(": a double win") : skunk ? formatMessage(SKUNKS[skunk]) : "";
  const value = games > 1 ? formatPlural(", worth {n} game", ", worth {n} games", games) : "";
  const otherSkunks = skunks.map((each, side) => (each ? ` ${sideName(snapshot, side)}: ${formatMessage(SKUNK_NAMES[each] ?? each)}.` : ""));
  return `${result}${how}${value}.${otherSkunks.join("")}`;
}

/** The defaults, and the game of an unknown key. @type {Game} */
export const defaultGame = {
  key: "",
  turnSentence(snapshot) {
    if (snapshot.phase === "over") return resultSentence(snapshot);
    return snapshot.turn === null || snapshot.turn === undefined ? formatMessage("Go on.") : formatMessage("{name}'s turn.", { name: seatName(snapshot, snapshot.turn) });
  },
  Panel: () => () => {},
  seenCards: () => new Set(),
  knownCards: () => new Set(),
  goSeat: () => null,
  nextLabel: ({ phase }) => (phase === "between" ? formatMessage("Next hand") : phase === "over" ? formatMessage("Play again") : null),
  canCallMisdeal: () => false,
  abandonMethod: () => "scores",
  openingScore: () => 0,
  isRace: true,
  dealerMark: gettextNoop("deals"),
  sideMark: () => "",
  pegCounts: ({ scores }) => scores.map((_, side) => [side, 2]),
  progress: ({ scores, game }, side) => (game.target === null ? null : { value: scores[side], max: game.target }),
};
