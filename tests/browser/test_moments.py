"""Every scene of every game: visible, with large enough tap targets, and playable by taps alone."""

import pytest

from companion.common.paths import resource_folder
from tests.browser.conftest import AXE, SMALL
from tests.browser.scenes import SCENES

UNFOLD = """for (const each of document.querySelectorAll('details')) each.open = true;
    document.querySelector('[data-open=cards][aria-expanded=false]:not([hidden])')?.click()"""
# Board and deck are every game's: test_looks.py has axe look at them, and it takes its time for each hole and card.
# So are the parts below it, after the first moment. By night nothing but the colours is another.
GRAVE = """async ({dark, known}) => (await axe.run({exclude: [['.board'], ['#pad'],
    ...(known ? [['.corrections'], ['.devices'], ['.seats'], ['.top']] : [])]},
    {resultTypes: ['violations'], ...(dark && {runOnly: ['color-contrast']})})).violations
    .filter(each => ['serious', 'critical'].includes(each.impact))
    .map(each => each.id + ': ' + each.nodes.map(node => node.target + ' ' + node.failureSummary).join(' | '))"""
WIDTH = "document.documentElement.scrollWidth"
CUT_OFF = """[...document.querySelectorAll('.plate .face, .plate .score, .plate .marks')]
    .filter(el => el.scrollWidth > el.clientWidth).map(el => el.textContent)"""
ENDLESS = "document.getAnimations().filter(each => each.effect.getComputedTiming().endTime === Infinity).length"
TOUCHED = """[...document.querySelectorAll('button')]
    .filter(el => !el.matches('[data-view], [data-taste], [data-sound], [data-share]'))
    .filter(el => !['history', 'help', 'menu'].includes(el.dataset.open))
    .filter(el => el.checkVisibility() && !el.disabled).map(el => el.outerHTML)"""


def moments(stage, phone, path="/"):
    """Each scene, drawn."""
    phone.open(stage.url + path)
    for name, changes in SCENES.items():
        snapshot = stage.show(**changes)
        phone.wait_for_snapshot(snapshot)
        phone.wait_until("document.body.dataset.role", stage.role)
        yield name, snapshot


def test_score_turn_and_undo_are_there_in_every_moment_of_every_game(stage, phone):
    for name, snapshot in moments(stage, phone):
        body = phone.page.evaluate("({...document.body.dataset})")
        assert (body["phase"], body["run"], body["link"]) == (snapshot["phase"], snapshot["run"], "live"), name
        sides = phone.page.locator("[data-side]").evaluate_all("all => all.map(el => el.dataset.side)")
        assert sides == [str(side) for side in range(snapshot["game"]["sides"])], name
        assert phone.page.locator("[data-side] [data-score]").all_text_contents() == [
            str(n) for n in snapshot["scores"]
        ]
        turn = "" if snapshot["turn"] is None else str(snapshot["turn"])
        assert phone.page.locator("[data-turn]").get_attribute("data-turn") == turn, name
        assert len(phone.visible_texts("[data-move=undo]")) == 1, name
        for seen in phone.page.locator("[data-score], [data-turn], [data-move=undo]").all():
            box = seen.bounding_box()
            assert box["y"] >= 0, name
            assert box["y"] + box["height"] <= 568, name
    assert phone.complaints == []


def test_who_plays_from_the_keyboard_keeps_the_place(stage, phone):
    page = phone.open(stage.url, stage.show(**SCENES["swap, an exchange"]))
    phone.wait_until("document.body.dataset.role", "player")
    page.locator("[data-cell='0,0']").focus()
    page.keyboard.press("Enter")
    phone.wait_until("document.activeElement.matches('[data-cell=\"0,0\"][aria-pressed=true]')", True)


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_taps_are_large_and_nothing_is_cut_off_on_the_smallest_phone(stage, phone, path):
    for name, _ in moments(stage, phone, path):
        phone.page.evaluate(UNFOLD)
        assert (name, phone.page.evaluate(SMALL)) == (name, [])
        assert (name, phone.page.evaluate(CUT_OFF)) == (name, [])
        assert (name, phone.page.evaluate(WIDTH) <= 320) == (name, True)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_serious_in_any_game(stage, phones, scheme):
    phone = phones(390, 844, color_scheme=scheme, reduced_motion="reduce")
    for number, (name, _) in enumerate(moments(stage, phone)):
        if number == 0:
            phone.page.evaluate(AXE.read_text(encoding="utf-8"))
        phone.page.evaluate(UNFOLD)
        assert (name, phone.page.evaluate(GRAVE, {"dark": scheme == "dark", "known": number > 0})) == (name, [])
        assert (name, phone.page.evaluate(ENDLESS)) == (name, 0)


def test_a_watcher_can_touch_nothing_in_any_game(stage, phone):
    stage.role = "watcher"
    for name, _ in moments(stage, phone):
        assert (name, phone.page.evaluate(TOUCHED)) == (name, [])


def test_a_board_with_a_display_shows_the_markers_on_it(stage, phone, tmp_path):
    own = tmp_path / "own.toml"
    shipped = resource_folder("hardware/boards") / "classic-61.toml"
    own.write_text(f"{shipped.read_text('utf-8')}\n[display]\ncentre = [60, 150]\npitch = 9\n", encoding="utf-8")
    phone.open(stage.url, stage.show(**SCENES["swap, chips to take"] | {"board": str(own)}))
    phone.wait_for_count(".light", 25)
    colours = phone.page.locator(".light").evaluate_all("all => all.map(el => el.getAttribute('class').split(' ')[1])")
    assert colours[:6] == ["red", "yellow", "green", "blue", "brown", "green"]
