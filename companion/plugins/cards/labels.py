"""Reads the labels that `companion deck labels` prints: the card's name as a Data Matrix of 6 mm."""

from typing import NamedTuple

import cv2
import numpy as np
import zxingcpp

from companion.common.errors import BadCard
from companion.plugins.cards.finder import Corners, Picture, is_inside
from companion.rules.cards import Card, parse_card

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
