// The lesson on a board: a game of pegs only follows the scores of the lesson, so that the lights show where the pegs go.

import { createActions, fetchApiOrNull } from "../core/api.js";
import { loadSetting, saveSetting } from "../core/preferences.js";

const TABLE_SETTING = "lesson-table";
const TARGET = "61";

const { makeMove, startGame } = createActions(() => {}, () => {});

/** Return the table's newest game, or null without an answer. */
const fetchNewestGame = async () => (await fetchApiOrNull("/api/tables"))?.tables[0] ?? null;

/** Whether the lesson may use the board: for a player's phone, with sensors or lights, and no game under way. */
export async function isBoardFree() {
  const [me, state, game] = await Promise.all([fetchApiOrNull("/api/me"), fetchApiOrNull("/api/state"), fetchNewestGame()]);
  const hasBoard = ["sensors", "lights"].some((device) => !(state?.devices[device]?.url ?? "none:").startsWith("none:"));
  const isUnused = game !== null && (game.moves === 0 || game.winner !== null || String(game.id) === loadSetting(TABLE_SETTING));
  return me?.role === "player" && hasBoard && isUnused;
}

/** Begin the game that follows the lesson. Return whether the table has begun it. */
export async function takeBoard() {
  if (await startGame({ game: "pegs-only", seats: 2, options: { target: TARGET } })) return false;
  saveSetting(TABLE_SETTING, String((await fetchNewestGame())?.id ?? ""));
  return true;
}

/** @type {Promise<unknown>} */
let lastUpdate = Promise.resolve();

/**
 * Bring the game on the board to these scores, after earlier scores. Return whether the table still plays it.
 * @param {number[]} scores
 * @returns {Promise<boolean>}
 */
export function showScores(scores) {
  const update = lastUpdate.then(() => pegScores(scores));
  lastUpdate = update;
  return update;
}

/** @param {number[]} scores */
async function pegScores(scores) {
  const id = loadSetting(TABLE_SETTING);
  const game = id ? await fetchNewestGame() : null;
  if (!game || String(game.id) !== id) return false;
  for (const [seat, score] of scores.entries()) {
    const points = score - game.scores[seat];
    if (points > 0) await makeMove({ type: "peg", seat, points });
  }
  return true;
}
