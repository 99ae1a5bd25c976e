"""States of the play, with the points of each rank in each state, and a cache of what was computed for them. Pure.

A state is what still matters of a series: the count, and the last cards as far as they can form pairs or runs. Their
graph is in the file `tables/play-states.bin` (`make tables`). A state is created when it is first reached, and stores
what the rollout policy chose in it.
"""

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

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
    score with it after that (weighted, `tests/arena/generators/play_worths.py`)."""


@cache
def load_graph() -> PlayGraph:
    """Return the graph."""
    data = memoryview(files("companion.coach").joinpath("tables", "play-states.bin").read_bytes())
    number = len(data) // _ROW_BYTES
    steps, counts = 3 * RANK_COUNT * number, (3 * RANK_COUNT + 1) * number
    after, points = data[: 2 * RANK_COUNT * number], data[2 * RANK_COUNT * number : steps]
    return PlayGraph(after.cast("H"), points, data[steps:counts], data[counts:].cast("H"))


Step = tuple[int, "PlayState"]


class PlayState:
    """A series as far as it matters."""

    __slots__ = ("_steps", "choices", "count", "number")

    def __init__(self, number: int, count: int) -> None:
        self.number = number
        self.count = count
        self.reset()

    def reset(self) -> None:
        """Clear everything computed for this state."""
        self._steps: dict[int, Step | None] = {}
        self.choices: list[dict[Ranks, Any]] = [NO_CHOICES] * 5

    def step(self, rank: int) -> Step | None:
        """Return the points of a card of this rank and the next state; None if it would take the count over 31."""
        try:
            return self._steps[rank]
        except KeyError:
            graph, place = load_graph(), self.number * RANK_COUNT + rank
            after = graph.after[place]
            found = None if after == NO_STATE else (graph.points[place], get_state(after))
            self._steps[rank] = found
            return found


NO_CHOICES: dict[Ranks, Any] = {}
"""Initial value of a state's choices. Never written to."""

_STATES: dict[int, PlayState] = {}
_choice_count = 0
_MAX_CHOICES = 50_000
"""Choices in the cache. Beyond that, a third are dropped, and computed again when they are needed."""
_MAX_STATES = 5_000
"""States in the cache, reached within minutes. Beyond that, all but the start are dropped and created again."""


def get_state(number: int) -> PlayState:
    """Return the state with this number."""
    found = _STATES.get(number)
    if found is None:
        if len(_STATES) >= _MAX_STATES:
            clear_states()
        found = _STATES[number] = PlayState(number, load_graph().counts[number])
    return found


@cache
def share_hand(hand: Ranks) -> Ranks:
    """Return the one tuple of these ranks that all choices share, to save memory."""
    return hand


@cache
def list_options(hand: Ranks) -> list[tuple[int, Ranks, Ranks]]:
    """Return each different rank of a sorted hand, the hand without it, and the different ranks of that."""
    found = []
    for rank in sorted(set(hand)):
        place = hand.index(rank)
        rest = share_hand(hand[:place] + hand[place + 1 :])
        found.append((rank, rest, tuple(set(rest))))
    return found


def store_choice(at: PlayState, hand: Ranks, others: int, choice: Any) -> None:
    """Store a choice of the rollout policy in a state, after making room for it if necessary."""
    global _choice_count  # noqa: PLW0603 - the size of the cache above
    if hand not in at.choices[others]:
        if _choice_count >= _MAX_CHOICES:
            _drop_choices()
        _choice_count += 1
    if at.choices[others] is NO_CHOICES:
        at.choices[others] = {}
    at.choices[others][hand] = choice


START = _STATES[0] = PlayState(0, 0)
"""State before the first card of a series."""


def _drop_choices() -> None:
    """Drop a third of the choices: those of the states that were created last. The first ones are used most."""
    global _choice_count  # noqa: PLW0603
    for state in reversed(_STATES.values()):
        if _choice_count <= _MAX_CHOICES * 2 // 3:
            break
        _choice_count -= sum(map(len, state.choices))
        state.choices = [NO_CHOICES] * 5


def clear_states() -> None:
    """Empty the cache. States that are still referenced stay valid."""
    global _choice_count  # noqa: PLW0603
    _choice_count = 0
    _STATES.clear()
    START.reset()
    _STATES[0] = START


def state_after(series: Ranks) -> PlayState:
    """Return the state after these ranks in the order played. Raises ValueError if they exceed 31."""
    at = START
    for rank in series:
        step = at.step(rank)
        if step is None:
            raise ValueError("No card may take the count over 31.")
        at = step[1]
    return at
