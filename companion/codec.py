"""Moves, answers and snapshots as JSON: for the command line, the journal and the server. No I/O.

What comes in is believed in nothing: `parse` takes strict JSON only, `read_move` checks every field. Refusals are
sentences that never repeat what was sent (interfaces.md 2, 3 and 8).
"""

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NoReturn

from companion.errors import BadCard, BadMove, CompanionError
from companion.rules.cards import Card, card
from companion.rules.display import COLOURS
from companion.rules.engine import Game, History, advance
from companion.rules.moves import MOVES, Also, Move
from companion.snapshot import Advice, Notice, Question, Snapshot

LONGEST = 65536
"""No text longer than this is looked at."""

Reader = Callable[[object, str], Any]
"""What makes a field's value of the JSON value and the field's name, or raises BadMove."""

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
        nearest = difflib.get_close_matches(kind[:20], _KINDS, n=1, cutoff=0)[0]
        raise BadMove(f"There is no move of that type: the nearest is {nearest}.")
    told = {}
    for field in fields(made):  # type: ignore[arg-type]
        if field.name in obj:
            told[field.name] = _READERS[field.name](obj[field.name], field.name)
        elif field.default is MISSING:
            raise BadMove(f"{'An' if kind[0] in 'aeu' else 'A'} {kind} needs its {field.name}.")
    named = [told.get("seat", 0), *(each.seat for each in told.get("also", ()))]
    if seats is not None and not all(0 <= seat < seats for seat in named):
        raise BadMove(f"There is no such seat: this table has seats 0 to {seats - 1}.")
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
    """A snapshot as interfaces.md 8 has it."""
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
        "question": _question(snapshot.question),
        "devices": plain(snapshot.devices),
        "notices": [_notice(notice) for notice in snapshot.notices],
        "quarantined": plain(snapshot.quarantined),
        **({} if snapshot.dice is None else {"dice": plain(snapshot.dice.faces)}),
        **({} if snapshot.markers is None else {"markers": plain(snapshot.markers)}),
    }


def advice_json(advice: Advice) -> dict[str, Any]:
    """One advice, with the fields that apply (interfaces.md 8); also in a trace."""
    told: dict[str, Any] = plain(advice)
    return {name: value for name, value in told.items() if value is not None or name == "seat"}


def _question(question: Question | None) -> dict[str, Any] | None:
    return None if question is None else {"why": question.why, "choices": plain(question.choices)}


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


def _whole(low: int, high: int) -> Reader:
    """A reader of JSON integers; `true` and `1.0` are none."""

    def read(value: object, name: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadMove(f"The {name} must be a whole number from {low} to {high}.")
        return value

    return read


def _card(value: object, name: str) -> Card:
    if not isinstance(value, str):
        raise BadMove(f"The {name} must be a card such as 5H.")
    try:
        return card(value)
    except BadCard as refusal:
        raise BadMove(str(refusal)) from None


def _colour(value: object, name: str) -> str:
    if not isinstance(value, str) or value not in COLOURS:
        raise BadMove(f"The {name} must be of {', '.join(COLOURS)}.")
    return value


def _some(one: Reader, least: int, most: int) -> Reader:
    """A reader of lists."""

    def read(value: object, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            size = f"{least} to {most}" if least < most else str(least)
            raise BadMove(f"The {name} must be a list of {size}.")
        return tuple(one(each, name) for each in value)

    return read


def _cell(value: object, name: str) -> tuple[int, ...]:
    if isinstance(value, list) and len(value) == 2 and all(type(n) is int and 0 <= n <= 4 for n in value):
        return tuple(value)
    which = name if name == "cell" else f"cell {name}"
    raise BadMove(f"The {which} must be a row and a column, each a whole number from 0 to 4.")


def _also(value: object, name: str) -> Also:
    if not isinstance(value, dict) or not {"seat", "points"} <= value.keys():
        raise BadMove(f"Each of {name} must be an object with a seat and points.")
    return Also(*(_READERS[each](value[each], each) for each in ("seat", "points")))


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


_READERS: Mapping[str, Reader] = {
    "seat": _whole(0, 4), "points": _whole(-1000, 1000), "base": _whole(1, 3), "dice": _some(_whole(1, 6), 1, 2),
    "card": _card, "starter": _card, "cards": _some(_card, 1, 16),
    "chip": _colour, "chips": _some(_colour, 1, 2), "colours": _some(_colour, 25, 25),
    "also": _some(_also, 1, 4), "a": _cell, "b": _cell, "cell": _cell,
}  # fmt: skip
"""By the name of a field, what may stand in it."""

_KINDS: Mapping[str, type[Move]] = {made.kind: made for made in MOVES}
_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_real, parse_constant=_no_number)
