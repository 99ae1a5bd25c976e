"""Help pages `/help/KEY`, which need no script: the rules of a game, its board and its options."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.boards import catalog
from companion.boards.board import Hole
from companion.common.snapshot import Snapshot
from companion.http.pages.assets import Assets
from companion.http.pages.templates import read_preferences
from companion.http.responses import page_language, page_response
from companion.rules import Game, find_game
from companion.rules.sackson.grid import find_figures
from companion.table.available_games import list_available_games
from companion.table.setup import PLAIN_PEGS

_MARGIN_MM = 8.0
_FIGURE_CELLS = 25


class LanePicture(NamedTuple):
    """A lane of the board as a polyline; `css` is the class of its seat."""

    css: str
    points: str


class BoardPicture(NamedTuple):
    """The board from above, in millimetres. A tall board is turned by a quarter."""

    view_box: str
    is_tall: bool
    lanes: list[LanePicture]
    holes: list[tuple[str, str]]


def help_routes(assets: Assets, get_snapshot: Callable[[], Snapshot]) -> Blueprint:
    """Return the route `/help/KEY`. The options of the game on the table are taken from the snapshot."""
    routes = Blueprint("help", __name__)

    def get_help_page(key: str) -> Response:
        games = {game["key"]: game for game in list_available_games()}
        if key not in games:
            raise NotFound
        language = page_language()
        game = language.translate_value(games[key]) if language else games[key]
        values = _page_values(game, get_snapshot())
        if language:
            values["options"] = language.translate_value(values["options"])
        return page_response(assets.render_page("pages/help.html", language, read_preferences(), **values))

    routes.add_url_rule("/help/<key>", "page", get_help_page)
    return routes


def _page_values(game: Mapping[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    now = snapshot.game
    is_present = now["key"] == game["key"]
    options = now["options"] if is_present else {each["key"]: each["default"] for each in game["options"]}
    seats = now["seats"] if is_present else game["seats"][0]
    return {
        "game": game,
        "is_present": is_present,
        "is_plain": is_present and now.get("pegs") == PLAIN_PEGS,
        "options": _describe_options(find_game(game["key"]), options),
        "board": _draw_board(snapshot.board if is_present else game["boards"][0], seats),
        "figures": _list_figures(options),
    }


def _describe_options(game: Game[Any], chosen: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the name, the description and the value of each option in words."""
    options = {key: game.find_option(key) for key in game.options}
    values = {key: str(chosen.get(key, option[0])) for key, option in options.items()}
    return [
        {"name": option.name, "description": option.description, "value": option.value_names.get(value, value)}
        for option, value in zip(options.values(), values.values(), strict=True)
    ]


def _draw_board(name: str, seats: int) -> BoardPicture:
    board = catalog.load_board(name)
    routes = board.routes.get(seats) or next(iter(board.routes.values()), ())
    xs, ys = [hole.x_mm for hole in board.holes], [hole.y_mm for hole in board.holes]
    x, y = min(xs) - _MARGIN_MM, min(ys) - _MARGIN_MM
    width, height = max(xs) - min(xs) + 2 * _MARGIN_MM, max(ys) - min(ys) + 2 * _MARGIN_MM
    is_tall = height > width
    view_box = (-y - height, x, height, width) if is_tall else (x, y, width, height)
    return BoardPicture(
        " ".join(f"{each:g}" for each in view_box),
        is_tall,
        [_draw_lane([board.holes[bit] for bit in route.way]) for route in routes],
        [(f"{hole.x_mm:g}", f"{hole.y_mm:g}") for hole in board.holes],
    )


def _draw_lane(holes: list[Hole]) -> LanePicture:
    css = "" if holes[0].seat is None else f" seat-{holes[0].seat}"
    return LanePicture(css, " ".join(f"{hole.x_mm:g},{hole.y_mm:g}" for hole in holes))


def _list_figures(options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the figures of Sackson swap, each once, with the cells of the 5x5 grid that it covers."""
    figures: dict[str, int] = {}
    zigzag = str(options.get("zigzag", "alternating"))
    for cells, name in find_figures(zigzag, options.get("diagonals") != "off").items():
        figures.setdefault(name, cells)
    return [
        {"name": name, "cells": [cell for cell in range(_FIGURE_CELLS) if cells >> cell & 1]}
        for name, cells in figures.items()
    ]
