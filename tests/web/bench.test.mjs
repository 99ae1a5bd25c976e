// The bench's hand, which keeps the pegs apart that a board does not, and the keyboard over its holes.

import assert from "node:assert/strict";
import test from "node:test";

import { Hand } from "../../web/bench/held-pegs.js";
import { next } from "../../web/bench/pointer.js";

const seatAt = (hole) => ({ r: 0, b: 1 })[hole[0]] ?? null;
const START = ["r0", "r1", "b0", "b1"];
const seats = (hand) => Object.fromEntries([...hand.where].map(([hole, { seat }]) => [hole, seat]));

function dealt() {
  const hand = Hand([[0, 2], [1, 2]], seatAt);
  hand.see(START);
  return hand;
}

test("pegs that are on no hole at first are in the hand", () => {
  const hand = Hand([[0, 2], [1, 2]], seatAt);
  hand.see(["r0", "b0", "b1"]);
  assert.deepEqual(hand.loose.map(({ seat }) => seat), [0]);
});

test("what vanished from one hole is what appears in another, on whatever lane", () => {
  const hand = dealt();
  hand.see(["r1", "b0", "b1"]);
  hand.see(["r1", "b0", "b1", "b7"]);
  assert.deepEqual(seats(hand), { r1: 0, b0: 1, b1: 1, b7: 0 });
});

test("of two pegs in the hand the one of that lane is set down, or the one that was chosen", () => {
  const hand = dealt();
  hand.see(["r1", "b1"]);
  hand.see(["r1", "b1", "b4"]);
  assert.equal(hand.where.get("b4").seat, 1);
  hand.lift("b4");
  hand.choose(hand.loose.find(({ seat }) => seat === 0).name);
  hand.place("r9");
  assert.equal(hand.where.get("r9").seat, 0);
});

test("where the table knows better, two pegs change names", () => {
  const hand = dealt();
  hand.see(["r1", "b1", "x5", "x6"]);
  hand.know("x5", 1);
  hand.know("x6", 0);
  assert.deepEqual([hand.where.get("x5").seat, hand.where.get("x6").seat], [1, 0]);
  assert.equal(new Set([...hand.where.values()].map(({ name }) => name)).size, 4);
});

test("an arrow goes to the nearest hole that way, and stays where there is none", () => {
  const holes = [[0, 0], [10, 0], [20, 2], [10, 10]].map(([x, y], i) => ({ id: `h${i}`, x, y }));
  assert.equal(next(holes, null, [1, 0]), "h0");
  assert.equal(next(holes, "h0", [1, 0]), "h1");
  assert.equal(next(holes, "h1", [0, 1]), "h3");
  assert.equal(next(holes, "h2", [1, 0]), "h2");
});
