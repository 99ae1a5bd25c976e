"""The hole sensors of a board: `serial:/dev/ttyACM0?baud=115200`, or `sim:`, the firmware itself in a thread.

Real and simulated boards send the same bytes and are read by the same code.
"""

import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.board_session import BoardSession
from companion.devices.device_thread import (
    NULL_SCHEME,
    CallbackQueue,
    DeviceThread,
    NullDevice,
    ThreadedDevice,
    parse_device_url,
)
from companion.devices.serial_line import BoardLine, SerialLine, SimulatedCable
from companion.devices.simulated_board import (
    FAULT_KINDS,
    SensorFaults,
    SimulatedChain,
    SimulatedPanel,
    SimulatedStrip,
    WireFault,
)
from companion.i18n import format_message, gettext_noop
from companion.ports import Clock, HoleSensors, StatusCallback
from firmware import wire
from firmware.chain import plain_board
from firmware.node import Node

BAUD = 115_200

SILENCE_TIMEOUT_MS = 3000
"""The board sends a line every second. After this time in ms without one, the cable counts as unplugged."""

HERE_INTERVAL_MS = 10_000
"""Interval in ms at which the companion sends a sign of life to the board."""

EMPTY_WAIT_MS = 2
"""A read that waited this long in ms started with nothing left to read."""

STEP_INTERVAL_S = 0.001
"""Pause in s between two steps of a simulated board while its levels change."""

MOVE_TIMEOUT_S = 5.0
"""Longest wait in s for a simulated board to report a moved peg."""

PAUSE_THRESHOLD_MS = 100
"""A simulated board this late in ms for its next scan was suspended together with the whole program."""

LevelsCallback = Callable[[int, int, int], None]


def open_sensors(
    url: str, board_holes: int, clock: Clock, *, occupied: int = 0, board: Mapping[str, Any] | None = None
) -> HoleSensors:
    """Return the sensors of this URL. Raises DeviceError for an invalid URL, not for a missing board.

    :param board_holes: number of holes.
    :param occupied: holes of a simulated board with a peg at the start, as bits.
    :param board: `board.json`: the name is that of the board's greeting. A simulated board without it has its holes in
        order.
    """
    known = {"serial": ("baud",), "sim": (), "none": ()}
    address = parse_device_url(url, device="hole sensors", known=known, paths=("serial",))
    if address.scheme == NULL_SCHEME:
        return NullDevice(url)
    if address.scheme == "sim":
        return SimulatedSensors(url, board or plain_board(board_holes), clock, occupied=occupied)
    baud = address.int_option("baud", BAUD, least=300, most=4_000_000)
    line = partial(SerialLine, address.path, baud)
    return WiredSensors(url, board_holes, clock, line, board_name=str((board or {}).get("board", "")))


class WiredSensors(ThreadedDevice):
    """The sensors of the board at the other end of a line, opened again whenever it was disconnected."""

    def __init__(
        self, url: str, holes: int, clock: Clock, open_line: Callable[[], BoardLine], *, board_name: str = ""
    ) -> None:
        super().__init__(url, gettext_noop("board"))
        self.dropped_lines = 0
        """Number of damaged lines dropped since the line was opened."""
        self._holes = holes
        self._board_name = board_name
        self._clock = clock
        self._open_line = open_line
        self._session: BoardSession | None = None
        self._callbacks = CallbackQueue("board's news")
        self._line: BoardLine | None = None
        self._listeners: list[Callable[[wire.Message | None], None]] = []

    def start(self, seen: LevelsCallback, status: StatusCallback) -> None:
        """Call `seen(bits, ms, known_ms)` for each line, and `status` when the board starts or stops working.

        A separate thread makes these calls in order, so a slow callback does not delay reading.
        """
        self._callbacks.start()
        serve = partial(self._serve_device, partial(self._callbacks.call_soon, seen))
        self._start_thread(serve, partial(self._callbacks.call_soon, status))

    def add_listener(self, listener: Callable[["wire.Message | None"], None]) -> None:
        """Call `listener` with each message of the board, and with None when it disconnects. Use before `start`."""
        self._listeners.append(listener)

    def send(self, data: bytes) -> None:
        """Send to the board. Any thread may call this. Raises DeviceError while the board is disconnected."""
        if (line := self._line) is None:
            raise DeviceError("The board's cable is unplugged.")
        line.write(data)

    def call_soon(self, function: Callable[..., object], *args: Any) -> None:
        """Call a function in the thread of the board's reports, after those that came before. Never blocks."""
        self._callbacks.call_soon(function, *args)

    def request_levels(self) -> None:
        """Ask the board for its levels at its next scan. Never blocks; has no effect while it is disconnected."""
        self._callbacks.call_soon(self._request_levels)

    def close(self) -> None:
        super().close()
        self._callbacks.close()

    def _request_levels(self) -> None:
        if session := self._session:
            with suppress(DeviceError):
                session.request_levels()

    def _serve_device(self, seen: LevelsCallback, thread: DeviceThread) -> None:
        with closing(self._open_line()) as line:
            self._line = line
            try:
                self._run_session(line, seen, thread)
            finally:
                self._line = None
                self._notify_listeners(None)

    def _notify_listeners(self, message: "wire.Message | None") -> None:
        for listener in self._listeners:
            listener(message)

    def _run_session(self, line: BoardLine, seen: LevelsCallback, thread: DeviceThread) -> None:
        line.write(wire.ASK)
        sent_ms = self._clock()
        decoder = wire.Decoder()
        session = self._session = BoardSession(self._holes, line, seen, thread, board_name=self._board_name)
        last_heard_ms = empty_ms = self._clock()
        while not thread.closing.is_set():
            before_ms = self._clock()
            data = line.read()
            now_ms = self._clock()
            if not data or now_ms - before_ms >= EMPTY_WAIT_MS:
                empty_ms = before_ms
            for message in decoder.feed(data):
                last_heard_ms = now_ms
                self._notify_listeners(message)
                session.on_message(message, now_ms, empty_ms)
            session.request_missing(now_ms)
            if session.is_accepted and now_ms - sent_ms >= HERE_INTERVAL_MS:
                sent_ms = now_ms
                line.write(wire.HERE)
            self.dropped_lines = decoder.bad_lines
            if now_ms - last_heard_ms > SILENCE_TIMEOUT_MS:
                raise DeviceError(_explain_silence(decoder.bad_lines))
        with suppress(DeviceError):
            line.write(wire.BYE)


def _explain_silence(bad: int) -> str:
    if bad:
        return format_message(
            "Cannot understand the board. Check that the cable is the board's and that the baud rate is right."
        )
    return format_message(
        "No message from the board for {seconds} seconds. Check its cable.", seconds=SILENCE_TIMEOUT_MS // 1000
    )


class SimulatedSensors(WiredSensors):
    """The shipped firmware on a board of simulated holes, at the end of a simulated cable.

    Any thread may move pegs. A call returns once the board has sent its new levels, even if the cable is unplugged.
    Before `start` the board has no power, so moved pegs go unnoticed.
    """

    def __init__(self, url: str, board: Mapping[str, Any], clock: Clock, *, occupied: int = 0) -> None:
        self.chain = SimulatedChain(board)
        self.strip = SimulatedStrip()
        self.panel = SimulatedPanel(board)
        self._cable = SimulatedCable(self._on_data)
        self._node = Node(dict(board), self._read_chain, self._cable.send, "simulated", self.strip, self.panel.firmware)
        super().__init__(url, self._node.holes, clock, self._cable.open)
        self._contacts = self._closed = self._check_holes(occupied)
        self._failing = SensorFaults()
        self._moves = self._reported_moves = 0
        self._incoming: list[bytes] = []
        self._has_work = False
        self._power = False
        self._stopped_ms = 0
        self._thread = threading.Thread(target=self._run, name="companion simulated board", daemon=True)

    def start(self, seen: LevelsCallback, status: StatusCallback) -> None:
        """Power the board, and read its lines."""
        self._power = True
        self._thread.start()
        super().start(seen, status)

    def close(self) -> None:
        """Stop reading, and switch the board off."""
        super().close()
        with self._condition:
            self._power = False
            self._condition.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def occupied_holes(self) -> int:
        """Return the holes that hold a peg, as bits."""
        return self._contacts

    def break_chain(self, fault: WireFault | None) -> None:
        """Cut or short a wire of the chain; None repairs it. Pegs moved meanwhile go unnoticed."""
        with self._condition:
            self.chain.fault = fault
            self._wake_board()

    def failing_sensors(self) -> dict[str, int]:
        """Return the holes with a faulty sensor, as bits, by `stuck`, `flapping` and `dead`."""
        return self._failing._asdict()

    def set_sensor_fault(self, holes: int, kind: str | None) -> None:
        """Give the sensors of these holes (bits) a fault: `stuck`, `flapping` or `dead`; None repairs them."""
        if kind not in (None, *FAULT_KINDS):
            raise DeviceError(f"Unknown sensor fault. Use one of {', '.join(FAULT_KINDS)}.")
        with self._condition:
            self._failing = self._failing.with_fault(self._check_holes(holes), kind)
            self._wake_board()

    def move_pegs(self, *, lift: int = 0, place: int = 0) -> None:
        """Lift the pegs in `lift` and place pegs in `place` (bits) at once. -1 lifts all."""
        self._check_holes(place)
        with self._condition:
            self._contacts = self._contacts & ~lift | place
            self._moves += 1
            move = self._moves
            self._wake_board()
            is_reported = self._condition.wait_for(
                lambda: self._is_blind() or self._reported_moves >= move, MOVE_TIMEOUT_S
            )
        if not is_reported:
            raise DeviceError("The simulated board does not answer.")

    def hold_button(self, name: str, down: bool) -> None:
        """Press or release a button at the board. Returns once its firmware has noticed."""
        with self._condition:
            self.panel.hold_button(name, down)
            self._wake_board()
            self._condition.wait_for(lambda: not self._power or self.panel.is_noticed(), MOVE_TIMEOUT_S)

    def set_plugged(self, plugged: bool) -> None:
        """Plug in or unplug the cable."""
        self._cable.set_plugged(plugged)

    def _is_blind(self) -> bool:
        return not self._power or self._node.broken_tile is not None

    def _read_chain(self) -> int:
        return self.chain.read(self._closed)

    def _check_holes(self, bits: int) -> int:
        if bits < 0 or bits >> self._holes:
            raise DeviceError(f"The board has holes 0 to {self._holes - 1} only.")
        return bits

    def _on_data(self, data: bytes) -> None:
        with self._condition:
            self._incoming.append(data)
            self._wake_board()

    def _wake_board(self) -> None:
        self._has_work = True
        self._condition.notify_all()

    def _run(self) -> None:
        # The board's main loop. A real board scans all the time; this one sleeps while no scan could differ.
        now_ms, idle_s = self._clock(), 0.0
        while self._power:
            with self._condition:
                now_ms, before_ms = self._clock(), now_ms
                late_ms = now_ms - before_ms - round(1000 * idle_s)
                if late_ms > PAUSE_THRESHOLD_MS:  # simulated players were suspended too, so this time does not count
                    self._stopped_ms += late_ms
                for data in self._incoming:
                    self._node.receive_data(data)
                self._incoming.clear()
                self._has_work = False
                self._closed = self._failing.sensed_levels(self._contacts, now_ms)
                self._node.step(now_ms - self._stopped_ms)
                if not (self._node.reported_levels ^ self._closed) & ~self._failing.flapping:
                    self._reported_moves = self._moves
                self._condition.notify_all()
                idle_s = self._idle_time_s(now_ms)
                self._condition.wait_for(lambda: self._has_work or not self._power, idle_s)

    def _idle_time_s(self, now_ms: int) -> float:
        # After a change the node has not scanned yet, its own idle time does not apply.
        if self._node.reported_levels != self._closed or (self.chain.fault is None) != (self._node.broken_tile is None):
            return STEP_INTERVAL_S
        idle_ms = self._node.idle_time_ms(now_ms - self._stopped_ms)
        flap_ms = self._failing.idle_ms(now_ms)
        return (idle_ms if flap_ms is None else min(idle_ms, flap_ms)) / 1000
