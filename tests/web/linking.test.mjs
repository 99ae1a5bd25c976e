// The link, by itself: what follows from what happens, with the clock in the test's hand.

import assert from "node:assert/strict";
import test from "node:test";

import { nextState, isSilent, INITIAL_STATE } from "../../web/core/connection.js";

/** The link after some events, each [what, when in ms]; and what was to be done at the last. */
function after(...events) {
  let result = { state: INITIAL_STATE };
  for (const [what, now] of events) result = nextState(result.state, what, now);
  return {
    link: result.state.link, opens: result.opensStream ?? false, closes: result.closesStream ?? false, pollInMs: result.pollInMs,
  };
}

test("a stream that tells something is live, and nothing is asked any more", () => {
  assert.deepEqual(after(["opened", 0], ["received", 50]), { link: "live", opens: false, closes: false, pollInMs: null });
});

test("a stream that fails is closed by us, and the table is asked at once", () => {
  assert.deepEqual(after(["opened", 0], ["received", 50], ["failed", 900]), { link: "lost", opens: false, closes: true, pollInMs: 0 });
});

test("a table that does not answer is asked again every second", () => {
  const lost = [["opened", 0], ["failed", 10], ["unanswered", 20]];
  assert.deepEqual(after(...lost), { link: "lost", opens: false, closes: false, pollInMs: 1000 });
  assert.equal(after(...lost, ["unanswered", 1020]).pollInMs, 1000);
});

test("a table that answers again is listened to at once", () => {
  const back = after(["opened", 0], ["received", 5], ["failed", 1000], ["unanswered", 1010], ["answered", 2010]);
  assert.deepEqual(back, { link: "polling", opens: true, closes: false, pollInMs: 2000 });
});

test("where there is no room for a stream the page asks every 2 s, and tries a stream every 5", () => {
  const full = [["opened", 0], ["failed", 10], ["answered", 20]];
  assert.deepEqual(after(...full), { link: "polling", opens: false, closes: false, pollInMs: 2000 });
  assert.equal(after(...full, ["answered", 2020]).opens, false);
  assert.equal(after(...full, ["answered", 2020], ["answered", 4020], ["answered", 6020]).opens, true);
});

test("while a stream is tried in vain the page stays in touch by asking", () => {
  const tried = [["opened", 0], ["failed", 10], ["answered", 20], ["opened", 6000], ["failed", 6010]];
  assert.deepEqual(after(...tried), { link: "polling", opens: false, closes: true, pollInMs: 0 });
});

test("an answer that comes late does not end what is live", () => {
  const live = [["opened", 0], ["failed", 10], ["opened", 20], ["received", 30]];
  assert.deepEqual(after(...live, ["answered", 40]), { link: "live", opens: false, closes: false, pollInMs: undefined });
  assert.equal(after(...live, ["unanswered", 40]).link, "live");
});

test("a live stream without a word for 15 s may be dead", () => {
  const { state } = nextState(INITIAL_STATE, "received", 1000);
  assert.deepEqual([isSilent(state, 15999), isSilent(state, 16000)], [false, true]);
  assert.equal(isSilent(nextState(state, "failed", 2000).state, 60000), false);
});
