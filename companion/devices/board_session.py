"""One session with a board: checks its greeting, times its levels, and requests lost lines.

Levels count only after a greeting of a matching board. Both protocol versions are read (docs/reference/wire.md).
"""

from collections.abc import Callable

from companion.devices.clock_sync import ClockSync, ReceivedLine, TimedLevels
from companion.devices.device_thread import DeviceThread
from companion.devices.serial_line import BoardLine
from companion.i18n import format_message, gettext_noop
from firmware import wire

OLD_WIRE_NOTE = format_message(
    "The board uses protocol version 1. It works, but lost messages go unnoticed. Update it with companion flash."
)
"""Status text of a board whose lines have no numbers."""

_CHAIN_BROKEN = gettext_noop(
    "Tile {tile} of the board, or the one before it, has lost a wire or its power: check their cables."
)

_PROGRAM_FAILED = gettext_noop("The board's program failed ({why}) and restarted.")

_LINES_LOST = format_message("Some messages from the board were lost. Reading all pegs again.")


class BoardSession:
    """Reports the levels by `on_levels(bits, ms, known_ms)`, and the board's state to its thread.

    Only the thread that reads the line may call the methods, except `request_levels`.
    """

    def __init__(
        self, holes: int, line: BoardLine, on_levels: Callable[[int, int, int], None], thread: DeviceThread
    ) -> None:
        self._holes = holes
        self._line = line
        self._on_levels = on_levels
        self._device_thread = thread
        self.is_accepted = False
        """Whether the board at the other end has the right version and number of holes."""
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
        """Report that the firmware failed and restarted. The status keeps this text as long as the line is open."""
        self._note = format_message(_PROGRAM_FAILED, why=why)
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
