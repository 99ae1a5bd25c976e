"""A camera as card reader: a card that rests counts, and a moving one, a hand or an empty spot does not."""

import os
import sys
from contextlib import closing
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from companion.common.errors import DeviceError
from companion.devices.scanners import open_scanner
from companion.plugins.cards import reader
from companion.plugins.cards.camera_scanner import AGREEING_FRAMES, FolderSource, RestDetector
from companion.plugins.cards.reader import read_cards
from tests.plugins.cards.samples import draw_negative
from tests.plugins.cards.spot import MIDDLE, add_noise, draw_spot, reach_over, write_picture
from tests.support.received import DeviceCallbacks, clock


def write_frames(folder, frames):
    for number, frame in enumerate(frames):
        write_picture(folder, number, frame)


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


EMPTY = [draw_spot() for _ in range(3)]


def rest(card, at=MIDDLE):
    return [add_noise(draw_spot(card, at), seed) for seed in range(3)]


def test_a_card_counts_once_it_has_rested_for_three_frames(tmp_path):
    moving = [draw_spot("8C", (150 + 20 * n, 200)) for n in range(4)]
    write_frames(tmp_path, [*EMPTY, *moving, *rest("5D"), draw_negative(3, 400, 400), *rest("KH")])

    assert scan_folder(tmp_path) == ["5D", "KH"]


def test_a_card_left_lying_counts_once_however_long_a_hand_hides_it(tmp_path):
    hidden = [reach_over(draw_spot("2S"))] * 4
    laid_again = [*EMPTY, *rest("2S", (212, 205))]
    write_frames(tmp_path, [*EMPTY, *rest("2S"), *hidden, *rest("2S"), *hidden, *rest("5D"), *rest("KH")])
    (tmp_path / "again").mkdir()
    write_frames(tmp_path / "again", [*EMPTY, *rest("2S"), *laid_again, *rest("KH")])

    assert scan_folder(tmp_path) == ["2S", "5D", "KH"]
    assert scan_folder(tmp_path / "again") == ["2S", "2S", "KH"]


def test_the_first_card_counts_without_an_empty_spot_before_it(tmp_path):
    write_frames(tmp_path, [*rest("2S"), *rest("5D"), *rest("KH")])

    assert scan_folder(tmp_path) == ["2S", "5D", "KH"]


def test_a_picture_that_does_not_change_is_read_no_more_often_than_needed(monkeypatch):
    read = []
    monkeypatch.setattr(reader, "read_cards", lambda frame: read.append(1) or read_cards(frame))
    rests = RestDetector()

    seen = [rests.add_frame(add_noise(draw_spot(card), seed)) for card in (None, "5D") for seed in range(20)]

    assert [code for code in seen if code] == ["5D"]
    assert len(read) == 2 * AGREEING_FRAMES


def test_pictures_may_be_added_to_the_folder_and_other_files_are_left_out(tmp_path):
    write_frames(tmp_path, EMPTY)
    (tmp_path / "0003.png").write_bytes(b"no picture")
    with closing(open_scanner(f"camera:folder:{tmp_path}?fps=60", clock)) as scanner:
        callbacks = DeviceCallbacks()
        scanner.start(callbacks.on_value, callbacks.on_status)
        assert callbacks.next_status() == (True, "")
        for number, picture in enumerate(rest("5D"), 4):
            write_picture(tmp_path, number, picture)
        assert callbacks.next_value() == "5D"


def test_a_pipe_a_folder_and_a_dead_link_are_no_pictures(tmp_path):
    os.mkfifo(tmp_path / "0000.jpg")
    (tmp_path / "0001.png").mkdir()
    (tmp_path / "0002.png").symlink_to(tmp_path / "nowhere")
    with pytest.raises(DeviceError, match="no picture"):
        FolderSource(tmp_path)
    write_picture(tmp_path, 3, EMPTY[0])

    first = next(FolderSource(tmp_path).frames())

    assert first.shape == EMPTY[0].shape


def test_a_picture_that_vanishes_before_it_is_read_is_left_out(tmp_path):
    write_frames(tmp_path, EMPTY)
    frames = FolderSource(tmp_path).frames()
    assert next(frames) is not None

    (tmp_path / "0001.jpg").unlink()

    assert [frame is None for frame in islice(frames, 2)] == [False, True]


def test_only_the_spot_is_looked_at(tmp_path):
    def beside(card, other):
        return np.hstack([draw_spot(card), draw_spot(other)])

    write_frames(tmp_path, [*3 * [beside(None, "9D")], *3 * [beside("KH", "9D")]])

    assert scan_folder(tmp_path, "&spot=0,0,0.5,1") == ["KH"]


@pytest.mark.parametrize("spot", ["0,0,1", "a,b,c,d", "0,0,2,1", "0.5,0,0.6,1", "nan,0,1,1"])
def test_a_spot_outside_the_picture_is_refused(spot):
    with pytest.raises(DeviceError, match="parts of the picture"):
        open_scanner(f"camera:?spot={spot}", clock)


class DrawnCamera:
    """A camera of OpenCV and of picamera2 that shows the three of clubs until its cable is pulled."""

    def __init__(self, *_):
        self.set_to, self.left = {}, 6

    def take(self):
        self.left -= 1
        return add_noise(draw_spot("3C"), self.left)

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return True

    def set(self, key, value):
        self.set_to[key] = value

    def read(self):
        return (True, np.ascontiguousarray(self.take()[..., ::-1])) if self.left else (False, None)

    def release(self):
        pass

    def create_video_configuration(self, main):
        return main

    def configure(self, main):
        self.set_to = main

    def start(self):
        assert self.set_to == {"size": (1280, 960), "format": "BGR888"}

    def capture_array(self):
        return self.take()

    close = release


def test_a_webcam_is_read_and_pulling_its_cable_is_a_fault(monkeypatch):
    monkeypatch.setattr("cv2.VideoCapture", DrawnCamera)
    with closing(open_scanner("camera:?fps=60", clock)) as scanner:
        callbacks = DeviceCallbacks()
        scanner.start(callbacks.on_value, callbacks.on_status)

        assert callbacks.next_status() == (True, "")
        assert callbacks.next_value() == "3C"
        assert callbacks.next_status() == (False, "/dev/video0 was disconnected.")


def test_the_camera_of_a_pi_is_read_through_its_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=DrawnCamera))
    with closing(open_scanner("camera:picamera?fps=60", clock)) as scanner:
        callbacks = DeviceCallbacks()
        scanner.start(callbacks.on_value, callbacks.on_status)

        assert callbacks.next_status() == (True, "")
        assert callbacks.next_value() == "3C"


def first_status(url):
    with closing(open_scanner(url, clock)) as scanner:
        callbacks = DeviceCallbacks()
        scanner.start(callbacks.on_value, callbacks.on_status)
        return callbacks.next_status()


def test_a_missing_camera_is_a_fault_and_not_an_error(tmp_path):
    assert first_status("camera:/dev/video-of-nobody") == (False, "Cannot open /dev/video-of-nobody. Check the cable.")
    (tmp_path / "video0").touch()  # is there, and does not answer as a camera
    is_ok, say = first_status(f"camera:{tmp_path}/video0")
    assert (is_ok, say) == (False, f"{tmp_path}/video0 is in use by another program, or is not a camera.")
    (tmp_path / "video0").unlink()
    assert first_status(f"camera:folder:{tmp_path}") == (False, f"There is no picture in {tmp_path}.")
    assert "python3-picamera2" in first_status("camera:picamera")[1]


def test_without_opencv_the_status_says_what_to_install(monkeypatch):
    for name in [n for n in sys.modules if n.startswith("companion.plugins.cards.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cv2", None)

    is_ok, say = first_status("camera:")

    assert not is_ok
    assert "pip install -e '.[camera]'" in say
