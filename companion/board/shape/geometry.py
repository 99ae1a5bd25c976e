"""Where the holes lie: lines and arcs, laid out at equal steps along a path. Pure; millimetres, y downwards."""

from math import cos, radians, sin
from typing import NamedTuple


class Point(NamedTuple):
    """A place on the board in millimetres from its upper left corner."""

    x: float
    y: float


class Line(NamedTuple):
    """A straight stretch."""

    start: Point
    end: Point

    def at(self, share: float) -> Point:
        """The point after this share (0 to 1) of the stretch."""
        return Point(
            self.start.x + share * (self.end.x - self.start.x), self.start.y + share * (self.end.y - self.start.y)
        )


class Arc(NamedTuple):
    """A stretch of a circle, from one angle to another, in degrees, clockwise as seen (y points down)."""

    centre: Point
    radius: float
    start: float
    end: float

    def at(self, share: float) -> Point:
        """The point after this share (0 to 1) of the stretch."""
        angle = radians(self.start + share * (self.end - self.start))
        return Point(self.centre.x + self.radius * cos(angle), self.centre.y + self.radius * sin(angle))


Stretch = Line | Arc


def spread(stretch: Stretch, count: int) -> list[Point]:
    """`count` points at equal steps, half a step from either end, so that stretches join without a gap."""
    return [stretch.at((n + 0.5) / count) for n in range(count)]
