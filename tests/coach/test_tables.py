"""Precomputed tables against published values, and the chances to win that come of them."""

import math
from random import Random

import pytest

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import RANK_PAIRS, ranks_of
from companion.coach.cribbage.tables import load_values
from companion.coach.cribbage.win_chance import RaceEnding, crib_spread
from companion.common.constants import CARDS_DEALT
from companion.rules.cards import PACK, RANKS
from tests.support.published_data import read_rows


@pytest.mark.parametrize(("who", "column"), [(tables.DEALER, "own"), (tables.PONE, "other")])
def test_cribs_agree_with_those_that_hessel_published(who, column):
    published = read_rows("hessel_cribs.csv")
    assert [row["pair"] for row in published] == [RANKS[a] + RANKS[b] for a, b in RANK_PAIRS]

    apart = [
        ours - float(row[column])
        for ours, row in zip(tables.load_tables("six-card").mean_cribs[who], published, strict=True)
    ]

    assert math.sqrt(sum(each**2 for each in apart) / len(apart)) <= 0.15


@pytest.mark.parametrize("game", CARDS_DEALT)
def test_the_probabilities_of_tables_add_up(game):
    known = tables.load_tables(game)
    for who in (tables.DEALER, tables.PONE):
        assert sum(known.discard_shares[who]) == pytest.approx(1, abs=1e-12)
        assert sum(known.hand_point_shares[who]) == pytest.approx(1, abs=1e-12)
        assert len(known.mean_cribs[who]) == len(RANK_PAIRS)
        assert len(known.keep_rates[who]) == len(known.net_pegging[who]) == len(known.hands)
    assert sum(known.crib_point_shares) == pytest.approx(1, abs=1e-12)
    assert sum(known.pegging_shares.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("game", CARDS_DEALT)
def test_chances_to_win_follow_the_scores(game):
    wins = tables.load_tables(game).win_chances(121)
    apart = 0.004  # these are chances counted from deals, so they waver a little
    for own in range(120):
        for other in range(120):
            assert wins[own + 1][other] >= wins[own][other] - apart
            assert wins[own][other + 1] <= wins[own][other] + apart


def test_dealing_first_is_worth_what_players_say():
    assert 0.555 <= tables.load_tables("six-card").win_chances(121)[0][0] <= 0.57


def test_a_short_game_ends_a_long_one():
    known = tables.load_tables("six-card")
    assert known.win_chances(61)[0][0] == known.win_chances(121)[60][60]


VALUES = load_values("six-card", 121)
WINS = tables.load_tables("six-card").win_chances(121)
CRIB = ((2, 0.25), (6, 0.75))


def test_pone_counts_first():
    pone = RaceEnding(VALUES, 8, CRIB, dealer=False)
    assert pone.win_chance(113, 120, 20) == 1
    dealer = RaceEnding(VALUES, 8, CRIB, dealer=True)
    assert dealer.win_chance(120, 113, 8) == 0
    assert dealer.win_chance(113, 112, 8) == 1


def test_the_crib_may_decide():
    """Pone ends with 104, the dealer has 116, and three times of four 6 in the crib."""
    pone = RaceEnding(VALUES, 4, CRIB, dealer=False)
    assert pone.win_chance(100, 108, 8) == pytest.approx(0.25 * WINS[104][118])


def test_the_next_deal_is_worth_its_scores():
    dealer = RaceEnding(VALUES, 6, CRIB, dealer=True)
    assert dealer.win_chance(50, 60, 5) == pytest.approx(1 - 0.25 * WINS[65][58] - 0.75 * WINS[65][62])
    pone = RaceEnding(VALUES, 6, CRIB, dealer=False)
    assert pone.win_chance(50, 60, 5) == pytest.approx(0.25 * WINS[56][67] + 0.75 * WINS[56][71])


@pytest.mark.parametrize(("own", "other"), [(121, 80), (80, 121)])
def test_who_was_out_in_the_play_has_won(own, other):
    assert RaceEnding(VALUES, 6, CRIB, dealer=True).win_chance(own, other, 24) == (own == 121)


def test_what_a_crib_may_be_worth_adds_up():
    fives = crib_spread("six-card", (4, 4), 9, (4, 4, 4, 4, 9, 9, 9), 0)
    assert sum(share for _, share in fives) == pytest.approx(1)
    assert min(points for points, _ in fives) >= 6
    anything = crib_spread("six-card", None, 9, (9,), 1)
    assert sum(share for _, share in anything) == pytest.approx(1, abs=1e-3)


def test_the_memory_of_cribs_is_limited():
    chance = Random(22)
    for _ in range(200):
        known = ranks_of(chance.sample(PACK, 7))
        crib_spread("six-card", known[:2], chance.choice(known), known, chance.randrange(2))
    assert crib_spread.cache_info().currsize < 100
