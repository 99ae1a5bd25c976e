"""axe finds no problem in any dialog of the phone page, in light and dark mode."""

import pytest

from tests.browser.scenes import SCENES


def open_new_game(page):
    page.locator("[data-open=new-game]").tap()
    page.locator("dialog[open] [data-start]").wait_for()


def open_correction(page):
    page.locator("[data-correct='5H']").tap()
    page.locator("dialog[open] [data-card]").first.wait_for()


def open_help(page):
    page.locator("[data-open=help]").tap()
    page.locator("dialog[open] h3, dialog[open] h2 + *").first.wait_for()


def open_undo(page):
    if not page.locator("[data-open=history]").is_visible():
        page.locator("[data-open=menu]").tap()
    page.locator("[data-open=history]").tap()
    page.locator("[data-history] button").last.tap()
    page.locator("dialog[open] [data-back]").wait_for()


def open_menu(page):
    page.locator("[data-open=menu]").tap()
    for drawer in (".my-seat", ".corrections", ".names", ".phones"):
        page.locator(f"dialog[open] {drawer} summary").tap()


def open_hand(page):
    page.locator("[data-open=hand]").tap()
    page.locator("dialog[open] [data-card]").first.wait_for()
    for card in ("5S", "5H", "7C"):
        page.locator(f"dialog[open] [data-card='{card}']").tap()


CONTRASTS = """[...document.querySelectorAll('dialog[open] [aria-pressed=true]')].map(el => {
    const [ink, face] = ['color', 'backgroundColor'].map(each => {
        const parts = getComputedStyle(el)[each].match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
            .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2]; });
    return (Math.max(ink, face) + .05) / (Math.min(ink, face) + .05); })"""
"""The contrast of everything chosen: axe leaves out texts of one character."""
DIALOGS = [open_new_game, open_correction, open_help, open_undo, open_menu, open_hand]


LOOKS = [
    (320, 568, "light"),
    *(pytest.param(each, marks=pytest.mark.long) for each in [(390, 844, "dark"), (1280, 800, "light")]),
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_axe_finds_nothing_in_any_dialog(stage, phones, look):
    width, height, scheme = look
    stage.seat = 0
    stage.played = [{"n": n, "by": "cards", "scores": [0, 0], "say": [f"Move {n}."], "move": {}} for n in (1, 2, 3)]
    stage.show(**SCENES["six-card, the play"])
    phone = phones(width, height, color_scheme=scheme, reduced_motion="reduce")
    phone.take_seat(stage.url)
    page = phone.open(stage.url)
    phone.wait_for_count("[data-open=hand]", 1)
    found = {}
    for open_dialog in DIALOGS:
        open_dialog(page)
        found[open_dialog.__name__] = phone.find_faults()
        assert [each for each in page.evaluate(CONTRASTS) if each < 4.5] == [], open_dialog.__name__
        while page.locator("dialog[open]").count():
            page.locator("dialog[open] [data-close]").last.tap()
    assert found == {each.__name__: [] for each in DIALOGS}
