"""Encode and decode moves, referee answers and snapshots as JSON: for the command line, the journal and the server.

No I/O, except in `print_json`. Input is not trusted: `parse_json` accepts strict JSON only, and `read_move` checks
every field by the table in `companion.protocol.json_fields`. Error messages never repeat the input. The formats are
described in docs/reference/moves.md, docs/reference/cli.md (referee) and docs/reference/http.md (snapshot).
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NoReturn

from companion.common.constants import suggest_nearest
from companion.common.errors import BadMove, CompanionError
from companion.common.files import decode_text
from companion.common.process import discard_output
from companion.common.snapshot import Advice, Notice, Snapshot
from companion.protocol.json_fields import MOVE_FIELDS
from companion.rules.cards import Card
from companion.rules.engine import Game, History, Ruling, advance
from companion.rules.moves import MOVES, Move, Undo

MAX_TEXT_LENGTH = 65536
"""Maximum length of a JSON text, in characters or bytes."""

_MAX_NESTING = 16
_MAX_INTEGER_DIGITS = 40
"""Maximum digits of an integer; generous for ignored fields, such as a clock's nanoseconds."""


def parse_json(text: str | bytes) -> object:
    """Return the value of a JSON text. Raises BadMove unless it is strict JSON of reasonable size and depth."""
    if len(text) > MAX_TEXT_LENGTH:
        raise BadMove("The text is too long.")
    try:
        if isinstance(text, bytes):
            text = decode_text(text)
        if not text.strip():
            raise BadMove("The line is empty.")
        value = _DECODER.decode(text.strip(" \t\r\n"))
    except UnicodeDecodeError:
        raise BadMove("That is not UTF-8 text.") from None
    except RecursionError:
        raise BadMove("The JSON is nested too deeply.") from None
    except json.JSONDecodeError:
        raise BadMove("That is not JSON.") from None
    _check_nesting_and_text(text, value)
    return value


def read_move(obj: object, seats: int | None = None) -> Move:
    """Return the move of a JSON object. Raises BadMove; with `seats`, also for a seat that does not exist."""
    if not isinstance(obj, dict):
        raise BadMove("A move must be a JSON object with a type.")
    kind = obj.get("type")
    if not isinstance(kind, str):
        raise BadMove("A move needs a type, such as play.")
    move_type = _MOVES_BY_KIND.get(kind)
    if move_type is None:
        raise BadMove("Unknown type of move: {near}.", near=suggest_nearest(kind[:20], _MOVES_BY_KIND))
    values = {}
    for field in fields(move_type):  # type: ignore[arg-type]
        if field.name in obj:
            values[field.name] = MOVE_FIELDS[field.name](obj[field.name], field.name)
        elif field.default is MISSING:
            what = "the card it is to be: to" if field.name == "to" else f"its {field.name}"
            raise BadMove("{word} {kind} needs {what}.", word="An" if kind[0] in "aeu" else "A", kind=kind, what=what)
    named_seats = [values.get("seat", 0), *(each.seat for each in values.get("also", ()))]
    if seats is not None and not all(0 <= seat < seats for seat in named_seats):
        raise BadMove("There is no such seat: the seats are 0 to {last}.", last=seats - 1)
    return move_type(**values)


def write_move(move: Move) -> dict[str, Any]:
    """Return the JSON form of a move, without empty fields."""
    values = {f.name: to_json_value(getattr(move, f.name)) for f in fields(move)}  # type: ignore[arg-type]
    return {"type": move.kind} | {name: value for name, value in values.items() if value not in (None, [], "")}


def to_json_value(value: Any) -> Any:
    """Return a value as JSON types: cards as `5H`, sequences as lists, dataclasses as objects."""
    if isinstance(value, Card):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): to_json_value(each) for key, each in value.items()}
    if isinstance(value, Move):
        return write_move(value)
    if is_dataclass(value):
        return {f.name: to_json_value(getattr(value, f.name)) for f in fields(value)}
    return [to_json_value(each) for each in value]


def dump_json(obj: Any) -> str:
    """Return compact JSON on one line, in ASCII."""
    return json.dumps(obj, separators=(",", ":"), allow_nan=False)


def print_json(line: Mapping[str, Any]) -> None:
    """Write one line of JSON and flush it. Raises CompanionError if that fails."""
    try:
        sys.stdout.write(dump_json(line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise CompanionError(f"Cannot write the answer: {error.strerror}.") from error


def answer_referee_line(game: Game[Any], past: History[Any], line: str | bytes) -> tuple[History[Any], dict[str, Any]]:
    """Process one line of `companion referee`: return the new history and the answer. Never raises for bad input."""
    try:
        move = read_move(parse_json(line))
        past, step = advance(game, past, move)
    except CompanionError as refusal:
        return past, {"ok": False, "error": str(refusal)}
    shown = {**game.view(step.state), **step.notes}
    ruling = None if isinstance(move, Undo) else game.judge(game, past, "")
    if ruling is not None:
        shown["ruling"] = describe_ruling(ruling)
    return past, {"ok": True, "awards": to_json_value(step.awards)} | to_json_value(shown)


def describe_ruling(ruling: Ruling[Any]) -> dict[str, Any]:
    return {name: getattr(ruling, name) for name in ("rule", "side", "say", "moves")}


def encode_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """Return the JSON form of a snapshot, as docs/reference/http.md describes it."""
    return {
        "number": snapshot.number,
        "run": snapshot.run,
        "moves": snapshot.moves,
        "game": to_json_value(snapshot.game),
        "board": snapshot.board,
        "settings": to_json_value(snapshot.settings),
        "players": to_json_value(snapshot.players),
        **to_json_value(snapshot.view),
        "last": to_json_value(snapshot.last),
        "pegs": to_json_value(snapshot.pegs),
        "dues": to_json_value(snapshot.dues),
        "advice": [encode_advice(advice) for advice in snapshot.advice],
        "question": to_json_value(snapshot.question),
        "devices": to_json_value(snapshot.devices),
        "notices": [_encode_notice(notice) for notice in snapshot.notices],
        "trouble": snapshot.trouble,
        "remark": snapshot.remark,
        "quarantined": to_json_value(snapshot.quarantined),
        **({} if snapshot.dice is None else {"dice": to_json_value(snapshot.dice.faces)}),
        **({} if snapshot.markers is None else {"markers": to_json_value(snapshot.markers)}),
    }


def encode_advice(advice: Advice) -> dict[str, Any]:
    """Return one advice without the fields that do not apply. Traces use it too."""
    values: dict[str, Any] = to_json_value(advice)
    return {name: value for name, value in values.items() if value is not None or name == "seat"}


def _encode_notice(notice: Notice) -> dict[str, Any]:
    return {"id": notice.id, "kind": notice.kind, "from": notice.source, "say": notice.say}


def _check_nesting_and_text(text: str, value: object) -> None:
    """Raise BadMove for values nested too deeply and for text with half a surrogate pair."""
    if text.isascii() and "\\" not in text and text.count("[") + text.count("{") <= _MAX_NESTING:
        return  # neither is possible in such a text, and nearly all are such
    stack = [(value, 1)]
    while stack:
        each, depth = stack.pop()
        if isinstance(each, str) and not each.isascii() and any("\ud800" <= letter <= "\udfff" for letter in each):
            raise BadMove("The text contains half a character.")
        if isinstance(each, dict | list):
            if depth > _MAX_NESTING:
                raise BadMove("The JSON is nested too deeply.")
            children = [*each.keys(), *each.values()] if isinstance(each, dict) else each
            stack += [(inner, depth + 1) for inner in children]


def _read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these fields. A repeated field is refused, because programs differ in which one counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadMove("The JSON has the same field twice.")
    return found


def _parse_integer(digits: str) -> int:
    if len(digits) > _MAX_INTEGER_DIGITS:
        raise BadMove("A number is too large.")
    return int(digits)


def _parse_float(digits: str) -> float:
    if len(digits) > 2 * _MAX_INTEGER_DIGITS or abs(number := float(digits)) == float("inf"):
        raise BadMove("A number is too large.")
    return number


def _refuse_nan(_: str) -> NoReturn:
    raise BadMove("NaN is not allowed.")


_MOVES_BY_KIND: Mapping[str, type[Move]] = {made.kind: made for made in MOVES}
_DECODER = json.JSONDecoder(
    object_pairs_hook=_read_pairs, parse_int=_parse_integer, parse_float=_parse_float, parse_constant=_refuse_nan
)
