"""Copper as convex shapes: a few points and a radius around them. Pure.

One point is a disc, two are a track, three or more a pad. So a distance is that of points and edges, less two radii.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, cos, floor, hypot, radians, sin

Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """A convex outline in millimetres and what is added all round."""

    points: tuple[Point, ...]
    radius: float

    def box(self, more: float = 0.0) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the shape with `more` millimetres around it."""
        reach = self.radius + more
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


def turned(point: Point, degrees: float) -> Point:
    """The point turned about the origin as KiCad turns: counter-clockwise on a screen whose y points down."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return point[0] * c + point[1] * s, point[1] * c - point[0] * s


def edges(shape: Shape) -> Iterator[tuple[Point, Point]]:
    """The outline's edges; a disc is one edge without length."""
    points = shape.points
    if len(points) < 3:
        yield points[0], points[-1]
        return
    yield from zip(points, points[1:] + points[:1], strict=True)


def _to_edge(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
    return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def inside(p: Point, polygon: tuple[Point, ...]) -> bool:
    """Whether a point lies in any polygon, convex or not (by counting the edges to its right)."""
    within = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if (ay > p[1]) != (by > p[1]) and p[0] < (bx - ax) * (p[1] - ay) / (by - ay) + ax:
            within = not within
    return within


def from_point(p: Point, shape: Shape) -> float:
    """Millimetres from a point to the shape; 0 or less inside it."""
    if len(shape.points) > 2 and inside(p, shape.points):
        return -shape.radius
    return min(_to_edge(p, a, b) for a, b in edges(shape)) - shape.radius


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def edges_apart(a: Point, b: Point, c: Point, d: Point) -> float:
    """Millimetres between the line from a to b and that from c to d; 0 where they cross."""
    if _cross(a, b, c) * _cross(a, b, d) < 0 and _cross(c, d, a) * _cross(c, d, b) < 0:
        return 0.0
    return min(_to_edge(a, c, d), _to_edge(b, c, d), _to_edge(c, a, b), _to_edge(d, a, b))


def apart(one: Shape, other: Shape) -> float:
    """Millimetres of bare board between two shapes; 0 or less where they touch."""
    if any(len(s.points) > 2 and inside(t.points[0], s.points) for s, t in ((one, other), (other, one))):
        return -one.radius - other.radius
    return min(edges_apart(*e, *f) for e in edges(one) for f in edges(other)) - one.radius - other.radius


def cells(shape: Shape, more: float, step: float) -> Iterator[tuple[int, int]]:
    """The points of a grid of `step` millimetres nearer than `more` to the shape."""
    left, top, right, bottom = shape.box(more)
    for i in range(ceil(left / step), floor(right / step) + 1):
        for j in range(ceil(top / step), floor(bottom / step) + 1):
            if from_point((i * step, j * step), shape) < more:
                yield i, j
