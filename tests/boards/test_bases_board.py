"""The board of 'Round the Bases: a diamond, boxes, and dice that are pixels without holes."""

import pytest

from companion.boards import catalog
from companion.common.errors import BoardError

BOARD = catalog.load_board("bases")


def at(hole):
    return (BOARD.by_id[hole].x_mm, BOARD.by_id[hole].y_mm)


def test_the_bases_are_the_corners_of_a_square_six_spaces_apart():
    first, second, third, home = (at(f"bases-{n}") for n in (6, 12, 18, 24))
    assert (first, second, third, home) == ((210, 190), (150, 130), (90, 190), (150, 250))
    assert sum(hole.track == "bases" for hole in BOARD.holes) == 24


def test_every_box_has_the_numbers_that_are_printed_on_it():
    numbers = {
        track: [hole.number for hole in BOARD.holes if hole.track == track]
        for track in ("batter", "runners", "outs", "innings", "red-units", "red-tens", "blue-runs", "blue-pegs")
    }
    assert numbers == {
        "batter": [0],
        "runners": [1, 2, 3, 4],
        "outs": [0, 1, 2, 3],
        "innings": list(range(10)),
        "red-units": list(range(1, 10)),
        "red-tens": [10, 20, 30, 40, 50],
        "blue-runs": [1, 2, 3, 4, 5, 10, 15, 20],
        "blue-pegs": [1, 2, 3, 4, 5],
    }
    assert [BOARD.by_id[hole].seat for hole in ("outs-0", "red-tens-50", "blue-runs-20")] == [None, 0, 1]


def test_the_dice_are_seven_pixels_each_beyond_those_of_the_holes():
    pixels = [pip.pixel for die in BOARD.dice for pip in die]
    assert pixels == list(range(len(BOARD.holes), len(BOARD.holes) + 14))
    assert BOARD.pixel_count == len(BOARD.holes) + 14
    assert len(catalog.encode_board(BOARD)["dice"]) == 2
    assert "dice" not in catalog.encode_board(catalog.load_board("classic"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("numbers = [0]", "numbers = [0, 1]"), "one for each hole"),
        (("numbers = [0]", 'numbers = ["0"]'), "one for each hole"),
        (("pitch = 8", "pitch = 8\npixel = 5"), "used elsewhere"),
        (("pitch = 8", ""), "pitch must be a number"),
        (("[spaces.", "[places."), "places"),
    ],
)
def test_a_wrong_board_is_refused_in_a_sentence(tmp_path, change, words):
    text = (catalog.resource_folder("hardware/boards") / "bases.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(*change))
    with pytest.raises(BoardError, match=words):
        catalog.load_board(str(path))
