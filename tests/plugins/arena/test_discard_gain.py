"""What discards gain by pegging: the ceiling is that of the discards themselves, and measurements can be continued."""

from random import Random

import pytest

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import HANDS_OF_FOUR
from tests.plugins.arena import compiled_expert, discard_gain
from tests.plugins.arena.generators import cribs

needs_compiler = pytest.mark.skipif(not compiled_expert.has_compiler(), reason="no C compiler")


@pytest.fixture
def few_deals(monkeypatch):
    monkeypatch.setattr(discard_gain, "DEALS", 400)
    monkeypatch.setattr(discard_gain, "SPREAD_DEALS", 20)


@pytest.mark.parametrize("role", [tables.DEALER, tables.PONE])
def test_the_ceiling_is_the_value_of_the_discards_with_and_without_pegging(role):
    known, hands = tables.load_tables("six-card"), cribs.list_hands(HANDS_OF_FOUR)
    worth, pegging, sign = known.mean_cribs[role], known.net_pegging[role], 1 if role == tables.DEALER else -1
    total = 0.0
    nothing = [0.0] * len(pegging)
    chosen = [cribs.choose_discards(hands, worth, each, dealer=role == tables.DEALER) for each in (pegging, nothing)]
    for hand, best, plain in zip(hands, *chosen, strict=True):
        points = {(pair, kept): mean + sign * worth[pair] + pegging[kept] for pair, kept, mean in hand.choices}
        total += hand.likely * (points[best] - points[plain])
    assert discard_gain.compute_ceiling(discard_gain.list_values(role)).points == pytest.approx(total)


def test_who_knows_more_than_the_table_has_a_higher_ceiling():
    values = discard_gain.list_values(tables.PONE)
    ceilings = [discard_gain.compute_ceiling(values, spread).points for spread in (0, 0.1, 0.3)]
    assert ceilings == sorted(ceilings)
    assert ceilings[2] > ceilings[0] + 0.01


def test_a_spread_is_found_beneath_the_error_of_both_means():
    """True differences of two discards with a spread of 0.2 each, measured twice with an error of 0.5."""
    chance = Random(27)
    true = [chance.gauss(0, 0.2 * 2**0.5) for _ in range(20_000)]
    variance, error = discard_gain.estimate_spread([[each + chance.gauss(0, 0.5) for _ in range(2)] for each in true])
    assert variance == pytest.approx(0.04, abs=3 * error)
    assert error < 0.003


@needs_compiler
def test_a_player_gains_nothing_over_itself(few_deals):
    coach = compiled_expert.make_coach(compiled_expert.load_tables())
    dealer, pone, both = discard_gain.play_part(coach, coach, 0)
    assert not any(dealer + pone + both)


@needs_compiler
def test_the_gain_of_a_deal_is_half_of_that_in_both_roles(tmp_path, few_deals):
    for fixed_cribs in (False, True):
        for dealer, pone, both in discard_gain.measure_gain(tmp_path / f"{fixed_cribs}", 2, fixed_cribs=fixed_cribs):
            assert both[0] == pytest.approx((dealer[1] + pone[1]) / 2)
            assert min(dealer[0], pone[0]) > 0
            assert min(dealer[4], pone[4]) > 0  # no other discard has more points for the first player
