"""The board's program: reads the holes, debounces them, tells the companion. Pure: pins, clock and line are given.

It says all holes at each change, often while pegs are on their way, each second otherwise, and when asked; before its
contacts have settled it says nothing. Each line has a number and the time of its scan, and the last ones are kept to
be said again. While a sentinel of the chain is wrong it says so and no level. It knows nothing of pegs: the clever end
of the wire is the other one.
"""

from firmware import wire
from firmware.chain import Chain
from firmware.debounce import SCANS, Debouncer
from firmware.pixels import Pixels

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no collections.abc and no typing
    from collections.abc import Callable
    from typing import Any

    from firmware.pixels import Strip

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

SOUND = 50
"""So many scans on end all sentinels must be right, before a chain that was broken is believed again: 0.2 s."""

SESSION_MS = 25_000
"""The companion says every ten seconds that it is there: after two missed nobody is."""


class Node:
    """`board` is `board.json` as read, `read()` the chain as a whole number, `send(data)` puts bytes on the line.

    Of the number that `read()` gives, bit i is what `board["chain"][i]` names: a hole, 1 with a peg, or a sentinel.
    `chip` is the microcontroller's own number, by which a board is told from any other. `strip` shows its
    pixels, of up to four bytes each.
    """

    def __init__(
        self,
        board: "dict[str, Any]",
        read: "Callable[[], int]",
        send: "Callable[[bytes], object]",
        chip: str = "unknown",
        strip: "Strip | None" = None,
    ) -> None:
        self.told = -1
        """The holes last told, hole 0 the lowest bit."""
        self.quit = False
        """Whether the companion has asked the program to end."""
        self.tile: "str | None" = None
        """Where the chain is broken, None while it is whole."""
        self._chain = Chain(board)
        self.holes = self._chain.count
        self._count = len(board.get("pixels") or ()) if strip is not None else 0
        self._pixels = Pixels(strip, 4 * self._count) if strip is not None else None
        self._name = str(board.get("board") or "")
        self._read = read
        self._send = send
        self._chip = chip
        self._decoder = wire.Decoder()
        self._debouncer = Debouncer()
        self._wrong = 0
        self._sound = 0
        self._levels = -1
        self._asked = True
        self._missed = -1
        self._next = 0
        self._kept = [b""] * wire.KEPT
        self._times = 0
        self._scanned_ms = -SCAN_MS
        self._told_ms = 0
        self._greeted_ms = 0
        self._heard = False
        self._heard_ms: "int | None" = None

    def hear(self, data: bytes) -> None:
        """Take in bytes from the companion: a `?` line is answered at the next scan."""
        for message in self._decoder.feed(data):
            self._heard = True
            if isinstance(message, wire.Ask):
                if message.number is None:
                    self._asked = True
                elif self._missed < 0 or _since(message.number, self._missed) <= wire.KEPT:
                    self._missed = message.number  # of several the oldest, from which all follow
            elif isinstance(message, wire.Paint) and self._pixels:
                self._pixels.paint(message.at, message.data)
            elif isinstance(message, wire.Show) and self._pixels:
                self._pixels.show(message.count, message.check)
            elif isinstance(message, wire.Quit):
                self.quit = True
            elif isinstance(message, wire.Bye):
                self._heard = False
                self._heard_ms = None

    def step(self, now_ms: int) -> None:
        """Scan, when it is time to, and tell what there is to tell. To be called as often as one likes."""
        if self._heard:
            self._heard = False
            self._heard_ms = now_ms
        if self._pixels and self._pixels.step():
            self._send(wire.lit(self._pixels.lit))
        if _since(self._scanned_ms, now_ms) < SCAN_MS:
            return
        self._scanned_ms = now_ms
        raw = self._read()
        if not self._is_whole(raw):
            self._complain(now_ms)
            return
        self._debouncer.scan(raw & self._chain.inputs)
        if self._debouncer.settled:
            self._say(now_ms)

    def in_session(self, now_ms: int) -> bool:
        """Whether the companion is at the other end."""
        if self._heard_ms is not None and _since(self._heard_ms, now_ms) >= SESSION_MS:
            self._heard_ms = None
        return self._heard or self._heard_ms is not None

    def idle_ms(self, now_ms: int) -> int:
        """How long nothing would come of a step, should no contact change: what a simulated board may sleep."""
        idle = TELL_MS - _since(self._greeted_ms, now_ms)
        if self.tile is not None and not self._sound and not self._asked:
            return max(0, idle)
        if self._asked or self._missed >= 0 or self._wrong or not self._debouncer.at_rest():
            return max(0, SCAN_MS - _since(self._scanned_ms, now_ms))
        if self._times:
            idle = min(idle, AGAIN_MS - _since(self._told_ms, now_ms))
        return max(0, idle)

    def _is_whole(self, raw: int) -> bool:
        """Whether this scan may be believed: its sentinels are right, and were when they were last in doubt."""
        tile = self._chain.broken(raw)
        if tile is not None:
            self._sound = 0
            self._wrong += 1
            if self._wrong == SCANS:
                self._asked = True
            if self._wrong >= SCANS:
                self.tile = tile
            return False
        if self._wrong:
            self._sound += 1
            if self._sound >= SOUND:
                self._wrong = 0
                if self.tile is not None:
                    self._begin_again()
        return self.tile is None

    def _begin_again(self) -> None:
        """As after the power came: nothing is known of a hole before all have settled."""
        self.tile = None
        self._debouncer = Debouncer()
        self._asked = True

    def _complain(self, now_ms: int) -> None:
        if self.tile is None or not (self._asked or _since(self._greeted_ms, now_ms) >= TELL_MS):
            return
        self._missed = -1  # what was said before is not said again: it is no longer so
        self._greet(now_ms)
        self._send(wire.fault(self.tile))

    def _say(self, now_ms: int) -> None:
        news = self._debouncer.levels != self._levels
        if news:
            self._times = TIMES
        if self._missed >= 0:
            news = self._repeat() or news
        if self._asked or _since(self._greeted_ms, now_ms) >= TELL_MS:
            self._greet(now_ms)
            self._tell(now_ms)
        elif news or (self._times and _since(self._told_ms, now_ms) >= AGAIN_MS):
            self._tell(now_ms)

    def _greet(self, now_ms: int) -> None:
        self._asked = False
        self._greeted_ms = now_ms
        lit = self._pixels.lit if self._pixels else ""
        self._send(wire.hello(self._chain.count, VERSION, self._chip, self._name, self._count, lit))

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
        if self._levels != self._debouncer.levels:
            self._levels = self._debouncer.levels
            self.told = self._chain.levels(self._levels)
        self._told_ms = now_ms
        self._times -= self._times > 0
        line = wire.holes(self._next, now_ms & wire.MASK, self.told, self._chain.count)
        self._kept[self._next % wire.KEPT] = line
        self._next = self._next + 1 & wire.MASK
        self._send(line)


def _since(then_ms: int, now_ms: int) -> int:
    # MicroPython's clock starts again from 0 after 2**30 ms, twelve days.
    return now_ms - then_ms & wire.MASK
