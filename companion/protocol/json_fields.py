"""The JSON fields of moves: one table that both validates them and describes them as JSON Schema. No I/O.

Input is not trusted, and error messages never repeat it. docs/reference/moves.md describes the moves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.common.errors import BadCard, BadMove
from companion.rules.cards import RANKS, SUITS, Card, parse_card
from companion.rules.infringements import INFRINGEMENTS
from companion.rules.moves import UNPEGGED_HEELS, AdjustmentPart
from companion.rules.sackson.grid import COLOURS

JsonSchema = Mapping[str, Any]
"""A JSON Schema."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a move. `read(value, name)` converts a JSON value or raises BadMove; `schema` describes it."""

    read: Callable[[object, str], Any]
    schema: JsonSchema


def integer_field(low: int, high: int) -> FieldSpec:
    """A JSON integer from `low` to `high`. `true` and `1.0` are refused."""

    def read(value: object, name: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadMove("The {name} must be a whole number from {low} to {high}.", name=name, low=low, high=high)
        return value

    return FieldSpec(read, {"type": "integer", "minimum": low, "maximum": high})


def _read_boolean(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise BadMove("The field {name} must be true or false.", name=name)
    return value


def _read_evidence(value: object, name: str) -> str:
    if value not in ("", UNPEGGED_HEELS):
        raise BadMove("The field {name} must be heels.", name=name)
    return str(value)


def _read_infringement(value: object, name: str) -> str:
    if value not in INFRINGEMENTS:
        raise BadMove("The field {name} must be the name of an infringement.", name=name)
    return str(value)


def list_field(one: FieldSpec, least: int, most: int) -> FieldSpec:
    """A JSON list of `least` to `most` values of the field `one`."""

    def read(value: object, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            size = f"{least} to {most}" if least < most else str(least)
            raise BadMove("The {name} must be a list of {size}.", name=name, size=size)
        return tuple(one.read(each, name) for each in value)

    return FieldSpec(read, {"type": "array", "items": one.schema, "minItems": least, "maxItems": most})


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
        return tuple(_ROW_AND_COLUMN.read(value, name))
    except BadMove:
        which = name if name == "cell" else f"cell {name}"
        raise BadMove("The {which} must be a row and a column, each a whole number from 0 to 4.", which=which) from None


def _read_adjustment_part(value: object, name: str) -> AdjustmentPart:
    if not isinstance(value, dict) or not _ADJUSTMENT_PART_FIELDS.keys() <= value.keys():
        raise BadMove(
            "Each of {name} must be an object with a {join}.", name=name, join=" and ".join(_ADJUSTMENT_PART_FIELDS)
        )
    return AdjustmentPart(**{each: field.read(value[each], each) for each, field in _ADJUSTMENT_PART_FIELDS.items()})


CARD_FIELD = FieldSpec(_read_card, {"type": "string", "pattern": f"^(?:[{RANKS}]|10)[{SUITS}]$"})
COLOUR_FIELD = FieldSpec(_read_colour, {"enum": COLOURS})
_ROW_AND_COLUMN = list_field(integer_field(0, 4), 2, 2)
CELL_FIELD = FieldSpec(_read_cell, _ROW_AND_COLUMN.schema)
SEAT_FIELD, POINTS_FIELD = integer_field(0, 4), integer_field(-1000, 1000)
_ADJUSTMENT_PART_FIELDS = {"seat": SEAT_FIELD, "points": POINTS_FIELD}
ADJUSTMENT_PART_FIELD = FieldSpec(
    _read_adjustment_part,
    {
        "type": "object",
        "properties": {name: field.schema for name, field in _ADJUSTMENT_PART_FIELDS.items()},
        "required": [*_ADJUSTMENT_PART_FIELDS],
    },
)

MOVE_FIELDS: Mapping[str, FieldSpec] = {
    "seat": SEAT_FIELD, "points": POINTS_FIELD, "also": list_field(ADJUSTMENT_PART_FIELD, 1, 4),
    "base": integer_field(1, 3), "dice": list_field(integer_field(1, 6), 1, 2),
    "card": CARD_FIELD, "to": CARD_FIELD, "starter": CARD_FIELD, "cards": list_field(CARD_FIELD, 1, 16),
    "chip": COLOUR_FIELD, "chips": list_field(COLOUR_FIELD, 1, 2), "colours": list_field(COLOUR_FIELD, 25, 25),
    "accept": FieldSpec(_read_boolean, {"type": "boolean"}),
    "what": FieldSpec(_read_infringement, {"enum": [*INFRINGEMENTS]}),
    "seen": FieldSpec(_read_evidence, {"enum": ["", UNPEGGED_HEELS]}),
    "a": CELL_FIELD, "b": CELL_FIELD, "cell": CELL_FIELD,
}  # fmt: skip
"""The fields by name. A field has the same type in every move."""
