// What a game is to the page, and what holds for any game: who won, and on to the next.

import { seatName, sideName } from "../core/format.js";
import { formatMessage, formatPlural, gettextNoop } from "../core/i18n.js";

/**
 * A game's own part of the page. Its functions are given snapshots of that game only, with all its fields.
 * @typedef {object} Game
 * @property {string} key the snapshot's `game.key`
 * @property {{ of(snapshot: Api.Snapshot): string }["of"]} turn the sentence that says whose turn it is
 * @property {import("../core/component.js").Component} Panel its own part of the page
 * @property {{ of(snapshot: Api.Snapshot): Set<unknown> | null }["of"]} seen the cards that cannot turn up now, or null while no card is awaited
 * @property {{ of(snapshot: Api.Snapshot): Set<unknown> }["of"]} known the cards of this deal that were seen
 * @property {{ of(snapshot: Api.Snapshot): number | null }["of"]} shownSeat the seat that may say go, or null
 * @property {{ of(snapshot: Api.Snapshot): string | null }["of"]} next what `next` is called now, or null
 * @property {{ of(snapshot: Api.Snapshot): boolean }["of"]} voids whether a misdeal can be called
 * @property {{ of(snapshot: Api.Snapshot): "scores" | "end" | null }["of"]} abandons how a game is given up: back to its
 *   first scores, to its end, or not at all
 * @property {{ of(snapshot: Api.Snapshot, side: number): number }["of"]} opening a side's first score
 * @property {boolean} races whether its pegs are what one looks at: on a phone the board comes before its own part
 * @property {string} deals what stands on the dealer's plate
 * @property {{ of(snapshot: Api.Snapshot, side: number): string }["of"]} marks what else stands on a side's plate
 * @property {{ of(snapshot: Api.Snapshot): [seat: number | null, count: number][] }["of"]} pegs how many pegs are whose
 * @property {{ of(snapshot: Api.Snapshot, side: number): { value: number, max: number } | null }["of"]} bar how far a side
 *   has come, or null where there is no such way
 */

/** @type {Record<string, string>} */
const SKUNKS = { skunk: gettextNoop("skunk"), "double skunk": gettextNoop("double skunk") };

/**
 * "Red wins by a skunk, worth 2 games."
 * @param {Api.Snapshot} snapshot
 */
export function ending(snapshot) {
  const { winner, skunk, skunks = [], game_points: games = 1 } = snapshot;
  if (winner === null) return formatMessage("The game is over.");
  const how = snapshot.double ? formatMessage("wins double") : skunk ? formatMessage("wins by a {skunk}", { skunk: formatMessage(SKUNKS[skunk]) }) : formatMessage("wins");
  const worth = games > 1 ? formatPlural(", worth {n} game", ", worth {n} games", games) : "";
  const skunked = skunks.map((each, side) => (each ? ` ${sideName(snapshot, side)}: ${formatMessage(SKUNKS[each] ?? each)}.` : ""));
  return `${formatMessage("{name} {wins}{worth}.", { name: sideName(snapshot, winner), wins: how, worth })}${skunked.join("")}`;
}

/** @type {Game} */
export const any = {
  key: "",
  turn(snapshot) {
    if (snapshot.phase === "over") return ending(snapshot);
    return snapshot.turn === null || snapshot.turn === undefined ? formatMessage("Go on.") : formatMessage("{name}'s turn.", { name: seatName(snapshot, snapshot.turn) });
  },
  Panel: () => () => {},
  seen: () => new Set(),
  known: () => new Set(),
  shownSeat: () => null,
  next: ({ phase }) => (phase === "between" ? formatMessage("Next hand") : phase === "over" ? formatMessage("New game") : null),
  voids: () => false,
  abandons: () => "scores",
  opening: () => 0,
  races: true,
  deals: gettextNoop("deals"),
  marks: () => "",
  pegs: ({ scores }) => scores.map((_, side) => [side, 2]),
  bar: ({ scores, game }, side) => (game.target === null ? null : { value: scores[side], max: game.target }),
};
