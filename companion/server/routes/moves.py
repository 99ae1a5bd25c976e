"""Making moves: `POST /api/moves`, also for a tap whose answer was lost and that is sent again."""

import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest

from companion.common.errors import BadCard, BadMove, IllegalMove
from companion.common.snapshot import Snapshot
from companion.i18n import format_message
from companion.protocol.json_codec import parse_json, read_move
from companion.protocol.json_fields import JsonSchema
from companion.table.table import Table

KEY_HEADER = "Idempotency-Key"
"""The header that names a tap, and the snapshot it was made from, as `RUN/MOVES/TAP`."""
KEY_SCHEMA: JsonSchema = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}/[0-9]{1,12}/[A-Za-z0-9_-]{1,40}$"}
MAX_KEYS = 200
"""Maximum number of taps whose answers are remembered."""

_KEY = re.compile(KEY_SCHEMA["pattern"])


class MoveAnswers:
    """The answers to the newest taps by their keys: a tap that arrives twice is made once. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: dict[str, Future[Snapshot]] = {}

    def answer_once(self, key: str, make_move: Callable[[], Snapshot]) -> Snapshot:
        """Return the snapshot after the tap's move, which is made the first time only; raise its refusal each time.

        A repetition waits while the move is being made.
        """
        with self._lock:
            answer = self._answers.get(key)
            is_first = answer is None
            if answer is None:
                answer = self._answers[key] = Future()
                for oldest in [*self._answers][:-MAX_KEYS]:
                    del self._answers[oldest]
        if is_first:
            try:
                answer.set_result(make_move())
            except Exception as error:
                answer.set_exception(error)
        return answer.result()


def move_routes(table: Table, to_response: Callable[[Snapshot], Response]) -> Blueprint:
    """Return the route. `to_response` writes the snapshot after the move."""
    routes, answers = Blueprint("moves", __name__, url_prefix="/api"), MoveAnswers()

    def post_move() -> tuple[Response, int]:
        body, key = request.get_data(), request.headers.get(KEY_HEADER)
        if key is None:
            return to_response(_make_move(table, body)), 201
        if not _KEY.fullmatch(key):
            raise BadRequest(format_message("The header {name} must be RUN/MOVES/TAP.", name=KEY_HEADER))

        def make_move() -> Snapshot:
            with table.locked():
                _check_restart(key, table.snapshot)
                return _make_move(table, body)

        return to_response(answers.answer_once(key, make_move)), 201

    routes.add_url_rule("/moves", "post", post_move, methods=["POST"])
    return routes


def _check_restart(key: str, snapshot: Snapshot) -> None:
    """Raise IllegalMove if the program has restarted and a move was made since the tap: it may be the tap's own."""
    run, moves, _ = key.split("/")
    if run != snapshot.run and int(moves) != snapshot.moves:
        raise IllegalMove("The table was started again after you tapped. Look at the scores, then tap again.")


def _make_move(table: Table, body: bytes) -> Snapshot:
    """Make the move in the body. Raises BadRequest if it is not a move, IllegalMove if the rules forbid it."""
    try:
        move = parse_json(body)
        if isinstance(move, dict) and move.get("type") == "card":
            return table.tap_card(_parse_card_code(move))
        return table.submit(read_move(move, len(table.snapshot.players)))
    except (BadMove, BadCard) as error:
        raise BadRequest(str(error)) from None


def _parse_card_code(body: dict[str, Any]) -> str:
    code = body.get("card")
    if not isinstance(code, str):
        raise BadMove("The card must be a text such as 5H.")
    return code
