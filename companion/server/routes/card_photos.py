"""Cards in a photograph: `/api/cards/photo` (docs/explanation/reading-cards.md). The picture is in memory only."""

import threading

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotImplemented as NotInstalled
from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable, UnsupportedMediaType

from companion.cards import CameraNotInstalled, load_photo_reader
from companion.http.responses import json_response
from companion.http.wsgi.limits import FREE_THREAD_KEY
from companion.i18n import format_message

WAIT_S = 15.0
"""Longest wait for other photographs to be read: one at a time, so that the table keeps its processor."""


def card_photo_routes() -> Blueprint:
    """Return the route."""
    routes = Blueprint("card_photos", __name__, url_prefix="/api/cards")
    reading = threading.Lock()

    def post_photo() -> Response:
        try:
            read_photo = load_photo_reader()
        except CameraNotInstalled as error:
            raise NotInstalled(str(error)) from None
        from companion.cards.photo import NotAPicture, PictureTooLarge  # noqa: PLC0415 - needs the extra [camera]

        if free_thread := request.environ.get(FREE_THREAD_KEY):
            free_thread()  # phones of the same address need not wait for photographs
        if not reading.acquire(timeout=WAIT_S):
            raise ServiceUnavailable(format_message("Other photographs are being read. Try again."))
        try:
            return json_response(read_photo(request.get_data()))
        except PictureTooLarge as error:
            raise RequestEntityTooLarge(str(error)) from None
        except NotAPicture as error:
            raise UnsupportedMediaType(str(error)) from None
        finally:
            reading.release()

    routes.add_url_rule("/photo", "photo", post_photo, methods=["POST"])
    return routes
