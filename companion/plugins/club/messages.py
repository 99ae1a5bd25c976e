"""The messages that boards publish, as docs/reference/reporting.md describes them. Pure.

Every field is checked before anything is stored: what one board sends must not break the archive or its page. Fields
that the archive does not use are dropped.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.common.errors import BadMove
from companion.http.requests import INTEGER, array_of, matches, nullable
from companion.plugins.club.validation import ReplayedRun, start_run
from companion.protocol.json_codec import parse_json, read_move, write_move
from companion.protocol.json_fields import JsonSchema
from companion.table.players import PEG_COLOURS, read_name

MAX_MOVES = 10**9 - 1
"""Maximum number of moves of a run."""
MAX_MS = 253_402_300_799_999
"""The end of the year 9999, as Unix time in ms."""
MAX_LABEL_LENGTH = 48
"""Maximum length of a player's name with the suffix that makes it unique, such as the colour of the pegs."""

_NAME_PATTERN = "^[A-Za-z0-9_-]{1,64}$"
_SHORT_TEXT: JsonSchema = {"type": "string", "maxLength": 128}
_RUN: JsonSchema = {"type": "string", "pattern": _NAME_PATTERN}
_OBJECT: JsonSchema = {"type": "object"}
_SEAT: JsonSchema = {"type": "integer", "minimum": 0, "maximum": 4}
_MOVE_FIELDS: Mapping[str, JsonSchema] = {
    "run": _RUN, "n": {"type": "integer", "minimum": 1, "maximum": MAX_MOVES},
    "ms": {"type": "integer", "minimum": 0, "maximum": MAX_MS}, "by": _SHORT_TEXT, "move": _OBJECT,
    "awards": {"type": "array", "items": _OBJECT}, "scores": array_of(INTEGER), "hash": _SHORT_TEXT,
}  # fmt: skip
_STATE_FIELDS: Mapping[str, JsonSchema] = {
    "run": _RUN, "moves": {"type": "integer", "minimum": 0, "maximum": MAX_MOVES}, "game": _OBJECT,
    "players": {"type": "array", "items": _OBJECT, "minItems": 1, "maxItems": 5},
}  # fmt: skip
_PLAYER_FIELDS: Mapping[str, JsonSchema] = {"seat": _SEAT, "side": _SEAT, "name": {"type": "string"}}
_GAME_FIELDS: Mapping[str, JsonSchema] = {
    "key": _SHORT_TEXT, "seats": nullable({"type": "integer", "minimum": 1, "maximum": 5}), "dealer": nullable(_SEAT),
    "sides": nullable({"type": "integer", "minimum": 1, "maximum": 5}), "target": nullable(INTEGER),
    "options": nullable({"type": "object", "additionalProperties": _SHORT_TEXT}), "spaces": nullable(_OBJECT),
}  # fmt: skip


class BoardId(NamedTuple):
    """A board of a club."""

    club: str
    board: str


class RunId(NamedTuple):
    """A game in the journal of a board."""

    club: str
    board: str
    run: str


class StateMessage(NamedTuple):
    """A valid `state`. `first` is the run before its first move; `moves` is the number of moves that the board has."""

    run: RunId
    moves: int
    game: dict[str, Any]
    players: list[dict[str, Any]]
    first: ReplayedRun


def is_valid_name(text: str) -> bool:
    """Return whether this may be the name of a club, a board or a run."""
    return re.search(_NAME_PATTERN, text) is not None and "\n" not in text


def check_board(board: BoardId) -> BoardId:
    """Return the board. Raises BadMove if its name or that of its club is not valid."""
    if not all(map(is_valid_name, board)):
        raise BadMove("The name of the club or of the board is not valid.")
    return board


def replace_invalid_characters(text: str) -> str:
    """Return a name that can be stored and shown, for a list of refused messages."""
    return re.sub("[^A-Za-z0-9_-]", "?", text)[:64] or "?"


def read_run_id(payload: bytes) -> str:
    """Return the run that a message is about, "" if it names no valid run."""
    try:
        run = _parse_object(payload).get("run")
    except BadMove:
        return ""
    return run if isinstance(run, str) and is_valid_name(run) else ""


def read_state_message(board: BoardId, payload: bytes) -> StateMessage:
    """Return a `state`. Raises CompanionError with the reason if a field is missing or invalid."""
    message = _read_fields(_parse_object(payload), _STATE_FIELDS)
    game = {name: message["game"].get(name) for name in _GAME_FIELDS}
    _read_fields(game, _GAME_FIELDS)
    first = start_run(game)
    seats, sides = first.seats, len(first.past.state.scores)
    players = [_read_player(player) for player in message["players"]]
    if [(player["seat"], player["side"]) for player in players] != [(seat, seat % sides) for seat in range(seats)]:
        raise BadMove("The players do not fit the seats of the game.")
    return StateMessage(RunId(*board, message["run"]), message["moves"], game, players, first)


def read_move_message(run: RunId, n: int, payload: bytes) -> dict[str, Any]:
    """Return a `move` of this run and number. Raises CompanionError with the reason if a field is not valid."""
    message = _read_fields(_parse_object(payload), _MOVE_FIELDS)
    if (message["run"], message["n"]) != (run.run, n):
        raise BadMove("The message names another run or number than its topic.")
    return message | {"move": write_move(read_move(message["move"]))}


def _parse_object(payload: bytes) -> dict[str, Any]:
    value = parse_json(payload)
    if not isinstance(value, dict):
        raise BadMove("The message is not a JSON object.")
    return value


def _read_fields(message: Mapping[str, Any], fields: Mapping[str, JsonSchema]) -> dict[str, Any]:
    for name, schema in fields.items():
        if name not in message or not matches(schema, message[name]):
            raise BadMove("The field {name} is missing or invalid.", name=name)
    return {name: message[name] for name in fields}


def _read_player(reported: Mapping[str, Any]) -> dict[str, Any]:
    player = _read_fields(reported, _PLAYER_FIELDS)
    colour = reported.get("colour")
    colours = {"colour": colour} if isinstance(colour, str) and colour in PEG_COLOURS else {}
    return player | {"name": read_name(player["name"], longest=MAX_LABEL_LENGTH)} | colours
