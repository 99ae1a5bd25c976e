"""Hands without their suits: sorted tuples of ranks, 0 for the ace to 12 for the king. Pure.

In the play only ranks count, and most of a show does. There are 1,820 such hands of four, and 91 pairs to throw.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb

from companion.rules.scoring_tables import rank_points

Ranks = tuple[int, ...]

VALUES = tuple(min(rank + 1, 10) for rank in range(13))
"""What a card of each rank counts in the play."""

FOURS: tuple[Ranks, ...] = tuple(combinations_with_replacement(range(13), 4))
"""Every hand of four, in order."""
THREES: tuple[Ranks, ...] = tuple(combinations_with_replacement(range(13), 3))
"""Every hand of three, as five-card cribbage keeps them."""
PAIRS: tuple[Ranks, ...] = tuple(combinations_with_replacement(range(13), 2))
"""Every two cards to throw."""
PLACE_OF_PAIR = {pair: place for place, pair in enumerate(PAIRS)}


def of(cards: Iterable[int]) -> Ranks:
    """The sorted ranks of some cards."""
    return tuple(sorted([card >> 2 for card in cards]))


def counted(ranks: Iterable[int]) -> list[int]:
    """How many there are of each rank."""
    counts = [0] * 13
    for rank in ranks:
        counts[rank] += 1
    return counts


def ways(ranks: Sequence[int], left: Sequence[int]) -> int:
    """In how many ways these ranks can be had where `left` cards of each rank are to be had."""
    found = 1
    for rank in set(ranks):
        found *= comb(left[rank], ranks.count(rank))
    return found


@cache
def with_starters(ranks: Ranks) -> tuple[int, ...]:
    """The points that these sorted ranks make with each of the 13 ranks as starter: fifteens, pairs and runs."""
    return tuple(rank_points(sorted((*ranks, starter))) for starter in range(13))
