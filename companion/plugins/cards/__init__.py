"""Reads playing cards in pictures: find the cards, read both corners, compare with the face, accept or ask.

Pure: a picture in, cards out. The modules import numpy, OpenCV and zxing-cpp, which only the extra `[camera]` installs.
This file imports none of them: `load_photo_reader` loads them where a picture is read.
"""

import os
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any

from companion.common.errors import CompanionError
from companion.common.process import missing_extra
from companion.plugin import Closeable, Host, Plugin

# Threads double the time of matrix products as small as those of a picture.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class UnusablePhoto(CompanionError, ValueError):
    """What is looked for cannot be found in this photograph. The message says what to do."""


class CameraNotInstalled(CompanionError, ImportError):
    """The extra `[camera]` is not installed."""


def load_photo_reader() -> Callable[..., dict[str, Any]]:
    """Return `companion.plugins.cards.photo.read_photo`. Raises CameraNotInstalled without the extra."""
    try:
        from companion.plugins.cards.photo import read_photo  # noqa: PLC0415 - a table without a camera loads neither
    except ImportError as error:
        raise CameraNotInstalled(missing_extra("camera")) from error
    return read_photo


def is_photo_reader_installed() -> bool:
    """Return whether photographs can be read here, without loading what it needs."""
    return all(find_spec(name) is not None for name in ("numpy", "cv2", "zxingcpp"))


def _start(host: Host) -> Iterable[Closeable]:
    from companion.plugins.cards.routes import PHOTO_PATH, card_photo_routes, photo_turns  # noqa: PLC0415 - with pages

    host.permissions.allow_photos(PHOTO_PATH)
    host.app.register_blueprint(card_photo_routes(photo_turns(host.app)))
    host.constants["reads_photos"] = is_photo_reader_installed()
    return ()


PLUGIN = Plugin(
    name="cards",
    commands={"cards": "companion.plugins.cards.cards_command:cards"},
    card_readers={"camera": "companion.plugins.cards.camera_scanner:open_camera"},
    start=_start,
)
