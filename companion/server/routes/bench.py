"""The bench over HTTP: the simulated board, reader, buttons and cables moved as by hand (docs/reference/http.md)."""

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from companion.boards.catalog import Board
from companion.common.errors import DeviceError
from companion.devices.simulation.faults import FAULT_KINDS
from companion.i18n import format_message
from companion.ports import Bench
from companion.server.responses import json_response
from companion.server.routes.games import read_json_object

_MAX_TEXT_LENGTH = 200
"""Letters of a code: a reader takes more for noise."""


def bench_routes(bench: Bench, board: Callable[[], Board], seats: Callable[[], int]) -> Blueprint:
    """The routes below `/api/bench`; `board` is the one that is played on, `seats` tells how many sit at the table."""
    routes = Blueprint("bench", __name__, url_prefix="/api/bench")
    hand = threading.Lock()

    def get_holes() -> Response:
        bits = _read_device(bench.occupied_holes)
        return json_response({"occupied": [hole.id for hole in board().holes if bits >> hole.bit & 1]})

    def add_post_route(name: str, act: Callable[[Mapping[str, Any]], None]) -> None:
        def handle_post() -> Response:
            try:
                act(read_json_object())
            except DeviceError as error:
                raise BadRequest(str(error)) from None
            return json_response({"ok": True}, 202)

        routes.add_url_rule(f"/{name}", f"post_{name}", handle_post, methods=["POST"])

    routes.add_url_rule("/holes", "occupied", get_holes)
    routes.add_url_rule("/fault", "faults", lambda: json_response({"faults": _list_faults(bench, board())}))
    routes.add_url_rule("/lights", "lights", lambda: _lights_response(bench, board()))
    routes.add_url_rule("/dice", "dice", lambda: _dice_response(bench, board()))
    add_post_route("holes", lambda body: _move_pegs(bench, hand, board(), body))
    add_post_route("fault", lambda body: bench.set_sensor_fault(*_parse_fault(board(), body)))
    add_post_route("scan", lambda body: bench.scan_card(_parse_text(body, "card")))
    add_post_route("press", lambda body: bench.press_button(_parse_button(_parse_text(body, "button"), seats())))
    add_post_route(
        "cable", lambda body: bench.set_cable(_parse_text(body, "device"), plugged=_parse_flag(body, "plugged"))
    )
    return routes


def _read_device(look: Callable[[], Any]) -> Any:
    """What a simulated device shows; where that one is real there is nothing to look at here."""
    try:
        return look()
    except DeviceError:
        raise NotFound from None


def _lights_response(bench: Bench, board: Board) -> Response:
    frame, number = _read_device(bench.sent_frame)
    shown = {h.id: list(frame[h.pixel]) if h.pixel < len(frame) else [0, 0, 0] for h in board.holes}
    told = json_response(shown)
    told.headers["Snapshot"] = str(number)
    return told


def _dice_response(bench: Bench, board: Board) -> Response:
    (frame, _), lit = _read_device(bench.sent_frame), _read_device(bench.is_lamp_lit)
    pips = [[list(frame[pip.pixel]) for pip in die] for die in board.dice]
    return json_response({"pips": pips, "button": lit})


def _move_pegs(bench: Bench, hand: threading.Lock, board: Board, body: Mapping[str, Any]) -> None:
    verbs = [verb for verb in ("lift", "place", "set") if verb in body]
    if len(verbs) != 1:
        raise BadRequest(format_message("Say one of lift, place or set."))
    verb = verbs[0]
    named = body["set"] if verb == "set" else [body[verb]]
    if not isinstance(named, list) or not all(isinstance(hole, str) and hole in board.by_id for hole in named):
        raise BadRequest(format_message("That names a hole which this board does not have."))
    bits = sum({1 << board.by_id[hole].bit for hole in named})
    with hand:  # of two who place into one hole at once, one comes too late
        there = bench.occupied_holes()
        if verb == "lift" and not there & bits:
            raise Conflict(format_message("There is no peg in {named}.", named=named[0]))
        if verb == "place" and there & bits:
            raise Conflict(format_message("There is a peg in {named} already.", named=named[0]))
        if verb == "set":
            bench.move_pegs(lift=there & ~bits, place=bits & ~there)
        else:
            bench.move_pegs(**{verb: bits})


def _list_faults(bench: Bench, board: Board) -> list[dict[str, Any]]:
    """What fails, each with its holes: a row whose holes all fail alike is one fault."""
    found: list[dict[str, Any]] = []
    for kind, bits in _read_device(bench.failing_sensors).items():
        left = [hole.id for hole in board.holes if bits >> hole.bit & 1]
        while left:
            row = board.wiring.holes_on_register(left[0])
            holes = row if set(row) <= set(left) else (left[0],)
            found.append({"kind": kind, "holes": holes})
            left = [hole for hole in left if hole not in holes]
    return found


def _parse_fault(board: Board, body: Mapping[str, Any]) -> tuple[int, str | None]:
    """The holes, as bits, that are to fail, and how. Raises BadRequest."""
    hole = body.get("row", body.get("hole"))
    if ("row" in body) == ("hole" in body) or "kind" not in body:
        raise BadRequest(
            format_message("Say which hole or row fails, and how: stuck, flapping, dead, or null to mend it.")
        )
    if not isinstance(hole, str) or hole not in board.by_id:
        raise BadRequest(format_message("That names a hole which this board does not have."))
    kind = body["kind"]
    if kind is not None and kind not in FAULT_KINDS:
        raise BadRequest(format_message("A sensor fails by being stuck, flapping or dead."))
    holes = board.wiring.holes_on_register(hole) if "row" in body else (hole,)
    return sum(1 << board.by_id[each].bit for each in holes), kind


def _parse_text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _MAX_TEXT_LENGTH or not value.isprintable():
        raise BadRequest(format_message("The {name} is a short text.", name=name))
    return value


def _parse_flag(body: Mapping[str, Any], name: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool):
        raise BadRequest(format_message("Say whether it is {name}: true or false.", name=name))
    return value


def _parse_button(name: str, seats: int) -> str:
    if name not in ("dice", "undo") and not (re.fullmatch(r"go:[0-9]", name) and int(name[3:]) < seats):
        raise BadRequest(format_message("There is no such button: there are dice, undo and go:0, go:1 and so on."))
    return name
