"""Labels of `companion deck labels` on drawn cards: they win over the face."""

import json

import cv2
import numpy as np
from click.testing import CliRunner

from companion.cli import main
from companion.plugins.cards import finder
from companion.plugins.cards.camera_scanner import RestDetector
from companion.plugins.cards.reader import read_cards
from tests.plugins.cards.faces import draw_face
from tests.plugins.cards.samples import unseen_style
from tests.plugins.cards.scenes import card_corners, draw_table, lay_card
from tests.plugins.cards.spot import DECK_SEED, add_noise, draw_spot
from tests.plugins.cards.stickers import CARD_MM, CORNER_MM, enlarge_face, stick_label
from tests.plugins.cards.test_reader import encode

CARD_PX = 430
"""Nearly five pixels a millimetre."""
CODE_MM = (8.0, 8.0)


def draw_labelled(card, *stickers):
    """Return a picture of a labelled card, and the card's corners. A sticker is a text, a place and a size."""
    rng = np.random.default_rng(4)
    face = enlarge_face(draw_face(unseen_style().deck(DECK_SEED), card))
    for sticker in stickers:
        stick_label(face, *sticker)
    scene = draw_table(rng, 640, 640)
    corners = card_corners(rng, (320, 320), CARD_PX, face.shape[1] / face.shape[0], 0.1)
    lay_card(scene, face, corners, rng)
    return add_noise(np.clip(scene, 0, 255), 1), corners


def read_names(picture):
    return [(r.card and str(r.card), [str(card) for card in r.likely]) for r in read_cards(picture)]


def test_a_label_that_hides_an_index_names_the_card_and_the_card_lies_where_it_was_found():
    picture, placed = draw_labelled("7S", ("7S",))

    (reading,) = read_cards(picture)

    assert str(reading.card) == "7S"
    assert min(np.abs(np.roll(placed, turn, 0) - reading.corners).max() for turn in range(4)) < 8


def test_a_label_wins_over_a_face_that_is_certain_and_another_code_is_ignored():
    beside = (4, 40)

    assert read_names(draw_labelled("4C", ("4C", beside, CODE_MM))[0]) == [("4C", ["4C"])]
    assert read_names(draw_labelled("4C", ("9H", beside, CODE_MM))[0]) == [("9H", ["9H"])]
    assert read_names(draw_labelled("4C", ("HELLO", beside, CODE_MM))[0])[0][1][0] == "4C"


def test_the_same_label_twice_on_a_card_is_one_card_and_two_labels_are_unsure():
    upper, lower = CORNER_MM, (20, CARD_MM - 24)

    assert read_names(draw_labelled("KD", ("KD", upper), ("KD", lower))[0]) == [("KD", ["KD"])]
    ((card, likely),) = read_names(draw_labelled("KD", ("KD", upper), ("KC", lower))[0])
    assert (card, sorted(likely)) == (None, ["KC", "KD"])


def test_no_larger_picture_is_searched_than_the_limit_and_labels_in_one_are_found(monkeypatch):
    searched = []
    search = finder.zxingcpp.read_barcodes
    monkeypatch.setattr(
        finder.zxingcpp, "read_barcodes", lambda grey, **how: searched.append(max(grey.shape)) or search(grey, **how)
    )
    picture = cv2.resize(draw_labelled("7S", ("7S",))[0], (3200, 3200), interpolation=cv2.INTER_CUBIC)

    (label,) = finder.read_labels(picture)

    assert str(label.card) == "7S"
    assert 0 < label.corners.min() < label.corners.max() < 3200
    finder.read_labels(picture[:1280, :1280])
    assert searched == [finder.MAX_SEARCHED_PX, 1280, 2560]


def test_the_command_and_the_camera_read_labels_too(tmp_path):
    picture = draw_labelled("7S", ("7S",))[0]
    (tmp_path / "card.jpg").write_bytes(encode(picture))
    spot = RestDetector()

    done = CliRunner().invoke(main, ["cards", str(tmp_path / "card.jpg")])

    assert [card["card"] for card in json.loads(done.stdout)["cards"]] == ["7S"]
    assert [spot.add_frame(frame) for frame in [draw_spot()] * 3 + [picture] * 3][-1] == "7S"
