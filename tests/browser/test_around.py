"""Around the table: invitations, my seat and hand, names, the evening, device status."""

from pathlib import Path

import pytest

from tests.browser.scenes import SCENES
from tests.browser.slow_answers import HOLD_FIRST_ANSWER
from tests.browser.test_controls import posted
from tests.support.waiting import wait_until

GAME = {"key": "six-card", "title": "Six-card cribbage", "seats": 2, "sides": 2, "target": 121, "options": {}}


BEST = {"seat": 1, "points": 24, "part": "hand", "cards": ["4H", "5H", "5S", "6D"], "ms": 1764000100000}


def played(table, winner, **changes):
    return {
        "table": table, "number": 1, "game": GAME, "names": ["Ann", "Bo"], "began_ms": 1764000000000,
        "ended_ms": 1764000900000, "moves": 40, "scores": [121, 88], "winner": winner, "skunk": "skunk", "skunks": None,
        "game_points": 2, "points": [{"play": 33, "hand": 60, "crib": 28, "other": 0},
                                     {"play": 30, "hand": 50, "crib": 4, "other": 4}],
        "best": BEST, "best_hand": BEST, "best_crib": BEST | {"seat": 0, "points": 12, "part": "crib"},
        "cuts": [{"hands": 9, "counted": 88, "mean": 79.46}, {"hands": 8, "counted": 54, "mean": 55.02}],
        "race": [{"ms": 1764000000000, "scores": [2, 4]}, {"ms": 1764000900000, "scores": [121, 88]}],
    } | changes  # fmt: skip


def fill_evening(stage):
    """Give the stage an evening of two games, and an earlier one."""
    stage.evening = {
        "games": [played(2, None, number=2, ended_ms=None, skunk=None), played(3, 0)],
        "series": [{"game": "six-card", "names": ["Ann", "Bo"], "won": [1, 1], "points": [2, 1]}],
    }
    stage.evenings = [
        {"began_ms": 1764000000000, "games": 2, "names": ["Ann", "Bo"], "won": [2, 1],
         "best": {"name": "Bo", "points": 24}},
        {"began_ms": 1763000000000, "games": 1, "names": ["Bo"], "won": [1], "best": None},
    ]  # fmt: skip
    stage.records = [{"name": "Ann", "games": 9, "won": 4, "skunks": 1, "points": 5, "best": None}]


@pytest.fixture
def evening(stage):
    fill_evening(stage)
    return stage


def test_running_game_leads_back_by_one_action(evening, phone):
    game = SCENES["six-card of four"]
    names = [each | {"name": name} for each, name in zip(game["players"], ("Ann", "Bo", "Cid", "Di"), strict=True)]
    evening.show(**game | {"players": names})
    page = phone.page
    page.goto(evening.url + "/evening")
    phone.wait_for_count(".running a", 1)
    assert phone.visible_texts(".running .leader") == ["Ann & Cid\u00a050 – Bo & Di\u00a038"]
    assert phone.visible_texts("a[href='/']") == ["Back to the game"]
    evening.show(phase="over", moves=9)
    page.reload()
    phone.wait_for_count(".race", 1)
    assert phone.visible_texts("a[href='/']") == ["To the table"]


def test_evening_closes_with_one_picture(evening, phone):
    page = phone.page
    page.goto(evening.url + "/evening")
    phone.wait_for_count(".race", 1)
    assert [text.split("\n")[0] for text in phone.visible_texts(".results .tonight p")] == [
        "Ann leads: Ann\u00a02, Bo\u00a01.", "2 games.", "Best hand: Bo, 24 points.", "Biggest crib: Ann, 12 points.",
        "Skunks given: Ann\u00a01.", "Luckiest with the starter: Ann, 17.1 points more than average.",
    ]  # fmt: skip
    with page.expect_download() as taken:
        page.locator("[data-share-evening]").tap()
    data = Path(taken.value.path()).read_bytes()
    assert (data[:4], int.from_bytes(data[16:20])) == (b"\x89PNG", 960)
    assert len(data) > 20_000  # an empty sheet of this size has a tenth of that
    assert phone.visible_texts(".more a") == []
    page.locator(".more summary").tap()
    assert phone.visible_texts(".more a") == ["for a spreadsheet", "for programs"]


@pytest.mark.parametrize("path", ["/invite", "/evening", "/workshop"])
@pytest.mark.parametrize("look", [(320, 568, "light"), (1280, 800, "dark")])
def test_each_page_fits_finger_and_eye(evening, phones, path, look):
    width, height, scheme = look
    phone = phones(width, height, color_scheme=scheme)
    page = phone.page
    page.goto(evening.url + path)
    phone.wait_until("document.querySelectorAll('main h2').length > 1", True)
    assert phone.find_faults() == []
    assert phone.complaints == []


WIDER = "[...document.querySelectorAll('.wide')].filter(el => el.scrollWidth > el.clientWidth).map(el => el.ariaLabel)"


def test_german_tables_of_evening_fit_smallest_phone(evening, phones):
    phone = phones(320, 568)
    phone.page.goto(evening.url + "/evening?lang=de")
    phone.wait_for_count(".all-time .wide", 3)
    assert phone.page.evaluate(WIDER) == []


def test_first_evening_fits_with_long_names(evening, phones):
    names = ["Anna", "Grandpa Bartholomew"]
    evening.evening["series"] = [{"game": "pegs-only", "names": names, "won": [1, 0], "points": [1, 0]}]
    evening.evenings = [{"began_ms": 1764000000000, "games": 1, "names": names, "won": [1, 0], "best": None}]
    phone = phones(390, 844)
    phone.page.goto(evening.url + "/evening")
    phone.wait_for_count(".all-time .wide", 1)
    assert phone.visible_texts(".all-time h2") == ["Players, all time"]
    assert phone.page.evaluate(WIDER) == []


def test_players_invite_and_watchers_see_how_to_join(stage, phone):
    phone.page.goto(stage.url + "/invite")
    phone.wait_for_count("[data-link]", 3)
    assert phone.visible_texts("[data-link=tv]") == ["http://table.local/tv"]
    codes = phone.page.locator("[data-invite] img:visible")
    assert codes.evaluate_all("all => all.map(el => new URL(el.src).search)") == ["?for=player&n=0"]
    phone.page.locator("summary").first.tap()
    assert codes.count() == 2
    stage.role = "watcher"
    phone.page.reload()
    phone.wait_until("document.querySelector('[data-invite]').textContent.startsWith('Scan the code')", True)


def test_the_invitations_follow_the_network_of_the_table(stage, phone):
    stage.invited = {whom: f"http://127.0.0.1:8123/{whom}" for whom in ("player", "watcher", "tv")} | {"others": []}
    phone.page.goto(stage.url + "/invite")
    phone.wait_for_count("[data-link]", 3)
    assert phone.visible_texts("[data-unreachable]")[0].startswith("Phones cannot reach the table")
    stage.invited = {whom: f"http://192.0.2.7:8123/{whom}" for whom in ("player", "watcher", "tv")} | {"others": []}
    phone.wait_for_text("[data-link=player]", "http://192.0.2.7:8123/player")
    assert phone.visible_texts("[data-unreachable]") == []
    codes = phone.page.locator("[data-invite] img:visible")
    assert codes.evaluate_all("all => all.map(el => new URL(el.src).search)") == ["?for=player&n=1"]


def test_evening_shows_race_points_and_winner(evening, phone):
    """Of the newest game that is over: the one in progress says less."""
    page = phone.page
    page.goto(evening.url + "/evening")
    phone.wait_for_count(".race", 1)
    assert page.locator(".race").get_attribute("aria-label") == "The race: Ann 121, Bo 88"
    dashes = page.locator(".race-line").evaluate_all("all => all.map(el => el.getAttribute('stroke-dasharray'))")
    assert len(set(dashes)) == 2
    text = page.locator("main").inner_text()
    assert "Ann won with a skunk: 2 game points." in text
    assert "Best hand: Bo, 24 points." in text
    for line in (
        "crib\t28\t4",
        "Ann leads: Ann\u00a02, Bo\u00a01.",
        "Best hand: Bo, 24 points.",
        "Luckiest with the starter: Ann, 17.1 points more than average.",
        "The cards favoured Ann: worth 12.5\u00a0% of a game.",
        "Both chose equally well. Mistakes cost: Ann\u00a06.3\u00a0%, Bo\u00a06.3\u00a0%.",
        "\t2\tAnn\u00a02, Bo\u00a01\tBo\u00a024",
        "\t1\tBo\u00a01\t–",
        "luck\t+12.5\u00a0%\t−12.5\u00a0%",
        "on average\t79.5\t55.0",
        "luck of the starter\t+8.5\t−1.0",
        "Ann\u00a01, Bo\u00a01\tSix-card cribbage\t2 : 1",
        "Ann\t9\t4\t1\t5\t–",
    ):
        assert line in text
    looked = page.locator("a", has_text="Review this game").get_attribute("href")
    assert looked == "/review?table=3&game=1"
    assert phone.complaints == []


def test_a_game_is_taken_along_as_a_picture(evening, phone):
    page = phone.page
    page.goto(evening.url + "/evening")
    phone.wait_for_count("[data-share]", 1)
    with page.expect_download() as taken:
        page.locator("[data-share]").tap()
    assert taken.value.suggested_filename == "cribbage.png"
    data = Path(taken.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == 960
    assert len(data) > 8000  # an empty sheet of this size has a tenth of that
    assert phone.complaints == []


def sat(phone, stage):
    """The page of a phone that has taken a seat."""
    page = phone.open(stage.url)
    phone.open_menu(".my-seat summary")
    page.locator(f"[data-sit='{stage.seat}']").tap()
    assert posted(stage, phone) == [("seat", {"seat": stage.seat})]
    stage.posts.clear()
    return page


def test_seated_phone_plays_its_cards(stage, phone):
    stage.seat, stage.hand = 1, ["KS", "9C"]
    play = SCENES["six-card, the play"] | {"turn": 1, "count": 22}
    stage.show(**play)
    page = sat(phone, stage)
    phone.wait_for_count("[data-own]", 2)
    phone.wait_for_snapshot(stage.show(**play | {"moves": 50}))
    assert phone.visible_texts("[data-move=go]") == []
    page.locator("[data-own='9C']").tap()
    assert posted(stage, phone) == [("moves", {"type": "play", "seat": 1, "card": "9C"})]
    stage.hand = ["KS"]
    phone.wait_for_snapshot(stage.show(**play | {"moves": 51}))
    phone.wait_for_count("[data-own]", 1)
    phone.wait_for_snapshot(stage.show(**play | {"moves": 51, "count": 23}))
    assert phone.visible_texts("[data-move=go]") == ["Go"]


def test_cards_of_earlier_answer_do_not_return(stage, phone):
    stage.seat, stage.hand = 1, ["KS", "9C"]
    play = SCENES["six-card, the play"]
    stage.show(**play)
    page = sat(phone, stage)
    phone.wait_for_count("[data-own]", 2)
    page.evaluate(HOLD_FIRST_ANSWER, "/api/hand")
    stage.show(**play | {"moves": 50})
    phone.wait_until("isHeld", True)
    stage.hand = ["6H", "7H", "8H"]
    stage.show(**play | {"moves": 51})
    phone.wait_until("isLate", True)
    assert page.locator("[data-own]").evaluate_all("all => all.map(el => el.dataset.own)") == ["6H", "7H", "8H"]


@pytest.mark.parametrize("size", [(320, 568), (768, 1024), (844, 390)])
def test_my_cards_are_in_sight_without_a_scroll(stage, phones, size):
    stage.seat, stage.hand = 1, ["KS", "9C"]
    stage.show(**SCENES["six-card, the play"] | {"turn": 1})
    phone = phones(*size)
    sat(phone, stage)
    phone.wait_for_count("[data-own]", 2)
    lowest = "Math.max(...[...document.querySelectorAll('[data-own]')].map(el => el.getBoundingClientRect().bottom))"
    phone.wait_until(f"scrollY + {lowest} < innerHeight", True)


def test_hand_is_entered_on_seated_phone(stage, phone):
    stage.seat = 0
    stage.show(**SCENES["six-card, the play"])
    page = sat(phone, stage)
    phone.wait_for_count("[data-open=hand]", 1)
    page.locator("[data-open=hand]").tap()
    for card in ("5H", "KS", "5H"):
        page.locator(f"dialog[open] [data-card='{card}']").tap()
    page.locator("[data-keep]").tap()
    assert posted(stage, phone) == [("hand", {"cards": ["KS"]})]


def test_name_and_colour_are_kept(stage, phone):
    players = [{"seat": 0, "side": 0, "name": "Ann", "colour": "green"}, {"seat": 1, "side": 1, "name": "Blue"}]
    page = phone.open(stage.url, stage.show(players=players))
    places = "[...document.querySelectorAll('.plate.seat-0, .dot.seat-0')]"
    colours = f"{places}.map(each => getComputedStyle(each).backgroundColor)"
    assert page.evaluate(colours) == ["rgb(44, 122, 56)"]
    phone.open_menu(".names summary")
    assert page.evaluate(colours) == ["rgb(44, 122, 56)"] * 2
    page.locator("input[data-of='1']").fill("Bo")
    page.locator("[data-call='1']").tap()
    assert posted(stage, phone) == [("players", {"seat": 1, "name": "Bo", "colour": "blue"})]
    stage.posts.clear()
    phone.open_menu(".names summary")
    page.locator("input[data-of='1']").fill("Blue")
    page.locator("select[data-of='1']").select_option("white")
    page.locator("[data-call='1']").tap()
    assert posted(stage, phone) == [("players", {"seat": 1, "colour": "white"})]  # which the seat is then named after


def test_the_workshop_reports_a_faulty_device(stage, phone):
    lost = {"url": "sim:", "ok": False, "say": "The cable is out."}
    stage.show(devices=stage.snapshot["devices"] | {"cards": lost}, quarantined=["red-33"])
    phone.page.goto(stage.url + "/workshop")
    phone.wait_for_count(".plank .peg", 4)
    assert phone.visible_texts("[data-device=cards][data-ok=false]") == ["not working"]
    assert "The cable is out." in phone.page.locator("main").inner_text()
    assert "red 33" in phone.page.locator(".quarantined").inner_text()


def test_the_holes_are_lit_one_after_the_other(stage, phone):
    page = phone.page
    page.goto(stage.url + "/workshop")
    phone.wait_for_count("[data-light=next]:enabled", 1)
    for n, hole in enumerate(("red-start-1", "red-start-2", "red-1")):
        page.locator("[data-light=next]").tap()
        phone.wait_until("document.querySelector('[data-lit]').dataset.lit", hole)
        assert stage.posts[n] == ("lights", {"holes": [hole]})
    assert "red 1, 3 of 369" in page.locator("[data-lit]").inner_text()
    page.locator("[data-light=back]").tap()
    phone.wait_until("document.querySelector('[data-lit]').dataset.lit", "red-start-2")
    page.locator("[data-light=all]").tap()
    wait_until(lambda: stage.posts[-1] == ("lights", {}))


def test_workshop_shows_inputs_to_players(stage, phone):
    stage.seen = [{"ms": 9, "press": "go:0"}, {"ms": 5, "scan": "<0A01>"}]
    page = phone.page
    page.goto(stage.url + "/workshop")
    phone.wait_until("[...document.querySelectorAll('[data-seen]')].map(each => each.textContent)",
                ["Button go:0", "Card <0A01>"])  # fmt: skip
    stage.role = "watcher"
    phone.wait_for_text(".trying", "Players can test the hardware here.")


def test_deck_is_learned(stage, phone):
    page = phone.page
    page.goto(stage.url + "/workshop")
    phone.wait_for_count("[data-learns]", 1)
    page.locator("[data-learns]").tap()
    phone.wait_until("document.querySelector('[data-asked]').textContent.trim()", "Scan the ace of clubs.")
    said = "This is already the ace of clubs. Scan the 2 of clubs."
    stage.deck = {"asked": "2C", "missing": 2, "left": ["2C", "3C"], "said": said}
    phone.wait_for_text("[data-said]", said)
    page.locator("[data-learns='3C']").tap()
    phone.wait_until("document.querySelector('[data-asked]').dataset.asked", "3C")
    page.locator("[data-learns='']").tap()
    phone.wait_until("document.querySelector('[data-asked]').dataset.asked", "")
    assert stage.posts == [("deck", {"card": "next"}), ("deck", {"card": "3C"}), ("deck", {"card": None})]


def test_a_plain_board_lists_no_lamps(stage, phone):
    none = {name: {"url": "none:", "ok": True, "say": ""} for name in ("sensors", "lights", "buttons")}
    phone.open(stage.url, stage.show(devices=none | {"cards": stage.snapshot["devices"]["cards"]}))
    assert phone.page.locator("li[data-device]").evaluate_all("all => all.map(el => el.dataset.device)") == ["cards"]


def test_question_mark_opens_help_of_this_game(stage, phone):
    stage.role = "watcher"
    page = phone.open(stage.url)
    page.locator("[data-open=help]").tap()
    phone.wait_for_text("dialog[open] .lead", "Six-card cribbage")
    page.locator("dialog[open] summary", has_text="His nobs").tap()
    assert "The jack of the starter's suit in a hand or in the crib: one." in phone.visible_texts(
        "dialog[open] details p"
    )
    assert page.locator("h1").count() == 1
    assert phone.find_faults() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_read_without_scripts(stage, phones, scheme):
    phone = phones(320, 568, color_scheme=scheme)
    page = phone.page
    page.goto(stage.url + "/help/swap")
    assert page.locator("figure:visible").count() == 4
    assert phone.find_faults() == []
