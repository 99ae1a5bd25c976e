// The lesson on a board: a game of pegs only follows the scores of the lesson, so that the lights show where the pegs go.

import { createActions, fetchApiOrNull } from "../../core/api.js";
import { loadSetting, saveSetting } from "../../core/preferences.js";

const TABLE_SETTING = "lesson-table";
const TARGET = "61";

const { makeMove, startGame } = createActions(() => {}, () => {});

/** Return the table's games, the newest first; none without an answer. */
const fetchGames = async () => (await fetchApiOrNull("/api/tables"))?.tables ?? [];

/**
 * Whether the lesson may use the board: for a player's phone, with sensors or lights, and no game under way. A simulated
 * board is one where somebody has begun a game on it.
 */
export async function isBoardFree() {
  const [me, state, games] = await Promise.all([fetchApiOrNull("/api/me"), fetchApiOrNull("/api/state"), fetchGames()]);
  if (me?.role !== "player" || !state || !games.length) return false;
  const isSimulatedUsed = state.game.pegs === "read" && games.length > 1;
  const hasBoard = ["sensors", "lights"].some((device) => {
    const url = state.devices[device]?.url ?? "none:";
    return url.startsWith("sim:") ? isSimulatedUsed : !url.startsWith("none:");
  });
  const { id, moves, winner } = games[0];
  return hasBoard && (moves === 0 || winner !== null || String(id) === loadSetting(TABLE_SETTING));
}

/** Begin the game that follows the lesson. Return whether the table has begun it. */
export async function takeBoard() {
  if (await startGame({ game: "pegs-only", seats: 2, options: { target: TARGET } })) return false;
  saveSetting(TABLE_SETTING, String((await fetchGames())[0]?.id ?? ""));
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
  const game = id ? (await fetchGames())[0] : null;
  if (!game || String(game.id) !== id) return false;
  for (const [seat, score] of scores.entries()) {
    const points = score - game.scores[seat];
    if (points > 0) await makeMove({ type: "peg", seat, points });
  }
  return true;
}
