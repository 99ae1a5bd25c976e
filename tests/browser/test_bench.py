"""The bench by touch and keyboard: dragging, tapping a due, missing a hole, typed cards, pulled cables."""

import pytest

from tests.browser.scenes import HIT, SCENES, scene
from tests.browser.stage import START
from tests.browser.test_controls import posted
from tests.browser.test_table import NOW

DUE = {"seat": 0, "points": 2, "lift": "red-start-1", "place": "red-2"}
HELD = ["red-start-1", "red-start-2", "blue-start-1", "blue-start-2"]

MOVES = f"{NOW}.then(now => now.moves)"


@pytest.fixture
def bench(stage, phone):
    stage.occupied_holes = set(HELD)
    page = phone.open(
        stage.url + "/bench",
        stage.show(**SCENES["six-card, the play"] | {"dues": [DUE], "pegs": stage.snapshot["pegs"]}),
    )
    phone.wait_for_count(".pegs .peg", 4)
    phone.wait_until("document.body.dataset.role", "player")
    return page


def middle(page, hole):
    page.locator(f"[data-hole='{hole}']").scroll_into_view_if_needed()
    box = page.locator(f"[data-hole='{hole}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_tap_on_due_hole_brings_its_peg(bench, stage, phone):
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


def test_finger_drags_pegs_and_scrolls_beside_them(bench, stage, phone):
    start, end = middle(bench, "red-start-1"), middle(bench, "red-5")
    finger = bench.context.new_cdp_session(bench)

    def swiped(start, end):
        at = [
            {"x": start[0] + (end[0] - start[0]) * i / 4, "y": start[1] + (end[1] - start[1]) * i / 4} for i in range(5)
        ]
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at[:1]})
        for point in at[1:]:
            finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swiped(start, end)
    assert posted(stage, phone, 2) == [("holes", {"lift": "red-start-1"}), ("holes", {"place": "red-5"})]
    before = bench.evaluate("scrollY")
    swiped((160, 300), (160, 100))
    phone.wait_until(f"scrollY > {before}", True)
    assert len(stage.posts) == 2


def test_hand_that_slips_misses_by_one_hole(bench, stage, phone):
    phone.tap(".mishaps summary", "[data-slips]")
    bench.locator("[data-hole=red-start-1]").click(force=True)
    bench.locator("[data-hole=red-7]").click(force=True)
    (_, lifted), (_, placed) = posted(stage, phone, 2)
    assert lifted == {"lift": "red-start-1"}
    assert placed["place"] in ("red-6", "red-8")


def test_late_holes_do_not_put_peg_back(bench, stage, phone):
    bench.evaluate("""() => { const fetched = window.fetch; window.late = [];
      window.fetch = async (...request) => { const answer = await fetched(...request);
        if (request[0] === '/api/bench/holes' && !request[1]?.method) await new Promise(answer => late.push(answer));
        return answer; }; }""")
    phone.wait_until("late.length", 1)
    bench.locator("[data-hole=red-start-1]").click(force=True)
    assert posted(stage, phone) == [("holes", {"lift": "red-start-1"})]
    bench.evaluate("late[0]()")
    phone.wait_until("late.length", 2)
    bench.locator("[data-hole=red-7]").click(force=True)
    assert posted(stage, phone, 2)[1] == ("holes", {"place": "red-7"})


def test_near_the_pegs_the_holes_are_larger(bench, phone):
    wide = "document.querySelector('[data-hole=red-2]').getBoundingClientRect().width"
    before = bench.evaluate(wide)
    bench.locator("[data-near]").tap()
    phone.wait_until(f"{wide} > {1.5 * before}", True)


@pytest.mark.parametrize(
    ("path", "sent"), [("/bench", ("scan", {"card": "TD"})), ("/", ("moves", {"type": "card", "card": "TD"}))]
)
def test_a_card_is_typed(stage, phone, path, sent):
    page = phone.open(stage.url + path, stage.show(**SCENES["six-card, the play"]))
    page.keyboard.type("x10d")
    assert posted(stage, phone) == [sent]


def test_each_simulated_device_has_a_cable(bench):
    bench.locator(".mishaps summary").tap()
    assert bench.locator("[data-cable]").all_inner_texts() == ["Pegs", "Lights", "Card reader", "Buttons"]


def test_unplugged_cable_is_reported_at_card(bench, stage, phone):
    lost = {"url": "sim:", "ok": False, "say": "The card reader's cable is out."}
    phone.wait_for_snapshot(
        stage.show(**SCENES["six-card, the play"] | {"devices": stage.snapshot["devices"] | {"cards": lost}})
    )
    bench.locator("[data-card='9C']").tap()
    told = bench.get_by_text("The reader's cable is pulled. The card was not read.")
    told.wait_for()
    pad = bench.locator("[data-part=deck]").bounding_box()
    assert 0 <= pad["y"] - told.bounding_box()["y"] < 100
    phone.wait_for_snapshot(stage.show(**SCENES["six-card, the play"]))
    assert not told.is_visible()


def test_card_lost_before_notice_is_reported(bench, stage, phone):
    playing = SCENES["six-card, the play"]
    bench.locator("[data-card='9C']").tap()
    assert posted(stage, phone) == [("scan", {"card": "9C"})]
    lost = {"url": "sim:", "ok": False, "say": "The card reader's cable is out."}
    phone.wait_for_snapshot(stage.show(**playing | {"devices": stage.snapshot["devices"] | {"cards": lost}}))
    assert bench.get_by_text("The card was not read").is_visible()


def test_deck_and_board_are_in_one_view(stage, phones):
    phone = phones(1280, 800)
    page = phone.open(stage.url + "/bench", stage.show(**SCENES["six-card, the play"]))
    phone.wait_for_count(".pegs .peg", 4)
    board, card = (page.locator(each).bounding_box() for each in (".plank .board", "[data-card=KD]"))
    assert board["y"] > 0
    assert board["height"] > 250
    assert card["y"] + card["height"] < 800
    assert phone.visible_texts(".mishaps button") == []


@pytest.mark.parametrize(("width", "height"), [(800, 600), (1280, 800)])
def test_dice_and_their_button_are_in_one_view(stage, phones, width, height):
    phone = phones(width, height)
    page = phone.open(stage.url + "/bench", stage.show(**SCENES["bases, dice are due"]))
    phone.wait_for_count("[data-press=dice], .die", 3)
    for seen in ("[data-press=dice]", "[data-face='6']", ".board .dice"):
        assert 0 < page.evaluate(f"document.querySelector(`{seen}`).getBoundingClientRect().bottom") < height, seen


def test_taps_break_and_repair_sensors(bench, stage, phone):
    stage.faults = [{"kind": "dead", "holes": ["red-1", "red-2"]}, {"kind": "stuck", "holes": ["blue-9"]}]
    phone.wait_for_count("[data-fault=dead]", 2)
    bench.locator("[data-breaks]").tap()  # faults are shown as soon as there are any
    bench.locator("[data-hole=red-7]").click(force=True)
    assert bench.evaluate("document.activeElement.dataset.how") == "stuck"
    assert phone.find_faults() == []
    bench.locator("[data-how=flapping]").tap()
    for words in ("Repair the row of red 1, 2 holes: dead", "Repair blue 9: stuck"):
        bench.get_by_role("button", name=words).tap()
    assert posted(stage, phone, 3) == [
        ("fault", {"hole": "red-7", "kind": "flapping"}),
        ("fault", {"row": "red-1", "kind": None}),
        ("fault", {"hole": "blue-9", "kind": None}),
    ]


def test_broken_sensors_are_reported_and_play_continues(programs, phones):
    program, phone = programs("--set", "missing_ms=1500"), phones(800, 1000)
    phone.page.request.get(program.players)
    page = phone.open(f"{program.watchers}bench")
    phone.wait_for_count(".pegs .peg", 4)

    def broken(hole, how):
        page.locator(f"[data-hole={hole}]").click(force=True)
        page.locator(how).tap()

    def scan(card):
        """Tap a card, since the page waits only a moment for the second letter of a typed one."""
        moves = page.evaluate(MOVES)
        page.locator(f"button[data-card='{card}']").tap()
        phone.wait_until(f"{MOVES}.then(now => now > {moves})", True)

    phone.tap(".mishaps summary", "[data-breaks]")
    broken("red-7", "[data-how=stuck]:not([data-row])")
    broken("blue-9", "[data-how=flapping]")
    doubted = "document.querySelector('.quarantined')?.textContent.includes"
    for hole in ("blue 9", "red 7"):
        phone.wait_until(f"{doubted}('{hole}')", True)
    page.locator("[data-breaks]").tap()

    for card in ("5D", "TH", "5H"):
        scan(card)
    phone.wait_until("document.querySelector('[data-due]')?.dataset.points", "2")
    page.locator("[data-hole=red-2]").click(force=True)
    phone.wait_for_count("[data-due]", 0)

    page.locator("[data-breaks]").tap()
    broken("red-start-1", "[data-row]")
    phone.wait_until(
        "document.querySelector('[data-part=question]').textContent.includes('a row of sensors has failed')", True
    )
    scan("5S")
    phone.wait_until("document.querySelector('[data-due]')?.dataset.seat", "1")
    page.get_by_role("button", name="Repair the row of red start 2").tap()
    phone.wait_until("document.querySelector('[data-part=question]').hidden", True)
    assert phone.complaints == []


LAMP = "document.querySelector('[data-press=dice] .cap').classList.contains('lit')"
LABEL = "document.querySelector('[data-press=dice]').textContent.trim()"


def test_dice_button_is_lit_while_dice_are_due(programs, phones):
    program, phone = programs("--game", "bases"), phones()
    page = phone.open(program.players)
    page.goto(f"{program.watchers}bench")
    phone.wait_until("document.body.dataset.role", "player")
    phone.wait_until(LAMP, True)
    assert page.evaluate(LABEL) == "Dice, lit"
    for seat, dice in ((0, [6]), (1, [1])):
        made = page.request.post(f"{program.watchers}api/moves", data={"type": "roll", "seat": seat, "dice": dice})
        assert made.status == 201
    phone.wait_until(LAMP, False)
    assert page.evaluate(LABEL) == "Dice"


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
    page.evaluate(NOTE_ROLLING)
    phone.wait_for_snapshot(stage.show(**RUN))
    phone.wait_until(PLATE, ["1 bats", "The dice show 6 and 6.", "1 – 0 · 'Round the Bases", True])
    seen = ["The dice roll.", "0", False, "0 bats", "The dice roll.", "0 – 0 · 'Round the Bases", False]
    rolling = page.evaluate("rolling")
    assert rolling == [seen] * len(rolling)  # the hook says what has come, and is not held back
    assert rolling
    assert (page.evaluate(TURN), page.evaluate(FACTS)) == ("Red bats next.", True)
    assert phone.complaints == []


def test_reduced_motion_shows_the_run_at_once(stage, phones):
    phone = phones(reduced_motion="reduce")
    page = phone.open(stage.url, stage.show(**CALLED))
    phone.wait_for_snapshot(stage.show(**RUN))
    assert page.evaluate(PLATE) == ["1 bats", "The dice show 6 and 6.", "1 – 0 · 'Round the Bases", True]


def test_typed_dice_are_announced_at_once(stage, phone):
    stage.show(**CALLED)
    page = phone.open(stage.url, stage.show(**scene("bases", HIT, STEAL, ROLL), dice=[6, 6]))
    assert page.evaluate(TURN) == "Red bats next."


def test_undone_and_old_rolls_do_not_tumble(stage, phone):
    stage.show(**CALLED)
    page = phone.open(stage.url, stage.show(**STOLEN))
    undone = CALLED | {"moves": 99, "last": UNDO}
    phone.wait_for_snapshot(stage.show(**undone))
    assert page.evaluate(TURN) == "Red rolls: a 6 steals third."
    phone.wait_for_snapshot(stage.show(**STOLEN))
    page.reload()
    phone.wait_until(TURN, "Red bats next.")
    phone.wait_until(NAME, "The dice show 6 and 6.")


def test_pegs_of_bases_are_drawn_where_known(stage, phone):
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
