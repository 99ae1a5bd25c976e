"""The address of a client, the network that it belongs to, and the delay after wrong keys from it."""

import ipaddress
import threading
import time
from collections.abc import Callable
from functools import lru_cache

_NETWORK_BITS = 64
"""Length of the prefix of an IPv6 network. One machine can use every address in it."""


@lru_cache(1024)
def normalize_ip(address: str) -> str:
    """Return an address without its zone, and an IPv4-mapped IPv6 address as IPv4. Another text is left as it is."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(ip, "ipv4_mapped", None) or ip)


@lru_cache(1024)
def client_network(address: str) -> str:
    """Return the network of an IPv6 address, such as `2001:db8::/64`; for any other address, the address itself."""
    host = normalize_ip(address)
    try:
        return str(ipaddress.IPv6Network((host, _NETWORK_BITS), strict=False))
    except ValueError:
        return host


FREE_ATTEMPTS = 5
"""Number of wrong keys without a delay, for slips while typing a link."""
INITIAL_DELAY_S = 0.1
"""Delay after the first wrong key beyond FREE_ATTEMPTS; it doubles with each further one."""
MAX_DELAY_S = 2.0
FORGET_AFTER_S = 600.0
"""Time after which the count of an address starts again."""
MAX_DELAYED_REQUESTS = 2
"""Maximum number of requests delayed at once; each occupies a worker thread. Others are answered at once, but the next
key from their address is not checked before the delay is over."""

_MAX_ADDRESSES = 1000
"""Number of addresses remembered."""


class LoginThrottle:
    """Counts wrong keys by address. Any thread may call it."""

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        self._sleep = sleep
        self._lock = threading.Lock()
        self._failures: dict[str, tuple[int, float]] = {}
        """Number of wrong keys and time of the last one in s, by address."""
        self._blocked: dict[str, float] = {}
        """Time in s until which no key from an address is checked."""
        self._sleeping = 0

    def may_try(self, address: str) -> bool:
        """Return whether a key from this address is checked now: not during the delay after a wrong one."""
        with self._lock:
            return time.monotonic() >= self._blocked.get(address, 0)

    def record_failure(self, address: str) -> None:
        """Count a wrong key and wait for the delay of this address."""
        now = time.monotonic()
        with self._lock:
            count, last = self._failures.pop(address, (0, now))
            count = 1 if now - last > FORGET_AFTER_S else count + 1
            self._failures[address] = count, now  # re-inserted at the end: the first is the oldest
            if len(self._failures) > _MAX_ADDRESSES:
                oldest = next(iter(self._failures))
                del self._failures[oldest]
                self._blocked.pop(oldest, None)
            if count <= FREE_ATTEMPTS:
                return
            delay_s = min(INITIAL_DELAY_S * 2 ** min(count - FREE_ATTEMPTS - 1, 10), MAX_DELAY_S)
            self._blocked[address] = now + delay_s
            if self._sleeping >= MAX_DELAYED_REQUESTS:
                return
            self._sleeping += 1
        try:
            self._sleep(delay_s)
        finally:
            with self._lock:
                self._sleeping -= 1
                self._blocked.pop(address, None)
