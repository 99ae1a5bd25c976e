"""The components of a page are independent: an error in one does not stop the others."""

import pytest

from tests.browser.scenes import HIT, SCENES, scene

NOTICE = {"id": 1, "kind": "refused", "from": "cards", "say": "The reader sent ZZ, which is not a card of this deck."}
STEAL = {"type": "steal", "seat": 0, "base": 2}
ROLL = {"type": "roll", "seat": 0, "dice": [6, 6]}


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_a_part_that_throws_stops_no_other_and_is_reported_once(stage, phone, path):
    phone.open(stage.url + path, stage.show(notices=[NOTICE]))
    for score in (7, 9):
        phone.wait_for_snapshot(
            stage.show(scores=[score, 0], notices=[None], phase="play", turn=1, starter="5D", count=29)
        )
    assert phone.visible_texts("[data-side='0'] [data-score], [data-turn], [data-count]") == [
        "9",
        "Blue to play, or go.",
        "29",
    ]
    assert phone.visible_texts("[data-move=go]") == ["Blue: go"]  # mounted after the part that throws
    assert phone.visible_texts("[data-notice]") == [NOTICE["say"]]  # what it drew before stays
    assert len(phone.complaints) == 1


def test_of_a_games_panel_one_part_that_throws_stops_no_other(stage, phone):
    phone.open(stage.url, stage.show(**SCENES["swap, chips to take"] | {"display": None}))
    assert phone.page.locator(".chips [data-chip], .chips .marker").count() > 0
    assert phone.page.locator(".stones td").count() > 0
    assert len(phone.complaints) > 0


def test_a_part_that_throws_when_the_dice_stop_stops_no_other(stage, phone):
    phone.open(stage.url, stage.show(**scene("bases", HIT, STEAL)))
    rolled = scene("bases", HIT, STEAL, ROLL, by="buttons") | {"dice": [6, 6], "plays": None}
    phone.wait_for_snapshot(stage.show(**rolled | {"scores": [1, 0]}))
    phone.wait_for_text("[data-turn]", "Red bats next.")
    assert phone.visible_texts("[data-side='0'] [data-score], [data-move=next]") == ["1", "Next hand"]
    assert len(phone.complaints) > 0


HEARD = "[aria-live], [role=status], [role=alert]"
LISTEN = f"""() => {{ window.heard = [];
  const tell = (records) => window.heard.push(...records.flatMap(({{type, addedNodes}}) =>
    addedNodes.length ? [...addedNodes].map((node) => node.textContent.trim()).filter(Boolean) : [type]));
  for (const each of document.querySelectorAll('{HEARD}'))
    new MutationObserver(tell).observe(each, {{childList: true, characterData: true, subtree: true}}); }}"""
TOLD = "(() => { const told = window.heard; window.heard = []; return told; })()"
FORWARD = [{"kind": "peg_forward", "seat": seat, "say": f"{who}: back peg to {to}.", "place": f"{who.lower()}-{to}"}
           for seat, who, to in ((0, "Red", 2), (1, "Blue", 6))]  # fmt: skip
DUES = [{"seat": seat, "points": to, "lift": f"{who}-start-2", "place": f"{who}-{to}"}
        for seat, who, to in ((0, "red", 2), (1, "blue", 6))]  # fmt: skip
OVER = {"kind": "over_pegged", "seat": 1, "by": 1, "hole": "blue-7", "say": "Blue pegged 7, the count is 6."}


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_who_hears_the_page_hears_nothing_twice(stage, phone, path):
    phone.open(stage.url + path)
    phone.wait_until("document.body.dataset.role", "player")
    asked = {"why": "Where is it?", "choices": [{"say": "Undo.", "move": {"type": "undo"}}]}
    pegs = {"dues": DUES, "advice": [*FORWARD, OVER], "notices": [NOTICE], "question": asked}
    for name, changes in (SCENES | {"pegs": pegs}).items():
        phone.wait_for_snapshot(stage.show(**changes))
        phone.page.evaluate(LISTEN)
        phone.wait_for_snapshot(stage.show(**changes))
        assert (name, phone.page.evaluate(TOLD)) == (name, [])


def test_who_hears_the_page_hears_only_what_is_new(stage, phone):
    phone.open(stage.url, stage.show(dues=DUES[:1], advice=FORWARD[:1]))
    phone.page.evaluate(LISTEN)
    phone.page.evaluate("window.red = document.querySelector('[data-due]')")
    phone.wait_for_snapshot(stage.show(dues=DUES, advice=[*FORWARD, OVER]))
    assert phone.page.evaluate(TOLD) == [OVER["say"], "+6Blue: back peg to 6."]
    assert phone.page.evaluate("document.querySelector('[data-due]') === window.red")
    assert len(phone.visible_texts("[data-due], [data-kind=over_pegged]")) == 3
    phone.wait_for_snapshot(stage.show(dues=DUES[1:], advice=FORWARD[1:]))
    assert phone.visible_texts("[data-due]") == ["+6\nBlue: back peg to 6."]
