"""The workshop, for players: settings that change while the table runs, the last ten minutes, a test of the lights."""

import logging
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden

from companion.common.errors import BadCard, SettingsError
from companion.devices.deck import Deck, unlearned
from companion.i18n import say
from companion.rules.cards import card
from companion.server.auth.permissions import Rights
from companion.server.responses import NOT_KEPT, json_answer
from companion.server.routes.games import sent_object
from companion.server.routes.health import running_version
from companion.settings import Settings
from companion.settings import changed as changed_settings
from companion.table.recent_inputs import Recent
from companion.table.table import Table

CHANGING = {
    "quiet_ms": say(
        "A peg must rest this long before it is believed. Shorter is quicker, and takes pauses for the end."
    ),
    "doubt_ms": say("Pegs at rest that fit no story are asked about after this long."),
    "missing_ms": say("A peg out of the board is asked about after this long."),
    "repeat_ms": say("A card seen again within this long is the same sighting."),
}
"""The settings that can change while the table runs, with what each does."""
LIT_MS = 3000
"""How long a test lights a hole."""
_LINES = 200


class Tail(logging.Handler):
    """The last lines of the log: what was said, without the program's insides."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[dict[str, Any]] = deque(maxlen=_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.lines.append({
            "ms": round(record.created * 1000), "level": record.levelname.lower(), "say": record.getMessage(),
        })  # fmt: skip


class Workshop(NamedTuple):
    """What is kept for the workshop."""

    recent: Recent
    tail: Tail
    deck: Deck | None = None


def workshop_routes(rights: Rights, table: Table, kept: Workshop) -> Blueprint:
    """The routes below `/api/workshop`."""
    recent, tail, deck = kept.recent, kept.tail, kept.deck or Deck()
    routes = Blueprint("workshop", __name__, url_prefix="/api/workshop")

    def only_players() -> None:
        if not rights.is_player(request):
            raise Forbidden("Only players may see that: open the join link first.")

    def told() -> Response:
        left = unlearned(deck.cards)
        return json_answer({
            "version": running_version(), "settings": _settings(table.core.settings), "seen": recent.seen(),
            "log": list(tail.lines)[::-1],
            "deck": {"asked": deck.asked, "missing": len(left), "left": left if deck.asked else [], "said": deck.said},
        })  # fmt: skip

    def changed() -> Response:
        table.set(_given(sent_object(), table.core.settings))
        return told()

    def tested() -> tuple[Response, int]:
        table.light(_holes(sent_object(), table), LIT_MS)
        return json_answer({"ok": True}), 202

    def learning() -> Response:
        deck.ask(_asked(sent_object(), unlearned(deck.cards)))
        return told()

    def recording() -> Response:
        lines = recent.lines()
        if not lines:
            raise Conflict("Nothing has happened yet that could be recorded.")
        told = Response("".join(f"{line}\n" for line in lines), mimetype="application/x-ndjson", headers=NOT_KEPT)
        told.headers["Content-Disposition"] = 'attachment; filename="cribbage-recording.jsonl"'
        return told

    routes.before_request(only_players)
    routes.add_url_rule("", "workshop", told)
    routes.add_url_rule("/settings", "settings", changed, methods=["POST"])
    routes.add_url_rule("/lights", "tested", tested, methods=["POST"])
    routes.add_url_rule("/deck", "deck", learning, methods=["POST"])
    routes.add_url_rule("/recording", "recording", recording)
    return routes


def _settings(now: Settings) -> list[dict[str, Any]]:
    known = {field.name: field for field in fields(Settings)}
    return [
        {
            "key": key, "value": getattr(now, key), "default": known[key].default,
            "least": known[key].metadata["range"][0], "most": known[key].metadata["range"][1], "say": said,
        }
        for key, said in CHANGING.items()
    ]  # fmt: skip


def _holes(body: Mapping[str, Any], table: Table) -> list[str]:
    """The holes to be lit: those named, or all. Raises BadRequest."""
    named, board = body.get("holes"), table.core.plan.board
    if named is None:
        return [hole.id for hole in board.holes]
    if not isinstance(named, list) or not all(isinstance(each, str) and each in board.by_id for each in named):
        raise BadRequest("That names a hole which this board does not have.")
    return named


def _asked(body: Mapping[str, Any], left: Sequence[str]) -> str | None:
    """The card to be learned, None for no more. Raises BadRequest."""
    name = body.get("card", "")
    if name == "next":
        return left[0] if left else "AC"
    try:
        return None if name is None else str(card(name if isinstance(name, str) else ""))
    except BadCard:
        raise BadRequest(
            'Say which card is learned next, as {"card":"5H"}, next for the first without a code, or null for no more.'
        ) from None


def _given(body: Mapping[str, Any], now: Settings) -> Settings:
    """The settings with what was sent. Raises BadRequest."""
    if not body:
        raise BadRequest("Say which setting is to be what.")
    for key, value in body.items():
        if key not in CHANGING:
            raise BadRequest(f"What can change while the table runs is {', '.join(CHANGING)}.")
        if type(value) is not int:
            raise BadRequest(f"The setting {key} is a whole number.")
    try:
        return changed_settings(now, body)
    except SettingsError as error:
        raise BadRequest(str(error)) from None
