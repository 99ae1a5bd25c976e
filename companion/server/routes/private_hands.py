"""A phone's own seat and hand: `/api/seat` and `/api/hand` (docs/reference/http.md#a-seat-of-ones-own)."""

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.http.auth.permissions import Permissions
from companion.http.auth.sessions import browser_mark
from companion.http.json_schema import INTEGER, array_of, nullable
from companion.http.requests import BodyField, RequestBody
from companion.http.responses import json_response
from companion.i18n import format_message, gettext_noop
from companion.opponent.private_hands import PrivateHands
from companion.protocol.json_fields import CARD_SCHEMA
from companion.rules.cards import parse_card
from companion.table.table import Table

_MISSING = gettext_noop("Send a JSON object with {name}.")
_SEAT_REFUSAL = gettext_noop("The seat must be a whole number from 0 to {word}, or null for none.")
SEAT_BODY = RequestBody(_MISSING, seat=BodyField(nullable(INTEGER), _SEAT_REFUSAL))
HAND_BODY = RequestBody(
    _MISSING,
    cards=BodyField(array_of(CARD_SCHEMA), gettext_noop("The cards must be a list of texts such as 5H.")),
)


def hand_routes(permissions: Permissions, table: Table, hands: PrivateHands) -> Blueprint:
    """Return the routes."""
    routes = Blueprint("hands", __name__, url_prefix="/api")

    def find_mark() -> str:
        return browser_mark(permissions.cookie_value(request))

    def post_seat() -> tuple[Response, int]:
        last = len(table.snapshot.players) - 1
        seat = SEAT_BODY.read(word=last)["seat"]
        if seat is not None and not 0 <= seat <= last:
            raise BadRequest(format_message(_SEAT_REFUSAL, word=last))
        hands.bind_seat(find_mark(), seat)
        return json_response({"seat": seat}), 201

    def get_seat() -> Response:
        return json_response({"seat": hands.seat_of(find_mark()) if permissions.is_player(request) else None})

    def post_hand() -> tuple[Response, int]:
        hands.enter_hand(find_mark(), [parse_card(each) for each in HAND_BODY.read()["cards"]])
        return get_hand(), 201

    def get_hand() -> Response:
        cards = hands.remaining_hand(find_mark()) if permissions.is_player(request) else None
        if cards is None:
            raise NotFound(format_message("Take a seat first."))
        return json_response({"cards": [str(each) for each in cards]})

    routes.add_url_rule("/seat", "own_seat", get_seat)
    routes.add_url_rule("/seat", "sit", post_seat, methods=["POST"])
    routes.add_url_rule("/hand", "hand", get_hand)
    routes.add_url_rule("/hand", "enter_hand", post_hand, methods=["POST"])
    return routes
