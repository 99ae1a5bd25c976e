"""Hands without suits: sorted tuples of ranks, from 0 (ace) to 12 (king). Pure.

In the play only ranks count, and for most of a hand's points too. There are 1,820 such hands of four, and 91 pairs.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb

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
    """Return the sorted ranks of some cards."""
    return tuple(sorted([card >> 2 for card in cards]))


def count_ranks(ranks: Iterable[int]) -> list[int]:
    """Return the number of cards of each rank."""
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


@cache
def points_with_starters(ranks: Ranks) -> bytes:
    """Return the points of these sorted ranks with each of the 13 ranks as starter: fifteens, pairs and runs.

    As bytes, because the cache holds up to 1,820 of them.
    """
    return bytes(score_ranks(sorted((*ranks, starter))) for starter in range(13))
