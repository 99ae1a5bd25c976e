"""`POST /api/pegs/photo`: who may ask, what is refused, and that nothing is changed."""

import sys

import cv2
import numpy as np
import pytest

from companion.boards.catalog import load_board
from companion.http.permissions import MAX_PHOTO_BYTES
from companion.plugins.peg_photos.routes import PEG_PHOTO_PATH, find_peg_scores
from companion.rules import GAMES
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core, create_snapshot
from tests.plugins.peg_photos.drawn_boards import View, draw_photo

JPEG = {"Content-Type": "image/jpeg"}
FOUR_CORNERS = "corners=0,0,130,0,130,350,0,350"


@pytest.fixture(scope="module")
def drawn():
    """Return a photograph of the classic board with the pegs of a game in which red has 12 points and blue none."""
    board = load_board("classic")
    holes = {"red-12": "red", "red-5": "red", "blue-start-1": "blue", "blue-start-2": "blue"}
    pegs = {board.by_id[hole].bit: colour for hole, colour in holes.items()}
    photo = draw_photo(np.random.default_rng(7), board, pegs, View(distance_mm=700, tilt=2, turn=1))
    data = cv2.imencode(".jpg", photo.picture[..., ::-1])[1].tobytes()
    query = f"corners={','.join(f'{v:.1f}' for v in photo.corners.ravel())}&whole={','.join(map(str, photo.whole))}"
    return data, query


def ask(client, query, data=b"\xff\xd8", headers=JPEG):
    return client.post(f"{PEG_PHOTO_PATH}?{query}", data=data, headers=headers)


def test_pegs_are_compared_with_the_scores_and_nothing_is_changed(player, drawn):
    data, query = drawn
    before = player.get("/api/state").json

    reply = ask(player, query + "&colours=red,blue", data)

    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"
    red, blue = reply.json["sides"]
    assert (red["points"], red["score"], [peg["hole"] for peg in red["pegs"]]) == (12, 0, ["red-12", "red-5"])
    assert red["say"] == "Red's front peg looks to be on 12, the score is 0."
    assert (blue["points"], blue["say"]) == (0, "Blue's front peg looks to be on 0, as the score.")
    assert player.get("/api/state").json == before


@pytest.mark.parametrize(
    ("code", "query", "data", "headers"),
    [
        (400, "colours=red,blue", b"\xff\xd8", JPEG),
        (400, "corners=1,2,3&colours=red,blue", b"\xff\xd8", JPEG),
        (400, "corners=0,0,nan,0,1,1,0,1&colours=red,blue", b"\xff\xd8", JPEG),
        (400, FOUR_CORNERS, b"\xff\xd8", JPEG),
        (400, FOUR_CORNERS + "&colours=red", b"\xff\xd8", JPEG),
        (400, FOUR_CORNERS + "&colours=red,pink", b"\xff\xd8", JPEG),
        (409, FOUR_CORNERS + "&colours=red,brass", b"\xff\xd8", JPEG),
        (415, FOUR_CORNERS + "&colours=red,blue", b"\xff\xd8", JPEG),
        (415, FOUR_CORNERS + "&colours=red,blue", b"{}", {"Content-Type": "application/json"}),
        (413, FOUR_CORNERS + "&colours=red,blue", bytes(MAX_PHOTO_BYTES + 1), JPEG),
    ],
)
def test_what_cannot_be_checked_is_refused_with_a_sentence(player, code, query, data, headers):
    refusal = ask(player, query, data, headers)

    assert refusal.status_code == code
    assert refusal.json["error"].endswith(".")


def test_a_board_that_is_too_small_in_the_picture_is_refused(player):
    picture = cv2.imencode(".png", np.zeros((400, 200, 3), np.uint8))[1].tobytes()

    refusal = ask(player, FOUR_CORNERS + "&colours=red,blue", picture)

    assert (refusal.status_code, "too small" in refusal.json["error"]) == (409, True)


def test_a_watcher_may_not_ask(watcher):
    assert ask(watcher, FOUR_CORNERS + "&colours=red,blue").status_code == 403


def test_without_the_extra_the_answer_says_what_to_install(player, monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    for name in [n for n in sys.modules if n.startswith(("companion.plugins.peg_photos.", "companion.plugins.cards."))]:
        monkeypatch.delitem(sys.modules, name)

    refusal = ask(player, FOUR_CORNERS + "&colours=red,blue")

    assert refusal.status_code == 501
    assert "[camera]" in refusal.json["error"]


@pytest.mark.parametrize("key", [game.key for game in GAMES])
def test_only_races_whose_holes_are_the_points_are_checked(key):
    core = create_core(create_plan(key), Settings())

    found = find_peg_scores(core.plan, create_snapshot(core, number=1, run="test", moves=0))

    assert bool(found.lanes) == (key not in ("pursuit", "bases", "shuffle"))
    assert len(found.lanes) in (0, core.plan.sides)


def test_a_photograph_without_a_size_is_refused(player, drawn):
    data, query = drawn
    query = query.partition("&whole=")[0] + "&whole=0,0,0,0&colours=red,blue"

    refusal = ask(player, query, data)

    assert (refusal.status_code, "corners of a board" in refusal.json["error"]) == (409, True)
