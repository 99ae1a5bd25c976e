// Names of cards, seats, sides and holes.

import assert from "node:assert/strict";
import test from "node:test";

import { parseTypedCard } from "../../web/components/cards/card-pad.js";
import { escapeHtml } from "../../web/core/dom.js";
import { allCards, cardName, formatTimeAgo, holeFullName, holeName, isShared, rankLabel, seatName, sideName, sideOf } from "../../web/core/format.js";
import { scene, SCENES } from "./scenes.mjs";

test("a deck has 52 cards, each with a name, suit by suit from the ace", () => {
  assert.equal(new Set(allCards().map(cardName)).size, 52);
  assert.deepEqual(allCards().slice(0, 13).map(rankLabel), ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]);
  assert.deepEqual(["5H", "TD", "AS", "KC"].map(cardName), ["5 of hearts", "10 of diamonds", "ace of spades", "king of clubs"]);
});

test("partners share a side, which has the name of its first seat", () => {
  const four = scene("six-card of four");
  assert.deepEqual([0, 1, 2, 3].map((seat) => sideOf(four, seat)), [0, 1, 0, 1]);
  assert.equal(sideName(four, 1), seatName(four, 1));
  assert.equal(new Set([0, 1, 2, 3].map((seat) => seatName(four, seat))).size, 4);
});

test("a hole is named by its number, and by its lane if there are several", () => {
  assert.deepEqual(["red-4", "blue-start-1", "roof-33"].map(holeName), ["4", "the start", "33"]);
  assert.deepEqual(["red-4", "red-start-1", "apex-start-1", "roof-4"].map(holeFullName), ["Red 4", "Red's start", "the start", "Roof 4"]);
});

test("a hole of a shared lane is shared, a start is not", () => {
  assert.deepEqual(["red-4", "roof-4", "red-start-1", "apex-start-1"].map(isShared), [false, true, false, false]);
});

test("names of players cannot contain markup", () => {
  assert.equal(escapeHtml(`<b onload="x('&')">`), "&lt;b onload=&quot;x(&#39;&amp;&#39;)&quot;&gt;");
});

test("every scene names all its seats", () => {
  for (const [name, snapshot] of Object.entries(SCENES)) {
    assert.equal(snapshot.players.length, snapshot.game.seats, name);
    for (const { seat, side } of snapshot.players) assert.equal(sideOf(snapshot, seat), side, name);
  }
});

test("a typed card is recognized", () => {
  assert.deepEqual(["5h", "10D", "ks", "xTc", "1d", "h"].map(parseTypedCard), ["5H", "TD", "KS", "TC", null, null]);
});

test("a time span is given in its largest unit", () => {
  const now = Date.parse("2026-01-02T12:00:00+00:00");
  const times = ["2026-01-02T11:59:30", "2026-01-02T11:59:00", "2026-01-02T09:30:00", "2025-12-30T12:00:00", "2026-01-02T12:00:09"];
  assert.deepEqual(
    times.map((then) => formatTimeAgo(Date.parse(`${then}+00:00`), now)),
    ["seen just now", "seen 1 minute ago", "seen 2 hours ago", "seen 3 days ago", "seen just now"],
  );
});
