// What a game was, reckoned from its moves.

import assert from "node:assert/strict";
import test from "node:test";

import "./told.mjs";
import { race } from "../../web/charts.js";
import { headToHead, sources, starts } from "../../web/summary.js";
import { inForce } from "../../web/terms.js";
import { asked, changed } from "../../web/parts/new-game.js";

const award = (seat, points, reason, ...cards) => ({ seat, points, reason, cards });

test("what follows the last card, or is another's, is a hand's", () => {
  const moves = [
    { move: { type: "play", seat: 0, card: "5H" }, awards: [award(0, 2, "fifteen", "TH", "5H")], scores: [2, 0] },
    { move: { type: "go", seat: 0 }, awards: [award(1, 1, "last card", "2C")], scores: [2, 1] },
    { move: { type: "play", seat: 1, card: "KC" }, scores: [10, 10],
      awards: [award(1, 2, "pair", "KD", "KC"), award(1, 1, "last card", "KC"), award(1, 2, "pair", "KC", "KS"), award(0, 8, "run", "3C")] },
    { move: { type: "crib", cards: [] }, awards: [award(1, 4, "fifteen", "5S")], scores: [10, 14] },
    { move: { type: "adjust", seat: 0, points: -1 }, awards: [award(0, -1, "adjust")], scores: [9, 14] },
  ];
  assert.deepEqual(sources(moves, 2), { play: [2, 4], hands: [8, 2], crib: [0, 4], other: [-1, 0] });
});

test("of a table only its last game is drawn", () => {
  const move = (type, scores) => ({ move: { type }, scores });
  assert.equal(starts([move("play", [121, 3]), move("next", [0, 0]), move("play", [2, 0]), move("next", [2, 0])]), 1);
  assert.equal(starts([move("play", [1, 0])]), 0);
});

test("who has won against whom goes by names, wherever they sat", () => {
  const game = (names, winner, ended = "now") => ({ names, winner, ended, scores: [121, 90] });
  assert.deepEqual(headToHead([game(["Ann", "Bo"], 0), game(["Bo", "Ann"], 0), game(["Bo", "Ann"], null, null)]),
    [{ who: ["Ann", "Bo"], games: 2, won: [1, 1] }]);
});

test("a race of many sides needs no colour, and names are text", () => {
  const drawn = race([{ name: "<b>", points: [0, 3] }, { name: "Bo", points: [0, 3] }], null);
  assert.ok(!drawn.includes("<b>") && drawn.includes("&lt;b&gt;"));
  assert.equal(new Set(drawn.match(/stroke-dasharray="[^"]*"/g)).size, 2);
});

test("the heading says what is not as usual", () => {
  assert.deepEqual(inForce({ target: "121", counting: "auto", muggins: "off", first_deal: "winner", own: "x" }),
    ["to 121", "the table counts", "Deals the next game: who won"]);
});

test("a table is asked only for what was chosen", () => {
  const game = { key: "six-card", title: "", say: "", seats: [2, 3, 4], boards: [], playable: true, why: null, options: [] };
  const chosen = changed({ game, seats: 2, options: {}, dealer: 1, names: ["Red", " "] }, { seats: "4" });
  assert.deepEqual(asked(chosen), { game: "six-card", seats: 4, options: {} });
  assert.deepEqual(asked({ ...chosen, seats: 2, dealer: 0, names: ["Ann"] }),
    { game: "six-card", seats: 2, options: {}, dealer: 0, names: ["Ann", "Blue"] });
});
