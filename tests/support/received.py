"""Records the callbacks of devices, and waits for them."""

import queue
import time

PATIENCE_S = 30

CLOSED_S = 4
"""A device that closes at once takes less; one that waits for its thread in vain takes 5 s."""


def clock():
    return time.monotonic_ns() // 1_000_000


def until(right):
    """Wait until `right()` is true."""
    end = time.monotonic() + PATIENCE_S
    while not right():
        assert time.monotonic() < end
        time.sleep(0.005)


class Heard:
    """Records the callbacks of a device in order."""

    def __init__(self):
        self.told = queue.Queue()
        self.said = queue.Queue()

    def seen(self, what):
        self.told.put(what)

    def status(self, ok, say):
        self.said.put((ok, say))

    def next(self):
        return self.told.get(timeout=PATIENCE_S)

    def state(self, within_s=PATIENCE_S):
        return self.said.get(timeout=within_s)
