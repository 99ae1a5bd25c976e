"""How every page and moment looks: visible, readable, large enough for a finger, and never redrawn."""

import pytest

from companion.common.paths import resource_folder
from tests.browser.conftest import AXE, SMALL
from tests.browser.scenes import SCENES, scene

LOST = {"url": "sim:", "ok": False, "say": "The card reader's cable is out."}
FULL = {
    "phase": "play", "turn": 1, "count": 25, "series": ["TH", "5H", "KH"], "starter": "JD", "moves": 5,
    "played": [["5H"], ["TH", "KH"]], "scores": [104, 88], "gone": [0],
    "last": {"move": {"type": "play", "seat": 0, "card": "TH"}, "by": "cards",
             "awards": [{"seat": 0, "points": 2, "reason": "fifteen", "cards": ["5H", "TH"]}],
             "said": ["Red played the 10 of hearts.", "Red: fifteen two."],
             "counts": [{"seat": 0, "points": 2, "cards": ["5H", "TH"], "say": "Red: fifteen two."}]},
    "dues": [{"seat": 0, "points": 12, "lift": "red-92", "place": "red-104"}],
    "pegs": [{"seat": 0, "front": "red-92", "back": "red-84"}, {"seat": 1, "front": "blue-86", "back": "blue-80"}],
    "advice": [{"kind": "peg_forward", "seat": 0, "points": 12, "lift": "red-84", "place": "red-104",
                "say": "Red: back peg to 104."},
               {"kind": "over_pegged", "seat": 1, "by": 1, "points": 2, "hole": "blue-87", "lift": "blue-87",
                "place": "blue-88", "say": "Blue pegged 3, the count is 2 (fifteen two)."}],
    "question": {"why": "Blue's pegs are in holes that no move leads to.",
                 "choices": [{"say": "Undo.", "move": {"type": "undo"}}, {"say": "Put them back.", "move": None}]},
    "notices": [{"id": 1, "kind": "refused", "from": "cards", "say": "The 5 of hearts has already been seen."}],
}  # fmt: skip
UNFOLD = """for (const each of document.querySelectorAll('.corrections details')) each.open = true;
    document.querySelector('[data-open=cards]:not([hidden])')?.click()"""


@pytest.fixture
def full(request, stage, phones):
    """A page that shows everything at once, in light mode by default."""

    def shown(path, width=390, height=844, **changes):
        changes = FULL | {"devices": stage.snapshot["devices"] | {"cards": LOST}} | changes
        snapshot = stage.show(**changes)
        phone = phones(width, height, color_scheme=getattr(request, "param", "light"), reduced_motion="reduce")
        phone.open(stage.url + path)
        phone.wait_for_snapshot(snapshot)
        phone.wait_until("document.body.dataset.role", stage.role)
        if stage.role == "player":
            phone.page.evaluate(UNFOLD)
        return phone

    return shown


@pytest.mark.parametrize("full", ["light", "dark"], indirect=True)
@pytest.mark.parametrize("path", ["/", "/bench"])
def test_axe_finds_nothing_with_everything_shown(full, stage, path):
    for role in ("player", "watcher"):
        stage.role = role
        phone = full(path)
        is_dark = phone.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert phone.find_faults(is_dark=is_dark, but_small=False) == []


@pytest.mark.parametrize(("width", "height"), [(320, 568), (1280, 800)])
@pytest.mark.parametrize("path", ["/", "/bench"])
def test_taps_are_large_and_nothing_scrolls_sideways(stage, phones, path, width, height):
    shown = stage.show(**FULL)
    phone = phones(width, height)
    phone.open(stage.url + path)
    phone.wait_for_snapshot(shown)
    phone.wait_until("document.body.dataset.role", "player")
    phone.page.evaluate(UNFOLD)
    assert phone.page.evaluate(SMALL) == []
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
    assert phone.page.evaluate("[...document.querySelectorAll('.plate')].every(el => el.scrollWidth <= el.clientWidth)")


def test_who_wants_no_motion_gets_none_without_end(full):
    page = full("/").page
    endless = "document.getAnimations().filter(each => each.effect.getComputedTiming().endTime === Infinity).length"
    assert page.locator("[data-sign=due]").count() == 1
    assert page.evaluate(endless) == 0


@pytest.mark.parametrize("seats", [3, 5])
def test_three_digits_fit_the_plate_of_every_player(full, stage, seats):
    players = [
        {"seat": i, "side": i, "name": n} for i, n in enumerate(("Red", "Blue", "Green", "Yellow", "White")[:seats])
    ]
    game = stage.snapshot["game"] | {"seats": seats, "sides": seats}
    phone = full("/", 320, 568, players=players, game=game, scores=[104] * seats, played=[[]] * seats)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320
    plates = "[...document.querySelectorAll('.plate .face, .plate .score, .plate .name')]"
    assert phone.page.evaluate(f"{plates}.filter(el => el.scrollWidth > el.clientWidth).length") == 0


@pytest.mark.parametrize(("width", "height"), [(844, 390), (667, 375)])
def test_sideways_phone_shows_whole_cards_and_keys(stage, phones, width, height):
    stage.show(**FULL | {"question": None, "advice": [], "notices": [], "dues": [], "last": None})
    phone = phones(width, height)
    phone.open(stage.url)
    cut_off = """[...document.querySelectorAll('SELECTOR')].filter(each => {
        const { top, bottom } = each.getBoundingClientRect();
        return top < -1 || bottom > innerHeight + 1; }).map(each => each.outerHTML)"""
    bar = ".bar .button:not([hidden])"
    phone.wait_until(cut_off.replace("SELECTOR", f".table > * > .card, .series .card, {bar}"), [])
    phone.page.locator("[data-open=cards]").dispatch_event("click")  # a tap here would scroll the column
    phone.wait_until(cut_off.replace("SELECTOR", f".card-key, [data-score], [data-turn], {bar}"), [])
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width


UNFOLD_ALL = """for (const each of document.querySelectorAll('details')) each.open = true;
    document.querySelector('[data-open=cards][aria-expanded=false]:not([hidden])')?.click()"""
# Board and deck are every game's: the tests above have axe look at them, and it takes its time for each hole and card.
# So are the parts below it, after the first moment. By night nothing but the colours is another.
VIOLATIONS = """async ({dark, known}) => (await axe.run({exclude: [['.board'], ['#pad'],
    ...(known ? [['.corrections'], ['.devices'], ['.seats'], ['.top']] : [])]},
    {resultTypes: ['violations'], ...(dark && {runOnly: ['color-contrast']})})).violations
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


def test_every_moment_has_score_turn_and_undo(stage, phone):
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
        is_undone = snapshot["moves"] > 0 or bool(snapshot.get("lying"))
        assert len(phone.visible_texts("[data-move=undo]")) == is_undone, name
        for seen in phone.page.locator("[data-score], [data-turn], [data-move=undo]").all():
            box = seen.bounding_box()
            assert box["y"] >= 0, name
            assert box["y"] + box["height"] <= 568, name
    assert phone.complaints == []


def test_who_plays_from_the_keyboard_keeps_the_place(stage, phone):
    page = phone.open(stage.url, stage.show(**SCENES["swap, an exchange"]))
    page.locator("[data-cell='0,0']").focus()
    page.keyboard.press("Enter")
    phone.wait_until("document.activeElement.matches('[data-cell=\"0,0\"][aria-pressed=true]')", True)


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_every_moment_fits_the_smallest_phone(stage, phone, path):
    for name, _ in moments(stage, phone, path):
        phone.page.evaluate(UNFOLD_ALL)
        assert (name, phone.page.evaluate(SMALL)) == (name, [])
        assert (name, phone.page.evaluate(CUT_OFF)) == (name, [])
        assert (name, phone.page.evaluate(WIDTH) <= 320) == (name, True)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_in_any_game(stage, phones, scheme):
    phone = phones(390, 844, color_scheme=scheme, reduced_motion="reduce")
    for number, (name, _) in enumerate(moments(stage, phone)):
        if number == 0:
            phone.page.evaluate(AXE.read_text(encoding="utf-8"))
        phone.page.evaluate(UNFOLD_ALL)
        assert (name, phone.page.evaluate(VIOLATIONS, {"dark": scheme == "dark", "known": number > 0})) == (name, [])
        assert (name, phone.page.evaluate(ENDLESS)) == (name, 0)


def test_a_watcher_can_touch_nothing_in_any_game(stage, phone):
    stage.role = "watcher"
    for name, _ in moments(stage, phone):
        assert (name, phone.page.evaluate(TOUCHED)) == (name, [])


def test_board_with_display_shows_its_markers(stage, phone, tmp_path):
    own = tmp_path / "own.toml"
    shipped = resource_folder("hardware/boards") / "classic-61.toml"
    own.write_text(f"{shipped.read_text('utf-8')}\n[display]\ncentre = [60, 150]\npitch = 9\n", encoding="utf-8")
    phone.open(stage.url, stage.show(**SCENES["swap, chips to take"] | {"board": str(own)}))
    phone.wait_for_count(".light", 25)
    colours = phone.page.locator(".light").evaluate_all("all => all.map(el => el.getAttribute('class').split(' ')[1])")
    assert colours[:6] == ["red", "yellow", "green", "blue", "brown", "green"]


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


DIALOGS_LOOKS = [
    (320, 568, "light"),
    *(pytest.param(each, marks=pytest.mark.long) for each in [(390, 844, "dark"), (1280, 800, "light")]),
]


@pytest.mark.parametrize("look", DIALOGS_LOOKS, ids=str)
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


WATCH = """() => {
  Object.assign(globalThis, { touched: [], parsed: 0 });
  const near = (node) => `${node.nodeName} in ${node.parentElement?.closest("[data-part]")?.dataset.part}`;
  const differs = ({ target, attributeName: name, oldValue }) => target.getAttribute(name) !== oldValue;
  const kinds = {
    attributes: (one) => (differs(one) ? [`${one.attributeName} of ${near(one.target)}`] : []),
    characterData: ({ target }) => [near(target)],
    childList: ({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes].map(near),
  };
  const all = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };
  new MutationObserver((each) => touched.push(...each.flatMap((one) => kinds[one.type](one)))).observe(document, all);
  const [html, insert] = ["innerHTML", "insertAdjacentHTML"].map((name) =>
    Object.getOwnPropertyDescriptor(Element.prototype, name));
  const read = (text) => ((parsed += text.length), text);
  Object.defineProperty(Element.prototype, "innerHTML", { ...html, set(text) { html.set.call(this, read(text)); } });
  Element.prototype.insertAdjacentHTML = function (at, text) { insert.value.call(this, at, read(text)); };
}"""
"""From now on the page notes each node that is changed, added or removed, and how much HTML it has read."""

DEAL = "5D TH 5H 6S KC 4C 3D"
SAID = {"by": "phone", "scores": [9, 7], "say": ["A move."], "move": {"type": "go", "seat": 0}, "awards": []}
LONG = [SAID | {"n": n} for n in range(1, 301)]
"""A game of 300 moves."""


@pytest.fixture(params=[390, 1280])
def watched(request, stage, phones):
    """A page late in a long game; count what changes from one snapshot to the next."""

    def told(before, after):
        phone = phones(request.param, 844)
        stage.played = LONG
        phone.open(stage.url, stage.show(**before))
        phone.open_history()
        if request.param == 1280:
            phone.page.locator(
                "[data-open=history]"
            ).tap()  # a wide page shows the newest lines also while it is folded
        phone.wait_for_count("[data-history]", len(LONG))
        phone.page.evaluate(WATCH)
        stage.played = [*LONG, SAID | {"n": 301}]
        phone.wait_for_snapshot(stage.show(**after))
        seen = phone.page.evaluate(
            "[...document.querySelectorAll('[data-history]')].filter(el => el.offsetParent).length"
        )
        assert seen in {390: (300, 301), 1280: (12,)}[request.param]
        return phone.page.evaluate("[touched, parsed]")

    return told


def test_an_unchanged_snapshot_changes_nothing_on_the_page(watched):
    now = scene("six-card", DEAL)
    assert watched(now, now) == [["data-snapshot of BODY in undefined"], 0]


def test_a_move_touches_and_reads_little(watched):
    touched, parsed = watched(scene("six-card", DEAL), scene("six-card", DEAL, "7S"))
    assert any("history" in each for each in touched)
    assert len(touched) < 40, touched
    assert parsed < 6_000
