"""What a board file gives, looked at before it is believed: each miss is a BoardError with one sentence. Pure."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from companion.board.shape.geometry import Point
from companion.errors import BoardError

FURTHEST = 10_000
"""Millimetres or degrees: no number in a board file is beyond."""


def known(table: Any, what: str, keys: set[str], *needed: str) -> Mapping[str, Any]:
    """The table, if it has all that is needed, and no key that means nothing."""
    if not isinstance(table, dict):
        raise BoardError(f"{what} is a table.")
    for key in table:
        if key not in keys:
            near = get_close_matches(key, sorted(keys), n=1, cutoff=0)[0]
            raise BoardError(f"{what} has no {key!r}; the nearest is {near!r}.")
    missing = next((key for key in needed if key not in table), None)
    if missing:
        raise BoardError(f"{what} needs its {missing}.")
    return table


def some(given: Any, what: str) -> list[Any]:
    """A list, and not an empty one."""
    if not isinstance(given, list) or not given:
        raise BoardError(f"{what} must be a list, and not an empty one.")
    return given


def whole(table: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number within bounds."""
    value = table.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise BoardError(f"{key} is a whole number from {low} to {high}.")
    return value


def number(value: Any, what: str) -> float:
    """A number, not too large."""
    if type(value) not in (int, float) or not abs(value) <= FURTHEST:  # a `nan` is within no bounds
        raise BoardError(f"{what} is a number from {-FURTHEST} to {FURTHEST}.")
    return float(value)


def point(given: Any) -> Point:
    """A point: two numbers, in millimetres."""
    x, y = two(given, "a point is two numbers, in millimetres.")
    return Point(number(x, "an x"), number(y, "a y"))


def two(given: Any, say: str) -> list[Any]:
    """A list of two."""
    if not isinstance(given, list) or len(given) != 2:
        raise BoardError(say)
    return given
