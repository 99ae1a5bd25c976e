"""The board, over HTTP: its holes and routes, hole by hole or, for the page, column by column."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from companion.boards.catalog import Board, encode_board
from companion.protocol.json_codec import dump_json
from companion.server.responses import CachedBody


def board_routes(board: Callable[[], Board]) -> Blueprint:
    """`/api/board`: the board that is played on now, written down once for all who ask."""
    routes = Blueprint("board", __name__)
    drawn: tuple[Board | None, dict[bool, CachedBody]] = None, {}

    def get_board() -> Response:
        nonlocal drawn
        if (now := board()) is not drawn[0]:
            told = encode_board(now)
            texts = {False: told, True: told | {"holes": to_columns(told["holes"])}}
            drawn = now, {columns: CachedBody(dump_json(text).encode()) for columns, text in texts.items()}
        return drawn[1]["columns" in request.args].to_response()

    routes.add_url_rule("/api/board", "board", get_board)
    return routes


def to_columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """The same rows, each field named once: a third of the size, compressed too."""
    return {field: [row[field] for row in rows] for field in rows[0]}
