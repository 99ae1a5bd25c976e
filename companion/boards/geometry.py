"""Places on a board: lines and arcs with points at equal steps, and the lights. Pure; millimetres, y down.

A light is beside its hole, on the right of the direction of play.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, pi, radians, sin
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a board is made of points, so that module imports this one
    from companion.boards.board import Board, Hole


class Point(NamedTuple):
    """A point on the board in millimetres from its upper left corner."""

    x: float
    y: float


class LineSegment(NamedTuple):
    """A straight segment."""

    start: Point
    end: Point

    def point_at(self, fraction: float) -> Point:
        """Return the point at this fraction (0 to 1) of the segment."""
        return Point(
            self.start.x + fraction * (self.end.x - self.start.x), self.start.y + fraction * (self.end.y - self.start.y)
        )


class Arc(NamedTuple):
    """An arc from one angle to another, in degrees, clockwise as seen (y points down)."""

    centre: Point
    radius: float
    start: float
    end: float

    def point_at(self, fraction: float) -> Point:
        """Return the point at this fraction (0 to 1) of the segment."""
        angle = radians(self.start + fraction * (self.end - self.start))
        return Point(self.centre.x + self.radius * cos(angle), self.centre.y + self.radius * sin(angle))


PathSegment = LineSegment | Arc


def spread_points(segment: PathSegment, count: int) -> list[Point]:
    """Return `count` points at equal steps, half a step from each end, so that segments join without a gap."""
    return [segment.point_at((n + 0.5) / count) for n in range(count)]


def compute_headings(run: Sequence[tuple[float, float]]) -> list[float]:
    """Return the direction of play at each point of a row, in radians clockwise from the right.

    Exact on a line and on an arc. Where they meet, the nearer neighbour has more weight. At a single point the
    direction is to the right.
    """
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(run)]
    along = [atan2(dy, dx) for dx, dy in steps]
    if len(run) < 3:
        return (along or [0.0]) * len(run)
    inner = []
    for (ax, ay), (bx, by) in pairwise(steps):
        a, b = ax * ax + ay * ay, bx * bx + by * by
        inner.append(atan2(ay * b + by * a, ax * b + bx * a))
    # At the ends of an arc the direction is the neighbour's, mirrored at the step between them.
    return [2 * along[0] - inner[0], *inner, 2 * along[-1] - inner[-1]]


LIGHT_OFFSET_MM = 3.45
"""Distance between the centres of a hole and its light. The sensor is directly under the hole."""
CORNER_ANGLE_RAD = pi * 2 / 9
"""Maximum turn of a track within a row of holes. The arcs of our boards turn by at most 36° from hole to hole."""


def compute_light_positions(board: "Board") -> dict[str, Point]:
    found = {}
    for row in split_into_rows(board.holes):
        for hole, way in zip(row, compute_headings([(hole.x_mm, hole.y_mm) for hole in row]), strict=True):
            found[hole.id] = Point(hole.x_mm - LIGHT_OFFSET_MM * sin(way), hole.y_mm + LIGHT_OFFSET_MM * cos(way))
    return found


def split_into_rows(holes: Iterable["Hole"]) -> Iterator[list["Hole"]]:
    """Yield the holes in rows without corners, each in the direction of play."""
    ways: dict[tuple[str, bool], list[Hole]] = {}
    for hole in holes:
        ways.setdefault((hole.track, "-start-" in hole.id), []).append(hole)
    for (_, start), way in ways.items():
        yield from _split_at_corners(way[::-1] if start else way)  # a peg leaves the farther start hole first


def _split_at_corners(way: Sequence["Hole"]) -> Iterator[list["Hole"]]:
    row = [way[0]]
    for here, onward in pairwise(way):
        if len(row) > 1 and _turning_angle(row[-2], here, onward) > CORNER_ANGLE_RAD:
            yield row
            row = []
        row.append(onward)
    yield row


def _turning_angle(before: "Hole", here: "Hole", onward: "Hole") -> float:
    """Return the angle by which the way turns at a hole, to either side, in radians."""
    came = atan2(here.y_mm - before.y_mm, here.x_mm - before.x_mm)
    goes = atan2(onward.y_mm - here.y_mm, onward.x_mm - here.x_mm)
    return abs((goes - came + pi) % (2 * pi) - pi)
