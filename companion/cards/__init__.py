"""Reads playing cards in pictures: find the cards, read both corners, compare with the face, accept or ask.

Pure: a picture in, cards out. The modules import numpy, OpenCV and zxing-cpp, which only the extra `[camera]` installs.
This file imports none of them: `load_photo_reader` loads them where a picture is read.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from companion.common.errors import CompanionError
from companion.i18n import gettext_noop

_NOT_INSTALLED = gettext_noop(
    "Reading photographs of cards needs the extra [camera]. Run pip install '.[camera]' in the checkout."
)


class CameraNotInstalled(CompanionError, ImportError):
    """The extra `[camera]` is not installed."""


def load_photo_reader() -> Callable[..., dict[str, Any]]:
    """Return `companion.cards.photo.read_photo`. Raises CameraNotInstalled without the extra."""
    try:
        from companion.cards.photo import read_photo  # noqa: PLC0415 - a table without a camera loads neither
    except ImportError as error:
        raise CameraNotInstalled(_NOT_INSTALLED) from error
    return read_photo


def is_photo_reader_installed() -> bool:
    """Return whether photographs can be read here, without loading what it needs."""
    return all(find_spec(name) is not None for name in ("numpy", "cv2", "zxingcpp"))
