"""Cards in a photograph that a player sends: `/api/cards/photo` (docs/explanation/reading-cards.md).

One photograph is read at a time, so that the table keeps its processor; the picture is in memory only.
"""

import threading
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import Conflict, RequestEntityTooLarge, ServiceUnavailable, UnsupportedMediaType
from werkzeug.exceptions import NotImplemented as NotInstalled

from companion.http.responses import json_response
from companion.http.wsgi.limits import FREE_THREAD_KEY
from companion.i18n import format_message
from companion.plugins.cards import CameraNotInstalled, UnusablePhoto, load_photo_reader
from companion.plugins.cards.picture_header import NotAPicture, PictureTooLarge

WAIT_S = 15.0
"""Longest wait for other photographs to be read."""


PhotoReader = Callable[..., dict[str, Any]]
"""Reads the bytes of a photograph, its last argument."""


def require_reader(load: Callable[[], PhotoReader]) -> PhotoReader:
    """Return what `load` returns. Raises NotInstalled (501) without the extra [camera]."""
    try:
        return load()
    except CameraNotInstalled as error:
        raise NotInstalled(str(error)) from None


class PhotoTurns:
    """Reads photographs in turn. Any thread may ask."""

    def __init__(self) -> None:
        self._reading = threading.Lock()

    def answer(self, read_photo: Callable[[bytes], dict[str, Any]]) -> Response:
        """Return what is read in the photograph of the request. Raises an HTTPException for one that cannot be read."""
        if free_thread := request.environ.get(FREE_THREAD_KEY):
            free_thread()  # phones of the same address need not wait for photographs
        if not self._reading.acquire(timeout=WAIT_S):
            raise ServiceUnavailable(format_message("Other photographs are being read. Try again."))
        try:
            return json_response(read_photo(request.get_data()))
        except PictureTooLarge as error:
            raise RequestEntityTooLarge(str(error)) from None
        except NotAPicture as error:
            raise UnsupportedMediaType(str(error)) from None
        except UnusablePhoto as error:
            raise Conflict(str(error)) from None
        finally:
            self._reading.release()


def photo_turns(app: Flask) -> PhotoTurns:
    """Return the turns of this application, which all kinds of photographs share."""
    turns: PhotoTurns = app.extensions.setdefault("photo_turns", PhotoTurns())
    return turns


PHOTO_PATH = "/api/cards/photo"


def card_photo_routes(turns: PhotoTurns) -> Blueprint:
    """Return the route."""
    routes = Blueprint("card_photos", __name__, url_prefix="/api/cards")

    def post_photo() -> Response:
        return turns.answer(require_reader(load_photo_reader))

    routes.add_url_rule("/photo", "photo", post_photo, methods=["POST"])
    return routes
