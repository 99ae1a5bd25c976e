// What a listener hears: the table's sentences, the result of a correction, and the chime.

import assert from "node:assert/strict";
import test from "node:test";

import { scene } from "./scenes.mjs";
import { CHIMES } from "../../web/audio/chimes.js";
import { chimeFor, sentencesFor } from "../../web/audio/announcer.js";

const play = scene("six-card, the play");
const after = (changes) => ({ ...play, moves: play.moves + 1, ...changes });
const last = (type, said, more = {}) => ({ move: { type }, by: "phone", awards: [], said, counts: [], ...more });

test("the sentences of a move are spoken, then whose turn it is", () => {
  const now = after({ turn: 0, count: 12, last: last("play", ["Blue played the 5 of spades.", "Blue: fifteen two."]) });
  assert.deepEqual(sentencesFor(play, now), ["Blue played the 5 of spades.", "Blue: fifteen two.", "Red to play."]);
  assert.deepEqual(sentencesFor(now, now), []);
});

test("of a correction only the result is spoken", () => {
  const now = after({ scores: [9, 0], last: last("adjust", ["Red is adjusted by +5."]) });
  assert.deepEqual(sentencesFor(play, now), ["Red: 9."]);
  assert.deepEqual(sentencesFor(play, after({ last: last("undo", ["Undone: Red's go."]) })), ["Undone: Red's go."]);
});

test("a question and a wrong peg are announced once", () => {
  const ask = { ...play, question: { why: "Whose peg is that?", seat: null, holes: [], choices: [] } };
  assert.deepEqual(sentencesFor(play, ask), ["Whose peg is that?"]);
  assert.deepEqual(sentencesFor(ask, ask), []);
  const wrong = { ...play, advice: [{ kind: "over_pegged", seat: 1, say: "Blue pegged 3, the count is 2." }] };
  assert.deepEqual(sentencesFor(play, wrong), ["Blue pegged 3, the count is 2."]);
  assert.equal(chimeFor(play, wrong), "wrong");
});

test("a ruling is spoken once", () => {
  const ruled = { ...play, ruling: { rule: "8.4c", side: 1, say: "Blue pegged too many.", moves: [] } };
  assert.deepEqual(sentencesFor(play, ruled), ["Blue pegged too many."]);
  assert.deepEqual(sentencesFor(ruled, ruled), []);
});

test("each event has its chime", () => {
  const due = { ...play, dues: [{ seat: 0, points: 2, lift: "red-1", place: "red-4" }] };
  const chimes = [
    chimeFor(play, after({ winner: 1, last: last("play", []) })),
    chimeFor(play, after({ last: last("crib", [], { knocked_out: [0] }) })),
    chimeFor(play, after({ scores: [1, 0], plays: [{ from: 3, to: 4, result: "run" }], last: last("crib", []) })),
    chimeFor(play, after({ last: last("go", []) })),
    chimeFor(due, { ...due, dues: [] }),
    chimeFor(play, after({ winner: 1, last: last("adjust", []) })),
    chimeFor({ ...play, winner: null }, after({ winner: 1, last: last("undo", []) })),
    chimeFor(play, after({ last: last("play", []) })),
  ];
  assert.deepEqual(chimes, ["win", "capture", "home-run", "go", "right", "win", "", ""]);
  assert.ok(chimes.filter(Boolean).every((name) => CHIMES[name].length > 0));
});
