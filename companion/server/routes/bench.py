"""The bench over HTTP: the simulated board, reader, buttons and cables moved as by hand (docs/reference/http.md)."""

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from companion.boards.catalog import Board
from companion.common.errors import DeviceError
from companion.devices.simulation.faults import KINDS
from companion.i18n import say
from companion.ports import Bench
from companion.server.responses import json_answer
from companion.server.routes.games import sent_object

_LONGEST_CODE = 200
"""Letters of a code: a reader takes more for noise."""


def bench_routes(bench: Bench, board: Callable[[], Board], seats: Callable[[], int]) -> Blueprint:
    """The routes below `/api/bench`; `board` is the one that is played on, `seats` tells how many sit at the table."""
    routes = Blueprint("bench", __name__, url_prefix="/api/bench")
    hand = threading.Lock()

    def occupied() -> Response:
        bits = _there(bench.occupied)
        return json_answer({"occupied": [hole.id for hole in board().holes if bits >> hole.bit & 1]})

    def post(name: str, act: Callable[[Mapping[str, Any]], None]) -> None:
        def route() -> Response:
            try:
                act(sent_object())
            except DeviceError as error:
                raise BadRequest(str(error)) from None
            return json_answer({"ok": True}, 202)

        routes.add_url_rule(f"/{name}", f"post_{name}", route, methods=["POST"])

    routes.add_url_rule("/holes", "occupied", occupied)
    routes.add_url_rule("/fault", "faults", lambda: json_answer({"faults": _faults(bench, board())}))
    routes.add_url_rule("/lights", "lights", lambda: _lights(bench, board()))
    routes.add_url_rule("/dice", "dice", lambda: _dice(bench, board()))
    post("holes", lambda body: _move_pegs(bench, hand, board(), body))
    post("fault", lambda body: bench.fail(*_fault(board(), body)))
    post("scan", lambda body: bench.scan(_text(body, "card")))
    post("press", lambda body: bench.press(_button(_text(body, "button"), seats())))
    post("cable", lambda body: bench.cable(_text(body, "device"), plugged=_truth(body, "plugged")))
    return routes


def _there(look: Callable[[], Any]) -> Any:
    """What a simulated device shows; where that one is real there is nothing to look at here."""
    try:
        return look()
    except DeviceError:
        raise NotFound from None


def _lights(bench: Bench, board: Board) -> Response:
    frame, number = _there(bench.lights)
    shown = {h.id: list(frame[h.pixel]) if h.pixel < len(frame) else [0, 0, 0] for h in board.holes}
    told = json_answer(shown)
    told.headers["Snapshot"] = str(number)
    return told


def _dice(bench: Bench, board: Board) -> Response:
    (frame, _), lit = _there(bench.lights), _there(bench.lamp)
    pips = [[list(frame[pip.pixel]) for pip in die] for die in board.dice]
    return json_answer({"pips": pips, "button": lit})


def _move_pegs(bench: Bench, hand: threading.Lock, board: Board, body: Mapping[str, Any]) -> None:
    verbs = [verb for verb in ("lift", "place", "set") if verb in body]
    if len(verbs) != 1:
        raise BadRequest(say("Say one of lift, place or set."))
    verb = verbs[0]
    named = body["set"] if verb == "set" else [body[verb]]
    if not isinstance(named, list) or not all(isinstance(hole, str) and hole in board.by_id for hole in named):
        raise BadRequest(say("That names a hole which this board does not have."))
    bits = sum({1 << board.by_id[hole].bit for hole in named})
    with hand:  # of two who place into one hole at once, one comes too late
        there = bench.occupied()
        if verb == "lift" and not there & bits:
            raise Conflict(say("There is no peg in {named}.", named=named[0]))
        if verb == "place" and there & bits:
            raise Conflict(say("There is a peg in {named} already.", named=named[0]))
        if verb == "set":
            bench.move_pegs(lift=there & ~bits, place=bits & ~there)
        else:
            bench.move_pegs(**{verb: bits})


def _faults(bench: Bench, board: Board) -> list[dict[str, Any]]:
    """What fails, each with its holes: a row whose holes all fail alike is one fault."""
    found: list[dict[str, Any]] = []
    for kind, bits in _there(bench.failing).items():
        left = [hole.id for hole in board.holes if bits >> hole.bit & 1]
        while left:
            row = board.wiring.row(left[0])
            holes = row if set(row) <= set(left) else (left[0],)
            found.append({"kind": kind, "holes": holes})
            left = [hole for hole in left if hole not in holes]
    return found


def _fault(board: Board, body: Mapping[str, Any]) -> tuple[int, str | None]:
    """The holes, as bits, that are to fail, and how. Raises BadRequest."""
    hole = body.get("row", body.get("hole"))
    if ("row" in body) == ("hole" in body) or "kind" not in body:
        raise BadRequest(say("Say which hole or row fails, and how: stuck, flapping, dead, or null to mend it."))
    if not isinstance(hole, str) or hole not in board.by_id:
        raise BadRequest(say("That names a hole which this board does not have."))
    kind = body["kind"]
    if kind is not None and kind not in KINDS:
        raise BadRequest(say("A sensor fails by being stuck, flapping or dead."))
    holes = board.wiring.row(hole) if "row" in body else (hole,)
    return sum(1 << board.by_id[each].bit for each in holes), kind


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_CODE or not value.isprintable():
        raise BadRequest(say("The {name} is a short text.", name=name))
    return value


def _truth(body: Mapping[str, Any], name: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool):
        raise BadRequest(say("Say whether it is {name}: true or false.", name=name))
    return value


def _button(name: str, seats: int) -> str:
    if name not in ("dice", "undo") and not (re.fullmatch(r"go:[0-9]", name) and int(name[3:]) < seats):
        raise BadRequest(say("There is no such button: there are dice, undo and go:0, go:1 and so on."))
    return name
