"""Which cards to lay away: hand, crib and pegging, and then the chance to win from these scores. Pure."""

from functools import cache
from itertools import combinations
from operator import mul
from typing import NamedTuple

from companion.coach.cribbage import tables
from companion.coach.cribbage.expected_values import shown
from companion.coach.cribbage.ranks import PAIRS, Ranks, counted, of, ways, with_starters
from companion.coach.cribbage.win_chance import Weighing
from companion.coach.questions import Dealt
from companion.rules.cards import JACK, PACK, Card

NOBS = 0.25
"""A jack in the crib meets a starter of its suit about so often."""

_FULL = (4,) * 13


class Choice(NamedTuple):
    """Two cards to throw, with the means of hand, crib and pegging, their sum, and the chance to win."""

    thrown: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: float
    crib: float
    pegging: float
    points: float
    win: float


def choices(dealt: Dealt) -> list[Choice]:
    """All discards, the best first."""
    known = tables.of(dealt.game)
    who = tables.DEALER if dealt.dealer else tables.PONE
    sign = 1 if dealt.dealer else -1
    starters = [card for card in PACK if card not in dealt.held]
    cribs = _Cribs(dealt)
    weighing = Weighing(known, who, dealt.scores, dealt.target, dealt.held)
    found = []
    for thrown in combinations(dealt.held, 2):
        kept = tuple(card for card in dealt.held if card not in thrown)
        by_starter = shown(kept)
        points = [by_starter[card] for card in starters]
        hand, crib = sum(points) / len(points), cribs.mean(of(thrown))
        pegging = known.pegging[who][known.place_of[of(kept)]]
        win = weighing.win(points, of(thrown), crib, pegging)
        found.append(Choice(thrown, kept, hand, crib, pegging, hand + sign * crib + pegging, win))
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


class _Cribs:
    """The means of the cribs for one hand: the other side throws what it likes to throw, of the cards that are left."""

    def __init__(self, dealt: Dealt) -> None:
        throws = tables.of(dealt.game).throws[tables.PONE if dealt.dealer else tables.DEALER]
        self._held = of(dealt.held)
        left = [4 - n for n in counted(self._held)]
        self._likely = [
            share and share * ways(other, left) / ways(other, _FULL) for other, share in zip(PAIRS, throws, strict=True)
        ]
        self._starters = sum(self._likely) * (52 - len(self._held) - 2)
        self._means: dict[Ranks, float] = {}

    def mean(self, pair: Ranks) -> float:
        """The mean crib with these two ranks in it."""
        if pair not in self._means:
            sums, rows = _crib_rows(pair)
            total = sum(map(mul, self._likely, sums))
            total -= sum(sum(map(mul, self._likely, rows[rank])) for rank in self._held)
            nobs = pair.count(JACK) + sum(map(mul, self._likely, _JACKS)) / sum(self._likely)
            self._means[pair] = total / self._starters + NOBS * nobs
        return self._means[pair]


_JACKS = [pair.count(JACK) for pair in PAIRS]


@cache
def _crib_rows(pair: Ranks) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """For each pair of the other side: the crib's points summed over all other starters of the pack, and by rank."""
    rows = [with_starters(tuple(sorted((*pair, *other)))) for other in PAIRS]
    sums = [
        sum((4 - n) * points for n, points in zip(counted(other), row, strict=True))
        for other, row in zip(PAIRS, rows, strict=True)
    ]
    return tuple(sums), tuple(zip(*rows, strict=True))
