// The score of who practises.

import assert from "node:assert/strict";
import test from "node:test";

import { EMPTY_SCORE, parseScore, addChoice } from "../../web/components/practice-score.js";

const RANKED = [{ discard: ["5H", "5S"], points: 9, win: 0.625 }, { discard: ["2C", "KD"], points: 7, win: 0.5 }];

test("the best costs nothing, another what it is worth less", () => {
  const one = addChoice(EMPTY_SCORE, RANKED, RANKED[0]);
  assert.deepEqual(one, { deals: 1, best: 1, lost: 0, points: 0 });
  assert.deepEqual(addChoice(one, RANKED, RANKED[1]), { deals: 2, best: 1, lost: 0.125, points: 2 });
});

test("what was kept is read again, and nonsense is no score", () => {
  const one = addChoice(EMPTY_SCORE, RANKED, RANKED[1]);
  assert.deepEqual(parseScore(JSON.stringify(one)), one);
  for (const kept of ["", "{", "null", "[]", '{"deals":"x"}']) assert.deepEqual(parseScore(kept), EMPTY_SCORE);
});
