"""How each game is played, as a page that needs no script: `web/help/KEY.html` with the board and what is decided."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.boards import catalog
from companion.boards.board import Hole
from companion.common.snapshot import Snapshot
from companion.i18n import Message, format_message
from companion.i18n.catalog import MessageCatalog
from companion.rules.sackson.grid import find_figures
from companion.server.pages.assets import Assets
from companion.server.responses import CachedBody, html_response, page_language
from companion.table.available_games import list_available_games

_CELL_UNITS = 10
"""A cell of a drawn figure is so many units wide."""


def help_routes(pages: Assets, shown: Callable[[], Snapshot]) -> Blueprint:
    """The page `/help/KEY`; `shown()` is the present snapshot, whose options are told where it is of that game."""
    routes = Blueprint("help", __name__)

    def get_help_page(key: str) -> Response:
        games = {game["key"]: game for game in list_available_games()}
        if key not in games:
            raise NotFound
        return html_response(
            CachedBody(_render_help(pages, games[key], shown(), page_language()).encode(), "text/html")
        )

    routes.add_url_rule("/help/<key>", "page", get_help_page)
    return routes


def _render_help(pages: Assets, game: Mapping[str, Any], snapshot: Snapshot, language: MessageCatalog | None) -> str:
    game = language.translate_value(game) if language else game
    now = snapshot.game
    present = now["key"] == game["key"]
    options = now["options"] if present else {each["key"]: each["default"] for each in game["options"]}
    seats = now["seats"] if present else game["seats"][0]
    board = snapshot.board if present else game["boards"][0]
    parts = {
        "title": escape(game["title"]),
        "say": escape(game["say"]),
        "options": _options_table(game, options, language, present=present),
        "board": _board_svg(board, seats, _translate(format_message("The board"), language)),
        "rules": _load_section(pages, game["key"], language).replace("{figures}", _figures_html(options, language)),
        "words": _load_section(pages, "words", language),
    }
    page = pages.get_page("help.html", language).content.decode()
    for name, text in parts.items():
        page = page.replace(f"{{{name}}}", text)
    return page


def _load_section(pages: Assets, name: str, language: MessageCatalog | None) -> str:
    """A text of `web/help`; a game of somebody else's may have none."""
    try:
        return pages.get_page(f"help/{name}.html", language).content.decode()
    except KeyError:
        return ""


def _options_table(
    game: Mapping[str, Any], options: Mapping[str, Any], language: MessageCatalog | None, *, present: bool
) -> str:
    if not game["options"]:
        return ""
    rows = "".join(
        _option_row(each, _translate(format_message(str(options.get(each["key"], each["default"]))), language))
        for each in game["options"]
    )
    heading = _translate(
        format_message("What is decided at this table") if present else format_message("What can be decided"), language
    )
    return f'<h2>{heading}</h2><table data-options="{"present" if present else "usual"}"><tbody>{rows}</tbody></table>'


def _translate(sentence: Message, language: MessageCatalog | None) -> str:
    return sentence.translate_with(language.translate_pattern) if language else sentence


def _option_row(option: Mapping[str, Any], value: str) -> str:
    return f"<tr><td>{escape(option['say'] or option['key'])}</td><td><b>{escape(value)}</b></td></tr>"


def _board_svg(name: str, seats: int, label: str) -> str:
    """The board from above: its lanes, in the colours of the seats, and its holes."""
    board = catalog.load_board(name)
    routes = board.routes.get(seats) or next(iter(board.routes.values()), ())
    xs, ys = [hole.x_mm for hole in board.holes], [hole.y_mm for hole in board.holes]
    edge = 8.0
    box = (min(xs) - edge, min(ys) - edge, max(xs) - min(xs) + 2 * edge, max(ys) - min(ys) + 2 * edge)
    lanes = "".join(_lane_svg([board.holes[bit] for bit in route.way]) for route in routes)
    holes = "".join(f'<circle class="peg-hole" cx="{h.x_mm:g}" cy="{h.y_mm:g}" r="1.6"/>' for h in board.holes)
    x, y, wide, high = box
    if high > wide:  # a long board lies
        return (
            f'<svg viewBox="{-y - high:g} {x:g} {high:g} {wide:g}" role="img" aria-label="{escape(label)}">'
            f'<g transform="rotate(90)">{lanes}{holes}</g></svg>'
        )
    return f'<svg viewBox="{x:g} {y:g} {wide:g} {high:g}" role="img" aria-label="{escape(label)}">{lanes}{holes}</svg>'


def _lane_svg(holes: list[Hole]) -> str:
    seat = "" if holes[0].seat is None else f" seat-{holes[0].seat}"
    points = " ".join(f"{hole.x_mm:g},{hole.y_mm:g}" for hole in holes)
    return f'<polyline class="lane{seat}" fill="none" stroke-width="6" points="{points}"/>'


def _figures_html(options: Mapping[str, Any], language: MessageCatalog | None) -> str:
    """Each figure of Sackson swap drawn once, where it stands first on the display."""
    drawn: dict[str, str] = {}
    for cells, name in find_figures(
        str(options.get("zigzag", "alternating")), options.get("diagonals") != "off"
    ).items():
        drawn.setdefault(name, _figure_svg(_translate(format_message(name), language), cells))
    return f'<div class="figures">{"".join(drawn.values())}</div>'


def _figure_svg(name: str, cells: int) -> str:
    marks = "".join(
        f'<circle cx="{at % 5 * _CELL_UNITS + 5}" cy="{at // 5 * _CELL_UNITS + 5}" r="3.6"/>'
        for at in range(25)
        if cells >> at & 1
    )
    side = f'width="{_CELL_UNITS}" height="{_CELL_UNITS}"'
    grid = "".join(f'<rect x="{at % 5 * _CELL_UNITS}" y="{at // 5 * _CELL_UNITS}" {side}/>' for at in range(25))
    return (
        f'<figure><svg viewBox="-1 -1 52 52" role="img" aria-label="{escape(name)}">{grid}{marks}</svg>'
        f"<figcaption>{escape(name)}</figcaption></figure>"
    )
