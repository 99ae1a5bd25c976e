"""The games of the table over HTTP: what can be played, another game, one taken up again (docs/reference/http.md)."""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.common.constants import SEAT_NAMES
from companion.common.errors import BadMove
from companion.common.snapshot import Snapshot
from companion.history.game_list import Shelf
from companion.i18n import say
from companion.protocol.json_codec import parse
from companion.server.responses import NOT_KEPT, json_answer
from companion.server.routes.history import number
from companion.table.available_games import offer
from companion.table.export import as_csv, jsonl
from companion.table.game_switcher import Asked, Tables
from companion.table.players import read_colour, read_name

LAST = 10**12
"""No journal has so many games."""
_FORMS = {"jsonl": ("application/x-ndjson", jsonl), "csv": ("text/csv", as_csv)}
MOST_SEATS = len(SEAT_NAMES)

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

    def called() -> tuple[Response, int]:
        return shown(_called(tables, sent_object())), 201

    def listed() -> Response:
        return json_answer({"tables": shelf.listed(tables.table.core, number("before", LAST))})

    shelf = Shelf(tables.table.journal)
    routes.add_url_rule("/tables", "tables", listed)
    routes.add_url_rule("/export", "export", lambda: _exported(tables))
    routes.add_url_rule("/players", "players", called, methods=["POST"])
    routes.add_url_rule("/games", "games", lambda: json_answer({"games": offer(tables.attached)}))
    routes.add_url_rule("/table", "table", turned, methods=["POST"])
    return routes


def _exported(tables: Tables) -> Response:
    """A table as text, sent as it is read."""
    journal, form = tables.table.journal, request.args.get("format", "jsonl")
    if form not in _FORMS:
        raise BadRequest(say("The format is one of {join}.", join=", ".join(_FORMS)))
    game = number("table", journal.game or 0)
    if journal.plan(game) is None:
        raise NotFound(say("There is no table {game} in this journal.", game=game))
    kind, write = _FORMS[form]
    texts = write(journal, game)
    told = Response(chain([next(texts)], texts), mimetype=kind, headers=NOT_KEPT)  # what cannot be is refused first
    told.headers["Content-Disposition"] = f'attachment; filename="cribbage-table-{game}.{form}"'
    return told


def sent_object() -> Mapping[str, Any]:
    """The JSON object that was sent. Raises BadRequest."""
    try:
        body = parse(request.get_data())
    except BadMove as error:
        raise BadRequest(str(error)) from None
    if not isinstance(body, dict):
        raise BadRequest(say("Send a JSON object."))
    return body


def _resumed(tables: Tables, body: Mapping[str, Any]) -> Snapshot:
    game = body["resume"]
    if type(game) is not int or game < 0:
        raise BadRequest(say("Say which table to resume, by its number."))
    if "game" in body:
        raise BadRequest(say("Say either a game to begin or a table to resume, not both."))
    found = tables.resume(game) if game < 1 << 60 else None
    if found is None:
        raise NotFound(say("There is no table of that number in this journal."))
    return found


def _asked(body: Mapping[str, Any]) -> Asked:
    """The game that was asked for. Raises BadRequest for what is no such request."""
    given = {name: body[name] for name in _KINDS if body.get(name) is not None}
    for name, value in given.items():
        kind, said = _KINDS[name]
        if type(value) is not kind:
            raise BadRequest(say("The {name} must be {said}.", name=name, said=said))
    if "game" not in given:
        raise BadRequest(say("Say which game to begin, such as six-card, or which table to resume."))
    if (names := body.get("names")) is not None:
        given["names"] = _names(names)
    if not all(isinstance(value, str) for value in given.get("options", {}).values()):
        raise BadRequest(say("The value of an option is a text, such as manual."))
    return Asked(**given)


def _names(names: Any) -> tuple[str | None, ...]:
    """A name for each seat, null where it stays as it was. Raises BadRequest."""
    if not isinstance(names, list) or len(names) > MOST_SEATS:
        raise BadRequest(say("The names are a list, one for each seat."))
    return tuple(None if name is None else _read(read_name, name) for name in names)


def _read(read: Callable[[object], str], value: object) -> str:
    try:
        return read(value)
    except BadMove as error:
        raise BadRequest(str(error)) from None


def _called(tables: Tables, body: Mapping[str, Any]) -> Snapshot:
    seat, name, colour = (body.get(each) for each in ("seat", "name", "colour"))
    seats = len(tables.table.snapshot.players)
    if type(seat) is not int or not 0 <= seat < seats:
        raise BadRequest(say("There is no such seat: this table has seats 0 to {word}.", word=seats - 1))
    if name is None and colour is None:
        raise BadRequest(say("Say a name, or a colour."))
    return tables.call(
        seat,
        None if name is None else _read(read_name, name),
        None if colour is None else _read(read_colour, colour),
    )
