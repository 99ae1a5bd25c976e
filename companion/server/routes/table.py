"""The table: moves, the board, history from the journal, the evening, and the health of the program."""

import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.boards.board import Board
from companion.boards.catalog import encode_board
from companion.common.errors import BadCard, BadMove, IllegalMove
from companion.common.snapshot import Snapshot
from companion.history.games import (
    EveningGames,
    compute_player_records,
    count_head_to_head,
    find_last_evening,
    summarize_evenings,
)
from companion.history.moves import MoveHistory
from companion.http.requests import parse_query_number
from companion.http.responses import CachedBody, json_response, requested_language
from companion.i18n import format_message
from companion.protocol.json_codec import dump_json, parse_json, read_move
from companion.protocol.json_fields import JsonSchema
from companion.server.site import Site
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


def add_routes(app: Flask, site: Site) -> None:
    routes = Blueprint("table", __name__, url_prefix="/api")
    table, answers = site.table, MoveAnswers()
    history, evenings = MoveHistory(table.journal), EveningGames(table.journal)

    def post_move() -> tuple[Response, int]:
        body, key = request.get_data(), request.headers.get(KEY_HEADER)
        if key is None:
            return site.snapshot_response(_make_move(table, body)), 201
        if not _KEY.fullmatch(key):
            raise BadRequest(format_message("The header {name} must be RUN/MOVES/TAP.", name=KEY_HEADER))

        def make_move() -> Snapshot:
            with table.locked():
                _check_restart(key, table.snapshot)
                return _make_move(table, body)

        return site.snapshot_response(answers.answer_once(key, make_move)), 201

    def get_evening() -> Response:
        games = find_last_evening(evenings.list_games())
        return json_response(
            {"games": [_without_race(game) for game in games], "series": count_head_to_head(games[::-1])}
        )

    def get_records() -> Response:
        games = evenings.list_games()
        return json_response(
            {
                "players": compute_player_records(games),
                "series": count_head_to_head(games),
                "evenings": summarize_evenings(games),
            }
        )

    def get_table_games() -> Response:
        number = parse_query_number("table", table.journal.game_id or 0)
        games = [game for game in evenings.list_games() if game["table"] == number]
        if not games:
            raise NotFound(f"No games of table {number} are known. They may be too old.")
        return json_response({"games": games})

    routes.add_url_rule("/state", "state", lambda: site.snapshot_response(table.snapshot))
    routes.add_url_rule("/moves", "move", post_move, methods=["POST"])
    routes.add_url_rule("/health", "health", lambda: health_response(table))
    routes.add_url_rule("/history", "history", lambda: history_response(table, history))
    routes.add_url_rule("/evening", "evening", get_evening)
    routes.add_url_rule("/evening/players", "records", get_records)
    routes.add_url_rule("/evening/table", "evening_table", get_table_games)
    app.register_blueprint(routes)
    app.register_blueprint(board_routes(lambda: table.core.plan.board))


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


def board_routes(find_board: Callable[[], Board]) -> Blueprint:
    """Return the route. With `?columns`, the holes are sent column by column. The JSON is made once for each board."""
    routes = Blueprint("board", __name__)
    cached: tuple[Board | None, dict[bool, CachedBody]] = None, {}

    def get_board() -> Response:
        nonlocal cached
        if (board := find_board()) is not cached[0]:
            body = encode_board(board)
            forms = {False: body, True: body | {"holes": to_columns(body["holes"])}}
            cached = board, {is_columns: CachedBody(dump_json(form).encode()) for is_columns, form in forms.items()}
        return cached[1]["columns" in request.args].to_response()

    routes.add_url_rule("/api/board", "board", get_board)
    return routes


def to_columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return a list of values for each field, which is a third of the size of the rows."""
    return {field: [row[field] for row in rows] for field in rows[0]}


def history_response(table: Table, history: MoveHistory) -> Response:
    """Return the moves of `?table=` (by default the present one) above the number `?after=`, without undone moves."""
    game = parse_query_number("table", table.journal.game_id or 0)
    page = history.read_page(game, parse_query_number("after", 0), requested_language())
    if page is None:
        raise NotFound(format_message("There is no table {game}.", game=game))
    earlier = ',"earlier":true' if page.is_cut else ""
    return CachedBody(f'{{"table":{game}{earlier},"moves":[{",".join(page.moves)}]}}'.encode()).to_response()


def _without_race(game: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in game.items() if name != "race"}


def health_response(table: Table) -> Response:
    """Return the state of the journal and of each device; 503 while moves cannot be written.

    Moves that were lost earlier are reported with 200.
    """
    devices = {name: {"ok": device.ok, "say": device.say} for name, device in table.snapshot.devices.items()}
    trouble = table.trouble
    journal = trouble or table.journal.damage or ""
    body = {
        "ok": not journal and all(device["ok"] for device in devices.values()),
        "journal": {"ok": not journal, "say": journal},
        "devices": devices,
        "version": running_version(),
    }
    return json_response(body, 503 if trouble else 200)


def running_version() -> str:
    """Return the version of this program, "unknown" if it is not installed."""
    try:
        return version("cribbage-companion")
    except PackageNotFoundError:
        return "unknown"
