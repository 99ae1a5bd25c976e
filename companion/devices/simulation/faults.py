"""Faults of a simulated board's sensors: which levels they report for the pegs. Pure."""

from typing import NamedTuple

FLAP_INTERVAL_MS = 200
"""Interval in ms at which a flapping sensor changes. Slower than contact bounce, so that the firmware reports each."""


class SensorFaults(NamedTuple):
    """The holes with a faulty sensor, as bits, by kind of fault. A hole has at most one fault."""

    stuck: int = 0
    """Always closed: reports a peg whether or not one is in."""
    flapping: int = 0
    """Opens and closes by itself."""
    dead: int = 0
    """Always open: never reports a peg."""

    def with_fault(self, holes: int, kind: str | None) -> "SensorFaults":
        """Return these faults with this kind of fault for these holes; None repairs them."""
        rest = SensorFaults(*(each & ~holes for each in self))
        return rest._replace(**{kind: getattr(rest, kind) | holes}) if kind else rest

    def sensed_levels(self, occupied: int, now_ms: int) -> int:
        """Return the levels that the sensors report for the pegs in `occupied`."""
        flips = self.flapping if now_ms // FLAP_INTERVAL_MS & 1 else 0
        return ((occupied | self.stuck) & ~self.dead) ^ flips

    def idle_ms(self, now_ms: int) -> int | None:
        """Return the time in ms until a sensor changes by itself, or None if none does."""
        return FLAP_INTERVAL_MS - now_ms % FLAP_INTERVAL_MS if self.flapping else None


FAULT_KINDS = SensorFaults._fields
"""The kinds of fault, by name."""
