"""Where a board and its holes are in a photograph. Millimetres from the upper left corner of the wood; y points down.

The corners are tapped, or found by four printed markers on them (`web/plugins/peg_photos/peg-markers.html`). A hole
of a board that is not ours is a round dark spot, of any of the usual diameters. Letters and knots may be among what
is found: `drawn_track` keeps only the holes under a line that the player has drawn.
"""

from itertools import permutations
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards.board import Board
from companion.plugins.cards import UnusablePhoto
from companion.plugins.cards.photo import decode_photo
from companion.plugins.drawing.template import build_template

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

MIN_PX_PER_MM = 3.0
MAX_FORESHORTENING = 1.3
"""Largest ratio of the scales along and across the slope of the board in the picture."""
FLAT_PX_PER_MM = 5.0
"""Resolution of the board as seen straight from above."""
MAX_WOOD_MM2 = 120_000
"""Largest area of an unknown board: seen from above it takes 25 pixels a square millimetre."""
BORDER_MM = 4.0
"""Part of the table around the wood that is kept."""

_SEARCH_MM = (3.0, 1.2)
"""Largest distances of a hole from its expected place: by the corners, then by the other holes."""
_INLIER_MM = 0.6
_MIN_HOLES_FOUND = 0.8
"""Share of the holes that must be where the board has them."""
_SHIFTS_MM = ((0.0, 0.0), (7.5, 0.0), (-7.5, 0.0), (0.0, 7.5), (0.0, -7.5))
"""Errors of the tapped corners that would fit the next row of holes."""
_MIN_LEAD = 0.05
"""By how much the board must fit better than a row farther."""
_MIN_DARKNESS = 3.0
"""By how much a hole is darker than the wood, in grey levels of 256."""
_CLEARLY_BETTER = 0.15
"""By how much another orientation must fit better than the one in which the corners were given."""
_USUAL_FOCAL_LENGTH = 0.75
"""Focal length of a phone's main camera in longer sides of its picture."""


class FlatBoard(NamedTuple):
    """The board as seen straight from above.

    `picture` has FLAT_PX_PER_MM. `holes` are pixels in it, by bit. `foot` is the point on the board below the camera,
    in pixels, and `height_mm` the camera's height above the board; both are estimates. `from_picture` is the homography
    from the photograph.
    """

    picture: Picture
    holes: Points
    foot: Points
    height_mm: float
    from_picture: Points


def flatten_board(
    picture: Picture, corners: Points, board: Board, whole: tuple[float, float, float, float] | None = None
) -> FlatBoard:
    """Return the board in an RGB picture. Raises UnusablePhoto.

    `corners` are the corners of the wood in pixels, the upper left of the board file first, in either direction.
    `whole` is the rectangle of the photograph of which the picture is a part: left, top, width and height.
    """
    size, holes = _measure_board(board)
    corners = _go_clockwise(corners)
    _check_scale(corners, size)
    fits = [_find_holes(picture, np.roll(corners, -turn, axis=0), size, holes) for turn in _list_turns(size)]
    best = max(fits, key=lambda fit: fit.share)
    fit = best if best.share > fits[0].share + _CLEARLY_BETTER else fits[0]
    if fit.share < _MIN_HOLES_FOUND:
        raise UnusablePhoto("The holes do not fit the board of this game. Tap the corners of the wood exactly.")
    foot, height = _locate_camera(fit.to_flat, picture.shape, whole)
    return FlatBoard(_flatten(picture, fit.to_flat, size), fit.holes, foot, height, fit.to_flat)


class FlatWood(NamedTuple):
    """A board of which only the size is known, as seen straight from above, and the homography to it."""

    picture: Picture
    from_picture: Points
    size_mm: Points

    def to_millimetres(self, pixels: Points) -> Points:
        """Return places of the photograph as millimetres from the upper left corner of the wood."""
        return np.asarray(cv2.perspectiveTransform(pixels[None], self.from_picture)[0] / FLAT_PX_PER_MM - BORDER_MM)

    def to_pixels(self, places: Points) -> Points:
        flat = (places + BORDER_MM) * FLAT_PX_PER_MM
        return np.asarray(cv2.perspectiveTransform(flat[None], np.linalg.inv(self.from_picture))[0])


def flatten_wood(picture: Picture, corners: Points, length_mm: float) -> FlatWood:
    """Return a board whose longer side has this length. Raises UnusablePhoto.

    The shorter side follows from the corners: its error is small if the picture is not slanted.
    """
    corners = _go_clockwise(corners)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    size = np.array([sides[0] + sides[2], sides[1] + sides[3]])
    size = (size * length_mm / size.max()).round(1)
    if size[0] * size[1] > MAX_WOOD_MM2:
        raise UnusablePhoto("This board is too large. At most {size} cm² can be looked at.", size=MAX_WOOD_MM2 // 100)
    _check_scale(corners, size)
    to_flat = _homography(corners, (_rectangle(size) + BORDER_MM) * FLAT_PX_PER_MM)
    return FlatWood(_flatten(picture, to_flat, size), to_flat, size)


def locate_in_picture(flat: FlatBoard, hole: int) -> list[float]:
    x, y, w = np.linalg.inv(flat.from_picture) @ (*flat.holes[hole], 1)
    return [round(float(x / w), 1), round(float(y / w), 1)]


def _measure_board(board: Board) -> tuple[Points, Points]:
    """Return width and height of the wood, and the holes on it."""
    if board.wood:
        return np.array(board.wood), np.array([(hole.x_mm, hole.y_mm) for hole in board.holes])
    template = build_template(board)
    corner = np.array(template.corner)
    return np.array(template.far) - corner, np.array([(hole.x_mm, hole.y_mm) for hole in board.holes]) - corner


def _go_clockwise(corners: Points) -> Points:
    """Return the corners clockwise, the first one first. Raises UnusablePhoto if they form no quadrilateral."""
    for order in permutations(range(1, 4)):
        turned = corners[[0, *order]]
        sides = np.roll(turned, -1, axis=0) - turned
        after = np.roll(sides, -1, axis=0)
        if np.all(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 100):
            return turned
    raise UnusablePhoto("These are not the corners of a board. Tap each corner of the wood once.")


def _list_turns(size: Points) -> tuple[int, ...]:
    """Return by how many corners the board may be turned: a long board fits in two ways."""
    return (0, 1, 2, 3) if max(size) < 1.15 * min(size) else (0, 2)


def _check_scale(corners: Points, size: Points) -> None:
    to_picture = _homography(_rectangle(size), corners)
    scales = np.array([_scales_at(to_picture, point) for point in (*_rectangle(size), size / 2)])
    if np.max(scales[:, 0] / scales[:, 1]) > MAX_FORESHORTENING or scales[:, 0].max() > 1.6 * scales[:, 0].min():
        raise UnusablePhoto("The picture is too slanted. Hold the phone level above the middle of the board.")
    if scales[:, 1].min() < MIN_PX_PER_MM:
        raise UnusablePhoto(
            "The board is too small in the picture. Fill the picture with it, from at least 60 cm above."
        )


def _scales_at(homography: Points, point: Points) -> Points:
    """Return the largest and the smallest scale of a homography at a point."""
    x, y, w = homography @ (*point, 1)
    jacobian = (homography[:2, :2] - np.outer((x / w, y / w), homography[2, :2])) / w
    return np.linalg.svd(jacobian, compute_uv=False)


def _rectangle(size: Points) -> Points:
    return np.array([(0, 0), (size[0], 0), size, (0, size[1])], float)


def _homography(source: Points, target: Points) -> Points:
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)), float)


class _HoleFit(NamedTuple):
    """`share` of the holes are where the board has them; `correction` moves them to `target` in the flat picture."""

    share: float
    correction: Points
    at: Points
    is_found: NDArray[np.bool_]


class _BoardFit(NamedTuple):
    """How well the board fits in one orientation: the share of holes, the homography to the flat picture, the holes."""

    share: float
    to_flat: Points
    holes: Points


def _find_holes(picture: Picture, corners: Points, size: Points, holes: Points) -> _BoardFit:
    """Return how the board fits with these corners. Rows of holes look alike, so neighbouring places are tried too."""
    target = (holes + BORDER_MM) * FLAT_PX_PER_MM
    to_flat = _homography(corners, (_rectangle(size) + BORDER_MM) * FLAT_PX_PER_MM)
    darkness = _measure_darkness(_flatten(picture, to_flat, size))
    fits = [_fit_holes(darkness, target, shift, _SEARCH_MM[0]) for shift in _SHIFTS_MM]
    best = max(fits, key=lambda fit: fit.share)
    others = [fit for fit in fits if not _is_same_place(fit, best, target)]
    if best.share < _MIN_HOLES_FOUND or any(fit.share > best.share - _MIN_LEAD for fit in others):
        return _BoardFit(0.0, to_flat, target)
    to_flat = best.correction @ to_flat
    last = _fit_holes(_measure_darkness(_flatten(picture, to_flat, size)), target, (0, 0), _SEARCH_MM[1])
    found = cv2.perspectiveTransform(last.at[None], last.correction)[0]
    return _BoardFit(last.share, last.correction @ to_flat, _follow_lens(target, found, last.is_found))


def _flatten(picture: Picture, to_flat: Points, size: Points) -> Picture:
    width, height = (round(float(v)) for v in (size + 2 * BORDER_MM) * FLAT_PX_PER_MM)
    return np.asarray(cv2.warpPerspective(picture, to_flat, (width, height), flags=cv2.INTER_AREA), np.uint8)


def _fit_holes(darkness: NDArray[np.float32], target: Points, shift: tuple[float, float], reach: float) -> _HoleFit:
    """Return how well the holes fit if the corners were tapped too far by `shift`, in millimetres."""
    moved = target + np.array(shift) * FLAT_PX_PER_MM
    at = np.array([_find_darkest(darkness, hole, reach * FLAT_PX_PER_MM) for hole in moved])
    is_dark = ~np.isnan(at[:, 0])
    at = np.where(is_dark[:, None], at, moved)
    if is_dark.sum() >= 8:
        correction, inliers = cv2.findHomography(
            at[is_dark], target[is_dark], cv2.RANSAC, _INLIER_MM * FLAT_PX_PER_MM, maxIters=2000
        )
        if correction is not None:
            is_found = is_dark.copy()
            is_found[is_dark] = inliers.ravel() > 0
            return _HoleFit(float(is_found.mean()), correction, at, is_found)
    return _HoleFit(0.0, np.eye(3), at, is_dark)


def _is_same_place(one: _HoleFit, other: _HoleFit, target: Points) -> bool:
    """Return whether two fits put the holes in the same places of the picture, within half a row."""
    places = [cv2.perspectiveTransform(target[None], np.linalg.inv(fit.correction))[0] for fit in (one, other)]
    return bool(np.median(np.linalg.norm(places[0] - places[1], axis=1)) < 3 * FLAT_PX_PER_MM)


def _measure_darkness(flat: Picture) -> NDArray[np.float32]:
    """Return by how much each place is darker than its surroundings, as a hole is."""
    grey = cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY).astype(np.float32)
    narrow, wide = (cv2.GaussianBlur(grey, (0, 0), sigma * FLAT_PX_PER_MM) for sigma in (0.7, 1.7))
    return np.asarray(wide - narrow, np.float32)


def _find_darkest(darkness: NDArray[np.float32], hole: Points, reach: float) -> Points:
    """Return the darkest place near a hole, to a fraction of a pixel; NaN where all is light."""
    r = round(reach)
    x, y = (round(float(v)) for v in hole)
    left, top = max(x - r, 1), max(y - r, 1)
    window = darkness[top : y + r + 1, left : x + r + 1][:-1, :-1]
    if window.size == 0 or window.max() < _MIN_DARKNESS:
        return np.array([np.nan, np.nan])
    row, column = (int(v) for v in np.unravel_index(int(np.argmax(window)), window.shape))
    row, column = row + top, column + left
    patch = darkness[row - 1 : row + 2, column - 1 : column + 2]
    return np.array([column + _peak(patch[1]), row + _peak(patch[:, 1])])


def _peak(three: NDArray[np.float32]) -> float:
    """Return where between three values a parabola through them is highest."""
    if len(three) < 3 or (bend := float(three[0] - 2 * three[1] + three[2])) >= 0:
        return 0.0
    return float(np.clip((three[0] - three[2]) / (2 * bend), -0.5, 0.5))


def _follow_lens(target: Points, found: Points, is_found: NDArray[np.bool_]) -> Points:
    """Move each hole as the holes around it: a lens bends straight lines a little."""
    moved, places = (found - target)[is_found], target[is_found]
    nearest = np.argsort(np.linalg.norm(target[:, None] - places[None], axis=2), axis=1)[:, :7]
    return target + np.median(moved[nearest], axis=1)


def _locate_camera(
    to_flat: Points, shape: tuple[int, ...], whole: tuple[float, float, float, float] | None
) -> tuple[Points, float]:
    """Return the point of the flat picture below the camera, and its height in millimetres."""
    left, top, width, height = whole or (0.0, 0.0, float(shape[1]), float(shape[0]))
    focal = _USUAL_FOCAL_LENGTH * max(width, height)
    camera = np.array([[focal, 0, left + width / 2], [0, focal, top + height / 2], [0, 0, 1]])
    columns = np.linalg.inv(camera) @ np.linalg.inv(to_flat)
    columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1])) * np.sign(columns[2, 2])
    turn = np.column_stack((columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])))
    u, _, v = np.linalg.svd(turn)
    at = -(u @ v).T @ columns[:, 2]
    return at[:2], float(abs(at[2])) / FLAT_PX_PER_MM


MARKER_MM = 12.0
"""Side of a marker's black square."""
MARGIN_MM = 2.0
"""White paper around it: the corner of the paper lies at the corner of the wood."""
MARKERS = cv2.aruco.DICT_4X4_50
"""The markers 0 to 3 of this dictionary lie at the upper left corner and clockwise from there."""


def find_markers(data: bytes) -> dict[str, Any]:
    """Return as JSON values the corners of the wood in a photograph and the length of its longer side in millimetres.

    Both are None unless each of the four markers is found exactly once. Raises NotAPicture or PictureTooLarge.
    """
    picture, scale = decode_photo(data)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKERS), settings)
    squares, numbers, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))
    numbers_seen = [] if numbers is None else [int(n) for n in numbers.ravel()]
    if sorted(n for n in numbers_seen if n < 4) != [0, 1, 2, 3]:
        return {"corners": None, "length_mm": None}
    by_number = {n: square.reshape(4, 2) for n, square in zip(numbers_seen, squares, strict=True)}
    corners = np.array([_extend_corner(by_number[n], n) for n in range(4)]) * scale
    sides = [np.linalg.norm(np.roll(by_number[n], -1, axis=0) - by_number[n], axis=1).mean() for n in range(4)]
    px_per_mm = float(np.mean(sides)) * scale / MARKER_MM
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    longer = max(lengths[0] + lengths[2], lengths[1] + lengths[3]) / 2
    return {
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
        "length_mm": round(float(longer) / px_per_mm),
    }


def _extend_corner(square: NDArray[np.float32], n: int) -> NDArray[np.float32]:
    """Return the corner `n` of the paper around a marker's black square."""
    corner, before, after = square[n], square[n - 1], square[(n + 1) % 4]
    return np.asarray(corner + MARGIN_MM / MARKER_MM * ((corner - before) + (corner - after)))


_RADII_MM = (1.0, 1.4, 1.9, 2.5)
_MIN_SPACING_MM = 3.2
"""Smallest distance of two holes."""
_EDGE_MM = 2.5
"""A dark spot nearer to the edge of the wood is a part of the edge: a hole there would break out."""
_USUAL_HOLES = 60
"""Fewer holes than this on a board are not expected, so the darkest ones show how dark a hole is."""
_MAX_HOLES = 1500
"""Largest number of dark spots that are looked at, the darkest first."""
_MIN_HOLE_DARKNESS = 6.0
"""By how much a hole is darker than the wood around it, in grey levels of 256."""
_MIN_PART = 0.4
"""Least darkness of a hole, as a part of that of the other holes."""
_MIN_ROUNDNESS = 0.35
"""Least darkness against the lightest and the darkest of the eight sides, as parts of each other."""
_DIRECTIONS = np.column_stack((np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)))


def find_board_holes(flat: Picture) -> Points:
    """Return the holes on a board seen from straight above, in millimetres. Raises UnusablePhoto for too few."""
    grey = cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY).astype(np.float32)
    scales = [_measure_hole_darkness(grey, radius * FLAT_PX_PER_MM) for radius in _RADII_MM]
    darkness = np.max(scales, axis=0)
    reach = round(_MIN_SPACING_MM * FLAT_PX_PER_MM) | 1
    is_peak = (darkness == cv2.dilate(darkness, np.ones((reach, reach), np.uint8))) & (darkness > _MIN_HOLE_DARKNESS)
    edge = round((BORDER_MM + _EDGE_MM) * FLAT_PX_PER_MM)
    is_peak[:edge] = is_peak[-edge:] = is_peak[:, :edge] = is_peak[:, -edge:] = False
    rows, columns = np.nonzero(is_peak)
    order = np.argsort(-darkness[rows, columns])[:_MAX_HOLES]
    rows, columns = rows[order], columns[order]
    strengths = darkness[rows, columns]
    if len(strengths) >= _USUAL_HOLES:
        usual = float(strengths[_USUAL_HOLES - 1])
        radii = np.argmax([scale[rows, columns] for scale in scales], axis=0)
        holes = [
            _refine(darkness, row, column)
            for row, column, strength, radius in zip(rows.tolist(), columns.tolist(), strengths, radii, strict=True)
            if strength >= _MIN_PART * usual and _is_round(grey, row, column, _RADII_MM[radius] * FLAT_PX_PER_MM)
        ]
        if len(holes) >= _USUAL_HOLES:
            return np.array(holes) / FLAT_PX_PER_MM - BORDER_MM
    raise UnusablePhoto("The holes cannot be seen well. Take all pegs out, and photograph the board in even light.")


def _measure_hole_darkness(grey: NDArray[np.float32], radius: float) -> NDArray[np.float32]:
    """Return by how much each place is darker than a ring around it, for holes of this radius in pixels."""
    narrow, wide = (cv2.GaussianBlur(grey, (0, 0), sigma * radius) for sigma in (0.5, 1.2))
    return np.asarray(wide - narrow, np.float32)


def _is_round(grey: NDArray[np.float32], row: int, column: int, radius: float) -> bool:
    """Return whether it is lighter on all sides of a place: a crack or a line has two dark sides."""
    at = (np.array([column, row]) + 2.0 * radius * _DIRECTIONS).round().astype(int)
    if at.min() < 0 or at[:, 0].max() >= grey.shape[1] or at[:, 1].max() >= grey.shape[0]:
        return False
    lighter = grey[at[:, 1], at[:, 0]] - grey[row, column]
    return bool(np.sort(lighter)[1] > _MIN_ROUNDNESS * np.median(lighter) > 0)


def _refine(darkness: NDArray[np.float32], row: int, column: int) -> tuple[float, float]:
    """Return x and y of a peak, from the weights of the pixels around it."""
    window = darkness[row - 3 : row + 4, column - 3 : column + 4]
    if window.shape != (7, 7):
        return float(column), float(row)
    weights = np.maximum(window - 0.5 * window[3, 3], 0)
    steps = np.arange(-3, 4)
    return (
        column + float((weights.sum(0) * steps).sum() / weights.sum()),
        row + float((weights.sum(1) * steps).sum() / weights.sum()),
    )
