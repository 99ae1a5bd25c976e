"""The pegs in a photograph compared with the scores. It only looks: nothing is changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.boards.board import Board, Lane, holes_of
from companion.i18n import Message, format_message
from companion.plugins.cards import UnusablePhoto
from companion.plugins.cards.photo import decode_photo
from companion.plugins.peg_photos.geometry import FlatBoard, flatten_board, locate_in_picture
from companion.plugins.peg_photos.pegs import FoundPegs, find_pegs


@dataclass(frozen=True)
class PegSide:
    """A side of the game: its name, its lane, its score and the colour of its pegs."""

    name: str
    lane: Lane
    score: int
    colour: str


@dataclass(frozen=True)
class PegPhoto:
    """A JPEG, PNG or WebP, and in its pixels the corners of the wood and the rectangle of the whole photograph."""

    data: bytes
    corners: Sequence[tuple[float, float]]
    whole: tuple[float, float, float, float] | None = None


def check_pegs(photo: PegPhoto, board: Board, sides: Sequence[PegSide]) -> dict[str, Any]:
    """Return as JSON values where each side's pegs look to be, and whether that is the score.

    Raises NotAPicture, PictureTooLarge or UnusablePhoto.
    """
    picture, scale = decode_photo(photo.data)
    left, top, width, height = (v / scale for v in photo.whole) if photo.whole else (0, 0, *picture.shape[1::-1])
    corners = np.array(photo.corners, float) / scale
    try:
        flat = flatten_board(picture, corners, board, (left, top, width, height))
    except np.linalg.LinAlgError:  # corners in one place, or a photograph without a size
        raise UnusablePhoto("These are not the corners of a board. Tap each corner of the wood once.") from None
    found = find_pegs(flat, [holes_of(side.lane.bits) for side in sides], [side.colour for side in sides])
    return {
        "board": board.name,
        "sides": [
            _describe_side(seat, side, pegs, board, flat, scale)
            for seat, (side, pegs) in enumerate(zip(sides, found, strict=True))
        ],
    }


def _describe_side(
    seat: int, side: PegSide, pegs: FoundPegs, board: Board, flat: FlatBoard, scale: int
) -> dict[str, Any]:
    answer: dict[str, Any] = {"seat": seat, "score": side.score, "points": None, "pegs": []}
    place = None if pegs.holes is None else _read_points(side.lane, pegs.holes, side.score)
    if place is None:
        unsure = format_message(
            "{name}'s pegs cannot be recognised in this picture. Look yourself, or take another one.", name=side.name
        )
        return answer | {"say": unsure}
    points, front, back = place
    holes = [
        {"hole": board.holes[hole].id, "at": [v * scale for v in locate_in_picture(flat, hole)]}
        for hole in (front, back)
    ]
    return answer | {"points": points, "pegs": holes, "say": _describe_front(side, points)}


def _read_points(lane: Lane, holes: frozenset[int], score: int) -> tuple[int, int, int] | None:
    """Return the points of the front peg, and the holes of front and back. On a loop, those nearest to the score."""
    readings = [
        (front, hole, other)
        for hole in holes
        for other in holes - {hole}
        for front in lane.points_at(hole, 0, lane.target)
        for back in lane.points_at(other, -1, lane.target)
        if back < front
    ]
    return min(readings, key=lambda each: abs(each[0] - score), default=None)


def _describe_front(side: PegSide, points: int) -> Message:
    words = {"name": side.name, "points": points, "score": side.score}
    if points == side.score:
        return format_message("{name}'s front peg looks to be on {points}, as the score.", **words)
    if points == 0:
        return format_message("{name}'s front peg looks to be at the start, the score is {score}.", **words)
    return format_message("{name}'s front peg looks to be on {points}, the score is {score}.", **words)
