"""Who wins when hands and crib are counted: pone, the dealer's hand, the crib, then the next deal."""

from random import Random

import pytest

from companion.coach.cribbage import tables
from companion.coach.cribbage.objective import load_values
from companion.coach.cribbage.ranks import ranks_of
from companion.coach.cribbage.win_chance import RaceEnding, crib_spread
from companion.rules.cards import PACK

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


def test_else_the_next_deal_is_as_good_as_its_scores():
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


def test_the_cribs_kept_in_memory_do_not_grow_with_every_deal():
    chance = Random(22)
    for _ in range(200):
        known = ranks_of(chance.sample(PACK, 7))
        crib_spread("six-card", known[:2], chance.choice(known), known, chance.randrange(2))
    assert crib_spread.cache_info().currsize < 100
