"""The workshop, for players: settings that change while the table runs, the last ten minutes, a test of the lights."""

import logging
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden

from companion.common.errors import BadCard, SettingsError
from companion.devices.deck import Deck, unlearned_cards
from companion.i18n import format_message
from companion.rules.cards import parse_card
from companion.server.auth.permissions import Permissions
from companion.server.responses import NO_STORE, json_response
from companion.server.routes.games import read_json_object
from companion.server.routes.health import running_version
from companion.settings import Settings
from companion.settings import apply_values as changed_settings
from companion.table.recent_inputs import RecentInputs
from companion.table.table import Table

RUNTIME_SETTINGS = {
    "quiet_ms": format_message(
        "A peg must rest this long before it is believed. Shorter is quicker, and takes pauses for the end."
    ),
    "doubt_ms": format_message("Pegs at rest that fit no story are asked about after this long."),
    "missing_ms": format_message("A peg out of the board is asked about after this long."),
    "repeat_ms": format_message("A card seen again within this long is the same sighting."),
}
"""The settings that can change while the table runs, with what each does."""
LIGHT_TEST_MS = 3000
"""How long a test lights a hole."""
_MAX_LOG_LINES = 200


class LogTail(logging.Handler):
    """The last lines of the log: what was said, without the program's insides."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[dict[str, Any]] = deque(maxlen=_MAX_LOG_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.lines.append({
            "ms": round(record.created * 1000), "level": record.levelname.lower(), "say": record.getMessage(),
        })  # fmt: skip


class WorkshopState(NamedTuple):
    """What is kept for the workshop."""

    recent: RecentInputs
    tail: LogTail
    deck: Deck | None = None


def workshop_routes(rights: Permissions, table: Table, kept: WorkshopState) -> Blueprint:
    """The routes below `/api/workshop`."""
    recent, tail, deck = kept.recent, kept.tail, kept.deck or Deck()
    routes = Blueprint("workshop", __name__, url_prefix="/api/workshop")

    def require_player() -> None:
        if not rights.is_player(request):
            raise Forbidden("Only players may see that: open the join link first.")

    def get_workshop() -> Response:
        left = unlearned_cards(deck.cards)
        return json_response({
            "version": running_version(), "settings": _list_settings(table.core.settings), "seen": recent.list_scans_and_presses(),
            "log": list(tail.lines)[::-1],
            "deck": {"asked": deck.card_to_learn, "missing": len(left), "left": left if deck.card_to_learn else [], "said": deck.learning_error},
        })  # fmt: skip

    def post_settings() -> Response:
        table.apply_settings(_parse_settings(read_json_object(), table.core.settings))
        return get_workshop()

    def post_lights() -> tuple[Response, int]:
        table.light_holes(_parse_holes(read_json_object(), table), LIGHT_TEST_MS)
        return json_response({"ok": True}), 202

    def post_deck() -> Response:
        deck.learn_card(_parse_card(read_json_object(), unlearned_cards(deck.cards)))
        return get_workshop()

    def get_recording() -> Response:
        lines = recent.recording_lines()
        if not lines:
            raise Conflict("Nothing has happened yet that could be recorded.")
        told = Response("".join(f"{line}\n" for line in lines), mimetype="application/x-ndjson", headers=NO_STORE)
        told.headers["Content-Disposition"] = 'attachment; filename="cribbage-recording.jsonl"'
        return told

    routes.before_request(require_player)
    routes.add_url_rule("", "workshop", get_workshop)
    routes.add_url_rule("/settings", "settings", post_settings, methods=["POST"])
    routes.add_url_rule("/lights", "tested", post_lights, methods=["POST"])
    routes.add_url_rule("/deck", "deck", post_deck, methods=["POST"])
    routes.add_url_rule("/recording", "recording", get_recording)
    return routes


def _list_settings(now: Settings) -> list[dict[str, Any]]:
    known = {field.name: field for field in fields(Settings)}
    return [
        {
            "key": key, "value": getattr(now, key), "default": known[key].default,
            "least": known[key].metadata["range"][0], "most": known[key].metadata["range"][1], "say": said,
        }
        for key, said in RUNTIME_SETTINGS.items()
    ]  # fmt: skip


def _parse_holes(body: Mapping[str, Any], table: Table) -> list[str]:
    """The holes to be lit: those named, or all. Raises BadRequest."""
    named, board = body.get("holes"), table.core.plan.board
    if named is None:
        return [hole.id for hole in board.holes]
    if not isinstance(named, list) or not all(isinstance(each, str) and each in board.by_id for each in named):
        raise BadRequest("That names a hole which this board does not have.")
    return named


def _parse_card(body: Mapping[str, Any], left: Sequence[str]) -> str | None:
    """The card to be learned, None for no more. Raises BadRequest."""
    name = body.get("card", "")
    if name == "next":
        return left[0] if left else "AC"
    try:
        return None if name is None else str(parse_card(name if isinstance(name, str) else ""))
    except BadCard:
        raise BadRequest(
            'Say which card is learned next, as {"card":"5H"}, next for the first without a code, or null for no more.'
        ) from None


def _parse_settings(body: Mapping[str, Any], now: Settings) -> Settings:
    """The settings with what was sent. Raises BadRequest."""
    if not body:
        raise BadRequest("Say which setting is to be what.")
    for key, value in body.items():
        if key not in RUNTIME_SETTINGS:
            raise BadRequest(f"What can change while the table runs is {', '.join(RUNTIME_SETTINGS)}.")
        if type(value) is not int:
            raise BadRequest(f"The setting {key} is a whole number.")
    try:
        return changed_settings(now, body)
    except SettingsError as error:
        raise BadRequest(str(error)) from None
