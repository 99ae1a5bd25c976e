"""The board's program: reads the holes, debounces them, tells the companion. Pure: pins, clock and line are given.

It says all holes at each change and each second, and once when asked; before its contacts have settled it says
nothing. It keeps no history and knows nothing of pegs: the clever end of the wire is the other one.
"""

from firmware import wire
from firmware.debounce import Debouncer

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no collections.abc
    from collections.abc import Callable

SCAN_MS = 4
"""Between two scans. Four that agree make a level: a change is told 12 to 16 ms after the contact has come to rest."""

TELL_MS = 1000
"""Without a change everything is told again after this long: the sign of life the companion waits for."""


class Node:
    """`read()` gives the contacts of all `holes` as bits, hole 0 the lowest; `send(data)` puts bytes on the line."""

    def __init__(self, holes: int, read: "Callable[[], int]", send: "Callable[[bytes], object]") -> None:
        self.told = -1
        self._holes = holes
        self._mask = (1 << holes) - 1
        self._read = read
        self._send = send
        self._decoder = wire.Decoder()
        self._debouncer = Debouncer()
        self._asked = False
        self._scanned_ms = -SCAN_MS
        self._told_ms = 0

    def hear(self, data: bytes) -> None:
        """Take in bytes from the companion: any `?` line has everything told at the next scan."""
        for message in self._decoder.feed(data):
            if isinstance(message, wire.Ask):
                self._asked = True

    def step(self, now_ms: int) -> None:
        """Scan, when it is time to, and tell what there is to tell. To be called as often as one likes."""
        if _since(self._scanned_ms, now_ms) < SCAN_MS:
            return
        self._scanned_ms = now_ms
        self._debouncer.scan(self._read() & self._mask)
        if not self._debouncer.settled:
            return
        if self._asked or self.told < 0 or _since(self._told_ms, now_ms) >= TELL_MS:
            self._tell(now_ms, wire.hello(self._holes))
        elif self._debouncer.levels != self.told:
            self._tell(now_ms, b"")

    def idle_ms(self, now_ms: int) -> int:
        """How long nothing would come of a step, should no contact change: what a simulated board may sleep."""
        if self._asked or not self._debouncer.at_rest():
            return max(0, SCAN_MS - _since(self._scanned_ms, now_ms))
        return max(0, TELL_MS - _since(self._told_ms, now_ms))

    def _tell(self, now_ms: int, before: bytes) -> None:
        self.told = self._debouncer.levels
        self._told_ms = now_ms
        self._asked = False
        self._send(before + wire.holes(self.told, self._holes))


def _since(then_ms: int, now_ms: int) -> int:
    # MicroPython's clock starts again from 0 after 2**30 ms, twelve days.
    return now_ms - then_ms & 0x3FFFFFFF
