// An error in one component stops no other.

import assert from "node:assert/strict";
import test from "node:test";

import { logErrors, mountComponent } from "../../web/core/component.js";

/** Run a function and return the errors logged meanwhile. */
async function collectErrors(run) {
  const [errors, log] = [[], console.error];
  console.error = (error) => errors.push(error.message);
  try {
    await run();
  } finally {
    console.error = log;
  }
  return errors;
}

test("an error is logged once, and another error again", async () => {
  const draw = logErrors((why) => {
    throw new Error(why);
  });
  assert.deepEqual(await collectErrors(() => ["first", "first", "second"].forEach((why) => draw(why))), ["first", "second"]);
});

test("a rejected promise is logged too, and the awaited call returns", async () => {
  const draw = logErrors(async () => Promise.reject(new Error("late")));
  assert.deepEqual(await collectErrors(async () => assert.equal(await draw(), undefined)), ["late"]);
});

test("a component that cannot be mounted draws nothing", async () => {
  const Broken = () => {
    throw new Error("no place");
  };
  assert.deepEqual(await collectErrors(() => mountComponent(Broken, null, null)({})), ["no place"]);
});

test("a function without errors returns its result", () => {
  assert.equal(logErrors((a, b) => a + b)(2, 3), 5);
});
