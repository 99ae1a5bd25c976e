"""History from the journal: `/api/history`, and the games of an evening: `/api/evening`."""

from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.history.evenings import (
    EveningGames,
    compute_player_records,
    count_head_to_head,
    find_last_evening,
    summarize_evenings,
)
from companion.history.moves import MoveHistory
from companion.http.requests import parse_query_number
from companion.http.responses import CachedBody, json_response, requested_language
from companion.i18n import format_message
from companion.table.table import Table


def history_response(table: Table, history: MoveHistory) -> Response:
    """Return the moves of `?table=` (by default the present one) above the number `?after=`, without undone moves."""
    game = parse_query_number("table", table.journal.game_id or 0)
    page = history.read_page(game, parse_query_number("after", 0), requested_language())
    if page is None:
        raise NotFound(format_message("There is no table {game}.", game=game))
    earlier = ',"earlier":true' if page.is_cut else ""
    return CachedBody(f'{{"table":{game}{earlier},"moves":[{",".join(page.moves)}]}}'.encode()).to_response()


def evening_routes(table: Table) -> Blueprint:
    """Return the routes below `/api/evening` (docs/reference/http.md#the-evening)."""
    routes = Blueprint("evening", __name__, url_prefix="/api/evening")
    evenings = EveningGames(table.journal)

    def get_evening() -> Response:
        games = find_last_evening(evenings.list_games())
        return json_response(
            {"games": [_without_race(each) for each in games], "series": count_head_to_head(games[::-1])}
        )

    def get_records() -> Response:
        games = evenings.list_games()
        return json_response(
            {
                "players": compute_player_records(games),
                "series": count_head_to_head(games),
                "evenings": summarize_evenings(games),
            }
        )

    def get_table_games() -> Response:
        number = parse_query_number("table", table.journal.game_id or 0)
        games = [each for each in evenings.list_games() if each["table"] == number]
        if not games:
            raise NotFound(f"No games of table {number} are known. They may be too old.")
        return json_response({"games": games})

    routes.add_url_rule("", "evening", get_evening)
    routes.add_url_rule("/players", "records", get_records)
    routes.add_url_rule("/table", "evening_table", get_table_games)
    return routes


def _without_race(game: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in game.items() if name != "race"}
