"""Visibility, readability and tap targets on small and large screens, in light and dark mode."""

import pytest

from tests.browser.conftest import SMALL

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
def test_axe_finds_nothing_serious(full, stage, path):
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
def test_a_phone_held_sideways_shows_whole_cards_and_keys(stage, phones, width, height):
    stage.show(**FULL | {"question": None, "advice": [], "notices": [], "dues": [], "last": None})
    phone = phones(width, height)
    phone.open(stage.url)
    phone.wait_until("document.body.dataset.role", "player")
    cut_off = """[...document.querySelectorAll('SELECTOR')].filter(each => {
        const { top, bottom } = each.getBoundingClientRect();
        return top < -1 || bottom > innerHeight + 1; }).map(each => each.outerHTML)"""
    bar = ".bar .button:not([hidden])"
    phone.wait_until(cut_off.replace("SELECTOR", f".table > * > .card, .series .card, {bar}"), [])
    phone.page.locator("[data-open=cards]").dispatch_event("click")  # a tap here would scroll the column
    phone.wait_until(cut_off.replace("SELECTOR", f".card-key, [data-score], [data-turn], {bar}"), [])
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
