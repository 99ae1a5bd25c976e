"""Converts the board's clock to the companion's, and orders the board's lines by number. Pure.

A busy or suspended computer may read a line long after it was sent, so levels are timed by the board's own clock
(docs/reference/wire.md).
"""

from typing import NamedTuple

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
