"""One session with a board: checks its greeting, times its levels, and requests lost lines.

Levels count only after a greeting of a matching board. Both protocol versions are read (docs/reference/wire.md). A busy
or suspended computer may read a line long after it was sent, so levels are timed by the board's own clock.
"""

from collections.abc import Callable
from typing import NamedTuple

from companion.devices.device_thread import DeviceThread
from companion.devices.serial_line import BoardLine
from companion.i18n import format_message, gettext_noop
from firmware import wire

MAX_DRIFT_PPM = 1000
"""Largest drift of the board's clock, in parts per million."""

LATE_TOLERANCE_MS = 20
"""A line older than the last empty moment of the serial line by more than this, in ms, does not fit the clocks."""

CLOCK_JUMP_MS = 500
"""If lines do not fit the clocks for this time in ms, a clock has jumped. Until then they count as late."""

RETRY_INTERVAL_MS = 100
"""Interval in ms at which a missing line is requested again."""

MISSING_TIMEOUT_MS = 1000
"""A line missing for this time in ms is given up."""


class TimedLevels(NamedTuple):
    """The levels at `ms`; the levels before held until `known_ms` at least. In ms of the companion's clock."""

    bits: int
    ms: int
    known_ms: int


class ReceivedLine(NamedTuple):
    """A line of levels, the time of its arrival, and the last time at which nothing was waiting to be read, in ms."""

    line: wire.Holes
    arrived_ms: int
    empty_ms: int


class ClockSync:
    """Orders and times the lines of one board since it was last read from scratch."""

    def __init__(self) -> None:
        self.next_number: int | None = None
        """Number of the next line, or None before the first."""
        self._pending: dict[int, wire.Holes] = {}
        self._received: dict[int, wire.Holes] = {}
        self._newest_ms = 0  # of the board's clock, unwrapped
        self._read_ms = 0
        self._offset_us: int | None = None
        self._last_ms: int | None = None
        self._late_since_ms: int | None = None
        self._missing_since_ms: int | None = None
        self._requested_ms = 0

    def receive_line(self, received: ReceivedLine) -> list[TimedLevels] | None:
        """Return the levels that this line completes, oldest first.

        Returns None if it cannot follow the lines before it; the caller then starts again from this line.
        """
        line = received.line
        if self.next_number is None:
            self.next_number, self._newest_ms, self._read_ms = line.number, line.ms, line.ms
        ahead = _wrapped_difference(line.number - self.next_number)
        if ahead < 0:
            return [] if self._received.get(line.number) == line else None
        if ahead >= wire.LINES_KEPT or self._pending.get(line.number, line) != line:
            return None
        if not self._pending or all(_wrapped_difference(line.number - other) > 0 for other in self._pending):
            self._update_offset(self._unwrap_ms(line.ms), received)
            if self._has_jumped(self._unwrap_ms(line.ms), received):
                return None
        self._pending[line.number] = line
        return self._release_lines(received.arrived_ms)

    def number_to_request(self, now_ms: int) -> int | None:
        """Return the number of a missing line that is due to be requested (again), or None."""
        if self._missing_since_ms is None or now_ms - self._requested_ms < RETRY_INTERVAL_MS:
            return None
        self._requested_ms = now_ms
        return self.next_number

    def newest_after_loss(self, now_ms: int) -> wire.Holes | None:
        """Return the newest line if a line before it has been given up, else None."""
        if self._missing_since_ms is None or now_ms - self._missing_since_ms < MISSING_TIMEOUT_MS:
            return None
        newest = max(self._pending, key=lambda number: _wrapped_difference(number - (self.next_number or 0)))
        return self._pending[newest]

    def _unwrap_ms(self, ms: int) -> int:
        return self._newest_ms + _wrapped_difference(ms - self._newest_ms)

    def _update_offset(self, ms: int, received: ReceivedLine) -> None:
        """Update the clock offset: the smallest difference between arrival and the board's clock, plus drift."""
        difference = (received.arrived_ms - ms) * 1000
        if self._offset_us is not None:
            drifted = max(0, ms - self._newest_ms) * MAX_DRIFT_PPM // 1000
            difference = min(difference, self._offset_us + drifted)
        self._offset_us = difference
        self._newest_ms = max(ms, self._newest_ms)

    def _has_jumped(self, ms: int, received: ReceivedLine) -> bool:
        if self._to_companion_ms(ms) + LATE_TOLERANCE_MS >= received.empty_ms:
            self._late_since_ms = None
            return False
        if self._late_since_ms is None:
            self._late_since_ms = received.arrived_ms
        return received.arrived_ms - self._late_since_ms >= CLOCK_JUMP_MS

    def _to_companion_ms(self, ms: int) -> int:
        assert self._offset_us is not None
        return ms + self._offset_us // 1000

    def _release_lines(self, now_ms: int) -> list[TimedLevels] | None:
        levels = []
        while (line := self._pending.pop(self.next_number or 0, None)) is not None:
            ms = self._unwrap_ms(line.ms)
            if ms < self._read_ms:
                return None  # the board's clock has restarted
            self._read_ms = ms
            self._last_ms = (
                self._to_companion_ms(ms) if self._last_ms is None else max(self._last_ms, self._to_companion_ms(ms))
            )
            levels.append(TimedLevels(line.bits, self._last_ms, self._last_ms))
            self._received[line.number] = line
            self._received.pop(line.number - wire.LINES_KEPT & wire.COUNTER_MASK, None)
            self.next_number = line.number + 1 & wire.COUNTER_MASK
        if not self._pending:
            self._missing_since_ms = None
        elif levels or self._missing_since_ms is None:
            self._missing_since_ms = now_ms
            self._requested_ms = now_ms - RETRY_INTERVAL_MS
        return levels


def _wrapped_difference(difference: int) -> int:
    """Return the signed difference of two counters that wrap to 0; either may be the later one."""
    half = wire.COUNTER_MASK // 2 + 1
    return (difference + half & wire.COUNTER_MASK) - half


LEARNING_BOARD = "learn"
"""The name with which a Pico greets while the wiring of a board is learned: its program reads inputs, not holes."""

OLD_WIRE_NOTE = format_message(
    "The board uses protocol version 1. It works, but lost messages go unnoticed. Update it with companion flash."
)
"""Status text of a board whose lines have no numbers."""

_CHAIN_BROKEN = gettext_noop(
    "Tile {tile} of the board, or the one before it, has lost a wire or its power: check their cables."
)

_STILL_LEARNING = gettext_noop("The Pico still has the program that learns the wiring. Run companion flash for {ours}.")

_NOT_LEARNING = gettext_noop(
    "The Pico does not have the program that learns the wiring. Run companion learn again with --flash."
)

_OTHER_BOARD = gettext_noop(
    "The Pico has the program of the board {its}; this game is played on {ours}. Run companion flash for {ours}."
)

_BOARD_FAULT = gettext_noop("The board reports a fault: {why}.")

_LINES_LOST = format_message("Some messages from the board were lost. Reading all pegs again.")


class BoardSession:
    """Reports the levels by `on_levels(bits, ms, known_ms)`, and the board's state to its thread.

    Only the thread that reads the line may call the methods, except `request_levels`.
    """

    def __init__(
        self,
        holes: int,
        line: BoardLine,
        on_levels: Callable[[int, int, int], None],
        thread: DeviceThread,
        *,
        board_name: str = "",
    ) -> None:
        """`board_name`: the name with which the board greets; empty if any will do."""
        self._holes = holes
        self._board_name = board_name
        self._line = line
        self._on_levels = on_levels
        self._device_thread = thread
        self.is_accepted = False
        """Whether the board at the other end has the right version, name and number of holes."""
        self._is_ok = False
        self._note = ""
        self._last_levels: TimedLevels | None = None
        self._clock_sync = ClockSync()

    def request_levels(self) -> None:
        """Ask the board for its levels at its next scan. Any thread may call this."""
        next_number = self._clock_sync.next_number
        self._line.write(wire.ASK if next_number is None else wire.encode_ask(next_number))

    def on_message(self, message: "wire.Message", now_ms: int, empty_ms: int) -> None:
        """Handle a message that arrived at `now_ms`. At `empty_ms` no data was waiting to be read."""
        if isinstance(message, wire.Hello):
            self._on_hello(message)
        elif isinstance(message, wire.Fault):
            if self.is_accepted:
                self._on_fault(message.tile)
        elif isinstance(message, wire.Failed):
            self._on_failure(message.why)
        elif isinstance(message, wire.Holes) and self.is_accepted and not message.bits >> self._holes:
            received = ReceivedLine(message, now_ms, empty_ms)
            if message.number is None:
                self._report_levels([self._time_unnumbered(received)])
            elif (levels := self._clock_sync.receive_line(received)) is not None:
                self._report_levels(levels)
            else:
                self._restart_from(received)

    def request_missing(self, now_ms: int) -> None:
        """Request a missing line again. If it never arrives, restart from the newest line."""
        newest = self._clock_sync.newest_after_loss(now_ms)
        if newest is not None:
            self._restart_from(ReceivedLine(newest, now_ms, now_ms))
        elif (missing := self._clock_sync.number_to_request(now_ms)) is not None:
            self._line.write(wire.encode_ask(missing))

    def _on_hello(self, hello: "wire.Hello") -> None:
        wrong = self._explain_mismatch(hello)
        self.is_accepted = not wrong
        self._is_ok = self._is_ok and self.is_accepted
        if hello.wire == 1:
            self._note = OLD_WIRE_NOTE
        if wrong:
            self._device_thread.report_fault(wrong)

    def _on_fault(self, tile: str) -> None:
        """Report a broken chain. All levels are unknown until it is whole again."""
        self._is_ok = False
        self._clock_sync = ClockSync()
        self._device_thread.report_fault(format_message(_CHAIN_BROKEN, tile=tile))

    def _on_failure(self, why: str) -> None:
        """Report a failure of the firmware, or of a part. The status keeps this text as long as the line is open."""
        self._note = format_message(_BOARD_FAULT, why=why)
        if self._is_ok:
            self._device_thread.report_ok(self._note)
        else:
            self._device_thread.report_fault(self._note)

    def _explain_mismatch(self, hello: "wire.Hello") -> str:
        if hello.wire not in (1, wire.VERSION):
            return format_message(
                "The board uses protocol version {its}, the companion version {ours}. "
                "Update the board with companion flash.",
                its=hello.wire,
                ours=wire.VERSION,
            )
        if hello.board and self._board_name and hello.board != self._board_name:
            text = _NOT_LEARNING if self._board_name == LEARNING_BOARD else _OTHER_BOARD
            text = _STILL_LEARNING if hello.board == LEARNING_BOARD else text
            return format_message(text, its=hello.board, ours=self._board_name)
        if hello.holes != self._holes:
            return format_message(
                "The connected board has {its} holes; this game's board has {ours}.", its=hello.holes, ours=self._holes
            )
        return ""

    def _time_unnumbered(self, received: ReceivedLine) -> TimedLevels:
        """Time a line of protocol 1, which has no clock and may have waited since `empty_ms`."""
        same = self._last_levels is not None and self._last_levels.bits == received.line.bits
        return TimedLevels(received.line.bits, received.empty_ms if same else received.arrived_ms, received.empty_ms)

    def _restart_from(self, received: ReceivedLine) -> None:
        """Start again from this line, as after reconnecting: pegs may have moved unseen."""
        if self._is_ok:
            self._is_ok = False
            self._device_thread.report_fault(_LINES_LOST)
        self._clock_sync = ClockSync()
        self._report_levels(self._clock_sync.receive_line(received) or [])

    def _report_levels(self, all_levels: list[TimedLevels]) -> None:
        for levels in all_levels:
            self._last_levels = levels
            self._on_levels(*levels)  # before the status changes, or the old levels would count for a moment
            if not self._is_ok:
                self._is_ok = True
                self._device_thread.report_ok(self._note)
                self._on_levels(*levels)  # again, since levels count only after the board is reported to work
