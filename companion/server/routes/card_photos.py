"""Cards in a photograph: `/api/cards/photo` (docs/explanation/reading-cards.md). The picture is in memory only."""

from flask import Blueprint, Response
from werkzeug.exceptions import NotImplemented as NotInstalled

from companion.cards import CameraNotInstalled, load_photo_reader
from companion.server.routes.photo_turns import PhotoTurns


def card_photo_routes(turns: PhotoTurns) -> Blueprint:
    """Return the route."""
    routes = Blueprint("card_photos", __name__, url_prefix="/api/cards")

    def post_photo() -> Response:
        try:
            read_photo = load_photo_reader()
        except CameraNotInstalled as error:
            raise NotInstalled(str(error)) from None
        return turns.answer(read_photo)

    routes.add_url_rule("/photo", "photo", post_photo, methods=["POST"])
    return routes
