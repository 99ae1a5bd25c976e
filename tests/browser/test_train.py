"""The practice page: a hand, the discard, the odds, and a score that stays on this phone."""

from functools import cache

import pytest

from companion.coach import advise
from companion.server.routes.coach import deal_practice_hand
from tests.browser.conftest import SMALL
from tests.browser.slow_answers import HOLD_FIRST_ANSWER
from tests.browser.test_around import sat


@cache
def ranked_deal():
    """Return a deal to practise with, and its discards from the best to the worst."""
    asked = deal_practice_hand("six-card", 3)
    return {"seed": 3, "asked": asked, "ranked": advise.answer_question(asked)["choices"]}


@pytest.fixture
def deal(stage):
    stage.deal = ranked_deal()
    return stage.deal


def laid(phone, cards):
    for each in cards:
        phone.page.locator(f"[data-away='{each}']").tap()
    phone.page.locator("[data-lay]").tap()


def test_the_best_discard_is_shown_and_this_phone_remembers_the_score(stage, phone, deal):
    page = phone.page
    page.goto(stage.url + "/train")
    phone.wait_for_count("[data-away]", 6)
    assert page.locator("[data-lay]").is_disabled()
    laid(phone, deal["ranked"][0]["discard"])
    phone.wait_for_count(".odds li", 15)
    assert page.locator("[data-score]").inner_text().startswith("1 of 1 best. Lost per deal: 0.0\u00a0%")
    page.locator("[data-next]").tap()
    phone.wait_for_count("[data-away]", 6)
    laid(phone, deal["ranked"][-1]["discard"])
    page.reload()
    phone.wait_until("document.querySelector('[data-score]')?.textContent.startsWith('1 of 2 best')", True)
    page.locator("[data-forget]").tap()
    assert page.locator("[data-score]").inner_text() == "No deal played yet."


def test_of_two_games_chosen_at_once_the_second_is_dealt(stage, phone, deal):
    page = phone.page
    page.goto(stage.url + "/train")
    phone.wait_for_count("[data-away]", 6)
    page.evaluate(HOLD_FIRST_ANSWER, "/api/train")
    stage.deal = deal | {"asked": deal["asked"] | {"hand": deal["asked"]["hand"][:5]}}
    page.locator("[data-game=five-card]").tap()
    phone.wait_until("isHeld", True)
    stage.deal = deal
    page.locator("[data-game=six-card]").tap()
    phone.wait_until("isLate", True)
    assert page.locator("[data-away]").count() == 6


def test_a_hint_is_asked_for_where_the_table_allows_it(stage, phone, deal):
    stage.seat, stage.hand = 0, deal["asked"]["hand"]
    page = sat(phone, stage)
    phone.wait_for_count(".card-button[data-away]", 6)
    assert page.locator("[data-hint]").count() == 0
    phone.wait_for_snapshot(stage.show(moves=2, game=stage.snapshot["game"] | {"options": {"hints": "on"}}))
    page.locator("[data-hint]").tap()
    phone.wait_for_count(".hints li", 3)
    best = deal["ranked"][0]
    worth = f": wins {100 * best['win']:.1f}\u00a0%, {best['points']:.1f}\u00a0points"
    assert page.locator(".hints li").first.inner_text().endswith(worth)
    phone.wait_for_snapshot(stage.show(moves=3, game=stage.snapshot["game"]))
    assert page.locator(".hints li").count() == 0


@pytest.mark.parametrize("look", [(320, 568, "dark"), (390, 844, "light")])
def test_it_fits_a_phone(stage, phones, deal, look):
    width, height, scheme = look
    phone = phones(width, height, color_scheme=scheme)
    page = phone.page
    page.goto(stage.url + "/train")
    phone.wait_for_count("[data-away]", 6)
    laid(phone, deal["ranked"][2]["discard"])
    phone.wait_for_count(".odds .made", 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    rows = (
        "new Set([...document.querySelector('.asked .cards').children].map(el => el.getBoundingClientRect().top)).size"
    )
    assert page.evaluate(rows) == 1
    assert phone.find_faults() == []
    assert phone.complaints == []


@pytest.mark.parametrize("path", ["/train", "/daily"])
def test_the_six_cards_are_in_one_row_on_the_smallest_phone(stage, phones, deal, path):
    phone = phones(320, 568)
    phone.page.goto(stage.url + path)
    phone.wait_for_count("[data-away]", 6)
    tops = "new Set([...document.querySelectorAll('[data-away]')].map(each => each.getBoundingClientRect().top)).size"
    assert phone.page.evaluate(tops) == 1
    assert phone.page.evaluate(SMALL) == []
