"""A board file with a display of 25 pixels shows the markers of Sackson swap."""

import pytest

from companion.boards import catalog
from companion.common.errors import BoardError
from companion.common.paths import resource_folder
from companion.display.lights import MARKER_COLOURS, OFF, paint_frame
from companion.rules.moves import Exchange, Take
from companion.settings import Settings
from companion.table import inputs, state
from companion.table.setup import create_plan
from companion.table.state import create_snapshot

DISPLAY = "\n[display]\ncentre = [52, 150]\npitch = 10\n"


def board_file(tmp_path, more):
    path = tmp_path / "mine.toml"
    path.write_text((resource_folder("hardware/boards") / "classic-61.toml").read_text() + more)
    return str(path)


def shown(now):
    """What the display's pixels show, row by row."""
    board = now.plan.board
    frame = paint_frame(board, create_snapshot(now, number=1, run="test", moves=0), 0)
    names = {colour: name for name, colour in MARKER_COLOURS.items()} | {OFF: None}
    lit = [names[frame[pip.pixel]] for pip in board.display]
    return tuple(tuple(lit[n : n + 5]) for n in range(0, 25, 5))


def test_its_pixels_follow_the_holes_row_by_row(tmp_path):
    board = catalog.load_board(board_file(tmp_path, DISPLAY))
    first, last = board.display[0], board.display[-1]
    assert (len(board.display), first.pixel, last.pixel) == (25, len(board.holes), board.pixel_count - 1)
    assert (first.x_mm, first.y_mm, last.x_mm, last.y_mm) == (32, 130, 72, 170)
    assert (board.display[1].x_mm, board.display[5].y_mm) == (42, 140)
    assert catalog.encode_board(board)["display"][0] == {"pixel": first.pixel, "x_mm": 32, "y_mm": 130}
    assert "a display of 25 pixels" in catalog.describe_board(board)


def test_it_shows_the_markers_and_what_an_exchange_makes_of_them(tmp_path):
    now = state.create_core(create_plan("swap", board=board_file(tmp_path, DISPLAY)), Settings())
    assert shown(now) == now.plan.game.view(now.past.state)["display"]
    before = shown(now)
    now = inputs.on_move(now, Take(0, ("red", "yellow")), "phone", 0).core
    a, b = now.plan.game.view(now.past.state)["legal"][0]
    now = inputs.on_move(now, Exchange(0, a, b), "phone", 0).core
    after = shown(now)
    assert (after[a[0]][a[1]], after[b[0]][b[1]]) == (before[b[0]][b[1]], before[a[0]][a[1]])
    assert after == now.plan.game.view(now.past.state)["display"]


def test_before_the_markers_are_laid_and_in_other_games_it_is_dark(tmp_path):
    name = board_file(tmp_path, DISPLAY)
    for made in (create_plan("swap", board=name, options={"start": "random"}), create_plan("five-card", board=name)):
        assert {lit for row in shown(state.create_core(made, Settings())) for lit in row} == {None}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (DISPLAY + "pixel = 3\n", "display has a pixel that is used elsewhere"),
        ("\n[display]\ncentre = [1, 2]\n", "pitch must be a number"),
        ("\n[display]\ncenter = [1, 2]\n", "nearest is 'centre'"),
        (DISPLAY + "\n[[dice]]\ncentre = [0, 0]\npitch = 5\npixel = 200\n", "pixel that is used elsewhere"),
    ],
)
def test_a_display_that_cannot_be_is_refused_in_a_sentence(tmp_path, more, words):
    with pytest.raises(BoardError, match=words):
        catalog.load_board(board_file(tmp_path, more))
