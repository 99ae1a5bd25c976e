"""Round the clock: the hours in order, by either die or by both."""

import pytest

from companion.common.errors import IllegalMove
from companion.rules import Setup, apply, begin_game, clock
from companion.rules.moves import Adjust, Next, Roll


def after(*moves):
    state = begin_game(clock.GAME, Setup(2, 0, {})).state
    for move in moves:
        state = apply(clock.GAME, state, move).state
    return state


def test_the_hours_come_in_order_by_either_die_or_by_both():
    assert after(Roll(0, (3, 1))).scores == (1, 0)
    assert after(Roll(0, (2, 1))).scores == (2, 0)
    assert after(Roll(0, (2, 2))).scores == (0, 0)
    assert after(Adjust(0, 6), Roll(0, (3, 4))).scores == (7, 0)


def test_the_first_player_at_twelve_wins():
    state = after(Adjust(1, 11), Roll(0, (2, 2)), Roll(1, (6, 6)))
    assert (state.phase, state.winner, state.scores) == ("over", 1, (0, 12))
    assert after(Adjust(0, 12), Next()).scores == (0, 0)


@pytest.mark.parametrize("move", [Roll(1, (1, 2)), Roll(0, (1,)), Next(), Adjust(0, -1), Adjust(2, 1)])
def test_an_illegal_move_is_refused_with_a_sentence(move):
    with pytest.raises(IllegalMove, match=r"^[A-Z].+\.$"):
        after(move)
