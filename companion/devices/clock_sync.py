"""When the levels that a board tells were true, by the companion's clock. Pure.

A busy or stopped computer reads a line long after it was sent: it is the board's own clock that counts, and the order
of its numbers (docs/reference/wire.md). Knows nothing of what a level means.
"""

from typing import NamedTuple

from firmware import wire

DRIFT = 1000
"""The board's clock may be wrong by so many millionths."""

BEHIND_MS = 20
"""A line this much older than the moment when the line was last empty does not fit the clocks."""

JUMPED_MS = 500
"""When lines have not fitted for so long, a clock has jumped; before, they are late."""

ASK_AGAIN_MS = 100
"""A missing number is asked for again after this long."""

GIVE_UP_MS = 1000
"""A number that is missing for so long never comes."""


class Seen(NamedTuple):
    """The levels at `ms`; those before them were so until `known_ms` at least. Times of the companion's clock."""

    bits: int
    ms: int
    known_ms: int


class Heard(NamedTuple):
    """A line of levels with the time of its arrival, and the last time at which nothing was waiting to be read."""

    line: wire.Holes
    arrived_ms: int
    empty_ms: int


class Sight:
    """The lines of one board since it was last read anew, in the order of their numbers."""

    def __init__(self) -> None:
        self.next: int | None = None
        """The number of the next line, None before the first."""
        self._waiting: dict[int, wire.Holes] = {}
        self._taken: dict[int, wire.Holes] = {}
        self._newest_ms = 0  # of the board's clock, not starting again from 0
        self._read_ms = 0
        self._difference_us: int | None = None
        self._ms: int | None = None
        self._behind_ms: int | None = None
        self._missed_ms: int | None = None
        self._asked_ms = 0

    def take(self, heard: Heard) -> list[Seen] | None:
        """What this line makes known, oldest first; None where it does not follow: all is to be read anew, from it."""
        line = heard.line
        if self.next is None:
            self.next, self._newest_ms, self._read_ms = line.number, line.ms, line.ms
        ahead = _signed(line.number - self.next)
        if ahead < 0:
            return [] if self._taken.get(line.number) == line else None
        if ahead >= wire.KEPT or self._waiting.get(line.number, line) != line:
            return None
        if not self._waiting or all(_signed(line.number - other) > 0 for other in self._waiting):
            self._compare(self._whole(line.ms), heard)
            if self._has_jumped(self._whole(line.ms), heard):
                return None
        self._waiting[line.number] = line
        return self._in_order(heard.arrived_ms)

    def missing(self, now_ms: int) -> int | None:
        """The number to be asked for now, if one is missing and was not asked for just now."""
        if self._missed_ms is None or now_ms - self._asked_ms < ASK_AGAIN_MS:
            return None
        self._asked_ms = now_ms
        return self.next

    def lost(self, now_ms: int) -> wire.Holes | None:
        """The newest line, if one before it is missing for good."""
        if self._missed_ms is None or now_ms - self._missed_ms < GIVE_UP_MS:
            return None
        newest = max(self._waiting, key=lambda number: _signed(number - (self.next or 0)))
        return self._waiting[newest]

    def _whole(self, ms: int) -> int:
        return self._newest_ms + _signed(ms - self._newest_ms)

    def _compare(self, ms: int, heard: Heard) -> None:
        """The smallest difference between arrival and the board's clock is the one of a line that nothing delayed."""
        difference = (heard.arrived_ms - ms) * 1000
        if self._difference_us is not None:
            drifted = max(0, ms - self._newest_ms) * DRIFT // 1000
            difference = min(difference, self._difference_us + drifted)
        self._difference_us = difference
        self._newest_ms = max(ms, self._newest_ms)

    def _has_jumped(self, ms: int, heard: Heard) -> bool:
        if self._mapped(ms) + BEHIND_MS >= heard.empty_ms:
            self._behind_ms = None
            return False
        if self._behind_ms is None:
            self._behind_ms = heard.arrived_ms
        return heard.arrived_ms - self._behind_ms >= JUMPED_MS

    def _mapped(self, ms: int) -> int:
        assert self._difference_us is not None
        return ms + self._difference_us // 1000

    def _in_order(self, now_ms: int) -> list[Seen] | None:
        found = []
        while (line := self._waiting.pop(self.next or 0, None)) is not None:
            ms = self._whole(line.ms)
            if ms < self._read_ms:
                return None  # the board's clock has begun again
            self._read_ms = ms
            self._ms = self._mapped(ms) if self._ms is None else max(self._ms, self._mapped(ms))
            found.append(Seen(line.bits, self._ms, self._ms))
            self._taken[line.number] = line
            self._taken.pop(line.number - wire.KEPT & wire.MASK, None)
            self.next = line.number + 1 & wire.MASK
        if not self._waiting:
            self._missed_ms = None
        elif found or self._missed_ms is None:
            self._missed_ms = now_ms
            self._asked_ms = now_ms - ASK_AGAIN_MS
        return found


def _signed(difference: int) -> int:
    """A difference of two numbers that start again from 0, of which either may be the later."""
    half = wire.MASK // 2 + 1
    return (difference + half & wire.MASK) - half
