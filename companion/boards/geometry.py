"""Lines and arcs on a board, and points at equal steps along them. Pure; millimetres, y points down."""

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, radians, sin
from typing import NamedTuple


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
