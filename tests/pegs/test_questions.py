"""How a start is named where a seat's start is a corner of the board, not a lane in its colour."""

import pytest

from companion.boards.catalog import load_board
from companion.pegs.problems import ambiguity_sentence, start_name


@pytest.mark.parametrize(
    ("track", "said"),
    [
        ("circle-left", "the start left of the circle"),
        ("upper-right", "the start at the upper right corner"),
        ("apex", "the start at the apex"),
    ],
)
def test_a_start_is_named_as_players_find_it(track: str, said: str):
    assert start_name(track, shared=True) == said


def test_a_custom_lane_has_a_start_under_any_name():
    assert start_name("red", shared=False) == "Red's start"
    assert start_name("north-4", shared=False) == "North-4's start"


def test_no_two_starts_of_a_board_have_one_name():
    board = load_board("pursuit")
    tracks = {board.holes[route.start[0]].track for routes in board.routes.values() for route in routes}
    assert len(tracks) == len({start_name(track, shared=True) for track in tracks}) == 7


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Blue"], "Blue's peg may be in any of several holes. The sensors cannot tell which."),
        (["Red", "Blue"], "Red and Blue both moved, and the sensors cannot tell whose peg is whose."),
        (["Red", "Blue", "Green"], "Red, Blue and Green all moved, and the sensors cannot tell whose peg is whose."),
    ],
)
def test_indistinguishable_pegs_are_asked_about_in_a_sentence(names: list[str], said: str):
    assert ambiguity_sentence(names) == said
