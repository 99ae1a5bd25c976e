// The bars of win chances.

import assert from "node:assert/strict";
import test from "node:test";

import "./scenes.mjs";
import { choiceCards, formatPercent, formatDecimal, joinNumbers, oddsBars } from "../../web/charts/odds-bars.js";

const RANKED = [
  { discard: ["5H", "5S"], points: 9.1, win: 0.61, hand: 6, crib: 3, pegging: 0.1 },
  { discard: ["2C", "KD"], points: 7, win: 0.58, hand: 3, crib: 3.5, pegging: 0.5 },
];

test("the bars begin at 0, so that their lengths compare like the chances", () => {
  assert.deepEqual(oddsBars(RANKED, []).match(/(?<=rect width=")[\d.]+(?=" height="8"\/><\/svg)/g), ["61.0", "58.0"]);
});

test("a rounded number is never minus zero", () => {
  assert.deepEqual([-0.04, 0.04, -0.05001, -1.25].map((each) => formatDecimal(each)), ["0.0", "0.0", "−0.1", "−1.3"]);
  assert.equal(formatPercent(-0.0001), "0.0\u00a0%");
  assert.match(oddsBars([{ ...RANKED[0], points: -0.01 }], []), /wins 61\.0\u00a0%, 0\.0\u00a0points/);
});

test("a number keeps its sign or its word in one line", () => {
  assert.equal(joinNumbers("wins 1.1 % more games, 9 points, 5 cards"), "wins 1.1\u00a0% more games, 9\u00a0points, 5 cards");
});

test("the chosen and the best choice are marked, whatever the order of the cards", () => {
  const html = oddsBars(RANKED, ["KD", "2C"]);
  assert.equal(html.match(/<li class="made">/g)?.length, 1);
  assert.match(oddsBars(RANKED, ["5H", "5S"]), /<li class="made optimal">/);
  assert.match(html, /wins 61\.0\u00a0%, 9\.1\u00a0points <b>best<\/b>/);
  assert.match(html, /wins 58\.0\u00a0%, 7\.0\u00a0points <b>chosen<\/b>/);
});

test("a choice as good as the first is marked as best and costs nothing", () => {
  const html = oddsBars([RANKED[0], { ...RANKED[1], points: RANKED[0].points, win: RANKED[0].win }], ["2C", "KD"], true);
  assert.equal(html.match(/<b>best<\/b>/g)?.length, 2);
  assert.match(html, /<li class="made optimal">/);
  assert.doesNotMatch(html, /costs/);
});

test("each choice can show its cost against the best one", () => {
  assert.doesNotMatch(oddsBars(RANKED, []), /costs/);
  assert.match(oddsBars(RANKED, ["2C", "KD"], true), /<span data-cost class="cost">costs 3\.0\u00a0%<\/span>/);
  assert.equal(oddsBars(RANKED, [], true).match(/<span data-cost>/g)?.length, 1);
});

test("a go has no cards", () => {
  assert.deepEqual(choiceCards({ play: null, points: 0, win: 0 }), []);
  assert.deepEqual(choiceCards({ play: "5H", points: 0, win: 0 }), ["5H"]);
});
