"""Cards in a photograph: the page that counts a hand, and Scan cards. The real reader reads drawn cards."""

import struct
import threading

import numpy as np
import pytest

from companion.plugins.cards import CameraNotInstalled
from companion.plugins.cards import routes as card_photos
from companion.plugins.cards.picture_header import NotAPicture
from companion.rules import scoring
from companion.rules.cards import parse_card
from tests.browser.scenes import SCENES
from tests.browser.test_around import sat
from tests.browser.test_practice import ranked_deal
from tests.plugins.cards.samples import draw_photo, unseen_style
from tests.plugins.cards.test_reader import encode
from tests.support.waiting import PATIENCE_S, wait_until

SIX, FIVE, FOUR = 11, 14, 5
"""Seeds of photographs with so many cards, all of them read."""
TURNED = b"\xff\xe1" + struct.pack(">H", 34) + b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x112, 3, 1, 6, 0, 0)
"""The EXIF data of a picture that a phone stored lying on its side."""
CRIB = SCENES["six-card, the play"] | {"phase": "crib", "turn": 0, "crib": [], "starter": "2D"}
CORNERS = [[[x, 300], [x + 200, 300], [x + 200, 600], [x, 600]] for x in (100, 400, 700, 1000)]
SYMBOLS = dict(zip("SHCD", "♠♥♣♦", strict=True))
WATCH_BUTTON = """() => {
    const send = fetch;
    window.wasDisabled = [];
    window.fetch = (path, ...options) => {
        if (path.startsWith("/api/moves")) window.wasDisabled.push(document.querySelector("[data-accept]").disabled);
        return send(path, ...options);
    };
}"""
"""Notes whether the cards could be entered again at each move that is sent."""
LABELS = "[...document.querySelectorAll('.photo-frame text')].map(each => each.textContent.replace('\\uFE0E', ''))"


def draw_file(seed, *, is_turned=False):
    """Return a photograph as a file to choose, and its cards from left to right."""
    picture, placed = draw_photo(unseen_style(), seed)
    data = encode(np.rot90(picture) if is_turned else picture)
    data = data[:2] + TURNED + data[2:] if is_turned else data
    cards = [each.card for each in sorted(placed, key=lambda each: each.corners.mean(0)[0])]
    return {"name": "cards.jpg", "mimeType": "image/jpeg", "buffer": data}, cards


def check_looks(phone, *, is_dark):
    assert phone.find_faults(is_dark=is_dark) == []
    assert phone.complaints == []


def test_the_cards_cut_for_deal_are_photographed(stage, phone, monkeypatch):
    """They lie in the order of the seats; a card for each player is needed."""
    answers = [["9C"], ["9C", "4D"]]

    def read(_):
        return {"cards": [{"card": c, "corners": CORNERS[i], "sure": 1} for i, c in enumerate(answers.pop(0))],
                "unsure": []}  # fmt: skip

    monkeypatch.setattr(card_photos, "load_photo_reader", lambda: read)
    page = phone.open(stage.url)
    phone.tap("[data-open=new-game]", "dialog [data-way=plain]", "dialog [data-cut]", "dialog [data-shows-cut]")
    file, _ = draw_file(FIVE)
    scan = "dialog[aria-label='Scan cards']"
    for cards in (1, 2):
        page.locator(f"{scan} input[type=file]").first.set_input_files(file)
        phone.wait_for_count(f"{scan} [data-scanned][aria-pressed=true]", cards)
        page.locator(f"{scan} [data-accept]").tap()
        if cards == 1:
            phone.wait_for_text(
                f"{scan} .sheet-body > [role=alert]", "Show one card for each player, in the order of the seats."
            )
    phone.wait_until("document.querySelector('dialog [data-dealer][aria-pressed=true]')?.textContent", "Blue")
    assert phone.visible_texts(".cut + p") == ["Blue cut the lowest card and deals."]
    assert phone.find_faults() == []


@pytest.fixture
def unsure(monkeypatch):
    """Make the table read two cards for sure and two not."""
    answer = {
        "cards": [{"card": card, "corners": CORNERS[i], "sure": 0.99} for i, card in ((0, "5H"), (3, "JD"))],
        "unsure": [{"corners": CORNERS[1], "likely": ["3S", "8S"]}, {"corners": CORNERS[2], "likely": ["5H", "6H"]}],
    }
    monkeypatch.setattr(card_photos, "load_photo_reader", lambda: lambda _: answer)


def test_a_photograph_of_a_hand_is_counted(stage, phones):
    phone = phones(390, 844, color_scheme="dark")
    page = phone.page
    page.goto(stage.url + "/count")
    file, cards = draw_file(FIVE, is_turned=True)
    page.locator("input[type=file]").set_input_files(file)
    phone.wait_for_count(".photo-frame g.sure", 5)
    assert page.evaluate("(({width, height}) => [width, height])(document.querySelector('canvas'))") == [1280, 960]
    boxes = page.locator(".photo-frame polygon").evaluate_all("all => all.map(el => el.getBoundingClientRect().left)")
    assert page.evaluate(LABELS) == [card.replace("T", "10", 1)[:-1] + SYMBOLS[card[1]] for card in cards]
    frame = page.locator(".photo-frame").bounding_box()
    assert frame["x"] <= min(boxes) <= max(boxes) <= frame["x"] + frame["width"]
    chosen = page.locator("[data-starter]").evaluate_all("all => all.map(el => el.dataset.starter)")
    assert chosen == cards
    assert "Tap the starter." in phone.visible_texts("[data-hand] p")

    page.locator(f"[data-starter='{cards[0]}']").tap()
    hand, starter = [parse_card(card) for card in cards[1:]], parse_card(cards[0])
    items = scoring.itemize_hand(hand, starter)
    phone.wait_for_count(".count-items li", len(items))
    assert phone.visible_texts(".hand-points") == [f"{scoring.sum_points(items)} points"]
    check_looks(phone, is_dark=True)

    page.locator("[data-crib]").tap()
    phone.wait_until("document.querySelector('[data-crib]').getAttribute('aria-pressed')", "true")
    page.locator(f".pad [data-card='{cards[0]}']").tap()  # the starter is taken away
    phone.wait_for_count(".photo-frame g.left-out", 1)
    page.locator("[data-clear]").tap()
    phone.wait_for_count("[data-starter]", 0)
    assert not page.locator(".photo-frame").is_visible()


def test_unsure_cards_are_choices_in_german_too(stage, phones, unsure):
    phone = phones(320, 568)
    page = phone.page
    page.goto(stage.url + "/count?lang=de")
    page.locator("input[type=file]").set_input_files(draw_file(FOUR)[0])
    phone.wait_for_count(".photo-choices [role=group]", 2)
    assert phone.visible_texts("[role=status]") == ["2 Karten gelesen. 2 sind unsicher: Tippe an, welche es sind."]
    assert page.evaluate(LABELS) == ["5♥", "? 1", "? 2", "J♦"]
    assert page.locator(".photo-choices [data-card='5H']").is_disabled()  # it lies there already
    check_looks(phone, is_dark=False)
    phone.tap(".photo-choices [data-card='8S']", ".photo-choices [data-none]")
    phone.wait_until(LABELS, ["5♥", "8♠", "–", "J♦"])
    page.locator(".pad [data-card='5D']").tap()
    phone.wait_for_text(".hand-points", "6 Punkte")


def test_without_photographs_cards_are_tapped(stage, phone, monkeypatch):
    page = phone.page

    def missing():
        raise CameraNotInstalled("Reading photographs of cards needs the extra [camera].")

    monkeypatch.setattr(card_photos, "load_photo_reader", missing)
    page.goto(stage.url + "/count")
    page.locator("input[type=file]").set_input_files(draw_file(FOUR)[0])
    phone.wait_until("document.querySelector('[role=alert]').textContent.includes('[camera]')", True)
    assert page.locator("[data-photo]").first.is_enabled()
    phone.complaints.clear()  # the browser reports the 501

    stage.role = "watcher"
    page.reload()
    phone.wait_until("document.querySelector('[data-photos]')?.textContent.startsWith('Only players')", True)
    stage.role = "player"
    stage.reads_photos = False
    page.reload()
    phone.wait_until("document.querySelector('[data-photos]')?.textContent.startsWith('This table cannot')", True)
    assert page.locator("input[type=file]").count() == 0
    for card in ("5H", "5S", "5C", "5D"):
        page.locator(f".pad [data-card='{card}']").tap()
    page.locator("[data-starter='5D']").tap()
    phone.wait_for_text(".hand-points", "20 points")
    assert "Counted as in five-card cribbage. In other games, add a card." in phone.visible_texts("[data-hand] p")
    page.locator(".pad [data-card='JD']").tap()
    phone.wait_for_text(".hand-points", "29 points")
    phone.open(stage.url, stage.show(**CRIB))
    assert page.locator("[data-scan]").count() == 0


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_crib_is_scanned_in_the_confirmed_order(stage, phones, scheme):
    phone = phones(390, 844, color_scheme=scheme)
    page = phone.open(stage.url, stage.show(**CRIB))
    page.locator("[data-open=cards]").tap()
    page.locator("[data-scan]").first.tap()
    file, cards = draw_file(FOUR)
    page.locator("dialog[open] input[type=file]").set_input_files(file)
    phone.wait_for_count(".photo-frame g.sure", 4)
    for _ in range(2):  # left out, then put last
        page.locator(f"[data-scanned='{cards[0]}']").tap()
    cards = [*cards[1:], cards[0]]
    assert phone.visible_texts("[data-accept]") == ["Enter 4 cards"]
    places = page.locator("[data-scanned]").evaluate_all(
        "all => all.map(el => getComputedStyle(el, '::after').content)"
    )
    assert places == ['"4"', '"1"', '"2"', '"3"']
    check_looks(phone, is_dark=scheme == "dark")
    assert stage.posts == []

    stage.answers, stage.refusal = [stage.snapshot] * 2, "That card has already been seen."
    page.evaluate(WATCH_BUTTON)
    page.locator("[data-accept]").tap()
    phone.wait_for_text("dialog[open] .sheet-body > [role=alert]", stage.refusal)
    assert phone.visible_texts("[data-accept]") == ["Enter 2 cards"]
    assert page.evaluate("wasDisabled") == [True] * 3  # a second tap enters nothing twice
    stage.refusal = None
    page.locator("[data-accept]").tap()
    phone.wait_for_count("dialog[open]", 0)
    assert stage.posts == [("moves", {"type": "card", "card": card}) for card in [*cards[:3], *cards[2:]]]

    stage.show(**CRIB | {"phase": "cut"})
    page.locator("[data-scan]").first.tap()
    page.locator("dialog[open] input[type=file]").set_input_files(file)
    phone.wait_for_count(".photo-frame g.sure", 4)
    assert page.locator("[data-accept]").is_disabled()  # a cut takes one card
    assert phone.complaints == ["Failed to load resource: the server responded with a status of 409 (CONFLICT)"]


def test_answer_for_closed_dialog_is_ignored(stage, phone, monkeypatch):
    is_chosen_again, calls = threading.Event(), []

    def read_photo(data):
        calls.append(data)
        if len(calls) > 1:
            raise NotAPicture("That is not a picture.")
        is_chosen_again.wait(PATIENCE_S)
        return {"cards": [{"card": "5H", "corners": CORNERS[0], "sure": 0.99}], "unsure": []}

    monkeypatch.setattr(card_photos, "load_photo_reader", lambda: read_photo)
    page = phone.open(stage.url, stage.show(**CRIB))
    page.locator("[data-open=cards]").tap()
    page.locator("[data-scan]").first.tap()
    page.locator("dialog[open] input[type=file]").set_input_files(draw_file(FOUR)[0])
    wait_until(lambda: calls)
    page.locator("dialog[open] [data-close]").tap()
    page.locator("[data-scan]").first.tap()
    assert page.locator("dialog[open] [data-photo]").first.is_enabled()
    page.locator("dialog[open] input[type=file]").set_input_files(draw_file(FOUR)[0])
    is_chosen_again.set()
    phone.wait_for_text("dialog[open] .card-photo [role=alert]", "That is not a picture.")
    assert page.locator("[data-scanned]").count() == 0
    phone.complaints.clear()  # the browser reports the 415


def test_private_hand_is_scanned_on_its_phone(stage, phone, unsure):
    stage.seat = 0
    stage.show(**SCENES["six-card, the play"] | {"phase": "cut", "played": [[], []]})
    page = sat(phone, stage)
    page.locator("[data-part=own] [data-photograph]").tap()
    page.locator("dialog[open] input[type=file]").set_input_files(draw_file(FOUR)[0])
    phone.wait_for_count(".photo-choices [role=group]", 2)
    assert any(text.startswith("2 cards are hidden. ") for text in phone.visible_texts("dialog[open] .scan-cards p"))
    page.locator(".photo-choices [data-card='3S']").tap()
    page.locator(".photo-choices [data-card='6H']").tap()
    page.locator("[data-accept]").tap()
    phone.wait_for_count("dialog[open]", 0)
    assert stage.posts == [("hand", {"cards": ["5H", "JD", "3S", "6H"]})]


def test_misread_card_is_corrected_by_photograph(stage, phone, unsure):
    stage.show(**SCENES["six-card, the play"])  # the 5 of hearts is known
    page = phone.open(stage.url)
    phone.tap("[data-correct='TH']", "dialog[open] [data-scan]")
    page.locator("dialog[open] input[type=file]").set_input_files(draw_file(FOUR)[0])
    phone.wait_for_count("[data-scanned]", 2)
    assert phone.visible_texts("[data-accept]") == ["It was the jack of diamonds"]
    stage.refusal = "Blue's jack of diamonds would then not have fitted."
    page.locator("[data-accept]").tap()
    phone.wait_until("[...document.querySelectorAll('dialog [role=alert]')].at(-1).textContent", stage.refusal)
    stage.refusal = None
    page.locator("[data-accept]").tap()
    phone.wait_for_count("dialog[open]", 0)
    assert stage.posts == [("moves", {"type": "correct", "card": "TH", "to": "JD"})] * 2


def test_cards_of_ones_own_are_photographed_to_practise(stage, phones):
    stage.deal = ranked_deal()
    phone = phones(390, 844)
    page = phone.page
    page.goto(stage.url + "/train?lang=de")
    page.locator("[data-scan]").tap()
    file, cards = draw_file(SIX)
    page.locator("dialog[open] input[type=file]").set_input_files(file)
    phone.wait_for_count(".photo-frame g.sure", 6)
    page.route("**/api/train?**", lambda route: route.fulfill(status=409, json={"error": "No hints."}), times=1)
    page.locator("[data-accept]").tap()
    phone.wait_for_text("dialog[open] .sheet-body > [role=alert]", "No hints.")
    phone.complaints.clear()  # the browser reports the 409
    with page.expect_request("**/api/train?**") as asked:
        page.locator("[data-accept]").tap()
    assert f"hand={''.join(cards)}&dealer=on" in asked.value.url
    phone.wait_for_count("dialog[open]", 0)
    assert page.locator("[data-train] > [role=alert]").inner_text() == ""
    with page.expect_request("**/api/train?**") as asked:
        page.locator("[data-crib]").tap()
    assert f"hand={''.join(stage.deal['asked']['hand'])}" in asked.value.url
    for card in stage.deal["ranked"][0]["discard"]:
        page.locator(f"[data-away='{card}']").tap()
    page.locator("[data-lay]").tap()
    phone.wait_for_count(".odds li", 15)
    assert page.locator("[data-score]").inner_text() == "Noch keine Runde gespielt."  # cards of one's own do not count
    check_looks(phone, is_dark=False)
