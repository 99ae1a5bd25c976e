"""Messages between two tables that play one game; each contains the whole state that the other table needs.

A message replaces the one before, so a lost, duplicate or late message only costs time. All fields from the other table
are validated (docs/reference/remote.md).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from companion.common.errors import BadMove
from companion.protocol.json_codec import dump_json, parse_json, read_move, write_move
from companion.remote.move_log import LoggedMove
from companion.rules.moves import Move
from companion.table.players import read_name
from companion.table.remote_game import INPUT_SOURCES, REMOTE_MOVES

MAX_MOVES_PER_MESSAGE = 40
"""Maximum number of moves in one message."""
MAX_MOVES_REQUESTED = 4
"""Maximum number of moves in one request."""
MAX_REASON_LENGTH = 400
"""Maximum length of a sentence from the other table, in characters."""
_HASH_PATTERN = re.compile(r"([0-9a-f]{16})?")
_REQUEST_ID_PATTERN = re.compile(r"[0-9a-f]{1,32}")


class MoveRequest(NamedTuple):
    """Moves that the guest requests, to follow move number `after`."""

    id: str
    after: int
    moves: tuple[tuple[str, Move], ...]


class MoveRefusal(NamedTuple):
    """Why the host refuses a request."""

    id: str
    why: str


@dataclass(frozen=True, kw_only=True)
class GameStateMessage:
    """State of the game at one table.

    `run` is the game's id, empty if there is none; `count` and `mark` identify the last move.

    The host sends `plan`, `moves` from number `first` on, and `refusal`; the guest sends `request`. `why` says why this
    table cannot continue; empty otherwise.
    """

    is_host: bool
    run: str = ""
    name: str = ""
    count: int = 0
    mark: str = ""
    plan: Mapping[str, Any] | None = None
    first: int = 0
    moves: tuple[LoggedMove, ...] = ()
    request: MoveRequest | None = None
    refusal: MoveRefusal | None = None
    why: str = ""


def format_game_message(message: GameStateMessage) -> str:
    """Return the message as JSON."""
    request = message.request and {
        "id": message.request.id,
        "after": message.request.after,
        "moves": [{"by": by, "move": write_move(move)} for by, move in message.request.moves],
    }
    return dump_json(
        {
            "role": "host" if message.is_host else "guest",
            "run": message.run,
            "name": message.name,
            "count": message.count,
            "mark": message.mark,
            "plan": message.plan,
            "first": message.first,
            "told": [each._asdict() for each in message.moves],
            "ask": request,
            "answer": message.refusal and message.refusal._asdict(),
            "why": message.why,
        }
    )


def parse_game_message(payload: bytes) -> GameStateMessage:
    """Return the message. Raises BadMove if the payload is not valid."""
    try:
        return _build_game_message(cast(dict[str, Any], parse_json(payload)))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise BadMove("The other table sent an invalid message. Check that both run the same version.") from None


def _build_game_message(data: dict[str, Any]) -> GameStateMessage:
    """Return the message of parsed JSON. Raises ValueError, LookupError, TypeError or AttributeError."""
    role, plan, name = data["role"], data["plan"], data["name"]
    if role not in ("host", "guest") or not isinstance(plan, dict | None):
        raise ValueError
    return GameStateMessage(
        is_host=role == "host",
        run=_match_text(_HASH_PATTERN, data["run"]),
        name=name and read_name(name),
        count=_parse_count(data["count"]),
        mark=_match_text(_HASH_PATTERN, data["mark"]),
        plan=plan,
        first=_parse_count(data["first"]),
        moves=tuple(LoggedMove(by, write_move(move)) for by, move in _parse_moves(data["told"], MAX_MOVES_PER_MESSAGE)),
        request=_parse_request(data["ask"]),
        refusal=_parse_refusal(data["answer"]),
        why=clean_sentence(data["why"]),
    )


def clean_sentence(value: Any) -> str:
    """Return a sentence of the other table on one line, printable and at most `MAX_REASON_LENGTH` characters."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return "".join(letter for letter in text if letter.isprintable())[:MAX_REASON_LENGTH]


def _parse_request(data: Any) -> MoveRequest | None:
    if data is None:
        return None
    return MoveRequest(
        _match_text(_REQUEST_ID_PATTERN, data["id"]),
        _parse_count(data["after"]),
        tuple(_parse_moves(data["moves"], MAX_MOVES_REQUESTED)),
    )


def _parse_refusal(data: Any) -> MoveRefusal | None:
    return (
        None if data is None else MoveRefusal(_match_text(_REQUEST_ID_PATTERN, data["id"]), clean_sentence(data["why"]))
    )


def _parse_moves(data: Any, max_count: int) -> list[tuple[str, Move]]:
    if not isinstance(data, list) or len(data) > max_count:
        raise ValueError
    return [_parse_move(each) for each in data]


def _parse_move(data: Any) -> tuple[str, Move]:
    move = read_move(data["move"], 2)
    if data["by"] not in INPUT_SOURCES or not isinstance(move, REMOTE_MOVES):
        raise ValueError
    return data["by"], move


def _parse_count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 10**9:
        raise ValueError
    return value


def _match_text(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text
