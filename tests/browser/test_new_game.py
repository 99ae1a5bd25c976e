"""The first page, and the dialog of a new game: the way to play, game, seats, options, names, unfinished games."""

from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from tests.browser.test_controls import posted
from tests.support.waiting import PATIENCE_S

MANY_TIES = 50
"""Attempts to cut: so many ties in a row do not happen."""
SWAP = {"key": "swap", "title": "Sackson swap", "seats": 2, "sides": 2, "target": 61, "options": {}}
ASIDE = [
    {"id": 9, "game": SWAP, "names": ["Red", "Blue"], "began": "2026-11-22T10:00:00Z", "ended": None,
     "scores": [3, 0], "winner": None, "moves": 4},
    {"id": 8, "game": SWAP, "names": ["Ann", "<b>"], "began": "2026-11-22T09:00:00Z", "ended": None,
     "scores": [31, 20], "winner": None, "moves": 14},
    {"id": 7, "game": SWAP, "names": ["Ann", "Bo"], "began": "2026-11-21T09:00:00Z", "ended": "2026-11-21T10:00:00Z",
     "scores": [61, 20], "winner": 0, "moves": 40},
    {"id": 6, "game": SWAP, "names": ["Red", "Blue"], "began": "2026-11-20T10:00:00Z", "ended": None,
     "scores": [0, 0], "winner": None, "moves": 0},
]  # fmt: skip


@pytest.fixture
def sheet(stage, phone):
    stage.tables = ASIDE
    page = phone.open(stage.url)
    page.locator("[data-open=new-game]").tap()
    phone.wait_for_count("[data-game]", 7)
    return page


def test_game_starts_as_it_was_chosen(sheet, stage, phone):
    for tap in (
        "[data-game=pursuit]",
        "[data-seats='3']",
        "[data-option=capture_peg][data-value=front]",
        "[data-dealer='2']",
    ):
        sheet.locator(tap).tap()
        phone.wait_until(f'document.querySelector("{tap}").getAttribute("aria-pressed")', "true")
    sheet.locator("[data-name='1']").fill("Zoë")
    sheet.locator("[data-start]").tap()
    ((what, asked),) = posted(stage, phone)
    assert what == "table"
    assert {name: asked[name] for name in ("game", "seats", "dealer", "names")} == {
        "game": "pursuit", "seats": 3, "dealer": 2, "names": ["Red", "Zoë", "Green"],
    }  # fmt: skip
    assert asked["options"]["capture_peg"] == "front"
    phone.wait_until("document.querySelector('dialog[data-part=new-game]').open", False)


def test_refused_game_is_explained_in_the_sheet(sheet, stage, phone):
    stage.refusal = "This board has no lane for a third player."
    sheet.locator("[data-seats='3']").tap()
    sheet.locator("[data-start]").tap()
    phone.wait_for_text("dialog[data-part=new-game] [role=alert]", stage.refusal)
    assert sheet.locator("[data-seats='3']").get_attribute("aria-pressed") == "true"
    assert phone.visible_texts("dialog [data-start]") == ["Start the game"]


def test_a_game_laid_aside_is_taken_up_again(sheet, stage, phone):
    """The current game, finished games and games that were never played are not listed."""
    assert sheet.locator("[data-resume]").count() == 1
    assert "Ann, <b>, 31 – 20" in sheet.locator(".game-list").inner_text()
    sheet.locator("[data-resume='8']").tap()
    assert posted(stage, phone) == [("table", {"resume": 8})]


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_the_sheet_fits_a_finger_and_every_eye(stage, phone, path):
    page = phone.open(stage.url + path)
    page.locator("[data-open=new-game]").tap()
    phone.wait_for_count("[data-game]", 7)
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 320
    assert phone.find_faults() == []
    page.keyboard.press("Escape")
    phone.wait_until("document.querySelector('dialog[data-part=new-game]').open", False)


def test_a_watcher_begins_no_game(stage, phone):
    stage.role = "watcher"
    phone.open(stage.url)
    assert phone.visible_texts("[data-open=new-game]") == []


def test_at_a_real_table_another_game_is_begun(program, phone):
    phone.open(program.players)
    phone.tap("[data-open=cards]", "#pad [data-card='5D']")
    phone.wait_until("document.body.dataset.phase", "play")
    phone.tap("[data-open=new-game]", "[data-game=pursuit]", "[data-seats='3']", "[data-start]")
    phone.wait_for_text("h1", "Pursuit cribbage")
    phone.wait_for_count(".plate", 3)
    phone.wait_for_count(".picture .peg", 6)


WAYS = ["against", "pegs-only", "plain", "simulated", "board"]


def test_first_page_asks_until_a_game_begins(program, phone):
    page = phone.open(program.players)
    phone.wait_until(
        "[...document.querySelectorAll('.first-choice [data-way]')].map(way => way.dataset.way).join()", ",".join(WAYS)
    )
    assert page.locator(".first-choice [data-way]:disabled").all_inner_texts() == [
        "◉\nThe board that knows\nNo board with sensors is connected."
    ]
    page.locator(".first-choice [data-way=against]").tap()
    phone.wait_until("document.querySelector('dialog [data-way=against]')?.getAttribute('aria-pressed')", "true")
    assert page.locator("dialog [data-way]").count() == 1  # the question is not asked again
    page.locator("dialog [data-name='0']").fill("Anna")
    page.locator("dialog [data-start]").tap()
    phone.wait_for_count(".first-choice [data-way]", 0)
    phone.wait_until(
        "[...document.querySelectorAll('.plate .name')].map(name => name.textContent).join()", "Anna,Companion"
    )
    now = page.evaluate("fetch('/api/state').then(answer => answer.json())")
    assert (now["game"]["pegs"], now["game"]["against"]) == ("plain", {"seat": 1, "level": "club"})
    phone.wait_until("document.querySelectorAll('[data-away]:not([data-away=\"\"])').length", 6)
    assert phone.visible_texts("[data-part=turn]") == ["Choose two cards for your crib."]
    page.locator("[data-open=new-game]").tap()  # the next game may be played in another way
    phone.wait_until(
        "[...document.querySelectorAll('dialog [data-way]')].map(way => way.dataset.way).join()", ",".join(WAYS)
    )
    page.reload()
    phone.wait_until("document.body.dataset.snapshot !== undefined", True)
    assert page.locator(".first-choice [data-way]").count() == 0


def test_names_do_not_stay_for_other_players(program, phone):
    page = phone.open(program.players)
    for seats in (4, 3):
        phone.tap("[data-open=new-game]", "dialog [data-game=six-card]", f"dialog [data-seats='{seats}']")
        assert (
            page.evaluate("[...document.querySelectorAll('dialog [data-name]')].map(field => field.value)")
            == [""] * seats
        )
        page.locator("dialog [data-start]").tap()
        phone.wait_for_count("dialog[open]", 0)
    page.locator("[data-open=new-game]").tap()
    page.locator("dialog [data-name='0']").fill("Anna")
    page.locator("dialog [data-start]").tap()
    phone.wait_for_count("dialog[open]", 0)
    page.locator("[data-open=new-game]").tap()
    page.locator("dialog [data-name='0']").fill("")
    page.locator("dialog [data-start]").tap()
    phone.wait_until(
        "[...document.querySelectorAll('.plate .name')].map(name => name.textContent).join()", "Red,Blue,Green"
    )


TOUCHABLE = """[...document.querySelectorAll("button")].filter((button) => {
    button.scrollIntoView();
    const { left, top, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((button) => button.textContent.trim())"""
HOLD_FETCH = """(path) => {
    const send = window.fetch, isReleased = new Promise((done) => (window.releaseAnswer = done));
    window.fetch = async (address, options) => {
        const answer = await send(address, options);
        if (options?.method === "POST" && String(address).includes(path)) await isReleased;
        return answer;
    };
}"""


def test_nothing_is_touchable_until_game_is_drawn(program, phones):
    """While the answer is on its way, and while the module of the new game is loaded."""
    phone, modules = phones(new=True), []
    phone.page.route("**/games/pursuit*.js", lambda route: modules.append(route))  # noqa: PLW0108 - its arguments are looked at
    page = phone.open(program.players)
    page.evaluate(HOLD_FETCH, "/api/table")
    phone.tap("[data-open=new-game]", "dialog [data-game=pursuit]", "dialog [data-start]")
    phone.wait_for_text("dialog [data-start]", "Starting…")
    assert page.evaluate(TOUCHABLE) == []
    page.keyboard.press("Escape")  # closes the sheet only
    assert page.evaluate(TOUCHABLE) == []
    page.evaluate("releaseAnswer()")
    while not modules:
        page.wait_for_timeout(10)
    phone.wait_for_text("dialog [data-start]", "Starting…")
    assert page.evaluate(TOUCHABLE) == []
    modules[0].continue_()
    phone.wait_for_text("dialog [data-start]", "Start the game")
    assert page.evaluate("document.querySelector('h1').textContent") == "Pursuit cribbage"
    assert "Enter the starter" in page.evaluate(TOUCHABLE)


def test_names_outlast_a_game_against_the_companion(program, phone):
    page = phone.open(program.players)
    page.locator(".first-choice [data-way=pegs-only]").tap()
    for seat, name in enumerate(("Ann", "Bob")):
        page.locator(f"dialog [data-name='{seat}']").fill(name)
    start_game(phone, "Ann,Bob")
    phone.tap("[data-open=new-game]", "dialog [data-way=against]")
    assert page.locator("dialog [data-name]").evaluate_all("all => all.map(field => field.value)") == ["Ann"]
    start_game(phone, "Ann,Companion")
    for way in ("plain", "pegs-only"):
        phone.tap("[data-open=new-game]", f"dialog [data-way={way}]")
        assert page.locator("dialog [data-name]").evaluate_all("all => all.map(field => field.value)") == ["Ann", "Bob"]
        start_game(phone, "Ann,Bob")
        phone.wait_until("document.querySelector('[data-part=own]').textContent", "")  # the hand of the game before


def start_game(phone, names):
    """Tap the button of the sheet, and wait until the new game with these names is seen."""
    phone.page.locator("dialog [data-start]").tap()
    phone.wait_for_count("dialog[open]", 0)
    phone.wait_until("[...document.querySelectorAll('.plate .name')].map(name => name.textContent).join()", names)


def test_what_a_way_rules_out_is_not_offered(sheet, phone):
    assert sheet.locator("dialog [data-option=muggins]").count() == 0
    sheet.locator("[data-option=counting][data-value=manual]").tap()
    assert sheet.locator("dialog [data-option=muggins]").count() == 2
    sheet.locator("dialog [data-way=against]").tap()
    phone.wait_until("document.querySelector('dialog[data-part=new-game] details').open", False)
    sheet.locator("dialog[data-part=new-game] summary").tap()
    assert sheet.locator("dialog [data-option=counting]").count() == 0
    assert phone.visible_texts("dialog [data-game] b") == ["Six-card cribbage", "Five-card cribbage"]
    assert sheet.locator("dialog [data-seats]").count() == 1


GAMES_OF_WAYS = {
    "against": ["six-card", "five-card"],
    "pegs-only": ["pegs-only"],
    "plain": ["six-card", "five-card", "pursuit", "bases", "swap", "shuffle"],
    "simulated": ["six-card", "five-card", "pegs-only", "pursuit", "bases", "swap", "shuffle"],
}


def test_each_way_offers_only_its_games(sheet, phone):
    for way, games in GAMES_OF_WAYS.items():
        sheet.locator(f"dialog [data-way={way}]").tap()
        phone.wait_until("document.querySelector('dialog [data-way][aria-pressed=true]')?.dataset.way", way)
        offered = sheet.locator("dialog [data-game]").evaluate_all("all => all.map(each => each.dataset.game)")
        assert sorted(offered) == sorted(games)
        assert sheet.locator("dialog [data-game][aria-pressed=true]").get_attribute("data-game") == games[0]
        assert (sheet.locator("dialog [data-dealer]").count() > 0) == (way != "pegs-only")  # which has no dealer


def test_the_suggested_way_follows_the_game(stage, phone):
    """A table at its own board, which nobody asks again: what is offered there belongs to one of two ways."""
    page = phone.open(stage.url, stage.show(moves=9, game=stage.snapshot["game"] | {"pegs": "plain", "against": None}))
    page.locator("[data-open=new-game]").tap()
    for game, way in (("pegs-only", "pegs-only"), ("five-card", "plain")):
        phone.wait_for_count("dialog [data-game]", 7)
        if not page.locator(f"dialog [data-game={game}]").is_visible():
            page.locator("dialog[data-part=new-game] summary").tap()
        page.locator(f"dialog [data-game={game}]").tap()
        phone.wait_until("document.querySelector('dialog [data-way][aria-pressed=true]')?.dataset.way", way)
        assert page.locator("dialog [data-option=counting]").count() == (2 if game == "five-card" else 0)


def test_each_rule_stands_apart_from_the_one_above(sheet):
    gaps = """all => all.map(el =>
        el.getBoundingClientRect().top - el.previousElementSibling.getBoundingClientRect().bottom)"""
    apart = sheet.locator("dialog .game-rules .games ~ .term").evaluate_all(gaps)
    assert len(apart) > 2
    assert min(apart) >= 8


def test_own_board_asks_players_and_dealer_by_names(sheet, phone):
    sheet.locator("dialog [data-way=plain]").tap()
    phone.wait_until("document.querySelector('dialog[data-part=new-game] details').open", False)
    assert phone.visible_texts("dialog [data-seats]") == ["2", "3", "4"]
    assert phone.visible_texts("dialog [data-dealer]") == ["Red", "Blue"]
    sheet.locator("[data-name='1']").fill("Zoë")
    phone.wait_until("document.querySelector('dialog [data-dealer=\"1\"]').textContent", "Zoë")
    sheet.locator("dialog [data-way=pegs-only]").tap()
    phone.wait_until("document.querySelector('dialog [data-way=pegs-only]').ariaPressed", "true")
    assert (len(phone.visible_texts("dialog [data-seats]")), phone.visible_texts("dialog [data-dealer]")) == (3, [])
    sheet.locator("dialog[data-part=new-game] summary").tap()
    assert phone.visible_texts("dialog [data-board]")[0] == "Classic: 121 holes"


RANKS = "A23456789TJQK"
CUT = "all => all.map(each => each.querySelector('.card').ariaLabel)"


@pytest.mark.parametrize("way", ["plain", "against"])
def test_the_lower_cut_card_deals(sheet, stage, phone, way):
    """Each player taps a card; the companion cuts its own. Ties are cut again."""
    sheet.locator(f"dialog [data-way={way}]").tap()
    phone.wait_until(f"document.querySelector('dialog [data-way={way}]').ariaPressed", "true")
    sheet.locator("dialog [data-cut]").tap()
    dealt = "document.querySelectorAll('dialog [data-dealer][aria-pressed=true]').length"
    assert sheet.evaluate(dealt) == 0
    assert sheet.locator("[data-cuts]").evaluate_all(CUT) == ["face-down card"] * 2
    for _ in range(MANY_TIES):
        for seat in range(2 if way == "plain" else 1):
            sheet.locator(f"[data-cuts='{seat}']").tap()
        cards = sheet.locator("[data-cuts]").evaluate_all(CUT)
        ranks = [RANKS.index({"ace": "A", "10": "T"}.get(rank, rank[0].upper())) for rank, *_ in map(str.split, cards)]
        if ranks[0] != ranks[1]:
            break
    phone.wait_until(dealt, 1)
    sheet.locator("dialog [data-start]").tap()
    assert posted(stage, phone, 1 if way == "plain" else 2)[-1][1]["dealer"] == ranks.index(min(ranks))


def test_the_invitation_appears_once_for_several(stage, phone):
    """Not for a game against the companion, where no phone reaches the table, or where another phone has joined."""
    mine = {"id": 1, "name": "Phone", "joined": "", "seen": "", "you": True}
    theirs = mine | {"id": 2, "you": False, "seen": datetime.now(UTC).isoformat()}
    here = stage.invited | {"player": "http://127.0.0.1:8123/join/key"}
    page = phone.open(stage.url)
    for way, phones, invited, asks, appears in (
        ("against", [mine], stage.invited, False, False), ("plain", [mine, theirs], stage.invited, True, False),
        ("plain", [mine], here, True, False), ("plain", [mine], stage.invited, True, True),
        ("plain", [mine], stage.invited, False, False),
    ):  # fmt: skip
        stage.phones, stage.invited = phones, invited
        phone.tap("[data-open=new-game]", f"dialog [data-way={way}]")
        with ExitStack() as answers:  # what decides is read before the next case changes it
            for address in ("**/api/invite", "**/api/phones") if asks else ():
                answers.enter_context(page.expect_response(address))
            phone.tap("dialog [data-start]")
        phone.wait_for_count(".scan-to-join[open]", int(appears))
        phone.wait_for_count("dialog[open]", int(appears))
        if appears:
            assert phone.visible_texts(".scan-to-join h2") == ["Scan to join"]
            assert page.locator(".scan-to-join img").evaluate("el => el.decode().then(() => el.naturalWidth > 0)")
            assert phone.find_faults() == []
            page.locator("[data-later]").tap()
            phone.wait_for_count("dialog[open]", 0)
    phone.tap("[data-open=new-game]")  # nothing lies over the page
    assert phone.complaints == []


def test_games_without_a_cut_do_not_offer_it(sheet, phone):
    for game, offered in (("pursuit", 1), ("bases", 0), ("swap", 0)):
        sheet.locator(f"[data-game={game}]").tap()
        phone.wait_until(f"document.querySelector('[data-game={game}]').ariaPressed", "true")
        assert sheet.locator("[data-cut]").count() == offered


def test_companions_level_is_asked_by_the_name(sheet, stage, phone):
    sheet.locator("dialog [data-way=against]").tap()
    phone.wait_until("document.querySelector('dialog[data-part=new-game] details').open", False)
    assert [each.get_attribute("data-name") for each in sheet.locator("dialog [data-name]").all()] == ["0"]
    assert phone.visible_texts("dialog [data-level]") == ["Beginner", "Intermediate", "Expert"]
    sheet.locator("dialog [data-level=novice]").tap()
    sheet.locator("dialog [data-name='0']").fill("Zoë")
    sheet.locator("dialog [data-start]").tap()
    phone.wait_for_count("dialog[open]", 0)
    request = dict(stage.posts)["table"]
    assert request["against"] == {"seat": 1, "level": "novice"}
    assert request["names"] == ["Zoë", "Blue"]  # not the name of whoever sat there


def test_last_way_comes_first_and_is_marked(stage, phone):
    game = stage.snapshot["game"] | {"pegs": "plain", "against": None}
    phone.open(stage.url, stage.show(moves=0, game=game))
    phone.page.locator("[data-open=new-game]").tap()
    phone.wait_for_count("dialog [data-way]", 5)
    assert phone.visible_texts("dialog [data-way] .tag") == []
    phone.page.locator("dialog[open] .sheet-top button").tap()
    phone.wait_for_snapshot(stage.show(moves=9, game=game))
    phone.page.locator("[data-open=new-game]").tap()
    phone.wait_until("document.querySelector('dialog [data-way]')?.dataset.way", "plain")
    assert (
        phone.visible_texts("dialog [data-way=plain] .tag")
        == phone.visible_texts("dialog [data-way] .tag")
        == ["Last time"]
    )
    for _ in range(2):  # it is chosen already, so that the next game does not leave the players' own board
        phone.wait_until("document.querySelector('dialog [data-way=plain]')?.ariaPressed", "true")
        phone.page.locator("dialog[open] .sheet-top button").tap()
        phone.page.locator("[data-open=new-game]").tap()
    phone.page.locator("dialog [data-start]").tap()
    phone.wait_for_count("dialog[open]", 0)
    assert dict(stage.posts)["table"]["pegs"] == "plain"
    phone.wait_for_snapshot(stage.show(moves=9, game=game | {"pegs": "read"}))
    phone.page.locator("[data-open=new-game]").tap()
    phone.wait_for_count("dialog [data-way]", 5)
    assert phone.page.locator("dialog [data-way][aria-pressed=true]").count() == 0


def test_simulated_game_begins_on_the_bench(sheet, stage, phone):
    sheet.locator("dialog [data-way=simulated]").tap()
    sheet.locator("dialog [data-start]").tap()
    phone.page.wait_for_url("**/bench", timeout=PATIENCE_S * 1000)
    assert stage.posts[-1][1]["pegs"] == "read"
    phone.wait_until("!!document.body.dataset.snapshot", True)
    phone.page.locator("a[href='/']").tap()
    phone.page.wait_for_url(stage.url + "/", timeout=PATIENCE_S * 1000)


NEEDED = """document.querySelector('.first-choice').getBoundingClientRect().bottom
    + document.querySelector('.foot').getBoundingClientRect().height"""


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (844, 390), (320, 568)])
def test_nothing_lies_below_the_first_question(program, phones, size):
    """The page ends with its bar, and scrolls only if the question does not fit; the cards can be opened from there."""
    phone = phones(*size)
    page = phone.open(program.players)
    phone.wait_until("document.querySelector('.first-choice').hidden", False)
    assert page.evaluate("document.documentElement.scrollHeight") <= max(size[1], page.evaluate(NEEDED) + 24)
    assert phone.visible_texts("[data-score]") == []
    assert phone.visible_texts("[data-move=undo]") == []  # there is nothing to undo
    phone.tap("[data-open=cards]", "[data-card='5D']")
    phone.wait_until("document.body.dataset.phase", "play")
    assert phone.visible_texts("[data-score]") == ["0", "0"]
