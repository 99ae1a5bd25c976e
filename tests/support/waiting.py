"""Waits for a condition. No test depends on how fast it comes: the bound only ends a test that waits in vain."""

import time

PATIENCE_S = 240
"""Far above what a loaded machine takes, so that only a condition that never comes reaches it."""


def wait_until(condition, seconds=PATIENCE_S):
    """Return the first true value of `condition()`. Raises AssertionError after `seconds`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"the condition did not come true within {seconds} s"
        time.sleep(0.01)
    return value
