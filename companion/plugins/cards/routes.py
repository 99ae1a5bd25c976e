"""Cards in a photograph: `/api/cards/photo` (docs/explanation/reading-cards.md). The picture is in memory only."""

from flask import Blueprint, Response

from companion.plugins.cards import load_photo_reader
from companion.plugins.cards.photo_turns import PhotoTurns, require_reader

PHOTO_PATH = "/api/cards/photo"


def card_photo_routes(turns: PhotoTurns) -> Blueprint:
    """Return the route."""
    routes = Blueprint("card_photos", __name__, url_prefix="/api/cards")

    def post_photo() -> Response:
        return turns.answer(require_reader(load_photo_reader))

    routes.add_url_rule("/photo", "photo", post_photo, methods=["POST"])
    return routes
