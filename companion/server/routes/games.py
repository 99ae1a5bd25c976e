"""The games of the table over HTTP: what can be played, another game, one taken up again (docs/reference/http.md)."""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.common.constants import SEAT_NAMES
from companion.common.errors import BadMove
from companion.common.snapshot import Snapshot
from companion.history.game_list import GameList
from companion.i18n import format_message
from companion.protocol.json_codec import parse_json
from companion.server.responses import NO_STORE, json_response
from companion.server.routes.history import parse_query_number
from companion.table.available_games import list_available_games
from companion.table.export import export_csv, export_jsonl
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from companion.table.players import read_colour, read_name

MAX_GAME_ID = 10**12
"""No journal has so many games."""
_EXPORT_FORMATS = {"jsonl": ("application/x-ndjson", export_jsonl), "csv": ("text/csv", export_csv)}
MAX_SEATS = len(SEAT_NAMES)

_FIELD_TYPES: Mapping[str, tuple[type, str]] = {
    "game": (str, "a text"), "seats": (int, "a whole number"), "dealer": (int, "a whole number"),
    "options": (dict, "an object"), "board": (str, "a text"),
}  # fmt: skip


def game_routes(tables: GameSwitcher, shown: Callable[[Snapshot], Response]) -> Blueprint:
    """The routes of a table's games; `shown` answers with a snapshot."""
    routes = Blueprint("tables", __name__, url_prefix="/api")

    def post_table() -> tuple[Response, int]:
        body = read_json_object()
        if "resume" in body:
            return shown(_resume_game(tables, body)), 201
        return shown(tables.begin_game(_parse_new_game(body))), 201

    def post_player() -> tuple[Response, int]:
        return shown(_update_player(tables, read_json_object())), 201

    def get_tables() -> Response:
        return json_response({"tables": shelf.list_games(tables.table.core, parse_query_number("before", MAX_GAME_ID))})

    shelf = GameList(tables.table.journal)
    routes.add_url_rule("/tables", "tables", get_tables)
    routes.add_url_rule("/export", "export", lambda: _export_response(tables))
    routes.add_url_rule("/players", "players", post_player, methods=["POST"])
    routes.add_url_rule(
        "/games", "games", lambda: json_response({"games": list_available_games(tables.attached_board)})
    )
    routes.add_url_rule("/table", "table", post_table, methods=["POST"])
    return routes


def _export_response(tables: GameSwitcher) -> Response:
    """A table as text, sent as it is read."""
    journal, form = tables.table.journal, request.args.get("format", "jsonl")
    if form not in _EXPORT_FORMATS:
        raise BadRequest(format_message("The format is one of {join}.", join=", ".join(_EXPORT_FORMATS)))
    game = parse_query_number("table", journal.game_id or 0)
    if journal.load_plan(game) is None:
        raise NotFound(format_message("There is no table {game} in this journal.", game=game))
    kind, write = _EXPORT_FORMATS[form]
    texts = write(journal, game)
    told = Response(chain([next(texts)], texts), mimetype=kind, headers=NO_STORE)  # what cannot be is refused first
    told.headers["Content-Disposition"] = f'attachment; filename="cribbage-table-{game}.{form}"'
    return told


def read_json_object() -> Mapping[str, Any]:
    """The JSON object that was sent. Raises BadRequest."""
    try:
        body = parse_json(request.get_data())
    except BadMove as error:
        raise BadRequest(str(error)) from None
    if not isinstance(body, dict):
        raise BadRequest(format_message("Send a JSON object."))
    return body


def _resume_game(tables: GameSwitcher, body: Mapping[str, Any]) -> Snapshot:
    game = body["resume"]
    if type(game) is not int or game < 0:
        raise BadRequest(format_message("Say which table to resume, by its number."))
    if "game" in body:
        raise BadRequest(format_message("Say either a game to begin or a table to resume, not both."))
    found = tables.resume_game(game) if game < 1 << 60 else None
    if found is None:
        raise NotFound(format_message("There is no table of that number in this journal."))
    return found


def _parse_new_game(body: Mapping[str, Any]) -> NewGameRequest:
    """The game that was asked for. Raises BadRequest for what is no such request."""
    given = {name: body[name] for name in _FIELD_TYPES if body.get(name) is not None}
    for name, value in given.items():
        kind, said = _FIELD_TYPES[name]
        if type(value) is not kind:
            raise BadRequest(format_message("The {name} must be {said}.", name=name, said=said))
    if "game" not in given:
        raise BadRequest(format_message("Say which game to begin, such as six-card, or which table to resume."))
    if (names := body.get("names")) is not None:
        given["names"] = _parse_names(names)
    if not all(isinstance(value, str) for value in given.get("options", {}).values()):
        raise BadRequest(format_message("The value of an option is a text, such as manual."))
    return NewGameRequest(**given)


def _parse_names(names: Any) -> tuple[str | None, ...]:
    """A name for each seat, null where it stays as it was. Raises BadRequest."""
    if not isinstance(names, list) or len(names) > MAX_SEATS:
        raise BadRequest(format_message("The names are a list, one for each seat."))
    return tuple(None if name is None else _parse_value(read_name, name) for name in names)


def _parse_value(read: Callable[[object], str], value: object) -> str:
    try:
        return read(value)
    except BadMove as error:
        raise BadRequest(str(error)) from None


def _update_player(tables: GameSwitcher, body: Mapping[str, Any]) -> Snapshot:
    seat, name, colour = (body.get(each) for each in ("seat", "name", "colour"))
    seats = len(tables.table.snapshot.players)
    if type(seat) is not int or not 0 <= seat < seats:
        raise BadRequest(format_message("There is no such seat: this table has seats 0 to {word}.", word=seats - 1))
    if name is None and colour is None:
        raise BadRequest(format_message("Say a name, or a colour."))
    return tables.set_player(
        seat,
        None if name is None else _parse_value(read_name, name),
        None if colour is None else _parse_value(read_colour, colour),
    )
