"""The board's program: reads the holes, debounces them, tells the companion. Pure: pins, clock and line are given.

It says all holes at each change, often while pegs are on their way, each second otherwise, and when asked; before its
contacts have settled it says nothing. Each line has a number and the time of its scan, and the last ones are kept to
be said again. It knows nothing of pegs: the clever end of the wire is the other one.
"""

from firmware import wire
from firmware.debounce import Debouncer

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no collections.abc
    from collections.abc import Callable

VERSION = "0.1.0"
"""Of this program, as its board tells it."""

SCAN_MS = 4
"""Between two scans. Four that agree make a level: a change is told 12 to 16 ms after the contact has come to rest."""

TELL_MS = 1000
"""Without a change everything is told again after this long: the sign of life the companion waits for."""

AGAIN_MS = 50
"""After a change the levels are told again this often: a line that was lost is soon missed, and rest is soon known."""

TIMES = 30
"""So often they are told again after the last change: for 1.5 s, in which pegs are read."""


class Node:
    """`read()` gives the contacts of all `holes` as bits, hole 0 the lowest; `send(data)` puts bytes on the line.

    `chip` is the microcontroller's own number, by which a board is told from any other.
    """

    def __init__(
        self, holes: int, read: "Callable[[], int]", send: "Callable[[bytes], object]", chip: str = "unknown"
    ) -> None:
        self.told = -1
        self._holes = holes
        self._mask = (1 << holes) - 1
        self._read = read
        self._send = send
        self._chip = chip
        self._decoder = wire.Decoder()
        self._debouncer = Debouncer()
        self._asked = True
        self._missed = -1
        self._next = 0
        self._kept = [b""] * wire.KEPT
        self._times = 0
        self._scanned_ms = -SCAN_MS
        self._told_ms = 0
        self._greeted_ms = 0

    def hear(self, data: bytes) -> None:
        """Take in bytes from the companion: a `?` line is answered at the next scan."""
        for message in self._decoder.feed(data):
            if isinstance(message, wire.Ask):
                if message.number is None:
                    self._asked = True
                elif self._missed < 0 or _since(message.number, self._missed) <= wire.KEPT:
                    self._missed = message.number  # of several the oldest, from which all follow

    def step(self, now_ms: int) -> None:
        """Scan, when it is time to, and tell what there is to tell. To be called as often as one likes."""
        if _since(self._scanned_ms, now_ms) < SCAN_MS:
            return
        self._scanned_ms = now_ms
        self._debouncer.scan(self._read() & self._mask)
        if not self._debouncer.settled:
            return
        news = self._debouncer.levels != self.told
        if news:
            self._times = TIMES
        if self._missed >= 0:
            news = self._repeat() or news
        if self._asked or _since(self._greeted_ms, now_ms) >= TELL_MS:
            self._asked = False
            self._greeted_ms = now_ms
            self._send(wire.hello(self._holes, VERSION, self._chip))
            self._tell(now_ms)
        elif news or (self._times and _since(self._told_ms, now_ms) >= AGAIN_MS):
            self._tell(now_ms)

    def idle_ms(self, now_ms: int) -> int:
        """How long nothing would come of a step, should no contact change: what a simulated board may sleep."""
        if self._asked or self._missed >= 0 or not self._debouncer.at_rest():
            return max(0, SCAN_MS - _since(self._scanned_ms, now_ms))
        idle = TELL_MS - _since(self._greeted_ms, now_ms)
        if self._times:
            idle = min(idle, AGAIN_MS - _since(self._told_ms, now_ms))
        return max(0, idle)

    def _repeat(self) -> bool:
        """Say the lines again from the one that was missed on; whether a new one is wanted as well."""
        missed, self._missed = self._missed, -1
        count = self._next - missed & wire.MASK
        if count == 0:
            return True
        if count > wire.KEPT or not self._kept[missed % wire.KEPT]:
            self._asked = True  # too long ago: all is told anew
            return False
        for number in range(missed, missed + count):
            self._send(self._kept[number % wire.KEPT])
        return False

    def _tell(self, now_ms: int) -> None:
        self.told = self._debouncer.levels
        self._told_ms = now_ms
        self._times -= self._times > 0
        line = wire.holes(self._next, now_ms & wire.MASK, self.told, self._holes)
        self._kept[self._next % wire.KEPT] = line
        self._next = self._next + 1 & wire.MASK
        self._send(line)


def _since(then_ms: int, now_ms: int) -> int:
    # MicroPython's clock starts again from 0 after 2**30 ms, twelve days.
    return now_ms - then_ms & wire.MASK
