"""The bench under a finger: drag, the due tapped, a hand that slips, cards typed, a cable that is out."""

import pytest
from browser.scenes import SCENES
from browser.test_controls import posted

pytestmark = pytest.mark.browser

DUE = {"seat": 0, "points": 2, "lift": "red-start-1", "place": "red-2"}
HELD = ["red-start-1", "red-start-2", "blue-start-1", "blue-start-2"]


@pytest.fixture
def bench(stage, phone):
    stage.occupied = set(HELD)
    stage.show(**SCENES["six-card, the play"] | {"dues": [DUE], "pegs": stage.snapshot["pegs"]})
    page = phone.open(stage.url + "/bench")
    phone.until("document.querySelectorAll('.pegs .peg').length", 4)
    phone.until("document.body.dataset.role", "player")
    return page


def middle(page, hole):
    page.locator(f"[data-hole='{hole}']").scroll_into_view_if_needed()
    box = page.locator(f"[data-hole='{hole}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_tap_on_the_dues_own_hole_brings_its_peg_there(bench, stage, phone):
    bench.locator("[data-hole=red-2]").click(force=True)
    assert posted(stage, phone, 2) == [("holes", {"lift": "red-start-1"}), ("holes", {"place": "red-2"})]


def test_a_peg_is_dragged_from_hole_to_hole(bench, stage, phone):
    end = middle(bench, "red-5")
    start = middle(bench, "red-start-1")
    bench.mouse.move(*start)
    bench.mouse.down()
    bench.mouse.move(*end)
    bench.mouse.up()
    assert posted(stage, phone, 2) == [("holes", {"lift": "red-start-1"}), ("holes", {"place": "red-5"})]


def test_a_hand_that_slips_sets_the_peg_down_beside(bench, stage, phone):
    bench.locator("[data-slips]").tap()
    bench.locator("[data-hole=red-start-1]").click(force=True)
    bench.locator("[data-hole=red-7]").click(force=True)
    (_, lifted), (_, placed) = posted(stage, phone, 2)
    assert lifted == {"lift": "red-start-1"}
    assert placed["place"] in ("red-6", "red-8")


def test_near_the_pegs_the_holes_are_larger(bench, phone):
    wide = "document.querySelector('[data-hole=red-2]').getBoundingClientRect().width"
    before = bench.evaluate(wide)
    bench.locator("[data-near]").tap()
    phone.until(f"{wide} > {1.5 * before}", True)


@pytest.mark.parametrize(
    ("path", "sent"), [("/bench", ("scan", {"card": "TD"})), ("/", ("moves", {"type": "card", "card": "TD"}))]
)
def test_a_card_is_typed(stage, phone, path, sent):
    stage.show(**SCENES["six-card, the play"])
    page = phone.open(stage.url + path)
    phone.until("document.body.dataset.role", "player")
    page.keyboard.type("x10d")
    assert posted(stage, phone) == [sent]


def test_a_cable_that_is_out_is_told_where_the_card_was_tapped(bench, stage, phone):
    lost = {"url": "sim:", "ok": False, "say": "The card reader's cable is out."}
    phone.draws(stage.show(**SCENES["six-card, the play"] | {"devices": stage.snapshot["devices"] | {"cards": lost}}))
    bench.locator("[data-card='9C']").tap()
    told = bench.get_by_text("The reader's cable is out: it did not see that card.")
    told.wait_for()
    pad = bench.locator("[data-part=deck]").bounding_box()
    assert 0 <= pad["y"] - told.bounding_box()["y"] < 100
    phone.draws(stage.show(**SCENES["six-card, the play"]))
    assert not told.is_visible()


def test_dice_and_their_button_are_in_one_view(stage, phones):
    stage.show(**SCENES["bases, dice are due"])
    phone = phones(800, 1000)
    page = phone.open(stage.url + "/bench")
    phone.until("document.querySelectorAll('[data-press=dice]').length", 1)
    for selector in ("[data-press=dice]", "[data-face='6']"):
        box = page.locator(selector).bounding_box()
        assert box["y"] + box["height"] < 1000, selector
