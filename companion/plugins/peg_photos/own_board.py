"""A board file for the player's own board, from a photograph of it and a line drawn over each lane."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards import UnusablePhoto
from companion.plugins.cards.photo import decode_photo
from companion.plugins.peg_photos import OWN_BOARD_COUNTS
from companion.plugins.peg_photos.drawn_track import START_HOLES, trace_track
from companion.plugins.peg_photos.geometry import find_board_holes, flatten_wood

Points = NDArray[np.float64]

_ON_LINE_MM = 0.4
"""Largest distance of a hole from its place in a row, if the row is written as one line."""
_SAME_HOLE_MM = 1.5
_LOOP = 60
"""Holes of a lane on which the players go round twice."""


@dataclass(frozen=True)
class BoardDrawing:
    """A photograph of a board without pegs, its corners in pixels, its length, and the lines drawn over its lanes.

    `count` is the number of holes of each lane without the two at its start.
    """

    data: bytes
    corners: Sequence[tuple[float, float]]
    length_mm: float
    count: int
    lines: Sequence[Sequence[tuple[float, float]]] = ()


def map_board(drawing: BoardDrawing) -> dict[str, Any]:
    """Return as JSON values the holes of the photograph, those of each lane in the order of play, and the board file.

    Holes are pixels of the photograph. `file` is None as long as fewer than two lines are drawn.
    Raises NotAPicture, PictureTooLarge or UnusablePhoto.
    """
    if drawing.count not in OWN_BOARD_COUNTS:
        raise UnusablePhoto("A lane has 121 or 61 holes, or 60 if the players go round twice.")
    picture, scale = decode_photo(drawing.data)
    try:
        wood = flatten_wood(picture, np.array(drawing.corners, float) / scale, drawing.length_mm)
        holes = find_board_holes(wood.picture)
    except (np.linalg.LinAlgError, cv2.error):
        raise UnusablePhoto("These are not the corners of a board. Tap each corner of the wood once.") from None
    lanes = [
        trace_track(holes, wood.to_millimetres(np.array(line, float) / scale), drawing.count) for line in drawing.lines
    ]
    _check_lanes(lanes)
    return {
        "holes": _round(wood.to_pixels(holes) * scale),
        "lanes": [_round(wood.to_pixels(lane) * scale) for lane in lanes],
        "file": write_board_file(wood.size_mm, lanes) if len(lanes) > 1 else None,
    }


def write_board_file(size_mm: Points, lanes: Sequence[Points]) -> str:
    """Return the text of a board file. A last hole that lanes share is a track of its own."""
    count = len(lanes[0]) - START_HOLES
    is_shared = all(np.linalg.norm(lane[-1] - lanes[0][-1]) < _SAME_HOLE_MM for lane in lanes[1:])
    own = [lane[:-1] if is_shared else lane for lane in lanes]
    text = ["# A plain board, from a photograph and lines drawn on the page /check.", f"wood = {_number(size_mm)}"]
    for name, lane in enumerate(own, 1):
        text += ["", "[[track]]", f'name = "{name}"', f"start = [{_number(lane[1])}, {_number(lane[0])}]"]
        text += ["path = [", *(f"    {part}," for part in _list_rows(lane[START_HOLES:])), "]"]
    if is_shared:
        text += ["", "[[track]]", 'name = "last"', "path = [", f"    {_row(lanes[0][-1:])},", "]", "", "[ways]"]
        text += [f'lane-{n} = [["{n}", 1, {count - 1}], ["last", 1, 1]]' for n in range(1, len(lanes) + 1)]
    text += ["", "[routes]"]
    loop = ", loop = true" if count == _LOOP else ""
    for seats in range(2, len(lanes) + 1):
        routes = [
            f'{{ track = "lane-{n}", start = "{n}"{loop} }}' if is_shared else f'{{ track = "{n}"{loop} }}'
            for n in range(1, seats + 1)
        ]
        text.append(f"{seats} = [{', '.join(routes)}]")
    return "\n".join(text) + "\n"


def _check_lanes(lanes: Sequence[Points]) -> None:
    """Raise UnusablePhoto if two lanes have holes in common, other than the last."""
    for n, lane in enumerate(lanes):
        for other in lanes[:n]:
            away = np.linalg.norm(lane[:-1, None] - other[None, :-1], axis=2)
            if away.min() < _SAME_HOLE_MM:
                raise UnusablePhoto("Two lines lie over the same holes. Draw each lane once, by itself.")


def _list_rows(holes: Points) -> list[str]:
    """Return the holes as lines of the board file; each has as many evenly spaced holes as fit."""
    rows, first = [], 0
    while first < len(holes):
        last = first + 1
        while last < len(holes) and _is_row(holes[first : last + 1]):
            last += 1
        rows.append(_row(holes[first:last]))
        first = last
    return rows


def _is_row(holes: Points) -> bool:
    places = np.linspace(0, 1, len(holes))[:, None]
    even = holes[0] + places * (holes[-1] - holes[0])
    return bool(np.linalg.norm(holes - even, axis=1).max() < _ON_LINE_MM)


def _row(holes: Points) -> str:
    """Return a line of the board file, which begins and ends half a step outside its holes."""
    half = (holes[-1] - holes[0]) / (2 * (len(holes) - 1)) if len(holes) > 1 else np.array([1.0, 0.0])
    return f"{{ holes = {len(holes)}, line = [{_number(holes[0] - half)}, {_number(holes[-1] + half)}] }}"


def _number(point: Points) -> str:
    return f"[{point[0]:.2f}, {point[1]:.2f}]"


def _round(points: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]
