"""Layout: the important elements are visible in portrait, in landscape, on large screens, and on a TV."""

import re

import pytest

from tests.browser.scenes import SCENES
from tests.browser.test_looks import FULL

SEEN = """(selector) => { const el = document.querySelector(selector), box = el.getBoundingClientRect();
  return el.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth
    && [[box.left + 6, box.top + 6], [box.right - 6, box.bottom - 6]]
      .every(([x, y]) => el.contains(document.elementFromPoint(x, y)) || document.elementFromPoint(x, y) === el); }"""
"""Whether an element is wholly on the screen and nothing lies over it."""
PEGS = """[...document.querySelectorAll('.picture .peg')].every(el => { const box = el.getBoundingClientRect();
  const [wood, foot] = ['.picture .board', '.foot'].map(each => document.querySelector(each).getBoundingClientRect());
  return box.left >= wood.left - 1 && box.right <= wood.right + 1 && box.top >= wood.top - 1
    && box.bottom <= Math.min(wood.bottom, innerHeight, foot.right > wood.left ? foot.top : innerHeight); })"""
ASKED = {name: FULL[name] for name in ("question", "advice", "dues", "pegs", "scores")}


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_open_cards_leave_question_and_error_visible(stage, phones, size):
    phone = phones(*size)
    phone.open(stage.url, stage.show(**SCENES["six-card, the play"] | {"question": FULL["question"]}))
    before = phone.page.locator(".question").bounding_box()
    phone.page.locator("[data-open=cards]").tap()
    assert phone.page.locator(".question").bounding_box() == before
    assert phone.page.evaluate(SEEN, "[data-choice]")
    assert phone.page.locator("[data-card]:visible").count() == 52
    phone.wait_for_snapshot(stage.show(**SCENES["six-card, the play"] | {"advice": FULL["advice"][1:]}))
    assert phone.page.evaluate(SEEN, ".problem")


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390), (768, 1024), (1280, 800)])
@pytest.mark.parametrize("name", ["six-card, the play", "six-card of four", "pursuit of two", "five-card, the play"])
def test_pegs_are_on_the_first_screen(stage, phones, size, name):
    phone = phones(*size)
    phone.open(stage.url, stage.show(**SCENES[name]))
    phone.wait_until(PEGS, True)


def test_zoom_to_the_pegs_is_remembered(stage, phone):
    page = phone.open(stage.url, stage.show(**SCENES["six-card, the play"]))
    width = "document.querySelector('.picture .board').viewBox.baseVal.width"
    whole = page.evaluate(width)
    page.locator("[data-view]").tap()
    phone.wait_until("document.querySelector('[data-view]')?.getAttribute('aria-pressed')", "true")
    assert page.evaluate(width) < 0.75 * whole
    page.reload()
    phone.wait_until("document.querySelector('[data-view]')?.getAttribute('aria-pressed')", "true")
    page.locator("[data-view]").tap()
    phone.wait_until(width, whole)


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_letters_twice_as_large_fit_the_smallest_phone(stage, phone, path):
    phone.draws_in = stage.show(**FULL)
    page = phone.open(stage.url + path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    if path == "/":
        phone.wait_for_count(".crowded", 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    cut = """[...document.querySelectorAll('button, .turn, .question h2, .problem, .score')].filter(el =>
        el.checkVisibility() && el.scrollWidth > el.clientWidth + 1).map(el => el.outerHTML)"""
    assert page.evaluate(cut) == []
    if path == "/":
        page.locator("[data-move=undo]").tap()  # nothing that sticks to an edge hides it


def test_sideways_phone_has_board_beside_the_turn(stage, phones):
    phone = phones(844, 390)
    page = phone.open(stage.url, stage.show(**SCENES["six-card, the play"]))
    for selector in (".head", ".picture .board", "[data-move=undo]"):
        assert page.evaluate(SEEN, selector), selector


@pytest.mark.parametrize("width", [768, 1280, 1920])
def test_larger_screens_use_their_width(stage, phones, width):
    phone = phones(width, 1000)
    page = phone.open(stage.url, stage.show(**SCENES["six-card, the play"]))
    boxes = page.evaluate(
        "[...document.querySelectorAll('.status-column, .content-column')]"
        ".map(el => el.getBoundingClientRect().toJSON())"
    )
    assert boxes[0]["right"] <= boxes[1]["left"]
    assert boxes[1]["right"] > 0.97 * width


@pytest.mark.parametrize("name", ["six-card, the play", "bases, dice are due", "pegs only"])
def test_widest_screen_gives_room_to_the_board(stage, phones, name):
    stage.show(**SCENES[name])
    page = phones(1920, 1080).open(stage.url)
    board, width = page.locator(".picture .board").bounding_box(), 0.97 * 1920
    assert board["width"] > 0.7 * width or board["height"] > 0.75 * 1080
    assert board["y"] + board["height"] <= 1080
    if page.locator("#pad").is_visible():
        pad = page.locator("#pad").bounding_box()
        assert pad["y"] + pad["height"] <= 1080
        history = page.locator(".history").bounding_box()
        assert history["x"] >= pad["x"] + pad["width"]


def test_board_finds_its_place_with_late_module(stage, phones):
    stage.show(**SCENES["swap, chips to take"])
    phone, held = phones(390, 844, new=True), []
    module = re.compile(r"/sackson\.(joined\.)?js")
    phone.page.route(module, lambda route: held.append(route))  # noqa: PLW0108 - its arguments are looked at
    page = phone.page
    page.goto(stage.url)
    phone.wait_until("document.body.dataset.role", "player")  # the page is drawn then, without the module
    phone.wait_until("document.querySelectorAll('.board .hole').length > 0", True)
    for route in held:
        route.continue_()
    phone.wait_for_count("[data-move=take]", 5)
    assert page.locator(".picture").bounding_box()["y"] > page.locator(".display").bounding_box()["y"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=str)
def test_markers_are_laid_without_a_scroll(stage, phones, size, language):
    phone = phones(*size)
    page = phone.open(f"{stage.url}/?lang={language}", stage.show(**SCENES["swap, markers to lay"]))
    page.locator("[data-lay=shuffle]").tap()
    phone.wait_until("document.querySelector('[data-lay=lay]').disabled", False)
    for selector in ("[data-lay=back]", "[data-lay=lay]"):
        assert page.evaluate(SEEN, selector), selector
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("[data-lay=lay]").bounding_box()["y"] < page.locator(".foot").bounding_box()["y"] - 40


def test_what_was_refused_goes_with_the_next_move(stage, phone):
    page = phone.open(stage.url, stage.show(moves=1))
    news = {"id": 1, "kind": "refused", "from": "cards", "say": "The 5 of hearts has already been seen."}
    phone.wait_for_snapshot(stage.show(notices=[news], moves=1))
    assert phone.visible_texts("[data-notice]") == [news["say"]]
    stage.refusal = "There is nothing to undo."
    page.locator("[data-move=undo]").tap()
    phone.wait_for_text("[data-error]", stage.refusal)
    phone.wait_for_snapshot(stage.show(notices=[news], moves=2))
    assert phone.visible_texts("[data-notice], [data-error]:not(:empty)") == []


def test_an_error_about_a_peg_is_said_once(stage, phone):
    why = FULL["question"]["why"]
    told = {"id": 1, "kind": "refused", "from": "board", "say": why}
    ask = {"kind": "ask", "seat": 1, "say": why, "hole": "blue-87"}
    page = phone.open(stage.url, stage.show(**ASKED | {"notices": [told], "advice": [ask]}))
    assert page.locator("body").inner_text().count(why) == 1


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_page_that_fits_does_not_scroll(stage, phones, size):
    phone = phones(*size)
    page = phone.open(stage.url)
    extent = "document.documentElement.scrollHeight"
    for changes in ({"moves": 3}, SCENES["six-card, the play"]):
        phone.wait_for_snapshot(stage.show(**changes))
        phone.wait_until(extent, size[1])
    if size[0] < 736:
        page.locator("[data-open=cards]").tap()
        phone.wait_for_count("#pad.open", 1)
        page.locator("[data-open=cards]").tap()
        phone.wait_until(f"[scrollY, {extent}].join()", f"0,{size[1]}")


def test_wide_page_scrolls_below_its_bar(stage, phones):
    phone = phones(1280, 800)
    phone.open(stage.url, stage.show(**SCENES["swap, chips to take"]))
    column = "document.querySelector('.status-column')"
    phone.wait_until("document.documentElement.scrollHeight > innerHeight", True)
    assert phone.page.evaluate(f"{column}.scrollHeight - {column}.clientHeight") <= 1
    assert phone.page.locator(".foot").evaluate("foot => innerHeight - foot.getBoundingClientRect().bottom") <= 0.5


TALL = "el => el.getBoundingClientRect().height / innerHeight"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (768, 1024)])
@pytest.mark.parametrize("name", ["full", "pursuit of five", "bases, a runner who may steal", "shuffle, swapping"])
def test_tv_shows_all_and_has_no_buttons(stage, phones, size, name):
    shown = stage.show(**(FULL if name == "full" else SCENES[name]))
    phone = phones(*size)
    page = phone.open(stage.url + "/tv")
    phone.wait_for_snapshot(shown)
    assert page.locator("button:visible, a, input, summary:visible").count() == 0
    assert page.evaluate("document.querySelector('main').scrollHeight <= innerHeight + 1")
    assert page.locator(".board").bounding_box()["height"] > 0.2 * size[1]
    assert page.locator("[data-score]").first.evaluate(TALL) > 0.045
    assert phone.complaints == []


def test_tv_is_read_at_three_metres(stage, phones):
    """A letter of 1/25 of the height of the screen is 16 mm high on a screen of 40 cm."""
    phone = phones(1280, 720)
    page = phone.open(stage.url + "/tv", stage.show(**FULL))
    for selector in ("[data-turn]", "[data-count]", ".count-line"):
        letters = page.locator(selector).first.evaluate("el => parseFloat(getComputedStyle(el).fontSize) / innerHeight")
        assert letters >= 0.04, selector


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_rooms_view(stage, phones, scheme):
    phone = phones(1280, 720, color_scheme=scheme, reduced_motion="reduce")
    phone.open(stage.url + "/tv", stage.show(**FULL))
    assert phone.find_faults(but_small=False) == []


def test_tv_shows_starter_and_cards_of_count(stage, phone):
    phone.open(stage.url + "/tv")
    assert phone.visible_texts(".table-now .card") == []
    phone.wait_for_snapshot(stage.show(**FULL))
    assert phone.page.locator(".table-now .series .card").count() == 3
    assert phone.page.locator(".table-now .slot").inner_text().split() == ["J", "starter"]


def test_race_replaces_the_board_at_the_end(stage, phones):
    stage.played = [
        {"n": n, "by": "cards", "scores": [8 * n, 11 * n], "say": [f"Move {n}."], "move": {}} for n in range(1, 12)
    ]
    phone = phones(1280, 720)
    page = phone.open(stage.url + "/tv")
    ended = {"phase": "over", "winner": 1, "turn": None, "scores": [88, 121], "advice": [], "notices": [], "dues": []}
    phone.wait_for_snapshot(stage.show(**FULL | ended))
    phone.wait_for_count(".game-end .race", 1)
    assert page.locator(".race").get_attribute("aria-label") == "The race: Red 88, Blue 121"
    assert phone.visible_texts(":is(button, a, .picture)") == []
    assert page.locator(".race").bounding_box()["height"] > 0.2 * 720
    assert page.evaluate("document.querySelector('main').scrollHeight <= innerHeight + 1")
    phone.wait_for_snapshot(stage.show(**FULL))
    assert phone.visible_texts(".game-end") == []
