"""The play as a net of places: what each rank scores in each series, worked out once. Pure.

A place is all of a series that can still matter: the count, and the last cards as far as they can make pairs or runs.
Places are made when they are first reached; what the quick player does in them is remembered there too.
"""

from functools import lru_cache
from typing import Any

from companion.coach.cribbage.ranks import VALUES, Ranks
from companion.rules.play import LIMIT

_ALIKE = (0, 0, 2, 6, 12)
_LONGEST = 7

Step = tuple[int, "Place"]


class Place:
    """A series, as far as it matters."""

    __slots__ = ("_steps", "chosen", "count", "outlook", "tail")

    def __init__(self, count: int, tail: Ranks) -> None:
        self.count = count
        self.tail = tail
        self.begin()

    def begin(self) -> None:
        """Nothing is known here yet."""
        self._steps: dict[int, Step | None] = {}
        self.chosen: list[dict[Ranks, Any]] = [NONE] * 5
        self.outlook: list[Any] = [None] * 5

    def step(self, rank: int) -> Step | None:
        """What a card of that rank earns here and the place it leads to, None where it would go over 31."""
        try:
            return self._steps[rank]
        except KeyError:
            found = self._steps[rank] = self._step(rank)
            return found

    def _step(self, rank: int) -> Step | None:
        count = self.count + VALUES[rank]
        if count > LIMIT:
            return None
        points = earned(self.tail, count, rank)
        return points, START if count == LIMIT else place(count, tail_after(self.tail, rank, LIMIT - count))


NONE: dict[Ranks, Any] = {}
"""What was chosen at a place where nothing was; never written to."""

_PLACES: dict[tuple[int, Ranks], Place] = {}
_MOST = 12_000
"""Places kept, with all that was chosen there some 120 MB: beyond, all but the start are forgotten and made anew."""


def place(count: int, tail: Ranks) -> Place:
    """The place of that count and those last cards."""
    found = _PLACES.get((count, tail))
    if found is None:
        if len(_PLACES) >= _MOST:
            forget()
        found = _PLACES[count, tail] = Place(count, tail)
    return found


START = place(0, ())
"""Before the first card of a series."""


def forget() -> None:
    """Begin the net anew. Places that somebody still holds stay as good as they were."""
    _PLACES.clear()
    START.begin()


def reached(series: Ranks) -> Place:
    """The place after these ranks, in the order they were played. They must fit."""
    at = START
    for rank in series:
        step = at.step(rank)
        if step is None:
            raise ValueError("No card may take the count over 31.")
        at = step[1]
    return at


def earned(tail: Ranks, count: int, rank: int) -> int:
    """What a card of that rank earns after these last cards where it makes the count so high."""
    return _pairs_and_runs(tail)[rank] + (2 if count in (15, LIMIT) else 0)


def tail_after(tail: Ranks, rank: int, room: int) -> Ranks:
    """The last cards that can still matter after one more, `room` being left to 31."""
    if tail and tail[-1] == rank:
        return (*tail[-3:], rank) if len(set(tail)) == 1 else (rank, rank)
    fresh, keep = [rank], 1
    low = high = rank
    for before in reversed(tail):
        if before in fresh:
            break
        fresh.append(before)
        low, high = min(low, before), max(high, before)
        missing = sum(VALUES[each] for each in range(low, high) if each not in fresh)
        if missing <= room and high - low < _LONGEST:  # else no run can reach so far back
            keep = len(fresh)
    return tuple(reversed(fresh[:keep]))


@lru_cache(maxsize=20_000)
def _pairs_and_runs(tail: Ranks) -> tuple[int, ...]:
    """By rank: what it earns after these last cards, fifteen and thirty-one apart."""
    return tuple(_pair_or_run(tail, rank) for rank in range(13))


def _pair_or_run(tail: Ranks, rank: int) -> int:
    alike = 1
    while alike < min(4, len(tail) + 1) and tail[-alike] == rank:
        alike += 1
    if alike > 1:
        return _ALIKE[alike]
    fresh, run = {rank}, 0
    for before in reversed(tail):
        if before in fresh:
            break
        fresh.add(before)
        if len(fresh) >= 3 and max(fresh) - min(fresh) == len(fresh) - 1:
            run = len(fresh)
    return run
