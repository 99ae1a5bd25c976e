// The bars of win chances.

import assert from "node:assert/strict";
import test from "node:test";

import "./scenes.mjs";
import { choiceCards, barLengths, oddsBars } from "../../web/charts/odds-bars.js";

const RANKED = [
  { discard: ["5H", "5S"], points: 9.1, win: 0.61, hand: 6, crib: 3, pegging: 0.1 },
  { discard: ["2C", "KD"], points: 7, win: 0.58, hand: 3, crib: 3.5, pegging: 0.5 },
];

test("the best bar has the full length, the worst the minimum, and equal ones are equal", () => {
  assert.deepEqual(barLengths([0.6, 0.5, 0.4]), [100, 52, 4]);
  assert.deepEqual(barLengths([0.5, 0.5]), [100, 100]);
});

test("the chosen and the best choice are marked, whatever the order of the cards", () => {
  const html = oddsBars(RANKED, ["KD", "2C"]);
  assert.equal(html.match(/<li class="made">/g)?.length, 1);
  assert.match(html, /wins 61\.0 %, 9\.1 points <b>best<\/b>/);
  assert.match(html, /wins 58\.0 %, 7\.0 points <b>made<\/b>/);
});

test("a go has no cards", () => {
  assert.deepEqual(choiceCards({ play: null, points: 0, win: 0 }), []);
  assert.deepEqual(choiceCards({ play: "5H", points: 0, win: 0 }), ["5H"]);
});
