"""The holes of a board, over the wire: `serial:/dev/ttyACM0?baud=115200`, or `sim:`, the firmware itself in a thread.

Both lines carry the same bytes and are listened to by the same code; only what is at the far end differs. Knows the
number of holes and nothing of what they mean.
"""

import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial

from companion.devices.cable import Line, SerialLine, SimulatedCable
from companion.devices.reopening import Keeper, read_url
from companion.errors import DeviceError
from companion.ports import Clock, HoleSensors, Status
from firmware import wire
from firmware.node import Node

BAUD = 115_200

SILENT_MS = 3000
"""The board gives a sign of life each second: after three missed the cable is taken to be out."""

STEP_S = 0.001
"""Between two steps of a simulated board while a peg is on its way."""

TOLD_S = 5.0
"""A simulated board that has not told a peg after this long never will."""

Seen = Callable[[int], None]


def open_sensors(url: str, board_holes: int, clock: Clock, *, occupied: int = 0) -> HoleSensors:
    """The sensors of this URL, for a board of so many holes; `occupied` are the first pegs of a simulated one.

    Raises DeviceError for a URL that means nothing; a board that is not there is waited for.
    """
    known = {"serial": ("baud",), "sim": ()}
    address = read_url(url, device="hole sensors", known=known, paths=("serial",))
    if address.scheme == "sim":
        return SimulatedSensors(url, board_holes, clock, occupied=occupied)
    baud = address.number("baud", BAUD, least=300, most=4_000_000)
    return WiredSensors(url, board_holes, clock, partial(SerialLine, address.path, baud))


class WiredSensors:
    """The holes of the board at the other end of a line, opened again for ever."""

    def __init__(self, url: str, holes: int, clock: Clock, open_line: Callable[[], Line]) -> None:
        self.url = url
        self.dropped = 0
        """Lines dropped as damaged since the line was opened."""
        self._holes = holes
        self._clock = clock
        self._open_line = open_line
        self._keeper: Keeper | None = None

    def start(self, seen: Seen, status: Status) -> None:
        """Call `seen(bits)` at each change and each second, and `status` when the board comes or goes."""
        self._keeper = Keeper("board", partial(self._attend, seen), status)
        self._keeper.start()

    def close(self) -> None:
        """Stop listening."""
        if self._keeper:
            self._keeper.close()

    def _attend(self, seen: Seen, keeper: Keeper) -> None:
        with closing(self._open_line()) as line:
            line.write(wire.ASK)
            decoder = wire.Decoder()
            hearing = _Hearing(self._holes, seen, keeper)
            heard_ms = self._clock()
            while not keeper.closing.is_set():
                for message in decoder.feed(line.read()):
                    heard_ms = self._clock()
                    hearing.take(message)
                self.dropped = decoder.bad
                if self._clock() - heard_ms > SILENT_MS:
                    raise DeviceError(_silence(decoder.bad))


class _Hearing:
    """What one opened line has said so far: nothing is believed before the board has said what it is."""

    def __init__(self, holes: int, seen: Seen, keeper: Keeper) -> None:
        self._holes = holes
        self._seen = seen
        self._keeper = keeper
        self._fits = False
        self._well = False

    def take(self, message: "wire.Message") -> None:
        if isinstance(message, wire.Hello):
            wrong = self._misfit(message)
            self._fits = not wrong
            self._well = self._well and self._fits
            if wrong:
                self._keeper.unwell(wrong)
        elif isinstance(message, wire.Holes) and self._fits and not message.bits >> self._holes:
            self._seen(message.bits)  # before it is well again, or what was seen last would be believed for a moment
            if not self._well:
                self._well = True
                self._keeper.well()
                self._seen(message.bits)  # once more: who was told that the board is back believes what it says then

    def _misfit(self, hello: wire.Hello) -> str:
        if hello.version != wire.VERSION:
            return f"The board speaks version {hello.version} of the wire, the companion version {wire.VERSION}."
        if hello.holes != self._holes:
            return f"The board on the wire has {hello.holes} holes; the one in play has {self._holes}."
        return ""


def _silence(bad: int) -> str:
    if bad:
        return "What comes from the board is noise: is the speed right, and is it the board's cable?"
    return f"The board has been silent for {SILENT_MS // 1000} seconds: is its cable in?"


class SimulatedSensors(WiredSensors):
    """The shipped firmware on a board of simulated holes, at the end of a simulated cable.

    The verbs move pegs as a hand would and return once the board has told of it on its line, whether or not the
    cable is in; any thread may call them. Before `start` the board has no power and pegs move unseen.
    """

    def __init__(self, url: str, holes: int, clock: Clock, *, occupied: int = 0) -> None:
        self._cable = SimulatedCable(self._arrived)
        super().__init__(url, holes, clock, self._cable.open)
        self._moved = threading.Condition()
        self._contacts = self._checked(occupied)
        self._moves = self._told = 0
        self._asked: list[bytes] = []
        self._stirred = False
        self._power = False
        self._node = Node(holes, lambda: self._contacts, self._cable.send)
        self._thread = threading.Thread(target=self._run, name="companion simulated board", daemon=True)

    def start(self, seen: Seen, status: Status) -> None:
        """Give the board power, and listen to it."""
        self._power = True
        self._thread.start()
        super().start(seen, status)

    def close(self) -> None:
        """Stop listening, and take the power away."""
        super().close()
        with self._moved:
            self._power = False
            self._moved.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def occupied(self) -> int:
        """The holes that hold a peg, as bits."""
        return self._contacts

    def move(self, *, lift: int = 0, place: int = 0) -> None:
        """Lift the pegs in `lift` and place pegs in `place` (bits), at once; -1 are all."""
        self._checked(place)
        with self._moved:
            self._contacts = self._contacts & ~lift | place
            self._moves += 1
            mine = self._moves
            self._stir()
            told = self._moved.wait_for(lambda: not self._power or self._told >= mine, TOLD_S)
        if not told:
            raise DeviceError("The simulated board does not answer.")

    def plug(self, plugged: bool) -> None:
        """Put the cable in, or pull it."""
        self._cable.plug(plugged)

    def _checked(self, bits: int) -> int:
        if bits < 0 or bits >> self._holes:
            raise DeviceError(f"The board has the holes 0 to {self._holes - 1} and no others.")
        return bits

    def _arrived(self, data: bytes) -> None:
        with self._moved:
            self._asked.append(data)
            self._stir()

    def _stir(self) -> None:
        self._stirred = True
        self._moved.notify_all()

    def _run(self) -> None:
        # The board's main loop. A real one scans all the time; this one sleeps while no scan could differ.
        while self._power:
            with self._moved:
                for data in self._asked:
                    self._node.hear(data)
                self._asked.clear()
                self._stirred = False
                self._node.step(self._clock())
                if self._node.told == self._contacts:
                    self._told = self._moves
                    self._moved.notify_all()
                self._moved.wait_for(lambda: self._stirred or not self._power, self._idle_s())

    def _idle_s(self) -> float:
        # A peg moved right after a scan is seen by none yet: the node does not know that it is to look again.
        return self._node.idle_ms(self._clock()) / 1000 if self._node.told == self._contacts else STEP_S
