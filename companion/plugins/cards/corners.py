"""Reads the index of a card wherever it shows, at any angle, without the card's outline: in fans and under other cards.

An index is two spots of ink on paper, the rank above the suit. Every such pair is turned upright and read by the
networks that read straightened cards. A card is certain only with a second witness: its other corner, or the
index of another card of the deck.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards.features import (
    BESIDE_PX,
    Box,
    Features,
    Index,
    StraightCard,
    beside_features,
    describe_symbol,
    find_index_at,
    measure_redness,
)
from companion.plugins.cards.finder import MIN_SIDE_PX, WORKING_PX, Picture, quad_overlap
from companion.plugins.cards.network import FACE_CLASSES, classify_ranks, load_networks
from companion.rules.cards import PACK, RANKS, Card

Floats = NDArray[np.float32]

MIN_INK_PARTS = (0.3, 0.5)
"""A pixel is ink if it is that much darker or more coloured than the paper around it."""

MIN_PAPER = 0.45
"""Brightness of the paper around an index, as a part of the brightest paper of the picture."""

MIN_SPOT_PX, MAX_SPOT_PX = 7, 110
"""Longer side of the smallest rank or suit in the searched picture, and of the largest."""

MIN_SPOT_FILL = 0.1
"""Least ink of a spot, as a part of its longer side squared: a thin J has 0.11."""

MAX_SPOTS = 500
MAX_PAIRS = 160
"""Most spots of ink that are looked at, and most pairs that are read, so that the time of a picture has a bound."""

MAX_ENLARGED = 2.0
"""A small picture is searched at up to this multiple of its size."""

PAPER_LEVEL = 230
"""Brightness to which paper is brought: what is up to 1.1 times as bright still fits into a byte."""

PATCH_WIDTH, PATCH_HEIGHT = 96, 128
RANK_PX, PATCH_LEFT, PATCH_TOP = 36, 34, 16
"""Where the middle of the rank's upper edge comes to lie in an upright patch, and how high the rank is there."""

BESIDE_LEFT, BESIDE_TOP, BESIDE_WIDTH = 0.3, -0.6, 2.5
"""Where the part of the card begins that is looked at beside an index, from its centre, in heights of the index."""

MAX_ASKEW = 0.05
"""An index whose direction differs more from that of its pair is looked at again."""

MIN_SEEN = 0.35
"""Least probability of a rank and of a suit for an index to be one at all."""


MIN_LONE = 0.8
"""Least probability of a card that one corner shows, to be given at all."""

MIN_PAIRED = 0.95
"""Least probability of rank and of suit in each of two corners of a card, and in the index of a card beside it."""

MIN_BESIDE_COURT, MIN_BESIDE_SUIT, MIN_BESIDE = 0.95, 0.99, 0.5
"""The same of a court and of a suit in the only corner, and of as many pips as it says, or a figure, beside it."""

MAX_DOUBT = 0.002
"""Greatest product of what is missing to certainty in the rank, and in what shows beside it."""

MIN_DENIED = 0.9
"""Probability of something else beside an index that makes it unsure."""

FIGURE = FACE_CLASSES.index("F")

MIN_CONFIRMED = 0.75
"""The same of the rank in each of two corners if as many pips show between them."""

MIN_FANNED = 0.995
"""The same in the only corner that shows of a card."""

LOOKALIKES, MIN_LOOKALIKE = "3Q", 0.9995
"""Half an 8 looks like a 3, and in some fonts an A like a Q: drawn ones had 0.994 and 0.998. They must be clearer."""

MIN_SYMMETRY = 0.6
"""Least symmetry of a suit: what covers half of a diamond makes it look like a heart."""

MAX_SHARED = 0.08
"""Indices that overlap by more of the smaller one use the same ink."""

MAX_SIZE_RATIO = 1.2
"""Indices of a deck differ no more in their size."""

PARTS_OF_TEN = "7Q"
"""What the 1 and the 0 of a 10 look like: they count only with free paper beside them."""


class Corner(NamedTuple):
    """An index corner in a picture."""

    centre: Floats
    """Between rank and suit, in pixels of the picture."""
    up: Floats
    """From the lower edge of the suit to the upper edge of the rank."""
    ranks: Floats
    """Probabilities of the 13 ranks and of none."""
    suits: Floats
    """Probabilities of the 4 suits and of none."""
    redness: float
    rank_centre: Floats
    symmetry: float
    """How symmetrical the ink of the suit is; half a heart is less so."""
    is_alone: bool
    """Whether no other ink is beside the rank, as the second digit of a 10 would be."""
    beside: Floats
    """Probabilities of FACE_CLASSES by what shows beside the index; zeros where the index is not clear."""

    @property
    def card(self) -> Card:
        """The likeliest card."""
        return PACK[int(self.joint.argmax())]

    @property
    def joint(self) -> Floats:
        """Probability of each card of the pack."""
        return np.asarray(self.ranks[[c.rank for c in PACK]] * self.suits[[c.suit for c in PACK]], np.float32)

    @property
    def quad(self) -> Floats:
        """Return the four corners of the index, clockwise from the upper left."""
        return self.draw_quad(0.32, 0.55)

    def draw_quad(self, half_width: float, half_height: float) -> Floats:
        """Return such a rectangle of these sizes, as parts of the index' height."""
        right = np.array([-self.up[1], self.up[0]], np.float32) * np.float32(half_width)
        half, at = self.up * np.float32(half_height), self.centre
        return np.array([at + half - right, at + half + right, at - half + right, at - half - right], np.float32)


class Upright(NamedTuple):
    """A patch of a picture with an index upright in it, and the centre and direction of the index in the picture."""

    patch: StraightCard
    place: Index
    centre: Floats
    up: Floats
    rank_centre: Floats


class _Spot(NamedTuple):
    points: Floats
    """The hull of a spot of ink."""
    centre: Floats
    size: float
    fill: float
    """Ink as a part of the hull."""


class Sheet(NamedTuple):
    """A picture whose paper is at PAPER_LEVEL everywhere, its ink, and where there is paper at all."""

    colours: Picture
    ink: Picture
    is_paper: Picture


def read_corners(picture: Picture) -> list[Corner]:
    """Return the index corners in an RGB picture, the clearest first, each once."""
    scale = scale_picture(picture)
    if min(picture.shape[:2]) * scale < MIN_SIDE_PX:
        return []
    sheet = even_sheet(picture, scale)
    corners: list[Corner] = []
    tried: set[tuple[int, ...]] = set()
    for ink_part in MIN_INK_PARTS:
        poses = []
        for pose in list_poses(sheet, ink_part):
            key = tuple(int(v) // 4 for values in pose for v in values)
            if key not in tried and not any(_is_near(pose, c.centre, c.up) for c in corners):
                poses.append(pose)
            tried.add(key)
        corners += _read_uprights(sheet, straighten_poses(sheet, poses))
    distinct: list[Corner] = []
    for corner in sorted(corners, key=lambda c: -float(c.joint.max())):
        if not any(_is_near((corner.centre, corner.up), c.centre, c.up) for c in distinct):
            distinct.append(corner)
    return [c._replace(centre=c.centre / np.float32(scale), up=c.up / np.float32(scale)) for c in distinct]


def _is_near(pose: tuple[Floats, Floats], centre: Floats, up: Floats) -> bool:
    return float(np.linalg.norm(pose[0] - centre)) < 0.4 * max(
        float(np.linalg.norm(pose[1])), float(np.linalg.norm(up))
    )


def scale_picture(picture: Picture) -> float:
    """Return the scale at which a picture is searched."""
    return min(MAX_ENLARGED, WORKING_PX / float(max(picture.shape[:2])))


def even_sheet(picture: Picture, scale: float) -> Sheet:
    """Return a picture at this scale with its paper even."""
    if scale != 1:
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method), np.uint8)
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA)
    paper = cv2.GaussianBlur(cv2.dilate(small, np.ones((13, 13), np.uint8)), (0, 0), 4)
    least = paper.min(2)
    is_paper = (least > MIN_PAPER * np.percentile(least, 98)).astype(np.uint8)
    lit = cv2.resize(cv2.max(paper, 16), (width, height), interpolation=cv2.INTER_LINEAR)
    colours = cv2.divide(picture, lit, scale=PAPER_LEVEL)
    red, green, blue = cv2.split(colours)
    spread = cv2.subtract(cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue))
    grey = cv2.transform(colours, np.full((1, 3), 1 / 3, np.float32))
    ink = cv2.max(cv2.subtract(np.full_like(grey, PAPER_LEVEL), grey), cv2.convertScaleAbs(spread, alpha=0.8))
    return Sheet(colours, ink, cv2.resize(is_paper, (width, height), interpolation=cv2.INTER_NEAREST))


def list_poses(sheet: Sheet, ink_part: float) -> list[tuple[Floats, Floats]]:
    """Return the centre and the direction of each pair of spots that may be an index, the likeliest first."""
    return _pair_spots(_list_spots(sheet, ink_part))


def _list_spots(sheet: Sheet, ink_part: float) -> list[_Spot]:
    """Return the spots of ink that may be a rank or a suit."""
    mask = cv2.threshold(sheet.ink, ink_part * PAPER_LEVEL, 1, cv2.THRESH_BINARY)[1] & sheet.is_paper
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    sides = stats[:, 2:4].max(1)
    chosen = np.flatnonzero((sides >= MIN_SPOT_PX) & (sides <= MAX_SPOT_PX) & (stats[:, 4] >= MIN_SPOT_FILL * sides**2))
    spots = []
    for n in chosen[chosen > 0][np.argsort(-stats[chosen[chosen > 0], 4], kind="stable")][:MAX_SPOTS]:
        x, y, w, h, area = stats[n].tolist()
        own = (labels[y : y + h, x : x + w] == n).astype(np.uint8)
        outline = max(cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0], key=len)
        hull = cv2.convexHull(outline)[:, 0, :].astype(np.float32)
        filled = cv2.contourArea(hull) + len(hull)
        centre = np.array([x, y], np.float32) + (hull.min(0) + hull.max(0)) / 2
        spots.append(_Spot(hull + np.array([x, y], np.float32), centre, float(max(w, h)), area / max(filled, 1.0)))
    return spots


def _pair_spots(spots: Sequence[_Spot]) -> list[tuple[Floats, Floats]]:
    if len(spots) < 2:
        return []
    centres, sizes = np.array([s.centre for s in spots]), np.array([s.size for s in spots])
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    near = (away < 1.9 * np.maximum(sizes[:, None], sizes[None])) & (away > 0.5 * sizes[:, None])
    near &= (sizes[:, None] < 2.6 * sizes[None]) & (sizes[None] < 2.6 * sizes[:, None])
    pairs = []
    for suit, rank in zip(*np.nonzero(near), strict=True):
        if spots[suit].fill > 0.62 and (pose := _measure_pair(spots[int(rank)], spots[int(suit)])):
            pairs.append(pose)
    pairs.sort(key=lambda pair: pair[0])
    return [(centre, up) for _, centre, up in pairs[:MAX_PAIRS]]


def _measure_pair(rank: _Spot, suit: _Spot) -> tuple[float, Floats, Floats] | None:
    """Return how unlike an index a rank above a suit is, its centre and its direction; None if it cannot be one."""
    along = (rank.centre - suit.centre) / np.linalg.norm(rank.centre - suit.centre)
    across = np.array([-along[1], along[0]], np.float32)
    heights, widths, ends = [], [], []
    for spot in (rank, suit):
        offset = spot.points - suit.centre
        down, side = offset @ along, offset @ across
        heights.append(float(np.ptp(down)) + 1)
        widths.append(float(np.ptp(side)) + 1)
        ends.append((float(down.min()), float(down.max())))
    gap = ends[0][0] - ends[1][1]
    is_index = (
        0.4 < heights[1] / heights[0] < 1.25
        and 0.14 < widths[0] / heights[0] < 1.4
        and 0.5 < widths[1] / heights[1] < 1.5
        and -0.12 * heights[0] < gap < 0.75 * heights[0]
    )
    if not is_index:
        return None
    total = ends[0][1] - ends[1][0]
    centre = suit.centre + along * np.float32((ends[0][1] + ends[1][0]) / 2)
    unlike = abs(np.log(widths[1] / heights[1])) + abs(gap / heights[0] - 0.15) + abs(heights[1] / heights[0] - 0.8)
    return unlike, centre.astype(np.float32), (along * total).astype(np.float32)


def straighten_poses(sheet: Sheet, poses: Sequence[tuple[Floats, Floats]]) -> list[Upright]:
    """Return the indices at these places."""
    uprights = []
    for centre, up in poses:
        upright = _straighten_index(sheet, centre, up)
        # A 10 is first seen by one of its digits, and so askew: the second look is along the whole rank.
        if upright and float(np.abs(upright.up - up).max()) > MAX_ASKEW * float(np.linalg.norm(up)):
            upright = _straighten_index(sheet, upright.centre, upright.up)
        if upright:
            uprights.append(upright)
    return uprights


def _read_uprights(sheet: Sheet, uprights: Sequence[Upright]) -> list[Corner]:
    """Return the corners that the networks see in these patches."""
    if not uprights:
        return []
    _, suit_network, _, beside_network = load_networks()
    suits = suit_network.classify(np.stack([describe_symbol(u.patch, u.place.suit) for u in uprights]))
    suited = [n for n in range(len(uprights)) if suits[n, :-1].max() >= MIN_SEEN]
    if not suited:
        return []
    ranks = classify_ranks(np.stack([describe_symbol(uprights[n].patch, uprights[n].place.rank) for n in suited]))
    seen = [(uprights[n], rank, suits[n]) for rank, n in zip(ranks, suited, strict=True) if rank[:-1].max() >= MIN_SEEN]
    if not seen:
        return []
    beside = np.zeros((len(seen), len(FACE_CLASSES)), np.float32)
    clear = [n for n, (_, rank, suit) in enumerate(seen) if rank[:-1].max() * suit[:-1].max() >= MIN_LONE]
    if clear:
        patches = [describe_beside(sheet, seen[n][0].centre, seen[n][0].up) for n in clear]
        beside[clear] = beside_network.classify(np.stack(patches))
    return [
        Corner(
            u.centre,
            u.up,
            rank,
            suit,
            measure_redness(u.patch, u.place.suit),
            u.rank_centre,
            _symmetry(u.patch, u.place),
            _is_alone(u.patch, u.place),
            counts,
        )
        for (u, rank, suit), counts in zip(seen, beside, strict=True)
    ]


def describe_beside(sheet: Sheet, centre: Floats, up: Floats) -> Features:
    """Return what shows beside an index at such a place."""
    height = float(np.linalg.norm(up))
    scale = 2 * BESIDE_PX[0] / BESIDE_WIDTH / height
    turn = np.array([[-up[1], up[0]], [-up[0], -up[1]]]) / height * scale
    offset = np.array([BESIDE_LEFT, BESIDE_TOP]) * height * scale
    matrix = np.hstack([turn, (-turn @ centre - offset)[:, None]]).astype(np.float32)
    size = (2 * BESIDE_PX[0], 2 * BESIDE_PX[1])
    part = cv2.warpAffine(sheet.colours, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return beside_features(np.divide(part, PAPER_LEVEL, dtype=np.float32))


def _symmetry(card: StraightCard, index: Index) -> float:
    ink = _cut(card.ink, index.suit)
    is_ink = ink > 0.5 * float(np.percentile(ink, 90))
    both, either = int((is_ink & is_ink[:, ::-1]).sum()), int((is_ink | is_ink[:, ::-1]).sum())
    return both / max(1, either)


def _is_alone(card: StraightCard, index: Index) -> bool:
    """Return whether the paper beside the rank is free: a 10 without its 0 looks like a 7."""
    rank = index.rank
    reach, strength = round(0.4 * rank.height), 0.45 * float(np.percentile(_cut(card.ink, rank), 90))
    beside = (Box(max(0, rank.x0 - reach), 0, max(0, rank.x0 - 2), 0), Box(rank.x1 + 2, 0, rank.x1 + reach, 0))
    for side in beside:
        is_ink = card.ink[:, side.x0 : side.x1] > strength
        # An edge of the card, or of the next one, goes on above the rank; a digit does not.
        columns = is_ink[:, ~is_ink[max(0, rank.y0 - 6) : rank.y0 - 2].any(0)]
        if columns.size and float(columns[rank.y0 : rank.y1].any(1).mean()) > 0.6:
            return False
    return True


def _cut(plane: Floats, box: Box) -> Floats:
    return plane[box.y0 : box.y1, box.x0 : box.x1]


def _straighten_index(sheet: Sheet, centre: Floats, up: Floats) -> Upright | None:
    height = float(np.linalg.norm(up))
    if height < 2 * MIN_SPOT_PX:
        return None
    scale = 1.95 * RANK_PX / height
    cos, sin = -float(up[1]) / height * scale, float(up[0]) / height * scale
    # The centre of the index comes to lie in the middle of the patch's column.
    at = np.array([PATCH_LEFT, PATCH_TOP + 0.975 * RANK_PX])
    turn = np.array([[cos, sin], [-sin, cos]])
    matrix = np.hstack([turn, (at - turn @ centre)[:, None]]).astype(np.float32)
    size = (PATCH_WIDTH, PATCH_HEIGHT)
    colours = cv2.warpAffine(sheet.colours, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    ink = cv2.warpAffine(sheet.ink, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = (np.asarray(plane, np.float32) / np.float32(PAPER_LEVEL) for plane in (colours, ink))
    card = StraightCard(*(np.asarray(plane, np.float32) for plane in levels))
    best = find_index_at(card, (float(at[0]), float(at[1])), 0.5 * RANK_PX)
    if best is None:
        return None
    rank, suit = best
    tops = np.array([(rank.x0 + rank.x1) / 2, rank.y0]), np.array([(suit.x0 + suit.x1) / 2, suit.y1])
    back = np.linalg.inv(turn)
    first, last = (back @ (point - at) + centre for point in tops)
    rank_centre = first + (last - first) * (rank.height / 2 / max(1, suit.y1 - rank.y0))
    return Upright(card, best, *(v.astype(np.float32) for v in ((first + last) / 2, first - last, rank_centre)))


class CornerReading(NamedTuple):
    """What the corners of one card say."""

    quad: Floats
    """Around the index, or around both corners and so nearly the whole card."""
    is_pair: bool
    card: Card | None
    """The card, None without a second witness."""
    is_confirmable: bool
    """Whether it would be certain if its face shows that many pips, or a figure."""
    is_confirmed: bool
    """Whether that shows beside an index."""
    joint: Floats
    """Probability of each card of the pack."""
    redness: float


def judge_corners(corners: Sequence[Corner], witnesses: Sequence[Corner] = ()) -> list[CornerReading]:
    """Return what corners say, a reading for each card, which is not given twice; other corners are only witnesses."""
    given: dict[Card, CornerReading] = {}
    for corner in corners:
        if float(corner.joint.max()) < MIN_LONE or corner.card in given:
            continue
        card, same = corner.card, [c for c in corners if c.card == corner.card and c is not corner]
        other = next((c for c in same if _is_other_corner(corner, c) or _is_other_corner(c, corner)), None)
        is_symmetric = min(corner.symmetry, 1.0 if other is None else other.symmetry) >= MIN_SYMMETRY
        is_whole = RANKS[card.rank] not in PARTS_OF_TEN or corner.is_alone or (other is not None and other.is_alone)
        is_disputed = any(_is_disputed(corner, c) for c in corners if c.card != card)
        is_clear = is_symmetric and not is_disputed
        is_confirmed = is_clear and _is_confirmed_beside(corner)
        is_confirmable = is_clear and other is not None and _are_confirmable(corner, other)
        is_certain = is_confirmed or (
            is_whole
            and is_clear
            and (
                (other is not None and min(_surety(corner), _surety(other)) >= MIN_PAIRED)
                or (
                    _is_very_clear(corner) and not _is_denied(corner) and _has_neighbour(corner, (*corners, *witnesses))
                )
            )
        )
        quad = corner.quad if other is None else _join_quads(corner, other)
        redness = corner.redness if other is None else min(corner.redness, other.redness)
        given[card] = CornerReading(
            quad, other is not None, card if is_certain else None, is_confirmable, is_confirmed, corner.joint, redness
        )
    return list(given.values())


def _surety(corner: Corner) -> float:
    return float(min(corner.ranks[:-1].max(), corner.suits[:-1].max()))


def _are_confirmable(corner: Corner, other: Corner) -> bool:
    least = MIN_PAIRED if RANKS[corner.card.rank] in "JQK" else MIN_CONFIRMED
    return all(c.ranks[:-1].max() >= least and c.suits[:-1].max() >= MIN_PAIRED for c in (corner, other))


def _is_confirmed_beside(corner: Corner) -> bool:
    """Return whether as many pips as the rank says, or a figure, show beside a clear index."""
    rank = corner.card.rank
    least = MIN_BESIDE_COURT if rank >= FIGURE else MIN_LONE
    return bool(
        corner.ranks[rank] >= least
        and corner.suits[corner.card.suit] >= MIN_BESIDE_SUIT
        and (own := corner.beside[min(rank, FIGURE)]) >= MIN_BESIDE
        and (1 - corner.ranks[rank]) * (1 - own) <= MAX_DOUBT
    )


def _is_denied(corner: Corner) -> bool:
    """Return whether another number of pips shows beside an index, or none where a figure should be."""
    return bool(np.delete(corner.beside[:-1], min(corner.card.rank, FIGURE)).max() >= MIN_DENIED)


def _is_very_clear(corner: Corner) -> bool:
    least = MIN_LOOKALIKE if RANKS[corner.card.rank] in LOOKALIKES else MIN_FANNED
    return _surety(corner) >= MIN_FANNED and float(corner.ranks[corner.card.rank]) >= least


def _is_disputed(corner: Corner, other: Corner) -> bool:
    """Return whether another card's index uses the same ink, as a 9 made of a 6 upside down and a pip."""
    if float(other.joint.max()) < MIN_PAIRED:
        return False
    if float(np.linalg.norm(corner.rank_centre - other.rank_centre)) < 0.2 * float(np.linalg.norm(corner.up)):
        return True
    return quad_overlap(corner.draw_quad(0.22, 0.48), other.draw_quad(0.22, 0.48)) > MAX_SHARED


def _is_other_corner(first: Corner, other: Corner) -> bool:
    """Return whether another corner may be the one of the same card that is opposite, upside down."""
    length, other_length = float(np.linalg.norm(first.up)), float(np.linalg.norm(other.up))
    if not 0.7 < length / other_length < 1.43 or float(first.up @ other.up) > -0.88 * length * other_length:
        return False
    away = (other.centre - first.centre) / length
    down = float(-away @ first.up) / length
    right = float(away @ np.array([-first.up[1], first.up[0]], np.float32)) / length
    return 1.2 < down < 9 and 0.35 < right / down < 1.35


def _has_neighbour(corner: Corner, others: Sequence[Corner]) -> bool:
    """Return whether the picture shows a clear index of another card that is as large."""
    size = float(np.linalg.norm(corner.up))
    return any(
        other.card != corner.card
        and _surety(other) >= MIN_PAIRED
        and 1 / MAX_SIZE_RATIO < float(np.linalg.norm(other.up)) / size < MAX_SIZE_RATIO
        for other in others
    )


def _join_quads(first: Corner, other: Corner) -> Floats:
    """Return the rectangle around both corners in the direction of the first."""
    length = np.float32(np.linalg.norm(first.up))
    axes = np.array([[-first.up[1], first.up[0]], -first.up], np.float32) / length
    points = (np.concatenate([first.quad, other.quad]) - first.centre) @ axes.T
    (left, top), (right, bottom) = points.min(0), points.max(0)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32) @ axes + first.centre
