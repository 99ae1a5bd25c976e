"""Which holes are taken now, and when each last changed. Pure; works only on the holes that changed.

Levels, not edges: every report carries all holes, and a report lost costs a moment, never the truth.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from companion.board.shape.lanes import holes_of

NEVER = -(10**15)
"""Before anything was seen."""
KEPT = 24
"""So many changes of one hole are remembered."""
BOUNCE_MS = 60
"""Changes closer than this are one step: a hand that lifts a peg may rattle it."""
FORGET_MS = 120_000
"""A change longer ago than this says nothing any more."""


class Changes(NamedTuple):
    """When a hole was last filled and last emptied; its latest changes, and of these the ones that no hand explains.

    `down_ms` is when it was last filled, rattling aside: when a peg came.
    """

    filled_ms: int = NEVER
    emptied_ms: int = NEVER
    flips: tuple[int, ...] = ()
    own: tuple[int, ...] = ()
    down_ms: int = NEVER


_NONE = Changes()


def steps(changes: Sequence[int]) -> int:
    """How often a hole has changed at these times, rattling aside."""
    return (1 + sum(ms - before > BOUNCE_MS for before, ms in pairwise(changes))) if changes else 0


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels last reported and the history of the holes that changed of late."""

    bits: int = 0
    changes: Mapping[int, Changes] = field(default_factory=dict)

    def of(self, hole: int) -> Changes:
        """The hole's history."""
        return self.changes.get(hole, _NONE)

    def changed(self, hole: int) -> int:
        """When the hole last changed."""
        of = self.changes.get(hole, _NONE)
        return max(of.filled_ms, of.emptied_ms)

    def explained(self, holes: Iterable[int]) -> "Levels":
        """The levels where a hand is known to have made the changes of these holes: none has flapped or was touched."""
        calm = {h: c._replace(flips=(), own=()) for h in holes if (c := self.changes.get(h)) is not None}
        left = {h: c._replace(filled_ms=NEVER, down_ms=NEVER) for h, c in calm.items() if not self.bits >> h & 1}
        return Levels(self.bits, {**self.changes, **calm, **left}) if calm else self

    def reported(self, bits: int, now_ms: int, handled: int = 0) -> "Levels":
        """The levels after a report. In the holes of `handled` a hand may be at work."""
        changes = dict(self.changes)
        if len(changes) > 64:
            changes = {h: c for h, c in changes.items() if max(c[:2]) > now_ms - FORGET_MS}
        for hole in holes_of(self.bits ^ bits):
            of = changes.get(hole, _NONE)
            flips = (*of.flips[1 - KEPT :], now_ms)
            own = of.own if handled >> hole & 1 else (*of.own[1 - KEPT :], now_ms)
            if bits >> hole & 1:
                down_ms = of.down_ms if now_ms - of.filled_ms <= BOUNCE_MS else now_ms
                changes[hole] = Changes(now_ms, of.emptied_ms, flips, own, down_ms)
            else:
                changes[hole] = Changes(of.filled_ms, now_ms, flips, own, of.down_ms)
        return Levels(bits, changes)
