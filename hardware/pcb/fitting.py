"""Whether the circuit boards of a wooden board lie beside one another without touching. Pure.

A pattern is drawn once; each of its tiles is that drawing, moved and turned to where the tile's own holes are.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import atan2, cos, dist, hypot, sin

from hardware.pcb.shapes import Point, Shape, edges, edges_apart, inside

Outline = tuple[Point, ...]


def outline(edge: Iterable[tuple[Point, Point]]) -> Outline:
    """The corners of a board in their order, from the lines of its edge in any."""
    onward = dict(edge)
    corners = [next(iter(onward))]
    while len(corners) < len(onward):
        corners.append(onward[corners[-1]])
    return tuple(corners)


def laid(corners: Sequence[Point], drawn: Sequence[Point], there: Sequence[Point]) -> Outline:
    """Where a tile's corners lie. `drawn` and `there` are the same places (two at least), as drawn and on the tile."""
    far = max(drawn, key=lambda at: dist(at, drawn[0]))
    (ax, ay), (bx, by) = drawn[0], far
    (cx, cy), (dx, dy) = there[0], there[list(drawn).index(far)]
    turn = atan2(dy - cy, dx - cx) - atan2(by - ay, bx - ax)
    c, s = cos(turn), sin(turn)
    return tuple((cx + (x - ax) * c - (y - ay) * s, cy + (x - ax) * s + (y - ay) * c) for x, y in corners)


def too_near(outlines: dict[str, Outline], least: float) -> Iterator[tuple[str, str]]:
    """The pairs of tiles that overlap or are less than so many millimetres apart."""
    for (one, a), (other, b) in combinations(outlines.items(), 2):
        if _boxes_apart(a, b) < least and _apart(a, b) < least:
            yield one, other


def _boxes_apart(a: Outline, b: Outline) -> float:
    (l1, t1, r1, b1), (l2, t2, r2, b2) = Shape(a, 0.0).box(), Shape(b, 0.0).box()
    return hypot(max(l1 - r2, l2 - r1, 0.0), max(t1 - b2, t2 - b1, 0.0))


def _apart(a: Outline, b: Outline) -> float:
    """Millimetres between two outlines of any shape; 0 where they cross or one lies in the other."""
    if inside(a[0], b) or inside(b[0], a):
        return 0.0
    return min(edges_apart(*one, *other) for one in edges(Shape(a, 0.0)) for other in edges(Shape(b, 0.0)))
