"""Waits for a condition or for threads. No test depends on speed: a limit only ends a test that would never end."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

PATIENCE_S = 240
"""Far above the time that a loaded machine needs, so that only a condition that never becomes true reaches it."""


def wait_until(condition, seconds=PATIENCE_S):
    """Return the first true value of `condition()`. Raises AssertionError after `seconds`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"the condition did not come true within {seconds} s"
        time.sleep(0.01)
    return value


def run_together(action, count=8):
    """Call a function in this number of threads at the same moment; return what the calls return."""
    start = threading.Barrier(count)

    def run(_):
        start.wait(PATIENCE_S)
        return action()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count), timeout=PATIENCE_S))
