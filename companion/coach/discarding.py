"""Which cards to lay away: hand, crib and pegging, and then the chance to win from these scores. Pure."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from operator import mul
from typing import NamedTuple

from companion.coach import book
from companion.coach.ranks import FOURS, PAIRS, Ranks, counted, of, ways, with_starters
from companion.coach.weighing import Weighing
from companion.errors import BadCard
from companion.rules.cards import JACK, Card
from companion.rules.scoring import by_starter

UNSEEN = 46
NOBS = 0.25


class Choice(NamedTuple):
    """Two cards to throw, with the means of hand, crib and pegging, their sum, and the chance to win."""

    thrown: tuple[Card, Card]
    kept: tuple[Card, ...]
    hand: float
    crib: float
    pegging: float
    points: float
    win: float


@cache
def _place_of_four() -> dict[Ranks, int]:
    return {four: place for place, four in enumerate(FOURS)}


@cache
def _crib_rows(pair: Ranks) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """For each pair of the other side: the crib summed over the starters of a full pack, and the points by rank."""
    rows = []
    sums = []
    for other in PAIRS:
        row = with_starters(tuple(sorted((*pair, *other))))
        have = counted(other)
        nobs = NOBS * (pair.count(JACK) + other.count(JACK)) * 44
        sums.append(sum((4 - n) * p for n, p in zip(have, row, strict=True)) + nobs)
        rows.append(row)
    return tuple(sums), tuple(zip(*rows, strict=True))


def choices(held: Sequence[Card], scores: tuple[int, int], target: int, *, dealer: bool) -> list[Choice]:
    """All fifteen discards, the best first. Raises BadCard unless there are six different cards."""
    if len(held) != 6 or len(set(held)) != 6:
        raise BadCard("A hand to discard from has six different cards.")
    who = book.DEALER if dealer else book.PONE
    six = of(held)
    left = [4 - n for n in counted(six)]
    throws = book.throws(1 - who)
    likely = [
        share and share * ways(other, left) / ways(other, _FULL) for other, share in zip(PAIRS, throws, strict=True)
    ]
    all_likely = sum(likely)
    sign = 1 if dealer else -1
    crib_of: dict[Ranks, float] = {}
    found = []
    for thrown in combinations(held, 2):
        kept = tuple(c for c in held if c not in thrown)
        leaf = by_starter(kept)
        hand = (sum(leaf) - sum(leaf[c] for c in held)) / UNSEEN
        pair = of(thrown)
        crib = crib_of.get(pair)
        if crib is None:
            sums, rows = _crib_rows(pair)
            total = sum(map(mul, likely, sums)) - sum(sum(map(mul, likely, rows[rank])) for rank in six)
            crib = crib_of[pair] = total / all_likely / 44
        pegging = book.pegging(who)[_place_of_four()[of(kept)]]
        worth = hand + sign * crib + pegging
        found.append(Choice((thrown[0], thrown[1]), kept, hand, crib, pegging, worth, 0.0))
    weigh = Weighing(scores, target, held, dealer=dealer)
    found = [choice._replace(win=weigh.win(choice)) for choice in found]
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


_FULL = [4] * 13
