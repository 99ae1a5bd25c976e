"""Boards: the shipped ones hold together, the diamond and its dice, and a wrong file is refused in one sentence."""

from itertools import combinations
from math import dist, hypot

import pytest

from companion.boards import catalog
from companion.boards.geometry import compute_light_positions
from companion.common.errors import BoardError
from companion.common.paths import resource_folder


@pytest.mark.parametrize("name", ["bases", "classic", "classic-61", "loop-60", "pursuit", "pursuit-square"])
def test_a_shipped_board_holds_together(name):
    board = catalog.load_board(name)
    assert [h.bit for h in board.holes] == list(range(len(board.holes)))
    assert len({h.pixel for h in board.holes}) == len({h.id for h in board.holes}) == len(board.holes)
    assert min(hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a, b in combinations(board.holes, 2)) > 4.5
    assert min(min(h.x_mm, h.y_mm) for h in board.holes) >= 0
    for routes in board.routes.values():
        for route in routes:
            assert len(set(route.way)) == len(route.way)
            assert [board.holes[bit].number for bit in route.start] == [0, -1]


def test_the_classic_board_has_three_tracks_and_routes_for_sides():
    board = catalog.load_board("classic")
    assert len(board.holes) == 3 * (2 + 121)
    assert {seats: len(routes) for seats, routes in board.routes.items()} == {2: 2, 3: 3, 4: 2}
    assert board.holes[board.routes[2][1].hole_at(121, 121)].id == "blue-121"
    shown = catalog.encode_board(board)
    assert shown["routes"]["2"][0]["way"][3] == board.by_id["red-4"].bit
    assert set(shown["holes"][0]) == {"bit", "pixel", "id", "track", "seat", "number", "x_mm", "y_mm"}


def test_once_round_the_loop_is_home_and_on_the_way_to_121_is_not():
    board = catalog.load_board("loop-60")
    red, blue = board.routes[2]
    assert blue.way[0] == red.way[30]
    assert red.hole_at(61, 61) == red.hole_at(121, 121) == red.start[0]
    assert red.hole_at(61, 121) == red.way[0]
    assert all(board.holes[bit].seat is None for bit in red.way)


def test_the_pursuit_board_has_254_holes_and_a_loop_of_30_holes_a_player():
    board = catalog.load_board("pursuit")
    assert len(board.holes) == 254
    assert sum(hole.number <= 0 for hole in board.holes) == 2 * 7
    for seats, routes in board.routes.items():
        assert [route.seat for route in routes] == list(range(seats))
        first = routes[0]
        assert len(first.way) == 30 * seats
        for route in routes:
            assert route.way == first.way[30 * route.seat :] + first.way[: 30 * route.seat]
            assert route.loop
    assert set(board.routes) == {2, 3, 4, 5}
    assert all(hole.seat is None for hole in board.holes)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_loops_of_the_pursuit_board_run_clockwise_from_hole_to_neighbouring_hole(seats):
    board = catalog.load_board("pursuit")
    for route in board.routes[seats]:
        at = [(board.holes[bit].x_mm, board.holes[bit].y_mm) for bit in route.way]
        pairs = list(zip(at, at[1:] + at[:1], strict=True))
        assert sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) > 0  # y points down: clockwise
        assert max(hypot(ax - bx, ay - by) for (ax, ay), (bx, by) in pairs) < 14
        nearer, farther = (board.holes[bit] for bit in route.start)
        steps = [hypot(nearer.x_mm - x, nearer.y_mm - y) for x, y in at]
        assert min(steps) in (steps[0], steps[-1])  # one starts where the lap begins and ends
        assert hypot(farther.x_mm - at[0][0], farther.y_mm - at[0][1]) > steps[0]


def test_the_shapes_of_the_pursuit_board_share_their_holes():
    board = catalog.load_board("pursuit")
    circle, triangle, square, house = (set(board.routes[n][0].way) for n in (2, 3, 4, 5))
    assert len(square & triangle) == 30  # the shared side
    assert house == (square | triangle) - (square & triangle)
    assert not circle & (square | triangle)
    assert len({bit for routes in board.routes.values() for route in routes for bit in route.start}) == 14


@pytest.mark.parametrize("name", ["bases", "classic", "classic-61", "loop-60", "pursuit"])
def test_each_light_has_room_beside_other_lights_and_holes(name):
    board = catalog.load_board(name)
    places = compute_light_positions(board)
    for hole in board.holes:
        light = places[hole.id]
        assert min(dist(light, places[other.id]) for other in board.holes if other is not hole) > 4
        assert min(hypot(light.x - it.x_mm, light.y - it.y_mm) for it in board.holes) > 3.4


def test_the_square_is_the_same_wood_for_ordinary_cribbage_and_ends_where_one_started():
    square, board = catalog.load_board("pursuit-square"), catalog.load_board("pursuit")
    assert square.holes == board.holes
    for seats in (2, 3, 4):
        assert square.routes[seats] == board.routes[4][:seats]
    route = square.routes[3][2]
    assert route.hole_at(121, 121) == route.start[0]
    assert route.hole_at(61, 61) == route.way[60]
    once = board.routes[2][1]
    assert once.hole_at(61, 61) == once.hole_at(121, 121) == once.start[0]


TWO_HOLES = """
[[track]]
name = "red"
seat = 0
start = [[0, 0], [0, 9]]
path = [{{ holes = 3, line = [[0, 20], [0, 60]] }}]
{more}
[routes]
{routes}
"""


PATH = "path = [{ holes = 1, line = [[0, 0], [0, 9]] }]"


@pytest.mark.parametrize(
    ("more", "routes", "words"),
    [
        ('[[start]]\nname = "blue"\nat = [[5, 5], [5, 9]]\nbit = 1', '2 = [{ track = "red" }]', "same bit"),
        ('[[start]]\nname = "red"\nat = [[5, 5], [5, 9]]', '2 = [{ track = "red" }]', "same id"),
        ('[[start]]\nname = "blue"\nat = [[5, 5], [5, 9]]\npixel = 0', '2 = [{ track = "red" }]', "same pixel"),
        ('[[start]]\nname = "blue"\nat = [[5, 5], [5, 9]]\nbit = 40', '2 = [{ track = "red" }]', "gap"),
        ('[ways]\nback = [["red", 3, 4]]', '2 = [{ track = "back", start = "red" }]', "from 1 to 3"),
        ('[ways]\nback = [["blue", 3, 1]]', '2 = [{ track = "back", start = "red" }]', "a part of a way"),
        ("", '2 = [{ track = "blue" }]', "does not exist"),
        ("", '2 = [{ track = "red", start = "x" }]', "x-start-1"),
        ("", "2 = 3", "a list"),
        ("", "2 = []", "at least one element"),
        ("", '2 = [{ start = "red" }]', "a route needs its track"),
        ("", 'two = [{ track = "red" }]', "numbers of seats"),
        ("[ways]\nback = 3", '2 = [{ track = "red" }]', "the way back must be a list"),
        ("[ways]\nback = [[[], 3, 1]]", '2 = [{ track = "red" }]', "a part of a way"),
        ("[[track]]\npath = []", '2 = [{ track = "red" }]', "a track needs its name"),
        ('[[track]]\nname = "x"', '2 = [{ track = "red" }]', "a track needs its path"),
        ('[[track]]\nname = "x"\npath = []', '2 = [{ track = "red" }]', "at least one element"),
        (f'[[track]]\nname = "x"\nnumbers = 3\n{PATH}', '2 = [{ track = "red" }]', "one for each hole"),
        (f'[[track]]\nname = "x"\nseat = "x"\n{PATH}', '2 = [{ track = "red" }]', "seat must be a whole number"),
        ('[[track]]\nname = "x"\npath = [{ holes = 1, line = [] }]', '2 = [{ track = "red" }]', "two points"),
        ('[[start]]\nname = "x"', '2 = [{ track = "red" }]', "a start needs its at"),
        ('[[start]]\nname = "x"\nat = [[0, nan], [0, 9]]', '2 = [{ track = "red" }]', "a y must be a number"),
        ("colour = 1", '2 = [{ track = "red" }]', "colour"),
        ("= 1", "", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path, more, routes, words):
    path = tmp_path / "mine.toml"
    path.write_text(TWO_HOLES.format(more=more, routes=routes))
    with pytest.raises(BoardError, match=words) as refused:
        catalog.load_board(str(path))
    assert "mine.toml" in str(refused.value)


@pytest.mark.parametrize("title", ['""', "3", f'"{"x" * 41}"'])
def test_a_wrong_title_is_refused(tmp_path, title):
    path = tmp_path / "mine.toml"
    path.write_text(f"title = {title}\n" + TWO_HOLES.format(more="", routes='2 = [{ track = "red" }]'))
    with pytest.raises(BoardError, match="title must be a text of at most 40 characters"):
        catalog.load_board(str(path))


def test_a_board_names_its_race_or_has_none(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TWO_HOLES.format(more="", routes=""))
    assert catalog.load_board(str(path)).routes == {}
    path.write_text(TWO_HOLES.format(more="", routes="").replace("[routes]", ""))
    with pytest.raises(BoardError, match="it has no routes"):
        catalog.load_board(str(path))


def test_an_unknown_board_names_the_nearest():
    with pytest.raises(BoardError, match="nearest is classic"):
        catalog.load_board("clasic")


@pytest.mark.parametrize("name", ["{folder}/other.toml", "../other.toml", "link.toml"])
def test_a_board_file_names_no_file_of_another_folder(tmp_path, name):
    """A pack comes from a stranger, whose board must not read files of the owner."""
    folder = tmp_path / "pack"
    folder.mkdir()
    (tmp_path / "other.toml").write_text("secret = 1")
    (folder / "link.toml").symlink_to(tmp_path / "other.toml")
    (folder / "board.toml").write_text(f'holes_of = "{name.format(folder=tmp_path)}"')
    with pytest.raises(BoardError, match="Name a file in its own folder"):
        catalog.read_board("mine", folder / "board.toml")


def test_a_board_file_may_name_a_file_of_its_folder(tmp_path):
    shipped = resource_folder("hardware/boards")
    (tmp_path / "wood.toml").write_text((shipped / "pursuit.toml").read_text())
    square = (shipped / "pursuit-square.toml").read_text()
    (tmp_path / "board.toml").write_text(square.replace('holes_of = "pursuit"', 'holes_of = "wood.toml"'))
    found = catalog.read_board("pursuit-square", tmp_path / "board.toml")
    assert "wood.toml" in (tmp_path / "board.toml").read_text()
    assert found == catalog.load_board("pursuit-square")


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
