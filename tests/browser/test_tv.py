"""The TV page: everything on one screen, large, without controls."""

import pytest

from tests.browser.scenes import SCENES
from tests.browser.test_looks import FULL

TALL = "el => el.getBoundingClientRect().height / innerHeight"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (768, 1024)])
@pytest.mark.parametrize("name", ["full", "pursuit of five", "bases, a runner who may steal", "shuffle, swapping"])
def test_the_room_sees_all_at_once_and_finds_nothing_to_press(stage, phones, size, name):
    shown = stage.show(**(FULL if name == "full" else SCENES[name]))
    phone = phones(*size)
    page = phone.open(stage.url + "/tv")
    phone.wait_for_snapshot(shown)
    assert page.locator("button:visible, a, input, summary:visible").count() == 0
    assert page.evaluate("document.querySelector('main').scrollHeight <= innerHeight + 1")
    assert page.locator(".board").bounding_box()["height"] > 0.2 * size[1]
    assert page.locator("[data-score]").first.evaluate(TALL) > 0.045
    assert phone.complaints == []


def test_the_turn_and_the_count_are_read_at_three_metres(stage, phones):
    """A letter of 1/25 of the height of the screen is 16 mm high on a screen of 40 cm."""
    stage.show(**FULL)
    phone = phones(1280, 720)
    page = phone.open(stage.url + "/tv")
    for selector in ("[data-turn]", "[data-count]", ".count-line"):
        letters = page.locator(selector).first.evaluate("el => parseFloat(getComputedStyle(el).fontSize) / innerHeight")
        assert letters >= 0.04, selector


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_rooms_view(stage, phones, scheme):
    phone = phones(1280, 720, color_scheme=scheme, reduced_motion="reduce")
    phone.open(stage.url + "/tv", stage.show(**FULL))
    assert phone.find_faults(but_small=False) == []


def test_the_starter_and_the_cards_of_the_count_are_shown(stage, phone):
    phone.open(stage.url + "/tv")
    assert phone.visible_texts(".table-now .card") == []
    phone.wait_for_snapshot(stage.show(**FULL))
    assert phone.page.locator(".table-now .series .card").count() == 3
    assert phone.page.locator(".table-now .slot").inner_text().split() == ["J", "starter"]


def test_the_race_takes_the_place_of_the_board_at_the_end(stage, phones):
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
