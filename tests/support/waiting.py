"""Waits for a condition. No test depends on speed: the limit only ends a test whose condition never becomes true."""

import time

PATIENCE_S = 240
"""Far above the time that a loaded machine needs, so that only a condition that never becomes true reaches it."""


def wait_until(condition, seconds=PATIENCE_S):
    """Return the first true value of `condition()`. Raises AssertionError after `seconds`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"the condition did not come true within {seconds} s"
        time.sleep(0.01)
    return value
