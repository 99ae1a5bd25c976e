// Cards read in pictures: their order, the choices, how many a phase takes, and when a card below a live camera counts.

import assert from "node:assert/strict";
import test from "node:test";

import { AgreedCards, centreOf, listReadings, RestingCard, scaledSize } from "../../web/components/camera/readings.js";
import { countCardsDue } from "../../web/components/camera/scan.js";
import { setConstants } from "../../web/core/constants.js";
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

const SIDE_PX = 1000;
const EMPTY = { cards: [], unsure: [] };
const lay = (card, x = 100) => ({ cards: [{ card, corners: [[x, 100], [x + 200, 100], [x + 200, 400], [x, 400]] }], unsure: [] });
const watch = (resting, ...pictures) => pictures.map((each) => resting.addPicture(each, SIDE_PX));

test("in a live picture of a hand, a card is sure once two of three pictures are certain of it", () => {
  const show = (...cards) => ({ cards: cards.map((card, i) => ({ card, corners: square(100 * i) })), unsure: [{ corners: square(900), likely: ["3S"] }] });
  const agreed = new AgreedCards(), answers = [show("5H", "JD"), show("JD"), show("5H", "QC"), show("QC"), show("KS")];
  assert.deepEqual(answers.map((answer) => agreed.addPicture(answer)), [[], ["JD"], ["5H", "JD"], ["QC"], ["QC"]]);
});

test("a card counts once, when three pictures in a row show it at the same place", () => {
  const resting = new RestingCard();
  assert.deepEqual(watch(resting, lay("5H", 100), lay("5H", 130), lay("5H", 133), lay("5H", 131), lay("5H", 131)), [null, null, null, "5H", null]);
  assert.equal(resting.isSettled(SIDE_PX), true);
});

test("two cards, an unsure one, or a card that changes are not entered", () => {
  const two = { cards: [...lay("5H").cards, ...lay("6H", 500).cards], unsure: [] };
  const unsure = { ...lay("5H"), unsure: [{ corners: [], likely: ["3S", "8S"] }] };
  assert.deepEqual(watch(new RestingCard(), two, two, two, unsure, unsure, unsure, lay("5H"), lay("6H"), lay("5H")), Array(9).fill(null));
});

test("a card that a hand hid does not count again, after another card it does", () => {
  const resting = new RestingCard(), three = (card) => Array(3).fill(lay(card));
  assert.deepEqual(watch(resting, ...three("5H"), EMPTY, EMPTY, EMPTY, ...three("5H")).filter(Boolean), ["5H"]);
  assert.deepEqual(watch(resting, ...three("6H"), ...three("5H")).filter(Boolean), ["6H", "5H"]);
});

test("a card that the table refused counts again once it was taken away", () => {
  const resting = new RestingCard(), three = Array(3).fill(lay("KS"));
  watch(resting, ...three);
  resting.refuse();
  assert.deepEqual(watch(resting, ...three), [null, null, null]);
  assert.deepEqual(watch(resting, EMPTY, EMPTY, EMPTY, ...three).filter(Boolean), ["KS"]);
});
