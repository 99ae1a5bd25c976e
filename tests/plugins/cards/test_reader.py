"""Cards in photographs that are drawn here, with fonts that training never saw: read, or unsure, never wrong."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.plugins.cards import finder, reader
from companion.plugins.cards.features import Box, Index, even_paper, find_indices, find_unjoined_indices, is_same_place
from companion.plugins.cards.finder import find_candidates
from companion.plugins.cards.photo import decode_photo, read_photo
from companion.plugins.cards.picture_header import NotAPicture, PictureTooLarge
from companion.plugins.cards.reader import CardReading, read_cards
from companion.rules.cards import parse_card
from tests.plugins.cards import measure
from tests.plugins.cards.faces import draw_face
from tests.plugins.cards.samples import draw_negative, draw_photo, unseen_style
from tests.plugins.cards.scenes import card_corners, draw_table, lay_card, photograph

PHOTOS = Path(__file__).parents[3] / measure.PHOTOS


def encode(picture, kind=".jpg"):
    return cv2.imencode(kind, np.ascontiguousarray(picture[..., ::-1]))[1].tobytes()


def test_drawn_cards_are_read_and_none_is_wrong():
    counts = sum((measure.count_drawn(*draw_photo(unseen_style(), seed)) for seed in range(10)), Counter())

    assert counts["wrong"] == counts["ghosts"] == 0
    assert counts["read"] > 0.8 * counts["cards"] > 20


def test_the_corners_of_a_card_are_where_it_lies():
    picture, placed = draw_photo(unseen_style(), 3)

    corners = [np.array(candidate.corners) for candidate in find_candidates(np.ascontiguousarray(picture))]

    for card in placed:
        away = [min(np.abs(np.roll(card.corners, n, 0) - c).max() for n in range(4)) for c in corners]
        assert min(away) < 6


@pytest.mark.parametrize("seed", range(12))
def test_tables_backs_hands_and_sheets_are_no_cards(seed):
    assert [r.card for r in read_cards(draw_negative(seed)) if r.card] == []


def test_a_card_that_is_there_twice_is_not_certain():
    picture, _ = next(p for p in (draw_photo(unseen_style(), s) for s in range(50)) if len(p[1]) == 1)
    once = read_photo(encode(picture))
    twice = read_photo(encode(np.hstack([picture, picture])))

    assert len(once["cards"]) == 1
    assert twice["cards"] == []
    assert [u["likely"][0] for u in twice["unsure"]] == 2 * [once["cards"][0]["card"]]


def test_corners_are_in_pixels_of_the_file_also_of_a_large_one():
    picture, _ = draw_photo(unseen_style(), 3)
    small, large = (read_photo(encode(p)) for p in (picture, cv2.resize(picture, None, fx=3, fy=3)))

    assert [c["card"] for c in small["cards"]] == [c["card"] for c in large["cards"]] != []
    for first, second in zip(small["cards"], large["cards"], strict=True):
        assert np.abs(3 * np.array(first["corners"]) - np.array(second["corners"])).max() < 15


def test_what_is_no_picture_is_refused_and_a_huge_one_is_not_decoded():
    picture = np.zeros((40, 60, 3), np.uint8)
    huge = bytearray(encode(picture, ".png"))
    huge[16:24] = (60_000).to_bytes(4, "big") * 2

    assert decode_photo(encode(picture, ".png"))[0].shape == (40, 60, 3)
    with pytest.raises(PictureTooLarge):
        read_photo(bytes(huge))
    for data in (b"", b"GIF89a", b"\xff\xd8\xff", encode(picture, ".png")[:30], b"\x89PNG\r\n\x1a\n" + bytes(40)):
        with pytest.raises(NotAPicture):
            read_photo(data)


def test_no_card_in_the_photographs_is_read_wrongly():
    """The photographs are not part of the project; where they are missing, there is nothing to check."""
    rows = measure.list_photos(PHOTOS)[::6]

    counts = sum((measure.measure_photo(row, PHOTOS) for row in rows), Counter())

    assert counts["wrong"] == counts["ghosts"] == 0
    assert 2 * counts["read"] >= len(rows)


def test_a_measurement_goes_on_where_it_was_stopped(tmp_path):
    part, measured = measure.PART_SEEDS, []

    def count_seed(seed):
        measured.append(seed)
        return Counter(cards=1, wrong=seed == 7)

    counts = [measure.sum_counts(map, "drawn", count_seed, range(n), tmp_path) for n in (part, 2 * part + 1)]

    assert counts == [Counter(cards=part, wrong=1), Counter(cards=2 * part + 1, wrong=1)]
    assert measured == list(range(2 * part + 1))


@pytest.mark.parametrize("card", ["4H", "2D", "TC"])
def test_a_frame_around_the_face_is_no_pip(card):
    deck = replace(unseen_style().deck(6), line=3)
    rng = np.random.default_rng(4)
    scene = draw_table(rng, 400, 400)
    face = draw_face(deck, card)
    lay_card(scene, face, card_corners(rng, (200, 200), 240, face.shape[1] / face.shape[0], 0.1), rng)

    (reading,) = read_cards(scene.astype(np.uint8))

    assert str(reading.card) == card


def read_card(deck, card, *, height=240, cover=None):
    """Return the readings of a card on a table; `cover` draws over the scene, given the corners."""
    return read_face(draw_face(deck, card), height=height, cover=cover)


def read_face(face, *, height=240, cover=None, read=read_cards):
    """Return the readings of a card with this face."""
    rng = np.random.default_rng(4)
    scene = draw_table(rng, 400, 400)
    corners = card_corners(rng, (200, 200), height, face.shape[1] / face.shape[0], 0.1)
    lay_card(scene, face, corners, rng)
    if cover:
        cover(scene, corners)
    return [str(reading.card) for reading in read(scene.astype(np.uint8))]


@pytest.mark.parametrize("card", ["4S", "6H", "8C", "TD"])
def test_pips_that_touch_count_as_two(card):
    deck = replace(unseen_style().deck(6), pip_span=(0.38, 0.62, 0.15, 0.85), pip_height=60)

    assert read_card(deck, card) == [card]


@pytest.mark.parametrize("side", range(4))
def test_a_finger_on_one_side_hides_no_card(side):
    def cover_side(scene, corners):
        start, end = corners[side], corners[(side + 1) % 4]
        middle = start + (end - start) * 0.5 + (corners.mean(0) - (start + end) / 2) * 0.05
        cv2.circle(scene, tuple(int(v) for v in middle), 12, (120, 80, 60), -1, cv2.LINE_AA)

    assert read_card(unseen_style().deck(6), "7C", cover=cover_side) == ["7C"]


def print_index(face, index, corners=(0, 1)):
    """Return a face whose corners have the index of another card of the deck."""
    face = face.copy()
    halves = [(each, turned) for each, turned in ((face, index), (face[::-1, ::-1], index[::-1, ::-1]))]
    for corner in corners:
        to, of = halves[corner]
        to[:130, :52] = of[:130, :52]
    return face


@pytest.mark.parametrize(
    ("face", "index", "corners"),
    [
        ("3H", "8H", (0, 1)),  # as in a font whose 3 looks like an 8
        ("6S", "5S", (0, 1)),
        ("8D", "TD", (0, 1)),
        ("5D", "5H", (0, 1)),
        ("KD", "7D", (0, 1)),
        ("9S", "QS", (0, 1)),
        ("4C", "4S", (0,)),
        ("4C", "6C", (1,)),
        ("JH", "KH", (0,)),
        ("QD", "QH", (1,)),
    ],
)
def test_a_card_is_unsure_where_its_corners_and_its_face_disagree(face, index, corners):
    deck = unseen_style().deck(6)
    assert [read_card(deck, name) for name in (face, index)] == [[face], [index]]

    mixed = print_index(*(draw_face(deck, name) for name in (face, index)), corners)

    assert read_face(mixed) == ["None"]


@pytest.mark.parametrize(
    ("face", "index", "read"), [("QS", "AS", "AS"), ("KS", "AS", "AS"), ("QH", "AH", "None"), ("4S", "AS", "None")]
)
def test_an_ace_of_spades_may_have_any_ornament_but_pips(face, index, read):
    deck = unseen_style().deck(6)

    assert read_face(print_index(*(draw_face(deck, name) for name in (face, index)))) == [read]


@pytest.mark.parametrize("seed", [3, 23, 80, 240])
def test_a_nine_in_frames_is_no_queen(seed):
    """Digits of segments look like letters, and frames like a figure: its own pips speak against the queen."""
    assert read_cards(photograph_framed_nine(seed))[0].card != parse_card("QD")


def photograph_framed_nine(seed):
    """Return a photograph of a nine of diamonds with a queen's letter, its small pips in a framed panel."""
    rng, deck = np.random.default_rng([9, seed]), unseen_style().deck(seed)
    deck = replace(deck, corners=2, line=0, pip_height=int(rng.integers(24, 36)), pip_span=(0.36, 0.64, 0.2, 0.8))
    x, y = round(deck.width * 0.17), round(360 * 0.07)
    nine, queen = draw_face(deck, "9D"), draw_face(deck, "QD")
    is_paper = (nine == deck.paper).all(2)
    is_paper[:y] = is_paper[-y:] = is_paper[:, :x] = is_paper[:, -x:] = False
    nine[is_paper] = ((250, 240, 200), (200, 220, 250), (250, 210, 210), (230, 200, 120))[seed % 4]
    for k in range(0, 1 + 4 * int(rng.integers(1, 6)), 4):
        colour = [(30, 30, 90), (200, 30, 40), (20, 20, 20)][k % 3]
        cv2.rectangle(nine, (x + k, y + k), (deck.width - x - k, 360 - y - k), colour, 2)
    nine = print_index(nine, queen, (0, 1))
    scene = draw_table(rng, 640, 480)
    lay_card(scene, nine, card_corners(rng, (320, 240), 300, nine.shape[1] / 360, rng.uniform(-0.2, 0.2)), rng)
    return photograph(scene, rng, 0.5)


def test_a_court_is_unsure_if_another_one_is_seen_in_a_corner(monkeypatch):
    court = parse_card("JH")
    ranks, suits = np.zeros((2, 14), np.float32), np.zeros((2, 5), np.float32)
    ranks[:, court.rank] = suits[:, court.suit] = 1

    def gather(card):
        sides = (card, card.turn())
        indices = find_indices(sides[0]), find_indices(sides[1])
        return reader._Evidence(
            sides, indices, ranks, suits, True, np.eye(12, dtype=np.float32)[10], None, np.zeros(4, np.int64)
        )

    monkeypatch.setattr(reader, "_gather_evidence", gather)
    deck = unseen_style().deck(6)

    assert [read_card(deck, card) for card in ("JH", "KH", "JS")] == [["JH"], ["None"], ["JH"]]


def test_a_letter_that_is_joined_with_a_figure_is_looked_at_alone():
    """A king of hearts was read as the jack, because a part of its figure beside the K looked like a digit."""
    straight = np.full((finder.CARD_HEIGHT_PX, finder.CARD_WIDTH_PX, 3), 240, np.uint8)
    cv2.rectangle(straight, (12, 18), (32, 52), (200, 20, 30), -1)
    cv2.rectangle(straight, (38, 18), (45, 52), (200, 20, 30), -1)
    cv2.ellipse(straight, (22, 68), (13, 13), 0, 0, 360, (200, 20, 30), -1)

    joined, alone = (find(even_paper(straight))[0].rank for find in (find_indices, find_unjoined_indices))

    assert joined.x1 > 44
    assert 31 < alone.x1 < 36


def test_an_index_lies_at_the_same_place_in_both_corners():
    """A pip in one half of a figure may look like a rank above a suit."""
    first = Index(Box(8, 8, 30, 40), Box(9, 44, 29, 66))
    near, inside = (Index(*(Box(*(v + d for v in box)) for box in first)) for d in (5, 12))

    assert is_same_place(first, near)
    assert not is_same_place(first, inside)


def test_a_suit_that_is_joined_with_a_figure_is_read_without_it():
    """A jack of spades was read as clubs, because a part of its figure touched the suits of both corners."""
    straight = np.full((finder.CARD_HEIGHT_PX, finder.CARD_WIDTH_PX, 3), 240, np.uint8)
    cv2.rectangle(straight, (20, 8), (36, 42), (20, 20, 30), -1)
    cv2.ellipse(straight, (28, 61), (15, 14), 0, 0, 360, (20, 20, 30), -1)
    alone = find_indices(even_paper(straight))[0].suit
    cv2.rectangle(straight, (40, 55), (71, 68), (20, 20, 30), -1)
    joined = find_indices(even_paper(straight))[0].suit

    assert all(abs(a - b) <= 2 for a, b in zip(alone, joined, strict=True))


def test_an_index_whose_suit_touches_a_pip_is_found():
    straight = np.full((finder.CARD_HEIGHT_PX, finder.CARD_WIDTH_PX, 3), 240, np.uint8)
    cv2.rectangle(straight, (20, 8), (36, 36), (20, 20, 30), -1)
    cv2.ellipse(straight, (28, 52), (12, 11), 0, 0, 360, (20, 20, 30), -1)
    alone = find_indices(even_paper(straight))[0]
    cv2.ellipse(straight, (60, 42), (21, 30), 0, 0, 360, (20, 20, 30), -1)  # it begins above the suit

    (joined,) = {index.rank: index for index in find_indices(even_paper(straight))}.values()

    assert is_same_place(alone, joined)


def test_a_picture_of_many_rectangles_takes_no_more_comparisons_than_candidates_allow(monkeypatch):
    monkeypatch.setattr(finder, "MAX_CANDIDATES", 3)
    fitted, compared = [], []
    fit, compare = finder.fit_quadrilateral, finder._is_same_place
    monkeypatch.setattr(finder, "fit_quadrilateral", lambda outline: fitted.append(1) or fit(outline))
    monkeypatch.setattr(finder, "_is_same_place", lambda *corners: compared.append(1) or compare(*corners))
    picture = np.zeros((500, 500, 3), np.uint8)
    for x in range(5, 450, 45):
        for y in range(5, 440, 55):
            picture[y : y + 48, x : x + 38] = 255

    assert len(find_candidates(picture)) == 3
    assert len(fitted) > 150
    assert len(compared) <= 3 * len(fitted)


def test_the_frame_around_a_figure_does_not_outvote_the_card(monkeypatch):
    """In a drawn picture the frame of a jack of spades was an outline that read as the king of hearts."""
    outline = ((0.0, 0.0), (100.0, 0.0), (100.0, 140.0), (0.0, 140.0))
    frame = ((20.0, 20.0), (80.0, 20.0), (80.0, 120.0), (20.0, 120.0))
    beside = tuple((x + 200, y) for x, y in outline)
    certain = [(frame, "KH"), (outline, "JS"), (outline, "JS"), (beside, "5D")]
    readings = [CardReading(at, parse_card(card), (parse_card(card),), 0.99) for at, card in certain]
    monkeypatch.setattr(reader, "find_candidates", lambda _: readings)
    monkeypatch.setattr(reader, "_read_candidate", lambda _, reading: reading)

    doubted, other = read_cards(np.zeros((200, 320, 3), np.uint8))

    assert (doubted.card, {str(card) for card in doubted.likely}) == (None, {"KH", "JS"})
    assert str(other.card) == "5D"


@pytest.mark.parametrize("name", ["grey", "faint", "night"])
def test_suits_that_a_colourless_picture_hides_are_offered(name):
    """In grey a red suit looks like a spade: no card is wrong, and each unsure one offers its own suit."""
    for seed in range(5):
        picture, placed = draw_photo(unseen_style(), seed)
        grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)[..., None]
        pale = grey + (0.0 if name == "grey" else 0.15) * (picture - grey.astype(np.float32))
        noise = np.random.default_rng(seed).normal(0, 4, picture.shape)
        shown = 0.35 * pale + noise if name == "night" else pale

        for reading in read_cards(np.broadcast_to(shown, picture.shape).clip(0, 255).astype(np.uint8)):
            centre = np.mean(reading.corners, 0)
            card = min(placed, key=lambda each: np.linalg.norm(each.corners.mean(0) - centre)).card
            assert card == str(reading.card) if reading.card is not None else card in map(str, reading.likely)


@pytest.mark.parametrize(
    ("card", "redness", "colour", "is_certain", "offered"),
    [
        ("7S", 0.0, 0.3, True, 1),  # black ink by day
        ("7H", 0.9, 0.05, True, 1),  # red ink
        ("7S", 0.0, 0.05, True, 4),  # black ink on a black cloth
        ("7S", 0.0, 0.0, False, 4),  # a grey picture
        ("7S", 0.15, 0.05, False, 4),  # the ink has a little red, as at night
        ("7H", 0.15, 0.05, True, 4),
    ],
)
def test_ink_and_picture_decide_which_suits_are_offered(card, redness, colour, is_certain, offered):
    """A black suit is certain only if red ink would have been seen."""
    reading = CardReading((), parse_card(card), (parse_card(card),), 0.99, redness)

    weighed = reader._weigh_colour(reading, colour)

    assert (weighed.card is not None, len(weighed.likely)) == (is_certain, offered)
    assert str(weighed.likely[0]) == card
