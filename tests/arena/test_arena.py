"""The arena: the same deals for both, fair counting, and a coach that beats the former player."""

import sys

import pytest

from tests.arena import run
from tests.arena.game import Game
from tests.arena.sides import Coach, Former, Program


def test_the_same_deals_played_twice_by_the_same_two_come_out_even():
    pairs = list(run.play_pairs("former", "former", range(6)))
    assert all(pair.wins == 1 and pair.ahead == 0 for pair in pairs)


def test_a_program_that_is_asked_over_lines_plays_as_the_coach_does():
    program = Program(f"{sys.executable} -m companion advise")
    try:
        by_lines = Game((program, Former()), 3)
        assert by_lines.play() == Game((Coach(), Former()), 3).play()
    finally:
        program.close()


@pytest.mark.long
def test_the_expert_beats_the_former_player():
    found = run.summarize_pairs(list(run.play_pairs("expert", "former", range(100, 108))))
    assert found["points_a_pair"] > 2


@pytest.mark.long
def test_a_novice_loses_to_both():
    assert run.summarize_pairs(list(run.play_pairs("expert", "novice", range(4))))["points_a_pair"] > 5
    assert run.summarize_pairs(list(run.play_pairs("club", "novice", range(6))))["points_a_pair"] > 3


@pytest.mark.long
def test_the_expert_beats_the_club_player():
    assert run.summarize_pairs(list(run.play_pairs("expert", "club", range(200), processes=2)))["points_a_pair"] > 1


@pytest.mark.long
def test_the_expert_wins_57_of_100_games_against_the_former_player():
    found = run.summarize_pairs(list(run.play_pairs("expert", "former", range(600), processes=2)))
    assert found["wins_pct"] >= 57
    assert found["points_a_pair_interval"][0] >= 2.5
    assert 53 <= found["first_dealer_wins_pct"] <= 59
