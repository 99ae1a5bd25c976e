"""Pictures of the cameras' marked spots, for the workshop: a few a second for all phones together, only in memory."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from werkzeug.exceptions import Conflict, NotFound

from companion.i18n import format_message
from companion.ports import PictureSource
from companion.protocol.json_codec import dump_json

MIN_INTERVAL_S = 0.25
"""Time for which a picture is sent again before the next one is made."""


class SpotPicture(NamedTuple):
    """A picture as JPEG, and as JSON what is read in it."""

    jpeg: bytes
    readings: str


class SpotPictures:
    """The newest picture of each camera. Any thread may ask."""

    def __init__(self, cameras: Sequence[PictureSource], clock: Callable[[], float] = time.monotonic) -> None:
        self._cameras, self._clock = cameras, clock
        self._lock = threading.Lock()
        self._made: dict[int, tuple[float, SpotPicture]] = {}

    def __len__(self) -> int:
        return len(self._cameras)

    def get_newest(self, number: int) -> SpotPicture:
        """Return the picture of the camera of this number, from 0. Raises NotFound, or Conflict without a picture."""
        if number >= len(self._cameras):
            raise NotFound(format_message("This table has no such camera."))
        with self._lock:  # of many that ask at once, one makes the picture
            made_s, picture = self._made.get(number, (-MIN_INTERVAL_S, None))
            if picture is None or self._clock() - made_s >= MIN_INTERVAL_S:
                picture = self._make_picture(number)
                self._made[number] = self._clock(), picture
            return picture

    def _make_picture(self, number: int) -> SpotPicture:
        view = self._cameras[number].encode_view()
        if view is None:
            raise Conflict(format_message("The camera has not sent a picture yet."))
        jpeg, readings = view
        return SpotPicture(jpeg, dump_json(readings))
