"""The board, over HTTP: its holes and routes, hole by hole or, for the page, column by column."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from companion.boards.catalog import Board, board_json
from companion.protocol.json_codec import dumps
from companion.server.responses import Text


def board_routes(board: Callable[[], Board]) -> Blueprint:
    """`/api/board`: the board that is played on now, written down once for all who ask."""
    routes = Blueprint("board", __name__)
    drawn: tuple[Board | None, dict[bool, Text]] = None, {}

    def shown() -> Response:
        nonlocal drawn
        if (now := board()) is not drawn[0]:
            told = board_json(now)
            texts = {False: told, True: told | {"holes": in_columns(told["holes"])}}
            drawn = now, {columns: Text(dumps(text).encode()) for columns, text in texts.items()}
        return drawn[1]["columns" in request.args].answer()

    routes.add_url_rule("/api/board", "board", shown)
    return routes


def in_columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """The same rows, each field named once: a third of the size, compressed too."""
    return {field: [row[field] for row in rows] for field in rows[0]}
