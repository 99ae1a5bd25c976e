// What a screen reader hears of a move.

import assert from "node:assert/strict";
import test from "node:test";

import { scene } from "./scenes.mjs";
import { describeChange } from "../../web/components/status/announcements.js";

const play = { ...scene("six-card, the play"), count: 10 };
const last = (type, said) => ({ move: { type }, by: "phone", awards: [], said, counts: [] });
const after = (changes) => ({ ...play, moves: play.moves + 1, ...changes });

test("a card is announced with what it scored and the count", () => {
  const now = after({ count: 15, last: last("play", ["Blue played the 5 of spades.", "Blue: fifteen two."]) });
  assert.deepEqual(describeChange(play, now), ["Blue played the 5 of spades.", "Blue: fifteen two.", "Count: 15."]);
  assert.deepEqual(describeChange(now, { ...now, number: 999 }), []);
});

test("a go repeats the count, which nobody sees", () => {
  assert.deepEqual(describeChange(play, after({ last: last("go", ["Blue said go."]) })), ["Blue said go.", "Count: 10."]);
});

test("cards of the crib are announced one by one and not again at the end", () => {
  const crib = { ...play, phase: "crib", crib: [] };
  const first = { ...crib, crib: ["2H"] };
  assert.deepEqual(describeChange(crib, first), ["2 of hearts."]);
  const said = ["The crib: 2 of hearts, 3 of hearts.", "Red: nothing."];
  const ended = { ...after({ phase: "between", crib: ["2H", "3H"], last: last("crib", said), scores: [4, 2] }) };
  const score = "Score after this hand: Red 4, Blue 2.";
  assert.deepEqual(describeChange(first, ended), ["3 of hearts.", "Red: nothing.", score]);
  assert.deepEqual(describeChange(crib, ended), [...said, score]);
});

test("a correction tells the scores that it changed", () => {
  const scores = [play.scores[0], play.scores[1] + 3];
  const now = after({ scores, last: last("adjust", ["Blue's score was corrected by +3."]) });
  assert.deepEqual(describeChange(play, now), ["Blue's score was corrected by +3.", `Blue ${scores[1]}.`]);
});
