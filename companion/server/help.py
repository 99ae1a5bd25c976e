"""How each game is played, as a page that needs no script: `web/help/KEY.html` with the board and what is decided."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.board.shape import layout
from companion.board.shape.wood import Hole
from companion.rules.display import figures
from companion.server.answer import Text
from companion.server.pages import Pages
from companion.snapshot import Snapshot
from companion.table.offer import offer

_CELL = 10
"""A cell of a drawn figure is so many units wide."""


def help_routes(pages: Pages, shown: Callable[[], Snapshot]) -> Blueprint:
    """The page `/help/KEY`; `shown()` is the present snapshot, whose options are told where it is of that game."""
    routes = Blueprint("help", __name__)

    def page(key: str) -> Response:
        games = {game["key"]: game for game in offer()}
        if key not in games:
            raise NotFound
        return Text(_written(pages, games[key], shown()).encode(), "text/html").answer()

    routes.add_url_rule("/help/<key>", "page", page)
    return routes


def _written(pages: Pages, game: Mapping[str, Any], snapshot: Snapshot) -> str:
    now = snapshot.game
    present = now["key"] == game["key"]
    options = now["options"] if present else {each["key"]: each["default"] for each in game["options"]}
    seats = now["seats"] if present else game["seats"][0]
    board = snapshot.board if present else game["boards"][0]
    parts = {
        "title": escape(game["title"]),
        "say": escape(game["say"]),
        "options": _options(game, options, present=present),
        "board": _board(board, seats),
        "rules": _part(pages, game["key"]).replace("{figures}", _figures(options)),
        "words": _part(pages, "words"),
    }
    page = pages.page("help.html").plain.decode()
    for name, text in parts.items():
        page = page.replace(f"{{{name}}}", text)
    return page


def _part(pages: Pages, name: str) -> str:
    """A text of `web/help`; a game of somebody else's may have none."""
    try:
        return pages.page(f"help/{name}.html").plain.decode()
    except KeyError:
        return ""


def _options(game: Mapping[str, Any], options: Mapping[str, Any], *, present: bool) -> str:
    if not game["options"]:
        return ""
    rows = "".join(_row(each, str(options.get(each["key"], each["default"]))) for each in game["options"])
    heading = "What is decided at this table" if present else "What can be decided"
    return f'<h2>{heading}</h2><table data-options="{"present" if present else "usual"}"><tbody>{rows}</tbody></table>'


def _row(option: Mapping[str, Any], value: str) -> str:
    return f"<tr><td>{escape(option['say'] or option['key'])}</td><td><b>{escape(value)}</b></td></tr>"


def _board(name: str, seats: int) -> str:
    """The board from above: its lanes, in the colours of the seats, and its holes."""
    board = layout.load(name)
    routes = board.routes.get(seats) or next(iter(board.routes.values()), ())
    xs, ys = [hole.x_mm for hole in board.holes], [hole.y_mm for hole in board.holes]
    edge = 8.0
    box = (min(xs) - edge, min(ys) - edge, max(xs) - min(xs) + 2 * edge, max(ys) - min(ys) + 2 * edge)
    lanes = "".join(_lane([board.holes[bit] for bit in route.way]) for route in routes)
    holes = "".join(f'<circle class="peg-hole" cx="{h.x_mm:g}" cy="{h.y_mm:g}" r="1.6"/>' for h in board.holes)
    x, y, wide, high = box
    if high > wide:  # a long board lies
        return (
            f'<svg viewBox="{-y - high:g} {x:g} {high:g} {wide:g}" role="img" aria-label="The board">'
            f'<g transform="rotate(90)">{lanes}{holes}</g></svg>'
        )
    return f'<svg viewBox="{x:g} {y:g} {wide:g} {high:g}" role="img" aria-label="The board">{lanes}{holes}</svg>'


def _lane(holes: list[Hole]) -> str:
    seat = "" if holes[0].seat is None else f" seat-{holes[0].seat}"
    points = " ".join(f"{hole.x_mm:g},{hole.y_mm:g}" for hole in holes)
    return f'<polyline class="lane{seat}" fill="none" stroke-width="6" points="{points}"/>'


def _figures(options: Mapping[str, Any]) -> str:
    """Each figure of Sackson swap drawn once, where it stands first on the display."""
    drawn: dict[str, str] = {}
    for cells, name in figures(str(options.get("zigzag", "alternating")), options.get("diagonals") != "off").items():
        drawn.setdefault(name, _figure(name, cells))
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
