// The score of the practice page.

import assert from "node:assert/strict";
import test from "node:test";

import { EMPTY_SCORE, parseScore, addChoice } from "../../web/pages/practice/practice-score.js";

const RANKED = [{ discard: ["5H", "5S"], points: 9, win: 0.625 }, { discard: ["2C", "KD"], points: 7, win: 0.5 }];

test("the best choice costs nothing, another one the difference", () => {
  const one = addChoice(EMPTY_SCORE, RANKED, RANKED[0]);
  assert.deepEqual(one, { deals: 1, best: 1, lost: 0, points: 0 });
  assert.deepEqual(addChoice(one, RANKED, RANKED[1]), { deals: 2, best: 1, lost: 0.125, points: 2 });
});

test("a stored score is loaded, and an invalid one is ignored", () => {
  const one = addChoice(EMPTY_SCORE, RANKED, RANKED[1]);
  assert.deepEqual(parseScore(JSON.stringify(one)), one);
  for (const stored of ["", "{", "null", "[]", '{"deals":"x"}']) assert.deepEqual(parseScore(stored), EMPTY_SCORE);
});
