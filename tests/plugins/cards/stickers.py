"""Labels of `companion deck labels` on drawn faces."""

import cv2
import numpy as np
from ppf.datamatrix import DataMatrix

from companion.plugins.drawing.card_labels import LABEL_SHEETS, MODULE_MM
from tests.plugins.cards.faces import Picture

CARD_MM = 88.9
PX_A_MM = 12
LABEL_MM = (LABEL_SHEETS["a4"].width, LABEL_SHEETS["a4"].height)
"""A whole label, which hides an index."""
CORNER_MM = (2.0, 2.0)


def enlarge_face(face: Picture) -> Picture:
    """Return a face with enough pixels for a code."""
    scale = CARD_MM * PX_A_MM / face.shape[0]
    return cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)


def stick_label(
    face: Picture, text: str, at_mm: tuple[float, float] = CORNER_MM, size_mm: tuple[float, float] = LABEL_MM
) -> None:
    """Stick a label of this size onto an enlarged face, its upper left corner there; its code is at the left."""
    x, y, w, h = (round(mm * PX_A_MM) for mm in (*at_mm, *size_mm))
    face[y : y + h, x : x + w] = 250
    modules = np.array(DataMatrix(text).matrix)
    side = round(len(modules) * MODULE_MM * PX_A_MM)
    code = cv2.resize(np.where(modules, 20, 250).astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST)
    left, top = x + (h - side) // 2, y + (h - side) // 2
    face[top : top + side, left : left + side] = code[..., None]
