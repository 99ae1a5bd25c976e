"""The play as a net of places: what each rank scores in each series, worked out once. Pure.

A place is all of a series that can still matter: the count, and the last cards as far as they can make pairs or
runs. `place.after[rank]` is what a card of that rank earns there and the place it leads to, None where it would go
over 31. Places are made when they are first reached; what the quick player does in them is remembered there too.
"""

from typing import Any

from companion.coach.ranks import VALUES, Ranks
from companion.rules.play import LIMIT

_ALIKE = (0, 0, 2, 6, 12)
_LONGEST = 7

Step = tuple[int, "Place"]


class Place:
    """A series, as far as it matters. Compare places with `is`: there is one of each."""

    __slots__ = ("chosen", "count", "danger", "steps", "tail")

    def __init__(self, count: int, tail: Ranks) -> None:
        self.count = count
        self.tail = tail
        self.steps: tuple[Step | None, ...] | None = None
        self.danger: list[float | None] = [None] * 5
        self.chosen: tuple[dict[Ranks, Any], ...] = ({}, {}, {}, {}, {})

    @property
    def after(self) -> tuple[Step | None, ...]:
        """By rank: the points of that card, and the place after it; None where it does not fit."""
        if self.steps is None:
            self.steps = tuple(self._step(rank) for rank in range(13))
        return self.steps

    def _step(self, rank: int) -> Step | None:
        count = self.count + VALUES[rank]
        if count > LIMIT:
            return None
        points, tail = _laid(self.tail, rank)
        if count in (15, LIMIT):
            points += 2
        return points, START if count == LIMIT else place(count, tail)


_PLACES: dict[tuple[int, Ranks], Place] = {}


def place(count: int, tail: Ranks) -> Place:
    """The one place of that count and those last cards."""
    found = _PLACES.get((count, tail))
    if found is None:
        found = _PLACES[count, tail] = Place(count, tail)
    return found


START = place(0, ())
"""Before the first card of a series."""


def reached(series: Ranks) -> Place:
    """The place after these ranks, in the order they were played. They must fit."""
    at = START
    for rank in series:
        step = at.after[rank]
        if step is None:
            raise ValueError("No card may take the count over 31.")
        at = step[1]
    return at


def _laid(tail: Ranks, rank: int) -> tuple[int, Ranks]:
    """What a card earns by pairs and runs after these last cards, and the last cards then."""
    alike = 1
    while alike < min(4, len(tail) + 1) and tail[-alike] == rank:
        alike += 1
    if alike > 1:
        return _ALIKE[alike], (rank,) * alike
    fresh: list[int] = [rank]
    low = high = rank
    run = 0
    for before in reversed(tail):
        low, high = min(low, before), max(high, before)
        if before in fresh or high - low >= _LONGEST:
            break
        fresh.append(before)
        if len(fresh) >= 3 and high - low == len(fresh) - 1:
            run = len(fresh)
    return run, tuple(reversed(fresh))
