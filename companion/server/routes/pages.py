"""What pages need beside the table: names and numbers, help without a script, files of add-ons, the OpenAPI document.

tests/server/test_openapi.py compares `openapi.json` with the routes, the checks of requests, and the answers of every
game.
"""

import json
import ssl
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, current_app, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from companion.addons import Addons
from companion.boards import catalog
from companion.boards.board import Hole
from companion.common.constants import IMPOSSIBLE_HAND_SCORES, MAX_HAND_POINTS, SEAT_NAMES
from companion.common.snapshot import Snapshot
from companion.display.lights import FACE_PIPS
from companion.http.application import add_page_routes, file_response
from companion.http.assets import MIMETYPES, Assets, read_preferences
from companion.http.permissions import PLAYER_COOKIE
from companion.http.responses import CachedBody, json_response, page_language, page_response, requested_language
from companion.i18n import format_message
from companion.i18n.catalog import list_languages
from companion.protocol.json_codec import dump_json
from companion.rules import GAMES, Game, cribbage, find_game, play, pursuit, scoring, shuffle
from companion.rules.baseball import diamond
from companion.rules.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from companion.rules.sackson import grid
from companion.rules.sackson.grid import find_figures
from companion.server.site import Site
from companion.table.available_games import list_available_games
from companion.table.setup import PLAIN_PEGS
from companion.table.state import TUMBLE_MS

TABLE_PAGES = {
    address: f"pages/{name}/{name}.html"
    for address, name in {
        "/": "phone", "/tv": "tv", "/invite": "invite", "/evening": "evening", "/workshop": "workshop",
        "/review": "review", "/train": "practice", "/daily": "daily", "/learn": "lesson", "/count": "count",
    }.items()
}  # fmt: skip
"""Template of each page by its address."""
BENCH_PAGES = {"/bench": "pages/bench/bench.html"}
PAGE_ALIASES = {"/practice": "/train", "/lesson": "/learn"}
"""Addresses by the names that pages are called, and those of the pages."""
CONSTANTS_EXTENSION = "page_constants"
"""Key of `Flask.extensions` under which plugins add to the constants of the pages."""
_MARGIN_MM = 8.0
_FIGURE_CELLS = 25


def add_routes(app: Flask, site: Site) -> None:
    """Add the pages of the table, their help, the files of add-ons and the OpenAPI document."""
    add_site_routes(app, site.assets, TABLE_PAGES | (BENCH_PAGES if site.bench else {}), site.addons)
    for alias, address in PAGE_ALIASES.items():
        app.add_url_rule(alias, alias, partial(_redirect_page, address))
    app.register_blueprint(help_routes(site.assets, lambda: site.table.snapshot))
    app.register_blueprint(addon_routes(site.addons))
    app.add_url_rule("/authority.crt", "authority", lambda: _certificate_response(site.join_info.ca_certificate))
    app.add_url_rule("/api/openapi.json", "openapi", lambda: _json_body(openapi_document(site.permissions.cookie_name)))


def add_site_routes(app: Flask, assets: Assets, pages: Mapping[str, str], addons: Addons) -> None:
    """Add pages by address, and what their scripts need: files, words, names and numbers, the service worker."""
    add_page_routes(app, assets, pages)
    app.extensions[CONSTANTS_EXTENSION] = {}
    app.add_url_rule("/api/constants", "constants", lambda: _constants_response(addons))
    app.add_url_rule("/api/words", "languages", lambda: json_response({"languages": list_languages()}))
    app.add_url_rule("/sw.js", "worker", lambda: file_response(assets, "sw.js"))  # it controls addresses below its own


def _redirect_page(address: str) -> BaseResponse:
    """Return a redirect to a page, with the query of the request, such as its language."""
    query = request.query_string.decode("latin-1")
    return redirect(f"{address}?{query}" if query else address, 308)


def _certificate_response(path: Path | None) -> Response:
    """Return the certificate of our own authority in DER, the format that phones install."""
    if path is None:
        raise NotFound
    certificate = ssl.PEM_cert_to_DER_cert(path.read_text("ascii"))
    return CachedBody(certificate, "application/x-x509-ca-cert").to_response()


def _constants_response(addons: Addons) -> Response:
    language, constants = requested_language(), build_constants() | current_app.extensions[CONSTANTS_EXTENSION]
    constants = language.translate_value(constants) if language else constants
    return _json_body(constants | addon_constants(addons))


def _json_body(value: Any) -> Response:
    return CachedBody(dump_json(value).encode()).to_response()


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
        "leg": diamond.LEG_LENGTH,
        "options": _option_words(),
        "three_for_last": cribbage.THREE_FOR_LAST,
        "reads_photos": False,
        "menu": [],
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
    document: dict[str, Any] = json.loads(files("companion.server").joinpath("openapi.json").read_text("utf-8"))
    document["components"]["securitySchemes"]["player"]["name"] = player_cookie
    return document
