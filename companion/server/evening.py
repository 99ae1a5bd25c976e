"""The evening over HTTP: what was played tonight, by whom, and how it went (docs/reference/http.md#the-evening)."""

from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.server.answer import json_answer
from companion.server.history import number
from companion.table.evenings import Evenings, records, series, tonight
from companion.table.table import Table


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
