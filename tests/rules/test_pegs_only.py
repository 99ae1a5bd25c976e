"""Pegs-only: the players count, the companion adds up."""

from functools import partial

import pytest

from tests.support.stories import Story, refuse_each, story, tell_each

tell = partial(Story, "pegs-only")


@tell_each(
    story("anybody pegs at any time", "0 pegs 8; 0 pegs 2; 1 pegs 29", awards="1+29 pegged", scores=(10, 29),
          phase="play"),
    story("the peg stops in the game hole", "1 adjusts 100; 1 pegs 24", scores=(0, 121), winner=1, phase="over"),
    story("to 61 too", "1 adjusts 40; 1 pegs 24", "target=61", scores=(0, 61), winner=1, phase="over"),
    story("a double skunk", "0 adjusts 60; 1 adjusts 117; 1 pegs 4", skunk="double skunk", game_points=4),
    story("a skunk", "0 adjusts 90; 1 adjusts 117; 1 pegs 4", skunk="skunk", game_points=2),
    story("no skunk", "0 adjusts 91; 1 adjusts 117; 1 pegs 4", skunk=None, game_points=1),
    story("a skunk at 61", "0 adjusts 30; 1 adjusts 57; 1 pegs 4", "target=61", skunk="skunk", game_points=2),
    story("each of three has a skunk", "0 adjusts 100; 1 adjusts 120; 1 pegs 1", "seats=3",
          skunks=[None, None, "double skunk"]),
    story("partners share a score", "0 pegs 2; 2 pegs 3; 3 pegs 4", "seats=4", scores=(5, 4)),
    story("three do not", "2 pegs 3", "seats=3", scores=(0, 0, 3)),
    story("a winner adjusted below the target has not won", "0 adjusts 121; 0 adjusts -1", winner=None, phase="play",
          scores=(120, 0)),
    story("of two at the target the winner stays", "0 adjusts 121; 1 adjusts 121", winner=0),
    story("until adjusted", "0 adjusts 121; 1 adjusts 121; 0 adjusts -5", winner=1),
    story("undo comes back from the next game", "0 adjusts 121; next; undo", scores=(121, 0)),
    story("next begins a new game", "0 adjusts 121; next", scores=(0, 0), phase="play"),
    story("there is no deal and no question", "0 pegs 2", dealer=None, turn=None, count=0, starter=None),
)  # fmt: skip
def test_pegs_only_is_played_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


def test_a_game_that_goes_on_has_no_skunk():
    assert "skunk" not in tell("0 adjusts 60; 1 adjusts 117").view


@refuse_each("""
| 0 pegs -1 | Peg at least 1 point: to go back, undo or adjust
| 0 pegs 0 | Peg at least 1 point: to go back, undo or adjust
| 1 adjusts 100; 1 pegs 24; 0 pegs 2 | The game is over
target=61 | 1 adjusts 40; 1 pegs 24; 0 pegs 2 | The game is over
| next | The play is still on
| 0 5H | Score only has no play
| 2 pegs 1 | seats are 0 to 1
| 2 adjusts 1 | seats are 0 to 1
| -1 pegs 1 | seats are 0 to 1
""")
def test_what_cannot_be_is_refused_in_words(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


@pytest.mark.parametrize("points", [19, 25, 26, 27, 30, 121])
def test_points_that_no_hand_has_are_asked_about(points):
    assert f"No hand is worth {points}: if you mean it, adjust the score." in tell().refuse(f"0 pegs {points}")
    tell(f"0 adjusts {points}").check(scores=(points, 0))


def test_no_cards_are_read():
    tell().check_scan("5H", "This game has no cards")
