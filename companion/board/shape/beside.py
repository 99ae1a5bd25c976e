"""Where the lights lie: each beside its hole, to the right of the direction of play. Pure; millimetres, y downwards."""

from collections.abc import Sequence
from math import hypot

from companion.board.shape.geometry import Point
from companion.board.shape.wood import Board, Hole

LIGHT_MM = 3.45
"""From a hole's centre to that of its light: under the hole itself lies its sensor."""


def lights(board: Board) -> dict[str, Point]:
    """The places of the lights, by hole."""
    rows: dict[tuple[str, bool], list[Hole]] = {}
    for hole in board.holes:
        rows.setdefault((hole.track, "-start-" in hole.id), []).append(hole)
    places: dict[str, Point] = {}
    for (_, start), row in rows.items():
        way = row[::-1] if start else row  # the farther start hole is the one a peg leaves first
        places |= {hole.id: _right(way, n) for n, hole in enumerate(way)}
    return places


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
