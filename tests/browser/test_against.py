"""A game against the companion: the page says what its player does now, and counts a deal hand by hand."""

import pytest

from tests.browser.scenes import SCENES, scene

AGAINST = {"pegs": "plain", "against": {"seat": 1, "level": "club"}}
REMARK = "I have dealt. Take your seat on your phone and discard two cards to the crib."
HAND = ["5H", "5S", "KD", "2C", "9C", "JD"]
COUNTS = ["Blue: fifteen two, and a pair is four.", "Red: no points.", "Red's crib: a pair is two."]
PLAYED = [
    {"n": 8, "by": "phone", "scores": [0, 0], "say": ["Blue played the 4."], "move": {}},
    {"n": 9, "by": "phone", "scores": [1, 4], "say": ["Red played the 3.", "Red: one for last.", *COUNTS[:2]],
     "move": {}},
    {"n": 10, "by": "phone", "scores": [3, 4], "say": ["The crib: 2S, 2H, QS, 9H.", COUNTS[2]], "move": {}},
]  # fmt: skip


def against(stage, **changes):
    return stage.show(game=stage.snapshot["game"] | AGAINST, **{"moves": 2} | changes)


def test_seated_phone_says_what_to_do(stage, phones):
    stage.seat, stage.hand = 0, HAND
    against(stage, remark=REMARK)
    phone, other = phones(390, 844), phones(390, 844)
    phone.take_seat(stage.url)
    phone.open(stage.url)
    phone.wait_for_text("[data-turn]", "Choose two cards for your crib.")
    assert phone.visible_texts("[data-notice]") == []
    other.page.goto(stage.url)
    other.page.evaluate("localStorage.removeItem('sat')")
    other.open(stage.url)
    assert other.visible_texts("[data-turn]") == ["Red chooses two cards for the crib."]
    assert other.visible_texts("[data-notice]") == [REMARK]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(320, 568), (390, 844), (1280, 800)], ids=str)
def test_discard_button_is_one_line(stage, phones, size, language):
    stage.seat, stage.hand = 0, HAND
    against(stage)
    phone = phones(*size)
    phone.take_seat(f"{stage.url}/help")
    page = phone.open(f"{stage.url}/?lang={language}")
    button = page.locator(".bar [data-away]")
    phone.wait_for_count(".my-hand [data-away]", len(HAND))
    undo = page.locator("[data-move=undo]").bounding_box()
    for chosen in range(3):
        button.wait_for()
        assert button.is_disabled() == (chosen < 2)
        box = button.bounding_box()
        assert box["x"] + box["width"] <= size[0]
        assert box["height"] == undo["height"] == 44
        if chosen < 2:
            page.locator(".my-hand [data-away]").nth(chosen).tap()
            phone.wait_for_count(".my-hand [aria-pressed=true]", chosen + 1)


def test_card_that_does_not_fit_is_disabled(stage, phones):
    phone = sit(stage, phones, ["5H", "KD"], phase="play", turn=0, count=24)
    phone.wait_for_count("[data-own]", 2)
    assert [each.is_disabled() for each in phone.page.locator("button[data-card]:visible").all()] == [False, True]


def test_played_card_is_no_button_before_the_hand_is_loaded_again(stage, phones):
    phone = sit(stage, phones, ["5H", "KD"], phase="play", turn=0, starter="4H", count=14, played=[["5H"], ["9H"]])
    phone.wait_for_count(".fan [data-own]", 1)
    assert phone.page.locator("[data-own]").get_attribute("data-own") == "KD"


def sit(stage, phones, hand, **changes):
    """Return a phone of the person who plays against the companion, with this hand."""
    stage.seat, stage.hand = 0, hand
    against(stage, **changes)
    phone = phones(390, 844)
    phone.take_seat(stage.url)
    phone.open(stage.url)
    phone.wait_for_count("[data-part=own] h2", 1)
    return phone


READER = {"cards": {"url": "serial:/dev/ttyACM1", "ok": True, "say": ""}}


def test_bar_has_pad_only_for_own_pack(stage, phones):
    phone = sit(stage, phones, HAND)
    phone.wait_for_text(".bar [data-away]", "Choose two cards")
    assert phone.page.locator(".bar [data-away]").is_disabled()
    assert phone.visible_texts(".bar button") == ["Undo", "Choose two cards"]
    assert phone.visible_texts("[data-card]") == []
    for card in ("2C", "9C"):
        phone.page.locator(f"[data-away='{card}']").tap()
    phone.wait_for_text(".bar [data-away]", "Discard to crib")
    shown = phone.page.locator(".my-hand [data-away]").evaluate_all("all => all.map(el => el.dataset.away)")
    assert shown == ["2C", "5S", "5H", "9C", "JD", "KD"]  # by rank, as they are held
    stage.hand = ["5S", "5H", "JD", "KD"]
    phone.page.locator(".bar [data-away]").tap()
    phone.wait_for_text("[data-turn]", "The companion is discarding…")
    assert ("hand", {"cards": stage.hand}) in stage.posts
    phone.wait_until("document.activeElement.closest('.my-hand') !== null", True)
    assert phone.visible_texts(".bar button") == ["Undo"]
    phone.wait_for_snapshot(against(stage, moves=8, devices=stage.snapshot["devices"] | READER))
    assert phone.visible_texts(".bar button") == ["Undo", "Cards"]
    phone.page.locator(".bar [data-open=cards]").tap()
    assert phone.visible_texts("[data-card='KS']") != []
    stage.hand = HAND  # the next deal starts without a selection
    phone.wait_for_snapshot(against(stage, moves=9))
    phone.wait_for_count(".my-hand [data-away]", 6)
    phone.wait_for_text(".bar [data-away]", "Choose two cards")


HOLD_POST = """() => { const send = window.fetch;
    window.fetch = async (path, options) => {
        const answer = await send(path, options);
        if (options?.method === "POST") await new Promise((done) => (window.release = done));
        return answer; }; }"""


def test_late_answer_to_discard_takes_no_focus(stage, phones):
    phone = sit(stage, phones, HAND)
    phone.wait_for_count(".my-hand [data-away]", 6)
    phone.page.evaluate(HOLD_POST)
    for card in ("2C", "9C"):
        phone.page.locator(f".my-hand [data-away='{card}']").tap()
    stage.hand = ["5S", "5H", "JD", "KD"]
    phone.page.locator(".bar [data-away]").tap()
    phone.wait_until("!!window.release", True)
    phone.page.locator("[data-move=undo]").focus()
    phone.page.evaluate("release()")
    phone.wait_for_text("[data-turn]", "The companion is discarding…")
    assert phone.page.evaluate("document.activeElement.dataset.move") == "undo"


@pytest.mark.parametrize("reader", ["sim:", "none:"])
def test_dealt_cards_are_neither_entered_nor_changed(stage, phones, reader):
    devices = stage.snapshot["devices"] | {"cards": {"url": reader, "ok": True, "say": ""}}
    phone = sit(stage, phones, HAND, devices=devices)
    phone.wait_for_count(".my-hand [data-away]", 6)
    assert phone.visible_texts("[data-open=hand]") == []
    played = {"phase": "play", "turn": 1, "starter": "4H", "count": 15, "moves": 7, "devices": devices}
    stage.hand = []
    phone.wait_for_snapshot(against(stage, **played))
    phone.wait_for_count("[data-own]", 0)
    assert phone.visible_texts("[data-open=hand]") == []
    assert phone.page.locator(".my-hand h2").bounding_box()["height"] <= 1  # a heading without cards
    phone.wait_for_snapshot(stage.show(**played, game=stage.snapshot["game"] | {"against": None}))
    assert phone.visible_texts("[data-open=hand]") == ["Enter my cards"]
    for changes in ({"phase": "over", "winner": 0, "turn": None}, SCENES["pegs only"]):  # no cards are held there
        phone.wait_for_snapshot(stage.show(**changes))
        assert phone.visible_texts("[data-part=own] *") == []


@pytest.mark.parametrize("reader", ["sim:", "none:"])
def test_phone_says_that_companion_deals(stage, phones, reader):
    devices = stage.snapshot["devices"] | {"cards": {"url": reader, "ok": True, "say": ""}}
    phone = sit(stage, phones, [], devices=devices)
    phone.wait_for_text("[data-turn]", "The companion is dealing…")
    assert phone.visible_texts("[data-open=hand], .bar [data-open=cards]") == []


def test_go_needs_no_tap_when_no_card_fits(stage, phones):
    play = {"phase": "play", "turn": 0, "starter": "4H", "count": 24, "played": [["9C", "6D"], ["9H"]]}
    phone = sit(stage, phones, ["5H", "KD"], **play)
    phone.wait_for_text("[data-turn]", "Your turn: tap a card.")
    assert phone.visible_texts(".bar button") == ["Undo"]
    phone.wait_for_snapshot(against(stage, **play | {"count": 27}))
    phone.wait_for_text("[data-turn]", "No card fits: go.")
    phone.wait_until("document.querySelector('[data-part=heard]').lastElementChild.textContent", "No card fits: go.")
    assert phone.visible_texts(".bar button") == ["Undo"]
    phone.wait_for_snapshot(against(stage, **play | {"turn": 1, "count": 27}))
    phone.wait_for_text("[data-turn]", "Blue to play.")
    assert phone.visible_texts(".bar button") == ["Undo"]


def test_own_score_stays_while_companion_answers(stage, phones):
    stage.seat, stage.hand = 0, ["5H"]
    own = {"seat": 0, "points": 2, "cards": ["6D", "9C"], "say": "Red: fifteen two."}
    answer = {"seat": 1, "points": 2, "cards": ["9H", "9C"], "say": "Blue: a pair is two."}
    play = {"phase": "play", "starter": "4H", "count": 15}
    phone = phones(390, 844)
    phone.open(stage.url)
    for seat, counts, said in ((0, [own], ["Red"]), (1, [], ["Red"]), (1, [answer], ["Red", "Blue"]), (0, [], [])):
        last = {
            "move": {"type": "play", "seat": seat, "card": "6D"}, "by": "phone", "awards": [], "said": [],
            "counts": counts,
        }  # fmt: skip
        phone.wait_for_snapshot(against(stage, **play, last=last))
        assert [each.split(":")[0] for each in phone.visible_texts(".last-count .count-line p")] == said


def test_an_incomplete_hand_says_nothing_about_go(stage, phones):
    people = stage.snapshot["game"] | {"against": None}
    play = {"phase": "play", "turn": 0, "starter": "4H", "count": 27, "played": [["9C"], ["9H"]], "game": people}
    phone = sit(stage, phones, ["5H", "KD"])
    phone.wait_for_snapshot(stage.show(**play))
    phone.wait_for_text("[data-turn]", "Red: play a card or say go.")
    assert phone.visible_texts(".bar [data-move=go]") == ["Go"]


def test_discard_is_the_primary_action(stage, phones):
    stage.show(devices=stage.snapshot["devices"] | READER)
    phone = sit(stage, phones, HAND)
    page = phone.page
    page.locator("[data-away='']").wait_for()
    colour = "el => getComputedStyle(el).backgroundColor"
    lay, cards = page.locator("[data-away='']"), page.locator(".bar [data-open=cards]")
    assert lay.evaluate(colour) == cards.evaluate(colour)
    for card in HAND[:2]:
        page.locator(f"[data-away='{card}']").tap()
    assert lay.evaluate(colour) != cards.evaluate(colour)
    stage.hand = []
    phone.wait_for_snapshot(against(stage, starter="4H", phase="play", turn=0))
    phone.wait_for_count(".my-hand :is([data-away], [data-own])", 0)
    assert cards.evaluate(colour) != page.locator("[data-move=undo]").evaluate(colour)


def end_a_deal(stage):
    """Show the end of a deal, with the counts of both hands and the crib."""
    stage.played = PLAYED
    crib = ["2S", "2H", "QS", "9H"]
    count = {"seat": 0, "points": 2, "cards": ["2S", "2H"], "say": COUNTS[2]}
    last = {"move": {"type": "crib", "cards": crib}, "by": "phone", "awards": [], "said": [], "counts": [count]}
    played = [["5C", "QH", "2C", "TS"], ["AH", "5H", "9D", "AC"]]
    ended = {"phase": "between", "dealer": 1, "turn": 1, "starter": "4H", "played": played, "scores": [3, 4]}
    return against(stage, **ended, crib=crib, last=last)


def test_deal_is_counted_in_order(stage, phones):
    phone = phones(390, 844, reduced_motion="reduce")
    page = phone.open(stage.url)
    phone.wait_for_snapshot(end_a_deal(stage))
    phone.wait_until("[...document.querySelectorAll('.deal-count p')].map(el => el.textContent)", COUNTS)
    cards = page.locator(".deal-count").evaluate_all("all => all.map(el => el.querySelectorAll('.card').length)")
    assert cards == [5, 5, 5]
    assert phone.visible_texts("[data-move=next]") == ["Next hand"]
    phone.wait_for_snapshot(against(stage))
    phone.wait_for_count(".deal-count", 0)


def test_undone_card_is_back_in_the_hand(stage, phones):
    play = {"phase": "play", "turn": 0, "starter": "4H", "count": 9, "moves": 5, "played": [[], ["9H"]]}
    undo = {"move": {"type": "undo"}, "by": "phone", "awards": [], "counts": [], "said": ["Undone: Red's king."]}
    phone = sit(stage, phones, ["5H", "KD", "5S", "JD"])
    phone.wait_for_snapshot(against(stage, **play, last=undo | {"undone": {"type": "play", "seat": 0, "card": "KD"}}))
    assert phone.visible_texts(".last-count p") == ["Your king of diamonds is back in your hand."]
    heard = "document.querySelector('[data-part=heard]').lastElementChild.textContent"
    phone.wait_until(f"{heard}.includes('Your king of diamonds is back in your hand.')", True)
    phone.wait_for_snapshot(against(stage, **play, last=undo | {"undone": {"type": "play", "seat": 1, "card": "KD"}}))
    assert phone.visible_texts(".last-count p") == ["Undone: Red's king."]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (768, 1024)])
def test_tv_shows_all_counts_of_a_deal(stage, phones, size):
    phone = phones(*size, reduced_motion="reduce")
    page = phone.open(stage.url + "/tv")
    phone.wait_for_snapshot(end_a_deal(stage))
    phone.wait_until("[...document.querySelectorAll('.deal-count p')].map(el => el.textContent)", COUNTS)
    ends = page.locator(".deal-count").evaluate_all("all => all.map(el => el.getBoundingClientRect().bottom)")
    column = page.locator(".status-column").evaluate("el => el.getBoundingClientRect().bottom")
    assert all(each <= column + 1 for each in ends)
    assert page.locator(".board").bounding_box()["height"] > 0.15 * size[1]


def test_plain_board_shows_where_the_pegs_stand(stage, phone):
    ended = scene("six-card", "5D TH 5H 6S KC 4C 3D 7S JC 2S 2H QS 9H")
    assert ended["phase"] == "between"
    page = phone.open(stage.url, stage.show(**ended | {"game": ended["game"] | {"pegs": "plain"}}))
    red, blue = ended["scores"]
    page.locator(".after-hand summary").tap()
    assert phone.visible_texts(".after-hand li") == [
        f"{name}: front peg in {score}, back peg at the start."
        for name, score in zip(("Red", "Blue"), (red, blue), strict=True)
    ]
    phone.wait_for_snapshot(stage.show(**ended))
    assert phone.visible_texts(".after-hand") == []


def test_hand_and_counts_fit_the_smallest_phone(stage, phones):
    phone = sit(stage, phones, HAND)
    phone.page.set_viewport_size({"width": 320, "height": 568})
    phone.wait_for_count(".my-hand [data-away]", 6)
    bottoms = "(all) => all.map(el => el.getBoundingClientRect().bottom)"
    bar = phone.page.locator("[data-part=bar]").bounding_box()["y"]
    assert max(phone.page.locator(".my-hand [data-away]").evaluate_all(bottoms)) <= bar
    stage.hand = []
    phone.page.emulate_media(reduced_motion="reduce")
    phone.wait_for_snapshot(end_a_deal(stage))
    phone.wait_for_count(".deal-count", 3)
    assert (
        max(phone.page.locator(".deal-count").evaluate_all(bottoms)) <= phone.page.locator(".foot").bounding_box()["y"]
    )
