"""What may stand in each field of a move, in JSON: one table that both reads the moves and describes them. No I/O.

Reading believes nothing: whoever sends what is not described gets a sentence that never repeats what was sent. The
moves themselves are in `docs/reference/moves.md`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.common.errors import BadCard, BadMove
from companion.rules.cards import RANKS, SUITS, Card, card
from companion.rules.moves import Also
from companion.rules.sackson.grid import COLOURS

Schema = Mapping[str, Any]
"""A description in the words of JSON Schema."""


@dataclass(frozen=True, slots=True)
class Field:
    """`read` makes a move's value of a JSON value and the field's name, or raises BadMove; `schema` describes it."""

    read: Callable[[object, str], Any]
    schema: Schema


def whole(low: int, high: int) -> Field:
    """A JSON integer; `true` and `1.0` are none."""

    def read(value: object, name: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadMove("The {name} must be a whole number from {low} to {high}.", name=name, low=low, high=high)
        return value

    return Field(read, {"type": "integer", "minimum": low, "maximum": high})


def several(one: Field, least: int, most: int) -> Field:
    """A list."""

    def read(value: object, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            size = f"{least} to {most}" if least < most else str(least)
            raise BadMove("The {name} must be a list of {size}.", name=name, size=size)
        return tuple(one.read(each, name) for each in value)

    return Field(read, {"type": "array", "items": one.schema, "minItems": least, "maxItems": most})


def _card(value: object, name: str) -> Card:
    if not isinstance(value, str):
        raise BadMove("The {name} must be a card such as 5H.", name=name)
    try:
        return card(value)
    except BadCard as refusal:
        raise BadMove(str(refusal)) from None


def _colour(value: object, name: str) -> str:
    if not isinstance(value, str) or value not in COLOURS:
        raise BadMove("The {name} must be of {join}.", name=name, join=", ".join(COLOURS))
    return value


def _cell(value: object, name: str) -> tuple[int, ...]:
    try:
        return tuple(_PLACES.read(value, name))
    except BadMove:
        which = name if name == "cell" else f"cell {name}"
        raise BadMove("The {which} must be a row and a column, each a whole number from 0 to 4.", which=which) from None


def _also(value: object, name: str) -> Also:
    if not isinstance(value, dict) or not _PART.keys() <= value.keys():
        raise BadMove("Each of {name} must be an object with a {join}.", name=name, join=" and ".join(_PART))
    return Also(**{each: field.read(value[each], each) for each, field in _PART.items()})


CARD = Field(_card, {"type": "string", "pattern": f"^(?:[{RANKS}]|10)[{SUITS}]$"})
COLOUR = Field(_colour, {"enum": COLOURS})
_PLACES = several(whole(0, 4), 2, 2)
CELL = Field(_cell, _PLACES.schema)
SEAT, POINTS = whole(0, 4), whole(-1000, 1000)
_PART = {"seat": SEAT, "points": POINTS}
ALSO = Field(
    _also,
    {
        "type": "object",
        "properties": {name: field.schema for name, field in _PART.items()},
        "required": [*_PART],
    },
)

FIELDS: Mapping[str, Field] = {
    "seat": SEAT, "points": POINTS, "also": several(ALSO, 1, 4),
    "base": whole(1, 3), "dice": several(whole(1, 6), 1, 2),
    "card": CARD, "to": CARD, "starter": CARD, "cards": several(CARD, 1, 16),
    "chip": COLOUR, "chips": several(COLOUR, 1, 2), "colours": several(COLOUR, 25, 25),
    "a": CELL, "b": CELL, "cell": CELL,
}  # fmt: skip
"""By the name of a field, what may stand in it, whichever move has it."""
