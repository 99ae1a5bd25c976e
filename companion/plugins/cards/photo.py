"""Photographs as bytes: decodes them once their header has been checked, and describes what was read as JSON values."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from companion.plugins.cards.finder import Picture
from companion.plugins.cards.picture_header import MAX_BUFFERED_PIXELS, NotAPicture, read_header, strip_picture
from companion.plugins.cards.reader import CardReading, read_covered_cards

_DECODED_PX = 1600
"""A picture is decoded at a half, quarter or eighth of its size while its longer side stays above this."""

VIEW_PX = 640
"""Longer side of the picture of a camera's spot."""
VIEW_QUALITY = 75
"""Its quality as JPEG, of 100."""


def read_photo(data: bytes, max_buffered_pixels: int = MAX_BUFFERED_PIXELS) -> dict[str, Any]:
    """Return the cards in a JPEG, PNG or WebP as JSON values; raises NotAPicture, or PictureTooLarge.

    Corners are in pixels of the file as it is stored, before any rotation that its EXIF data ask for.
    """
    picture, scale = decode_photo(data, max_buffered_pixels)
    return list_readings(read_covered_cards(picture), scale)


def list_readings(readings: Sequence[CardReading], scale: float) -> dict[str, Any]:
    """Return readings as JSON values, their corners multiplied by `scale`."""
    return {
        "cards": [
            {"card": str(r.card), "corners": _scale(r, scale), "sure": round(min(r.probability, 0.9999), 4)}
            for r in readings
            if r.card is not None
        ],
        "unsure": [
            {"corners": _scale(r, scale), "likely": [str(card) for card in r.likely]}
            for r in readings
            if r.card is None
        ],
    }


def encode_view(picture: Picture, readings: Sequence[CardReading]) -> tuple[bytes, dict[str, Any]]:
    """Return a picture as a small JPEG, and its readings as JSON values in pixels of that JPEG.

    `brightest` is the brightness of its brightest hundredth, from 0 to 1.
    """
    scale = min(1.0, VIEW_PX / max(picture.shape[:2]))
    width, height = (max(1, round(side * scale)) for side in picture.shape[1::-1])
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    brightest = float(np.percentile(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), 99)) / 255
    jpeg = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, VIEW_QUALITY])[1]
    size = {"size": [small.shape[1], small.shape[0]], "brightest": round(brightest, 3)}
    return jpeg.tobytes(), size | list_readings(readings, scale)


def _scale(reading: CardReading, scale: float) -> list[list[float]]:
    return [[round(x * scale, 1), round(y * scale, 1)] for x, y in reading.corners]


def decode_photo(data: bytes, max_buffered_pixels: int = MAX_BUFFERED_PIXELS) -> tuple[Picture, int]:
    """Return the RGB picture of a file, and how many pixels of the file one pixel of it stands for."""
    kind, width, height, _ = read_header(data, max_buffered_pixels)
    data = strip_picture(data, kind)
    scale = 1
    while scale < 8 and min(width, height) > 2 * scale and max(width, height) // (2 * scale) >= _DECODED_PX:
        scale *= 2
    reduced = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
    flags = reduced.get(scale, cv2.IMREAD_REDUCED_COLOR_8) | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        decoded = None
    if decoded is None:
        raise NotAPicture("The picture is damaged. Take it again.")
    return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), np.uint8), scale
