"""Finds whole cards in a picture: several masks, outlines with four fitted straight sides, and a homography.

A card is light against what surrounds it. Each mask separates light from dark in another way, because no single one
works on carpets, newspapers and white tablecloths. Every outline whose four sides are straight and whose corners make
a card in perspective becomes a candidate; the readers decide whether it is one. The labels that `companion deck
labels` prints are found too: the card's name as a Data Matrix of 6 mm.
"""

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from companion.common.errors import BadCard
from companion.rules.cards import Card, parse_card

Picture = NDArray[np.uint8]
Corners = NDArray[np.float32]

CARD_WIDTH_PX, CARD_HEIGHT_PX = 200, 280
"""Size of a straightened card."""

WORKING_PX = 1280
"""The longer side of the picture that is searched; a larger one is made smaller."""

MIN_SIDE_PX = 34
"""Shortest side of a card in the searched picture."""

_MIN_ASPECT, _MAX_ASPECT = 0.42, 1.0
"""Shorter by longer sides of a card in perspective; lying flat it has 0.64 to 0.72."""

_MAX_SIDE_ERROR = 0.012
"""Mean distance of what belongs to a side from the fitted line, as a part of the card's longer side."""

_MAX_OFF_SIDE = 0.02
"""What lies further from a side than this part of the longer side does not belong to it."""

_MIN_COVERED = 0.55
"""Least part of a side's middle that the outline follows."""

_FITTED_POINTS = 100
"""Number of points, at least, through which a side is fitted. More make it slower, not better."""

MAX_CANDIDATES = 80
"""Most candidates that are read in a picture, those with the straightest sides, so that its time has a bound."""

_SAME_PLACE_PX = 5.0
"""Candidates whose corners are that near are the same."""


class Candidate(NamedTuple):
    """Four corners of what may be a card, clockwise; the first side is a short one."""

    corners: Corners
    error: float
    """Mean distance of the outline from the four sides, as a part of the longer side."""


def find_candidates(picture: Picture) -> list[Candidate]:
    """Return the candidates in an RGB picture, without near duplicates, in pixels of the picture as it is."""
    scale = min(1.0, WORKING_PX / max(picture.shape[:2]))
    if min(picture.shape[:2]) * scale < MIN_SIDE_PX:
        return []
    small = picture if scale == 1.0 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found: list[tuple[bool, Candidate]] = []
    masks = [*_list_masks(small), _draw_edges(small)]
    for number, mask in enumerate(masks):
        for outline in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
            if len(outline) < 4 * MIN_SIDE_PX * 0.7:
                continue
            candidate = fit_quadrilateral(outline[:, 0, :])
            if candidate and not _is_cut_off(candidate.corners, mask.shape):
                found.append((number == len(masks) - 1, candidate))
    kept: list[Candidate] = []
    for _, candidate in sorted(found, key=lambda each: (each[0], each[1].error)):  # edges lie outside of the card
        if len(kept) == MAX_CANDIDATES:
            break
        if not any(_is_same_place(candidate.corners, other.corners) for other in kept):
            kept.append(candidate)
    return [Candidate(c.corners / np.float32(scale), c.error) for c in kept]


def _list_masks(picture: Picture) -> Iterator[Picture]:
    """Yield masks in which cards are white."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    smooth = cv2.GaussianBlur(grey, (3, 3), 0)
    threshold, mask = cv2.threshold(smooth, 0, 255, cv2.THRESH_OTSU)
    yield mask
    yield cv2.threshold(smooth, (threshold + 255) / 2, 255, cv2.THRESH_BINARY)[1]
    window = (max(grey.shape) // 8) | 1
    yield cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, -12)
    red, green, blue = cv2.split(picture)
    least = cv2.min(cv2.min(red, green), blue)  # white is high in every channel, a coloured table is not
    yield cv2.threshold(cv2.GaussianBlur(least, (3, 3), 0), 0, 255, cv2.THRESH_OTSU)[1]


def _draw_edges(picture: Picture) -> Picture:
    """Return a mask in which edges are black and a card is white inside."""
    smooth = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (3, 3), 0)
    edges = cv2.Canny(smooth, 40, 110)
    return np.asarray(cv2.bitwise_not(cv2.dilate(edges, np.ones((3, 3), np.uint8))), np.uint8)


def fit_quadrilateral(outline: NDArray[np.int32]) -> Candidate | None:
    """Return the four straight sides of an outline as a candidate, None if it has no such sides."""
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    if area < MIN_SIDE_PX * MIN_SIDE_PX * 1.2:
        return None
    corners = _rough_corners(hull, area)
    if corners is None:
        return None
    sides, errors = [], []
    longest = max(float(np.linalg.norm(corners[i] - corners[i - 3])) for i in range(4))
    for i in range(4):
        side = _fit_side(outline, corners[i], corners[(i + 1) % 4], longest)
        if side is None:
            return None
        sides.append(side[0])
        errors.append(side[1])
    fitted = np.array([_intersect(sides[i - 1], sides[i]) for i in range(4)], np.float32)
    if not np.isfinite(fitted).all() or np.abs(fitted - corners).max() > longest * 0.12:
        return None
    candidate = Candidate(_start_with_short_side(fitted), max(errors))
    return candidate if _is_card_shaped(fitted, area) else None


def _rough_corners(hull: NDArray[np.int32], area: float) -> NDArray[np.float32] | None:
    """Return the hull simplified to four corners, clockwise."""
    length = cv2.arcLength(hull, True)
    for part in (0.02, 0.03, 0.045, 0.06, 0.08):
        simple = cv2.approxPolyDP(hull, part * length, True)
        if len(simple) == 4:
            corners = simple.reshape(4, 2).astype(np.float32)
            return corners if cv2.contourArea(corners) > 0.88 * area else None
        if len(simple) < 4:
            return None
    return None


def _fit_side(
    outline: NDArray[np.int32], start: NDArray[np.float32], end: NDArray[np.float32], longest: float
) -> tuple[NDArray[np.float32], float] | None:
    """Return a line (direction, point) through the outline near a side's middle, and the outline's mean error.

    A finger or a dark figure may hide a part of the side: the line is fitted again without what lies off it.
    """
    along = end - start
    length = float(np.hypot(*along))
    if length < MIN_SIDE_PX:
        return None
    along /= length
    offset = outline - start
    position, distance = offset @ along, offset @ np.array([-along[1], along[0]], np.float32)
    near = (position > 0.12 * length) & (position < 0.88 * length) & (np.abs(distance) < 0.06 * longest)
    points, position = outline[near].astype(np.float32), position[near]
    error = 0.0
    for is_refit in (False, True):
        if len(points) < 12:
            return None
        line = cv2.fitLine(points[:: 1 + len(points) // _FITTED_POINTS], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        away = np.abs((points - line[2:]) @ np.array([-line[1], line[0]], np.float32)) / longest
        if not is_refit:
            error = float(away.mean())
        on_side = away <= _MAX_OFF_SIDE
        if on_side.all():
            break
        points, position, away = points[on_side], position[on_side], away[on_side]
    covered = np.unique((position / 2).astype(int)).size * 2 / (0.76 * length)
    return (line, error) if covered >= _MIN_COVERED and away.mean() <= _MAX_SIDE_ERROR else None


def _intersect(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    cross = first[0] * second[1] - first[1] * second[0]
    if abs(cross) < 1e-3:
        return np.full(2, np.nan, np.float32)
    t = ((second[2] - first[2]) * second[1] - (second[3] - first[3]) * second[0]) / cross
    return np.array([first[2] + t * first[0], first[3] + t * first[1]], np.float32)


def _start_with_short_side(corners: Corners) -> Corners:
    """Return the corners clockwise from one that begins a short side."""
    if cv2.contourArea(corners, True) < 0:
        corners = np.ascontiguousarray(corners[::-1])
    lengths = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    return corners if lengths[0] + lengths[2] <= lengths[1] + lengths[3] else np.roll(corners, -1, 0)


def _is_card_shaped(corners: Corners, area: float) -> bool:
    lengths = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    if lengths.min() < MIN_SIDE_PX / 2:
        return False
    pairs = sorted(((lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2))
    opposite = (
        min(lengths[0], lengths[2]) / max(lengths[0], lengths[2]),
        min(lengths[1], lengths[3]) / max(lengths[1], lengths[3]),
    )
    if not (_MIN_ASPECT < pairs[0] / pairs[1] <= _MAX_ASPECT and min(opposite) > 0.7):
        return False
    return bool(0.93 < area / cv2.contourArea(corners) < 1.04)


def _is_cut_off(corners: Corners, shape: tuple[int, ...]) -> bool:
    """Return whether a side lies on the edge of the picture."""
    beside = (corners < 2) | (corners > np.array([shape[1] - 3, shape[0] - 3]))
    return bool((beside.sum(0) >= 2).any())


def _is_same_place(first: Corners, second: Corners) -> bool:
    return any(float(np.abs(first - np.roll(second, turn, 0)).max()) < _SAME_PLACE_PX for turn in (0, 2))


def quad_overlap(first: Corners, second: Corners) -> float:
    """Return the common area of two convex quadrilaterals as a part of the smaller one."""
    common = cv2.intersectConvexConvex(first, second)[0]
    return float(common / min(cv2.contourArea(first), cv2.contourArea(second)))


def is_inside(point: NDArray[np.float32], corners: Corners) -> bool:
    """Return whether a point lies in a quadrilateral."""
    return bool(cv2.pointPolygonTest(corners, (float(point[0]), float(point[1])), False) >= 0)


def straighten(picture: Picture, corners: Corners) -> Picture:
    """Return the card between these corners as a picture of CARD_WIDTH_PX × CARD_HEIGHT_PX."""
    w, h = CARD_WIDTH_PX, CARD_HEIGHT_PX
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    straight = cv2.warpPerspective(picture, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(straight, np.uint8)


MAX_LABELS = 60
"""Most labels that are taken from a picture; a deck has 52."""

MAX_SEARCHED_PX = 2560
"""Longer side of a picture that is searched. The time grows faster than the area: with 4000 pixels, a picture drawn for
it takes minutes. Smaller pictures are also searched at up to twice their size, for small codes."""

_FORMATS = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.DataMatrix])


class Label(NamedTuple):
    """A label in a picture."""

    card: Card
    corners: Corners
    """Of the code, clockwise, in pixels."""


def read_labels(picture: Picture) -> list[Label]:
    """Return the labels in an RGB picture. Codes with another text than a card's name are ignored."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    largest = MAX_SEARCHED_PX / max(grey.shape)
    labels: list[Label] = []
    for scale in sorted({min(1.0, largest), min(2.0, largest)}):
        for label in _read_codes(grey, scale):
            if not any(is_inside(label.corners.mean(0), other.corners) for other in labels):
                labels.append(label)
    return labels[:MAX_LABELS]


def _read_codes(grey: Picture, scale: float) -> list[Label]:
    """Return the labels that are found at this scale, in pixels of the picture as it is."""
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    height, width = (max(1, round(scale * side)) for side in grey.shape)  # a thin picture keeps a pixel
    scaled = grey if scale == 1 else cv2.resize(grey, (width, height), interpolation=method)
    labels = []
    for code in zxingcpp.read_barcodes(scaled, formats=_FORMATS, try_downscale=False, try_invert=False):
        try:
            card = parse_card(code.text)
        except BadCard:
            continue
        at = code.position
        points = [(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        labels.append(Label(card, np.array(points, np.float32) / np.float32(scale)))
    return labels
