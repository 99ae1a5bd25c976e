"""From bouncing contacts to levels: all holes at once, in whole-word boolean operations. Pure; knows no clock.

A vertical counter: bit n of `_low` and `_high` together count in how many scans on end hole n has differed from its
level. At the fourth it changes; a single scan that agrees starts it afresh. A scan of 240 holes costs the same dozen
operations as a scan of one.
"""

SCANS = 4
"""A level must differ this many scans on end to be believed: what two bits can count."""

PATIENCE = 64
"""After so many scans the levels count as settled even if a hole still flaps: one bad contact silences no board."""


class Debouncer:
    """The settled `levels` of all holes, hole 0 the lowest bit."""

    def __init__(self) -> None:
        self.levels = 0
        self.settled = False
        self._low = 0
        self._high = 0
        self._scans = 0
        self._calm = 0

    def scan(self, sample: int) -> int:
        """Take in the contacts as they are at this moment; gives the holes whose level changes now, as bits."""
        if not self._scans:
            self.levels = sample
        differ = sample ^ self.levels
        changed = differ & self._low & self._high
        self._high = differ & (self._high ^ self._low)
        self._low = differ ^ (differ & self._low)
        self.levels ^= changed
        if not self.settled:
            self._settle(differ)
        return changed

    def at_rest(self) -> bool:
        """Whether the last scan agreed with the levels in every hole."""
        return self.settled and not self._low | self._high

    def _settle(self, differ: int) -> None:
        self._scans += 1
        self._calm = 0 if differ else self._calm + 1
        self.settled = self._calm >= SCANS or self._scans >= PATIENCE
