"""Adjustments: one move can correct several sides, and is applied and undone as a whole."""

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Award, Setup, advance, apply
from companion.rules.moves import Adjust, AdjustmentPart, TakeBoard, Undo

EVERY = pytest.mark.parametrize("game", rules.GAMES, ids=lambda game: game.key)
SEVERAL = pytest.mark.parametrize("game", [g for g in rules.GAMES if g.seats != (1,)], ids=lambda game: game.key)


@SEVERAL
def test_two_sides_are_adjusted_and_undone_as_one(game: rules.Game):
    past = rules.begin_game(game, Setup(dealer=0))
    before = past.state.scores
    past, step = advance(game, past, Adjust(1, 7, (AdjustmentPart(0, 4),)))
    assert step.awards == (Award(1, 7, "adjust"), Award(0, 4, "adjust"))
    assert step.state.scores == (before[0] + 4, before[1] + 7)
    assert advance(game, past, Undo())[0].state.scores == before


@SEVERAL
def test_one_refused_part_refuses_the_whole_adjustment(game: rules.Game):
    state = rules.begin_game(game, Setup(dealer=0)).state
    with pytest.raises(IllegalMove, match="a score cannot go below 0"):
        apply(game, state, Adjust(0, 7, (AdjustmentPart(1, -9),)))
    with pytest.raises(IllegalMove, match="the seats are 0 to 1"):
        apply(game, state, Adjust(0, 7, (AdjustmentPart(4, 1),)))


@EVERY
def test_an_adjustment_of_nothing_is_refused(game: rules.Game):
    state = rules.begin_game(game, Setup(game.seats[0], dealer=0)).state
    for nothing in (Adjust(0, 0), Adjust(0, 2, (AdjustmentPart(0, 0),))):
        with pytest.raises(IllegalMove, match="0 points would change nothing"):
            apply(game, state, nothing)


@pytest.mark.parametrize(
    "also",
    [
        (AdjustmentPart(0, 2),),
        (AdjustmentPart(1, 2), AdjustmentPart(1, 3)),
        (AdjustmentPart(2, 1),),
        (AdjustmentPart(1, 1), AdjustmentPart(3, 1)),
    ],
)
def test_one_move_adjusts_no_side_twice(also: tuple[AdjustmentPart, ...]):
    game = rules.find_game("six-card")
    with pytest.raises(IllegalMove, match="changes each score once"):
        apply(game, rules.begin_game(game, Setup(seats=4)).state, Adjust(0, 5, also))


def test_the_first_part_at_the_target_wins():
    game = rules.find_game("six-card")
    state = apply(game, rules.begin_game(game, Setup()).state, Adjust(1, 121, (AdjustmentPart(0, 121),))).state
    assert (state.scores, state.winner) == ((121, 121), 1)


@EVERY
def test_no_game_has_pegs_to_accept(game: rules.Game):
    state = rules.begin_game(game, Setup(game.seats[0], dealer=0)).state
    with pytest.raises(IllegalMove, match="no pegs to accept"):
        apply(game, state, TakeBoard())
