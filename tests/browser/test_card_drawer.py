"""The card drawer of a phone: ranks line up, counts and claims stay in sight, and the bar keeps its places."""

import pytest

from tests.browser.scenes import SCENES, scene
from tests.browser.test_controls import PLAY, posted
from tests.browser.test_looks import FULL

KEYS = """Object.fromEntries([...document.querySelectorAll('#pad [data-card]')].map(key => {
    const box = key.getBoundingClientRect();
    return [key.dataset.card, [Math.round(box.x), Math.round(box.y), box.width, box.height]]; }))"""
PLACES = """[...document.querySelectorAll('.bar button')].filter(el => el.checkVisibility())
    .map(el => [el.dataset.move ?? el.dataset.open, Math.round(el.getBoundingClientRect().x)])"""
FREE = """selector => [...document.querySelectorAll(selector)].filter(el => el.checkVisibility()).map(el => {
    const box = el.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return at !== null && (at === el || el.contains(at)); })"""


@pytest.mark.parametrize("size", [(320, 568), (375, 667), (390, 844), (640, 900), (1280, 800)], ids=str)
def test_suits_and_ranks_line_up(stage, phones, size):
    phone = phones(*size)
    page = phone.open(stage.url, stage.show(**PLAY))
    if page.locator("[data-open=cards]").is_visible():
        page.locator("[data-open=cards]").tap()
    keys = page.evaluate(KEYS)
    for rank in "A23456789TJQK":
        assert len({keys[rank + suit][0] for suit in "SHCD"}) == 1, rank
    for suit in "SHCD":
        rows = [keys[rank + suit][1] for rank in "A23456789TJQK"]
        assert sorted(set(rows)) == list(dict.fromkeys(rows))
        assert len(set(rows)) <= 2
    assert min(min(width, height) for *_, width, height in keys.values()) >= 43.99
    assert page.evaluate("document.querySelector('#pad').scrollHeight <= document.querySelector('#pad').clientHeight")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if size[0] < 700:
        assert set(page.evaluate(FREE, "#pad [data-card]")) == {True}


INNER_SCROLLS = """[...document.querySelectorAll('.phone *')].filter(el => el.checkVisibility()
    && /auto|scroll/.test(getComputedStyle(el).overflowY) && el.scrollHeight > el.clientHeight).length"""


@pytest.mark.parametrize("size", [(320, 568), (390, 844)], ids=str)
@pytest.mark.parametrize("due", ["question", "advice"])
def test_cards_follow_a_due_answer(stage, phones, size, due):
    phone = phones(*size)
    page = phone.open(stage.url, stage.show(**PLAY | {due: FULL[due]}))
    undo = page.locator("[data-move=undo]").bounding_box()
    page.locator("[data-open=cards]").tap()
    asked = page.locator(".question" if due == "question" else ".pegging").bounding_box()
    assert asked["y"] + asked["height"] <= page.locator("#pad").bounding_box()["y"]
    assert page.locator("[data-move=undo]").bounding_box() == undo
    page.locator("#pad [data-card=KD]").scroll_into_view_if_needed()
    assert page.evaluate(FREE, "#pad [data-card=KD]") == [True]
    assert page.evaluate(INNER_SCROLLS) == 0
    stage.refusal = "The king of diamonds has already been played."
    page.locator("#pad [data-card=KD]").tap()
    phone.wait_for_text("[data-part=error]", stage.refusal)
    assert page.evaluate(FREE, "[data-part=error]") == [True]


@pytest.mark.parametrize("language", ["en", "de"])
def test_own_cards_are_entered_without_a_scroll(stage, phones, language):
    stage.seat = 1
    phone = phones(320, 568)
    phone.take_seat(f"{stage.url}/help")
    page = phone.open(f"{stage.url}/?lang={language}")
    page.locator("[data-open=hand]").tap()
    assert page.locator("dialog[open] [data-card]").count() == 52
    assert set(page.evaluate(FREE, "dialog[open] :is([data-card], [data-keep], [data-close])")) == {True}
    assert page.evaluate(INNER_SCROLLS) == 0


@pytest.mark.parametrize("size", [(375, 667), (390, 844)], ids=str)
def test_open_drawer_hides_nothing_important(stage, phones, size):
    phone = phones(*size)
    page = phone.open(stage.url, stage.show(**SCENES["counting, a claim in the play"]))
    page.locator("[data-open=cards]").tap()
    assert set(page.evaluate(FREE, "[data-turn], [data-score], [data-who=claim]")) == {True}
    assert page.evaluate(FREE, ".claiming .numbers .key") == [True] * 8  # 0 to 6 and the rest
    phone.wait_for_snapshot(stage.show(**scene("six-card", "5D TH 5H")))
    assert page.evaluate(FREE, ".last-count .gain, .last-count p") == [True, True]
    stage.close()
    before = page.locator("h1").bounding_box(), page.locator(".head").bounding_box()
    phone.wait_until("document.body.dataset.link", "lost")
    assert (
        page.locator("h1").bounding_box(),
        page.locator(".head").bounding_box(),
    ) == before  # the notice has its place
    assert page.evaluate(FREE, "[data-part=link]") == [True]
    assert phone.visible_texts("[data-part=link]") == ["no answer from the table, trying again"]


DEAL = "JD 5H TH TS 6C 2C 8D KC QS"


@pytest.mark.parametrize("size", [(320, 568), (390, 844)], ids=str)
def test_last_count_stays_below_the_headline(stage, phones, size):
    """His heels, 31 for two, and the last card with both hands; the keys stay where they are."""
    phone = phones(*size)
    page = phone.open(stage.url, stage.show(**scene("six-card")))
    page.locator("[data-open=cards]").tap()
    keys = page.evaluate(KEYS)
    for cards, gains in ((DEAL[:2], ["+2"]), (DEAL[:14], ["+2"]), (DEAL, ["+1", "+6", "+3"])):
        phone.wait_for_snapshot(stage.show(**scene("six-card", cards)))
        for scroll in ("document.querySelector('main').scrollIntoView()", "scrollBy(0, 100)"):
            page.evaluate(scroll)
            assert phone.visible_texts(".last-count .gain") == gains
            assert all(page.evaluate(FREE, ".last-count .gain")[: 3 if size[0] == 390 else 1])
            below = """document.querySelector('.last-count').getBoundingClientRect().y
                - document.querySelector('.head').getBoundingClientRect().bottom"""
            assert page.evaluate(below) < 16
            moved = page.evaluate(KEYS)
            assert all(abs(now - then) <= 1 for key in keys for now, then in zip(moved[key], keys[key], strict=True))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(320, 568), (375, 667), (390, 844)], ids=str)
def test_counts_hide_neither_scores_nor_crib(stage, phones, size, language):
    phone = phones(*size)
    page = phone.open(f"{stage.url}/?lang={language}", stage.show(**scene("six-card", DEAL[:14])))
    page.locator("[data-open=cards]").tap()
    at = page.evaluate("scrollY")
    for cards in ("", " 2H 3H"):
        phone.wait_for_snapshot(stage.show(**scene("six-card", DEAL + cards)))
        assert page.evaluate("scrollY") == at  # the browser holds nothing in its place
        assert set(page.evaluate(FREE, "[data-turn], [data-score], .last-count .gain")) == {True}
        if size[0] > 320:  # the smallest phone tells the number in its headline
            assert page.evaluate(FREE, ".series .small-cards .card") == [True] * 4


@pytest.mark.parametrize(("size", "free"), [((375, 667), 8), ((390, 844), 14)], ids=str)
def test_number_of_the_crib_stands_above_the_cards(stage, phones, size, free):
    """The keys of the usual cribs are free at once; on a low screen the others follow with a scroll."""
    phone, crib = phones(*size), scene("six-card", DEAL)
    page = phone.open(stage.url, stage.show(**crib | {"game": crib["game"] | {"pegs": "plain"}}))
    page.locator("[data-open=cards]").tap()
    phone.wait_for_count(".crib-count .key", 14)
    assert page.evaluate(FREE, ".crib-count .key")[:free] == [True] * free


def test_drawer_makes_room_for_the_counts(stage, phones):
    phone = phones(390, 844)
    page = phone.open(stage.url, stage.show(**scene("six-card", DEAL)))
    page.locator("[data-open=cards]").tap()
    crib = scene("six-card", f"{DEAL} 2H 3H 4H 9D")
    plain = {"game": crib["game"] | {"pegs": "plain"}}
    phone.wait_for_snapshot(stage.show(**crib | plain))
    phone.wait_until("document.querySelector('#pad').checkVisibility()", False)
    phone.wait_until("scrollY <= document.querySelector('main').offsetTop", True)
    assert page.evaluate(FREE, "[data-score], .after-hand, .picture") == [True] * 4
    phone.wait_for_snapshot(stage.show(**scene("six-card")))
    phone.wait_until("document.querySelector('#pad').checkVisibility()", True)
    phone.wait_for_snapshot(stage.show(**crib))
    page.locator("[data-open=cards]").tap()  # opened and closed by hand, it stays closed
    page.locator("[data-open=cards]").tap()
    phone.wait_for_snapshot(stage.show(**scene("six-card")))
    assert not page.locator("#pad").is_visible()


def test_starter_place_opens_the_drawer(stage, phone):
    start = scene("six-card")
    page = phone.open(stage.url, stage.show(**start | {"game": start["game"] | {"pegs": "plain"}}))
    assert phone.visible_texts("[data-turn]") == [
        "Red deals. Two cards each to the crib, then cut and enter the starter."
    ]
    assert phone.visible_texts("[data-open=cards]") == ["Enter the starter"]
    page.locator(".starter [data-enter]").tap()
    assert phone.visible_texts("[data-open=cards]") == ["Close"]
    assert page.locator("#pad [data-card=KS]").is_visible()
    page.locator("#pad [data-card=KS]").tap()
    assert posted(stage, phone) == [("moves", {"type": "card", "card": "KS"})]


def test_plain_board_says_next_step_and_counts_go(stage, phone):
    def show(cards):
        scenery = scene("six-card", cards)
        phone.wait_for_snapshot(stage.show(**scenery | {"game": scenery["game"] | {"pegs": "plain"}}))

    phone.open(stage.url, stage.show())
    show("4H")
    assert phone.visible_texts("[data-turn]") == ["Blue plays first. Enter each card that is played."]
    show("4H 5S")
    assert phone.visible_texts("[data-turn]") == ["Red to play."]
    cards = "4H 5S TC 6D 9C go go"
    show(cards)
    last = ["Red: one for the go."]
    assert phone.visible_texts(".last-count p") == last
    show(cards + " KS")  # entered in the same tap
    assert phone.visible_texts(".last-count p") == last
    show(cards + " KS QH")
    assert phone.visible_texts(".last-count p") == []


def test_pad_greys_what_cannot_be_played_and_go_leads_then(stage, phones):
    phone = phones(390, 844)
    page = phone.open(stage.url, stage.show(**scene("six-card", "5D TH 9S 9D")))
    page.locator("[data-open=cards]").tap()
    bright = (
        "[...document.querySelectorAll('#pad [data-card]:not(.unfit, .spent)')].map(el => el.dataset.card[0]).join('')"
    )
    assert page.evaluate(bright) == "A23" * 4  # the count is 28
    edges = page.locator("#pad [data-card]").evaluate_all("all => all.map(el => el.getBoundingClientRect().left)")
    assert min(edges) >= 12
    go = page.locator("[data-move=go]")
    assert "secondary" in go.get_attribute("class")
    seen = PLAY | {"count": 30, "series": ["AS", "AH"], "played": [["AS", "AC"], ["AH", "AD"]]}
    phone.wait_for_snapshot(stage.show(**seen))
    assert page.evaluate(bright) == ""
    assert "secondary" not in go.get_attribute("class")


def test_crib_shows_its_missing_cards(stage, phone):
    page = phone.open(stage.url, stage.show(**scene("six-card", DEAL + " 2H 3H")))
    places = """[...document.querySelectorAll('.series .small-cards .card')]
        .map(el => el.classList.contains('gap') ? '' : el.getAttribute('aria-label'))"""
    assert page.evaluate(places) == ["2 of hearts", "3 of hearts", "", ""]


def test_bar_keeps_its_places(stage, phones):
    phone = phones(390, 844)
    page = phone.open(stage.url)
    places, primary = {}, []
    moments = [PLAY | {"count": 5}, PLAY | {"count": 25}, PLAY | {"phase": "between"}]
    for moment in [*moments, {"phase": "over", "winner": 0, "turn": None, "scores": [121, 80]}]:
        phone.wait_for_snapshot(stage.show(**moment))
        if moment.get("phase") == "over":  # *Play again* is below the result, which is loaded then
            page.locator(".game-end button").first.wait_for()
        for name, x in page.evaluate(PLACES):
            places.setdefault(name, set()).add(x)
        colours = page.locator(":is(.bar, .game-end) button:visible").evaluate_all(
            "all => all.map(el => getComputedStyle(el).backgroundColor)"
        )
        primary.append(sum(each == "rgb(122, 74, 28)" for each in colours))
    assert {name: len(xs) for name, xs in places.items()} == {"undo": 1, "cards": 1, "go": 1, "next": 1}
    assert places["go"] == places["next"]
    assert primary == [1, 1, 1, 1]
