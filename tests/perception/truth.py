"""What is true of a story, whatever is read of it: what each hand did, what it meant, where the pegs are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

FOREVER = 10**9
"""Later than any story ends, in milliseconds."""
Line = Mapping[str, Any]
"""A line of a recording but for its time. `{"answer": True}` is the last choice of the question that is asked then."""


class Fault(NamedTuple):
    """A sensor that shows nothing but one level from a moment on, until another."""

    begin_ms: int
    end_ms: int
    hole: int
    on: bool


class Edge(NamedTuple):
    """A hole filled or emptied. `act` is the number of the meant act that it belongs to, 0 where no hand did it."""

    ms: int
    hole: int
    on: bool
    act: int


@dataclass(frozen=True)
class Meant:
    """What a hand meant: `pegged` or `undone` by a seat, `started`; or what follows: `told`, `asked`,
    `quarantined`, `taken`.

    `touched`: so long, in ms, did the peg rest in other holes on its way, the longest time; 0 where in none. `other`
    is the hole of the seat's other peg. `by_ms` is when it must be known at the latest, if not by the quiet time.
    `taken`: the seat's score is set to what its pegs say, by so many points, by the answer that is given at `by_ms`.
    `perhaps`: the holes do not tell that it was done.
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
    """Where a seat's pegs truly are, in holes and in points."""

    back: int
    front: int
    back_points: int
    front_points: int

    @property
    def pegs(self) -> tuple[int, int]:
        """The two holes, the back peg's first."""
        return self.back, self.front
