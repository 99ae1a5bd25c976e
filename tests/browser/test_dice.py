"""Animated dice: until they stop, nothing on the page gives away the result."""

import pytest

from tests.browser.scenes import HIT, scene
from tests.browser.stage import START

STEAL = {"type": "steal", "seat": 0, "base": 2}
ROLL = {"type": "roll", "seat": 0, "dice": [6, 6]}
CALLED = scene("bases", HIT, STEAL)
STOLEN = scene("bases", HIT, STEAL, ROLL, by="buttons") | {"dice": [6, 6]}
UNDO = {"move": {"type": "undo"}, "by": "phone", "awards": [], "said": ["Undone: Red's roll."], "counts": []}
RUN = STOLEN | {"scores": [1, 0]}
PLATE = """[
  ['[data-score]', '.marks'].map(part => document.querySelector("[data-side='0'] " + part).textContent).join(' '),
  document.querySelector('.thrown').getAttribute('aria-label'), document.title,
  document.querySelector('[data-move=next]').checkVisibility(),
]"""
"""Of the side that bats: its score and marks; the dice; the tab; whether the next hand is offered."""
TURN = "document.querySelector('[data-turn]').textContent"
FACTS = "document.querySelector('.facts').textContent.includes('safe on third')"
NAME = "document.querySelector('.thrown')?.getAttribute('aria-label')"
NOTE_ROLLING = f"""() => {{
    window.rolling = [];
    const note = () => {NAME} === "The dice roll."
        && rolling.push([{TURN}, document.querySelector("[data-turn]").dataset.turn, {FACTS}, ...{PLATE}]);
    new MutationObserver(note).observe(document, {{ subtree: true, childList: true, attributes: true }}); }}"""
"""The page notes by itself what it shows while the dice roll, however short that is for a busy machine."""


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_nothing_is_revealed_before_the_dice_stop(stage, phone, path):
    page = phone.open(stage.url + path, stage.show(**CALLED))
    phone.wait_until("document.body.dataset.role", "player")
    page.evaluate(NOTE_ROLLING)
    phone.wait_for_snapshot(stage.show(**RUN))
    phone.wait_until(PLATE, ["1 bats", "The dice show 6 and 6.", "1 – 0 · 'Round the Bases", True])
    seen = ["The dice roll.", "0", False, "0 bats", "The dice roll.", "0 – 0 · 'Round the Bases", False]
    rolling = page.evaluate("rolling")
    assert rolling == [seen] * len(rolling)  # the hook says what has come, and is not held back
    assert rolling
    assert (page.evaluate(TURN), page.evaluate(FACTS)) == ("Red bats next.", True)
    assert phone.complaints == []


def test_who_wants_no_motion_sees_the_run_at_once(stage, phones):
    phone = phones(reduced_motion="reduce")
    page = phone.open(stage.url, stage.show(**CALLED))
    phone.wait_until("document.body.dataset.role", "player")
    phone.wait_for_snapshot(stage.show(**RUN))
    assert page.evaluate(PLATE) == ["1 bats", "The dice show 6 and 6.", "1 – 0 · 'Round the Bases", True]


def test_typed_dice_are_announced_at_once(stage, phone):
    stage.show(**CALLED)
    page = phone.open(stage.url, stage.show(**scene("bases", HIT, STEAL, ROLL), dice=[6, 6]))
    assert page.evaluate(TURN) == "Red bats next."


def test_a_roll_undone_is_not_waited_for_and_one_seen_before_lies_still(stage, phone):
    stage.show(**CALLED)
    page = phone.open(stage.url, stage.show(**STOLEN))
    undone = CALLED | {"moves": 99, "last": UNDO}
    phone.wait_for_snapshot(stage.show(**undone))
    assert page.evaluate(TURN) == "Red rolls: a 6 steals third."
    phone.wait_for_snapshot(stage.show(**STOLEN))
    page.reload()
    phone.wait_until(TURN, "Red bats next.")
    phone.wait_until(NAME, "The dice show 6 and 6.")


def test_the_board_shows_the_pegs_of_the_bases_where_they_are_known_to_stand(stage, phone):
    moved = [m for m in CALLED["markers"] if m["hole"] != "bases-12"] + [{"hole": "bases-13", "seat": None}]
    page = phone.open(stage.url, stage.show(**CALLED | {"markers": moved}))
    phone.wait_for_count(".board .peg", 16)
    places = page.locator(".board .peg").evaluate_all("all => all.map(el => el.style.transform)")
    holes = [page.locator(f"[data-hole='{hole}']") for hole in ("bases-13", "bases-12")]
    at = [f"translate({hole.get_attribute('cx')}px, {hole.get_attribute('cy')}px)" for hole in holes]
    assert [place in places for place in at] == [True, False]


def buttons(url):
    return {"devices": START["devices"] | {"buttons": {"url": url, "ok": True, "say": ""}}}


PRESS, ROLL_ONE = "Press the dice button, or tap what your die shows:", "Roll your die and tap the number."
PLACES = [
    ({}, PRESS), (buttons("gpio:dice=17,undo=27"), PRESS), (buttons("node:"), PRESS),
    (buttons("none:"), ROLL_ONE), (buttons("gpio:undo=27"), ROLL_ONE), ({"pegs": "plain"}, ROLL_ONE),
]  # fmt: skip


@pytest.mark.parametrize(("place", "sentence"), PLACES)
def test_only_a_dice_button_that_exists_is_named(stage, phone, place, sentence):
    rolls = scene("bases", dealer=None)
    changes = {name: value for name, value in place.items() if name != "pegs"}
    phone.open(stage.url, stage.show(**rolls | {"game": rolls["game"] | {"pegs": place.get("pegs", "read")}} | changes))
    phone.wait_for_text(".dice p", sentence)


def test_two_dice_without_a_button_are_two_numbers(stage, phone):
    phone.open(stage.url, stage.show(**CALLED | buttons("none:")))
    phone.wait_for_text(".dice p", "Roll your two dice and tap the numbers.")
