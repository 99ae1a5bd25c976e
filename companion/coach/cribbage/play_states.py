"""States of the play, with the points of each rank in each state. Pure.

A state is what still matters of a series: the count, and the last cards as far as they can form pairs or runs. Their
graph is in the file `tables/play-states.bin` (`make tables`).
"""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from companion.coach.cribbage.ranks import Ranks

RANK_COUNT = 13
MAX_CARDS = 4
"""Largest number of cards in a hand."""
NO_STATE = 0xFFFF
"""Number of the state after a card that does not fit."""
WORTH_ENTRIES = RANK_COUNT + 1
WORTH_SCALE = 4096
"""The worths in the table are points times this."""
_ROW_BYTES = 3 * RANK_COUNT + 1 + 2 * MAX_CARDS * WORTH_ENTRIES


class PlayGraph(NamedTuple):
    """All states, by number; 0 is the start. The first two have an entry for each rank in each state."""

    after: memoryview
    """Number of the state after a card; `NO_STATE` if it does not fit. 31 leads to the start."""
    points: memoryview
    """Points of a card; 0 if it does not fit."""
    counts: memoryview
    """Count of each state."""
    worths: memoryview
    """What a card is worth that leads to a state, apart from its points: by state and number of cards of the opponent,
    from 1. The first entry is what the opponent is expected to score next, then by rank what the player is expected to
    score with it after that (weighted, `tests/plugins/arena/generators/play_worths.py`)."""


@cache
def load_graph() -> PlayGraph:
    """Return the graph."""
    data = memoryview(files("companion.coach").joinpath("tables", "play-states.bin").read_bytes())
    number = len(data) // _ROW_BYTES
    steps, counts = 3 * RANK_COUNT * number, (3 * RANK_COUNT + 1) * number
    after, points = data[: 2 * RANK_COUNT * number], data[2 * RANK_COUNT * number : steps]
    return PlayGraph(after.cast("H"), points, data[steps:counts], data[counts:].cast("H"))


class PlayState:
    """A series as far as it matters."""

    __slots__ = ("count", "number")

    def __init__(self, number: int, count: int) -> None:
        self.number = number
        self.count = count

    def step(self, rank: int) -> "tuple[int, PlayState] | None":
        """Return the points of a card of this rank and the next state; None if it would take the count over 31."""
        graph, place = load_graph(), self.number * RANK_COUNT + rank
        after = graph.after[place]
        return None if after == NO_STATE else (graph.points[place], get_state(after))


START = PlayState(0, 0)
"""State before the first card of a series."""


def get_state(number: int) -> PlayState:
    """Return the state with this number."""
    return PlayState(number, load_graph().counts[number]) if number else START


def state_after(series: Ranks) -> PlayState:
    """Return the state after these ranks in the order played. Raises ValueError if they exceed 31."""
    at = START
    for rank in series:
        step = at.step(rank)
        if step is None:
            raise ValueError("No card may take the count over 31.")
        at = step[1]
    return at
