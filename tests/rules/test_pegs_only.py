"""Pegs-only: the players count, the companion adds up."""

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Award, Setup, advance, apply, pegs_only
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Next, Peg, Play, Undo

GAME = pegs_only.GAME


def play_moves(*moves: Peg | Adjust | Next, **setup: object) -> pegs_only.PegsOnlyState:
    """Return the state after these moves from the start."""
    state = rules.begin_game(GAME, Setup(**setup)).state
    for move in moves:
        state = apply(GAME, state, move).state
    return state


def test_points_are_pegged_by_anybody_at_any_time():
    step = apply(GAME, play_moves(Peg(0, 8), Peg(0, 2)), Peg(1, 29))
    assert step.awards == (Award(1, 29, "pegged"),)
    assert (step.state.scores, step.state.phase) == ((10, 29), "play")


@pytest.mark.parametrize("points", [-1, 0])
def test_a_peg_goes_forward(points: int):
    with pytest.raises(IllegalMove, match="Peg at least 1 point: to go back, undo or adjust"):
        apply(GAME, play_moves(), Peg(0, points))


@pytest.mark.parametrize("points", [19, 25, 26, 27, 30, 121])
def test_points_that_no_hand_has_are_asked_about(points: int):
    with pytest.raises(IllegalMove, match=f"No hand is worth {points}: if you mean it, adjust the score."):
        apply(GAME, play_moves(), Peg(0, points))
    assert apply(GAME, play_moves(), Adjust(0, points)).state.scores == (points, 0)


@pytest.mark.parametrize(("target", "near"), [("121", 100), ("61", 40)])
def test_the_peg_stops_in_the_game_hole(target: str, near: int):
    state = play_moves(Adjust(1, near), Peg(1, 24), options={"target": target})
    assert (state.scores, state.winner, state.phase) == ((0, int(target)), 1, "over")
    with pytest.raises(IllegalMove, match="The game is over"):
        apply(GAME, state, Peg(0, 2))


@pytest.mark.parametrize(
    ("target", "score", "skunk", "games"),
    [("121", 60, "double skunk", 4), ("121", 90, "skunk", 2), ("121", 91, None, 1), ("61", 30, "skunk", 2)],
)
def test_a_finished_game_tells_of_a_skunk(target: str, score: int, skunk: str | None, games: int):
    moves = [Adjust(0, score), Adjust(1, int(target) - 4)]
    assert "skunk" not in GAME.view(play_moves(*moves, options={"target": target}))
    shown = GAME.view(play_moves(*moves, Peg(1, 4), options={"target": target}))
    assert (shown["skunk"], shown["game_points"]) == (skunk, games)


def test_of_three_players_each_loser_is_told_of_a_skunk():
    shown = GAME.view(play_moves(Adjust(0, 100), Adjust(1, 120), Peg(1, 1), seats=3))
    assert shown["skunks"] == [None, None, "double skunk"]


def test_partners_share_a_score():
    assert play_moves(Peg(0, 2), Peg(2, 3), Peg(3, 4), seats=4).scores == (5, 4)
    assert play_moves(Peg(2, 3), seats=3).scores == (0, 0, 3)


def test_a_winner_adjusted_to_below_the_target_has_not_won_after_all():
    state = play_moves(Adjust(0, 121), Adjust(0, -1))
    assert (state.winner, state.phase, state.scores) == (None, "play", (120, 0))


def test_of_two_at_the_target_the_winner_stays_until_adjusted():
    state = play_moves(Adjust(0, 121), Adjust(1, 121))
    assert state.winner == 0
    assert apply(GAME, state, Adjust(0, -5)).state.winner == 1


def test_next_begins_a_new_game_and_undo_comes_back():
    past = rules.begin_game(GAME, Setup())
    for move in (Adjust(0, 121), Next(), Undo()):
        past, step = advance(GAME, past, move)
    assert step.state.scores == (121, 0)
    with pytest.raises(IllegalMove, match="The play is still on"):
        apply(GAME, play_moves(), Next())


def test_no_cards_are_read():
    with pytest.raises(IllegalMove, match="This game has no cards"):
        GAME.interpret_scan(play_moves(), (), parse_card("5H"))
    with pytest.raises(IllegalMove, match="Score only has no play"):
        apply(GAME, play_moves(), Play(0, parse_card("5H")))


def test_there_is_no_deal_and_no_question():
    view = GAME.view(play_moves(Peg(0, 2)))
    assert (view["dealer"], view["turn"], view["count"], view["starter"]) == (None, None, 0, None)


@pytest.mark.parametrize("move", [Peg(2, 1), Adjust(2, 1), Peg(-1, 1)])
def test_a_seat_that_is_not_at_the_table_is_refused(move: Peg | Adjust):
    with pytest.raises(IllegalMove, match="seats are 0 to 1"):
        apply(GAME, play_moves(), move)
