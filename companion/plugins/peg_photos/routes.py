"""Pegs in a photograph: `/api/pegs` (docs/reference/http.md#pegs-in-a-photograph). It never changes a score."""

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Conflict

from companion.boards.board import Board, Lane, build_lane
from companion.boards.catalog import read_board
from companion.common.errors import BoardError
from companion.common.files import save_file
from companion.common.snapshot import Snapshot
from companion.http.responses import json_response
from companion.i18n import format_message
from companion.plugin import MenuEntry
from companion.plugins.cards import UnusablePhoto
from companion.plugins.cards.routes import PhotoReader, PhotoTurns, require_reader
from companion.plugins.peg_photos import (
    BRIGHT_COLOURS,
    DARK_COLOURS,
    OWN_BOARD_COUNTS,
    check_colours,
    load_reader,
)
from companion.rules import Game, all_games
from companion.table.setup import TablePlan

PEG_PHOTO_PATH = "/api/pegs/photo"
OWN_BOARD_PATH = "/api/pegs/board"
MARKERS_PATH = "/api/pegs/markers"
PHOTO_PATHS = (PEG_PHOTO_PATH, OWN_BOARD_PATH, MARKERS_PATH)
"""Addresses to which a photograph is sent."""
_MAX_PX = 100_000.0
_MAX_LINES, _MAX_LINE_POINTS = 4, 120
_BOARD_LENGTHS_MM = (100.0, 1000.0)


class PegScores(NamedTuple):
    """The race to compare with: the board, and by side its lane, name and score. Without a race there are no lanes."""

    board: Board
    lanes: Sequence[Lane]
    names: Sequence[str]
    scores: Sequence[int]
    target: int


def peg_photo_routes(turns: PhotoTurns, find_scores: Callable[[], PegScores], own_board: Path | None) -> Blueprint:
    """Return the routes. `own_board` is the board file of the players' own board; None if this table keeps none."""
    routes = Blueprint("peg_photos", __name__, url_prefix="/api/pegs")

    def post_photo() -> Response:
        check_pegs = require_reader(partial(load_reader, "pegs:check_pegs"))
        corners, whole = _parse_numbers("corners", 8), _parse_numbers("whole", 4) if "whole" in request.args else None
        race = find_scores()
        if not race.lanes:
            raise Conflict(format_message("In this game no pegs stand for the scores, so there is nothing to check."))
        if request.args.get("board") == "own":
            race = _use_own_board(race, own_board)
        colours = _parse_colours(len(race.lanes))
        return turns.answer(partial(_check, check_pegs, corners, whole, race, colours))

    def get_board() -> Response:
        return json_response(_describe_own_board(own_board))

    def post_board() -> Response:
        map_board = require_reader(partial(load_reader, "own_board:map_board"))
        keeps = own_board if request.args.get("keep") == "yes" else None
        lines = [_parse_points(line) for line in request.args.get("lines", "").split(";") if line][:_MAX_LINES]
        place = _parse_numbers("corners", 8), _parse_length(), _parse_count()
        return turns.answer(partial(_map_own_board, map_board, *place, lines, keeps))

    def post_markers() -> Response:
        return turns.answer(require_reader(partial(load_reader, "geometry:find_markers")))

    routes.add_url_rule("/photo", "photo", post_photo, methods=["POST"])
    routes.add_url_rule("/markers", "markers", post_markers, methods=["POST"])
    routes.add_url_rule("/board", "own_board", get_board)
    routes.add_url_rule("/board", "map_own_board", post_board, methods=["POST"])
    return routes


def is_checkable(game: Game[Any]) -> bool:
    """Return whether pegs stand for the scores. Loops of pursuit games, on which players are caught, are left out."""
    return game.peg_role in ("race", "score") and not game.holes_per_player


def menu_entry() -> MenuEntry:
    games = [game.key for game in all_games() if is_checkable(game)]
    return MenuEntry("/check", format_message("Check the pegs"), games, plain_only=True)


def find_peg_scores(plan: TablePlan, snapshot: Snapshot) -> PegScores:
    lanes = [build_lane(route, plan.target) for route in plan.routes] if is_checkable(plan.game) else []
    names = [str(player["name"]) for player in snapshot.players[: plan.sides]]
    return PegScores(plan.board, lanes, names, snapshot.view["scores"], plan.target)


def _use_own_board(race: PegScores, own_board: Path | None) -> PegScores:
    """Return the race on the players' own board. Raises Conflict if it has too few lanes or holes."""
    board = _read_own_board(own_board)
    if board is None:
        raise Conflict(format_message("This table does not know your own board yet. Add it first."))
    routes = board.routes.get(len(race.lanes), ())
    if not routes:
        raise Conflict(format_message("Your own board has not enough lanes for this game."))
    if not routes[0].loop and len(routes[0].way) < race.target:
        raise Conflict(format_message("The lanes of your own board are too short for this game."))
    return race._replace(board=board, lanes=[build_lane(route, race.target) for route in routes])


def _read_own_board(path: Path | None) -> Board | None:
    if path is None or not path.exists():
        return None
    try:
        return read_board("own", path)
    except BoardError as error:
        raise Conflict(str(error)) from None


def _describe_own_board(path: Path | None) -> dict[str, Any]:
    board = _read_own_board(path)
    return {
        "can_keep": path is not None,
        "seats": sorted(board.routes) if board else [],
        "holes": len(next(iter(board.routes.values()))[0].way) if board else None,
    }


def _map_own_board(
    map_board: PhotoReader,
    corners: list[float],
    length_mm: float,
    count: int,
    lines: list[list[tuple[float, float]]],
    path: Path | None,
    data: bytes,
) -> dict[str, Any]:
    """Return the holes and lanes, without the text of the board file, which is saved if `path` is given."""
    from companion.plugins.peg_photos.own_board import BoardDrawing  # noqa: PLC0415 - needs the extra [camera]

    answer = map_board(BoardDrawing(data, _pair_up(corners), length_mm, count, lines))
    text = answer.pop("file")
    if path and text is None:
        raise UnusablePhoto("Draw a line over each lane before you keep the board.")
    if path:
        save_file(path, text)
    return answer | {"is_kept": path is not None}


def _check(
    check_pegs: PhotoReader,
    corners: list[float],
    whole: list[float] | None,
    race: PegScores,
    colours: tuple[str, ...],
    data: bytes,
) -> dict[str, Any]:
    from companion.plugins.peg_photos.pegs import PegPhoto, PegSide  # noqa: PLC0415 - needs the extra [camera]

    sides = list(map(PegSide, race.names, race.lanes, race.scores, colours))
    rectangle = (whole[0], whole[1], whole[2], whole[3]) if whole else None
    return check_pegs(PegPhoto(data, _pair_up(corners), rectangle), race.board, sides)


def _parse_colours(sides: int) -> tuple[str, ...]:
    colours = tuple(request.args.get("colours", "").split(","))
    if len(colours) != sides or not {*colours} <= {*BRIGHT_COLOURS, *DARK_COLOURS}:
        raise BadRequest(format_message("Name the colour of each side's pegs, such as colours=red,blue."))
    try:
        check_colours(colours)
    except UnusablePhoto as error:
        raise Conflict(str(error)) from None
    return colours


def _parse_length() -> float:
    [length] = _parse_numbers("length", 1)
    low, high = _BOARD_LENGTHS_MM
    if not low <= length <= high:
        raise BadRequest(format_message("Send the length of the wood: 100 to 1000 mm."))
    return length


def _parse_count() -> int:
    [count] = _parse_numbers("holes", 1)
    if count not in OWN_BOARD_COUNTS:
        raise BadRequest(format_message("Send holes=121, 61 or 60."))
    return int(count)


def _parse_points(text: str) -> list[tuple[float, float]]:
    numbers = _read_numbers(text)
    if len(numbers) < 4 or len(numbers) % 2 or len(numbers) > 2 * _MAX_LINE_POINTS:
        raise BadRequest(format_message("Send each line as the numbers x,y,x,y … of at most 120 points."))
    return _pair_up(numbers)


def _pair_up(numbers: Sequence[float]) -> list[tuple[float, float]]:
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _parse_numbers(name: str, count: int) -> list[float]:
    numbers = _read_numbers(request.args.get(name, ""))
    if len(numbers) != count:
        raise BadRequest(format_message("Send {name} as {count} numbers.", name=name, count=count))
    return numbers


def _read_numbers(text: str) -> list[float]:
    """Return numbers separated by commas; an empty list for any other text, or for too large a number."""
    try:
        numbers = [float(number) for number in text.split(",")]
    except ValueError:
        return []
    return numbers if all(isfinite(number) and abs(number) <= _MAX_PX for number in numbers) else []
