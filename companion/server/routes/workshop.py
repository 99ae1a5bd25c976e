"""The workshop, for players: settings, a light test, learning cards, cameras, a recording of the last ten minutes."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response
from werkzeug.exceptions import BadRequest, Conflict, Forbidden, NotFound

from companion.boards.board import Board
from companion.common.errors import SettingsError
from companion.devices.deck import Deck, unlearned_cards
from companion.http.requests import INTEGER, STRING, BodyField, RequestBody, array_of, nullable, read_json_object
from companion.http.responses import NO_STORE, json_response
from companion.i18n import format_message, gettext_noop
from companion.ports import PictureSource
from companion.protocol.json_codec import dump_json
from companion.protocol.json_fields import CARD_SCHEMA
from companion.rules.cards import parse_card
from companion.server.routes.table import running_version
from companion.server.site import Site
from companion.settings import Settings, apply_values

RUNTIME_SETTINGS = {
    "quiet_ms": format_message(
        "A peg counts after resting this long. A shorter time is quicker, but may take a pause for the end."
    ),
    "doubt_ms": format_message("The table asks about unclear pegs after this time."),
    "missing_ms": format_message("The table asks about a missing peg after this time."),
    "repeat_ms": format_message("A card scanned again within this time counts once."),
}
"""Settings that can change while the table runs, each with a description."""
LIGHT_TEST_MS = 3000
"""Time for which the light test lights a hole."""
_MAX_LOG_LINES = 200

_HOLE_REFUSAL = gettext_noop("This board does not have that hole.")
_SETTING = BodyField(INTEGER, gettext_noop("The setting {name} must be a whole number."), is_required=False)
SETTINGS_BODY = RequestBody("", **dict.fromkeys(RUNTIME_SETTINGS, _SETTING))
LIGHTS_BODY = RequestBody(holes=BodyField(nullable(array_of(STRING)), _HOLE_REFUSAL, is_required=False))
DECK_BODY = RequestBody(
    card=BodyField(
        nullable({"oneOf": [CARD_SCHEMA, {"const": "next"}]}),
        gettext_noop("Send the card to learn, such as 5H, next for the first card without a code, or null to stop."),
    )
)


class LogTail(logging.Handler):
    """Keeps the last lines of the log, without tracebacks."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[dict[str, Any]] = deque(maxlen=_MAX_LOG_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append({
            "ms": round(record.created * 1000), "level": record.levelname.lower(), "say": record.getMessage(),
        })  # fmt: skip


def add_routes(app: Flask, site: Site) -> None:
    """Add the routes below `/api/workshop`."""
    table, recent, log, deck = site.table, site.workshop.recent, site.workshop.log, site.workshop.deck or Deck()
    spots = SpotPictures(site.workshop.cameras)
    routes = Blueprint("workshop", __name__, url_prefix="/api/workshop")

    def require_player() -> None:
        if not site.is_player():
            raise Forbidden("Only players can see this. Open the join link first.")

    def get_workshop() -> Response:
        unlearned = unlearned_cards(deck.cards)
        return json_response({
            "version": running_version(), "settings": _list_settings(table.core.settings),
            "seen": recent.list_scans_and_presses(),
            "cameras": len(spots),
            "log": list(log.lines)[::-1],
            "deck": {"asked": deck.card_to_learn, "missing": len(unlearned),
                     "left": unlearned if deck.card_to_learn else [], "said": deck.learning_error},
        })  # fmt: skip

    def post_settings() -> Response:
        table.apply_settings(_parse_settings(read_json_object(), table.core.settings))
        return get_workshop()

    def post_lights() -> tuple[Response, int]:
        table.light_holes(_parse_holes(read_json_object(), table.core.plan.board), LIGHT_TEST_MS)
        return json_response({"ok": True}), 202

    def post_deck() -> Response:
        deck.learn_card(_parse_card(read_json_object(), unlearned_cards(deck.cards)))
        return get_workshop()

    def get_recording() -> Response:
        lines = recent.recording_lines()
        if not lines:
            raise Conflict("There is nothing to record yet.")
        response = Response("".join(f"{line}\n" for line in lines), mimetype="application/x-ndjson", headers=NO_STORE)
        response.headers["Content-Disposition"] = 'attachment; filename="cribbage-recording.jsonl"'
        return response

    def get_camera(number: int) -> Response:
        picture = spots.get_newest(number)
        return Response(picture.jpeg, mimetype="image/jpeg", headers=NO_STORE | {"Spot": picture.readings})

    routes.before_request(require_player)
    routes.add_url_rule("", "workshop", get_workshop)
    routes.add_url_rule("/settings", "settings", post_settings, methods=["POST"])
    routes.add_url_rule("/lights", "tested", post_lights, methods=["POST"])
    routes.add_url_rule("/deck", "deck", post_deck, methods=["POST"])
    routes.add_url_rule("/cameras/<int:number>", "camera", get_camera)
    routes.add_url_rule("/recording", "recording", get_recording)
    app.register_blueprint(routes)


def _list_settings(settings: Settings) -> list[dict[str, Any]]:
    described = []
    for field in fields(Settings):
        if field.name in RUNTIME_SETTINGS:
            low, high = field.metadata["range"]
            described.append({
                "key": field.name, "value": getattr(settings, field.name), "default": field.default,
                "least": low, "most": high, "say": RUNTIME_SETTINGS[field.name],
            })  # fmt: skip
    return described


def _parse_holes(body: Mapping[str, Any], board: Board) -> list[str]:
    """Return the holes to light: those sent, or all. Raises BadRequest."""
    holes = LIGHTS_BODY.parse(body).get("holes")
    if holes is None:
        return [hole.id for hole in board.holes]
    if not all(hole in board.by_id for hole in holes):
        raise BadRequest(_HOLE_REFUSAL)
    return list(holes)


def _parse_card(body: Mapping[str, Any], unlearned: Sequence[str]) -> str | None:
    """Return the card to learn, None to stop. `next` means the first card without a code. Raises BadRequest."""
    card = DECK_BODY.parse(body)["card"]
    if card == "next":
        return unlearned[0] if unlearned else "AC"
    return None if card is None else str(parse_card(card))


def _parse_settings(body: Mapping[str, Any], settings: Settings) -> Settings:
    """Return the settings with the values sent. Raises BadRequest."""
    if not body:
        raise BadRequest("Send a setting and its value.")
    if not body.keys() <= RUNTIME_SETTINGS.keys():
        raise BadRequest(f"The settings that can change while the table runs are {', '.join(RUNTIME_SETTINGS)}.")
    try:
        return apply_values(settings, SETTINGS_BODY.parse(body))
    except SettingsError as error:
        raise BadRequest(str(error)) from None


MIN_INTERVAL_S = 0.25
"""Time for which a picture is sent again before the next one is made."""


class SpotPicture(NamedTuple):
    """A picture as JPEG, and as JSON what is read in it."""

    jpeg: bytes
    readings: str


class SpotPictures:
    """The newest picture of each camera. Any thread may ask."""

    def __init__(self, cameras: Sequence[PictureSource], clock: Callable[[], float] = time.monotonic) -> None:
        self._cameras, self._clock = cameras, clock
        self._lock = threading.Lock()
        self._made: dict[int, tuple[float, SpotPicture]] = {}

    def __len__(self) -> int:
        return len(self._cameras)

    def get_newest(self, number: int) -> SpotPicture:
        """Return the picture of the camera of this number, from 0. Raises NotFound, or Conflict without a picture."""
        if number >= len(self._cameras):
            raise NotFound(format_message("This table has no such camera."))
        with self._lock:  # of many that ask at once, one makes the picture
            made_s, picture = self._made.get(number, (-MIN_INTERVAL_S, None))
            if picture is None or self._clock() - made_s >= MIN_INTERVAL_S:
                picture = self._make_picture(number)
                self._made[number] = self._clock(), picture
            return picture

    def _make_picture(self, number: int) -> SpotPicture:
        view = self._cameras[number].encode_view()
        if view is None:
            raise Conflict(format_message("The camera has not sent a picture yet."))
        jpeg, readings = view
        return SpotPicture(jpeg, dump_json(readings))
