"""What was played, over HTTP: the journal's own answer, whole after a reload, a restart, on every phone."""

from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.history.evenings import EveningGames, compute_player_records, count_head_to_head, find_last_evening
from companion.history.moves import MoveHistory
from companion.i18n import format_message
from companion.server.responses import CachedBody, json_response, requested_language
from companion.table.table import Table

_MAX_DIGITS = 12


def history_response(table: Table, chronicles: MoveHistory) -> Response:
    """The accepted moves not undone of the present table, or of the `table` asked for; those `after` a number."""
    game = parse_query_number("table", table.journal.game_id or 0)
    told = chronicles.read_page(game, parse_query_number("after", 0), requested_language())
    if told is None:
        raise NotFound(format_message("There is no table {game} in this journal.", game=game))
    earlier = ',"earlier":true' if told.is_cut else ""
    return CachedBody(f'{{"table":{game}{earlier},"moves":[{",".join(told.moves)}]}}'.encode()).to_response()


def parse_query_number(name: str, default: int) -> int:
    """A whole number of the query, or the default. Raises BadRequest."""
    value = request.args.get(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS):
        raise BadRequest(format_message("Ask with {name}=N, a whole number from 0.", name=name))
    return int(value)


def evening_routes(table: Table) -> Blueprint:
    """The routes below `/api/evening`."""
    routes = Blueprint("evening", __name__, url_prefix="/api/evening")
    evenings = EveningGames(table.journal)

    def get_evening() -> Response:
        every = evenings.list_games()
        ours = find_last_evening(every)
        return json_response(
            {"games": [_without_race(each) for each in ours], "series": count_head_to_head(ours[::-1])}
        )

    def get_records() -> Response:
        every = evenings.list_games()
        return json_response({"players": compute_player_records(every), "series": count_head_to_head(every)})

    def get_table_games() -> Response:
        asked = parse_query_number("table", table.journal.game_id or 0)
        found = [each for each in evenings.list_games() if each["table"] == asked]
        if not found:
            raise NotFound(f"Nothing was played at a table {asked}, or it was too long ago.")
        return json_response({"games": found})

    routes.add_url_rule("", "evening", get_evening)
    routes.add_url_rule("/players", "records", get_records)
    routes.add_url_rule("/table", "evening_table", get_table_games)
    return routes


def _without_race(each: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in each.items() if name != "race"}
