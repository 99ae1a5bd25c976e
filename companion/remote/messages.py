"""What two tables that play one game write to each other: each always the whole of what the other needs to know.

A letter takes the place of the one before it, so that one that is lost, doubled or late costs a moment and changes
nothing. What the other table writes is believed in nothing (docs/reference/remote.md tells each field).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from companion.common.errors import BadMove
from companion.protocol.json_codec import dumps, parse, read_move, write_move
from companion.remote.move_log import Made
from companion.rules.moves import Move
from companion.table.players import read_name
from companion.table.remote_game import BY, KINDS

MOST = 40
"""So many moves are told in one letter."""
MOST_ASKED = 4
LONGEST_WHY = 400
_RUN = re.compile(r"([0-9a-f]{16})?")
_ID = re.compile(r"[0-9a-f]{1,32}")


class Ask(NamedTuple):
    """Moves that the guest asks for: they are meant to follow the move number `after`."""

    id: str
    after: int
    moves: tuple[tuple[str, Move], ...]


class Answer(NamedTuple):
    """Why the host does not make what was asked for."""

    id: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Letter:
    """How one table has the game: `run` names it, `count` and `mark` say how far. Empty `run`: it has none yet.

    `plan` and `told` are the host's: the moves from number `first` on. So is `answer`; `ask` is the guest's. `why`
    says why this table cannot go on, empty while it can.
    """

    is_host: bool
    run: str = ""
    name: str = ""
    count: int = 0
    mark: str = ""
    plan: Mapping[str, Any] | None = None
    first: int = 0
    told: tuple[Made, ...] = ()
    ask: Ask | None = None
    answer: Answer | None = None
    why: str = ""


def write(letter: Letter) -> str:
    """The JSON of a letter."""
    asked = letter.ask and {
        "id": letter.ask.id,
        "after": letter.ask.after,
        "moves": [{"by": by, "move": write_move(move)} for by, move in letter.ask.moves],
    }
    return dumps(
        {
            "role": "host" if letter.is_host else "guest",
            "run": letter.run,
            "name": letter.name,
            "count": letter.count,
            "mark": letter.mark,
            "plan": letter.plan,
            "first": letter.first,
            "told": [each._asdict() for each in letter.told],
            "ask": asked,
            "answer": letter.answer and letter.answer._asdict(),
            "why": letter.why,
        }
    )


def read(payload: bytes) -> Letter:
    """The letter that somebody wrote. Raises BadMove for what is none."""
    try:
        return _read(cast(dict[str, Any], parse(payload)))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise BadMove("The other table writes what is not known here: is it as new as this one?") from None


def _read(told: dict[str, Any]) -> Letter:
    """Raises a ValueError, or what Python raises for another shape."""
    role, plan, name = told["role"], told["plan"], told["name"]
    if role not in ("host", "guest") or not isinstance(plan, dict | None):
        raise ValueError
    return Letter(
        is_host=role == "host",
        run=_matching(_RUN, told["run"]),
        name=name and read_name(name),
        count=_number(told["count"]),
        mark=_matching(_RUN, told["mark"]),
        plan=plan,
        first=_number(told["first"]),
        told=tuple(Made(by, write_move(move)) for by, move in _moves(told["told"], MOST)),
        ask=_ask(told["ask"]),
        answer=_answer(told["answer"]),
        why=said(told["why"]),
    )


def said(value: Any) -> str:
    """A sentence of the other table: on one line, and short."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return "".join(letter for letter in text if letter.isprintable())[:LONGEST_WHY]


def _ask(told: Any) -> Ask | None:
    if told is None:
        return None
    return Ask(_matching(_ID, told["id"]), _number(told["after"]), tuple(_moves(told["moves"], MOST_ASKED)))


def _answer(told: Any) -> Answer | None:
    return None if told is None else Answer(_matching(_ID, told["id"]), said(told["why"]))


def _moves(told: Any, most: int) -> list[tuple[str, Move]]:
    if not isinstance(told, list) or len(told) > most:
        raise ValueError
    return [_move(each) for each in told]


def _move(told: Any) -> tuple[str, Move]:
    move = read_move(told["move"], 2)
    if told["by"] not in BY or not isinstance(move, KINDS):
        raise ValueError
    return told["by"], move


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 10**9:
        raise ValueError
    return value


def _matching(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text
