"""What pages need beside the table: names and numbers, help without a script, files of add-ons, the OpenAPI document.

tests/server/test_openapi.py compares `openapi.json` with the routes, the checks of requests, and the answers of every
game.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.addons import Addons
from companion.boards import catalog
from companion.boards.board import Hole
from companion.common.constants import IMPOSSIBLE_HAND_SCORES, MAX_HAND_POINTS, SEAT_NAMES
from companion.common.snapshot import Snapshot
from companion.display.lights import FACE_PIPS
from companion.http.assets import MIMETYPES, Assets, read_preferences
from companion.http.permissions import PLAYER_COOKIE
from companion.http.responses import CachedBody, page_language, page_response
from companion.i18n import format_message
from companion.rules import GAMES, Game, cribbage, find_game, play, pursuit, scoring, shuffle
from companion.rules.baseball import spaces
from companion.rules.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from companion.rules.sackson import grid
from companion.rules.sackson.grid import find_figures
from companion.table.available_games import list_available_games
from companion.table.dice import TUMBLE_MS
from companion.table.setup import PLAIN_PEGS


@cache
def build_constants() -> dict[str, Any]:
    """Return the answer of `/api/constants` (docs/reference/http.md), without what add-ons bring."""
    return {
        "seats": [{"name": name, "colour": name.lower()} for name in SEAT_NAMES],
        "ranks": _letter_names(RANKS, RANK_NAMES),
        "suits": _letter_names(SUITS, SUIT_NAMES),
        "count": {"most": play.MAX_COUNT, "any_fits": play.MAX_COUNT_ANY_CARD_FITS},
        "claims": {
            "most": MAX_HAND_POINTS,
            "most_in_play": scoring.MAX_PLAY_POINTS,
            "impossible": list(IMPOSSIBLE_HAND_SCORES),
        },
        "dice": {"pips": {str(face): list(pips) for face, pips in FACE_PIPS.items()}, "tumble_ms": TUMBLE_MS},
        "chips": {"colours": list(grid.COLOURS), "each": grid.GRID_SIZE},
        "grid": {"size": shuffle.GRID_SIZE, "target": shuffle.TARGET_POINTS},
        "lap": pursuit.HOLES_PER_PLAYER,
        "leg": spaces.LEG_LENGTH,
        "options": _option_words(),
        "three_for_last": cribbage.THREE_FOR_LAST,
        "reads_photos": False,
        "themes": {},
        "sounds": {},
    }


def _option_words() -> dict[str, dict[str, Any]]:
    """Return the words of each option, of the first game that has it."""
    options = {key: game.find_option(key) for game in reversed(GAMES) for key in game.options}
    return {
        key: {
            "name": option.name,
            "default": option[0],
            "values": dict(option.value_names),
            "is_named": option.has_unclear_values,
        }
        for key, option in options.items()
    }


def _letter_names(letters: str, names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"letter": letter, "name": format_message(name)} for letter, name in zip(letters, names, strict=True)]


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


def addon_constants(addons: Addons) -> dict[str, Any]:
    """Return the addresses of the themes and sounds that a page may choose from."""
    sounds = {
        addon: {sound: f"/packs/{addon}/{name}" for sound, (name, _) in files.items()}
        for addon, files in addons.sounds.items()
    }
    return {"themes": {addon: f"/packs/{addon}/theme.css" for addon in addons.themes}, "sounds": sounds}


def addon_routes(addons: Addons) -> Blueprint:
    """Return the route of the add-ons' files. Files that an add-on does not name are not sent."""
    routes = Blueprint("packs", __name__)
    contents = {(addon, "theme.css"): content for addon, content in addons.themes.items()}
    contents |= {(addon, name): content for addon, files in addons.sounds.items() for name, content in files.values()}
    bodies = {key: CachedBody(content, MIMETYPES[key[1][key[1].rindex(".") :]]) for key, content in contents.items()}

    def get_file(pack: str, name: str) -> Response:
        if (pack, name) not in bodies:
            raise NotFound
        return bodies[pack, name].to_response()

    routes.add_url_rule("/packs/<pack>/<name>", "file", get_file)
    return routes


@cache
def openapi_document(player_cookie: str = PLAYER_COOKIE) -> dict[str, Any]:
    """Return the document of a table whose players have this cookie."""
    document: dict[str, Any] = json.loads(files("companion.server").joinpath("openapi.json").read_text("utf-8"))
    document["components"]["securitySchemes"]["player"]["name"] = player_cookie
    return document
