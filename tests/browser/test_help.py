"""The help of every game, as a dialog and as a page, accessible to everybody."""

import pytest

from tests.browser.test_looks import AXE, GRAVE, SMALL

pytestmark = pytest.mark.browser


def test_the_question_mark_opens_the_help_of_this_game(stage, phone):
    stage.role = "watcher"
    page = phone.open(stage.url)
    page.locator("[data-open=help]").tap()
    phone.wait_until("document.querySelector('dialog[open] .lead')?.textContent", "Six-card cribbage")
    page.locator("dialog[open] summary", has_text="His nobs").tap()
    assert "The jack of the starter's suit in a hand or in the crib: one." in phone.visible_texts(
        "dialog[open] details p"
    )
    assert page.evaluate(SMALL) == []
    assert page.locator("h1").count() == 1
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(GRAVE, False) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_read_without_scripts(stage, phones, scheme):
    phone = phones(320, 568, color_scheme=scheme)
    page = phone.page
    page.goto(stage.url + "/help/swap")
    assert page.locator("figure:visible").count() == 4
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(SMALL) == []
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(GRAVE, False) == []
