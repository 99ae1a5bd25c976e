// The pegs of the simulated board, and the keyboard cursor over its holes.

import assert from "node:assert/strict";
import test from "node:test";

import { createHeldPegs } from "../../web/pages/bench/held-pegs.js";
import { nextHole } from "../../web/pages/bench/pointer.js";

const seatAt = (hole) => ({ r: 0, b: 1 })[hole[0]] ?? null;
const START = ["r0", "r1", "b0", "b1"];
const seats = (hand) => Object.fromEntries([...hand.pegAt].map(([hole, { seat }]) => [hole, seat]));

function dealt() {
  const hand = createHeldPegs([[0, 2], [1, 2]], seatAt);
  hand.setOccupied(START);
  return hand;
}

test("pegs that are in no hole at first are in the hand", () => {
  const hand = createHeldPegs([[0, 2], [1, 2]], seatAt);
  hand.setOccupied(["r0", "b0", "b1"]);
  assert.deepEqual(hand.inHand.map(({ seat }) => seat), [0]);
});

test("a peg that disappears from one hole appears in another, on any lane", () => {
  const hand = dealt();
  hand.setOccupied(["r1", "b0", "b1"]);
  hand.setOccupied(["r1", "b0", "b1", "b7"]);
  assert.deepEqual(seats(hand), { r1: 0, b0: 1, b1: 1, b7: 0 });
});

test("the peg placed is the one of that lane or the chosen one", () => {
  const hand = dealt();
  hand.setOccupied(["r1", "b1"]);
  hand.setOccupied(["r1", "b1", "b4"]);
  assert.equal(hand.pegAt.get("b4").seat, 1);
  hand.lift("b4");
  hand.chooseNext(hand.inHand.find(({ seat }) => seat === 0).name);
  hand.place("r9");
  assert.equal(hand.pegAt.get("r9").seat, 0);
});

test("two pegs are exchanged when the table knows their owners", () => {
  const hand = dealt();
  hand.setOccupied(["r1", "b1", "x5", "x6"]);
  hand.setOwner("x5", 1);
  hand.setOwner("x6", 0);
  assert.deepEqual([hand.pegAt.get("x5").seat, hand.pegAt.get("x6").seat], [1, 0]);
  assert.equal(new Set([...hand.pegAt.values()].map(({ name }) => name)).size, 4);
});

test("an arrow key moves to the nearest hole in its direction, or stays", () => {
  const holes = [[0, 0], [10, 0], [20, 2], [10, 10]].map(([x, y], i) => ({ id: `h${i}`, x, y }));
  assert.equal(nextHole(holes, null, [1, 0]), "h0");
  assert.equal(nextHole(holes, "h0", [1, 0]), "h1");
  assert.equal(nextHole(holes, "h1", [0, 1]), "h3");
  assert.equal(nextHole(holes, "h2", [1, 0]), "h2");
});
