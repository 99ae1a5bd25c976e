// What each game adds to the page: sentences, buttons, progress.

import assert from "node:assert/strict";
import test from "node:test";

import { SCENES, scene } from "./scenes.mjs";
import { defaultGame, resultSentence } from "../../web/games/game.js";
import { likelySpeaker, possibleSpeakers } from "../../web/games/claims.js";
import { claimablePoints } from "../../web/core/constants.js";
import { spacePosition } from "../../web/games/baseball-diamond.js";
import { sideNames } from "../../web/core/format.js";
import { findGame, loadGame } from "../../web/games/index.js";
import { captureGaps } from "../../web/games/pursuit.js";
import { exchangePartners } from "../../web/games/sackson-panel.js";
import { sideMarks } from "../../web/components/status/scores.js";
import { rollKey, isAnimatedRoll } from "../../web/games/dice-animation.js";

await Promise.all(Object.values(SCENES).map(loadGame));

test("every scene has a sentence for its turn", () => {
  for (const [name, snapshot] of Object.entries(SCENES)) {
    assert.match(findGame(snapshot).turnSentence(snapshot), /^[A-Z0-9].*[.!]$/, name);
    assert.doesNotMatch(findGame(snapshot).turnSentence(snapshot), /undefined|null|NaN/, name);
  }
});

test("every game has its module, and an unknown game the defaults", () => {
  assert.deepEqual(Object.values(SCENES).filter((each) => findGame(each) === defaultGame), []);
  const other = scene("six-card, the play", { game: { ...scene("six-card, the play").game, key: "another" } });
  assert.equal(findGame(other), defaultGame);
  for (const each of Object.values(SCENES)) assert.equal(findGame(each).key, each.game.key);
});

test("go is offered when a card may not fit", () => {
  const high = scene("six-card, the play", { count: 22 });
  assert.match(findGame(high).turnSentence(high), /: play a card or say go\.$/);
  assert.equal(findGame(high).goSeat(high), high.turn);
  assert.equal(findGame(high).goSeat({ ...high, phase: "crib" }), null);
});

test("the result names the winner and all skunks", () => {
  const won = scene("six-card, the end of three", { skunks: [null, "skunk", null], skunk: undefined });
  assert.equal(resultSentence(won), "Green wins by 121. Blue: skunk.");
  const two = scene("six-card, the play", { winner: 0, skunk: "double skunk", game_points: 3 });
  assert.equal(resultSentence(two), "Red wins by 4: a double skunk, worth 3 games.");
  const four = scene("six-card of four", { winner: 1, scores: [88, 121] });
  four.players = four.players.map((each) => (each.seat % 2 ? { ...each, name: ["", "Bo", "", "Di"][each.seat] } : each));
  assert.equal(resultSentence(four), "Bo & Di win by 33.");
  assert.equal(sideNames(four, 0), "Red"); // a partner whom nobody has named
  assert.deepEqual(sideMarks({ ...four, winner: null }, 1, null), ["33 ahead"]);
});

test("a score plate marks one's own side, the dealer and the winner", () => {
  const play = scene("six-card, the play");
  assert.deepEqual([sideMarks(play, 0, 0), sideMarks(play, 1, 0)], [["you", "deals", "4 ahead"], []]);
  assert.deepEqual(sideMarks({ ...play, phase: "over", winner: 1 }, 1, null), []);
});

test("no pad offers an impossible score", () => {
  assert.deepEqual([19, 25, 26, 27, 30].filter((n) => claimablePoints("claim", "claim").includes(n)), []);
  assert.deepEqual([claimablePoints("claim", "claim")[0], claimablePoints("claim", "claim").at(-1), claimablePoints("claim", "muggins")[0]], [0, 29, 1]);
});

test("in the play the last seat to play is offered the claim, and only others may call muggins", () => {
  const play = scene("counting, a claim in the play");
  assert.deepEqual(likelySpeaker(play), { move: "claim", seat: play.last.move.seat });
  const calls = possibleSpeakers(play).filter(({ move }) => move === "muggins");
  assert.ok(calls.length > 0 && calls.every(({ seat }) => seat !== play.last.move.seat));
  const window = scene("counting, a window");
  assert.ok(possibleSpeakers(window).every(({ move, seat }) => move === "claim" || seat !== window.window));
});

test("the gap to the next player ahead is shown", () => {
  const chase = { ...scene("pursuit of two"), alive: [0, 1], scores: [40, 27], back: [30, 20] };
  assert.deepEqual(captureGaps(chase), [[0, 1, 10], [1, 0, 33]]);
  assert.deepEqual(captureGaps({ ...chase, game: { ...chase.game, options: { capture_peg: "front" } } }), [[0, 1, 17], [1, 0, 43]]);
});

test("a runner moves a leg of spaces from base to base", () => {
  assert.deepEqual([6, 12, 18].map(spacePosition), [[178, 100], [100, 22], [22, 100]]);
  assert.deepEqual(spacePosition(3), [139, 139]);
});

test("the markers that may be exchanged are found", () => {
  const legal = [[[0, 0], [2, 4]], [[0, 0], [3, 2]], [[1, 1], [2, 4]]];
  assert.deepEqual(exchangePartners(legal, "0,0"), ["2,4", "3,2"]);
  assert.deepEqual(exchangePartners(legal, "2,4"), ["0,0", "1,1"]);
});

test("a roll of the table's dice is animated once; dice thrown by hand are not", () => {
  const roll = { move: { type: "roll", seat: 0, dice: [6, 6] }, by: "buttons", awards: [] };
  const rolled = scene("bases, dice thrown", { last: roll, moves: 9 });
  assert.equal(isAnimatedRoll(rolled), true);
  assert.equal(isAnimatedRoll({ ...rolled, last: { ...roll, by: "phone" } }), false);
  assert.notEqual(rollKey(rolled), rollKey({ ...rolled, moves: 11 }));
  assert.equal(rollKey({ ...rolled, last: { ...roll, move: { type: "undo" } } }), "");
});
