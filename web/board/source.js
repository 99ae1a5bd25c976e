// The board's own description, fetched once for each run of the table.

import { get } from "../get.js";

let asked = "";
/** @type {Promise<Api.Board>} */
let found;

/**
 * The board of this snapshot.
 * @param {Api.Snapshot} snapshot
 */
export function boardOf({ run, board }) {
  const mark = `${run} ${board}`;
  if (mark !== asked) {
    asked = mark;
    found = get("/api/board");
    found.catch(() => (asked = ""));
  }
  return found;
}
