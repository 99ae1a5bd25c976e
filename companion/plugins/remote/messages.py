"""Messages between two tables that play one game; each contains the whole state that the other table needs.

A message replaces the one before, so a lost or duplicate message only costs time. All fields from the other table are
validated (docs/reference/remote.md).
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, cast

from companion.common.errors import BadMove
from companion.plugins.remote.deal import DealStatement
from companion.plugins.remote.move_log import LoggedMove
from companion.protocol.json_codec import dump_json, parse_json, read_move, write_move
from companion.rules.cards import parse_card
from companion.table.players import read_name
from companion.table.remote_game import INPUT_SOURCES, REMOTE_MOVES

MAX_MOVES_PER_MESSAGE = 40
MAX_MOVES_REQUESTED = 4
MAX_DEALS_STATED = 9
MAX_REASON_LENGTH = 400
"""Maximum length of a sentence from the other table, in characters."""
_MARK_PATTERN = re.compile(r"([0-9a-f]{16})?")
_HASH_PATTERN = re.compile(r"([0-9a-f]{64})?")


class MoveRequest(NamedTuple):
    """Moves that the guest requests, to follow move number `after`."""

    after: int
    moves: tuple[LoggedMove, ...]

    @property
    def mark(self) -> str:
        """Hash of the request."""
        return hashlib.sha256(dump_json(self).encode()).hexdigest()[:16]


class MoveRefusal(NamedTuple):
    """Why the host refuses the request with this mark."""

    mark: str
    why: str


@dataclass(frozen=True, kw_only=True)
class GameStateMessage:
    """State of the game at one table.

    `run` is the game's id, empty if there is none; `count` and `mark` identify the last move. The host sends `plan`,
    `moves` from number `first` on, and `refusal`; the guest sends `request`. `why` says why this table cannot continue;
    empty otherwise. `deals` are the current deal and those that are over.
    """

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
    deals: tuple[DealStatement, ...] = ()


def format_game_message(message: GameStateMessage) -> str:
    """Return the message as JSON, with an object or a list for each part."""
    return dump_json(asdict(message))


def parse_game_message(payload: bytes) -> GameStateMessage:
    """Return the message. Raises BadMove if the payload is not valid."""
    data = parse_json(payload)
    try:
        return _read_message(cast(dict[str, Any], data))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise BadMove("The other table sent an invalid message. Check that both run the same version.") from None


def clean_sentence(value: Any) -> str:
    """Return a sentence of the other table on one line, printable and at most `MAX_REASON_LENGTH` characters."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return "".join(letter for letter in text if letter.isprintable())[:MAX_REASON_LENGTH]


def _read_message(data: dict[str, Any]) -> GameStateMessage:
    """Return the message of parsed JSON. Raises ValueError, LookupError, TypeError or AttributeError."""
    plan, request, refusal = data["plan"], data["request"] or None, data["refusal"] or None
    return GameStateMessage(
        run=_read_hash(data["run"], _MARK_PATTERN),
        name="" if data["name"] == "" else read_name(data["name"]),
        count=_read_count(data["count"]),
        mark=_read_hash(data["mark"], _MARK_PATTERN),
        plan=None if plan is None else dict(plan.items()),
        first=_read_count(data["first"]),
        moves=_read_moves(data["moves"], MAX_MOVES_PER_MESSAGE),
        request=request and MoveRequest(_read_count(request[0]), _read_moves(request[1], MAX_MOVES_REQUESTED)),
        refusal=refusal and MoveRefusal(_read_hash(refusal[0], _MARK_PATTERN), clean_sentence(refusal[1])),
        why=clean_sentence(data["why"]),
        deals=tuple(map(_read_deal, data["deals"][:MAX_DEALS_STATED])),
    )


def _read_deal(data: dict[str, Any]) -> DealStatement:
    hashes: dict[str, Any] = {name: _read_hash(data[name]) for name in ("pack", "cut", "discard", "seed")}
    cards = {name: tuple(str(parse_card(each)) for each in data[name][:6]) for name in ("hand", "crib")}
    pack_lock, cut_lock = map(_read_lock, data["locks"])
    return DealStatement(
        run=_read_hash(data["run"], _MARK_PATTERN),
        number=_read_count(data["number"]),
        locks=(pack_lock, cut_lock),
        starter="" if data["starter"] == "" else str(parse_card(data["starter"])),
        **(hashes | cards),
    )


def _read_moves(data: Any, max_count: int) -> tuple[LoggedMove, ...]:
    moves = [(by, read_move(move, 2)) for by, move in data]
    if len(moves) > max_count or not all(by in INPUT_SOURCES and isinstance(each, REMOTE_MOVES) for by, each in moves):
        raise ValueError
    return tuple(LoggedMove(by, write_move(each)) for by, each in moves)


def _read_count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 10**9:
        raise ValueError
    return value


def _read_lock(text: str) -> str:
    """Return a lock. Without one, a table could choose its cards after it has seen the other's part."""
    if not text:
        raise ValueError
    return _read_hash(text)


def _read_hash(text: str, pattern: re.Pattern[str] = _HASH_PATTERN) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text
