"""What was played, over HTTP: the journal's own answer, whole after a reload, a restart, on every phone."""

from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.history.evenings import Evenings, records, series, tonight
from companion.history.moves import Chronicles
from companion.i18n import say
from companion.server.responses import Text, asked_language, json_answer
from companion.table.table import Table

_MOST_DIGITS = 12


def history(table: Table, chronicles: Chronicles) -> Response:
    """The accepted moves not undone of the present table, or of the `table` asked for; those `after` a number."""
    game = number("table", table.journal.game or 0)
    told = chronicles.told(game, number("after", 0), asked_language())
    if told is None:
        raise NotFound(say("There is no table {game} in this journal.", game=game))
    earlier = ',"earlier":true' if told.is_cut else ""
    return Text(f'{{"table":{game}{earlier},"moves":[{",".join(told.moves)}]}}'.encode()).answer()


def number(name: str, default: int) -> int:
    """A whole number of the query, or the default. Raises BadRequest."""
    value = request.args.get(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS):
        raise BadRequest(say("Ask with {name}=N, a whole number from 0.", name=name))
    return int(value)


def evening_routes(table: Table) -> Blueprint:
    """The routes below `/api/evening`."""
    routes = Blueprint("evening", __name__, url_prefix="/api/evening")
    evenings = Evenings(table.journal)

    def now() -> Response:
        every = evenings.games()
        ours = tonight(every)
        return json_answer({"games": [_short(each) for each in ours], "series": series(ours[::-1])})

    def all_time() -> Response:
        every = evenings.games()
        return json_answer({"players": records(every), "series": series(every)})

    def one() -> Response:
        asked = number("table", table.journal.game or 0)
        found = [each for each in evenings.games() if each["table"] == asked]
        if not found:
            raise NotFound(f"Nothing was played at a table {asked}, or it was too long ago.")
        return json_answer({"games": found})

    routes.add_url_rule("", "evening", now)
    routes.add_url_rule("/players", "records", all_time)
    routes.add_url_rule("/table", "evening_table", one)
    return routes


def _short(each: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in each.items() if name != "race"}
