"""Hands without suits, numbers for them, and the states of the play. Pure.

In the play only ranks count, and for most of a hand's points too. A hand is a sorted tuple of ranks, from 0 (ace) to
12 (king); there are 1,820 of four cards, and 91 pairs. A search handles numbers faster than tuples. Small hands come
first there: 0 has no card, and 1 to 13 have one, so the beginning of a row has the entries of all hands up to a
certain size (`ROW_LENGTHS`).

A state is what still matters of a series: the count, and the last cards as far as they can form pairs or runs. Their
graph is in the file `tables/play-states.bin` (`make tables`).
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate, combinations_with_replacement
from math import comb
from typing import NamedTuple

from companion.rules.scoring import score_ranks

Ranks = tuple[int, ...]

RANK_VALUES = tuple(min(rank + 1, 10) for rank in range(13))
"""Value of each rank in the count."""

HANDS_OF_FOUR: tuple[Ranks, ...] = tuple(combinations_with_replacement(range(13), 4))
"""Every hand of four, in order."""
HANDS_OF_THREE: tuple[Ranks, ...] = tuple(combinations_with_replacement(range(13), 3))
"""Every hand of three, as kept in five-card cribbage."""
RANK_PAIRS: tuple[Ranks, ...] = tuple(combinations_with_replacement(range(13), 2))
"""Every two ranks to discard."""
PAIR_INDEX = {pair: place for place, pair in enumerate(RANK_PAIRS)}


def ranks_of(cards: Iterable[int]) -> Ranks:
    return tuple(sorted([card >> 2 for card in cards]))


def count_ranks(ranks: Iterable[int]) -> list[int]:
    counts = [0] * 13
    for rank in ranks:
        counts[rank] += 1
    return counts


def count_ways(ranks: Sequence[int], left: Sequence[int]) -> int:
    """Return the number of ways to draw these ranks if `left` cards of each rank are left."""
    found = 1
    for rank in set(ranks):
        found *= comb(left[rank], ranks.count(rank))
    return found


def weigh_discards(shares: Sequence[float], left: Sequence[int]) -> list[float]:
    """Return how likely each discard (`RANK_PAIRS`) is if `left` cards of each rank are left.

    :param shares: how often each is discarded from a full pack.
    """
    return [
        share and share * count_ways(pair, left) / count_ways(pair, _FULL_PACK)
        for pair, share in zip(RANK_PAIRS, shares, strict=True)
    ]


_FULL_PACK = (4,) * 13


@cache
def points_with_starters(ranks: Ranks) -> bytes:
    """Return the points of these sorted ranks with each of the 13 ranks as starter: fifteens, pairs and runs.

    As bytes, because the cache holds up to 1,820 of them.
    """
    return bytes(score_ranks(sorted((*ranks, starter))) for starter in range(13))


HANDS: tuple[Ranks, ...] = tuple(hand for size in range(5) for hand in combinations_with_replacement(range(13), size))
"""Every hand, by its number."""
HAND_NUMBERS = {hand: number for number, hand in enumerate(HANDS)}
ROW_LENGTHS = tuple(accumulate(comb(12 + size, size) for size in range(5)))
"""Number of hands with at most 0, 1, 2, 3 and 4 cards."""
HAND_SIZES = bytes(map(len, HANDS))
"""Number of cards of each hand."""
HAS_NO_CHOICE = bytes(len(set(hand)) < 2 for hand in HANDS)
"""Whether all cards of each hand have the same rank."""


def _remove_ranks(hand: Ranks) -> tuple[tuple[int, int], ...]:
    return tuple(
        (rank, HAND_NUMBERS[hand[:place] + hand[place + 1 :]])
        for place, rank in enumerate(hand)
        if rank not in hand[:place]
    )


OPTIONS = tuple(map(_remove_ranks, HANDS))
"""By hand: each different rank in it, and the number of the hand without that card."""
DIFFERENT_RANKS = tuple(tuple(rank for rank, _ in options) for options in OPTIONS)
"""The different ranks of each hand."""
HANDS_WITHOUT = tuple(dict(options) for options in OPTIONS)
"""By hand and rank: the number of the hand without a card of that rank."""
RANK_BITS = tuple(sum(1 << rank for rank in ranks) for ranks in DIFFERENT_RANKS)
"""A bit for each different rank of each hand."""


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
