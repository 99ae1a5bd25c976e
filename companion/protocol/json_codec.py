"""Moves, answers and snapshots as JSON: for the command line, the journal and the server. No I/O.

What comes in is believed in nothing: `parse` takes strict JSON only, `read_move` checks every field by the table of
`companion.protocol.json_fields`. Refusals are sentences that never repeat what was sent. The forms are those of
`docs/reference/moves.md`, `docs/reference/cli.md` (the referee) and `docs/reference/http.md` (the snapshot).
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NoReturn

from companion.common.constants import near
from companion.common.errors import BadMove, CompanionError
from companion.common.snapshot import Advice, Notice, Snapshot
from companion.protocol.json_fields import FIELDS
from companion.rules.cards import Card
from companion.rules.engine import Game, History, advance
from companion.rules.moves import MOVES, Move

LONGEST = 65536
"""No text longer than this is looked at."""

_DEEPEST = 16
_MOST_DIGITS = 40
"""Of a whole number, also in a field that is ignored: a clock's nanoseconds are no reason to refuse a move."""


def parse(text: str | bytes) -> object:
    """The value of a JSON text. Raises BadMove for anything but strict, sound and reasonable JSON."""
    if len(text) > LONGEST:
        raise BadMove("That is too long for a move.")
    try:
        if isinstance(text, bytes):
            text = text.decode()
        if not text.strip():
            raise BadMove("An empty line is no move.")
        value = _DECODER.decode(text.strip(" \t\r\n"))
    except UnicodeDecodeError:
        raise BadMove("That is not UTF-8 text.") from None
    except RecursionError:
        raise BadMove("That is nested too deeply for a move.") from None
    except json.JSONDecodeError:
        raise BadMove("That is not JSON.") from None
    _sound(text, value)
    return value


def read_move(obj: object, seats: int | None = None) -> Move:
    """The move that a JSON object is. Raises BadMove; with `seats`, for a seat that is not at the table too."""
    if not isinstance(obj, dict):
        raise BadMove("A move is a JSON object with a type.")
    kind = obj.get("type")
    if not isinstance(kind, str):
        raise BadMove("A move needs a type, such as play.")
    made = _KINDS.get(kind)
    if made is None:
        raise BadMove("There is no move of that type: {near}.", near=near(kind[:20], _KINDS))
    told = {}
    for field in fields(made):  # type: ignore[arg-type]
        if field.name in obj:
            told[field.name] = FIELDS[field.name].read(obj[field.name], field.name)
        elif field.default is MISSING:
            what = "the card it is to be: to" if field.name == "to" else f"its {field.name}"
            raise BadMove("{word} {kind} needs {what}.", word="An" if kind[0] in "aeu" else "A", kind=kind, what=what)
    named = [told.get("seat", 0), *(each.seat for each in told.get("also", ()))]
    if seats is not None and not all(0 <= seat < seats for seat in named):
        raise BadMove("There is no such seat: this table has seats 0 to {word}.", word=seats - 1)
    return made(**told)


def write_move(move: Move) -> dict[str, Any]:
    """The JSON form of a move; fields that are empty are left out."""
    told = {f.name: plain(getattr(move, f.name)) for f in fields(move)}  # type: ignore[arg-type]
    return {"type": move.kind} | {name: value for name, value in told.items() if value not in (None, [])}


def plain(value: Any) -> Any:
    """A value in JSON's own kinds: cards as `5H`, sequences as lists, awards and their like as objects."""
    if isinstance(value, Card):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Move):
        return write_move(value)
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    return [plain(each) for each in value]


def dumps(obj: Any) -> str:
    """Compact JSON on one line, in ASCII."""
    return json.dumps(obj, separators=(",", ":"), allow_nan=False)


def answer(game: Game[Any], past: History[Any], line: str | bytes) -> tuple[History[Any], dict[str, Any]]:
    """One line of `companion referee`: the history after it, and what is said to it. Never raises for bad input."""
    try:
        past, step = advance(game, past, read_move(parse(line)))
    except CompanionError as refusal:
        return past, {"ok": False, "error": str(refusal)}
    shown = game.view(step.state)
    return past, {"ok": True, "awards": plain(step.awards)} | plain(shown) | plain(step.notes)


def snapshot_json(snapshot: Snapshot) -> dict[str, Any]:
    """A snapshot as `docs/reference/http.md` tells it."""
    return {
        "number": snapshot.number,
        "run": snapshot.run,
        "moves": snapshot.moves,
        "game": plain(snapshot.game),
        "board": snapshot.board,
        "settings": plain(snapshot.settings),
        "players": plain(snapshot.players),
        **plain(snapshot.view),
        "last": plain(snapshot.last),
        "pegs": plain(snapshot.pegs),
        "dues": plain(snapshot.dues),
        "advice": [advice_json(advice) for advice in snapshot.advice],
        "question": plain(snapshot.question),
        "devices": plain(snapshot.devices),
        "notices": [_notice(notice) for notice in snapshot.notices],
        "trouble": snapshot.trouble,
        "remark": snapshot.remark,
        "quarantined": plain(snapshot.quarantined),
        **({} if snapshot.dice is None else {"dice": plain(snapshot.dice.faces)}),
        **({} if snapshot.markers is None else {"markers": plain(snapshot.markers)}),
    }


def advice_json(advice: Advice) -> dict[str, Any]:
    """One advice, with the fields that apply; also in a trace."""
    told: dict[str, Any] = plain(advice)
    return {name: value for name, value in told.items() if value is not None or name == "seat"}


def _notice(notice: Notice) -> dict[str, Any]:
    return {"id": notice.id, "kind": notice.kind, "from": notice.source, "say": notice.say}


def _sound(text: str, value: object) -> None:
    """Refuse what is nested too deeply, and text with half a surrogate pair, wherever it stands."""
    if text.isascii() and "\\" not in text and text.count("[") + text.count("{") <= _DEEPEST:
        return  # as nearly all are: it cannot be either
    lying = [(value, 1)]
    while lying:
        each, depth = lying.pop()
        if isinstance(each, str) and not each.isascii() and any("\ud800" <= letter <= "\udfff" for letter in each):
            raise BadMove("That text has half a character in it.")
        if isinstance(each, dict | list):
            if depth > _DEEPEST:
                raise BadMove("That is nested too deeply for a move.")
            within = [*each.keys(), *each.values()] if isinstance(each, dict) else each
            lying += [(inner, depth + 1) for inner in within]


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise BadMove("A number in it is too large.")
    return int(digits)


def _real(digits: str) -> float:
    if len(digits) > 2 * _MOST_DIGITS or abs(number := float(digits)) == float("inf"):
        raise BadMove("A number in it is too large.")
    return number


def _no_number(_: str) -> NoReturn:
    raise BadMove("Not a number is no number.")


_KINDS: Mapping[str, type[Move]] = {made.kind: made for made in MOVES}
_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_real, parse_constant=_no_number)
