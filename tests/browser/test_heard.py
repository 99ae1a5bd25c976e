"""What is heard and typed: a deal by keyboard alone, announcements, and parts that fail without stopping others."""

from itertools import pairwise, product

import pytest

from tests.browser.scenes import HIT, SCENES, scene
from tests.browser.test_looks import FULL, UNFOLD

HERE = """() => { const el = document.activeElement, box = el.getBoundingClientRect();
  const column = el.closest('.status-column, .content-column, .top')?.getBoundingClientRect();
  return {name: el.tagName + ' ' + (el.getAttribute('aria-label') ?? el.textContent).trim().slice(0, 40),
    column: innerWidth < 960 ? 0 : column?.left, left: box.left, right: box.right,
    top: box.top + scrollY, bottom: box.bottom + scrollY, seen: seen.has(el) || !seen.add(el)}; }"""
LYING = """for (const each of document.querySelectorAll('*'))
  if (getComputedStyle(each).position === 'sticky' || each.id === 'pad')
    Object.assign(each.style, {position: 'static', maxHeight: 'none', overflow: 'visible'})"""
"""What sticks to the edge of the screen lies where it belongs, so that places can be compared."""
OFTEN = {
    ("six-card", "/", 320), ("pegs only", "/", 320), ("six-card", "/bench", 1280), ("swap, an exchange", "/", 1280),
}  # fmt: skip
VIEWS = [
    pytest.param(*view, marks=[] if view in OFTEN else pytest.mark.long)
    for view in product(("six-card", "pegs only", "swap, an exchange"), ("/", "/bench"), (320, 1280))
]


def after(one, other):
    """Whether one element follows another in reading order: by column, then by line, then along the line."""
    if one["column"] != other["column"]:
        return one["column"] < other["column"]
    same_line = other["top"] < one["bottom"] - 1 and one["top"] < other["bottom"] - 1
    return one["left"] < other["left"] if same_line else one["top"] < other["top"]


@pytest.mark.parametrize(("moment", "path", "width"), VIEWS)
def test_tab_goes_where_the_eye_goes(stage, phones, path, width, moment):
    phone = phones(width, 800)
    phone.open(stage.url + path, stage.show(**(FULL if moment == "six-card" else SCENES[moment])))
    phone.page.evaluate(UNFOLD)
    phone.page.evaluate(LYING)
    phone.page.evaluate("window.seen = new Set([document.body]); document.activeElement.blur()")
    walked = []
    phone.page.keyboard.press("Tab")
    while not (at := phone.page.evaluate(HERE))["seen"]:
        walked.append(at)
        phone.page.keyboard.press("Tab")
    assert len(walked) > 15
    back = [(one["name"], other["name"]) for one, other in pairwise(walked) if not after(one, other)]
    assert back == []


PLAIN = [flag for device in ("sensors", "lights", "cards", "buttons") for flag in (f"--{device}", "none:")]
DEAL = ["5D", "5H", "TH", "5S", "KS", "AD", "4C", "7C", "6S", "2H", "3H", "9C", "QD"]
TOLD = """\
- group "Red":
  - text: Red 16 6 ahead
  - progressbar "Red's progress"
- group "Blue":
  - text: Blue 10 deals
  - progressbar "Blue's progress"
- status: Blue deals next.
- region "The last count":
  - paragraph: "Red's crib: fifteen two, fifteen four."
  - img "2 of hearts": "2"
  - img "3 of hearts": "3"
  - img "queen of diamonds": Q
  - img "5 of diamonds": "5"
  - text: "+4"
- region "The play":
  - heading "The cards" [level=2]
  - button "Correct the 5 of diamonds"
  - text: starter Red
  - button "Correct the 10 of hearts"
  - button "Correct the king of spades"
  - button "Correct the 4 of clubs"
  - button "Correct the 6 of spades"
  - text: Blue
  - button "Correct the 5 of hearts"
  - button "Correct the 5 of spades"
  - button "Correct the ace of diamonds"
  - button "Correct the 7 of clubs"
  - group "Crib":
    - text: Crib
    - button "Correct the 2 of hearts"
    - button "Correct the 3 of hearts"
    - button "Correct the 9 of clubs"
    - button "Correct the queen of diamonds"
- group: Where the pegs stand
- group "Moves":
  - button "Undo"
  - button "Next hand"
"""
"""What a screen reader has of the table after that deal, in the order in which it reads."""


def test_a_deal_by_keyboard_alone_and_its_announcements(programs, phones):
    """Cards are typed; Tab reaches *Next hand*, and Enter presses it."""
    program, phone = programs(*PLAIN), phones(1280, 800)
    page = phone.open(program.players)
    for card in DEAL:
        before = page.evaluate("document.body.dataset.snapshot")
        phone.type_keys(card.replace("T", "10").lower())
        phone.wait_until(f"document.body.dataset.snapshot !== '{before}'", True)
    phone.wait_until("document.body.dataset.phase", "between")

    assert page.locator("main .status-column").aria_snapshot() == TOLD.strip()
    while page.evaluate("document.activeElement.dataset.move") != "next":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    phone.wait_until("document.body.dataset.phase", "cut")
    assert phone.visible_texts("[data-turn]") == [
        "Blue deals. Two cards each to the crib, then cut and enter the starter."
    ]
    assert phone.complaints == []


NOTICE = {"id": 1, "kind": "refused", "from": "cards", "say": "The reader sent ZZ, which is not a card of this deck."}
STEAL = {"type": "steal", "seat": 0, "base": 2}
ROLL = {"type": "roll", "seat": 0, "dice": [6, 6]}


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_part_that_throws_is_reported_once(stage, phone, path):
    phone.open(stage.url + path, stage.show(notices=[NOTICE]))
    for score in (7, 9):
        phone.wait_for_snapshot(
            stage.show(scores=[score, 0], notices=[None], phase="play", turn=1, starter="5D", count=29)
        )
    assert phone.visible_texts("[data-side='0'] [data-score], [data-turn], [data-count]") == [
        "9",
        "Blue: play a card or say go.",
        "29",
    ]
    assert phone.visible_texts("[data-move=go]") == ["Blue: go"]  # mounted after the part that throws
    assert phone.visible_texts("[data-notice]") == [NOTICE["say"]]  # what it drew before stays
    assert len(phone.complaints) == 1


def test_panel_part_that_throws_stops_no_other(stage, phone):
    phone.open(stage.url, stage.show(**SCENES["swap, chips to take"] | {"display": None}))
    assert phone.page.locator(".chips [data-chip], .chips .marker").count() > 0
    assert phone.page.locator(".stones td").count() > 0
    assert len(phone.complaints) > 0


def test_part_that_throws_after_dice_stops_none(stage, phone):
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
PARTS_TOLD = "(() => { const told = window.heard; window.heard = []; return told; })()"
FORWARD = [{"kind": "peg_forward", "seat": seat, "say": f"{who}: back peg to {to}.", "place": f"{who.lower()}-{to}"}
           for seat, who, to in ((0, "Red", 2), (1, "Blue", 6))]  # fmt: skip
DUES = [{"seat": seat, "points": to, "lift": f"{who}-start-2", "place": f"{who}-{to}"}
        for seat, who, to in ((0, "red", 2), (1, "blue", 6))]  # fmt: skip
OVER = {"kind": "over_pegged", "seat": 1, "by": 1, "hole": "blue-7", "say": "Blue pegged 7, the count is 6."}


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_who_hears_the_page_hears_nothing_twice(stage, phone, path):
    phone.open(stage.url + path)
    asked = {"why": "Where is it?", "choices": [{"say": "Undo.", "move": {"type": "undo"}}]}
    pegs = {"dues": DUES, "advice": [*FORWARD, OVER], "notices": [NOTICE], "question": asked}
    for name, changes in (SCENES | {"pegs": pegs}).items():
        phone.wait_for_snapshot(stage.show(**changes))
        phone.page.evaluate(LISTEN)
        phone.wait_for_snapshot(stage.show(**changes))
        assert (name, phone.page.evaluate(PARTS_TOLD)) == (name, [])


def test_only_what_is_new_is_heard(stage, phone):
    phone.open(stage.url, stage.show(dues=DUES[:1], advice=FORWARD[:1]))
    phone.page.evaluate(LISTEN)
    phone.page.evaluate("window.red = document.querySelector('[data-due]')")
    phone.wait_for_snapshot(stage.show(dues=DUES, advice=[*FORWARD, OVER]))
    assert phone.page.evaluate(PARTS_TOLD) == [OVER["say"], "+6Blue: back peg to 6."]
    assert phone.page.evaluate("document.querySelector('[data-due]') === window.red")
    assert len(phone.visible_texts("[data-due], [data-kind=over_pegged]")) == 3
    phone.wait_for_snapshot(stage.show(dues=DUES[1:], advice=FORWARD[1:]))
    assert phone.visible_texts("[data-due]") == ["+6\nBlue: back peg to 6."]
