"""Debounces all contacts at once, with boolean operations on whole words. Pure; uses no clock.

A vertical counter: bit n of `_low` and `_high` together count the consecutive scans in which hole n differed from its
level. After the fourth the level changes; a scan that agrees resets the counter. A scan of 240 holes takes the same
dozen operations as a scan of one.
"""

SCANS_TO_CHANGE = 4
"""Consecutive scans after which a level changes: what two bits can count."""

MAX_SETTLING_SCANS = 64
"""Scans after which the levels count as settled even if a hole still flaps, so that one bad contact blocks nothing."""


class Debouncer:
    """The debounced `levels` of all holes, hole 0 the lowest bit. They are valid once `settled` is true."""

    def __init__(self) -> None:
        self.levels = 0
        self.settled = False
        self._low = 0
        self._high = 0
        self._scans = 0
        self._calm = 0

    def scan(self, sample: int) -> int:
        """Process one sample of all contacts. Returns the holes whose level changes, as bits."""
        if not self._scans:
            self.levels = sample
        differ = sample ^ self.levels
        changed = differ & self._low & self._high
        self._high = differ & (self._high ^ self._low)
        self._low = differ ^ (differ & self._low)
        self.levels ^= changed
        if not self.settled:
            self._update_settled(differ)
        return changed

    def is_at_rest(self) -> bool:
        """Return whether the last scan agreed with the levels of all holes."""
        return self.settled and not self._low | self._high

    def _update_settled(self, differ: int) -> None:
        self._scans += 1
        self._calm = 0 if differ else self._calm + 1
        self.settled = self._calm >= SCANS_TO_CHANGE or self._scans >= MAX_SETTLING_SCANS
