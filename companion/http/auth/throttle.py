"""Delays after wrong join keys. A right key is never delayed."""

import threading
import time
from collections.abc import Callable

FREE_ATTEMPTS = 5
"""Number of wrong keys without a delay, for slips while typing a link."""
INITIAL_DELAY_S = 0.1
"""Delay after the first wrong key beyond FREE_ATTEMPTS; it doubles with each further one."""
MAX_DELAY_S = 2.0
FORGET_AFTER_S = 600.0
"""Time after which the count of an address starts again."""
MAX_DELAYED_REQUESTS = 2
"""Maximum number of requests delayed at once; each occupies a worker thread."""

_MAX_ADDRESSES = 1000
"""Number of addresses remembered."""


class LoginThrottle:
    """Counts wrong keys by address. Any thread may call it."""

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        self._sleep = sleep
        self._lock = threading.Lock()
        self._failures: dict[str, tuple[int, float]] = {}
        self._waiting: set[str] = set()

    def may_try(self, address: str) -> bool:
        """Return whether a key from this address is checked now: not while a wrong one is being delayed."""
        with self._lock:
            return address not in self._waiting

    def record_failure(self, address: str) -> None:
        """Count a wrong key and wait for the delay of this address."""
        now = time.monotonic()
        with self._lock:
            count, last = self._failures.pop(address, (0, now))
            count = 1 if now - last > FORGET_AFTER_S else count + 1
            self._failures[address] = count, now  # re-inserted at the end: the first is the oldest
            if len(self._failures) > _MAX_ADDRESSES:
                del self._failures[next(iter(self._failures))]
            if count <= FREE_ATTEMPTS or len(self._waiting) >= MAX_DELAYED_REQUESTS:
                return
            self._waiting.add(address)
        try:
            self._sleep(min(INITIAL_DELAY_S * 2 ** min(count - FREE_ATTEMPTS - 1, 10), MAX_DELAY_S))
        finally:
            with self._lock:
                self._waiting.discard(address)
