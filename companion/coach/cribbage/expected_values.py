"""What each discard is worth: the exact means of hand and crib over all that is unseen. Pure.

The hand: one look-up a discard, and the sum over its starters. The crib: the points that ranks make are summed
over all 15,180 threes of unseen cards at once, by inclusion and exclusion over the six known cards, on tables by
rank (Σ over A ⊂ known, |A| ≤ 3, of (−1)^|A| × the sum over all threes of the pack that hold A); his nobs and
the flush, which suits decide, are counted in closed form.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import NamedTuple

from companion.coach.cribbage.ranks import of, with_starters
from companion.common.errors import BadCard
from companion.rules.cards import JACK, PACK, Card
from companion.rules.scoring import by_starter
from companion.rules.scoring_tables import rank_points

UNSEEN = 46
"""Cards that a player of six has not seen: any may be the starter."""
PAIRS = 990
"""Pairs among the 45 others: the rest of the crib."""

_KNOWN = [ranks for size in range(4) for ranks in combinations_with_replacement(range(13), size)]
_PLACE = {ranks: place for place, ranks in enumerate(_KNOWN)}


class Discard(NamedTuple):
    """What to throw and what to keep, with the exact means of the hand and of the crib."""

    thrown: tuple[Card, Card]
    kept: tuple[Card, Card, Card, Card]
    hand: float
    crib: float


def discards(held: Sequence[Card]) -> list[Discard]:
    """All fifteen discards of six cards; the dealer wants hand + crib, pone hand − crib.

    Raises BadCard unless there are six different cards.
    """
    if len(held) != 6 or len(set(held)) != 6:
        raise BadCard("A hand to discard from has six different cards.")
    ranks = sorted(c.rank for c in held)
    terms = itemgetter(*(_PLACE[known] for size in range(4) for known in combinations(ranks, size)))
    starters = itemgetter(*held)
    suits = [13 - sum(c.suit == suit for c in held) for suit in range(4)]
    drawn_nobs = _drawn_nobs(held, suits)
    found = []
    for thrown in combinations(held, 2):
        a, b, c, d = kept = tuple(c for c in held if c not in thrown)
        leaf = by_starter(kept)
        hand = (sum(leaf) - sum(starters(leaf))) / UNSEEN
        crib = 3 * sum(terms(_signed(thrown[0].rank, thrown[1].rank))) + drawn_nobs + _of_suits(thrown, suits)
        found.append(Discard(thrown, (a, b, c, d), hand, crib / (UNSEEN * PAIRS)))
    return found


def _of_suits(thrown: tuple[Card, Card], suits: Sequence[int]) -> int:
    """Summed over all cribs: his nobs for a jack thrown, and the flush of five where both are of one suit."""
    points = sum(suits[c.suit] * PAIRS for c in thrown if c.rank == JACK)
    if thrown[0].suit == thrown[1].suit:
        n = suits[thrown[0].suit]
        points += 5 * 3 * (n * (n - 1) * (n - 2) // 6)
    return points


def _drawn_nobs(held: Sequence[Card], suits: Sequence[int]) -> int:
    """Summed over all cribs: his nobs for a jack among the two unseen cards, with any of 44 beside it."""
    mine = {c.suit for c in held if c.rank == JACK}
    return sum(44 * (n - 1) for suit, n in enumerate(suits) if suit not in mine)


@cache
def _signed(one: int, other: int) -> tuple[int, ...]:
    """By the ranks of up to three known cards, as in `_KNOWN`: ± the sum over all threes that hold such cards.

    A three is two more cards of the crib and the starter; which is which does not matter to the ranks.
    """
    three: dict[tuple[int, ...], int] = {
        ranks: rank_points(sorted((one, other, *ranks))) for ranks in _KNOWN if len(ranks) == 3
    }

    def left(rank: int, *known: int) -> int:
        return 4 - known.count(rank)

    sums = dict(three)
    for a, b in _KNOWN_TWO:
        sums[a, b] = sum(left(z, a, b) * three[_sorted(a, b, z)] for z in range(13))
    for a in range(13):
        sums[(a,)] = sum(left(y, a) * sums[_sorted(a, y)] for y in range(13)) // 2
    sums[()] = sum(4 * sums[(a,)] for a in range(13)) // 3
    return tuple(-sums[ranks] if len(ranks) % 2 else sums[ranks] for ranks in _KNOWN)


def _sorted(*ranks: int) -> tuple[int, ...]:
    return tuple(sorted(ranks))


_KNOWN_TWO = [ranks for ranks in _KNOWN if len(ranks) == 2]


def shown(kept: Sequence[Card]) -> Sequence[int]:
    """By starter: the points. The entries of the hand's own cards mean nothing."""
    if len(kept) == 4:
        return by_starter(kept)
    points = with_starters(of(kept))
    flush = len(kept) if len({card.suit for card in kept}) == 1 else 0
    jacks = {card.suit for card in kept if card.rank == JACK}
    return [
        points[starter.rank]
        + flush
        + (flush > 0 and starter.suit == kept[0].suit)
        + (starter.suit in jacks and starter.rank != JACK)
        for starter in PACK
    ]
