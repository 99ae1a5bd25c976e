"""Positions of the lights: beside each hole, on the right of the direction of play. Pure; in millimetres."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, pi, sin

from companion.boards.board import Board, Hole
from companion.boards.geometry import Point, compute_headings

LIGHT_OFFSET_MM = 3.45
"""Distance between the centres of a hole and its light. The sensor is directly under the hole."""
CORNER_ANGLE_RAD = pi * 2 / 9
"""Maximum turn of a track within a row of holes. The arcs of our boards turn by at most 36° from hole to hole."""


def compute_light_positions(board: Board) -> dict[str, Point]:
    """Return the positions of the lights by hole id."""
    found = {}
    for row in split_into_rows(board.holes):
        for hole, way in zip(row, compute_headings([(hole.x_mm, hole.y_mm) for hole in row]), strict=True):
            found[hole.id] = Point(hole.x_mm - LIGHT_OFFSET_MM * sin(way), hole.y_mm + LIGHT_OFFSET_MM * cos(way))
    return found


def split_into_rows(holes: Iterable[Hole]) -> Iterator[list[Hole]]:
    """Yield the holes in rows without corners, each in the direction of play."""
    ways: dict[tuple[str, bool], list[Hole]] = {}
    for hole in holes:
        ways.setdefault((hole.track, "-start-" in hole.id), []).append(hole)
    for (_, start), way in ways.items():
        yield from _split_at_corners(way[::-1] if start else way)  # a peg leaves the farther start hole first


def _split_at_corners(way: Sequence[Hole]) -> Iterator[list[Hole]]:
    row = [way[0]]
    for here, onward in pairwise(way):
        if len(row) > 1 and _turning_angle(row[-2], here, onward) > CORNER_ANGLE_RAD:
            yield row
            row = []
        row.append(onward)
    yield row


def _turning_angle(before: Hole, here: Hole, onward: Hole) -> float:
    """Return the angle by which the way turns at a hole, to either side, in radians."""
    came = atan2(here.y_mm - before.y_mm, here.x_mm - before.x_mm)
    goes = atan2(onward.y_mm - here.y_mm, onward.x_mm - here.x_mm)
    return abs((goes - came + pi) % (2 * pi) - pi)
