"""Pursuit for two: pegs, survival table, and play that catches and escapes."""

import pytest

from companion.coach import pursuit_two
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.pursuit_two import PursuitPegs, load_survival_table
from companion.rules.cards import parse_card, parse_cards
from companion.rules.engine import NO_TARGET
from tests.arena import races
from tests.arena.generators import pursuit_survival


def test_one_catches_by_landing_on_the_back_peg():
    pegs = PursuitPegs(own=20, other=4, own_back=15, other_back=1)
    assert not pegs.after_score(10).has_caught
    assert pegs.after_score(11).has_caught


def test_a_score_closes_the_gap_and_so_one_flees():
    chased = PursuitPegs(own=10, other=32, own_back=4, other_back=30)
    assert chased.from_other_side().after_score(2).has_caught
    assert not chased.after_score(1).from_other_side().after_score(2).has_caught


def test_who_is_farther_ahead_survives_more_often():
    rows = [PursuitPegs(20 + ahead, 20, 18 + ahead, 18).survival_chance(dealer=True) for ahead in range(-20, 21, 4)]
    assert rows == sorted(rows)
    assert 0.5 < PursuitPegs(0, 0, 0, 0).survival_chance(dealer=True) < 0.62  # the dealer is better off
    assert PursuitPegs(9, 5, 6, 4).survival_chance(dealer=True) == pytest.approx(
        1 - PursuitPegs(5, 9, 4, 6).survival_chance(dealer=False)
    )


def test_a_wide_gap_is_a_danger():
    table = load_survival_table()
    assert table[30 - 15][3][0] < table[30 - 15][0][0]


def test_a_deal_reports_who_was_ever_in_reach():
    """The dealer has 3 before pone scores, then pone 12, the dealer 8 and 4."""
    told = pursuit_survival.profile_deal([(0, 1), (0, 2), (1, 12), (0, 8), (1, 0), (0, 4)])
    assert told.early == (3, 0)
    assert told.late == (15, 11)  # 15 beyond pone's back peg, which stood at 0; pone 12 beyond the dealer's at 1
    assert (told.ahead, told.gaps) == (3, (4, 12))


def turn(held, series, played, starter="9D"):
    mine, own, other = parse_cards(held), parse_cards(played[0]), parse_cards(played[1])
    return PlayQuestion(
        "six-card", mine, (*own, *mine), None, parse_card(starter), False, parse_cards(series), (own, other),
        (False, False), (0, 0), NO_TARGET,
    )  # fmt: skip


def test_two_points_that_catch_are_played_before_six_that_do_not_matter():
    """Fifteen for two lands on the dealer's back peg."""
    found = pursuit_two.rank_plays(turn("5H 2C KD QS", "TS", ("", "TS")), PursuitPegs(29, 5, 27, 1))
    assert found[0].card == parse_card("5H")
    assert found[0].win == 1


def test_all_playable_cards_have_a_chance():
    found = pursuit_two.rank_plays(turn("5H 2C KD QS", "TS", ("", "TS")), PursuitPegs(9, 5, 7, 1))
    assert len(found) == 4
    assert all(0 <= each.win <= 1 for each in found)


def test_a_discard_is_weighed_by_the_chance_to_survive():
    found = pursuit_two.rank_discards(parse_cards("5S 5D 5H JC QD KS"), PursuitPegs(9, 5, 7, 1), dealer=True)
    assert set(parse_cards("5S 5D 5H")) <= set(found[0].kept)
    assert found[0].win == max(each.win for each in found)


@pytest.mark.long
def test_who_is_coached_survives_more_often_than_the_player_of_before():
    assert sum(races.play_pairs("pursuit", "coached", "former", range(700, 704), {})) >= 4


@pytest.mark.long
def test_who_is_coached_survives_most_matches():
    assert sum(races.play_pairs("pursuit", "coached", "former", range(300), {})) / 600 > 0.52
