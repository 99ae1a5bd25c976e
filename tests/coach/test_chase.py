"""Pursuit for two: the pegs, the table of who survives, and play that catches and flees."""

import time

import pytest
from arena import races
from arena.making import chases

from companion.coach import pursuit_two
from companion.coach.cribbage.play import Turn
from companion.coach.pursuit_two import Pegs, survives
from companion.rules.cards import card, cards
from companion.rules.engine import ENDLESS


def test_one_catches_by_landing_on_the_back_peg():
    pegs = Pegs(own=20, other=4, own_back=15, other_back=1)
    assert not pegs.scored(10).caught
    assert pegs.scored(11).caught


def test_a_score_closes_the_gap_and_so_one_flees():
    chased = Pegs(own=10, other=32, own_back=4, other_back=30)
    assert chased.turned().scored(2).caught
    assert not chased.scored(1).turned().scored(2).caught


def test_who_is_farther_ahead_survives_more_often():
    rows = [Pegs(20 + ahead, 20, 18 + ahead, 18).before_deal(dealer=True) for ahead in range(-20, 21, 4)]
    assert rows == sorted(rows)
    assert 0.5 < Pegs(0, 0, 0, 0).before_deal(dealer=True) < 0.62  # the dealer is better off
    assert Pegs(9, 5, 6, 4).before_deal(dealer=True) == pytest.approx(1 - Pegs(5, 9, 4, 6).before_deal(dealer=False))


def test_a_wide_gap_is_a_danger():
    table = survives()
    assert table[30 - 15][3][0] < table[30 - 15][0][0]


def test_a_deal_tells_who_was_ever_in_reach():
    """The dealer has 3 before pone scores, then pone 12, the dealer 8 and 4."""
    told = chases.told([(0, 1), (0, 2), (1, 12), (0, 8), (1, 0), (0, 4)])
    assert told.early == (3, 0)
    assert told.late == (15, 11)  # 15 beyond pone's back peg, which stood at 0; pone 12 beyond the dealer's at 1
    assert (told.ahead, told.gaps) == (3, (4, 12))


def turn(held, series, played, starter="9D"):
    mine = cards(held)
    return Turn("six-card", mine, (*cards(played[0]), *mine), None, card(starter), False, cards(series),
                (cards(played[0]), cards(played[1])), (False, False), (0, 0), ENDLESS)  # fmt: skip


def test_two_points_that_catch_are_played_before_six_that_do_not_matter():
    """Fifteen for two lands on the dealer's back peg."""
    found = pursuit_two.plays(turn("5H 2C KD QS", "TS", ("", "TS")), Pegs(29, 5, 27, 1))
    assert found[0].card == card("5H")
    assert found[0].win == 1


def test_all_cards_that_fit_are_told_with_a_chance():
    found = pursuit_two.plays(turn("5H 2C KD QS", "TS", ("", "TS")), Pegs(9, 5, 7, 1))
    assert len(found) == 4
    assert all(0 <= each.win <= 1 for each in found)


def test_a_discard_is_weighed_by_the_chance_to_survive():
    found = pursuit_two.discards(cards("5S 5D 5H JC QD KS"), Pegs(9, 5, 7, 1), dealer=True)
    assert set(cards("5S 5D 5H")) <= set(found[0].kept)
    assert found[0].win == max(each.win for each in found)


def test_a_decision_takes_little_of_the_processor():
    held, pegs = cards("AS 4D 6H 7C 8D KS"), Pegs(19, 15, 17, 11)
    pursuit_two.discards(held, pegs, dealer=True)
    begun = time.process_time()
    for is_dealer in (True, False):
        pursuit_two.discards(held, pegs, dealer=is_dealer)
    assert time.process_time() - begun < 0.3


def test_who_is_coached_survives_more_often_than_the_player_of_before():
    assert sum(races.pairs("pursuit", "coached", "former", range(700, 704), {})) >= 4


@pytest.mark.long
def test_who_is_coached_survives_most_matches():
    assert sum(races.pairs("pursuit", "coached", "former", range(300), {})) / 600 > 0.52
