"""Finds the symbols on a straightened card and describes them, and the whole face, by numbers.

A description is gradients in eight directions, darkness and two colours on a grid of cells. Symbols are cut out and
brought to one size first, so that small and large indices look alike.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards.finder import CARD_HEIGHT_PX, CARD_WIDTH_PX, Picture

Features = NDArray[np.float32]
Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]

CELL_PX = 4
DIRECTIONS = 8
_PLANES = DIRECTIONS + 3
SYMBOL_PX = (32, 32)
FACE_PX = (32, 64)
BESIDE_PX = (36, 56)
"""Width and height to which a symbol, a face and what is beside an index are brought."""

SYMBOL_FEATURES = (SYMBOL_PX[0] // CELL_PX) * (SYMBOL_PX[1] // CELL_PX) * _PLANES + 1
FACE_FEATURES = (FACE_PX[0] // CELL_PX) * (FACE_PX[1] // CELL_PX) * _PLANES
BESIDE_FEATURES = (BESIDE_PX[0] // CELL_PX) * (BESIDE_PX[1] // CELL_PX) * _PLANES

_CORNER_W, _CORNER_H = 78, 132
_SAME_PLACE_PX = 9
"""Sides of boxes that differ by no more belong to the same index."""

_FACE_LEFT, _FACE_TOP = 30, 8
"""The face begins where the indices of most decks end."""

_MIN_INK = 0.1
_INK_PARTS = (0.36, 0.52, 0.22, 0.7)
"""A pixel is ink if it is that much darker or more coloured than paper, as a part of the darkest ink nearby. A high
part separates what a blur joined, a low one joins what it broke: they are tried in this order."""

MIN_RANK_ASPECT, MAX_RANK_ASPECT = 0.2, 1.3
"""Width of a rank as a part of its height: from a thin J to a wide 10."""

MIN_SUIT_ASPECT, MAX_SUIT_ASPECT = 0.45, 1.45
"""The same of a suit. What is wider is joined with a part of a figure."""

_MAX_SUIT_GAP_PX = 26
"""A suit begins nearer below its rank."""

MAX_INDICES = 4
"""Most places that are tried for the index of a corner."""

MAX_PIPS = 6
_PIP_MARGIN = 38
"""Pips are further from a side than this; an index is nearer."""

MIN_PIP_PX, MAX_PIP_PX = 14, 168
"""Height of the smallest pip, and of the largest, an ace's. What is higher is a frame around the face."""

_PIP_ASPECT = (0.55, 1.6)
_PIP_PAIR_ASPECT = (1.6, 2.8)
"""Width of a pip, and of two that touch, as a part of the height."""


class Box(NamedTuple):
    """A rectangle around ink: left, top, right, bottom."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self.y1 - self.y0

    def surrounds(self, other: "Box") -> bool:
        """Return whether the other box lies inside and is smaller."""
        is_inside = self.x0 <= other.x0 and self.y0 <= other.y0 and other.x1 <= self.x1 and other.y1 <= self.y1
        return is_inside and other != self

    def join_box(self, other: "Box") -> "Box":
        """Return the rectangle around both."""
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


class Index(NamedTuple):
    """Where the rank and the suit in a corner are."""

    rank: Box
    suit: Box


class StraightCard(NamedTuple):
    """A straightened card with its paper at 1.0 everywhere, and how dark or coloured each pixel is."""

    colours: Floats
    ink: Floats

    def turn(self) -> "StraightCard":
        """Return the card turned by 180°."""
        return StraightCard(*(np.ascontiguousarray(plane[::-1, ::-1]) for plane in self))


def even_paper(straight: Picture) -> StraightCard:
    """Return a straightened card with even paper: what is light nearby counts as paper."""
    small = cv2.resize(straight, (CARD_WIDTH_PX // 4, CARD_HEIGHT_PX // 4), interpolation=cv2.INTER_AREA)
    paper = cv2.GaussianBlur(cv2.dilate(small, np.ones((13, 13), np.uint8)), (0, 0), 4)
    lit = cv2.resize(paper, (CARD_WIDTH_PX, CARD_HEIGHT_PX), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    colours = np.minimum(straight.astype(np.float32) / np.maximum(lit, 16), np.float32(1.1))
    red, green, blue = colours[..., 0], colours[..., 1], colours[..., 2]
    lightest, darkest = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    ink = np.maximum(1 - (red + green + blue) / 3, (lightest - darkest) * np.float32(0.8))
    return StraightCard(colours, ink)


def measure_colour(picture: Picture) -> float:
    """Return how much the strongest colours of a picture differ from its usual one: 0 in a grey one, above 0.15 by day.

    A picture in one tint, as by candlelight, is nearly grey too.
    """
    small = cv2.blur(cv2.resize(picture, (160, 120), interpolation=cv2.INTER_AREA), (3, 3)).astype(np.float32)
    red, green, blue = np.moveaxis(small / max(float(np.percentile(small, 99)), 1.0), 2, 0)
    colours = np.stack([red - green, blue - green]) / (red + green + blue + 0.6)  # dark pixels are mostly noise
    distances = np.abs(colours - np.median(colours, (1, 2), keepdims=True)).sum(0)
    return float(np.percentile(distances, 99.5))


def measure_redness(card: StraightCard, suit: Box) -> float:
    """Return how red the ink of a suit is, as a part of its strength: 0 for black, about 1 for red by day."""
    colours = card.colours[suit.y0 : suit.y1, suit.x0 : suit.x1]
    ink = card.ink[suit.y0 : suit.y1, suit.x0 : suit.x1]
    is_ink = ink > 0.6 * ink.max()
    red, green, blue = colours[is_ink].mean(0)
    return float((red - (green + blue) / 2) / max(float(ink[is_ink].mean()), 0.05))


def find_indices(card: StraightCard) -> list[Index]:
    """Return the places where the rank and the suit in the upper left corner may be, the likeliest first.

    At most MAX_INDICES: a court's figure may have a pip near the index.
    """
    masks = _separate_corner(card)
    found = _keep_places(each for mask in masks for each in _find_ranks_and_suits(_box_ink(mask)))
    if split := _split_index(card):
        found.append(split)
    if not found:
        found = [beside for mask in masks if (beside := _find_index_beside_pip(mask))]
    return found[:MAX_INDICES]


def find_index_at(card: StraightCard, middle: tuple[float, float], reach: float) -> Index | None:
    """Return the first index in the upper left corner whose middle is within `reach` of this place."""
    for ink_part in _INK_PARTS[:3]:
        for index in _find_ranks_and_suits(_find_ink(card.ink[:_CORNER_H, :_CORNER_W], ink_part)):
            box = index.rank.join_box(index.suit)
            if max(abs(box.x0 + box.x1 - 2 * middle[0]), abs(box.y0 + box.y1 - 2 * middle[1])) < 2 * reach:
                return index
    return None


def find_unjoined_indices(card: StraightCard) -> list[Index]:
    """Return the places in the upper left corner where rank and suit may be if no rank has two parts.

    A part of a figure beside a letter may look like the second digit of a 10.
    """
    return _keep_places(
        each for mask in _separate_corner(card) for each in _find_ranks_and_suits(_box_ink(mask), joins=False)
    )


def _separate_corner(card: StraightCard) -> list[Mask]:
    corner = card.ink[:_CORNER_H, :_CORNER_W]
    return [_separate_ink(corner, ink_part) for ink_part in _INK_PARTS]


def _keep_places(indices: Iterable[Index]) -> list[Index]:
    """Return the first index at each place."""
    found: list[Index] = []
    for index in indices:
        if not any(is_same_place(index, other) for other in found):
            found.append(index)
    return found


def is_same_place(first: Index, other: Index) -> bool:
    """Return whether two indices, of one corner or of both, lie at the same place and have the same size."""
    pairs = ((first.rank, other.rank), (first.suit, other.suit))
    return all(abs(a - b) <= _SAME_PLACE_PX for box, same in pairs for a, b in zip(box, same, strict=True))


def _list_ranks(found: list[Box]) -> list[Box]:
    """Return the boxes of ink that may be a rank, that nearest to the corner first."""
    ranks = [b for b in found if 16 <= b.height <= 75 and b.x0 < 42 and b.y0 < 48]
    return sorted(ranks, key=lambda b: b.y0 + b.y1 + b.x0)


def _find_ranks_and_suits(found: list[Box], *, joins: bool = True) -> Iterator[Index]:
    """Yield the indices among boxes of ink, that nearest to the corner first; a rank may be joined of several."""
    for first in _list_ranks(found):
        rank = first
        for other in found if joins else ():  # a 10 has two digits, and a thin letter may be broken
            joint = rank.join_box(other)
            is_digit = abs(other.y0 - rank.y0) + abs(other.y1 - rank.y1) < 0.25 * rank.height and other.x0 - rank.x1 < 9
            is_fragment = joint.height < 1.3 * rank.height and other.x0 < rank.x1 and other.x1 > rank.x0
            if (is_digit or is_fragment) and joint.width < 1.3 * joint.height:
                rank = joint
        below = [suit for b in found if _is_suit_below(rank, suit := _narrow_suit(rank, b))]
        if below and MIN_RANK_ASPECT < rank.width / rank.height < MAX_RANK_ASPECT:
            yield Index(rank, _add_foot(min(below, key=lambda b: b.y0), found))


def _narrow_suit(rank: Box, other: Box) -> Box:
    """Return a box that is wider than a suit without what joins it on the right: a suit lies centred below its rank."""
    if other.width < MAX_SUIT_ASPECT * other.height:
        return other
    return Box(other.x0, other.y0, max(other.x0 + 1, min(other.x1, rank.x0 + rank.x1 - other.x0)), other.y1)


def _is_suit_below(rank: Box, other: Box) -> bool:
    is_aligned = abs(other.x0 + other.x1 - rank.x0 - rank.x1) < max(rank.width, other.width)
    is_suit_shaped = (
        other.height >= max(9, 0.3 * rank.height) and MIN_SUIT_ASPECT < other.width / other.height < MAX_SUIT_ASPECT
    )
    return is_aligned and is_suit_shaped and -3 <= other.y0 - rank.y1 < _MAX_SUIT_GAP_PX


def _find_index_beside_pip(mask: Mask) -> Index | None:
    """Return rank and suit where a pip touches the suit on the right: the left half of the suit gives its size."""
    for rank in _list_ranks(_box_ink(mask)):
        middle, below = (rank.x0 + rank.x1) // 2, rank.y1 + 1
        half: NDArray[np.bool_] = mask[
            below : below + round(1.3 * rank.height) + _MAX_SUIT_GAP_PX, : middle + 1
        ].astype(np.bool_)
        rows = np.asarray(half.any(1))
        top = int(np.argmax(rows))
        height = int(np.argmin(rows[top:]))
        if not rows.any() or top >= _MAX_SUIT_GAP_PX or height == 0:
            continue
        left = int(np.argmax(np.asarray(half[top : top + height].any(0))))
        suit = Box(left, below + top, 2 * middle - left, below + top + height)
        is_rank = MIN_RANK_ASPECT < rank.width / rank.height < MAX_RANK_ASPECT
        if left > 0 and is_rank and _is_suit_below(rank, suit):
            return Index(rank, suit)
    return None


def _add_foot(suit: Box, found: list[Box]) -> Box:
    """Return the suit with the foot of a club or spade whose thin stem is broken."""
    for other in found:
        joint = suit.join_box(other)
        is_below = -2 <= other.y0 - suit.y1 <= 5 and other.x0 >= suit.x0 and other.x1 <= suit.x1
        if is_below and joint.height < 1.4 * suit.height and abs(other.x0 + other.x1 - suit.x0 - suit.x1) < 6:
            return joint
    return suit


def _split_index(card: StraightCard) -> Index | None:
    """Return rank and suit where a blur joined both: they part at the row with the least ink."""
    for b in _find_ink(card.ink[:_CORNER_H, :_CORNER_W], _INK_PARTS[0]):
        if b.x0 < 30 and b.y0 < 40 and b.height > 34 and 1.5 * b.width < b.height < 3.2 * b.width:
            first, last = round(0.38 * b.height), round(0.72 * b.height)
            rows = (1 - card.colours[b.y0 : b.y1, b.x0 : b.x1].min(2)).sum(1)[first:last]
            cut = b.y0 + first + int(np.argmin(rows))
            return Index(Box(b.x0, b.y0, b.x1, cut), Box(b.x0, cut + 1, b.x1, b.y1))
    return None


def find_pips(card: StraightCard) -> list[Box]:
    """Return the symbols in the upper half of the face that look like pips, at most MAX_PIPS."""
    boxes = [
        part
        for b in _find_ink(card.ink, _INK_PARTS[0])
        if MIN_PIP_PX <= b.height <= MAX_PIP_PX and b.y0 + b.y1 < CARD_HEIGHT_PX + 16
        for part in _split_pair(b)
        if _PIP_ASPECT[0] < part.width / part.height < _PIP_ASPECT[1]
        and 2 * _PIP_MARGIN < part.x0 + part.x1 < 2 * (CARD_WIDTH_PX - _PIP_MARGIN)
    ]
    pips = [b for b in boxes if not any(b.surrounds(other) for other in boxes)]
    return sorted(pips, key=lambda b: -b.height)[:MAX_PIPS]


def _split_pair(b: Box) -> list[Box]:
    """Return two pips that touch as two boxes, others as they are."""
    if not _PIP_PAIR_ASPECT[0] < b.width / b.height < _PIP_PAIR_ASPECT[1]:
        return [b]
    middle = (b.x0 + b.x1) // 2
    return [Box(b.x0, b.y0, middle, b.y1), Box(middle, b.y0, b.x1, b.y1)]


def _find_ink(ink: Floats, ink_part: float) -> list[Box]:
    """Return the rectangles around connected ink that does not touch the edge of a part of a card."""
    return _box_ink(_separate_ink(ink, ink_part))


def _separate_ink(ink: Floats, ink_part: float) -> Mask:
    """Return a mask in which ink is 1."""
    threshold = max(_MIN_INK, ink_part * float(np.partition(ink.ravel(), -ink.size // 50)[-ink.size // 50]))
    return (ink > threshold).astype(np.uint8)


def _box_ink(mask: Mask) -> list[Box]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    h, w = mask.shape
    boxes = []
    for x, y, width, height, area in stats[1:count].tolist():
        if area >= 20 and x > 0 and y > 0 and x + width < w and y + height < h:
            boxes.append(Box(x, y, x + width, y + height))
    return boxes


def describe_symbol(card: StraightCard, box: Box) -> Features:
    """Return the features of the symbol in a box."""
    part = card.colours[max(box.y0 - 2, 0) : box.y1 + 2, max(box.x0 - 2, 0) : box.x1 + 2]
    aspect = np.float32(np.log((box.x1 - box.x0 + 2) / (box.height + 2)))
    return np.append(_describe(part, SYMBOL_PX), 2 * aspect)


def face_features(card: StraightCard) -> Features:
    """Return the features of the face."""
    return _describe(card.colours[_FACE_TOP:-_FACE_TOP, _FACE_LEFT:-_FACE_LEFT], FACE_PX)


def beside_features(colours: Floats) -> Features:
    """Return the features of the part of a card beside an index."""
    return _describe(colours, BESIDE_PX)


def _describe(part: Floats, size: tuple[int, int]) -> Features:
    part = cv2.resize(np.ascontiguousarray(part), size, interpolation=cv2.INTER_AREA)
    red, green, blue = part[..., 0], part[..., 1], part[..., 2]
    grey = (red + green + blue) / 3
    dx = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, borderType=cv2.BORDER_REPLICATE)
    dy = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, borderType=cv2.BORDER_REPLICATE)
    strength, turn = cv2.cartToPolar(dx, dy)
    off = np.abs(turn[..., None] * np.float32(DIRECTIONS / (2 * np.pi)) - np.arange(DIRECTIONS, dtype=np.float32))
    planes = np.empty((*grey.shape, _PLANES), np.float32)
    planes[..., :DIRECTIONS] = strength[..., None] * np.maximum(0, 1 - np.minimum(off, DIRECTIONS - off))
    planes[..., -3], planes[..., -2], planes[..., -1] = 1 - grey, red - green, blue - green
    # Cells overlap: a blur before the means makes small shifts small changes.
    blurred = cv2.GaussianBlur(planes, (5, 5), 1.2)
    cells = cv2.resize(blurred, (size[0] // CELL_PX, size[1] // CELL_PX), interpolation=cv2.INTER_AREA)
    gradients = np.sqrt(np.maximum(cells[..., :DIRECTIONS], 0))
    gradients /= np.sqrt((gradients**2).mean()) + 0.15
    return np.concatenate([gradients.ravel(), 3 * cells[..., DIRECTIONS:].ravel()]).astype(np.float32)
