// One part that fails stops no other.

import assert from "node:assert/strict";
import test from "node:test";

import { logErrors, mountComponent } from "../../web/core/component.js";

/** What the console is told meanwhile. */
async function complaints(act) {
  const [told, tell] = [[], console.error];
  console.error = (error) => told.push(error.message);
  try {
    await act();
  } finally {
    console.error = tell;
  }
  return told;
}

test("an error is told once, and another one again", async () => {
  const draw = logErrors((why) => {
    throw new Error(why);
  });
  assert.deepEqual(await complaints(() => ["torn", "torn", "worn"].forEach((why) => draw(why))), ["torn", "worn"]);
});

test("a promise that is refused is told too, and what is waited for goes on", async () => {
  const draw = logErrors(async () => Promise.reject(new Error("late")));
  assert.deepEqual(await complaints(async () => assert.equal(await draw(), undefined)), ["late"]);
});

test("a part that cannot be mounted draws nothing", async () => {
  const torn = () => {
    throw new Error("no place");
  };
  assert.deepEqual(await complaints(() => mountComponent(torn, null, null)({})), ["no place"]);
});

test("what is well is left alone", () => {
  assert.equal(logErrors((a, b) => a + b)(2, 3), 5);
});
