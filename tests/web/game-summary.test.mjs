// The summary of a game.

import assert from "node:assert/strict";
import test from "node:test";

import "./scenes.mjs";
import { raceChart } from "../../web/charts/race-chart.js";
import { resultsTable, raceBySide, recordsTable, describeResult, describeScores, gameSummary } from "../../web/components/history/game-summary.js";
import { describeCutLuck, describeLeader, describeLuckAndSkill } from "../../web/components/history/evening-summary.js";
import { lastGame } from "../../web/components/history/game-end.js";
import { momentKey, describeOptions } from "../../web/core/format.js";
import { cutCards, dealerOf } from "../../web/components/setup/cut-for-deal.js";
import { gameRequest, applyChoice } from "../../web/components/setup/new-game.js";

const game = (changes = {}) => ({ game: { key: "six-card", title: "Six-card cribbage", target: 121 }, names: ["Ann", "Bo"],
  scores: [121, 88], winner: 0, skunk: null, skunks: null, game_points: 1, ended_ms: 1, points: [{ play: 3, hand: 118, crib: 0, other: 0 },
    { play: 88, hand: 0, crib: 0, other: 0 }], best: null, race: [{ scores: [2, 0] }, { scores: [121, 88] }], ...changes });

test("a summary names the winner and the margin", () => {
  assert.equal(describeResult(game()), "Ann won.");
  assert.equal(describeResult(game({ skunk: "double skunk", game_points: 4 })), "Ann won with a double skunk: 4 game points.");
  assert.equal(describeResult(game({ skunks: [null, "skunk", null], game_points: 2 })), "Ann won with a skunk: 2 game points.");
  assert.equal(describeResult(game({ ended_ms: null, winner: null })), "Still in progress.");
  assert.equal(describeResult(game({ names: ["Ann"], scores: [63] })), "Target reached.");
  assert.equal(describeScores(game()), "Ann\u00a0★\u00a0121 – Bo\u00a088");
});

test("a race starts at 0, and only sources that scored are listed", () => {
  assert.deepEqual(raceBySide(game()), [{ name: "Ann", points: [0, 2, 121] }, { name: "Bo", points: [0, 0, 88] }]);
  const html = gameSummary(game({ best: { seat: 1, points: 24, part: "crib", cards: ["5H"], ms: 1 } }));
  assert.ok(html.includes("Best crib: Bo, 24 points."));
  assert.ok(html.includes(">hands<") && !html.includes(">crib<"));
  const [pegged, none] = [{ play: 0, hand: 0, crib: 0, other: 58 }, { play: 0, hand: 0, crib: 0, other: 0 }];
  assert.ok(!gameSummary(game({ points: [pegged, none] })).includes("points by")); // one source alone says nothing
});

test("names in tables are escaped", () => {
  const html = recordsTable([{ name: "<b>", games: 1, won: 1, skunks: 0, points: 1, best: null }]);
  assert.ok(html.includes("&lt;b&gt;") && !html.includes("<b>"));
  assert.ok(resultsTable("Tonight", [{ game: "swap", names: ["Ann", "Bo"], won: [2, 0], points: [4, 0] }], () => "Swap").includes("Ann\u00a02, Bo\u00a00</th><td>Swap</td><td>4 : 0</td>"));
  assert.equal(resultsTable("Tonight", [], String), "");
});

test("a race of many sides is told without colour, and its names are escaped", () => {
  const drawn = raceChart([{ name: "<b>", points: [0, 3] }, { name: "Bo", points: [0, 3] }], null);
  assert.ok(!drawn.includes("<b>") && drawn.includes("&lt;b&gt;"));
  assert.equal(new Set(drawn.match(/stroke-dasharray="[^"]*"/g)).size, 2);
});

test("the heading shows the options that differ from the default", () => {
  assert.deepEqual(describeOptions({ target: "121", counting: "auto", muggins: "off", first_deal: "winner", own: "x" }),
    ["first to 121", "the phone counts", "Next dealer: winner"]);
});

test("a request contains only what was chosen", () => {
  const offered = { key: "six-card", title: "", say: "", seats: [2, 3, 4], boards: [], board_titles: {}, playable: true, why: null, options: [] };
  const chosen = applyChoice({ game: offered, seats: 2, options: {}, dealer: 1, names: ["Red", " "] }, { seats: "4" });
  assert.deepEqual(gameRequest(chosen), { game: "six-card", seats: 4, options: {}, names: ["Red", "Blue", "Red's partner", "Blue's partner"] });
  assert.deepEqual(gameRequest({ ...chosen, seats: 2, dealer: 0, names: ["Ann"] }),
    { game: "six-card", seats: 2, options: {}, dealer: 0, names: ["Ann", "Blue"] });
});

test("the lowest card deals, and those who cut the same rank cut again", () => {
  const tied = cutCards({ cards: ["", "", ""], pack: ["AS", "KH", "AD", "5C", "4C", "3C"] }, [0, 1, 2, 1]);
  assert.deepEqual([tied.cards, dealerOf(tied)], [["AS", "KH", "AD"], null]); // the king has not been cut again
  const once = cutCards(tied, [2]);
  assert.deepEqual([once.cards, dealerOf(once)], [["", "KH", "5C"], null]);
  const again = cutCards(once, [0, 2]);
  assert.deepEqual([again.cards, dealerOf(again), again.pack], [["4C", "KH", "5C"], 0, ["3C"]]);
});

test("a resumed game is another moment, although nobody has moved", () => {
  const shown = { run: "a", moves: 3, game: { key: "swap" }, phase: "take", scores: [0, 0], players: [{ name: "Ann" }], last: null };
  assert.equal(momentKey(shown), momentKey({ ...shown }));
  for (const change of [{ moves: 4 }, { game: { key: "six-card" } }, { scores: [2, 0] }, { phase: "over" }, { run: "b" }]) {
    assert.notEqual(momentKey(shown), momentKey({ ...shown, ...change }));
  }
});

test("an evening is told in words", () => {
  const evening = (won) => ({ began_ms: 1, games: 3, names: ["Ann", "Bo", "Cy"], won, best: null });
  assert.equal(describeLeader(evening([2, 1, 0])), "Ann leads: Ann\u00a02, Bo\u00a01, Cy\u00a00.");
  assert.equal(describeLeader(evening([0, 1, 1])), "Bo and Cy are level with 1 win each.");
  assert.equal(describeLeader(evening([0, 0, 0])), "Nobody has won yet.");
  const cuts = (ann, bo) => game({ cuts: [{ hands: 1, counted: ann, mean: 5 }, { hands: 1, counted: bo, mean: 5 }] });
  assert.equal(describeCutLuck([cuts(8, 5), cuts(4, 6)]), "Luckiest with the starter: Ann, 2 points more than average.");
  assert.equal(describeCutLuck([cuts(5, 5), game()]), "");
  assert.deepEqual(describeLuckAndSkill({ luck: [-0.2, 0.2], skill: [-0.01, -0.05] }, game()),
    ["The cards favoured Bo: worth 20.0\u00a0% of a game.", "Ann chose better. Mistakes cost: Ann\u00a01.0\u00a0%, Bo\u00a05.0\u00a0%."]);
});

test("the race at the end is that of the last game of a table", () => {
  const move = (type, ...scores) => ({ n: 1, ms: 0, by: "phone", move: { type }, scores, say: [""] });
  const first = [move("starter", 2, 0), move("adjust", 0, 0), move("next", 0, 0), move("peg", 121, 60)];
  const second = [move("next", 0, 0), move("peg", 3, 0), move("next", 3, 0)];
  assert.equal(lastGame(first).length, 4);
  assert.deepEqual(lastGame([...first, ...second]), second);
});
