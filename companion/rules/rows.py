"""Rows of values, by seat, side or cell: a change makes a new row. Pure."""

from typing import TypeVar

T = TypeVar("T")


def put(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The row with another value in one place."""
    return (*row[:place], value, *row[place + 1 :])


def plus(row: tuple[int, ...], place: int, points: int) -> tuple[int, ...]:
    """The row with so many points more, or fewer, in one place."""
    return put(row, place, row[place] + points)
