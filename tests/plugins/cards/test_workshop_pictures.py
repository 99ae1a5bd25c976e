"""The workshop's pictures of the cameras' marked spots: for players, a few a second, and nothing kept."""

import json

import cv2
import numpy as np
import pytest

from companion.devices.device_thread import parse_device_url
from companion.plugins.cards import photo
from companion.plugins.cards.camera_scanner import CameraScanner, SpotView
from companion.plugins.cards.reader import read_cards
from companion.server import LogTail, WorkshopState
from companion.server.routes.workshop import MIN_INTERVAL_S, SpotPictures
from companion.table.game_switcher import GameSwitcher
from companion.table.recording import RecentInputs
from tests.plugins.cards.spot import SIZE_PX, draw_spot
from tests.server.conftest import create_table_app

PATH = "/api/workshop/cameras/0"


@pytest.fixture
def camera():
    """Return a camera without a picture, as it is before it was opened."""
    return CameraScanner(parse_device_url("camera:", device="card reader", known={"camera": ()}), seat=None)


@pytest.fixture
def app(table, camera):
    return create_table_app(GameSwitcher(table), workshop=WorkshopState(RecentInputs(), LogTail(), cameras=[camera]))


def test_players_see_the_spot_and_what_is_read_and_nothing_is_kept(player, camera):
    large = np.ascontiguousarray(cv2.resize(draw_spot("5D"), None, fx=2, fy=2))
    camera.view = SpotView(large, read_cards(large))

    reply = player.get(PATH)

    picture = cv2.imdecode(np.frombuffer(reply.data, np.uint8), cv2.IMREAD_COLOR)
    spot = json.loads(reply.headers["Spot"])
    (card,) = spot["cards"]
    assert (reply.status_code, reply.mimetype, reply.headers["Cache-Control"]) == (200, "image/jpeg", "no-store")
    assert [*picture.shape[1::-1]] == spot["size"] == [photo.VIEW_PX, photo.VIEW_PX]
    assert (card["card"], spot["unsure"]) == ("5D", [])
    assert np.abs(np.mean(card["corners"], axis=0) - photo.VIEW_PX / 2).max() < 0.1 * SIZE_PX
    assert 0.5 < spot["brightest"] <= 1
    assert player.get("/api/workshop").json["cameras"] == 1


def test_without_a_picture_the_answer_is_a_sentence(player, watcher):
    assert [player.get(path).status_code for path in (PATH, PATH[:-1] + "1", PATH[:-1] + "x")] == [409, 404, 404]
    assert player.get(PATH).json["error"].endswith(".")
    assert watcher.get(PATH).status_code == 403


def test_a_picture_is_made_a_few_times_a_second_however_many_ask(camera, monkeypatch):
    made, now_s = [], [100.0]
    monkeypatch.setattr(photo, "encode_view", lambda frame, readings: (made.append(frame) or frame, {}))
    pictures = SpotPictures([camera], lambda: now_s[0])
    for number in range(10):
        camera.view = SpotView(b"%d" % number, ())
        assert pictures.get_newest(0).jpeg == made[-1]
        now_s[0] += MIN_INTERVAL_S / 2

    assert made == [b"0", b"2", b"4", b"6", b"8"]


@pytest.mark.parametrize("size", [(1, 1), (1, 20_000), (20_000, 1)])
def test_a_spot_without_height_or_width_in_the_small_picture_is_shown(size):
    jpeg, spot = photo.encode_view(np.full((*size, 3), 128, np.uint8), ())

    assert cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).shape[1::-1] == tuple(spot["size"])
