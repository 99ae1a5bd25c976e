"""Hints for cribbage shuffle: `/api/hint` and `/api/best`. The coach is imported at the first request for one."""

from flask import Blueprint, Response

from companion.http.responses import json_response
from companion.table.table import Table


def shuffle_hint_routes(table: Table) -> Blueprint:
    """Return the routes."""
    routes = Blueprint("hints", __name__, url_prefix="/api")

    def get_hint() -> Response:
        from companion.server import layout_hints  # noqa: PLC0415 - the table starts without the coach

        return json_response(layout_hints.suggest_swap(table.snapshot))

    def get_best() -> Response:
        from companion.server import layout_hints  # noqa: PLC0415

        return json_response(layout_hints.describe_best(table.snapshot))

    routes.add_url_rule("/hint", "hint", get_hint)
    routes.add_url_rule("/best", "best", get_best)
    return routes
