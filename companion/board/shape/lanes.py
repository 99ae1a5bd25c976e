"""Holes and the points they stand for: each seat's lane, and who may stand where. Pure.

A lane answers in both directions, also on a loop, where one hole stands for several numbers of points.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import or_

from companion.board.shape.layout import Board, Route


@dataclass(frozen=True)
class Stand:
    """A side's two pegs: their holes, and the points these stand for (start holes: -1 farther, 0 nearer).

    Points are kept, not read off the hole: a peg waiting in a start hole keeps the points it waits with.
    """

    back: int
    front: int
    back_points: int
    front_points: int

    @cached_property
    def holes(self) -> frozenset[int]:
        """Both holes."""
        return frozenset((self.back, self.front))


@dataclass(frozen=True, slots=True)
class PegDue:
    """A seat's score is `points` ahead of its pegs (negative: behind): lift the peg in `lift`, place it in `place`."""

    seat: int
    points: int
    lift: int
    place: int


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """One seat's way. `index`: the points of a hole on the first lap; `bits`: all its holes; `begin`: its start."""

    route: Route
    target: int
    index: Mapping[int, int]
    bits: int
    begin: int

    @property
    def start(self) -> Stand:
        """Both pegs in the start holes."""
        nearer, farther = self.route.start
        return Stand(farther, nearer, -1, 0)

    def hole(self, points: int) -> int:
        """The hole of so many points."""
        return self.route.hole(points, self.target)

    def points(self, hole: int, low: int, high: int) -> tuple[int, ...]:
        """All the points from `low` to `high` that the hole stands for, rising."""
        high = min(high, self.target)
        found = [p for p, start in enumerate(reversed(self.route.start), -1) if start == hole and low <= p <= high]
        first = self.index.get(hole)
        if first is not None:
            lap = len(self.route.way)
            laps = range(first + max(0, -(-(low - first) // lap)) * lap, high + 1, lap)
            found += [p for p in laps if self.hole(p) == hole]
        if low <= self.target <= high and self.target not in found and self.hole(self.target) == hole:
            found.append(self.target)
        return tuple(found)


@lru_cache(maxsize=64)
def lane(route: Route, target: int) -> Lane:
    """The lane of a route in a game to `target`."""
    index = {hole: points for points, hole in reversed(list(enumerate(route.way, 1)))}
    return Lane(route, target, index, bits_of((*route.start, *route.way)), bits_of(route.start))


@lru_cache(maxsize=256)
def reach(lane: Lane, low: int, high: int) -> int:
    """The holes of the lane from `low` points to `high`, or to the target: as bits."""
    return bits_of(lane.hole(points) for points in range(max(low, -1), min(high, lane.target) + 1))


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The board as the watcher walks it. `groups` are the seats whose lanes share holes, with all their holes.

    `start` are all the start holes, `holes` those of all lanes: both as bits.
    """

    board: Board
    lanes: tuple[Lane, ...]
    groups: tuple[tuple[tuple[int, ...], int], ...]
    start: int
    holes: int

    @property
    def shared(self) -> bool:
        """Some seats' lanes share holes."""
        return len(self.groups) < len(self.lanes)


def ground(board: Board, routes: tuple[Route, ...], target: int) -> Ground:
    """The ground for these routes."""
    lanes = tuple(lane(route, target) for route in routes)
    groups: list[tuple[tuple[int, ...], int]] = []
    for seat, one in enumerate(lanes):
        shared = [g for g in groups if g[1] & one.bits]
        seats: tuple[int, ...] = (seat,)
        bits = one.bits
        for other in shared:
            groups.remove(other)
            seats, bits = tuple(sorted(seats + other[0])), bits | other[1]
        groups.append((seats, bits))
    start = bits_of(h for one in lanes for h in one.route.start)
    return Ground(board, lanes, tuple(sorted(groups)), start, union(one.bits for one in lanes))


def bits_of(holes: Iterable[int]) -> int:
    """The holes as bits."""
    bits = 0
    for hole in holes:
        bits |= 1 << hole
    return bits


def union(sets: Iterable[int]) -> int:
    """All the holes that are in any of these, as bits."""
    return reduce(or_, sets, 0)


def holes_of(bits: int) -> tuple[int, ...]:
    """The set bits, rising; as many steps as there are of them."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)
