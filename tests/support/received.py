"""Records the callbacks of devices, and waits for them."""

import contextlib
import inspect
import queue
import threading
import time

from tests.support.waiting import PATIENCE_S, wait_until


def clock():
    return time.monotonic_ns() // 1_000_000


@contextlib.contextmanager
def check_threads_end():
    """Check that every thread that is started in the block also ends in it."""
    before = set(threading.enumerate())
    yield
    wait_until(lambda: set(threading.enumerate()) <= before)


class DeviceCallbacks:
    """Records the values and statuses that a device reports, in order."""

    def __init__(self):
        self.values = queue.Queue()
        self.statuses = queue.Queue()

    def on_value(self, what):
        self.values.put(what)

    def on_status(self, ok, say):
        self.statuses.put((ok, say))

    def next_value(self):
        return self.values.get(timeout=PATIENCE_S)

    def next_status(self, timeout_s=PATIENCE_S):
        return self.statuses.get(timeout=timeout_s)


@contextlib.contextmanager
def run_device(device):
    """Start a device, wait until it works, and close it with the block. Yields it and its callbacks."""
    callbacks = DeviceCallbacks()
    has_values = len(inspect.signature(device.start).parameters) == 2
    with contextlib.closing(device):
        device.start(*([callbacks.on_value] if has_values else []), callbacks.on_status)
        assert callbacks.next_status() == (True, "")
        yield device, callbacks
