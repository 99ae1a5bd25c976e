"""The page of `companion learn`: a board's holes walked with a phone in the other hand.

docs/reference/http.md#the-walk has its answers.
"""

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden

from companion.addons import Addons
from companion.boards.catalog import Board
from companion.common.paths import resource_folder
from companion.devices.lights import SimulatedLights
from companion.devices.pico_lights import SimulatedPicoLights
from companion.devices.sensors import SimulatedSensors
from companion.i18n import format_message
from companion.ports import HoleSensors, Lights
from companion.server.app import add_page_routes, create_bare_app
from companion.server.auth.join import HOW_TO_JOIN, join_routes
from companion.server.auth.permissions import Permissions
from companion.server.auth.sessions import SessionStore
from companion.server.pages.assets import Assets
from companion.server.responses import json_response
from companion.server.routes.board import board_routes
from companion.server.routes.games import read_json_object
from companion.wiring_wizard import steps
from companion.wiring_wizard.session import WizardInput, WizardSession

WIZARD_PAGES = {"/": "wiring-wizard.html"}


class SimulatedHand:
    """A hand at a simulated board of which every wire is where the board file has it: hole N is input N."""

    def __init__(self, board: Board, sensors: HoleSensors, lights: Lights | None) -> None:
        self._board = board
        self._sensors = sensors if isinstance(sensors, SimulatedSensors) else None
        self._lights = lights if isinstance(lights, SimulatedLights | SimulatedPicoLights) else None

    def read_state(self) -> dict[str, Any] | None:
        """The holes with a peg, and those that are lit; None where the board is a real one."""
        if self._sensors is None:
            return None
        bits, frame = self._sensors.occupied_holes(), self._lights.sent_frame()[0] if self._lights else ()
        return {
            "pegs": [hole.id for hole in self._board.holes if bits >> hole.bit & 1],
            "lit": [hole.id for hole in self._board.holes if hole.pixel < len(frame) and any(frame[hole.pixel])],
        }

    def toggle_peg(self, hole: str) -> None:
        """Put a peg into this hole, or take it out. Raises BadRequest where there is no such hole or hand."""
        if self._sensors is None:
            raise BadRequest(format_message("The board is a real one: put the peg in by hand."))
        if hole not in self._board.by_id:
            raise BadRequest(format_message("That names a hole which this board does not have."))
        bit = 1 << self._board.by_id[hole].bit
        there = self._sensors.occupied_holes() & bit
        self._sensors.move_pegs(lift=there, place=bit & ~there)


def create_wizard_app(
    walk: WizardSession, board: Board, hand: SimulatedHand, *, key: str, phones: SessionStore, hosts: frozenset[str]
) -> Flask:
    """The application of one walk over `board`, for who has opened the link with this key."""
    rights = Permissions(key, hosts, phones)
    app = create_bare_app(rights, HOW_TO_JOIN)
    add_page_routes(app, Assets(resource_folder("web")), WIZARD_PAGES, Addons())
    app.register_blueprint(join_routes(rights, phones, HOW_TO_JOIN))
    app.register_blueprint(board_routes(lambda: board))

    def post_answer() -> tuple[Response, int]:
        walk.inbox.put(_parse_answer(read_json_object(), walk))
        return json_response({"ok": True}), 202

    def post_peg() -> tuple[Response, int]:
        hand.toggle_peg(str(read_json_object().get("hole")))
        return json_response({"ok": True}), 202

    def get_walk() -> Response:
        if not rights.is_player(request):
            raise Forbidden(format_message("Only players may see that: open the join link first."))
        return json_response(_describe_walk(walk, board) | {"simulated": hand.read_state()})

    app.add_url_rule("/api/walk", "walk", get_walk)
    app.add_url_rule("/api/walk", "answered", post_answer, methods=["POST"])
    app.add_url_rule("/api/walk/peg", "turned", post_peg, methods=["POST"])
    return app


def _describe_walk(session: WizardSession, board: Board) -> dict[str, Any]:
    """All that the page draws: what is to be done, what has been found, and what is wrong."""
    walk, begun = session.state, session.has_started
    step = walk.current_step
    of_holes = walk.holes[: len(walk.answers)]
    return {
        "board": board.name, "begun": begun, "over": walk.is_over, "acts": walk.act_count, "resting": walk.is_peg_in,
        "say": step.text if begun else format_message("Take out every peg."), "said": walk.error,
        "done": len(walk.answers), "of": len(walk.holes) + walk.pixels,
        "hole": step.hole if begun else None, "pixel": step.pixel if begun else None,
        "found": list(walk.inputs_by_hole), "lit": list(walk.pixels_by_hole),
        "dead": [hole for hole in of_holes if hole not in walk.inputs_by_hole],
        "findings": steps.describe_faults(walk, board) if begun else [],
        "amiss": [sentence for sentence in session.device_errors.values() if sentence], "written": session.written_path,
    }  # fmt: skip


def _parse_answer(body: Mapping[str, Any], session: WizardSession) -> WizardInput:
    """What was answered, to the question that the page showed. Raises BadRequest, or Conflict for an older one."""
    answer, at = body.get("answer"), body.get("at")
    if answer not in ("skip", "back") or type(at) is not int:
        raise BadRequest(format_message("Say skip or back, and at which act of the walk."))
    if at != session.state.act_count or session.written_path:
        raise Conflict(format_message("The walk has gone on meanwhile."))
    return WizardInput("skip", at) if answer == "skip" else WizardInput("back", at)
