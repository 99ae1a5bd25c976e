// When a card that lies below a live camera counts.

import assert from "node:assert/strict";
import test from "node:test";

import { RestingCard } from "../../web/components/camera/resting-card.js";

const SIDE_PX = 1000;
const EMPTY = { cards: [], unsure: [] };
const lay = (card, x = 100) => ({ cards: [{ card, corners: [[x, 100], [x + 200, 100], [x + 200, 400], [x, 400]] }], unsure: [] });
const watch = (resting, ...pictures) => pictures.map((each) => resting.addPicture(each, SIDE_PX));

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
