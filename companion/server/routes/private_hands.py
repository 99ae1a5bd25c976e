"""Routes of a phone's own seat and private hand (docs/reference/http.md#a-seat-of-ones-own)."""

from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.common.errors import BadCard
from companion.i18n import format_message
from companion.opponent.private_hands import PrivateHands
from companion.rules.cards import Card, parse_card
from companion.server.auth.permissions import Permissions
from companion.server.auth.sessions import browser_mark
from companion.server.responses import json_response
from companion.server.routes.games import read_json_object
from companion.table.table import Table


def _read_field(name: str) -> Any:
    """What was sent under this name. Raises BadRequest."""
    body = read_json_object()
    if name not in body:
        raise BadRequest(format_message("Send a JSON object with {name}.", name=name))
    return body[name]


def _parse_cards(sent: Any) -> list[Card]:
    if not isinstance(sent, list) or not all(isinstance(each, str) for each in sent):
        raise BadRequest(format_message("The cards must be a list of texts such as 5H."))
    try:
        return [parse_card(each) for each in sent]
    except BadCard as error:
        raise BadRequest(str(error)) from None


def hand_routes(rights: Permissions, table: Table, hands: PrivateHands) -> Blueprint:
    """The routes of one's own seat and hand."""
    routes = Blueprint("hands", __name__, url_prefix="/api")

    def find_mark() -> str:
        return browser_mark(rights.cookie_value(request))

    def post_seat() -> tuple[Response, int]:
        seat = _read_field("seat")
        seats = len(table.snapshot.players)
        if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
            raise BadRequest(
                format_message("The seat must be a whole number from 0 to {word}, or null for none.", word=seats - 1)
            )
        hands.bind_seat(find_mark(), seat)
        return json_response({"seat": seat}), 201

    def get_seat() -> Response:
        return json_response({"seat": hands.seat_of(find_mark()) if rights.is_player(request) else None})

    def post_hand() -> tuple[Response, int]:
        hands.enter_hand(find_mark(), _parse_cards(_read_field("cards")))
        return get_hand(), 201

    def get_hand() -> Response:
        found = hands.remaining_hand(find_mark()) if rights.is_player(request) else None
        if found is None:
            raise NotFound(format_message("This browser has no seat of its own."))
        return json_response({"cards": [str(each) for each in found]})

    routes.add_url_rule("/seat", "own_seat", get_seat)
    routes.add_url_rule("/seat", "sit", post_seat, methods=["POST"])
    routes.add_url_rule("/hand", "hand", get_hand)
    routes.add_url_rule("/hand", "enter_hand", post_hand, methods=["POST"])
    return routes
