"""The switches below a simulated board's holes, some of which fail: what they tell of the pegs. Pure; time is given."""

from typing import NamedTuple

FLAP_MS = 200
"""A flapping switch changes this often: slower than a contact's chatter, so that the board's program tells of each."""


class Failing(NamedTuple):
    """The holes whose switches fail, by how they fail; as bits, and each hole in one of these at most."""

    stuck: int = 0
    """Closed for ever: tells a peg, whether or not one is in."""
    flapping: int = 0
    """Opens and closes by itself."""
    dead: int = 0
    """Open for ever: tells no peg."""

    def with_fault(self, holes: int, kind: str | None) -> "Failing":
        """The same, but these holes fail in this way from now on; None mends them."""
        rest = Failing(*(each & ~holes for each in self))
        return rest._replace(**{kind: getattr(rest, kind) | holes}) if kind else rest

    def told(self, occupied: int, now_ms: int) -> int:
        """What the switches tell of the pegs in `occupied`."""
        flips = self.flapping if now_ms // FLAP_MS & 1 else 0
        return ((occupied | self.stuck) & ~self.dead) ^ flips

    def idle_ms(self, now_ms: int) -> int | None:
        """How long until a switch changes by itself; None where none does."""
        return FLAP_MS - now_ms % FLAP_MS if self.flapping else None


KINDS = Failing._fields
"""The ways to fail, by name."""
