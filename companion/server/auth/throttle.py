"""Wrong keys slow down: who tries one after the other waits longer each time. Who has the right one never waits."""

import threading
import time
from collections.abc import Callable

FREE_ATTEMPTS = 5
"""Wrong keys that are answered at once: a link typed by hand has its slips."""
INITIAL_DELAY_S = 0.1
MAX_DELAY_S = 2.0
FORGET_AFTER_S = 600.0
MAX_DELAYED_REQUESTS = 2
"""Requests that are kept waiting at once; each holds a thread."""

_MAX_ADDRESSES = 1000


class LoginThrottle:
    """Counts wrong keys by address. For any thread."""

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        self._sleep = sleep
        self._lock = threading.Lock()
        self._wrong: dict[str, tuple[int, float]] = {}
        self._waiting: set[str] = set()

    def may_try(self, address: str) -> bool:
        """Whether a key from there is looked at: not while its last wrong one still waits for its answer."""
        with self._lock:
            return address not in self._waiting

    def record_failure(self, address: str) -> None:
        """A wrong key came from there: wait before it is told so."""
        now = time.monotonic()
        with self._lock:
            count, last = self._wrong.pop(address, (0, now))
            count = 1 if now - last > FORGET_AFTER_S else count + 1
            self._wrong[address] = count, now  # at the end: the first is the one unseen for longest
            if len(self._wrong) > _MAX_ADDRESSES:
                del self._wrong[next(iter(self._wrong))]
            if count <= FREE_ATTEMPTS or len(self._waiting) >= MAX_DELAYED_REQUESTS:
                return
            self._waiting.add(address)
        try:
            self._sleep(min(INITIAL_DELAY_S * 2 ** min(count - FREE_ATTEMPTS - 1, 10), MAX_DELAY_S))
        finally:
            with self._lock:
                self._waiting.discard(address)
