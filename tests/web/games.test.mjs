// What each game adds to the page: sentences, what may be tapped, and how far it is.

import assert from "node:assert/strict";
import test from "node:test";

import { SCENES, scene } from "./told.mjs";
import { any, ending } from "../../web/games/game.js";
import { likely, points, speakers } from "../../web/games/claims.js";
import { spot } from "../../web/games/baseball-diamond.js";
import { GAMES, gameOf } from "../../web/games/index.js";
import { gaps } from "../../web/games/pursuit.js";
import { partners } from "../../web/games/sackson.js";
import { sideMarks } from "../../web/components/scores.js";
import { rollOf, tumbled } from "../../web/games/dice-animation.js";

test("every moment of every game has a sentence for its turn, without a word that is no word", () => {
  for (const [name, snapshot] of Object.entries(SCENES)) {
    assert.match(gameOf(snapshot).turn(snapshot), /^[A-Z0-9].*[.!]$/, name);
    assert.doesNotMatch(gameOf(snapshot).turn(snapshot), /undefined|null|NaN/, name);
  }
});

test("every game has its module, and one without has what any has", () => {
  assert.deepEqual(Object.values(SCENES).filter((each) => gameOf(each) === any), []);
  const other = scene("six-card, the play", { game: { ...scene("six-card, the play").game, key: "another" } });
  assert.equal(gameOf(other), any);
  assert.equal(new Set(GAMES.map(({ key }) => key)).size, GAMES.length);
});

test("go is asked for where a card may not fit", () => {
  const high = scene("six-card, the play", { count: 22 });
  assert.match(gameOf(high).turn(high), /to play, or go\.$/);
  assert.equal(gameOf(high).shownSeat(high), high.turn);
  assert.equal(gameOf(high).shownSeat({ ...high, phase: "crib" }), null);
});

test("who wins is told with the skunks of all", () => {
  const won = scene("six-card, the end of three", { skunks: [null, "skunk", null], skunk: undefined });
  assert.equal(ending(won), "Green wins. Blue: skunk.");
  const two = scene("six-card, the play", { winner: 0, skunk: "double skunk", game_points: 3 });
  assert.equal(ending(two), "Red wins by a double skunk, worth 3 games.");
});

test("a plate says whose page it is, who deals and who has won", () => {
  const play = scene("six-card, the play");
  assert.deepEqual([sideMarks(play, 0, 0), sideMarks(play, 1, 0)], [["you", "deals"], []]);
  assert.deepEqual(sideMarks({ ...play, phase: "over", winner: 1 }, 1, null), ["wins"]);
});

test("no pad offers points that no hand can have", () => {
  assert.deepEqual([19, 25, 26, 27, 30].filter((n) => points("claim", "claim").includes(n)), []);
  assert.deepEqual([points("claim", "claim")[0], points("claim", "claim").at(-1), points("claim", "muggins")[0]], [0, 29, 1]);
});

test("in the play the seat that played last is offered to claim, and may be called out only by others", () => {
  const play = scene("counting, a claim in the play");
  assert.deepEqual(likely(play), { move: "claim", seat: play.last.move.seat });
  const calls = speakers(play).filter(({ move }) => move === "muggins");
  assert.ok(calls.length > 0 && calls.every(({ seat }) => seat !== play.last.move.seat));
  const window = scene("counting, a window");
  assert.ok(speakers(window).every(({ move, seat }) => move === "claim" || seat !== window.window));
});

test("who chases is told how far it is to the next ahead", () => {
  const chase = { ...scene("pursuit of two"), alive: [0, 1], scores: [40, 27], back: [30, 20] };
  assert.deepEqual(gaps(chase), [[0, 1, 10], [1, 0, 33]]);
  assert.deepEqual(gaps({ ...chase, game: { ...chase.game, options: { capture_peg: "front" } } }), [[0, 1, 17], [1, 0, 43]]);
});

test("a runner stands a leg of spaces from base to base", () => {
  assert.deepEqual([6, 12, 18].map(spot), [[178, 100], [100, 22], [22, 100]]);
  assert.deepEqual(spot(3), [139, 139]);
});

test("the markers that one may be exchanged with light up", () => {
  const legal = [[[0, 0], [2, 4]], [[0, 0], [3, 2]], [[1, 1], [2, 4]]];
  assert.deepEqual(partners(legal, "0,0"), ["2,4", "3,2"]);
  assert.deepEqual(partners(legal, "2,4"), ["0,0", "1,1"]);
});

test("dice of the board's own cup tumble, once for each roll; those of one's own were seen", () => {
  const roll = { move: { type: "roll", seat: 0, dice: [6, 6] }, by: "buttons", awards: [] };
  const rolled = scene("bases, dice thrown", { last: roll, moves: 9 });
  assert.equal(tumbled(rolled), true);
  assert.equal(tumbled({ ...rolled, last: { ...roll, by: "phone" } }), false);
  assert.notEqual(rollOf(rolled), rollOf({ ...rolled, moves: 11 }));
  assert.equal(rollOf({ ...rolled, last: { ...roll, move: { type: "undo" } } }), "");
});
