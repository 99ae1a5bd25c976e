"""Pegs in drawn photographs of our boards: found, or not certain, never in a wrong hole."""

from collections import Counter

import cv2
import numpy as np
import pytest

from companion.boards.board import holes_of
from companion.boards.catalog import load_board
from companion.plugins.peg_photos import UnusablePhoto, check_colours
from companion.plugins.peg_photos.geometry import flatten_board
from companion.plugins.peg_photos.pegs import PegPhoto, PegSide, check_pegs, find_pegs
from tests.plugins.peg_photos.drawn_boards import View, draw_photo, lanes_of
from tests.plugins.peg_photos.measure import measure_photo
from tests.plugins.peg_photos.own_boards import encode_photo

VIEW = View(distance_mm=700, tilt=3, turn=2)


def draw_pegs(board_name, holes, view=VIEW, seed=1, peg_mm=18):
    """Return the board, its two lanes, and a photograph with pegs in these holes, given by id."""
    board = load_board(board_name)
    pegs = {board.by_id[hole].bit: colour for hole, colour in holes.items()}
    return board, lanes_of(board, 2), draw_photo(np.random.default_rng(seed), board, pegs, view, peg_mm)


def find(board, lanes, photo, colours=("red", "blue")):
    """Return the ids of the holes found in each lane; None if they are not certain."""
    flat = flatten_board(photo.picture, photo.corners, board, photo.whole)
    found = find_pegs(flat, [holes_of(lane.bits) for lane in lanes], colours)
    return [None if pair.holes is None else {board.holes[bit].id for bit in pair.holes} for pair in found]


PEGS = {"red-45": "red", "red-40": "red", "blue-21": "blue", "blue-20": "blue"}
TRUE = [{"red-45", "red-40"}, {"blue-21", "blue-20"}]


def test_no_drawn_peg_is_in_a_wrong_hole():
    counts = sum((measure_photo(seed) for seed in range(8)), Counter())
    assert counts["wrong holes"] == counts["refused"] == 0
    assert counts["holes"] > 800
    assert counts["unsure lanes"] <= 0.2 * counts["lanes"]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [0, 3, 2, 1], [2, 3, 0, 1], [0, 2, 1, 3]])
def test_the_corners_may_be_tapped_in_any_order(order):
    board, lanes, photo = draw_pegs("classic", PEGS)
    assert find(board, lanes, photo._replace(corners=photo.corners[order])) == TRUE


@pytest.mark.parametrize("rows", [-1, 1])
def test_corners_off_by_a_row_shift_no_pegs(rows):
    board, lanes, photo = draw_pegs("classic", PEGS)
    a_row = (photo.corners[3] - photo.corners[0]) * 7 / 354
    assert find(board, lanes, photo._replace(corners=photo.corners + rows * a_row)) == TRUE


def test_tall_pegs_are_told_from_two_pegs():
    close = View(distance_mm=600, tilt=0, turn=0)
    pegs = {"red-119": "red", "red-60": "red", "blue-118": "blue", "blue-117": "blue"}
    board, lanes, photo = draw_pegs("classic", pegs, close, peg_mm=25)
    assert find(board, lanes, photo) == [{"red-119", "red-60"}, {"blue-118", "blue-117"}]


@pytest.mark.parametrize("missing", ["red-45", "red-40"])
def test_a_side_with_one_peg_is_not_certain(missing):
    board, lanes, photo = draw_pegs("classic", {hole: tint for hole, tint in PEGS.items() if hole != missing})
    assert find(board, lanes, photo) == [None, TRUE[1]]


@pytest.mark.parametrize("tint", ["wood", "black"])
def test_pegs_of_another_colour_are_not_certain(tint):
    board, lanes, photo = draw_pegs("classic-61", PEGS | {"red-45": tint, "red-40": tint})
    assert find(board, lanes, photo) == [None, TRUE[1]]


@pytest.mark.parametrize(
    ("colours", "why"), [(("red", "black"), "wooden"), (("wood", "blue"), "wooden"), (("red", "red"), "own colour")]
)
def test_colours_that_look_alike_are_refused(colours, why):
    with pytest.raises(UnusablePhoto, match=why):
        check_colours(colours)


def shrink(photo):
    return photo._replace(
        picture=cv2.resize(photo.picture, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA),
        corners=photo.corners * 0.4,
        whole=None,
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (shrink, "too small"),
        (lambda photo: photo._replace(corners=photo.corners * 0.9 + 40), "do not fit"),
        (lambda photo: photo._replace(corners=photo.corners[[0, 1, 2, 2]]), "not the corners"),
        (lambda photo: photo._replace(picture=photo.picture * 0 + 128), "do not fit"),
    ],
)
def test_a_photograph_that_shows_too_little_is_refused(change, why):
    board, lanes, photo = draw_pegs("classic", PEGS)
    with pytest.raises(UnusablePhoto, match=why):
        find(board, lanes, change(photo))


def test_a_slanted_photograph_is_refused():
    board, lanes, photo = draw_pegs("classic-61", PEGS, View(distance_mm=600, tilt=42, turn=0))
    with pytest.raises(UnusablePhoto, match="slanted"):
        find(board, lanes, photo)


def test_another_board_is_refused():
    _, lanes, photo = draw_pegs("classic", PEGS)
    with pytest.raises(UnusablePhoto, match="do not fit"):
        find(load_board("classic-61"), lanes, photo)


def check_photo(photo, board, lanes, scores):
    """Return what is found of red and blue with these scores."""
    sides = list(map(PegSide, ("Red", "Blue"), lanes, scores, ("red", "blue")))
    return check_pegs(PegPhoto(encode_photo(photo), photo.corners.tolist(), photo.whole), board, sides)["sides"]


def test_pegs_are_compared_with_the_scores():
    board, lanes, photo = draw_pegs("classic", PEGS)
    checked = check_photo(photo, board, lanes, (47, 21))
    assert [side["say"] for side in checked] == [
        "Red's front peg looks to be on 45, the score is 47.",
        "Blue's front peg looks to be on 21, as the score.",
    ]
    assert [[peg["hole"] for peg in side["pegs"]] for side in checked] == [["red-45", "red-40"], ["blue-21", "blue-20"]]
    assert [side["points"] for side in checked] == [45, 21]


def test_a_loop_is_read_near_the_score():
    board = load_board("loop-60")
    lanes = lanes_of(board, 2)
    pegs = {lanes[0].hole_at(points): "red" for points in (70, 66)}
    pegs |= {lanes[1].hole_at(points): "blue" for points in (9, 4)}
    checked = check_photo(draw_photo(np.random.default_rng(3), board, pegs, VIEW), board, lanes, (70, 12))
    assert [side["points"] for side in checked] == [70, 9]
