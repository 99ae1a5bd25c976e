// Cards read in a photograph: their order, the order of choices, and how many cards a phase of a game takes.

import assert from "node:assert/strict";
import test from "node:test";

import { centreOf, listReadings, scaledSize } from "../../web/components/camera/card-readings.js";
import { setConstants } from "../../web/core/constants.js";
import { countCardsDue } from "../../web/components/camera/scan.js";
import { scene } from "./scenes.mjs";

const square = (x) => [[x, 0], [x + 10, 0], [x + 10, 20], [x, 20]];

test("cards are listed from left to right, and what lies elsewhere is the last choice", () => {
  const answer = { cards: [{ card: "5H", corners: square(50) }, { card: "JD", corners: square(300) }], unsure: [{ corners: square(100), likely: ["3S", "8S"] }] };
  const readings = listReadings(answer, new Set(["3S"]));
  assert.deepEqual(readings.map(({ card }) => card), ["5H", null, "JD"]);
  assert.deepEqual(readings[1].likely, ["8S", "3S"]);
  assert.deepEqual(centreOf(readings[1]), [105, 10]);
});

test("a picture is scaled down and never up", () => {
  assert.deepEqual(scaledSize({ width: 4000, height: 3000 }, 1600), { width: 1600, height: 1200 });
  assert.deepEqual(scaledSize({ width: 800, height: 600 }, 1600), { width: 800, height: 600 });
  assert.deepEqual(scaledSize({ width: 1, height: 5000 }, 1600), { width: 1, height: 1600 });
});

test("a phase takes only the cards that it is missing", () => {
  setConstants({ grid: { size: 4, target: 96 } });
  const crib = scene("six-card, the play", { phase: "crib", crib: ["2H"] });
  assert.equal(countCardsDue(crib), 3);
  assert.equal(countCardsDue({ ...crib, phase: "cut" }), 1);
  assert.equal(countCardsDue({ ...crib, phase: "between" }), 1);
  assert.equal(countCardsDue({ ...crib, phase: "play", played: [["5H"], ["TH", "6S"]] }), 5);
  assert.equal(countCardsDue(scene("five-card, a hand to show", { turn: 0, played: [["5H"], []], lying: [] })), 2);
  assert.equal(countCardsDue({ ...crib, phase: "lay", lying: ["5H"] }), 15);
  assert.equal(countCardsDue(null), 0);
});
