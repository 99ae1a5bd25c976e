"""Four printed markers on the corners of a board (`web/plugins/peg_photos/peg-markers.html`) instead of four taps."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards.photo import decode_photo

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
    found = [] if numbers is None else [int(n) for n in numbers.ravel()]
    if sorted(n for n in found if n < 4) != [0, 1, 2, 3]:
        return {"corners": None, "length_mm": None}
    by_number = {n: square.reshape(4, 2) for n, square in zip(found, squares, strict=True)}
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
