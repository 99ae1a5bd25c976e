// The states of the connection, with the test's own clock.

import assert from "node:assert/strict";
import test from "node:test";

import { nextState, isSilent, INITIAL_STATE } from "../../web/core/connection.js";

/** The link after some events, each [event, time in ms], and what to do after the last one. */
function after(...events) {
  let result = { state: INITIAL_STATE };
  for (const [what, now] of events) result = nextState(result.state, what, now);
  return {
    link: result.state.link, opens: result.opensStream ?? false, closes: result.closesStream ?? false, pollInMs: result.pollInMs,
  };
}

test("a stream that delivers is live, and polling stops", () => {
  assert.deepEqual(after(["opened", 0], ["received", 50]), { link: "live", opens: false, closes: false, pollInMs: null });
});

test("a failed stream is closed, and the table is polled at once", () => {
  assert.deepEqual(after(["opened", 0], ["received", 50], ["failed", 900]), { link: "lost", opens: false, closes: true, pollInMs: 0 });
});

test("a table that does not answer is polled every second", () => {
  const lost = [["opened", 0], ["failed", 10], ["unanswered", 20]];
  assert.deepEqual(after(...lost), { link: "lost", opens: false, closes: false, pollInMs: 1000 });
  assert.equal(after(...lost, ["unanswered", 1020]).pollInMs, 1000);
});

test("a stream is opened at once when a lost table answers again", () => {
  const back = after(["opened", 0], ["received", 5], ["failed", 1000], ["unanswered", 1010], ["answered", 2010]);
  assert.deepEqual(back, { link: "polling", opens: true, closes: false, pollInMs: 2000 });
});

test("without room for a stream the page polls every 2 s and tries a stream every 5 s", () => {
  const full = [["opened", 0], ["failed", 10], ["answered", 20]];
  assert.deepEqual(after(...full), { link: "polling", opens: false, closes: false, pollInMs: 2000 });
  assert.equal(after(...full, ["answered", 2020]).opens, false);
  assert.equal(after(...full, ["answered", 2020], ["answered", 4020], ["answered", 6020]).opens, true);
});

test("while a stream is tried without success the page goes on polling", () => {
  const tried = [["opened", 0], ["failed", 10], ["answered", 20], ["opened", 6000], ["failed", 6010]];
  assert.deepEqual(after(...tried), { link: "polling", opens: false, closes: true, pollInMs: 0 });
});

test("a late answer does not end a live connection", () => {
  const live = [["opened", 0], ["failed", 10], ["opened", 20], ["received", 30]];
  assert.deepEqual(after(...live, ["answered", 40]), { link: "live", opens: false, closes: false, pollInMs: undefined });
  assert.equal(after(...live, ["unanswered", 40]).link, "live");
});

test("a live stream that is silent for 15 s may be dead", () => {
  const { state } = nextState(INITIAL_STATE, "received", 1000);
  assert.deepEqual([isSilent(state, 15999), isSilent(state, 16000)], [false, true]);
  assert.equal(isSilent(nextState(state, "failed", 2000).state, 60000), false);
});
