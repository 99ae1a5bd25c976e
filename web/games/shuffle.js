// Cribbage shuffle: what to do next. The panel is loaded with the first game.

import { deferredComponent } from "../core/component.js";
import { constants, countGridCells } from "../core/constants.js";
import { cardName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { defaultGame } from "./game.js";

/** @typedef {Api.Snapshot & Required<Pick<Api.Snapshot, "grid" | "rows" | "columns" | "heels" | "total" | "starter">>} ShuffleSnapshot */

/** @type {import("./game.js").Game} */
export const shuffle = {
  ...defaultGame,
  key: "shuffle",
  isRace: false,
  abandonMethod: () => null,
  turnSentence: (/** @type {ShuffleSnapshot} */ snapshot) => TURN_SENTENCES[snapshot.phase](snapshot),
  Panel: deferredComponent(async () => (await import("./shuffle-panel.js")).ShufflePanel),
  pegCounts: () => [],
  seenCards: (/** @type {ShuffleSnapshot} */ { phase, grid, starter, lying = [] }) =>
    ["lay", "place", "cut"].includes(phase) ? new Set([...grid.flat(), starter, ...lying]) : null,
  nextLabel: ({ phase }) => (phase === "swap" || phase === "over" ? formatMessage("New layout") : null),
};

/** @type {Record<string, (snapshot: ShuffleSnapshot) => string>} */
const TURN_SENTENCES = {
  lay: ({ lying = [] }) => (lying.length < countGridCells() ? formatMessage("Lay sixteen cards: {n} of {all}.", { n: lying.length, all: countGridCells() }) : formatMessage("Cut the starter.")),
  swap: ({ winner }) => (winner === null ? formatMessage("Swap any two cards.") : formatMessage("You won. Keep swapping for more.")),
  place: ({ lying = [] }) => (lying.length ? formatMessage("Place the {card}.", { card: cardName(lying[0]) }) : formatMessage("Turn up a card.")),
  cut: () => formatMessage("Cut the starter."),
  over: ({ winner, total }) =>
    winner === null ? formatMessage("{total} points. You needed {target}.", { total, target: constants.grid.target }) : formatMessage("You won with {total}.", { total }),
};
