// What the daily deal and the practice page store on a phone: streaks, scores, and what an invalid record becomes.

import assert from "node:assert/strict";
import test from "node:test";

import { addDeal, currentStreak, EMPTY_RECORD, parseRecord } from "../../web/pages/daily/daily-record.js";
import { addChoice, EMPTY_SCORE, parseScore } from "../../web/pages/practice/practice-score.js";

const play = (days) => days.reduce((record, date) => addDeal(record, date, ["5H", "6S"], true), EMPTY_RECORD);

test("days in a row make a streak, also over the ends of months and years", () => {
  assert.equal(play(["2026-12-30", "2026-12-31", "2027-01-01"]).streak, 3);
  assert.equal(play(["2028-02-28", "2028-02-29", "2028-03-01"]).streak, 3);
  assert.equal(play(["2026-02-28", "2026-03-02"]).streak, 1);
});

test("the streak lasts until a day is left out", () => {
  const record = play(["2026-03-28", "2026-03-29"]);
  assert.deepEqual(["2026-03-29", "2026-03-30", "2026-03-31"].map((day) => currentStreak(record, day)), [2, 2, 0]);
  assert.equal(currentStreak(EMPTY_RECORD, "2026-03-31"), 0);
});

test("best discards are counted", () => {
  const record = addDeal(play(["2026-03-28"]), "2026-03-29", ["2C", "KD"], false);
  assert.deepEqual([record.best, record.deals, record.discard, record.counted], [1, 2, ["2C", "KD"], null]);
});

test("a stored record is loaded, and an invalid one is ignored", () => {
  const record = play(["2026-03-28"]);
  assert.deepEqual(parseRecord(JSON.stringify(record)), record);
  for (const stored of ["", "{", "null", "[]", '{"date":1}', '{"date":"2026-03-28","discard":[],"streak":"x"}']) assert.deepEqual(parseRecord(stored), EMPTY_RECORD);
});

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
