"""The page of `companion learn`: a board's holes walked with a phone in the other hand.

docs/reference/http.md#the-walk has its answers.
"""

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden

from companion.addons import Packs
from companion.boards.catalog import Board
from companion.common.paths import folder
from companion.devices.lights import SimulatedLights
from companion.devices.pico_lights import SimulatedNodeLights
from companion.devices.sensors import SimulatedSensors
from companion.i18n import say
from companion.ports import HoleSensors, Lights
from companion.server.app import add_pages, bare_app
from companion.server.auth.join import HOW_TO_JOIN, joining_routes
from companion.server.auth.permissions import Rights
from companion.server.auth.sessions import Phones
from companion.server.pages.assets import Pages
from companion.server.responses import json_answer
from companion.server.routes.board import board_routes
from companion.server.routes.games import sent_object
from companion.wiring_wizard import steps
from companion.wiring_wizard.session import Given, Walk

SHEET = {"/": "wiring-wizard.html"}


class Hand:
    """A hand at a simulated board of which every wire is where the board file has it: hole N is input N."""

    def __init__(self, board: Board, sensors: HoleSensors, lights: Lights | None) -> None:
        self._board = board
        self._sensors = sensors if isinstance(sensors, SimulatedSensors) else None
        self._lights = lights if isinstance(lights, SimulatedLights | SimulatedNodeLights) else None

    def told(self) -> dict[str, Any] | None:
        """The holes with a peg, and those that are lit; None where the board is a real one."""
        if self._sensors is None:
            return None
        bits, frame = self._sensors.occupied(), self._lights.sent()[0] if self._lights else ()
        return {
            "pegs": [hole.id for hole in self._board.holes if bits >> hole.bit & 1],
            "lit": [hole.id for hole in self._board.holes if hole.pixel < len(frame) and any(frame[hole.pixel])],
        }

    def turn(self, hole: str) -> None:
        """Put a peg into this hole, or take it out. Raises BadRequest where there is no such hole or hand."""
        if self._sensors is None:
            raise BadRequest(say("The board is a real one: put the peg in by hand."))
        if hole not in self._board.by_id:
            raise BadRequest(say("That names a hole which this board does not have."))
        bit = 1 << self._board.by_id[hole].bit
        there = self._sensors.occupied() & bit
        self._sensors.move(lift=there, place=bit & ~there)


def walk_app(walk: Walk, board: Board, hand: Hand, *, key: str, phones: Phones, hosts: frozenset[str]) -> Flask:
    """The application of one walk over `board`, for who has opened the link with this key."""
    rights = Rights(key, hosts, phones)
    app = bare_app(rights, HOW_TO_JOIN)
    add_pages(app, Pages(folder("web")), SHEET, Packs())
    app.register_blueprint(joining_routes(rights, phones, HOW_TO_JOIN))
    app.register_blueprint(board_routes(lambda: board))

    def answered() -> tuple[Response, int]:
        walk.news.put(_given(sent_object(), walk))
        return json_answer({"ok": True}), 202

    def turned() -> tuple[Response, int]:
        hand.turn(str(sent_object().get("hole")))
        return json_answer({"ok": True}), 202

    def told() -> Response:
        if not rights.is_player(request):
            raise Forbidden(say("Only players may see that: open the join link first."))
        return json_answer(_told(walk, board) | {"simulated": hand.told()})

    app.add_url_rule("/api/walk", "walk", told)
    app.add_url_rule("/api/walk", "answered", answered, methods=["POST"])
    app.add_url_rule("/api/walk/peg", "turned", turned, methods=["POST"])
    return app


def _told(session: Walk, board: Board) -> dict[str, Any]:
    """All that the page draws: what is to be done, what has been found, and what is wrong."""
    walk, begun = session.walk, session.begun
    step = walk.step
    of_holes = walk.holes[: len(walk.answers)]
    return {
        "board": board.name, "begun": begun, "over": walk.over, "acts": walk.acts, "resting": walk.resting,
        "say": step.say if begun else say("Take out every peg."), "said": walk.said,
        "done": len(walk.answers), "of": len(walk.holes) + walk.pixels,
        "hole": step.hole if begun else None, "pixel": step.pixel if begun else None,
        "found": list(walk.input_of), "lit": list(walk.lit_by),
        "dead": [hole for hole in of_holes if hole not in walk.input_of],
        "findings": steps.findings(walk, board) if begun else [],
        "amiss": [sentence for sentence in session.amiss.values() if sentence], "written": session.written,
    }  # fmt: skip


def _given(body: Mapping[str, Any], session: Walk) -> Given:
    """What was answered, to the question that the page showed. Raises BadRequest, or Conflict for an older one."""
    answer, at = body.get("answer"), body.get("at")
    if answer not in ("skip", "back") or type(at) is not int:
        raise BadRequest(say("Say skip or back, and at which act of the walk."))
    if at != session.walk.acts or session.written:
        raise Conflict(say("The walk has gone on meanwhile."))
    return Given("skip", at) if answer == "skip" else Given("back", at)
