"""How a start is named where a seat's start is a corner of the board, not a lane in its colour."""

import pytest

from companion.board.guidance import start_of
from companion.board.layout import load


@pytest.mark.parametrize(
    ("track", "said"),
    [
        ("red", "Red's start"),
        ("circle-left", "the start left of the circle"),
        ("upper-right", "the start at the upper right corner"),
        ("apex", "the start at the apex"),
    ],
)
def test_a_start_is_named_as_players_find_it(track: str, said: str):
    assert start_of(track) == said


def test_no_two_starts_of_a_board_have_one_name():
    board = load("pursuit")
    tracks = {board.holes[route.start[0]].track for routes in board.routes.values() for route in routes}
    assert len(tracks) == len({start_of(track) for track in tracks}) == 7
