"""Rank discards by the chance to win from the current scores. Pure."""

from functools import cache
from itertools import combinations
from operator import mul
from typing import NamedTuple

from companion.coach.cribbage import tables
from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.ranks import (
    RANK_PAIRS,
    Ranks,
    count_ranks,
    points_with_starters,
    ranks_of,
    weigh_discards,
)
from companion.coach.cribbage.tables import load_objective_values
from companion.coach.cribbage.win_chance import DiscardEvaluator, sort_choices
from companion.coach.questions import DiscardQuestion
from companion.rules.cards import JACK, PACK, Card

NOBS_POINTS = 0.25
"""Average points of a jack in the crib for his nobs: the chance that the starter is of its suit."""


class DiscardChoice(NamedTuple):
    """Two cards to discard: the means of hand, crib and pegging, their sum, and the chance to win."""

    discard: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: float
    crib: float
    pegging: float
    points: float
    win: float
    match: float = 0.0
    """Value of the choice in a match (`tables.ScoreValues`), if the question asks for it."""


def rank_discards(question: DiscardQuestion) -> list[DiscardChoice]:
    """Return all discards, best first."""
    game_tables = tables.load_tables(question.game)
    who = tables.DEALER if question.dealer else tables.PONE
    sign = 1 if question.dealer else -1
    starters = [card for card in PACK if card not in question.held]
    cribs = _CribMeans(question)
    wanted = load_objective_values(question.game, question.target, question.objective, question.game_points)
    evaluators = [DiscardEvaluator(game_tables, who, question.scores, values, question.held) for values in wanted]
    found = []
    for discard in combinations(question.held, 2):
        kept = tuple(card for card in question.held if card not in discard)
        by_starter = hand_points_by_starter(kept)
        points = [by_starter[card] for card in starters]
        hand, crib = sum(points) / len(points), cribs.mean_crib(ranks_of(discard))
        pegging = game_tables.net_pegging[who][game_tables.hand_index[ranks_of(kept)]]
        worth = [evaluator.win_chance(points, ranks_of(discard), crib, pegging) for evaluator in evaluators]
        found.append(DiscardChoice(discard, kept, hand, crib, pegging, hand + sign * crib + pegging, *worth))
    return sort_choices(found, question.objective)


class _CribMeans:
    """Mean cribs for one hand. The opponent's discards are weighted by habit and by the cards that are left."""

    def __init__(self, question: DiscardQuestion) -> None:
        discard_shares = tables.load_tables(question.game).discard_shares[
            tables.PONE if question.dealer else tables.DEALER
        ]
        self._held = ranks_of(question.held)
        self._likely = weigh_discards(discard_shares, [4 - n for n in count_ranks(self._held)])
        self._starters = sum(self._likely) * (52 - len(self._held) - 2)
        self._means: dict[Ranks, float] = {}

    def mean_crib(self, pair: Ranks) -> float:
        """Return the mean points of a crib with these two ranks."""
        if pair not in self._means:
            sums, rows = _crib_rows(pair)
            total = sum(map(mul, self._likely, sums))
            total -= sum(sum(map(mul, self._likely, rows[rank])) for rank in self._held)
            nobs = pair.count(JACK) + sum(map(mul, self._likely, _JACKS_IN_PAIR)) / sum(self._likely)
            self._means[pair] = total / self._starters + NOBS_POINTS * nobs
        return self._means[pair]


_JACKS_IN_PAIR = [pair.count(JACK) for pair in RANK_PAIRS]


@cache
def _crib_rows(pair: Ranks) -> tuple[tuple[int, ...], tuple[bytes, ...]]:
    """Return, for each pair of the opponent, the crib's points summed over all starters, and by starter."""
    rows = [points_with_starters(tuple(sorted((*pair, *other)))) for other in RANK_PAIRS]
    sums = [
        sum((4 - n) * points for n, points in zip(count_ranks(other), row, strict=True))
        for other, row in zip(RANK_PAIRS, rows, strict=True)
    ]
    return tuple(sums), tuple(map(bytes, zip(*rows, strict=True)))
