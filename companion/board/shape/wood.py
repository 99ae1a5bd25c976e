"""What a board is: its holes, the ways over them and the pixels of its dice. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Hole:
    """One hole. `seat` is None where seats share it; `number` is 0 (nearer) and −1 (farther) at the start."""

    bit: int
    pixel: int
    id: str
    track: str
    seat: int | None
    number: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Route:
    """A seat's way: its start holes (nearer, farther) and the hole of each point; on a loop `way` is one lap."""

    seat: int
    start: tuple[int, int]
    way: tuple[int, ...]
    loop: bool = False

    def hole(self, points: int, target: int) -> int:
        """The bit of the hole of so many points: −1 the farther start hole, 0 the nearer.

        On a loop the game's target, where it is one or two laps and one more, is the nearer start hole again.
        """
        if points <= 0:
            return self.start[-points]
        lap = len(self.way)
        if self.loop and points == target and target in (lap + 1, 2 * lap + 1):
            return self.start[0]
        return self.way[(points - 1) % lap]


class Pip(NamedTuple):
    """A pixel without a hole: one of a die's seven, or of the display's 25."""

    pixel: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Board:
    """A whole board. `holes` are in the order of their bits; `routes` go by the number of seats, none without a race.

    `dice` are of seven pips each: upper left and right, left, centre, right, lower left and right. `display` are 25
    pixels, row by row, or none.
    """

    name: str
    holes: tuple[Hole, ...]
    routes: Mapping[int, tuple[Route, ...]]
    dice: tuple[tuple[Pip, ...], ...] = ()
    display: tuple[Pip, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Hole]:
        """The holes by id."""
        return {hole.id: hole for hole in self.holes}

    @cached_property
    def pixels(self) -> int:
        """How many pixels the strip has."""
        bare = (pip.pixel for pips in (*self.dice, self.display) for pip in pips)
        return 1 + max(*bare, *(hole.pixel for hole in self.holes))
