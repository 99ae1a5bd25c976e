// What the table is asked, and answers, without anything being changed.

import { inLanguage } from "./say.js";

const PATIENCE_MS = 4000;

/**
 * What the table answers at an address of its API; an answer that it has given before and still holds comes from the
 * browser's own memory. Throws where there is no answer.
 * @template {keyof Api.Answers} Path
 * @param {Path} path
 * @param {string} query
 * @returns {Promise<Api.Answers[Path]>}
 */
export async function get(path, query = "") {
  const reply = await fetch(inLanguage(path + query), { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.json();
}

/**
 * What the table answers where nobody else is told when it does not: null then.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function ask(path) {
  try {
    const reply = await fetch(inLanguage(path), { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE_MS) });
    return reply.ok ? await reply.json() : null;
  } catch {
    return null;
  }
}

/**
 * Rows that were told column by column, which is a third as long: each field is named once.
 * @param {Record<string, unknown[]>} columns
 */
export const rows = (columns) =>
  Object.values(columns)[0].map((_, i) => Object.fromEntries(Object.entries(columns).map(([field, all]) => [field, all[i]])));

let asked = "";
/** @type {Promise<Api.Board>} */
let found;

/**
 * The board of this snapshot, asked for once in each run of the table.
 * @param {Api.Snapshot} snapshot
 */
export function boardOf({ run, board }) {
  const mark = `${run} ${board}`;
  if (mark !== asked) {
    asked = mark;
    found = get("/api/board", "?columns").then((told) => ({ ...told, holes: /** @type {any} */ (rows(/** @type {any} */ (told.holes))) }));
    found.catch(() => (asked = ""));
  }
  return found;
}
