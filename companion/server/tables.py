"""The games of the table over HTTP: what can be played, another game, one taken up again (docs/reference/http.md)."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.codec import parse
from companion.errors import BadMove
from companion.server.answer import json_answer
from companion.snapshot import Snapshot
from companion.table.offer import offer
from companion.table.tables import Asked, Tables

_KINDS: Mapping[str, tuple[type, str]] = {
    "game": (str, "a text"), "seats": (int, "a whole number"), "dealer": (int, "a whole number"),
    "options": (dict, "an object"), "board": (str, "a text"),
}  # fmt: skip


def table_routes(tables: Tables, shown: Callable[[Snapshot], Response]) -> Blueprint:
    """The routes of a table's games; `shown` answers with a snapshot."""
    routes = Blueprint("tables", __name__, url_prefix="/api")

    def turned() -> tuple[Response, int]:
        body = sent_object()
        if "resume" in body:
            return shown(_resumed(tables, body)), 201
        return shown(tables.begin(_asked(body))), 201

    routes.add_url_rule("/games", "games", lambda: json_answer({"games": offer(tables.attached)}))
    routes.add_url_rule("/table", "table", turned, methods=["POST"])
    return routes


def sent_object() -> Mapping[str, Any]:
    """The JSON object that was sent. Raises BadRequest."""
    try:
        body = parse(request.get_data())
    except BadMove as error:
        raise BadRequest(str(error)) from None
    if not isinstance(body, dict):
        raise BadRequest("Send a JSON object.")
    return body


def _resumed(tables: Tables, body: Mapping[str, Any]) -> Snapshot:
    game = body["resume"]
    if type(game) is not int or game < 0:
        raise BadRequest("Say which table to resume, by its number.")
    if "game" in body:
        raise BadRequest("Say either a game to begin or a table to resume, not both.")
    found = tables.resume(game) if game < 1 << 60 else None
    if found is None:
        raise NotFound("There is no table of that number in this journal.")
    return found


def _asked(body: Mapping[str, Any]) -> Asked:
    """The game that was asked for. Raises BadRequest for what is no such request."""
    given = {name: body[name] for name in _KINDS if body.get(name) is not None}
    for name, value in given.items():
        kind, said = _KINDS[name]
        if type(value) is not kind:
            raise BadRequest(f"The {name} must be {said}.")
    if "game" not in given:
        raise BadRequest("Say which game to begin, such as six-card, or which table to resume.")
    if not all(isinstance(value, str) for value in given.get("options", {}).values()):
        raise BadRequest("The value of an option is a text, such as manual.")
    return Asked(**given)
