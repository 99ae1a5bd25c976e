"""The JSON fields of moves: one table of functions that read them. No I/O.

Input is not trusted, and error messages never repeat it. docs/reference/moves.md describes the moves.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.common.errors import BadCard, BadMove
from companion.rules.cards import RANKS, SUITS, Card, parse_card
from companion.rules.moves import UNPEGGED_HEELS, AdjustmentPart
from companion.rules.rulings import infringement_names
from companion.rules.sackson.grid import COLOURS

JsonSchema = Mapping[str, Any]
"""A JSON Schema."""


FieldReader = Callable[[object, str], Any]
"""Converts the JSON value of a field, or raises BadMove with the field's name."""

CARD_SCHEMA: JsonSchema = {"type": "string", "pattern": f"^(?:[{RANKS}]|10)[{SUITS}]$"}
"""The schema of a card."""


def integer_field(low: int, high: int) -> FieldReader:
    """A JSON integer from `low` to `high`. `true` and `1.0` are refused."""

    def read(value: object, name: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadMove("The {name} must be a whole number from {low} to {high}.", name=name, low=low, high=high)
        return value

    return read


def _read_boolean(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise BadMove("The field {name} must be true or false.", name=name)
    return value


def _read_evidence(value: object, name: str) -> str:
    if value not in ("", UNPEGGED_HEELS):
        raise BadMove("The field {name} must be heels.", name=name)
    return str(value)


def _read_infringement(value: object, name: str) -> str:
    if value not in infringement_names():
        raise BadMove("The field {name} must be the name of an infringement.", name=name)
    return str(value)


def list_field(read_one: FieldReader, least: int, most: int) -> FieldReader:
    """A JSON list of `least` to `most` values that `read_one` reads."""

    def read(value: object, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            size = f"{least} to {most}" if least < most else str(least)
            raise BadMove("The {name} must be a list of {size}.", name=name, size=size)
        return tuple(read_one(each, name) for each in value)

    return read


def _read_card(value: object, name: str) -> Card:
    if not isinstance(value, str):
        raise BadMove("The {name} must be a card such as 5H.", name=name)
    try:
        return parse_card(value)
    except BadCard as refusal:
        raise BadMove(str(refusal)) from None


def _read_colour(value: object, name: str) -> str:
    if not isinstance(value, str) or value not in COLOURS:
        raise BadMove("The {name} must be one of {colours}.", name=name, colours=", ".join(COLOURS))
    return value


def _read_cell(value: object, name: str) -> tuple[int, ...]:
    try:
        return tuple(_read_row_and_column(value, name))
    except BadMove:
        which = name if name == "cell" else f"cell {name}"
        raise BadMove("The {which} must be a row and a column, each a whole number from 0 to 4.", which=which) from None


def _read_adjustment_part(value: object, name: str) -> AdjustmentPart:
    if not isinstance(value, dict) or not _ADJUSTMENT_PART_FIELDS.keys() <= value.keys():
        raise BadMove(
            "Each of {name} must be an object with a {join}.", name=name, join=" and ".join(_ADJUSTMENT_PART_FIELDS)
        )
    return AdjustmentPart(**{each: read(value[each], each) for each, read in _ADJUSTMENT_PART_FIELDS.items()})


_read_row_and_column = list_field(integer_field(0, 4), 2, 2)
_read_seat, _read_points = integer_field(0, 4), integer_field(-1000, 1000)
_ADJUSTMENT_PART_FIELDS = {"seat": _read_seat, "points": _read_points}

MOVE_FIELDS: Mapping[str, FieldReader] = {
    "seat": _read_seat, "points": _read_points, "also": list_field(_read_adjustment_part, 1, 4),
    "base": integer_field(1, 3), "dice": list_field(integer_field(1, 6), 1, 2),
    "card": _read_card, "to": _read_card, "starter": _read_card, "cards": list_field(_read_card, 1, 16),
    "chip": _read_colour, "chips": list_field(_read_colour, 1, 2), "colours": list_field(_read_colour, 25, 25),
    "accept": _read_boolean, "what": _read_infringement, "seen": _read_evidence,
    "a": _read_cell, "b": _read_cell, "cell": _read_cell,
}  # fmt: skip
"""How each field is read. A field has the same type in every move."""
