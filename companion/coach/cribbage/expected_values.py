"""Exact means of hand and crib for each discard of six cards, over all unseen cards. Pure.

Hand: one look-up per discard and the sum over its starters. Crib: the points of the ranks are summed over all 15,180
threes of unseen cards at once, by inclusion and exclusion over the six known cards, on tables by rank (Σ over A ⊂
known, |A| ≤ 3, of (−1)^|A| × the sum over all threes of the pack that contain A). His nobs and flushes, which depend on
suits, are counted in closed form.
"""

from array import array
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import NamedTuple

from companion.coach.cribbage.ranks import points_with_starters, ranks_of
from companion.common.errors import BadCard
from companion.rules.cards import JACK, PACK, Card
from companion.rules.scoring import points_by_starter, score_ranks

UNSEEN_CARDS = 46
"""Cards that a player of six has not seen: the possible starters."""
UNSEEN_PAIRS = 990
"""Pairs of the other 45 cards: the rest of the crib."""

_KNOWN_RANKS = [ranks for size in range(4) for ranks in combinations_with_replacement(range(13), size)]
_KNOWN_INDEX = {ranks: place for place, ranks in enumerate(_KNOWN_RANKS)}


class DiscardValue(NamedTuple):
    """Cards to discard and to keep, with the exact means of the hand and of the crib."""

    discard: tuple[Card, Card]
    kept: tuple[Card, Card, Card, Card]
    hand: float
    crib: float


def compute_discard_values(held: Sequence[Card]) -> list[DiscardValue]:
    """Return all fifteen discards of six cards. The dealer maximises hand + crib, pone hand − crib.

    Raises BadCard unless there are six different cards.
    """
    if len(held) != 6 or len(set(held)) != 6:
        raise BadCard("A hand before the discard has six different cards.")
    ranks = sorted(c.rank for c in held)
    terms = itemgetter(*(_KNOWN_INDEX[known] for size in range(4) for known in combinations(ranks, size)))
    starters = itemgetter(*held)
    suits = [13 - sum(c.suit == suit for c in held) for suit in range(4)]
    nobs = _unseen_nobs(held, suits)
    found = []
    for discard in combinations(held, 2):
        a, b, c, d = kept = tuple(c for c in held if c not in discard)
        leaf = points_by_starter(kept)
        hand = (sum(leaf) - sum(starters(leaf))) / UNSEEN_CARDS
        crib = 3 * sum(terms(_signed_sums(discard[0].rank, discard[1].rank))) + nobs + _suit_points(discard, suits)
        found.append(DiscardValue(discard, (a, b, c, d), hand, crib / (UNSEEN_CARDS * UNSEEN_PAIRS)))
    return found


def _suit_points(discard: tuple[Card, Card], suits: Sequence[int]) -> int:
    """Return points summed over all cribs: his nobs for a discarded jack, and flushes if both cards are of one suit."""
    points = sum(suits[c.suit] * UNSEEN_PAIRS for c in discard if c.rank == JACK)
    if discard[0].suit == discard[1].suit:
        n = suits[discard[0].suit]
        points += 5 * 3 * (n * (n - 1) * (n - 2) // 6)
    return points


def _unseen_nobs(held: Sequence[Card], suits: Sequence[int]) -> int:
    """Return points summed over all cribs: his nobs for a jack among the two unseen cards."""
    mine = {c.suit for c in held if c.rank == JACK}
    return sum(44 * (n - 1) for suit, n in enumerate(suits) if suit not in mine)


@cache
def _signed_sums(one: int, other: int) -> Sequence[int]:
    """Return ± the sum over all threes with certain known cards, in the order of `_KNOWN_RANKS`.

    A three is the two unseen cards of the crib and the starter; their order does not matter for points by rank.
    """
    three: dict[tuple[int, ...], int] = {
        ranks: score_ranks(sorted((one, other, *ranks))) for ranks in _KNOWN_RANKS if len(ranks) == 3
    }

    def count_left(rank: int, *known: int) -> int:
        return 4 - known.count(rank)

    sums = dict(three)
    for a, b in _KNOWN_PAIRS:
        sums[a, b] = sum(count_left(z, a, b) * three[_sorted_ranks(a, b, z)] for z in range(13))
    for a in range(13):
        sums[(a,)] = sum(count_left(y, a) * sums[_sorted_ranks(a, y)] for y in range(13)) // 2
    sums[()] = sum(4 * sums[(a,)] for a in range(13)) // 3
    return array("i", [-sums[ranks] if len(ranks) % 2 else sums[ranks] for ranks in _KNOWN_RANKS])


def _sorted_ranks(*ranks: int) -> tuple[int, ...]:
    return tuple(sorted(ranks))


_KNOWN_PAIRS = [ranks for ranks in _KNOWN_RANKS if len(ranks) == 2]


def hand_points_by_starter(kept: Sequence[Card]) -> Sequence[int]:
    """Return the points of a hand of three or four cards, by starter.

    The entries of the hand's own cards have no meaning.
    """
    by_rank = points_with_starters(ranks_of(kept))  # the tree of `points_by_starter` would take longer to build
    points = [by_rank[starter.rank] for starter in PACK]
    if len({card.suit for card in kept}) == 1:
        points = [base + len(kept) + (starter.suit == kept[0].suit) for base, starter in zip(points, PACK, strict=True)]
    for jack in kept:
        if jack.rank == JACK:
            for starter in PACK[jack.suit :: 4]:
                points[starter] += 1
    return points
