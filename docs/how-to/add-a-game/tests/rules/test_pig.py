"""Pig: rolling on, scoring with go, and losing the points of a turn."""

import pytest

from companion.common.errors import IllegalMove
from companion.rules import Setup, apply, begin_game, pig
from companion.rules.moves import Adjust, Go, Next, Roll


def after(*moves):
    state = begin_game(pig.GAME, Setup(2, 0, {})).state
    for move in moves:
        state = apply(pig.GAME, state, move).state
    return state


def test_go_scores_the_points_of_the_turn():
    state = after(Roll(0, (6,)), Roll(0, (4,)))
    assert (state.count, state.scores) == (10, (0, 0))
    state = after(Roll(0, (6,)), Roll(0, (4,)), Go(0))
    assert (state.turn, state.count, state.scores) == (1, 0, (10, 0))


def test_a_one_ends_the_turn_without_a_score():
    state = after(Roll(0, (6,)), Roll(0, (1,)))
    assert (state.turn, state.count, state.scores) == (1, 0, (0, 0))


def test_the_first_player_at_the_target_wins_and_the_peg_stops_there():
    state = after(Adjust(0, 98), Roll(0, (6,)), Go(0))
    assert (state.phase, state.winner, state.scores) == ("over", 0, (100, 0))
    assert after(Adjust(1, 100), Next()).scores == (0, 0)


@pytest.mark.parametrize("move", [Roll(1, (6,)), Roll(0, (3, 4)), Go(0), Go(1), Next(), Adjust(0, -1)])
def test_an_illegal_move_is_refused_with_a_sentence(move):
    with pytest.raises(IllegalMove, match=r"^[A-Z].+\.$"):
        after(move)
