"""The truth about a story: what each hand did and intended, and where the pegs are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

FOREVER = 10**9
"""A time in ms after the end of every story."""
Line = Mapping[str, Any]
"""A line of a recording without its time. `{"answer": True}` selects the last choice of the open question."""


class Fault(NamedTuple):
    """A sensor that shows only one level from `begin_ms` until `end_ms`."""

    begin_ms: int
    end_ms: int
    hole: int
    on: bool


class Edge(NamedTuple):
    """A change of a hole to filled or empty. `act` is the number of the action, 0 for a change without a hand."""

    ms: int
    hole: int
    on: bool
    act: int


@dataclass(frozen=True)
class Intent:
    """The intention of a hand, or an expected consequence.

    :param kind: `pegged` or `undone` by a seat, or `started`. Consequences: `advised`, `asked` (a question),
        `quarantined`, and `taken` (the answer at `by_ms` changes the seat's score by `points`).
    :param touched: longest rest in another hole on the way, in ms; 0 for none.
    :param other: hole of the seat's other peg.
    :param by_ms: latest time of the conclusion; None for the usual delays.
    :param perhaps: whether the holes do not show the action.
    """

    act: int
    kind: str
    seat: int | None
    points: int = 0
    origin: int = -1
    to: int = -1
    touched: int = 0
    other: int = -1
    by_ms: int | None = None
    perhaps: bool = False


class Place(NamedTuple):
    """The true placement of a seat's pegs, in holes and in points."""

    back: int
    front: int
    back_points: int
    front_points: int

    @property
    def pegs(self) -> tuple[int, int]:
        return self.back, self.front
