"""The discards of the players of the generators: the best by the tables of hands, cribs and pegging."""

from functools import cache
from itertools import combinations

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import PAIR_INDEX, Ranks, points_with_starters
from companion.rules.cards import Card
from tests.plugins.arena.generators.deals import DEALER


def choose_hand(dealt: tuple[Card, ...], who: int) -> tuple[Card, ...]:
    left = list(dealt)
    for rank in _choose_discard(tuple(card.rank for card in dealt), who):
        left.remove(next(card for card in left if card.rank == rank))
    return tuple(left)


@cache
def _choose_discard(ranks: Ranks, who: int) -> Ranks:
    size, sign = len(ranks), 1 if who == DEALER else -1
    known = tables.load_tables("six-card" if size == 6 else "five-card")
    found = []
    for a, b in combinations(range(size), 2):
        kept = tuple(rank for n, rank in enumerate(ranks) if n not in (a, b))
        points = points_with_starters(kept)
        hand = (4 * sum(points) - sum(points[rank] for rank in ranks)) / (52 - size)
        pair = (ranks[a], ranks[b])
        crib = known.mean_cribs[who][PAIR_INDEX[pair]]
        found.append((hand + sign * crib + known.net_pegging[who][known.hand_index[kept]], pair))
    return max(found)[1]
