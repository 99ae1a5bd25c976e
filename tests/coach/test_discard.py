"""Means of hand and crib, and chances to win, against known values and full enumeration."""

from itertools import combinations
from random import Random

import pytest

from companion.coach.cribbage import discard, tables
from companion.coach.cribbage.expected_values import compute_discard_values
from companion.coach.cribbage.ranks import PAIR_INDEX, RANK_PAIRS, ranks_of
from companion.coach.cribbage.win_chance import convolve, shift_mean
from companion.coach.questions import DiscardQuestion
from companion.common.errors import BadCard
from companion.rules.cards import JACK, PACK, parse_cards
from companion.rules.scoring import points, score_ranks
from tests.support.published_data import read_rows


def test_the_known_vector():
    held = parse_cards("5S 4D JD 4C 5C 5H")
    found = next(d for d in compute_discard_values(held) if set(d.discard) == set(parse_cards("4D 4C")))
    assert found.hand == pytest.approx(16.6304347826, abs=5e-11)
    assert found.crib == pytest.approx(5.7592446201, abs=5e-11)


@pytest.mark.parametrize("text", ["JC 2C 3D JD 9S KH", "5H JH 7H 8H AC QH", "TS JS QS KS 9S 8D"])
def test_equal_to_counting_every_starter_and_every_pair(text):
    held = parse_cards(text)
    unseen = [c for c in PACK if c not in held]
    chosen = Random(text).choice(compute_discard_values(held))
    hand = sum(points(chosen.kept, s) for s in unseen) / 46
    crib = sum(
        points((*chosen.discard, a, b), s, True)
        + points((*chosen.discard, a, s), b, True)
        + points((*chosen.discard, b, s), a, True)
        for a, b, s in combinations(unseen, 3)
    ) / (46 * 990)
    assert chosen.hand == pytest.approx(hand, abs=1e-12)
    assert chosen.crib == pytest.approx(crib, abs=1e-12)


def test_six_different_cards_are_wanted():
    with pytest.raises(BadCard, match="six different"):
        compute_discard_values(parse_cards("5S 5S 4D JD 4C 5C"))


HANDS_OF_OTHERS = [(parse_cards(row.pop("hand")), [int(points) for points in row.values()])
                   for row in read_rows("kept_hands.csv")]  # fmt: skip


def test_every_kept_hand_counts_as_in_another_program():
    assert len(HANDS_OF_OTHERS) == 300
    for held, theirs in HANDS_OF_OTHERS:
        assert [each.hand * 46 for each in compute_discard_values(held)] == pytest.approx(theirs)


def test_discards_are_good_by_others_values():
    """Hands as another program counts them, and the cribs that Craig Hessel published."""
    cribs = {row["pair"]: (float(row["own"]), -float(row["other"])) for row in read_rows("hessel_cribs.csv")}
    losses = []
    for dealer in (True, False):
        for held, theirs in HANDS_OF_OTHERS:
            pairs = list(combinations(held, 2))
            names = ["".join("A23456789TJQK"[rank] for rank in ranks_of(pair)) for pair in pairs]
            values = {frozenset(pair): sums / 46 + cribs[name][not dealer]
                      for pair, name, sums in zip(pairs, names, theirs, strict=True)}  # fmt: skip
            choices = discard.rank_discards(DiscardQuestion("six-card", held, dealer, (0, 0), 121))
            sign = 1 if dealer else -1
            best = max(choices, key=lambda choice: choice.hand + sign * choice.crib)
            losses.append(max(values.values()) - values[frozenset(best.discard)])
    assert sum(losses) / len(losses) < 0.02
    assert sum(loss < 1e-9 for loss in losses) > 0.9 * len(losses)


@pytest.mark.parametrize(("text", "dealer"), [("5S 4D JD 4C 5C 5H", True), ("2C 7D 9S TH QH KS", False)])
def test_the_crib_is_its_mean_over_throws(text, dealer):
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
