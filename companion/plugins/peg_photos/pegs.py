"""Which holes of a lane hold its two pegs, and whether that agrees with the scores. Nothing is changed.

A tall peg hides the next hole, so the outlines of pegs are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards.board import Board, Lane, holes_of
from companion.i18n import Message, format_message
from companion.plugins.cards import UnusablePhoto
from companion.plugins.cards.photo import decode_photo
from companion.plugins.peg_photos.geometry import FLAT_PX_PER_MM, FlatBoard, Points, flatten_board, locate_in_picture

Mask = NDArray[np.bool_]

_HUES_DEG = {"red": (28, 40), "blue": (275, 42), "green": (148, 38), "yellow": (93, 20)}
"""Hue in CIELAB of each colour, and by how much it may differ."""
_MIN_CHROMA = 24.0
_MIN_CHROMA_OVER_BOARD = {"red": 10.0, "yellow": 12.0}
"""Wood is a pale orange."""
_FOOT_RADIUS_MM = 1.4
_MIN_FOOT_COVER = 0.5
"""Share of the middle of a hole that has the colour of the peg in it."""
_PEG_RADIUS_MM = 2.1
_PEG_HEIGHTS_MM = (8, 11, 14, 17, 20, 23, 26)
_MAX_CANDIDATES = 8
"""More holes than this of one colour are not pegs."""
_MIN_MATCH = 0.5
"""Smallest share of overlap of the two pegs and what has their colour."""
_MIN_LEAD = 0.06
"""By how much the two pegs must fit better than any other two."""


class FoundPegs(NamedTuple):
    """The holes of a colour's two pegs, by bit. None if they are not certain; `likely` are the holes to look at."""

    holes: frozenset[int] | None
    likely: tuple[int, ...]


class _Fit(NamedTuple):
    match: float
    holes: tuple[int, int]


def find_pegs(flat: FlatBoard, lanes: Sequence[Sequence[int]], colours: Sequence[str]) -> list[FoundPegs]:
    """Return the two pegs of each lane, given by its holes as bits, in its colour. Raises UnusablePhoto."""
    masks = [_mask_colour(flat, colour) for colour in colours]
    feet = [_find_feet(flat, mask, lane) for mask, lane in zip(masks, lanes, strict=True)]
    fits = [
        [_fit_pairs(flat, mask, near, height) for height in _PEG_HEIGHTS_MM]
        for mask, near in zip(masks, feet, strict=True)
    ]
    # All pegs are of the same kind: the height is the one that suits all of them.
    totals = [sum(max((fit.match for fit in one[n]), default=0.0) for one in fits) for n in range(len(_PEG_HEIGHTS_MM))]
    best = int(np.argmax(totals))
    return [_judge(one, near, best) for one, near in zip(fits, feet, strict=True)]


def _mask_colour(flat: FlatBoard, colour: str) -> Mask:
    smooth = cv2.GaussianBlur(flat.picture, (0, 0), 0.25 * FLAT_PX_PER_MM)
    lab = cv2.cvtColor(smooth.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    lightness, a, b = cv2.split(lab)
    chroma = np.hypot(a, b)
    wood = _sample_wood(flat, lab)
    board = float(np.median(np.hypot(wood[:, 1], wood[:, 2])))
    if colour == "white":
        light = _spread(lightness)
        if board < 12 and np.median(wood[:, 0]) > 70:
            raise UnusablePhoto("White pegs look like this board. Use pegs of another colour.")
        return np.asarray((chroma < np.maximum(0.5 * board, 9)) & (lightness > np.maximum(0.8 * light, 45)))
    hue, reach = _HUES_DEG[colour]
    away = np.abs((np.degrees(np.arctan2(b, a)) - hue + 180) % 360 - 180)
    least = max(_MIN_CHROMA, board + _MIN_CHROMA_OVER_BOARD.get(colour, -100.0))
    return np.asarray((chroma > least) & (away < reach))


def _sample_wood(flat: FlatBoard, lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the colours of the wood around the holes."""
    angles = np.deg2rad(np.arange(0, 360, 45))
    ring = 2.9 * FLAT_PX_PER_MM * np.column_stack((np.cos(angles), np.sin(angles)))
    at = np.clip(
        (flat.holes[:, None] + ring[None]).reshape(-1, 2).round().astype(int), 0, np.array(lab.shape[1::-1]) - 1
    )
    return np.asarray(lab[at[:, 1], at[:, 0]])


def _spread(lightness: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the lightness of the wood at each pixel, which follows the light in the room."""
    small = cv2.resize(lightness, None, fx=0.1, fy=0.1, interpolation=cv2.INTER_AREA)
    calm = cv2.medianBlur((small * 2.55).astype(np.uint8), 9).astype(np.float32) / 2.55
    return np.asarray(cv2.resize(calm, lightness.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _find_feet(flat: FlatBoard, mask: Mask, lane: Sequence[int]) -> list[int]:
    """Return the holes whose middle has the colour."""
    r = round(_FOOT_RADIUS_MM * FLAT_PX_PER_MM)
    disc = np.hypot(*np.mgrid[-r : r + 1, -r : r + 1]) <= r
    feet = []
    for bit in dict.fromkeys(lane):
        x, y = (round(float(v)) for v in flat.holes[bit])
        window = mask[y - r : y + r + 1, x - r : x + r + 1]
        if window.shape == disc.shape and np.mean(window[disc]) >= _MIN_FOOT_COVER:
            feet.append(bit)
    return feet


def _fit_pairs(flat: FlatBoard, mask: Mask, feet: list[int], height: float) -> list[_Fit]:
    """Return how well each two pegs of this height explain what has their colour, best first."""
    if not 2 <= len(feet) <= _MAX_CANDIDATES:
        return []
    reach = round((_PEG_RADIUS_MM + 8) * FLAT_PX_PER_MM)
    low = np.maximum(flat.holes[feet].min(axis=0).astype(int) - reach, 0)
    high = flat.holes[feet].max(axis=0).astype(int) + reach
    part = mask[low[1] : high[1], low[0] : high[0]].astype(np.uint8)
    bodies = [_draw_body(flat, bit, height, low, part.shape) for bit in feet]
    _, labels = cv2.connectedComponents(part)
    own = np.unique(np.concatenate([labels[body] for body in bodies]))
    seen = np.isin(labels, own[own > 0])
    fits = []
    for (i, one), (j, other) in combinations(enumerate(bodies), 2):
        both = one | other
        shared, covered = int((both & seen).sum()), int((both | seen).sum())
        fits.append(_Fit(shared / max(1, covered), (feet[i], feet[j])))
    return sorted(fits, reverse=True)


def _draw_body(flat: FlatBoard, bit: int, height: float, low: Points, shape: tuple[int, ...]) -> Mask:
    """Return the pixels that a peg in this hole covers; it leans away from the foot of the camera."""
    at = flat.holes[bit]
    head = at + (at - flat.foot) * height / max(flat.height_mm - height, height)
    body = np.zeros(shape, np.uint8)
    a, b = (tuple(int(v) for v in (end - low).round()) for end in (at, head))
    cv2.line(body, a, b, 1, round(2 * _PEG_RADIUS_MM * FLAT_PX_PER_MM))
    return body.astype(bool)


def _judge(fits: list[list[_Fit]], feet: list[int], best: int) -> FoundPegs:
    """Return the pegs if they fit at this height, and no others as well at a height near it."""
    likely = tuple(feet[:_MAX_CANDIDATES])
    if not fits[best] or fits[best][0].match < _MIN_MATCH:
        return FoundPegs(None, likely)
    chosen = fits[best][0]
    near = [fit for one in fits[max(best - 1, 0) : best + 2] for fit in one if fit.holes != chosen.holes]
    if any(fit.match > chosen.match - _MIN_LEAD for fit in near):
        return FoundPegs(None, likely)
    return FoundPegs(frozenset(chosen.holes), likely)


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
    pairs = find_pegs(flat, [holes_of(side.lane.bits) for side in sides], [side.colour for side in sides])
    return {
        "board": board.name,
        "sides": [
            _describe_side(seat, side, pegs, board, flat, scale)
            for seat, (side, pegs) in enumerate(zip(sides, pairs, strict=True))
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
    return min(readings, key=lambda reading: abs(reading[0] - score), default=None)


def _describe_front(side: PegSide, points: int) -> Message:
    words = {"name": side.name, "points": points, "score": side.score}
    if points == side.score:
        return format_message("{name}'s front peg looks to be on {points}, as the score.", **words)
    if points == 0:
        return format_message("{name}'s front peg looks to be at the start, the score is {score}.", **words)
    return format_message("{name}'s front peg looks to be on {points}, the score is {score}.", **words)
