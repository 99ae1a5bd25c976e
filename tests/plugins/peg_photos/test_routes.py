"""The routes of photographs: pegs are compared with the scores, an own board is mapped and kept, others are refused."""

import sys
from contextlib import closing

import cv2
import numpy as np
import pytest

from companion.boards.catalog import load_board
from companion.http.permissions import MAX_PHOTO_BYTES
from companion.plugins.peg_photos.routes import MARKERS_PATH, OWN_BOARD_PATH, PEG_PHOTO_PATH, find_peg_scores
from companion.rules import GAMES
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher
from companion.table.setup import create_plan
from companion.table.state import create_core, create_snapshot
from tests.plugins.peg_photos.drawn_boards import View, draw_photo
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
FOUR_CORNERS = "corners=0,0,130,0,130,350,0,350"
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


def ask(client, path, query, data=b"\xff\xd8", headers=JPEG):
    return client.post(f"{path}?{query}", data=data, headers=headers)


def test_an_own_board_is_drawn_kept_and_checked(phone, drawn, own_file):
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


BOARD = "corners=0,0,9,0,9,9,0,9&length=300&holes=61"
COLOURS = f"{FOUR_CORNERS}&colours=red,blue"


@pytest.mark.parametrize(("code", "path", "query", "data", "headers"), [
    *((400, OWN_BOARD_PATH, query, b"\xff\xd8", JPEG) for query in (
        "corners=1,2,3&length=300&holes=61", BOARD.replace("300", "3"), BOARD.replace("61", "62"),
        f"{BOARD}&lines=1,2,3", f"{BOARD}&lines=1,2,3,inf", f"{BOARD}&lines=" + ",".join(["1"] * 242))),
    *((400, PEG_PHOTO_PATH, query, b"\xff\xd8", JPEG) for query in (
        "colours=red,blue", "corners=1,2,3&colours=red,blue", "corners=0,0,nan,0,1,1,0,1&colours=red,blue",
        FOUR_CORNERS, f"{FOUR_CORNERS}&colours=red", f"{FOUR_CORNERS}&colours=red,pink")),
    (415, OWN_BOARD_PATH, BOARD, b"\xff\xd8", JPEG),
    (409, PEG_PHOTO_PATH, f"{FOUR_CORNERS}&colours=red,brass", b"\xff\xd8", JPEG),
    (415, PEG_PHOTO_PATH, COLOURS, b"\xff\xd8", JPEG),
    (415, PEG_PHOTO_PATH, COLOURS, b"{}", {"Content-Type": "application/json"}),
    (413, PEG_PHOTO_PATH, COLOURS, bytes(MAX_PHOTO_BYTES + 1), JPEG),
])  # fmt: skip
def test_an_invalid_request_is_refused_in_a_sentence(player, code, path, query, data, headers):
    refusal = ask(player, path, query, data, headers)
    assert refusal.status_code == code
    assert refusal.json["error"].endswith(".")


SHORT_TRACK = '[[track]]\nname = "1"\nstart = [[9, 9], [9, 2]]\npath = [{ holes = 9, line = [[20, 9], [90, 9]] }]\n'


@pytest.mark.parametrize(
    ("text", "say"),
    [
        (None, "does not know your own board"),
        ("no toml", "not valid TOML"),
        (f'{SHORT_TRACK}[routes]\n1 = [{{ track = "1" }}]\n', "not enough lanes"),
        (f'{SHORT_TRACK}[routes]\n2 = [{{ track = "1" }}, {{ track = "1" }}]\n', "too short"),
    ],
)
def test_an_unusable_own_board_is_refused(phone, own_file, text, say):
    if text is not None:
        own_file.write_text(text)
    refusal = ask(phone, PEG_PHOTO_PATH, "corners=0,0,9,0,9,9,0,9&colours=red,blue&board=own")
    assert (refusal.status_code, say in refusal.json["error"]) == (409, True)


def test_a_picture_without_markers_has_no_corners(phone, drawn):
    assert ask(phone, MARKERS_PATH, "", drawn[1]).json == {"corners": None, "length_mm": None}


@pytest.mark.parametrize("path", [OWN_BOARD_PATH, MARKERS_PATH, PEG_PHOTO_PATH])
def test_watchers_may_not_send_photographs_of_boards(watcher, path):
    assert ask(watcher, path, f"{BOARD}&colours=red,blue").status_code == 403


def test_a_table_without_a_file_keeps_no_board(player, drawn):
    _, data, query, lines = drawn
    assert player.get(OWN_BOARD_PATH).json == NO_BOARD | {"can_keep": False}
    assert not ask(player, OWN_BOARD_PATH, f"{query}&lines={lines}&keep=yes", data).json["is_kept"]


@pytest.fixture(scope="module")
def classic():
    """Return a photograph of the classic board with the pegs of a game in which red has 12 points and blue none."""
    board = load_board("classic")
    holes = {"red-12": "red", "red-5": "red", "blue-start-1": "blue", "blue-start-2": "blue"}
    pegs = {board.by_id[hole].bit: colour for hole, colour in holes.items()}
    photo = draw_photo(np.random.default_rng(7), board, pegs, View(distance_mm=700, tilt=2, turn=1))
    return encode_photo(photo), f"corners={join_numbers(photo.corners)}&whole={','.join(map(str, photo.whole))}"


def test_pegs_are_compared_and_nothing_is_changed(player, classic):
    data, query = classic
    before = player.get("/api/state").json
    reply = ask(player, PEG_PHOTO_PATH, query + "&colours=red,blue", data)
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"
    red, blue = reply.json["sides"]
    assert (red["points"], red["score"], [peg["hole"] for peg in red["pegs"]]) == (12, 0, ["red-12", "red-5"])
    assert red["say"] == "Red's front peg looks to be on 12, the score is 0."
    assert (blue["points"], blue["say"]) == (0, "Blue's front peg looks to be on 0, as the score.")
    assert player.get("/api/state").json == before


def test_a_too_small_board_is_refused(player):
    picture = cv2.imencode(".png", np.zeros((400, 200, 3), np.uint8))[1].tobytes()
    refusal = ask(player, PEG_PHOTO_PATH, FOUR_CORNERS + "&colours=red,blue", picture)
    assert (refusal.status_code, "too small" in refusal.json["error"]) == (409, True)


def test_without_the_extra_the_answer_names_it(player, monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    for name in [n for n in sys.modules if n.startswith(("companion.plugins.peg_photos.", "companion.plugins.cards."))]:
        monkeypatch.delitem(sys.modules, name)
    refusal = ask(player, PEG_PHOTO_PATH, FOUR_CORNERS + "&colours=red,blue")
    assert refusal.status_code == 501
    assert "[camera]" in refusal.json["error"]


@pytest.mark.parametrize("key", [game.key for game in GAMES])
def test_only_races_by_points_are_checked(key):
    core = create_core(create_plan(key), Settings())
    found = find_peg_scores(core.plan, create_snapshot(core, number=1, run="test", moves=0))
    assert bool(found.lanes) == (key not in ("pursuit", "bases", "shuffle"))
    assert len(found.lanes) in (0, core.plan.sides)


def test_a_photograph_without_a_size_is_refused(player, classic):
    data, query = classic
    query = query.partition("&whole=")[0] + "&whole=0,0,0,0&colours=red,blue"
    refusal = ask(player, PEG_PHOTO_PATH, query, data)
    assert (refusal.status_code, "corners of a board" in refusal.json["error"]) == (409, True)


def test_the_menu_offers_the_check_in_races(phone):
    (entry,) = phone.get("/api/constants?lang=de").json["menu"]
    assert (entry["path"], entry["name"], entry["plain_only"]) == ("/check", "Pegs prüfen", True)
    assert {"six-card", "pegs-only", "swap"} <= {*entry["games"]}
    assert not {"pursuit", "bases", "shuffle"} & {*entry["games"]}
