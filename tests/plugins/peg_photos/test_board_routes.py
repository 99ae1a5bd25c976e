"""`/api/pegs/board` and `/api/pegs/markers`: the players' own board is mapped, kept, and used for a check."""

from contextlib import closing

import numpy as np
import pytest

from companion.boards.catalog import load_board
from companion.plugins.peg_photos.routes import MARKERS_PATH, OWN_BOARD_PATH, PEG_PHOTO_PATH
from companion.table.game_switcher import GameSwitcher
from tests.plugins.peg_photos.own_boards import (
    create_own_board,
    draw_line,
    encode_photo,
    map_to_photo,
    photograph_board,
)
from tests.server.conftest import create_table_app, join_table
from tests.support.plugin_app import add_photo_plugins
from tests.support.tables import open_table

JPEG = {"Content-Type": "image/jpeg"}
NO_BOARD = {"can_keep": True, "seats": [], "holes": None}


@pytest.fixture
def own_file(tmp_path):
    return tmp_path / "journal.board.toml"


@pytest.fixture
def phone(tmp_path, own_file):
    """Return a player of a game to 61 whose table keeps a board."""
    with closing(open_table(tmp_path, "five-card")) as table:
        switcher = GameSwitcher(table)
        app = add_photo_plugins(create_table_app(switcher), switcher, tmp_path / "journal.sqlite3")
        yield join_table(app.test_client())


@pytest.fixture(scope="module")
def drawn():
    """Return the board, a photograph of it, the query with its corners and length, and a line over each lane."""
    own = create_own_board()
    photo = photograph_board(own, 1, tap_error_px=0)
    rng = np.random.default_rng(1)
    lines = [map_to_photo(own, photo, draw_line(rng, own.lane_places(lane))) for lane in own.lanes]
    query = f"corners={join_numbers(photo.corners)}&length={own.size_mm.max()}&holes=61"
    return own, encode_photo(photo), query, ";".join(join_numbers(line) for line in lines)


def join_numbers(points):
    return ",".join(f"{v:.1f}" for v in np.ravel(points))


def ask(client, path, query, data=b"\xff\xd8"):
    return client.post(f"{path}?{query}", data=data, headers=JPEG)


def test_an_own_board_is_drawn_kept_and_then_checked(phone, drawn, own_file):
    own, data, query, lines = drawn
    before = phone.get("/api/state").json
    assert phone.get(OWN_BOARD_PATH).json == NO_BOARD

    rings = ask(phone, OWN_BOARD_PATH, query, data).json
    drawing = ask(phone, OWN_BOARD_PATH, f"{query}&lines={lines}", data).json

    assert (len(rings["holes"]) >= 126, rings["lanes"], drawing["is_kept"]) == (True, [], False)
    assert [len(lane) for lane in drawing["lanes"]] == [63, 63]
    assert not own_file.exists()

    assert ask(phone, OWN_BOARD_PATH, f"{query}&lines={lines}&keep=yes", data).json["is_kept"]

    assert phone.get(OWN_BOARD_PATH).json == {"can_keep": True, "seats": [2], "holes": 61}
    assert [len(route.way) for route in load_board(str(own_file)).routes[2]] == [61, 61]
    pegs = {own.lanes[0].hole_at(12): "red", own.lanes[0].hole_at(5): "red"}
    pegs |= {own.lanes[1].hole_at(0): "blue", own.lanes[1].hole_at(-1): "blue"}
    photo = photograph_board(own, 2, pegs)
    place = f"corners={join_numbers(photo.corners)}&whole={','.join(map(str, photo.whole))}"
    reply = ask(phone, PEG_PHOTO_PATH, f"{place}&colours=red,blue&board=own", encode_photo(photo))
    assert [side["points"] for side in reply.json["sides"]] == [12, 0]
    assert reply.json["sides"][0]["say"] == "Red's front peg looks to be on 12, the score is 0."
    assert phone.get("/api/state").json == before


def test_a_board_is_kept_only_with_its_lanes(phone, drawn, own_file):
    _, data, query, lines = drawn

    refusal = ask(phone, OWN_BOARD_PATH, f"{query}&lines={lines.split(';')[0]}&keep=yes", data)

    assert (refusal.status_code, "each lane" in refusal.json["error"]) == (409, True)
    assert not own_file.exists()


@pytest.mark.parametrize(
    ("code", "query"),
    [
        (400, "corners=1,2,3&length=300&holes=61"),
        (400, "corners=0,0,9,0,9,9,0,9&length=3&holes=61"),
        (400, "corners=0,0,9,0,9,9,0,9&length=300&holes=62"),
        (400, "corners=0,0,9,0,9,9,0,9&length=300&holes=61&lines=1,2,3"),
        (400, "corners=0,0,9,0,9,9,0,9&length=300&holes=61&lines=1,2,3,inf"),
        (400, "corners=0,0,9,0,9,9,0,9&length=300&holes=61&lines=" + ",".join(["1"] * 242)),
        (415, "corners=0,0,9,0,9,9,0,9&length=300&holes=61"),
    ],
)
def test_what_is_no_drawing_of_a_board_is_refused_with_a_sentence(phone, code, query):
    refusal = ask(phone, OWN_BOARD_PATH, query)

    assert refusal.status_code == code
    assert refusal.json["error"].endswith(".")


@pytest.mark.parametrize(
    ("text", "say"),
    [
        (None, "does not know your own board"),
        ("no toml", "not valid TOML"),
        (
            '[[track]]\nname = "1"\nstart = [[9, 9], [9, 2]]\npath = [{ holes = 9, line = [[20, 9], [90, 9]] }]\n'
            '[routes]\n1 = [{ track = "1" }]\n',
            "not enough lanes",
        ),
        (
            '[[track]]\nname = "1"\nstart = [[9, 9], [9, 2]]\npath = [{ holes = 9, line = [[20, 9], [90, 9]] }]\n'
            '[routes]\n2 = [{ track = "1" }, { track = "1" }]\n',
            "too short",
        ),
    ],
)
def test_a_check_on_a_board_that_does_not_serve_is_refused(phone, own_file, text, say):
    if text is not None:
        own_file.write_text(text)

    refusal = ask(phone, PEG_PHOTO_PATH, "corners=0,0,9,0,9,9,0,9&colours=red,blue&board=own")

    assert (refusal.status_code, say in refusal.json["error"]) == (409, True)


def test_a_picture_without_markers_has_no_corners(phone, drawn):
    assert ask(phone, MARKERS_PATH, "", drawn[1]).json == {"corners": None, "length_mm": None}


@pytest.mark.parametrize("path", [OWN_BOARD_PATH, MARKERS_PATH])
def test_watchers_may_not_send_photographs_of_boards(watcher, path):
    assert ask(watcher, path, "corners=0,0,9,0,9,9,0,9&length=300&holes=61").status_code == 403


def test_a_table_without_a_file_keeps_no_board(player, drawn):
    _, data, query, lines = drawn

    assert player.get(OWN_BOARD_PATH).json == NO_BOARD | {"can_keep": False}
    assert not ask(player, OWN_BOARD_PATH, f"{query}&lines={lines}&keep=yes", data).json["is_kept"]
