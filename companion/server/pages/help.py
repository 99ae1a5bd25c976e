"""How each game is played, as a page that needs no script: `web/help/KEY.html` with the board and what is decided."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.boards import catalog
from companion.boards.board import Hole
from companion.common.snapshot import Snapshot
from companion.i18n import Sentence, say
from companion.i18n.catalog import Catalogue
from companion.rules.sackson.grid import figures
from companion.server.pages.assets import Pages
from companion.server.responses import Text, html_answer, page_language
from companion.table.available_games import offer

_CELL = 10
"""A cell of a drawn figure is so many units wide."""


def help_routes(pages: Pages, shown: Callable[[], Snapshot]) -> Blueprint:
    """The page `/help/KEY`; `shown()` is the present snapshot, whose options are told where it is of that game."""
    routes = Blueprint("help", __name__)

    def page(key: str) -> Response:
        games = {game["key"]: game for game in offer()}
        if key not in games:
            raise NotFound
        return html_answer(Text(_written(pages, games[key], shown(), page_language()).encode(), "text/html"))

    routes.add_url_rule("/help/<key>", "page", page)
    return routes


def _written(pages: Pages, game: Mapping[str, Any], snapshot: Snapshot, language: Catalogue | None) -> str:
    game = language.value(game) if language else game
    now = snapshot.game
    present = now["key"] == game["key"]
    options = now["options"] if present else {each["key"]: each["default"] for each in game["options"]}
    seats = now["seats"] if present else game["seats"][0]
    board = snapshot.board if present else game["boards"][0]
    parts = {
        "title": escape(game["title"]),
        "say": escape(game["say"]),
        "options": _options(game, options, language, present=present),
        "board": _board(board, seats, _said(say("The board"), language)),
        "rules": _part(pages, game["key"], language).replace("{figures}", _figures(options, language)),
        "words": _part(pages, "words", language),
    }
    page = pages.page("help.html", language).plain.decode()
    for name, text in parts.items():
        page = page.replace(f"{{{name}}}", text)
    return page


def _part(pages: Pages, name: str, language: Catalogue | None) -> str:
    """A text of `web/help`; a game of somebody else's may have none."""
    try:
        return pages.page(f"help/{name}.html", language).plain.decode()
    except KeyError:
        return ""


def _options(game: Mapping[str, Any], options: Mapping[str, Any], language: Catalogue | None, *, present: bool) -> str:
    if not game["options"]:
        return ""
    rows = "".join(
        _row(each, _said(say(str(options.get(each["key"], each["default"]))), language)) for each in game["options"]
    )
    heading = _said(say("What is decided at this table") if present else say("What can be decided"), language)
    return f'<h2>{heading}</h2><table data-options="{"present" if present else "usual"}"><tbody>{rows}</tbody></table>'


def _said(sentence: Sentence, language: Catalogue | None) -> str:
    return sentence.inside(language.pattern) if language else sentence


def _row(option: Mapping[str, Any], value: str) -> str:
    return f"<tr><td>{escape(option['say'] or option['key'])}</td><td><b>{escape(value)}</b></td></tr>"


def _board(name: str, seats: int, label: str) -> str:
    """The board from above: its lanes, in the colours of the seats, and its holes."""
    board = catalog.load(name)
    routes = board.routes.get(seats) or next(iter(board.routes.values()), ())
    xs, ys = [hole.x_mm for hole in board.holes], [hole.y_mm for hole in board.holes]
    edge = 8.0
    box = (min(xs) - edge, min(ys) - edge, max(xs) - min(xs) + 2 * edge, max(ys) - min(ys) + 2 * edge)
    lanes = "".join(_lane([board.holes[bit] for bit in route.way]) for route in routes)
    holes = "".join(f'<circle class="peg-hole" cx="{h.x_mm:g}" cy="{h.y_mm:g}" r="1.6"/>' for h in board.holes)
    x, y, wide, high = box
    if high > wide:  # a long board lies
        return (
            f'<svg viewBox="{-y - high:g} {x:g} {high:g} {wide:g}" role="img" aria-label="{escape(label)}">'
            f'<g transform="rotate(90)">{lanes}{holes}</g></svg>'
        )
    return f'<svg viewBox="{x:g} {y:g} {wide:g} {high:g}" role="img" aria-label="{escape(label)}">{lanes}{holes}</svg>'


def _lane(holes: list[Hole]) -> str:
    seat = "" if holes[0].seat is None else f" seat-{holes[0].seat}"
    points = " ".join(f"{hole.x_mm:g},{hole.y_mm:g}" for hole in holes)
    return f'<polyline class="lane{seat}" fill="none" stroke-width="6" points="{points}"/>'


def _figures(options: Mapping[str, Any], language: Catalogue | None) -> str:
    """Each figure of Sackson swap drawn once, where it stands first on the display."""
    drawn: dict[str, str] = {}
    for cells, name in figures(str(options.get("zigzag", "alternating")), options.get("diagonals") != "off").items():
        drawn.setdefault(name, _figure(_said(say(name), language), cells))
    return f'<div class="figures">{"".join(drawn.values())}</div>'


def _figure(name: str, cells: int) -> str:
    marks = "".join(
        f'<circle cx="{at % 5 * _CELL + 5}" cy="{at // 5 * _CELL + 5}" r="3.6"/>' for at in range(25) if cells >> at & 1
    )
    side = f'width="{_CELL}" height="{_CELL}"'
    grid = "".join(f'<rect x="{at % 5 * _CELL}" y="{at // 5 * _CELL}" {side}/>' for at in range(25))
    return (
        f'<figure><svg viewBox="-1 -1 52 52" role="img" aria-label="{escape(name)}">{grid}{marks}</svg>'
        f"<figcaption>{escape(name)}</figcaption></figure>"
    )
