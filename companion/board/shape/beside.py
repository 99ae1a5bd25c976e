"""Where the lights lie: each beside its hole, to the right of the direction of play. Pure; millimetres, y downwards."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, hypot, pi

from companion.board.shape.geometry import Point
from companion.board.shape.wood import Board, Hole

LIGHT_MM = 3.45
"""From a hole's centre to that of its light: under the hole itself lies its sensor."""
CORNER = pi * 2 / 9
"""Radians. Where a track turns by more, a new row of holes begins; on our arcs it turns by 36° at most at a hole."""


def lights(board: Board) -> dict[str, Point]:
    """The places of the lights, by hole."""
    return {hole.id: _right(row, n) for row in rows(board.holes) for n, hole in enumerate(row)}


def rows(holes: Iterable[Hole]) -> Iterator[list[Hole]]:
    """The holes in rows without a corner, each in the direction of play."""
    ways: dict[tuple[str, bool], list[Hole]] = {}
    for hole in holes:
        ways.setdefault((hole.track, "-start-" in hole.id), []).append(hole)
    for (_, start), way in ways.items():
        yield from _straightened(way[::-1] if start else way)  # a peg leaves the farther start hole first


def _straightened(way: Sequence[Hole]) -> Iterator[list[Hole]]:
    row = [way[0]]
    for here, onward in pairwise(way):
        if len(row) > 1 and _bend(row[-2], here, onward) > CORNER:
            yield row
            row = []
        row.append(onward)
    yield row


def _bend(before: Hole, here: Hole, onward: Hole) -> float:
    """By how much the way turns at a hole, to either side."""
    came = atan2(here.y_mm - before.y_mm, here.x_mm - before.x_mm)
    goes = atan2(onward.y_mm - here.y_mm, onward.x_mm - here.x_mm)
    return abs((goes - came + pi) % (2 * pi) - pi)


def _right(way: Sequence[Hole], n: int) -> Point:
    dx, dy = _play([Point(hole.x_mm, hole.y_mm) for hole in way], n)
    far = hypot(dx, dy) or 1  # holes that lie on one another
    return Point(way[n].x_mm - LIGHT_MM * dy / far, way[n].y_mm + LIGHT_MM * dx / far)


def _play(run: Sequence[Point], n: int) -> tuple[float, float]:
    """The direction of play at a hole: from the one before to the one after; at an end, the tangent of three holes."""
    if len(run) == 1:
        return 1, 0
    if len(run) == 2:
        return run[1].x - run[0].x, run[1].y - run[0].y
    if 0 < n < len(run) - 1:
        return run[n + 1].x - run[n - 1].x, run[n + 1].y - run[n - 1].y
    here, a, b = run[n], run[1 if n == 0 else -2], run[2 if n == 0 else -3]
    sign = 1 if n == 0 else -1
    dx, dy = (sign * (-3 * p + 4 * q - r) for p, q, r in zip(here, a, b, strict=True))
    return dx, dy
