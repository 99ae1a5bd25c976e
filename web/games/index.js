// The registry of the games that have a module here.

import { fiveCard, sixCard } from "./cribbage.js";
import { defaultGame } from "./game.js";
import { pegsOnly } from "./pegs-only.js";

/** @import { Game } from "./game.js" */

/** Games that few tables play. Their modules are loaded with the first snapshot of such a game. @type {Record<string, () => Promise<Game>>} */
const LATE_GAMES = {
  pursuit: async () => (await import("./pursuit.js")).pursuit,
  bases: async () => (await import("./baseball.js")).baseball,
  swap: async () => (await import("./sackson.js")).sackson,
  shuffle: async () => (await import("./shuffle.js")).shuffle,
};

/** @type {Record<string, Game>} */
const games = { [sixCard.key]: sixCard, [fiveCard.key]: fiveCard, [pegsOnly.key]: pegsOnly };

/**
 * Return the module of a snapshot's game. A game without a module, or before it is loaded, still has its scores, board and undo.
 * @param {Pick<Api.Snapshot, "game">} snapshot
 */
export const findGame = ({ game }) => games[game.key] ?? defaultGame;

/**
 * Load the module of a snapshot's game; return null if that is not necessary. If the table does not answer, the next snapshot
 * tries again.
 * @param {Pick<Api.Snapshot, "game">} snapshot
 */
export function loadGame({ game: { key } }) {
  const load = games[key] ? null : LATE_GAMES[key];
  return load ? load().then((game) => (games[key] = game), () => null) : null;
}
