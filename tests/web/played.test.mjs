// The list of what was played, kept up with the journal.

import assert from "node:assert/strict";
import test from "node:test";

import { extendHistory, historyQuery, NO_MOVES } from "../../web/components/history.js";

const moves = (...ns) => ns.map((n) => ({ n, say: [`Move ${n}.`] }));
const known = { table: 3, moves: moves(1, 2, 5) };

test("at first all is asked for", () => {
  assert.equal(historyQuery(NO_MOVES), "");
  assert.deepEqual(extendHistory(NO_MOVES, known), known);
});

test("then the newest move known is asked for again, and what came after it is added", () => {
  assert.equal(historyQuery(known), "?after=4");
  assert.deepEqual(extendHistory(known, { table: 3, moves: moves(5, 6, 9) }), { table: 3, moves: moves(1, 2, 5, 6, 9) });
  assert.deepEqual(extendHistory(known, { table: 3, moves: moves(5) }), known);
});

test("where the newest move known was taken back, the whole is asked for", () => {
  assert.equal(extendHistory(known, { table: 3, moves: [] }), null);
  assert.equal(extendHistory(known, { table: 3, moves: moves(7) }), null);
});

test("so it is for another table", () => {
  assert.equal(extendHistory(known, { table: 4, moves: moves(5) }), null);
});
