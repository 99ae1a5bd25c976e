"""Numbers for the hands of up to four cards without suits, which a search handles faster than tuples. Pure.

Small hands come first: 0 has no card, and 1 to 13 have one. So the beginning of a row has the entries of all hands up
to a certain size (`ROW_LENGTHS`).
"""

from itertools import accumulate, combinations_with_replacement
from math import comb

from companion.coach.cribbage.ranks import Ranks

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
