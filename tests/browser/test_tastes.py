"""The preferences of a phone are remembered."""

from tests.browser.scenes import SCENES

COLOURS = """['S', 'H', 'C', 'D'].map(suit => getComputedStyle(document.querySelector(`[data-card=A${suit}]`)).color)"""


def test_cards_come_in_four_colours_where_a_phone_likes_that_and_it_is_remembered(stage, phones):
    stage.show(**SCENES["six-card, the play"])
    phone = phones(1280, 800)
    page = phone.open(stage.url)
    assert len(set(page.evaluate(COLOURS))) == 2
    phone.open_menu("[data-taste=suits][data-value=four]")
    assert len(set(page.evaluate(COLOURS))) == 4
    page.reload()
    phone.wait_for_count("[data-taste=suits][data-value=four][aria-pressed=true]", 1)
    assert len(set(page.evaluate(COLOURS))) == 4
    phone.open_menu("[data-taste=suits][data-value=two]")
    assert len(set(page.evaluate(COLOURS))) == 2
