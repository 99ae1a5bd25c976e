"""The help of every game, as a dialog and as a page, accessible to everybody."""

import pytest


def test_the_question_mark_opens_the_help_of_this_game(stage, phone):
    stage.role = "watcher"
    page = phone.open(stage.url)
    page.locator("[data-open=help]").tap()
    phone.wait_for_text("dialog[open] .lead", "Six-card cribbage")
    page.locator("dialog[open] summary", has_text="His nobs").tap()
    assert "The jack of the starter's suit in a hand or in the crib: one." in phone.visible_texts(
        "dialog[open] details p"
    )
    assert page.locator("h1").count() == 1
    assert phone.find_faults() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_read_without_scripts(stage, phones, scheme):
    phone = phones(320, 568, color_scheme=scheme)
    page = phone.page
    page.goto(stage.url + "/help/swap")
    assert page.locator("figure:visible").count() == 4
    assert phone.find_faults() == []
