"""The holes of a board, over the wire: `serial:/dev/ttyACM0?baud=115200`, or `sim:`, the firmware itself in a thread.

Both lines carry the same bytes and are listened to by the same code; only what is at the far end differs. Knows the
number of holes and nothing of what they mean.
"""

import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.board_session import Hearing
from companion.devices.device_thread import Keeper, Passing, read_url
from companion.devices.null import SCHEME, Absent
from companion.devices.serial_line import Line, SerialLine, SimulatedCable
from companion.devices.simulation.faults import KINDS, Failing
from companion.devices.simulation.shift_registers import Fault, SimulatedChain, SimulatedStrip
from companion.i18n import phrase, say
from companion.ports import Clock, HoleSensors, Status
from firmware import wire
from firmware.chain import plain
from firmware.node import Node

BAUD = 115_200

SILENT_MS = 3000
"""The board gives a sign of life each second: after three missed the cable is taken to be out."""

HERE_MS = 10_000
"""The board is told after this long again that it is listened to."""

WAITED_MS = 2
"""A line that was waited for so long had nothing left to be read before it came."""

STEP_S = 0.001
"""Between two steps of a simulated board while a peg is on its way."""

TOLD_S = 5.0
"""A simulated board that has not told a peg after this long never will."""

STOPPED_MS = 100
"""A simulated board that comes so late to its next scan was stopped, with the whole program."""

See = Callable[[int, int, int], None]


def open_sensors(
    url: str, board_holes: int, clock: Clock, *, occupied: int = 0, board: Mapping[str, Any] | None = None
) -> HoleSensors:
    """The sensors of this URL, for a board of so many holes. Of a simulated one `occupied` are the first pegs.

    `board` is what a simulated board reads as its `board.json`; without it the holes are one after the other.

    Raises DeviceError for a URL that means nothing; a board that is not there is waited for.
    """
    known = {"serial": ("baud",), "sim": (), "none": ()}
    address = read_url(url, device="hole sensors", known=known, paths=("serial",))
    if address.scheme == SCHEME:
        return Absent(url)
    if address.scheme == "sim":
        return SimulatedSensors(url, board or plain(board_holes), clock, occupied=occupied)
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
        self._hearing: Hearing | None = None
        self._passing = Passing("board's news")
        self._line: Line | None = None
        self._listeners: list[Callable[[wire.Message | None], None]] = []

    def start(self, seen: See, status: Status) -> None:
        """Call `seen(bits, ms, known_ms)` as lines come, and `status` when the board comes or goes.

        The calls are made in order, by a thread of their own: nothing that they wait for delays the reading.
        """
        self._passing.start()
        hears = partial(self._attend, partial(self._passing.call, seen))
        self._keeper = Keeper(phrase("board"), hears, partial(self._passing.call, status))
        self._keeper.start()

    def listen(self, heard: Callable[["wire.Message | None"], None]) -> None:
        """Have `heard` called with each message of the board, and with None when it goes. Before `start`."""
        self._listeners.append(heard)

    def send(self, data: bytes) -> None:
        """Send to the board; any thread may. Raises DeviceError while it is away."""
        if (line := self._line) is None:
            raise DeviceError("The board's cable is out.")
        line.write(data)

    def ask(self) -> None:
        """Have the board tell its levels at its next scan. Never blocks; nothing comes of it while it is away."""
        self._passing.call(self._ask)

    def close(self) -> None:
        """Stop listening."""
        if self._keeper:
            self._keeper.close()
        self._passing.close()

    def _ask(self) -> None:
        if hearing := self._hearing:
            with suppress(DeviceError):
                hearing.ask()

    def _attend(self, seen: See, keeper: Keeper) -> None:
        with closing(self._open_line()) as line:
            self._line = line
            try:
                self._attend_line(line, seen, keeper)
            finally:
                self._line = None
                self._heard(None)

    def _heard(self, message: "wire.Message | None") -> None:
        for heard in self._listeners:
            heard(message)

    def _attend_line(self, line: Line, seen: See, keeper: Keeper) -> None:
        line.write(wire.ASK)
        said_ms = self._clock()
        decoder = wire.Decoder()
        hearing = self._hearing = Hearing(self._holes, line, seen, keeper)
        heard_ms = empty_ms = self._clock()
        while not keeper.closing.is_set():
            before_ms = self._clock()
            data = line.read()
            now_ms = self._clock()
            if not data or now_ms - before_ms >= WAITED_MS:
                empty_ms = before_ms
            for message in decoder.feed(data):
                heard_ms = now_ms
                self._heard(message)
                hearing.take(message, now_ms, empty_ms)
            hearing.look_after(now_ms)
            if hearing.fits and now_ms - said_ms >= HERE_MS:
                said_ms = now_ms
                line.write(wire.HERE)
            self.dropped = decoder.bad
            if now_ms - heard_ms > SILENT_MS:
                raise DeviceError(_silence(decoder.bad))
        with suppress(DeviceError):
            line.write(wire.BYE)


def _silence(bad: int) -> str:
    if bad:
        return say("What comes from the board is noise: is the speed right, and is it the board's cable?")
    return say("The board has been silent for {seconds} seconds: is its cable in?", seconds=SILENT_MS // 1000)


class SimulatedSensors(WiredSensors):
    """The shipped firmware on a board of simulated holes, at the end of a simulated cable.

    The verbs move pegs as a hand would and return once the board has told of it on its line, whether or not the
    cable is in; any thread may call them. Before `start` the board has no power and pegs move unseen.
    """

    def __init__(self, url: str, board: Mapping[str, Any], clock: Clock, *, occupied: int = 0) -> None:
        self.chain = SimulatedChain(board)
        self.strip = SimulatedStrip()
        self._node = Node(dict(board), lambda: self.chain.read(self._closed), self._send, "simulated", self.strip)
        self._cable = SimulatedCable(self._arrived)
        super().__init__(url, self._node.holes, clock, self._cable.open)
        self._moved = threading.Condition()
        self._contacts = self._closed = self._checked(occupied)
        self._failing = Failing()
        self._moves = self._told = 0
        self._asked: list[bytes] = []
        self._stirred = False
        self._power = False
        self._stopped_ms = 0
        self._thread = threading.Thread(target=self._run, name="companion simulated board", daemon=True)

    def start(self, seen: See, status: Status) -> None:
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

    def break_chain(self, fault: Fault | None) -> None:
        """Cut or short a wire of the chain, or mend it (None). Pegs may be moved meanwhile, unseen."""
        with self._moved:
            self.chain.fault = fault
            self._stir()

    def failing(self) -> dict[str, int]:
        """The holes whose switches fail, as bits, by `stuck`, `flapping` and `dead`."""
        return self._failing._asdict()

    def fail(self, holes: int, kind: str | None) -> None:
        """Have the switches of these holes (bits) fail: `stuck`, `flapping` or `dead`; None mends them."""
        if kind not in (None, *KINDS):
            raise DeviceError(f"A switch fails in one of these ways: {', '.join(KINDS)}.")
        with self._moved:
            self._failing = self._failing.with_fault(self._checked(holes), kind)
            self._stir()

    def move(self, *, lift: int = 0, place: int = 0) -> None:
        """Lift the pegs in `lift` and place pegs in `place` (bits), at once; -1 are all."""
        self._checked(place)
        with self._moved:
            self._contacts = self._contacts & ~lift | place
            self._moves += 1
            mine = self._moves
            self._stir()
            told = self._moved.wait_for(lambda: self._is_blind() or self._told >= mine, TOLD_S)
        if not told:
            raise DeviceError("The simulated board does not answer.")

    def plug(self, plugged: bool) -> None:
        """Put the cable in, or pull it."""
        self._cable.plug(plugged)

    def _is_blind(self) -> bool:
        return not self._power or self._node.tile is not None

    def _send(self, data: bytes) -> None:
        self._cable.send(data)

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
        now_ms, idle_s = self._clock(), 0.0
        while self._power:
            with self._moved:
                now_ms, before_ms = self._clock(), now_ms
                late_ms = now_ms - before_ms - round(1000 * idle_s)
                if late_ms > STOPPED_MS:  # the hands that move these pegs were stopped too: no peg has rested meanwhile
                    self._stopped_ms += late_ms
                for data in self._asked:
                    self._node.hear(data)
                self._asked.clear()
                self._stirred = False
                self._closed = self._failing.told(self._contacts, now_ms)
                self._node.step(now_ms - self._stopped_ms)
                if not (self._node.told ^ self._closed) & ~self._failing.flapping:
                    self._told = self._moves
                    self._moved.notify_all()
                idle_s = self._idle_s(now_ms)
                self._moved.wait_for(lambda: self._stirred or not self._power, idle_s)

    def _idle_s(self, now_ms: int) -> float:
        # A peg moved or a wire cut right after a scan is seen by none yet: the node does not know that it is to look.
        if self._node.told != self._closed or (self.chain.fault is None) != (self._node.tile is None):
            return STEP_S
        idle_ms = self._node.idle_ms(now_ms - self._stopped_ms)
        flap_ms = self._failing.idle_ms(now_ms)
        return (idle_ms if flap_ms is None else min(idle_ms, flap_ms)) / 1000
