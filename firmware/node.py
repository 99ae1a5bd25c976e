"""The core of the firmware: reads the holes, debounces them and reports them. Pins, clock and line are passed in.

It sends the levels of all holes at each change, repeatedly after a change, every second, and when asked, but not before
the contacts have settled. Each line has a number and the time of its scan; the last lines are kept to be sent again.
While a sentinel of the chain is wrong, it reports the fault instead of levels. The companion interprets the pegs.
"""

from firmware import wire
from firmware.chain import Chain
from firmware.debounce import SCANS_TO_CHANGE, Debouncer
from firmware.pixels import FrameBuffer

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no collections.abc and no typing
    from collections.abc import Callable
    from typing import Any

    from firmware.panel import Panel
    from firmware.pixels import StripPort

VERSION = "0.1.0"
"""Version of the firmware, sent in its greeting."""

SCAN_INTERVAL_MS = 4
"""Interval in ms between two scans. Four equal scans make a level: a change is sent 12 to 16 ms after the contact."""

MAX_LAG_MS = 2
"""Time in ms by which two scans may follow one another sooner after a late one."""

MAX_STEPS_WITHOUT_PANEL = 3

REPORT_INTERVAL_MS = 1000
"""Interval in ms at which greeting and levels are sent without a change, as a sign of life."""

REPEAT_INTERVAL_MS = 50
"""Interval in ms at which levels are repeated after a change, so that a lost line is soon noticed."""

MAX_REPEATS = 30
"""Number of repeats after the last change: 1.5 s, in which the companion reads the pegs."""

SCANS_TO_RECOVER = 50
"""Consecutive scans with right sentinels (0.2 s) after which a broken chain counts as whole again."""

SESSION_TIMEOUT_MS = 25_000
"""The companion sends a line every 10 s. After this time in ms without one, the session has ended."""


class Node:
    """The firmware of one board.

    :param board: the parsed `board.json`.
    :param read: returns the chain as a number. Bit i is the level of `board["chain"][i]`: a hole, 1 with a peg, or a
        sentinel.
    :param send: sends bytes to the companion.
    :param chip: unique id of the microcontroller.
    :param strip: the strip of pixels, of up to four bytes each, or None.
    :param panel: the buttons, buzzer and display, or None.
    """

    def __init__(
        self,
        board: "dict[str, Any]",
        read: "Callable[[], int]",
        send: "Callable[[bytes], object]",
        chip: str = "unknown",
        strip: "StripPort | None" = None,
        panel: "Panel | None" = None,
    ) -> None:
        self.reported_levels = -1
        """The levels last sent, hole 0 the lowest bit; -1 before the first."""
        self.should_quit = False
        """Whether the companion has asked the firmware to quit."""
        self.broken_tile: "str | None" = None
        """The tile at which the chain is broken, or None while it is whole."""
        self._chain = Chain(board)
        self.holes = self._chain.count
        self._count = len(board.get("pixels") or ()) if strip is not None else 0
        self._pixels = FrameBuffer(strip, 4 * self._count) if strip is not None else None
        self._panel = panel
        self._is_panel_report_due = False
        self._name = str(board.get("board") or "")
        self._read = read
        self._send = send
        self._chip = chip
        self._decoder = wire.Decoder()
        self._debouncer = Debouncer()
        self._wrong_scans = 0
        self._right_scans = 0
        self._levels = -1
        self._is_report_requested = True
        self._resend_from = -1
        self._next = 0
        self._sent_lines = [b""] * wire.LINES_KEPT
        self._repeats_left = 0
        self._scanned_ms = -SCAN_INTERVAL_MS
        self._steps_without_panel = 0
        self._changing_scans = 0
        self._reported_ms = 0
        self._greeted_ms = 0
        self._has_received = False
        self._received_ms: "int | None" = None

    def receive_data(self, data: bytes) -> None:
        """Process bytes from the companion. A `?` line is answered at the next scan."""
        for message in self._decoder.feed(data):
            self._has_received = True
            if isinstance(message, wire.Ask):
                if message.number is None:
                    self._is_report_requested = True
                    if self._panel is not None:
                        self._panel.request_faults()
                elif self._resend_from < 0 or _elapsed_ms(message.number, self._resend_from) <= wire.LINES_KEPT:
                    self._resend_from = message.number  # keep the oldest of several requests
            elif isinstance(message, wire.Paint) and self._pixels:
                self._pixels.write_chunk(message.at, message.data)
            elif isinstance(message, wire.Show) and self._pixels:
                self._pixels.request_show(message.count, message.check)
            elif isinstance(message, wire.Quit):
                self.should_quit = True
            elif isinstance(message, wire.Bye):
                self._end_session()
            elif self._panel is not None:
                self._panel.on_message(message)

    def step(self, now_ms: int) -> None:
        """Scan if it is time, and send what is due. May be called as often as you like.

        A scan that is late by up to MAX_LAG_MS does not delay those after it. While a level changes there are only
        scans. The panel waits while there is other work, for MAX_STEPS_WITHOUT_PANEL steps at most.
        """
        if self._has_received:
            self._has_received = False
            self._received_ms = now_ms
        self._steps_without_panel += 1
        late_ms = _elapsed_ms(self._scanned_ms, now_ms) - SCAN_INTERVAL_MS
        if late_ms >= 0:
            self._scanned_ms = now_ms - min(late_ms, MAX_LAG_MS)
            self._scan(now_ms)
        if self.is_changing():
            return
        if self._pixels and self._pixels.step():
            self._send(wire.encode_lit(self._pixels.lit))
        elif late_ms < 0 or self._steps_without_panel > MAX_STEPS_WITHOUT_PANEL:
            self._steps_without_panel = 0
            if self._panel is not None:
                self._panel.step(now_ms)

    def _scan(self, now_ms: int) -> None:
        raw = self._read()
        if not self._is_chain_whole(raw):
            self._report_fault(now_ms)
        else:
            self._debouncer.scan(raw & self._chain.inputs)
            is_changing = self._debouncer.settled and not self._debouncer.is_at_rest()
            self._changing_scans = self._changing_scans + 1 if is_changing else 0
            if self._debouncer.settled:
                self._report_due(now_ms)
        if self._panel is not None:
            self._panel.scan(now_ms)
            if self._greeted_ms != now_ms:  # the greeting takes long enough: the panel's lines follow in the next scan
                lines = self._panel.take_lines(now_ms, self._is_panel_report_due)
                self._is_panel_report_due = False
                if lines:
                    self._send(lines)

    def has_session(self, now_ms: int) -> bool:
        """Return whether the companion is connected."""
        if self._received_ms is not None and _elapsed_ms(self._received_ms, now_ms) >= SESSION_TIMEOUT_MS:
            self._end_session()
        return self._has_received or self._received_ms is not None

    def is_changing(self) -> bool:
        """Return whether a level may change in one of the next scans. A contact that flaps counts only at first."""
        return 0 < self._changing_scans < SCANS_TO_CHANGE

    def _end_session(self) -> None:
        self._has_received = False
        self._received_ms = None
        if self._pixels:
            self._pixels.darken()  # pixels keep their last frame, which would mislead the players
        if self._panel is not None:
            self._panel.end_session()

    def idle_time_ms(self, now_ms: int) -> int:
        """Return the time in ms in which `step` has nothing to do unless a contact changes. For simulated boards."""
        if (self._panel is not None and not self._panel.is_idle()) or (self._pixels and self._pixels.is_show_requested):
            return 1
        idle = REPORT_INTERVAL_MS - _elapsed_ms(self._greeted_ms, now_ms)
        if self.broken_tile is not None and not self._right_scans and not self._is_report_requested:
            return max(0, idle)
        if self._is_report_requested or self._resend_from >= 0 or self._wrong_scans or not self._debouncer.is_at_rest():
            return max(0, SCAN_INTERVAL_MS - _elapsed_ms(self._scanned_ms, now_ms))
        if self._repeats_left:
            idle = min(idle, REPEAT_INTERVAL_MS - _elapsed_ms(self._reported_ms, now_ms))
        return max(0, idle)

    def _is_chain_whole(self, raw: int) -> bool:
        """Return whether this scan counts: its sentinels are right, and a chain that was broken has recovered."""
        tile = self._chain.find_broken_tile(raw)
        if tile is not None:
            self._right_scans = 0
            self._wrong_scans += 1
            if self._wrong_scans == SCANS_TO_CHANGE:
                self._is_report_requested = True
            if self._wrong_scans >= SCANS_TO_CHANGE:
                self.broken_tile = tile
            return False
        if self._wrong_scans:
            self._right_scans += 1
            if self._right_scans >= SCANS_TO_RECOVER:
                self._wrong_scans = 0
                if self.broken_tile is not None:
                    self._reset_debouncer()
        return self.broken_tile is None

    def _reset_debouncer(self) -> None:
        """Start debouncing again, as after power on."""
        self.broken_tile = None
        self._debouncer = Debouncer()
        self._is_report_requested = True

    def _report_fault(self, now_ms: int) -> None:
        is_due = self._is_report_requested or _elapsed_ms(self._greeted_ms, now_ms) >= REPORT_INTERVAL_MS
        if self.broken_tile is None or not is_due:
            return
        self._resend_from = -1  # levels from before the fault are outdated: do not send them again
        self._send_hello(now_ms)
        self._send(wire.encode_fault(self.broken_tile))

    def _report_due(self, now_ms: int) -> None:
        news = self._debouncer.levels != self._levels
        if news:
            self._repeats_left = MAX_REPEATS
        if self._resend_from >= 0:
            news = self._resend_lines() or news
        if self._is_report_requested or _elapsed_ms(self._greeted_ms, now_ms) >= REPORT_INTERVAL_MS:
            self._send_hello(now_ms)
            self._send_levels(now_ms)
        elif news or (self._repeats_left and _elapsed_ms(self._reported_ms, now_ms) >= REPEAT_INTERVAL_MS):
            self._send_levels(now_ms)

    def _send_hello(self, now_ms: int) -> None:
        self._is_report_requested = False
        self._is_panel_report_due = True
        self._greeted_ms = now_ms
        lit = self._pixels.lit if self._pixels else ""
        self._send(wire.encode_hello(self._chain.count, VERSION, self._chip, self._name, self._count, lit))

    def _resend_lines(self) -> bool:
        """Send the lines again from the requested one on. Returns whether a new line is needed too."""
        resend_from, self._resend_from = self._resend_from, -1
        count = self._next - resend_from & wire.COUNTER_MASK
        if count == 0:
            return True
        if count > wire.LINES_KEPT or not self._sent_lines[resend_from % wire.LINES_KEPT]:
            self._is_report_requested = True  # no longer kept: send a greeting and new levels
            return False
        for number in range(resend_from, resend_from + count):
            self._send(self._sent_lines[number % wire.LINES_KEPT])
        return False

    def _send_levels(self, now_ms: int) -> None:
        if self._levels != self._debouncer.levels:
            self._levels = self._debouncer.levels
            self.reported_levels = self._chain.hole_levels(self._levels)
        self._reported_ms = now_ms
        self._repeats_left -= self._repeats_left > 0
        line = wire.encode_holes(self._next, now_ms & wire.COUNTER_MASK, self.reported_levels, self._chain.count)
        self._sent_lines[self._next % wire.LINES_KEPT] = line
        self._next = self._next + 1 & wire.COUNTER_MASK
        self._send(line)


def _elapsed_ms(then_ms: int, now_ms: int) -> int:
    # MicroPython's clock wraps to 0 after 2**30 ms, twelve days.
    return now_ms - then_ms & wire.COUNTER_MASK
