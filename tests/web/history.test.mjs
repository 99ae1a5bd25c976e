// The list of moves.

import assert from "node:assert/strict";
import test from "node:test";

import { extendHistory, historyQuery, NO_MOVES } from "../../web/components/history/history.js";

const moves = (...ns) => ns.map((n) => ({ n, say: [`Move ${n}.`] }));
const known = { table: 3, moves: moves(1, 2, 5) };

test("at first the whole list is loaded", () => {
  assert.equal(historyQuery(NO_MOVES), "");
  assert.deepEqual(extendHistory(NO_MOVES, known), known);
});

test("then the newest known move is loaded again with all later ones", () => {
  assert.equal(historyQuery(known), "?after=4");
  assert.deepEqual(extendHistory(known, { table: 3, moves: moves(5, 6, 9) }), { table: 3, moves: moves(1, 2, 5, 6, 9) });
  assert.deepEqual(extendHistory(known, { table: 3, moves: moves(5) }), known);
});

test("the whole list is loaded when the newest known move was undone", () => {
  assert.equal(extendHistory(known, { table: 3, moves: [] }), null);
  assert.equal(extendHistory(known, { table: 3, moves: moves(7) }), null);
});

test("the whole list is loaded for another game", () => {
  assert.equal(extendHistory(known, { table: 4, moves: moves(5) }), null);
});
