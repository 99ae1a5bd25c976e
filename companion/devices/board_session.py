"""What one opened line to a board says: who it is, what its holes hold and since when, and what of it is missing.

Nothing is believed before the board has said what it is. Both versions of the wire are read (docs/reference/wire.md).
"""

from collections.abc import Callable

from companion.devices.clock_sync import Heard, Seen, Sight
from companion.devices.device_thread import Keeper
from companion.devices.serial_line import Line
from companion.i18n import phrase, say
from firmware import wire

OLD = say("The board speaks version 1 of the wire: it is read, but a line of it that is lost is not missed.")
"""Said once of a board whose lines have no numbers."""

_BROKEN = phrase(
    "Tile {tile} of the board, or the one before it, has lost a wire or its power: see that their cables are in."
)

_FAILED = phrase("The board's program failed ({why}) and has begun again.")

_ANEW = say("The board's lines do not follow one another: its pegs are read anew.")


class Hearing:
    """Passes on what is known of the holes, by `seen(bits, ms, known_ms)`, and how the board is, to its keeper.

    All but `ask` is called by the one thread that reads the line.
    """

    def __init__(self, holes: int, line: Line, seen: Callable[[int, int, int], None], keeper: Keeper) -> None:
        self._holes = holes
        self._line = line
        self._seen = seen
        self._keeper = keeper
        self.fits = False
        """Whether the board at the other end is the one that is wanted."""
        self._well = False
        self._say = ""
        self._last: Seen | None = None
        self._sight = Sight()

    def ask(self) -> None:
        """Have the board tell its levels at its next scan. Any thread may call this."""
        following = self._sight.next
        self._line.write(wire.ASK if following is None else wire.ask(following))

    def take(self, message: "wire.Message", now_ms: int, empty_ms: int) -> None:
        """A message that arrived now; the line was last empty at `empty_ms`."""
        if isinstance(message, wire.Hello):
            self._greet(message)
        elif isinstance(message, wire.Fault):
            if self.fits:
                self._break(message.tile)
        elif isinstance(message, wire.Failed):
            self._fail(message.why)
        elif isinstance(message, wire.Holes) and self.fits and not message.bits >> self._holes:
            heard = Heard(message, now_ms, empty_ms)
            if message.number is None:
                self._tell([self._unnumbered(heard)])
            elif (seen := self._sight.take(heard)) is not None:
                self._tell(seen)
            else:
                self._anew(heard)

    def look_after(self, now_ms: int) -> None:
        """Ask for a line that is missing; one that never comes is done without."""
        newest = self._sight.lost(now_ms)
        if newest is not None:
            self._anew(Heard(newest, now_ms, now_ms))
        elif (missing := self._sight.missing(now_ms)) is not None:
            self._line.write(wire.ask(missing))

    def _greet(self, hello: "wire.Hello") -> None:
        wrong = self._misfit(hello)
        self.fits = not wrong
        self._well = self._well and self.fits
        if hello.wire == 1:
            self._say = OLD
        if wrong:
            self._keeper.unwell(wrong)

    def _break(self, tile: str) -> None:
        """Nothing is known of any hole; what is heard once the chain is whole again is read anew."""
        self._well = False
        self._sight = Sight()
        self._keeper.unwell(say(_BROKEN, tile=tile))

    def _fail(self, why: str) -> None:
        """Told as long as this line is open: who looks at the page the next day is to know of it too."""
        self._say = say(_FAILED, why=why)
        if self._well:
            self._keeper.well(self._say)
        else:
            self._keeper.unwell(self._say)

    def _misfit(self, hello: "wire.Hello") -> str:
        if hello.wire not in (1, wire.VERSION):
            return say(
                "The board speaks version {its} of the wire, the companion version {ours}.",
                its=hello.wire,
                ours=wire.VERSION,
            )
        if hello.holes != self._holes:
            return say(
                "The board on the wire has {its} holes; the one in play has {ours}.", its=hello.holes, ours=self._holes
            )
        return ""

    def _unnumbered(self, heard: Heard) -> Seen:
        """A line of wire 1 may have waited unread since the line was empty: it confirms no later levels."""
        same = self._last is not None and self._last.bits == heard.line.bits
        return Seen(heard.line.bits, heard.empty_ms if same else heard.arrived_ms, heard.empty_ms)

    def _anew(self, heard: Heard) -> None:
        """As after a pulled cable: anything may have happened since the last line that counted."""
        if self._well:
            self._well = False
            self._keeper.unwell(_ANEW)
        self._sight = Sight()
        self._tell(self._sight.take(heard) or [])

    def _tell(self, found: list[Seen]) -> None:
        for seen in found:
            self._last = seen
            self._seen(*seen)  # before it is well again, or what was seen last would be believed for a moment
            if not self._well:
                self._well = True
                self._keeper.well(self._say)
                self._seen(*seen)  # once more: who was told that the board is back believes what it says then
