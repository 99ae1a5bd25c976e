"""The holes of a board that is not ours, in a photograph of it without pegs. Only the size of the board is known.

A hole is a round dark spot, of any of the usual diameters. Letters and knots may be among what is found:
`drawn_track` keeps only the holes under a line that the player has drawn.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards import UnusablePhoto
from companion.plugins.peg_photos.geometry import BORDER_MM, FLAT_PX_PER_MM, Picture, Points

_RADII_MM = (1.0, 1.4, 1.9, 2.5)
_MIN_SPACING_MM = 3.2
"""Smallest distance of two holes."""
_EDGE_MM = 2.5
"""A dark spot nearer to the edge of the wood is a part of the edge: a hole there would break out."""
_USUAL_HOLES = 60
"""Fewer holes than this on a board are not expected, so the darkest ones show how dark a hole is."""
_MAX_HOLES = 1500
"""Largest number of dark spots that are looked at, the darkest first."""
_MIN_DARKNESS = 6.0
"""By how much a hole is darker than the wood around it, in grey levels of 256."""
_MIN_PART = 0.4
"""Least darkness of a hole, as a part of that of the other holes."""
_MIN_ROUNDNESS = 0.35
"""Least darkness against the lightest and the darkest of the eight sides, as parts of each other."""
_DIRECTIONS = np.column_stack((np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)))


def find_board_holes(flat: Picture) -> Points:
    """Return the holes on a board seen from straight above, in millimetres. Raises UnusablePhoto for too few."""
    grey = cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY).astype(np.float32)
    scales = [_measure_darkness(grey, radius * FLAT_PX_PER_MM) for radius in _RADII_MM]
    darkness = np.max(scales, axis=0)
    reach = round(_MIN_SPACING_MM * FLAT_PX_PER_MM) | 1
    is_peak = (darkness == cv2.dilate(darkness, np.ones((reach, reach), np.uint8))) & (darkness > _MIN_DARKNESS)
    edge = round((BORDER_MM + _EDGE_MM) * FLAT_PX_PER_MM)
    is_peak[:edge] = is_peak[-edge:] = is_peak[:, :edge] = is_peak[:, -edge:] = False
    rows, columns = np.nonzero(is_peak)
    order = np.argsort(-darkness[rows, columns])[:_MAX_HOLES]
    rows, columns = rows[order], columns[order]
    strengths = darkness[rows, columns]
    if len(strengths) >= _USUAL_HOLES:
        usual = float(strengths[_USUAL_HOLES - 1])
        radii = np.argmax([scale[rows, columns] for scale in scales], axis=0)
        found = [
            _refine(darkness, row, column)
            for row, column, strength, radius in zip(rows.tolist(), columns.tolist(), strengths, radii, strict=True)
            if strength >= _MIN_PART * usual and _is_round(grey, row, column, _RADII_MM[radius] * FLAT_PX_PER_MM)
        ]
        if len(found) >= _USUAL_HOLES:
            return np.array(found) / FLAT_PX_PER_MM - BORDER_MM
    raise UnusablePhoto("The holes cannot be seen well. Take all pegs out, and photograph the board in even light.")


def _measure_darkness(grey: NDArray[np.float32], radius: float) -> NDArray[np.float32]:
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
