// Time spans in words.

import assert from "node:assert/strict";
import test from "node:test";

import { formatTimeAgo } from "../../web/core/format.js";

test("a time span is given in its largest unit", () => {
  const now = Date.parse("2026-01-02T12:00:00+00:00");
  const times = ["2026-01-02T11:59:30", "2026-01-02T11:59:00", "2026-01-02T09:30:00", "2025-12-30T12:00:00", "2026-01-02T12:00:09"];
  assert.deepEqual(
    times.map((then) => formatTimeAgo(Date.parse(`${then}+00:00`), now)),
    ["seen just now", "seen 1 minute ago", "seen 2 hours ago", "seen 3 days ago", "seen just now"],
  );
});
