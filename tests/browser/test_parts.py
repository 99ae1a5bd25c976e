"""The parts of a page: each stands for itself, and where one fails the others go on."""

import pytest
from browser.scenes import HIT, SCENES, scene

pytestmark = pytest.mark.browser

NOTICE = {"id": 1, "kind": "refused", "from": "cards", "say": "The code ZZ is no card of this deck."}
STEAL = {"type": "steal", "seat": 0, "base": 2}
ROLL = {"type": "roll", "seat": 0, "dice": [6, 6]}


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_a_part_that_throws_stops_no_other_and_is_told_once(stage, phone, path):
    phone.open(stage.url + path)
    phone.draws(stage.show(notices=[NOTICE]))
    for score in (7, 9):
        phone.draws(stage.show(scores=[score, 0], notices=[None], phase="play", turn=1, starter="5D", count=9))
    assert phone.shown("[data-side='0'] [data-score], [data-turn], [data-count]") == ["9", "Blue to play.", "9"]
    assert phone.shown("[data-move=go]") == ["Blue: go"]  # mounted after the part that throws
    assert phone.shown("[data-notice]") == [NOTICE["say"]]  # what it drew before stays
    assert len(phone.complaints) == 1


def test_of_a_games_panel_one_part_that_throws_stops_no_other(stage, phone):
    phone.open(stage.url)
    phone.draws(stage.show(**SCENES["swap, chips to take"] | {"display": None}))
    assert phone.page.locator(".chips [data-chip], .chips .marker").count() > 0
    assert phone.page.locator(".stones td").count() > 0
    assert len(phone.complaints) > 0


def test_a_part_that_throws_when_the_dice_stop_stops_no_other(stage, phone):
    stage.show(**scene("bases", HIT, STEAL))
    phone.open(stage.url)
    rolled = scene("bases", HIT, STEAL, ROLL, by="buttons") | {"dice": [6, 6], "plays": None}
    phone.draws(stage.show(**rolled | {"scores": [1, 0]}))
    phone.until("document.querySelector('[data-turn]').textContent", "Red bats next.")
    assert phone.shown("[data-side='0'] [data-score], [data-move=next]") == ["1", "Next hand"]
    assert len(phone.complaints) > 0
