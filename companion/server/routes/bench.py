"""The simulated devices: `/api/bench` moves pegs, scans cards, presses buttons, pulls cables."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Flask, Response
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from companion.boards.board import Board
from companion.common.errors import DeviceError
from companion.devices.simulated_bench import SimulatedBench
from companion.devices.simulated_board import FAULT_KINDS
from companion.http.requests import BOOLEAN, STRING, BodyField, RequestBody, array_of, nullable, read_json_object
from companion.http.responses import json_response
from companion.i18n import format_message, gettext_noop
from companion.server.site import Site

_MAX_TEXT_LENGTH = 200
"""Maximum length of a scanned code; a reader takes longer ones for noise."""

_HOLE_REFUSAL = gettext_noop("This board does not have that hole.")
_HOLES_REFUSAL = gettext_noop("Send exactly one of lift, place and set.")
_FAULT_REFUSAL = gettext_noop("Send a hole or a row, and its fault: stuck, flapping, dead, or null for none.")
_TEXT_REFUSAL = gettext_noop("The {name} must be a short text.")
_BUTTON_REFUSAL = gettext_noop("Unknown button. The buttons are dice, undo, go:0, go:1 and so on.")

_HOLE = BodyField(STRING, _HOLE_REFUSAL)
_FAULT = BodyField(nullable({"enum": list(FAULT_KINDS)}), gettext_noop("A fault is stuck, flapping or dead."))
_TEXT = BodyField({"type": "string", "minLength": 1, "maxLength": _MAX_TEXT_LENGTH}, _TEXT_REFUSAL)
_SEAT_BUTTONS = "go:"
PEG_BODIES = {
    "lift": RequestBody(lift=_HOLE),
    "place": RequestBody(place=_HOLE),
    "set": RequestBody(set=BodyField(array_of(STRING), _HOLE_REFUSAL)),
}
FAULT_BODIES = {name: RequestBody(_FAULT_REFUSAL, **{name: _HOLE}, kind=_FAULT) for name in ("hole", "row")}
SCAN_BODY = RequestBody(card=_TEXT)
BUTTON_BODY = RequestBody(
    button=BodyField({"type": "string", "pattern": f"^(?:dice|undo|{_SEAT_BUTTONS}[0-4])$"}, _BUTTON_REFUSAL)
)
CABLE_BODY = RequestBody(
    device=BodyField({"enum": ["sensors", "lights", "cards", "buttons"]}, gettext_noop("There is no such device.")),
    plugged=BodyField(BOOLEAN, gettext_noop("The {name} must be true or false.")),
)


def add_routes(app: Flask, site: Site) -> None:
    """Add the routes below `/api/bench` if devices are simulated."""
    bench, table = site.bench, site.table
    if bench is None:
        return
    routes = Blueprint("bench", __name__, url_prefix="/api/bench")
    peg_lock = threading.Lock()

    def find_board() -> Board:
        return table.core.plan.board

    def get_holes() -> Response:
        bits = bench.board.occupied_holes()
        return json_response({"occupied": [hole.id for hole in find_board().holes if bits >> hole.bit & 1]})

    def press_button(body: Mapping[str, Any]) -> None:
        bench.buttons.press_button(_parse_button(body, len(table.snapshot.players)))

    def scan_card(body: Mapping[str, Any]) -> None:
        bench.scanner.scan_card(_parse_code(body))

    def set_cable(body: Mapping[str, Any]) -> None:
        bench.set_cable(**CABLE_BODY.parse(body))

    def add_post_route(name: str, act: Callable[[Mapping[str, Any]], None]) -> None:
        def handle_post() -> Response:
            try:
                act(read_json_object())
            except DeviceError as error:
                raise BadRequest(str(error)) from None
            return json_response({"ok": True}, 202)

        routes.add_url_rule(f"/{name}", f"post_{name}", handle_post, methods=["POST"])

    def add_get_route(name: str, respond: Callable[[], Response]) -> None:
        def handle_get() -> Response:
            try:
                return respond()
            except DeviceError:  # a real one
                raise NotFound from None

        routes.add_url_rule(f"/{name}", f"get_{name}", handle_get)

    add_get_route("holes", get_holes)
    add_get_route("fault", lambda: json_response({"faults": _list_faults(bench, find_board())}))
    add_get_route("lights", lambda: _lights_response(bench, find_board()))
    add_get_route("dice", lambda: _dice_response(bench, find_board()))
    add_get_route("display", lambda: json_response({"rows": bench.board.panel.display_rows()}))
    add_post_route("holes", lambda body: _move_pegs(bench, peg_lock, find_board(), body))
    add_post_route("fault", lambda body: bench.board.set_sensor_fault(*_parse_fault(find_board(), body)))
    add_post_route("scan", scan_card)
    add_post_route("press", press_button)
    add_post_route("cable", set_cable)
    app.register_blueprint(routes)


def _lights_response(bench: SimulatedBench, board: Board) -> Response:
    frame, number = bench.lights.sent_frame()
    colours = {h.id: list(frame[h.pixel]) if h.pixel < len(frame) else [0, 0, 0] for h in board.holes}
    response = json_response(colours)
    response.headers["Snapshot"] = str(number)
    return response


def _dice_response(bench: SimulatedBench, board: Board) -> Response:
    (frame, _), is_lit = bench.lights.sent_frame(), bench.buttons.is_lamp_lit()
    pips = [[list(frame[pip.pixel]) for pip in die] for die in board.dice]
    return json_response({"pips": pips, "button": is_lit})


def _move_pegs(bench: SimulatedBench, lock: threading.Lock, board: Board, body: Mapping[str, Any]) -> None:
    verbs = [verb for verb in PEG_BODIES if verb in body]
    if len(verbs) != 1:
        raise BadRequest(format_message(_HOLES_REFUSAL))
    verb = verbs[0]
    sent = PEG_BODIES[verb].parse(body)[verb]
    holes = sent if verb == "set" else [sent]
    if not all(hole in board.by_id for hole in holes):
        raise BadRequest(format_message(_HOLE_REFUSAL))
    bits = sum({1 << board.by_id[hole].bit for hole in holes})
    with lock:  # of two requests for the same hole, the second is refused
        occupied = bench.board.occupied_holes()
        if verb == "lift" and not occupied & bits:
            raise Conflict(format_message("There is no peg in {named}.", named=holes[0]))
        if verb == "place" and occupied & bits:
            raise Conflict(format_message("There is already a peg in {named}.", named=holes[0]))
        if verb == "set":
            bench.board.move_pegs(lift=occupied & ~bits, place=bits & ~occupied)
        else:
            bench.board.move_pegs(**{verb: bits})


def _list_faults(bench: SimulatedBench, board: Board) -> list[dict[str, Any]]:
    """Return the faults with their holes. A row whose sensors all have the same fault is one fault."""
    faults: list[dict[str, Any]] = []
    for kind, bits in bench.board.failing_sensors().items():
        holes_left = [hole.id for hole in board.holes if bits >> hole.bit & 1]
        while holes_left:
            row = board.wiring.holes_on_register(holes_left[0])
            holes = row if set(row) <= set(holes_left) else (holes_left[0],)
            faults.append({"kind": kind, "holes": holes})
            holes_left = [hole for hole in holes_left if hole not in holes]
    return faults


def _parse_fault(board: Board, body: Mapping[str, Any]) -> tuple[int, str | None]:
    """Return the holes as bits, and the kind of the fault, None to remove it. Raises BadRequest."""
    names = [name for name in FAULT_BODIES if name in body]
    if len(names) != 1:
        raise BadRequest(format_message(_FAULT_REFUSAL))
    sent = FAULT_BODIES[names[0]].parse(body)
    hole = sent[names[0]]
    if hole not in board.by_id:
        raise BadRequest(format_message(_HOLE_REFUSAL))
    holes = board.wiring.holes_on_register(hole) if "row" in sent else (hole,)
    return sum(1 << board.by_id[hole].bit for hole in holes), sent["kind"]


def _parse_code(body: Mapping[str, Any]) -> str:
    code: str = SCAN_BODY.parse(body)["card"]
    if not code.isprintable():
        raise BadRequest(format_message(_TEXT_REFUSAL, name="card"))
    return code


def _parse_button(body: Mapping[str, Any], seats: int) -> str:
    button: str = BUTTON_BODY.parse(body)["button"]
    if button.startswith(_SEAT_BUTTONS) and int(button.removeprefix(_SEAT_BUTTONS)) >= seats:
        raise BadRequest(format_message(_BUTTON_REFUSAL))
    return button
