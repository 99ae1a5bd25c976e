"""Records the callbacks of devices, and waits for them."""

import contextlib
import queue
import threading
import time

from tests.support.waiting import PATIENCE_S, wait_until


def clock():
    return time.monotonic_ns() // 1_000_000


@contextlib.contextmanager
def ended_threads():
    """Check that the threads which are started in the block end in it. One that is waited for in vain lives on."""
    before = set(threading.enumerate())
    yield
    wait_until(lambda: set(threading.enumerate()) <= before, seconds=30)


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
