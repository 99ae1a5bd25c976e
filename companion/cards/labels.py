"""Reads the labels that `companion deck labels` prints: the card's name as a Data Matrix of 6 mm."""

from typing import NamedTuple

import cv2
import numpy as np
import zxingcpp

from companion.cards.finder import Corners, Picture, is_inside
from companion.common.errors import BadCard
from companion.rules.cards import Card, parse_card

MAX_LABELS = 60
"""Most labels that are taken from a picture; a deck has 52."""

MAX_ENLARGED_PX = 2048
"""A picture whose longer side is at most this is also searched at twice its size, for small codes."""

_FORMATS = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.DataMatrix])


class Label(NamedTuple):
    """A label in a picture."""

    card: Card
    corners: Corners
    """Of the code, clockwise, in pixels."""


def read_labels(picture: Picture) -> list[Label]:
    """Return the labels in an RGB picture. Codes with another text than a card's name are ignored."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    labels = _read_codes(grey, 1)
    if max(grey.shape) <= MAX_ENLARGED_PX:
        for label in _read_codes(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), 2):
            if not any(is_inside(label.corners.mean(0), other.corners) for other in labels):
                labels.append(label)
    return labels[:MAX_LABELS]


def _read_codes(grey: Picture, scale: int) -> list[Label]:
    labels = []
    for code in zxingcpp.read_barcodes(grey, formats=_FORMATS, try_downscale=False, try_invert=False):
        try:
            card = parse_card(code.text)
        except BadCard:
            continue
        at = code.position
        points = [(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        labels.append(Label(card, np.array(points, np.float32) / np.float32(scale)))
    return labels
