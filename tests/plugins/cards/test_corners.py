"""Cards of which only an index shows, in drawn fans with fonts that training never saw: read, or asked, never wrong."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.plugins.cards.corners import Corner, judge_corners, read_corners
from companion.plugins.cards.network import FACE_CLASSES
from companion.plugins.cards.photo import read_photo
from companion.plugins.cards.reader import read_cards, read_covered_cards
from companion.rules.cards import PACK, parse_card
from tests.plugins.cards.faces import draw_face
from tests.plugins.cards.fans import draw_fan
from tests.plugins.cards.measure import count_fan
from tests.plugins.cards.samples import draw_negative, unseen_style
from tests.plugins.cards.scenes import card_corners, draw_table, lay_card
from tests.plugins.cards.test_reader import encode, print_index, read_face

UP = np.array([0, -40], np.float32)
UNKNOWN = np.full(len(FACE_CLASSES), 1 / len(FACE_CLASSES), np.float32)


def corner(card, at, up=UP, sure=0.999, **changes):
    """Return an index that shows a card with this certainty."""
    ranks, suits = np.full(14, (1 - sure) / 13, np.float32), np.full(5, (1 - sure) / 4, np.float32)
    ranks[parse_card(card).rank] = suits[parse_card(card).suit] = sure
    centre = np.array(at, np.float32)
    values = {"redness": 1.0, "rank_centre": centre + up / 4, "symmetry": 0.9, "is_alone": True, "beside": UNKNOWN}
    values |= changes
    return Corner(centre, up, ranks, suits, **values)


def show(pips, sure):
    """Return what a patch beside an index says that shows so many pips, or a figure, with this certainty."""
    beside = np.full(len(FACE_CLASSES), (1 - sure) / (len(FACE_CLASSES) - 1), np.float32)
    beside[FACE_CLASSES.index(pips)] = sure
    return beside


def judge(*corners):
    """Return the certain cards, and the likeliest of the others."""
    judged = judge_corners(corners)
    certain = [str(reading.card) for reading in judged if reading.card is not None]
    return certain, [str(PACK[int(reading.joint.argmax())]) for reading in judged if reading.card is None]


def test_fans_are_read_or_asked_and_none_is_wrong():
    counts = sum((count_fan(*draw_fan(unseen_style(), seed)) for seed in range(12)), Counter())

    assert counts["wrong"] == 0
    assert counts["read"] > 0.6 * counts["cards"] > 15
    assert counts["read"] + counts["unsure, the card the likeliest"] > 0.85 * counts["cards"]


@pytest.mark.parametrize("seed", range(8))
def test_tables_backs_hands_and_sheets_are_no_indices(seed):
    assert [r.card for r in read_covered_cards(draw_negative(seed)) if r.card] == []


def photograph_covered(face, turn):
    """Return a picture of a card with a band over two of its corners, which leaves no outline."""
    rng = np.random.default_rng(4)
    scene = draw_table(rng, 640, 480)
    wide = 300 * face.shape[1] / face.shape[0]
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = (np.array([[-wide, -300], [wide, -300], [wide, 300], [-wide, 300]]) / 2) @ spin + [320, 240]
    lay_card(scene, face, corners, rng)
    band = [corners[1] * 1.08 - corners[3] * 0.08, corners[3] * 1.08 - corners[1] * 0.08]
    cv2.line(scene, *[tuple(int(v) for v in point) for point in band], (40, 60, 120), 60)
    return scene.astype(np.uint8)


def test_a_covered_court_is_unsure_if_no_figure_shows():
    """A font whose A looks like a Q makes the same error in both corners."""
    ace, queen = (draw_face(unseen_style().deck(6), card) for card in ("AS", "QS"))

    (reading,) = read_covered_cards(photograph_covered(print_index(ace, queen), 0.6))

    assert (reading.card, str(reading.likely[0])) == (None, "QS")


@pytest.mark.parametrize("turn", [0, 0.6, 2, 3.9])
def test_a_covered_card_is_read_by_both_its_corners_at_any_angle(turn):
    picture = photograph_covered(draw_face(unseen_style().deck(6), "7H"), turn)

    assert [r.card for r in read_cards(picture) if r.card] == []
    assert [str(r.card) for r in read_covered_cards(picture)] == ["7H"]


def test_a_jack_of_thin_lines_is_found():
    deck = unseen_style().deck(6)
    face, rank_end = draw_face(deck, "JS").copy(), deck.inset[1] + deck.rank_height + 1
    for half in (face, face[::-1, ::-1]):
        half[:rank_end, :60] = cv2.dilate(np.ascontiguousarray(half[:rank_end, :60]), np.ones((3, 3), np.uint8))

    assert [str(reading.card) for reading in read_corners(photograph_covered(face, 0.6))] == ["JS", "JS"]


def test_one_corner_alone_is_asked_with_its_card_the_likeliest():
    rng, face = np.random.default_rng(4), draw_face(unseen_style().deck(6), "KD").copy()
    face[180:] = face[180:].mean((0, 1))  # the lower half is under a hand
    scene = draw_table(rng, 480, 480)
    lay_card(scene, face, card_corners(rng, (240, 240), 320, face.shape[1] / face.shape[0], 0.1), rng)

    answer = read_photo(encode(scene.astype(np.uint8)))

    assert (answer["cards"], [reading["likely"][0] for reading in answer["unsure"]]) == ([], ["KD"])


def test_the_other_corner_is_a_witness_where_a_card_has_it():
    there, elsewhere, upright = corner("5H", (170, 260), -UP), corner("5H", (400, 100), -UP), corner("5H", (170, 260))

    assert judge(corner("5H", (50, 100)), there) == (["5H"], [])
    assert judge(corner("5H", (50, 100)), elsewhere) == ([], ["5H"])
    assert judge(corner("5H", (50, 100)), upright) == ([], ["5H"])
    assert judge(corner("5H", (50, 100)), there._replace(ranks=corner("5H", (0, 0), sure=0.85).ranks)) == ([], ["5H"])


def test_an_index_as_large_as_another_card_of_the_picture_is_certain_if_it_is_very_clear():
    five, jack = corner("5H", (100, 100)), corner("JD", (900, 400), -UP)

    assert judge(five) == ([], ["5H"])
    assert judge(five, jack) == (["5H", "JD"], [])
    assert judge(five, jack._replace(up=UP * 1.3)) == ([], ["5H", "JD"])
    assert judge(five, corner("JD", (900, 400), sure=0.99)) == (["5H"], ["JD"])
    assert judge(five, corner("JD", (900, 400), sure=0.9)) == ([], ["5H", "JD"])
    assert [str(reading.card) for reading in judge_corners([five], [jack])] == ["5H"]


@pytest.mark.parametrize("card", ["QD", "3D"])
def test_the_only_corner_of_a_queen_or_three_must_be_clearer(card):
    """The drawn fan of seed 7109 has an A that looks like a Q, and that of seed 9145 half an 8: both were read so."""
    five = corner("5H", (100, 100))

    assert judge(five, corner(card, (140, 100), sure=0.998)) == (["5H"], [card])
    assert judge(five, corner(card, (140, 100), sure=0.9999)) == (["5H", card], [])


@pytest.mark.parametrize(("card", "rank", "pips", "sure", "is_read"), [
    ("9D", 0.9, "9", 0.99, True), ("9D", 0.9, "9", 0.97, False), ("9D", 0.85, "9", 0.98, False),
    ("9D", 0.998, "9", 0.5, True), ("9D", 0.998, "8", 0.9, False), ("9D", 0.9, "T", 0.99, False),
    ("KD", 0.96, "F", 0.97, True), ("KD", 0.94, "F", 0.99, False), ("KD", 0.9999, "A", 0.8, False),
])  # fmt: skip
def test_the_only_corner_is_certain_if_as_many_pips_or_a_figure_show_beside_it(card, rank, pips, sure, is_read):
    """The less certain the rank is, the more certain must the other be."""
    alone = corner(card, (100, 100))._replace(ranks=corner(card, (0, 0), sure=rank).ranks, beside=show(pips, sure))

    assert judge(alone) == (([card], []) if is_read else ([], [card]))


def test_other_pips_beside_an_index_count_more_than_an_index_of_another_card():
    five, queen = corner("5H", (100, 100)), corner("QD", (900, 400), sure=0.99995)

    assert judge(five, queen._replace(beside=show("A", 0.85))) == (["5H", "QD"], [])
    assert judge(five, queen._replace(beside=show("A", 0.95))) == (["5H"], ["QD"])


@pytest.mark.parametrize(("letters", "suit"), [("BDK", "H"), ("VDR", "S")])
def test_the_letters_of_german_and_french_decks_are_ranks(letters, suit):
    deck = replace(unseen_style().deck(6), letters=letters)
    cards = [rank + suit for rank in "JQK"]

    assert [read_face(draw_face(deck, card)) for card in cards] == [[card] for card in cards]


def test_what_half_covers_a_suit_makes_it_unsure():
    """The drawn fan of seed 245 showed half a diamond, which looked like a heart."""
    fan = [corner(card, (100 + 40 * n, 100)) for n, card in enumerate(("5H", "6S", "JD"))]

    assert judge(*fan[:2], fan[2]._replace(symmetry=0.35)) == (["5H", "6S"], ["JD"])


def test_two_indices_do_not_share_their_ink():
    """The drawn fan of seed 174 had a jack with the suit of the card beside it, across both."""
    fan = [corner(card, (100 + 40 * n, 100)) for n, card in enumerate(("5H", "6S", "JD"))]

    assert judge(*fan, corner("KH", (170, 105), np.array([30, -28], np.float32)))[0] == ["5H", "6S"]


def test_a_rank_between_two_pips_is_unsure():
    """A 6 with a pip above it is a 9 upside down: the drawn fan of seed 32 was read so."""
    six, nine = corner("6H", (100, 100)), corner("9H", (100, 70), -UP, rank_centre=np.array([100, 90], np.float32))
    neighbours = [corner(card, (140 + 40 * n, 100)) for n, card in enumerate(("5H", "JD"))]

    assert judge(six, nine, *neighbours)[0] == ["5H", "JD"]


def test_the_first_digit_of_a_ten_is_no_seven():
    both = [corner("7H", at, up, is_alone=False) for at, up in (((50, 100), UP), ((170, 260), -UP))]

    assert judge(*both) == ([], ["7H"])
    assert judge(both[0], both[1]._replace(is_alone=True)) == (["7H"], [])


@pytest.mark.parametrize(("face", "read"), [("7H", "7H"), ("TH", "None")])
def test_a_seven_with_ink_beside_it_is_certain_if_seven_pips_show(face, read, monkeypatch):
    monkeypatch.setattr("companion.plugins.cards.corners._is_alone", lambda *_: False)
    monkeypatch.setattr("companion.plugins.cards.reader.find_candidates", lambda _: [])
    deck = unseen_style().deck(6)
    mixed = print_index(draw_face(deck, face), draw_face(deck, "7H"))

    assert set(read_face(mixed, read=read_covered_cards)) == {read}


def test_what_the_face_can_confirm_is_less_clear_if_it_has_pips():
    ends = (((50, 100), UP), ((170, 260), -UP))
    pairs = [
        [corner(card, *end)._replace(ranks=corner(card, *end, 0.85).ranks) for end in ends] for card in ("9H", "KH")
    ]

    assert [[reading.is_confirmable for reading in judge_corners(pair)] for pair in pairs] == [[True], [False]]


def test_a_picture_full_of_spots_takes_a_bounded_number_of_looks(monkeypatch):
    looks = []
    monkeypatch.setattr("companion.plugins.cards.corners._straighten_index", lambda *_: looks.append(1))
    picture = np.full((960, 1280, 3), 240, np.uint8)
    for x in range(10, 1270, 16):
        for y in range(10, 950, 16):
            cv2.circle(picture, (x, y), 6, (20, 20, 20), -1)

    assert read_corners(picture) == []
    assert 0 < len(looks) <= 320
