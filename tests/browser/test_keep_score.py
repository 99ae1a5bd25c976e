"""Score only on a plain board: the phone only keeps the score, so its keys must never move under the finger."""

import pytest

from tests.browser.conftest import SMALL
from tests.browser.scenes import SCENES, scene
from tests.browser.test_card_drawer import FREE

PLACES = """[...document.querySelectorAll('.points, .points [data-move=peg]')].map(each => each.matches('.points')
    ? each.getBoundingClientRect().top : [each.offsetLeft, each.offsetTop]).join(' ')"""
"""Where the keys stand on the screen; a pressed key gives way by a pixel, which does not count."""
LAST_KEY = "[...document.querySelectorAll('[data-more]')].at(-1).getBoundingClientRect().bottom"
HEIGHT = "document.querySelector('[data-part=said]').clientHeight"


def kept(*moves, pegs="plain", **changes):
    """Return the scene of a game whose score is kept by phone."""
    shown = scene("pegs-only", *moves)
    return shown | {"game": shown["game"] | {"pegs": pegs}} | changes


def peg(seat, points):
    return {"type": "peg", "seat": seat, "points": points}


def undone(*moves):
    """Return the scene after the last of these moves was undone."""
    before, after = kept(*moves[:-1]), kept(*moves)
    said = ["Undone: Red's 24 points, in a sentence that needs two lines."]
    last = {"move": {"type": "undo"}, "by": "phone", "awards": [], "said": said, "counts": before["last"]["counts"]}
    return before | {"moves": after["moves"] + 1, "last": last}


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (1280, 800)])
def test_the_keys_never_move(stage, phones, width, height):
    phone = phones(width, height)
    page = phone.open(stage.url, stage.show(**kept()))
    places, said = page.evaluate(PLACES), page.evaluate(HEIGHT)
    for shown in (kept(peg(0, 24)), kept(peg(0, 24), peg(1, 8)), undone(peg(0, 6), peg(0, 24)), kept(peg(0, 6))):
        phone.wait_for_snapshot(stage.show(**shown))
        assert page.evaluate(PLACES) == places
        assert page.evaluate(HEIGHT) == said  # nor does the board below
    if width < 736:
        page.locator("[data-view]").tap()
        phone.wait_until("document.querySelector('[data-view]').getAttribute('aria-pressed')", "true")
        assert page.evaluate(PLACES) == places


def test_all_keys_stand_above_the_bar(stage, phones):
    phone = phones(390, 844)
    for shown in (kept(peg(0, 24)), SCENES["counting, a hand"]):
        page = phone.open(stage.url, stage.show(**shown))
        assert page.evaluate(LAST_KEY) < page.locator("[data-part=bar]").bounding_box()["y"]
        assert phone.find_faults() == []


def test_score_and_keys_fit_the_smallest_phone(stage, phones):
    phone = phones(320, 568)
    stage.show(**kept(peg(0, 24)))
    page = phone.open(stage.url)
    page.evaluate("scrollTo(0, document.querySelector('.top').getBoundingClientRect().height + 20)")
    assert set(page.evaluate(FREE, "[data-move=peg], [data-score]")) == {True}
    assert page.evaluate(SMALL) == []


def test_layout_changes_when_board_is_not_read(stage, phone):
    stage.show(**kept(peg(0, 24), pegs="read"))
    page = phone.open(stage.url)
    above = "selector => document.querySelector(selector).compareDocumentPosition(document.querySelector('.pads')) & 4"
    assert page.evaluate(above, "[data-part=said]")
    assert page.evaluate(above, "[data-part=board]")
    assert page.locator(".after-hand").count() == 0
    phone.wait_for_snapshot(stage.show(**kept(peg(0, 24), moves=2)))
    assert page.locator(".foot .pads").count() == 1


def test_pegs_text_unfolds_and_stays_so(stage, phone):
    page = phone.open(stage.url, stage.show(**kept()))
    page.locator(".after-hand summary").tap()
    for move in (peg(0, 24), peg(0, 2)):
        phone.wait_for_snapshot(stage.show(**kept(peg(0, 24), move)))
    assert phone.visible_texts(".after-hand li")[0] == "Red: front peg in 26, back peg at the start."
    assert "Score after this hand" not in page.inner_text(".after-hand")


def test_where_the_pegs_stand_unfolds_above_the_bar(stage, phones):
    stage.show(**kept(peg(0, 24)))
    phone = phones(390, 844)
    page = phone.open(stage.url)
    page.locator(".after-hand summary").tap()
    page.locator(".after-hand li").last.wait_for()
    bottom = "document.querySelector('.after-hand').getBoundingClientRect().bottom"
    phone.wait_until(f"{bottom} <= document.querySelector('.foot').getBoundingClientRect().top", True)


def test_keys_give_way_to_the_result(stage, phones):
    phone = phones(390, 844)
    stage.show(**kept(peg(0, 29)))
    page = phone.open(stage.url)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone.wait_for_snapshot(stage.show(**kept(peg(0, 29), peg(0, 29), peg(0, 29), peg(0, 29), peg(0, 29))))
    phone.wait_until("document.querySelector('.game-end .race') !== null", True)
    assert set(page.evaluate(FREE, ".game-end .main, .turn")) == {True}
    assert page.locator("[data-move=peg]").count() == 0


def test_simulated_devices_are_hidden_beside_plain_board(stage, phone):
    shown = stage.show(**kept())
    page = phone.open(stage.url)
    lines = page.locator("[data-device]")
    assert [each.get_attribute("data-ok") for each in lines.all()] == ["true"] * 4
    assert phone.visible_texts("[data-device]") == []
    phone.wait_for_snapshot(stage.show(**kept(pegs="read")))
    assert len(phone.visible_texts("[data-device]")) == 4
    real = shown["devices"] | {"buttons": {"url": "gpio:", "ok": True, "say": ""}}
    phone.wait_for_snapshot(stage.show(**kept(devices=real)))
    assert len(phone.visible_texts("[data-device]")) == 4
    broken = shown["devices"] | {"cards": {"url": "sim:", "ok": False, "say": "The cable is out."}}
    phone.wait_for_snapshot(stage.show(**kept(devices=broken)))
    assert len(phone.visible_texts("[data-device]")) == 4


def test_in_german_too_nothing_moves(programs, phones):
    program = programs()
    phone = phones(390, 844)
    phone.page.context.add_cookies([{"name": "companion_language", "value": "de", "url": program.watchers}])
    page = phone.open(program.players)
    page.locator(".first-choice [data-way=pegs-only]").tap()
    page.locator("dialog [data-name='0']").fill("Ann")
    phone.wait_for_text("dialog [data-start]", "Spiel starten")
    page.locator("dialog [data-start]").tap()
    phone.wait_for_count("[data-move=peg]", 12)
    phone.wait_for_count("dialog[open]", 0)
    phone.wait_until("document.querySelector('.first-choice').hidden", True)
    places = page.evaluate(PLACES)
    phone.tap("[data-more][data-seat='0']", "[data-move=peg][data-seat='0'][data-points='24']")
    phone.wait_for_text("[data-score]", "24")
    assert page.evaluate(PLACES) == places
    page.locator("[data-move=undo]").tap()
    phone.wait_until("document.querySelector('.last-score').textContent.trim()", "Zurückgenommen: 24 Punkte von Ann.")
    assert page.evaluate(PLACES) == places
