"""The player's own board: its holes in a photograph, the lanes under drawn lines, its board file, and pegs on it."""

import tomllib
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards.board import build_lane
from companion.boards.board_file import parse_board
from companion.plugins.peg_photos import UnusablePhoto
from companion.plugins.peg_photos.drawn_track import trace_track
from companion.plugins.peg_photos.geometry import (
    BORDER_MM,
    FLAT_PX_PER_MM,
    find_board_holes,
    find_markers,
    flatten_wood,
)
from companion.plugins.peg_photos.own_board import BoardDrawing, map_board
from companion.plugins.peg_photos.pegs import PegPhoto, PegSide, check_pegs
from tests.plugins.peg_photos.own_boards import (
    HOLES,
    create_own_board,
    draw_line,
    encode_photo,
    map_to_photo,
    photograph_board,
    stick_markers,
)


@pytest.fixture(scope="module")
def own():
    return create_own_board()


def draw_board(own, seed, lines=None, count=HOLES):
    """Return what a player sends: a photograph without pegs, its corners, and a line over each lane."""
    photo = photograph_board(own, seed, tap_error_px=0)
    rng = np.random.default_rng(seed)
    drawn = [map_to_photo(own, photo, draw_line(rng, own.lane_places(lane))) for lane in own.lanes]
    lines = drawn if lines is None else [drawn[n] for n in lines]
    return photo, BoardDrawing(encode_photo(photo), photo.corners, float(own.size_mm.max()), count, lines)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_hole_of_an_unknown_board_is_found(own, seed):
    photo = photograph_board(own, seed, tap_error_px=0)
    wood = flatten_wood(photo.picture, photo.corners, float(own.size_mm.max()))
    found = find_board_holes(wood.picture)
    nearest = np.linalg.norm(own.places[:, None] - found[None], axis=2).min(axis=1)
    assert np.all(np.abs(wood.size_mm - own.size_mm) < 0.03 * own.size_mm)
    assert nearest.max() < 3  # the shorter side is an estimate
    assert len(found) < 1.6 * len(own.places)  # letters are found too


@pytest.mark.parametrize("seed", range(4))
def test_lines_give_each_lane_in_order(own, seed):
    photo, drawing = draw_board(own, seed)
    answer = map_board(drawing)
    for lane, found in zip(own.lanes, answer["lanes"], strict=True):
        true = map_to_photo(own, photo, own.lane_places(lane))
        px_per_mm = np.linalg.norm(photo.corners[0] - photo.corners[3]) / own.size_mm[1]
        assert np.linalg.norm(np.array(found) - true, axis=1).max() < 1.0 * px_per_mm


@pytest.mark.parametrize("hidden", [[10], [6, 40], [7, 53, 54]])
def test_holes_that_were_not_seen_are_filled_in(own, hidden):
    """6 is the last hole of a group, 7 the first of one, with the two start holes before them."""
    places = own.lane_places(own.lanes[0])
    others = own.lane_places(own.lanes[1])
    seen = np.concatenate((np.delete(places, hidden, axis=0), others))
    way = trace_track(seen, draw_line(np.random.default_rng(3), places, 1.0), HOLES)
    assert np.linalg.norm(way - places, axis=1).max() < 0.8


def test_a_line_that_ends_early_is_refused(own):
    places = own.lane_places(own.lanes[0])
    with pytest.raises(UnusablePhoto, match="There are 50 holes under the line instead of 63"):
        trace_track(own.places, draw_line(np.random.default_rng(2), places[:50], 0), HOLES)


def test_a_line_between_two_lanes_is_refused(own):
    """At the end of the rows it strays to the middle between both: either lane would have the right number of holes."""
    places = own.lane_places(own.lanes[0])
    line = draw_line(np.random.default_rng(2), places, 0)
    line[24:32, 0] += [1, 2, 3, 4, 4.5, 5, 5, 4.5]
    with pytest.raises(UnusablePhoto, match="The line strays into the next lane"):
        trace_track(own.places, line, HOLES)


@pytest.mark.parametrize("seed", [125, 545])
def test_a_spot_beside_a_row_is_no_hole(own, seed):
    places = own.lane_places(own.lanes[0])
    holes = np.vstack((own.places, places[31] - (4.9, 0)))
    line = draw_line(np.random.default_rng(seed), places, 2)  # it passes nearer to the spot
    with pytest.raises(UnusablePhoto, match="The line strays"):
        trace_track(holes, line, HOLES)


def test_a_letter_beside_a_hole_is_none(own):
    places = own.lane_places(own.lanes[0])
    holes = np.vstack((own.places, places[0] + (0.3, 3.9)))
    way = trace_track(holes, draw_line(np.random.default_rng(6), places, 0.5), HOLES)
    assert np.linalg.norm(way - places, axis=1).max() < 0.8


def test_a_dark_edge_has_no_holes(own):
    photo = photograph_board(own, 2, tap_error_px=0)
    wood = flatten_wood(photo.picture, photo.corners, float(own.size_mm.max()))
    for x in range(60, wood.picture.shape[1] - 60, 60):
        cv2.circle(wood.picture, (x, round((BORDER_MM + 1) * FLAT_PX_PER_MM)), 6, (30, 20, 20), -1)
    found = find_board_holes(wood.picture)
    assert found.min() > 2
    assert np.all(found < wood.size_mm - 2)


@pytest.mark.parametrize("hidden", [[0], [1], [2], [61], [21, 22], [7, 50, 51], [30, 31, 32, 33, 34, 35]])
def test_it_is_not_guessed_where_holes_are(own, hidden):
    """The steps at the start and to the last hole have any length, and a longer step could be a jump."""
    places = own.lane_places(own.lanes[0])
    with pytest.raises(UnusablePhoto):
        trace_track(np.delete(places, hidden, axis=0), draw_line(np.random.default_rng(4), places, 0), HOLES)


def test_the_board_file_serves_to_check_pegs(own):
    file = map_board(draw_board(own, 5)[1])["file"]
    board = parse_board("own", tomllib.loads(file))
    pegs = {own.lanes[0].hole_at(40): "red", own.lanes[0].hole_at(33): "red"}
    pegs |= {own.lanes[1].hole_at(0): "blue", own.lanes[1].hole_at(-1): "blue"}
    photo = photograph_board(own, 6, pegs, is_half_turned=True)
    sides = [
        PegSide(name, build_lane(route, HOLES), 40, colour)
        for name, route, colour in zip(("Red", "Blue"), board.routes[2], ("red", "blue"), strict=True)
    ]
    answer = check_pegs(PegPhoto(encode_photo(photo), photo.corners, photo.whole), board, sides)
    assert [len(route.way) for route in board.routes[2]] == [HOLES, HOLES]
    assert [side["points"] for side in answer["sides"]] == [40, 0]


def test_a_shared_last_hole_is_one_hole(own):
    from companion.plugins.peg_photos.own_board import write_board_file  # noqa: PLC0415

    lanes = [own.lane_places(lane) for lane in own.lanes]
    lanes[1] = np.concatenate((lanes[1][:-1], lanes[0][-1:]))
    board = parse_board("own", tomllib.loads(write_board_file(own.size_mm, lanes)))
    first, second = board.routes[2]
    assert first.way[-1] == second.way[-1]
    assert len(board.holes) == 2 * (HOLES + 2) - 1


@pytest.mark.parametrize(
    ("lines", "count", "say"),
    [((0, 0), HOLES, "Two lines lie over the same holes"), ((0,), 60, "There are 63 holes"), ((), 90, "121 or 61")],
)
def test_lines_that_are_no_lanes_are_refused(own, lines, count, say):
    with pytest.raises(UnusablePhoto, match=say):
        map_board(draw_board(own, 7, lines, count)[1])


def test_a_board_that_takes_much_memory_is_refused(own):
    drawing = replace(draw_board(own, 7)[1], length_mm=1000.0)
    with pytest.raises(UnusablePhoto, match="At most 1200 cm²"):
        map_board(drawing)


def test_a_scribble_is_refused_before_it_is_followed(own):
    with pytest.raises(UnusablePhoto, match="Draw a line"):
        trace_track(own.places, np.array([(0, 0), (90, 300)] * 60, float), HOLES)


def test_a_picture_without_holes_is_refused():
    rng = np.random.default_rng(8)
    picture = cv2.imencode(".png", rng.normal(150, 4, (1200, 500, 3)).clip(0, 255).astype(np.uint8))[1].tobytes()
    with pytest.raises(UnusablePhoto, match="Take all pegs out"):
        map_board(BoardDrawing(picture, [(10, 10), (490, 10), (490, 1190), (10, 1190)], 350, 121))


@pytest.mark.parametrize("turned", [False, True])
def test_four_markers_give_corners_and_length(own, turned):
    photo = photograph_board(own, 9, tap_error_px=0, is_half_turned=turned)
    found = find_markers(stick_markers(own, photo))
    assert np.abs(np.array(found["corners"]) - photo.corners).max() < 3
    assert abs(found["length_mm"] - own.size_mm.max()) < 0.03 * own.size_mm.max()


@pytest.mark.parametrize("numbers", [(0, 1, 2, 2), (0, 1, 2, 7)])
def test_without_four_different_markers_nothing_is_said(own, numbers):
    photo = photograph_board(own, 10, tap_error_px=0)
    assert find_markers(stick_markers(own, photo, numbers)) == {"corners": None, "length_mm": None}
