"""Pursuit for the last two: how likely one survives, by how far the pegs are apart. Pure.

One catches the other with a front peg 30 holes and more beyond the other's back peg. So two things count: how far
one's front peg is ahead of the other's, and the gap between the front and the back peg of each, which a new score
closes: that is fleeing. The table (`tables/pursuit-survives.json`) says what that is worth before a deal.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from companion.rules.pursuit import SIDE

GAPS = (3, 7, 11, 17, SIDE)
"""Gaps between a front and a back peg up to so many holes are taken for alike."""
CLASS = tuple(next(n for n, most in enumerate(GAPS) if gap <= most) for gap in range(SIDE + 1))
"""By gap, the class."""

Survives = list[list[list[float]]]
"""The dealer's chance before a deal: by how far he is ahead, from -30 on; by his class of gap, and by pone's."""


class Pegs(NamedTuple):
    """Front and back pegs, one's own and the other's, as points. `by_front`: the front peg is the one to be caught."""

    own: int
    other: int
    own_back: int
    other_back: int
    by_front: bool = False

    def scored(self, points: int) -> "Pegs":
        """One has scored: the back peg is now where the front peg was."""
        if not points:
            return self
        front = self.own + points
        return self._replace(own=front, own_back=front if self.by_front else self.own)

    def turned(self) -> "Pegs":
        """The same as the other sees it."""
        return Pegs(self.other, self.own, self.other_back, self.own_back, self.by_front)

    @property
    def caught(self) -> bool:
        """Whether one who has just scored has caught the other."""
        return self.own >= SIDE + self.other_back

    def before_deal(self, *, dealer: bool) -> float:
        """One's chance to survive before a deal."""
        if not dealer:
            return 1 - self.turned().before_deal(dealer=True)
        ahead = max(-SIDE, min(SIDE, self.own - self.other))
        own, other = (max(0, min(SIDE, gap)) for gap in (self.own - self.own_back, self.other - self.other_back))
        return survives()[ahead + SIDE][CLASS[own]][CLASS[other]]


@cache
def survives() -> Survives:
    """The table."""
    text = files("companion.coach").joinpath("tables", "pursuit-survives.json").read_text(encoding="utf-8")
    found: Survives = json.loads(text)["dealer"]
    return found
