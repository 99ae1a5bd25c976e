// What the page of a tournament says comes next.

import assert from "node:assert/strict";
import test from "node:test";
import { sayWhoMoved } from "../../web/plugins/club/director.js";
import { nextStep, ownLines, roundGames } from "../../web/plugins/club/tournament_views.js";

const blank = { points: null, spread: null }, win = { points: 2, spread: 12 }, loss = { points: 0, spread: -15 };
/** @param {any[]} discrepancies */
const shown = (discrepancies) => ({ event: { open: 0, blocking: discrepancies.length }, rounds: [], bracket: [], tied: [], discrepancies, qualifiers: ["Ann", "Bob"] });

test("cards that lack an entry are named and come before rulings", () => {
  const html = nextStep(shown([
    { one: "Ann", two: "Bob", lines: [win, blank], settled: false }, { one: "Cid", two: "Bob", lines: [loss, blank], settled: false },
    { one: "Dot", two: "Eve", lines: [win, loss], settled: false }, { one: "Fay", two: "Gus", lines: [blank, loss], settled: true },
  ]), true);
  assert.match(html, /on the cards of Bob\. Enter them first/);
  assert.match(html, /class="button main" data-open="card"/);
  assert.match(html, /class="button " data-open="all"/);
});

test("without such cards the games are ruled on", () => {
  const html = nextStep(shown([{ one: "Dot", two: "Eve", lines: [win, loss], settled: false }]), true);
  assert.match(html, /1 game must be ruled on/);
  assert.match(html, /class="button main" data-open="all"/);
});

test("with one qualifier there is no bracket to draw", () => {
  const html = nextStep({ ...shown([]), qualifiers: ["Ann"] }, true);
  assert.match(html, /at least five players/);
  assert.doesNotMatch(html, /data-open="draw"/);
  assert.match(nextStep(shown([]), true), /data-open="draw"/);
});

test("visitors see no buttons", () => assert.doesNotMatch(nextStep(shown([]), false), /<button/));

test("a game names its sitting on the player's card too", () => {
  const line = { round: 2, table: 1, sitting: 2, opponent: "Bob", deals: true, ...blank };
  assert.match(ownLines({ lines: [line, { ...line, sitting: 1 }] }), /Round 2, Table 1, sitting 2, you deal first.*Round 2, Table 1, you deal first/s);
  assert.match(roundGames([{ one: "Ann", two: "Bob", table: 1, sitting: 2, lines: [blank, blank] }]), /Table 1, sitting 2/);
});

test("a line of the director has no button on the player's phone", () => {
  const line = { round: 2, table: 1, sitting: 1, opponent: "Bob", deals: false, ...win };
  assert.match(ownLines({ lines: [line] }), /<button/);
  const html = ownLines({ lines: [{ ...line, locked: true }] });
  assert.match(html, /Round 2, Table 1, entered by the director/);
  assert.doesNotMatch(html, /<button/);
});

test("a ruling names the players whom it has moved among the qualifiers", () => {
  assert.equal(sayWhoMoved(["Ann", "Bob", "Cid"], ["Ann", "Bob", "Cid"]), "");
  assert.match(sayWhoMoved(["Ann", "Bob", "Cid"], ["Ann", "Cid", "Dot"]), /12\.2i\): Bob, Cid, Dot\.$/);
});
