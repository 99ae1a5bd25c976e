"""Games of the table: available games, new games, resuming, the list of games and exports (docs/reference/http.md)."""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.common.constants import SEAT_NAMES, SKILL_LEVELS
from companion.common.errors import BadMove
from companion.common.snapshot import Snapshot
from companion.history.games import GameList
from companion.http.requests import (
    INTEGER,
    STRING,
    BodyField,
    RequestBody,
    map_of,
    nullable,
    object_of,
    parse_query_number,
    read_json_object,
)
from companion.http.responses import NO_STORE, json_response, requested_language
from companion.i18n import format_message, gettext_noop, join_messages
from companion.protocol.json_fields import JsonSchema
from companion.server.site import Site
from companion.table.available_games import list_available_games
from companion.table.export import export_csv, export_jsonl
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from companion.table.players import PEG_COLOURS, list_people, read_colour, read_name
from companion.table.setup import PLAIN_PEGS, READ_PEGS, ComputerPlayer

MAX_GAME_ID = 10**12
"""Larger than any number of a game."""
MAX_SEATS = len(SEAT_NAMES)
EXPORT_FORMATS = {"jsonl": ("application/x-ndjson", export_jsonl), "csv": ("text/csv", export_csv)}


def _optional(schema: JsonSchema, refusal: str) -> BodyField:
    return BodyField(nullable(schema), refusal, is_required=False)


_TEXT_REFUSAL, _NUMBER_REFUSAL = (
    gettext_noop("The {name} must be a text."),
    gettext_noop("The {name} must be a whole number."),
)
NEW_GAME_BODY = RequestBody(
    gettext_noop("Send the game to begin, such as six-card, or the table to resume."),
    game=BodyField(STRING, _TEXT_REFUSAL),
    seats=_optional(INTEGER, _NUMBER_REFUSAL),
    dealer=_optional(INTEGER, _NUMBER_REFUSAL),
    options=_optional(map_of(STRING), gettext_noop("The options must be an object of texts.")),
    board=_optional(STRING, _TEXT_REFUSAL),
    names=_optional(
        {"type": "array", "items": nullable(STRING), "maxItems": MAX_SEATS},
        gettext_noop("The names must be a list, one for each seat."),
    ),
    pegs=_optional({"enum": [READ_PEGS, PLAIN_PEGS]}, gettext_noop("The pegs must be read or plain.")),
    against=_optional(
        object_of(seat=INTEGER, level={"enum": list(SKILL_LEVELS)}),
        gettext_noop("The companion must have a seat and a level: novice, club or expert."),
    ),
)
RESUME_BODY = RequestBody(
    resume=BodyField({"type": "integer", "minimum": 0}, gettext_noop("Send the number of the table to resume."))
)
_SEAT_REFUSAL = gettext_noop("There is no such seat: the seats are 0 to {last}.")
PLAYER_BODY = RequestBody(
    seat=BodyField(INTEGER, _SEAT_REFUSAL),
    name=_optional(STRING, _TEXT_REFUSAL),
    colour=_optional({"enum": [*PEG_COLOURS]}, gettext_noop("The peg colour must be one of {join}.")),
)


def add_routes(app: Flask, site: Site) -> None:
    routes = Blueprint("games", __name__, url_prefix="/api")
    switcher, game_list = site.switcher, GameList(site.table.journal)

    def post_table() -> tuple[Response, int]:
        body = read_json_object()
        if "resume" in body:
            return site.snapshot_response(_resume_game(switcher, body)), 201
        return site.snapshot_response(switcher.begin_game(_parse_new_game(body), site.requesting_phone())), 201

    def post_player() -> tuple[Response, int]:
        return site.snapshot_response(_update_player(switcher, read_json_object())), 201

    def get_players() -> Response:
        return json_response({"names": list_people(switcher.table.core.players)})

    def get_tables() -> Response:
        before = parse_query_number("before", MAX_GAME_ID)
        return json_response({"tables": game_list.list_games(switcher.table.core, before)})

    def get_games() -> Response:
        return json_response({"games": list_available_games(switcher.attached_board)})

    routes.add_url_rule("/tables", "tables", get_tables)
    routes.add_url_rule("/export", "export", lambda: _export_response(switcher))
    routes.add_url_rule("/players", "players", get_players)
    routes.add_url_rule("/players", "player", post_player, methods=["POST"])
    routes.add_url_rule("/games", "games", get_games)
    routes.add_url_rule("/table", "table", post_table, methods=["POST"])
    app.register_blueprint(routes)


def _export_response(switcher: GameSwitcher) -> Response:
    """Return the entries of a table as text, sent while they are read."""
    journal, form = switcher.table.journal, request.args.get("format", "jsonl")
    if form not in EXPORT_FORMATS:
        raise BadRequest(format_message("The format must be one of {join}.", join=", ".join(EXPORT_FORMATS)))
    game = parse_query_number("table", journal.game_id or 0)
    if journal.load_plan(game) is None:
        raise NotFound(format_message("There is no table {game}.", game=game))
    mimetype, export = EXPORT_FORMATS[form]
    lines = export(journal, game)
    response = Response(chain([next(lines)], lines), mimetype=mimetype, headers=NO_STORE)  # next() raises any error
    response.headers["Content-Disposition"] = f'attachment; filename="cribbage-table-{game}.{form}"'
    return response


def _resume_game(switcher: GameSwitcher, body: Mapping[str, Any]) -> Snapshot:
    game = RESUME_BODY.parse(body)["resume"]
    if "game" in body:
        raise BadRequest(format_message("Send either a game to begin or a table to resume, not both."))
    snapshot = switcher.resume_game(game) if game < 1 << 60 else None
    if snapshot is None:
        raise NotFound(format_message("There is no table with this number."))
    return snapshot


def _parse_new_game(body: Mapping[str, Any]) -> NewGameRequest:
    sent = NEW_GAME_BODY.parse({name: value for name, value in body.items() if value is not None})
    if "names" in sent:
        sent["names"] = tuple(
            None if name is None else _parse_name(name, seat) for seat, name in enumerate(sent["names"])
        )
    if "against" in sent:
        sent["against"] = ComputerPlayer(**sent["against"])
    elif "against" in body:
        sent["against"] = None
    return NewGameRequest(**sent)


def _parse_name(given: object, seat: int) -> str:
    """Return a valid name; empty for the name that the seat has by itself, in English or the requested language."""
    name = _parse_value(read_name, given)
    usual = [SEAT_NAMES[seat], format_message("{name}'s partner", name=SEAT_NAMES[seat % 2])]
    language = requested_language()
    return "" if name in (*usual, *(language.translate_value(usual) if language else ())) else name


def _parse_value(read: Callable[[object], str], value: object) -> str:
    try:
        return read(value)
    except BadMove as error:
        raise BadRequest(str(error)) from None


def _update_player(switcher: GameSwitcher, body: Mapping[str, Any]) -> Snapshot:
    last = len(switcher.table.snapshot.players) - 1
    sent = PLAYER_BODY.parse(body, last=last, join=join_messages([format_message(colour) for colour in PEG_COLOURS]))
    name, colour = sent.get("name"), sent.get("colour")
    if not 0 <= sent["seat"] <= last:
        raise BadRequest(format_message(_SEAT_REFUSAL, last=last))
    if name is None and colour is None:
        raise BadRequest(format_message("Send a name or a colour."))
    return switcher.set_player(
        sent["seat"],
        None if name is None else _parse_value(read_name, name),
        None if colour is None else _parse_value(read_colour, colour),
    )
