"""The page of `companion learn`, on which a phone follows the wiring wizard (docs/reference/http.md#the-walk)."""

from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden

from companion.addons import Addons
from companion.boards.board import Board
from companion.common.paths import resource_folder
from companion.devices.lights import SimulatedLights
from companion.devices.pico_lights import SimulatedPicoLights
from companion.devices.sensors import SimulatedSensors
from companion.http.application import ErrorFormat, create_bare_app
from companion.http.assets import Assets
from companion.http.permissions import HOW_TO_JOIN, Permissions, join_routes
from companion.http.requests import INTEGER, STRING, BodyField, RequestBody
from companion.http.responses import json_response
from companion.http.sessions import SessionStore
from companion.i18n import format_message, gettext_noop
from companion.plugins.wiring_wizard import steps
from companion.plugins.wiring_wizard.session import WizardInput, WizardSession
from companion.ports import HoleSensors, Lights
from companion.server.routes.pages import add_site_routes
from companion.server.routes.table import board_routes

WIZARD_PAGES = {"/": "plugins/wiring_wizard/wiring-wizard.html"}

_HOLE_REFUSAL = gettext_noop("This board does not have that hole.")
_ANSWER_REFUSAL = gettext_noop("Send skip or back, and the number of the step.")
ANSWER_BODY = RequestBody(
    answer=BodyField({"enum": ["skip", "back"]}, _ANSWER_REFUSAL), at=BodyField(INTEGER, _ANSWER_REFUSAL)
)
PEG_BODY = RequestBody(hole=BodyField(STRING, _HOLE_REFUSAL))


class SimulatedHand:
    """Moves pegs on a simulated board that is wired as its board file says: hole N is input N."""

    def __init__(self, board: Board, sensors: HoleSensors, lights: Lights | None) -> None:
        self._board = board
        self._sensors = sensors if isinstance(sensors, SimulatedSensors) else None
        self._lights = lights if isinstance(lights, SimulatedLights | SimulatedPicoLights) else None

    def read_state(self) -> dict[str, Any] | None:
        """Return the holes that have a peg and those that are lit; None if the board is a real one."""
        if self._sensors is None:
            return None
        bits, frame = self._sensors.occupied_holes(), self._lights.sent_frame()[0] if self._lights else ()
        return {
            "pegs": [hole.id for hole in self._board.holes if bits >> hole.bit & 1],
            "lit": [hole.id for hole in self._board.holes if hole.pixel < len(frame) and any(frame[hole.pixel])],
        }

    def toggle_peg(self, hole: str) -> None:
        """Put a peg into this hole or take it out. Raises BadRequest for an unknown hole or a real board."""
        if self._sensors is None:
            raise BadRequest(format_message("This is a real board. Move the peg by hand."))
        if hole not in self._board.by_id:
            raise BadRequest(format_message(_HOLE_REFUSAL))
        bit = 1 << self._board.by_id[hole].bit
        occupied = self._sensors.occupied_holes() & bit
        self._sensors.move_pegs(lift=occupied, place=bit & ~occupied)


def create_wizard_app(
    session: WizardSession, board: Board, hand: SimulatedHand, *, key: str, phones: SessionStore
) -> Flask:
    """Return the application of one session of the wizard. `key` is that of the join link."""
    permissions, assets = Permissions(key, frozenset(), phones), Assets(resource_folder("web"))
    app = create_bare_app(permissions, ErrorFormat(assets, HOW_TO_JOIN))
    add_site_routes(app, assets, WIZARD_PAGES, Addons())
    app.register_blueprint(join_routes(permissions, phones, HOW_TO_JOIN))
    app.register_blueprint(board_routes(lambda: board))

    def post_answer() -> tuple[Response, int]:
        session.inbox.put(_read_answer(session))
        return json_response({"ok": True}), 202

    def post_peg() -> tuple[Response, int]:
        hand.toggle_peg(PEG_BODY.read()["hole"])
        return json_response({"ok": True}), 202

    def get_walk() -> Response:
        if not permissions.is_player(request):
            raise Forbidden(format_message("Only players can see this. Open the join link first."))
        return json_response(_describe_session(session, board) | {"simulated": hand.read_state()})

    app.add_url_rule("/api/walk", "walk", get_walk)
    app.add_url_rule("/api/walk", "answered", post_answer, methods=["POST"])
    app.add_url_rule("/api/walk/peg", "turned", post_peg, methods=["POST"])
    return app


def _describe_session(session: WizardSession, board: Board) -> dict[str, Any]:
    """Return what the page draws: the present step, the inputs and pixels found, and problems."""
    wizard, has_started = session.state, session.has_started
    step = wizard.current_step
    tried = wizard.holes[: len(wizard.answers)]
    return {
        "board": board.name, "begun": has_started, "over": wizard.is_over, "acts": wizard.act_count,
        "resting": wizard.is_peg_in,
        "say": step.text if has_started else format_message("Take out all pegs."), "said": wizard.error,
        "done": len(wizard.answers), "of": len(wizard.holes) + wizard.pixels,
        "hole": step.hole if has_started else None, "pixel": step.pixel if has_started else None,
        "found": list(wizard.inputs_by_hole), "lit": list(wizard.pixels_by_hole),
        "dead": [hole for hole in tried if hole not in wizard.inputs_by_hole],
        "findings": steps.describe_faults(wizard, board) if has_started else [],
        "amiss": [error for error in session.device_errors.values() if error], "written": session.written_path,
    }  # fmt: skip


def _read_answer(session: WizardSession) -> WizardInput:
    """Return the answer in the request. Raises BadRequest, or Conflict if it answers an earlier step."""
    sent = ANSWER_BODY.read()
    if sent["at"] != session.state.act_count or session.written_path:
        raise Conflict(format_message("The wizard is already at a later step."))
    return WizardInput(sent["answer"], sent["at"])
