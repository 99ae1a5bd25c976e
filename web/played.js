// The list of what was played, kept up with the journal: what was told before, and what an answer adds. Pure.

/** @typedef {{ table: number | null, moves: Api.Made[] }} Played */

/** @type {Played} */
export const UNTOLD = { table: null, moves: [] };

/**
 * What to ask for: the newest move known and all after it. If that move is missing then, it was taken back.
 * @param {Played} played
 */
export const query = ({ moves }) => (moves.length ? `?after=${moves[moves.length - 1].n - 1}` : "");

/**
 * The list with the answer to `query` in it; null where moves known were taken back, or another table is played: then
 * the whole is to be asked for.
 * @param {Played} played
 * @param {Api.Answers["/api/history"]} told
 * @returns {Played | null}
 */
export function joined(played, told) {
  const newest = played.moves.at(-1);
  if (!newest) return told;
  if (told.table !== played.table || told.moves[0]?.n !== newest.n) return null;
  return { table: told.table, moves: [...played.moves.slice(0, -1), ...told.moves] };
}
