"""The board on the table: `/api/board`."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from companion.boards.catalog import Board, encode_board
from companion.http.responses import CachedBody
from companion.protocol.json_codec import dump_json


def board_routes(find_board: Callable[[], Board]) -> Blueprint:
    """Return the route. With `?columns`, the holes are sent column by column. The JSON is made once for each board."""
    routes = Blueprint("board", __name__)
    cached: tuple[Board | None, dict[bool, CachedBody]] = None, {}

    def get_board() -> Response:
        nonlocal cached
        if (board := find_board()) is not cached[0]:
            body = encode_board(board)
            forms = {False: body, True: body | {"holes": to_columns(body["holes"])}}
            cached = board, {is_columns: CachedBody(dump_json(form).encode()) for is_columns, form in forms.items()}
        return cached[1]["columns" in request.args].to_response()

    routes.add_url_rule("/api/board", "board", get_board)
    return routes


def to_columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return a list of values for each field, which is a third of the size of the rows."""
    return {field: [row[field] for row in rows] for field in rows[0]}
