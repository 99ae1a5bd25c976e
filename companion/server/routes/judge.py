"""What players can call the judge for: `/api/judge`."""

from flask import Blueprint, Response, request

from companion.http.auth.permissions import Permissions
from companion.http.auth.sessions import browser_mark
from companion.http.responses import json_response
from companion.opponent.private_hands import PrivateHands
from companion.protocol.json_codec import to_json_value
from companion.table.players import personalize_texts
from companion.table.table import Table


def judge_routes(permissions: Permissions, table: Table, hands: PrivateHands) -> Blueprint:
    """Return the route. A phone with a seat cannot call its own side for what only the opponent may call."""
    routes = Blueprint("judge", __name__, url_prefix="/api")

    def get_calls() -> Response:
        return _judge_response(table, hands.seat_of(browser_mark(permissions.cookie_value(request))))

    routes.add_url_rule("/judge", "judge", get_calls)
    return routes


def _judge_response(table: Table, caller: int | None) -> Response:
    """Return the infringements that can be called now; none in a friendly game or with another table.

    `caller` is the seat of the phone that asks, or None.
    """
    core = table.core
    game, setup = core.plan.game, core.plan.setup
    calls = [] if core.plan.remote_table else [*game.list_calls(game, core.past, caller)]
    texts: list[str] = [say for _, say, _ in calls]
    if core.players:
        texts = personalize_texts(texts, core.players, setup.seats, game.count_sides(setup.seats))
    listed = [{"rule": rule, "say": say, "move": move} for (rule, _, move), say in zip(calls, texts, strict=True)]
    return json_response({"calls": to_json_value(listed)})
