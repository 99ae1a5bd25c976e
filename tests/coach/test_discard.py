"""Means of cribs and chances to win, computed again card by card."""

from itertools import combinations

import pytest

from companion.coach.cribbage import discard, tables
from companion.coach.cribbage.ranks import PAIR_INDEX, RANK_PAIRS, ranks_of
from companion.coach.cribbage.win_chance import convolve, shift_mean
from companion.coach.questions import DiscardQuestion
from companion.rules.cards import JACK, PACK, parse_cards
from companion.rules.scoring import score_ranks


@pytest.mark.parametrize(("text", "dealer"), [("5S 4D JD 4C 5C 5H", True), ("2C 7D 9S TH QH KS", False)])
def test_the_crib_is_its_mean_over_what_the_other_side_throws(text, dealer):
    held = parse_cards(text)
    best = discard.rank_discards(DiscardQuestion("six-card", held, dealer, (0, 0), 121))[0]
    throws = tables.load_tables("six-card").discard_shares[1 if dealer else 0]
    often = {}
    for pair in combinations(PACK, 2):
        often[ranks_of(pair)] = often.get(ranks_of(pair), 0) + 1
    unseen = [c for c in PACK if c not in held]
    total = weight = 0.0
    for other in combinations(unseen, 2):
        likely = throws[PAIR_INDEX[ranks_of(other)]] / often[ranks_of(other)]
        crib = (*best.discard, *other)
        points = sum(score_ranks(ranks_of((*crib, starter))) for starter in unseen if starter not in other) / 44
        total += likely * (points + discard.NOBS_POINTS * sum(c.rank == JACK for c in crib))
        weight += likely
    assert best.crib == pytest.approx(total / weight, abs=1e-9)
    assert set(often) == set(RANK_PAIRS)


def test_far_from_the_end_points_and_wins_agree():
    choices = discard.rank_discards(DiscardQuestion("six-card", parse_cards("5S 4D JD 4C 5C 5H"), True, (10, 10), 121))
    by_points = sorted(choices, key=lambda choice: -choice.points)
    assert by_points[0] == choices[0]
    assert choices[0].win - choices[-1].win > 0.05


@pytest.mark.parametrize(
    ("dealer", "scores", "least", "most"),
    [
        (False, (119, 60), 1 - 1e-6, 1 + 1e-6),  # pone has won with two points in hand
        (True, (110, 120), 0, 0.15),  # pone needs one hole, and the last card or a hand is nearly always worth one
    ],
)
def test_a_win_depends_on_who_counts_first(dealer, scores, least, most):
    held = parse_cards("2C 2D 9H 7S KD QC")
    assert least <= discard.rank_discards(DiscardQuestion("six-card", held, dealer, scores, 121))[0].win < most


def test_sums_and_moves_of_shares():
    assert convolve([0.5, 0.5], [0.5, 0.5]) == [0.25, 0.5, 0.25]
    assert sum(shift_mean([0.2, 0.3, 0.5], 0.4)) == pytest.approx(1)
    mean = sum(points * share for points, share in enumerate(shift_mean([0.2, 0.3, 0.5], 0.4)))
    assert mean == pytest.approx(1.3 + 0.4)
