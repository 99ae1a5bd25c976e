// The state, size and section of the board before it is drawn.

import assert from "node:assert/strict";
import test from "node:test";

import { scene } from "./scenes.mjs";
import { holesToDraw } from "../../web/board/board.js";
import { renderDie, listSigns } from "../../web/board/symbols.js";
import { countRacers, boardState, boardStateDuringRoll } from "../../web/board/state.js";
import { zoomBox, rotatePlace } from "../../web/board/viewport.js";
import { viewRotation, measureBoard } from "../../web/board/layout.js";

const play = scene("six-card, the play");
const DUE = { seat: 0, points: 2, lift: "red-start-1", place: "red-4" };

/** A straight lane of holes, 7 mm apart; the first one is the start. */
const lane = (count, way = Array.from({ length: count }, (_, bit) => bit)) => ({
  name: "lane", routes: { 2: [{ seat: 0, start: [0], way }] },
  holes: Array.from({ length: count }, (_, bit) => ({ bit, id: `red-${bit}`, track: "red", seat: null, number: bit, x_mm: 10, y_mm: 7 * bit })),
});

test("a due lights the hole its peg leaves and the one it enters", () => {
  const { due, lift, wrong } = boardState({ ...play, dues: [DUE] });
  assert.deepEqual([due, lift, wrong], [["red-4"], ["red-start-1"], []]);
});

test("an over-pegged hole is crossed out, and its peg may be lifted", () => {
  const { wrong, lift } = boardState({ ...play, advice: [{ kind: "over_pegged", seat: 1, hole: "blue-9", lift: "blue-9", say: "" }] });
  assert.deepEqual([wrong, lift], [["blue-9"], ["blue-9"]]);
});

test("the holes of a question are marked", () => {
  const question = { why: "?", seat: 1, holes: ["blue-6", "blue-9"], choices: [] };
  assert.deepEqual(boardState({ ...play, question }).asked, ["blue-6", "blue-9"]);
});

test("while dice roll no light gives away the result", () => {
  const told = { ...scene("bases, dice thrown"), question: { why: "?", seat: null, holes: ["red-runs-2"], choices: [] } };
  assert.ok(boardState(told).due.length > 0);
  const { due, asked, wrong, pegs } = boardStateDuringRoll(told);
  assert.deepEqual([due, asked, wrong], [[], [], []]);
  assert.equal(pegs.length, told.markers.length);
});

test("in pursuit only those still in the game race, on their own loop", () => {
  assert.equal(countRacers(scene("pursuit of five")), 5);
  assert.equal(countRacers(scene("pursuit, a knock-out")), 2);
});

test("the board is rotated for players across the table, and laid down if it is too tall for the page", () => {
  const tall = lane(10).holes;
  assert.deepEqual([null, 0, 1].map((seat) => viewRotation(tall, 2, seat, false)), [0, 0, 180]);
  assert.deepEqual([null, 1].map((seat) => viewRotation(tall, 2, seat, true)), [90, 270]);
});

test("a step is the distance of most holes, and the box has a margin", () => {
  const board = lane(10);
  const { step, box } = measureBoard(board, board.routes[2]);
  assert.equal(step, 7);
  assert.ok(box.x < 10 && box.y < 0 && box.y + box.height > 63);
});

test("only the loop in use is drawn unless something lies elsewhere", () => {
  const board = lane(10, [0, 1, 2, 3]);
  const state = { pegs: [], due: [], lift: [], wrong: [], asked: [], flaky: [] };
  assert.equal(holesToDraw(board, 2, state).length, 4);
  assert.equal(holesToDraw(board, 2, { ...state, asked: ["red-8"] }).length, 10);
});

test("signs are ordered: problems lie on top of dues", () => {
  const kinds = listSigns({ lift: ["a"], flaky: ["b"], due: ["c"], asked: ["d"], wrong: ["e"] }, ["f"]).map(([, kind]) => kind);
  assert.deepEqual(kinds, ["lit", "lift", "flaky", "due", "asked", "wrong"]);
});

test("a die of pixels shows the pips of its face, and none without a face", () => {
  const pips = Array.from({ length: 7 }, (_, i) => ({ x_mm: i, y_mm: i }));
  const lit = (face) => renderDie(pips, face, 1).match(/pip lit/g)?.length ?? 0;
  assert.deepEqual([1, 2, 3, 4, 5, 6, null].map(lit), [1, 2, 3, 4, 5, 6, 0]);
});

test("a small screen shows the pegs, at least a count wide and within the board", () => {
  const whole = { x: 0, y: 0, width: 300, height: 80 };
  assert.deepEqual(zoomBox([], whole, 7), whole);
  const box = zoomBox([{ x: 5, y: 40 }, { x: 20, y: 47 }], whole, 7);
  assert.equal(box.x, 0);
  assert.ok(box.width === 24 * 7 && box.height <= 80 && box.height >= 0.3 * box.width);
  assert.deepEqual(zoomBox([{ x: 5, y: 5 }, { x: 295, y: 75 }], whole, 7), whole);
});

test("a place follows the rotation of the board", () => {
  const centre = { x: 10, y: 10 };
  assert.deepEqual([0, 90, 180, 270].map((turn) => rotatePlace({ x_mm: 12, y_mm: 10 }, centre, turn)),
    [{ x: 12, y: 10 }, { x: 10, y: 12 }, { x: 8, y: 10 }, { x: 10, y: 8 }]);
});
