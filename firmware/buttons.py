"""Debounces buttons and counts their presses. Pure. The companion uses it too, for buttons at a Raspberry Pi's pins."""

from firmware.debounce import Debouncer

MAX_PRESSES = 256
"""Numbers of presses start again from 0 before this one."""


class ButtonCounter:
    """Levels and presses of `count` buttons. Bit i of a sample is button i, 1 while it is down.

    A press counts when the button has been down for four scans. A button that is down at the start is stuck or leant
    on, and counts when it is pressed next.
    """

    def __init__(self, count: int) -> None:
        self.presses = [0] * count
        """Number of presses of each button since the start, modulo `MAX_PRESSES`."""
        self._debouncer = Debouncer()

    @property
    def levels(self) -> int:
        """The debounced levels, as bits."""
        return self._debouncer.levels

    def scan(self, sample: int) -> int:
        """Process one sample of all buttons. Returns the buttons whose level changes, as bits."""
        changed = self._debouncer.scan(sample)
        if changed and self._debouncer.settled:
            for button in range(len(self.presses)):
                if changed & self._debouncer.levels & 1 << button:
                    self.presses[button] = (self.presses[button] + 1) % MAX_PRESSES
        return changed

    def is_at_rest(self) -> bool:
        """Return whether the last scan agreed with the levels of all buttons."""
        return self._debouncer.is_at_rest()
