"""A camera as card reader: a card that rests counts, and a moving one, a hand or an empty spot does not."""

import sys
from contextlib import closing

import cv2
import numpy as np
import pytest

from companion.common.errors import DeviceError
from companion.devices.scanners import open_scanner
from tests.cards.faces import draw_face
from tests.cards.samples import draw_negative
from tests.cards.scenes import card_corners, draw_table, lay_card
from tests.cards.test_reader import unseen_style
from tests.support.received import DeviceCallbacks, clock

STYLE_SEED = 5


def draw_spot(card, at=(200, 200)):
    """Return a picture of the spot with a card at this place, or of the empty spot."""
    rng = np.random.default_rng(4)
    scene = draw_table(rng, 400, 400)
    if card:
        face = draw_face(unseen_style().deck(STYLE_SEED), card)
        lay_card(scene, face, card_corners(rng, at, 240, face.shape[1] / face.shape[0], 0.1), rng)
    return scene.astype(np.uint8)


def write_frames(folder, frames):
    for number, frame in enumerate(frames):
        cv2.imwrite(str(folder / f"{number:03}.png"), frame[..., ::-1])


def scan_folder(folder, options=""):
    """Return the codes that a camera sees in the pictures of a folder; the last one must be a king of hearts."""
    with closing(open_scanner(f"camera:folder:{folder}?fps=60{options}", clock)) as scanner:
        callbacks = DeviceCallbacks()
        scanner.start(callbacks.on_value, callbacks.on_status)
        assert callbacks.next_status() == (True, "")
        seen = [callbacks.next_value()]
        while seen[-1] != "KH":
            seen.append(callbacks.next_value())
    return seen


def test_a_card_counts_at_each_frame_once_it_has_rested_for_three(tmp_path):
    moving = [draw_spot("8C", (150 + 20 * n, 200)) for n in range(4)]
    hand = draw_negative(3, 400, 400)
    write_frames(
        tmp_path,
        [draw_spot(None), *moving, *3 * [draw_spot("5D")], hand, *4 * [draw_spot("2S")], *3 * [draw_spot("KH")]],
    )

    assert scan_folder(tmp_path) == ["5D", "2S", "2S", "KH"]


def test_only_the_spot_is_looked_at(tmp_path):
    def beside(card, other):
        return np.hstack([draw_spot(card), draw_spot(other)])

    write_frames(tmp_path, [*3 * [beside(None, "9D")], *3 * [beside("KH", "9D")]])

    assert scan_folder(tmp_path, "&spot=0,0,0.5,1") == ["KH"]


@pytest.mark.parametrize("spot", ["0,0,1", "a,b,c,d", "0,0,2,1", "0.5,0,0.6,1", "nan,0,1,1"])
def test_a_spot_outside_the_picture_is_refused(spot):
    with pytest.raises(DeviceError, match="parts of the picture"):
        open_scanner(f"camera:?spot={spot}", clock)


def first_status(url):
    with closing(open_scanner(url, clock)) as scanner:
        callbacks = DeviceCallbacks()
        scanner.start(callbacks.on_value, callbacks.on_status)
        return callbacks.next_status()


def test_a_missing_camera_is_a_fault_and_not_an_error(tmp_path):
    assert first_status("camera:/dev/video-of-nobody") == (False, "Cannot open /dev/video-of-nobody. Check the cable.")
    assert first_status(f"camera:folder:{tmp_path}") == (False, f"There is no picture in {tmp_path}.")
    assert "python3-picamera2" in first_status("camera:picamera")[1]


def test_without_opencv_the_status_says_what_to_install(monkeypatch):
    for name in [n for n in sys.modules if n.startswith("companion.cards.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cv2", None)

    is_ok, say = first_status("camera:")

    assert not is_ok
    assert "pip install '.[camera]'" in say
