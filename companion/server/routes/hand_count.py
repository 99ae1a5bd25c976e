"""The count of any hand: `/api/count` (docs/reference/http.md#the-count-of-a-hand). It needs no game."""

from flask import Response, request
from werkzeug.exceptions import BadRequest

from companion.common.errors import BadCard
from companion.http.responses import json_response
from companion.i18n import capitalize_message, format_message
from companion.rules.cards import Card, parse_typed_cards
from companion.rules.narration import describe_count
from companion.rules.scoring import ScoringItem, itemize_hand, sum_points

_FIVE_CARD_HAND_SIZE = 3


def count_response() -> Response:
    """Return the points of the cards in the query, and what they are made of."""
    try:
        items = _itemize_query()
    except BadCard as error:
        raise BadRequest(str(error)) from None
    listed = [
        {
            "points": item.points,
            "say": capitalize_message(describe_count([item])),
            "cards": [str(c) for c in item.cards],
        }
        for item in items
    ]
    return json_response({"points": sum_points(items), "say": describe_count(items), "items": listed})


def _itemize_query() -> tuple[ScoringItem, ...]:
    hand, starters = _parse_query_cards("cards"), _parse_query_cards("starter")
    if len(starters) > 1:
        raise BadCard("The starter must be one card, such as 5D.")
    starter, crib = starters[0] if starters else None, _is_crib()
    is_five_card = starter is not None and not crib and len(hand) == _FIVE_CARD_HAND_SIZE
    return itemize_hand(hand, starter, crib=crib, is_five_card=is_five_card)


def _parse_query_cards(name: str) -> tuple[Card, ...]:
    return parse_typed_cards(request.args.get(name, ""))


def _is_crib() -> bool:
    value = request.args.get("crib")
    if value not in (None, "on"):
        raise BadRequest(format_message("Ask with crib=on, or without crib."))
    return value == "on"
