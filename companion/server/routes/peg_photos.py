"""Pegs in a photograph: `/api/pegs/photo` (docs/reference/http.md#pegs-in-a-photograph). It never changes a score."""

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Conflict

from companion.boards.board import Board, Lane, build_lane
from companion.common.snapshot import Snapshot
from companion.i18n import format_message
from companion.peg_photos import BRIGHT_COLOURS, DARK_COLOURS, UnusablePhoto, check_colours, load_peg_checker
from companion.server.routes.photo_turns import PhotoReader, PhotoTurns, require_reader
from companion.table.setup import TablePlan

_MAX_PX = 100_000.0


class PegScores(NamedTuple):
    """The race to compare with: the board, and by side its lane, name and score. Without a race there are no lanes."""

    board: Board
    lanes: Sequence[Lane]
    names: Sequence[str]
    scores: Sequence[int]


def peg_photo_routes(turns: PhotoTurns, find_scores: Callable[[], PegScores]) -> Blueprint:
    """Return the route."""
    routes = Blueprint("peg_photos", __name__, url_prefix="/api/pegs")

    def post_photo() -> Response:
        check_pegs = require_reader(load_peg_checker)
        corners, whole = _parse_numbers("corners", 8), _parse_numbers("whole", 4) if "whole" in request.args else None
        race = find_scores()
        if not race.lanes:
            raise Conflict(format_message("In this game no pegs stand for the scores, so there is nothing to check."))
        colours = _parse_colours(len(race.lanes))
        return turns.answer(partial(_check, check_pegs, corners, whole, race, colours))

    routes.add_url_rule("/photo", "photo", post_photo, methods=["POST"])
    return routes


def find_peg_scores(plan: TablePlan, snapshot: Snapshot) -> PegScores:
    """Return what to compare pegs with. The loops of pursuit games, on which players are caught, are left out."""
    is_race = plan.game.peg_role in ("race", "score") and not plan.game.holes_per_player
    lanes = [build_lane(route, plan.target) for route in plan.routes] if is_race else []
    names = [str(player["name"]) for player in snapshot.players[: plan.sides]]
    return PegScores(plan.board, lanes, names, snapshot.view["scores"])


def _check(
    check_pegs: PhotoReader,
    corners: list[float],
    whole: list[float] | None,
    race: PegScores,
    colours: tuple[str, ...],
    data: bytes,
) -> dict[str, Any]:
    from companion.peg_photos.check import PegPhoto, PegSide  # noqa: PLC0415 - needs the extra [camera]

    points = list(zip(corners[::2], corners[1::2], strict=True))
    sides = [PegSide(*each) for each in zip(race.names, race.lanes, race.scores, colours, strict=True)]
    rectangle = (whole[0], whole[1], whole[2], whole[3]) if whole else None
    return check_pegs(PegPhoto(data, points, rectangle), race.board, sides)


def _parse_colours(sides: int) -> tuple[str, ...]:
    colours = tuple(request.args.get("colours", "").split(","))
    if len(colours) != sides or not {*colours} <= {*BRIGHT_COLOURS, *DARK_COLOURS}:
        raise BadRequest(format_message("Name the colour of each side's pegs, such as colours=red,blue."))
    try:
        check_colours(colours)
    except UnusablePhoto as error:
        raise Conflict(str(error)) from None
    return colours


def _parse_numbers(name: str, count: int) -> list[float]:
    try:
        numbers = [float(each) for each in request.args.get(name, "").split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(isfinite(each) and abs(each) <= _MAX_PX for each in numbers):
        raise BadRequest(format_message("Send {name} as {count} numbers.", name=name, count=count))
    return numbers
