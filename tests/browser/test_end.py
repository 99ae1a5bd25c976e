"""The end of a game, its review, and the list of moves."""

import json
from functools import cache
from pathlib import Path

import pytest

from companion.coach.review import review_game
from companion.server.routes.coach import _review_json
from tests.browser.conftest import MAX_SHIFT
from tests.browser.scenes import SCENES
from tests.browser.slow_answers import HOLD_FIRST_ANSWER
from tests.browser.test_around import sat
from tests.browser.test_controls import posted
from tests.plugins.arena.recorded_game import RecordedGame

NAMES = [{"seat": 0, "side": 0, "name": "Ann"}, {"seat": 1, "side": 1, "name": "Bo"}]
OVER = SCENES["six-card, the play"] | {
    "phase": "over", "winner": 1, "turn": None, "scores": [88, 121], "skunk": "skunk", "game_points": 2,
    "players": NAMES,
}  # fmt: skip
ENDED_HAND = SCENES["six-card, the play"] | {"moves": 99, "phase": "between"}
MOVES = [{"n": n, "by": "cards", "scores": [8 * n, 11 * n], "say": [f"Move {n}."], "move": {}} for n in range(1, 12)]
CARD = "document.querySelectorAll('.game-end .race').length"


@pytest.fixture
def ended(stage, phones):
    """A phone at a table whose game is over."""

    def shown(width=390, height=844, role="player", **taste):
        stage.role, stage.played = role, MOVES
        phone = phones(width, height, **taste)
        phone.open(stage.url, stage.show(**OVER))
        phone.wait_until(CARD, 1)
        phone.wait_until("document.body.dataset.role", role)
        return phone

    return shown


def test_end_shows_winner_race_and_ways_on(ended, stage):
    phone = ended()
    assert phone.visible_texts("[data-turn]") == ["Bo wins by 33: a skunk, worth 2 games."]
    assert phone.page.locator(".race-line").count() == 2
    assert phone.page.locator(".race").get_attribute("aria-label") == "The race: Ann 88, Bo 121"
    assert phone.visible_texts(".game-end .button") == ["Play again", "Review this game", "Share a picture"]
    again, race, card = (phone.page.locator(each).bounding_box() for each in (".game-end .main", ".race", ".game-end"))
    assert again["width"] > 0.85 * card["width"]
    assert again["y"] < race["y"]
    assert [text for text in phone.visible_texts(".bar .button") if text] == ["Undo"]
    phone.page.locator(".game-end .main").tap()
    assert posted(stage, phone) == [("moves", {"type": "next"})]
    phone.wait_for_snapshot(stage.show(**SCENES["six-card, the play"] | {"moves": 99}))
    assert phone.visible_texts(".game-end") == []
    phone.wait_for_snapshot(stage.show(**ENDED_HAND))
    assert phone.visible_texts("[data-move=next]") == ["Next hand"]


@pytest.mark.parametrize("way", ["board", "plain", "against"])
def test_the_end_takes_the_place_of_the_game(stage, phones, way):
    """Nothing that stays on the screen moves; the last count stands in the card."""
    stage.played, phone = MOVES, phones(390, 844, reduced_motion="reduce")
    pegs = {"pegs": "plain"} if way != "board" else {}
    against = {"against": {"seat": 1, "level": "club"}} if way == "against" else {}
    near_end = ENDED_HAND | {"players": NAMES, "scores": [88, 115], "game": stage.snapshot["game"] | pegs | against}
    phone.open(stage.url, stage.show(**near_end))
    phone.wait_until("document.querySelector('.picture').checkVisibility()", True)
    phone.note_shifts()
    stage.show(**near_end | {"phase": "over", "winner": 1, "turn": None, "scores": [88, 121]})
    phone.wait_until(CARD, 1)
    assert phone.read_shift() <= MAX_SHIFT
    assert phone.visible_texts(":is(.picture, .panel, .last-count)") == []
    assert phone.visible_texts(".game-end p") == ["Red played the 3 of diamonds."]
    phone.wait_for_snapshot(stage.show(**near_end))
    phone.wait_until("document.querySelector('.picture').checkVisibility()", True)


def test_share_picture_is_a_png_loaded_late(ended):
    phone = ended(role="watcher")
    page = phone.page
    loaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('share-image'))"
    assert not page.evaluate(loaded)
    with page.expect_download() as taken:
        page.locator("[data-share]").tap()
    data = Path(taken.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 8000  # an empty sheet of this size has a tenth of that
    assert page.evaluate(loaded)
    assert phone.complaints == []


@pytest.mark.parametrize("look", [(320, 568, "light"), (844, 390, "dark"), (1280, 800, "dark")], ids=str)
def test_axe_finds_nothing_at_the_end(ended, look):
    width, height, scheme = look
    phone = ended(width, height, color_scheme=scheme, reduced_motion="reduce")
    page = phone.page
    assert phone.find_faults() == []
    heights = page.locator(".game-end .choices .button").evaluate_all("all => all.map(el => el.offsetHeight)")
    assert set(heights) == {44}
    spare = page.locator(".plate .score").evaluate_all(
        "all => all.map(el => el.parentElement.getBoundingClientRect().right - el.getBoundingClientRect().right)"
    )
    assert min(spare) > 0


@cache
def recorded_review():
    """Return the review of a recorded game of three deals with five mistakes, of which the page shows three."""
    deals = iter((False, False, True))
    game = RecordedGame(11, until=lambda: next(deals))
    told = review_game(game.taken, ("Ann", "Bo"), game.wholes)
    return json.loads(
        json.dumps(
            _review_json(told, with_ranking=True) | {"table": 1, "game": 1, "over": True, "names": ["Ann", "Bo"]}
        )
    )


@pytest.fixture(scope="module")
def looked():
    return recorded_review()


@pytest.fixture
def back(stage, looked):
    stage.looked = looked
    return stage


@pytest.mark.parametrize("look", [(320, 568, "light"), (390, 844, "dark"), (1280, 800, "light")])
def test_review_fits_any_size(back, phones, look):
    width, height, scheme = look
    phone = phones(width, height, color_scheme=scheme)
    page = phone.page
    page.goto(back.url + "/review?table=1")
    phone.wait_until("document.querySelectorAll('.steps > li').length > 5", True)
    page.locator("details.step summary").first.tap()
    page.locator("[data-worst] button").first.tap()
    phone.wait_until("document.querySelectorAll('details[open] .odds li').length > 1", True)
    assert phone.find_faults() == []
    assert phone.complaints == []


def test_worst_choices_come_first_with_odds(back, phone, looked):
    page = phone.page
    page.goto(back.url + "/review?table=1")
    phone.wait_for_count("[data-worst]", 3)
    worst = looked["choices"][0]
    shown = phone.visible_texts("[data-worst] p")[0]
    assert shown.replace("\u00a0", " ") == f"Deal {worst['hand']}: {worst['say']}"
    assert " %" not in shown  # the sign never begins a line
    page.locator("[data-worst] button").first.tap()
    phone.wait_for_count("details[open] .odds li", len(worst["ranked"]))
    assert "best" in page.locator("details[open] .odds li").first.inner_text()
    assert page.locator("details[open] .odds .made").count() == 1
    wins = f"wins {100 * worst['ranked'][0]['win']:.1f}\u00a0%"
    assert wins in page.locator("details[open] .odds li").first.inner_text()


def test_second_of_two_deals_is_shown(back, phone):
    page = phone.page
    page.goto(back.url + "/review?table=1")
    phone.wait_until("document.querySelectorAll('.steps > li').length > 0", True)
    page.evaluate(HOLD_FIRST_ANSWER, "/api/review")
    page.locator(".deals [data-hand='1']").tap()
    phone.wait_until("isHeld", True)
    page.locator(".deals [data-hand='2']").tap()
    phone.wait_until("isLate", True)
    assert page.locator(".deal-steps h3").inner_text() == "Deal 2"


def test_perfect_and_unfinished_games_are_named(back, phone, stage):
    stage.looked = stage.looked | {"choices": [each | {"win_lost": 0} for each in stage.looked["choices"]]}
    phone.page.goto(back.url + "/review")
    phone.wait_for_count("[data-perfect]", 1)
    stage.looked = {"error": "The game is not over."}
    phone.page.reload()
    phone.wait_for_text("[data-refused]", "The game is not over.")
    assert phone.visible_texts("[data-looked] a") == ["To the table", "The evening", "Practise the discard"]
    reason, links = (phone.page.locator(f"[data-looked] {each}").bounding_box() for each in ("p", ".choices"))
    assert links["y"] >= reason["y"] + reason["height"] + 8


def test_the_end_of_a_game_leads_there(stage, phone):
    page = phone.open(stage.url)
    assert page.locator("[data-part=review] a, [data-part=end] a").count() == 0
    phone.wait_for_snapshot(stage.show(phase="over", winner=0, scores=[121, 90], turn=None))
    assert page.locator("[data-part=end] a").get_attribute("href") == "/review"
    phone.wait_for_snapshot(stage.show(game=stage.snapshot["game"] | {"options": {"hints": "on"}}))
    assert page.locator("[data-part=review] a").count() == 1


def test_two_cards_are_laid_away_by_three_taps(stage, phone):
    stage.seat, stage.hand = 0, ["5H", "5S", "KD", "2C", "9C", "JD"]
    page = sat(phone, stage)
    phone.wait_for_count(".card-button[data-away]", 6)
    assert page.locator("button[data-away='']").is_disabled()
    for card in ("KD", "2C", "9C"):  # the first of three is taken back
        page.locator(f"[data-away='{card}']").tap()
    page.locator("button[data-away='']").tap()
    assert posted(stage, phone) == [("hand", {"cards": ["5S", "5H", "JD", "KD"]})]
    stage.hand = ["5H", "5S", "KD", "JD"]
    phone.wait_for_snapshot(stage.show(moves=2))
    phone.wait_for_count("[data-own]", 4)
    assert page.locator("[data-away]:visible").count() == 0


LIST = "[...document.querySelectorAll('[data-history] .what')].map(el => el.textContent)"
PLAYED = ["Blue played the 10 of hearts.", "The 5 of diamonds was cut."]


@pytest.fixture
def table(program, phones):
    """A phone at a table where two cards were scanned."""
    phone = phones()
    phone.open(program.players)
    shown(phone, program, "5D", "TH")
    phone.open_history()
    phone.wait_until(LIST, PLAYED)
    return program, phone


def made(phone, program, **move):
    reply = phone.page.request.post(f"{program.watchers}api/moves", data=move)
    assert reply.status == 201, reply.text()
    return reply.json()


def shown(phone, program, *cards):
    for card in cards:
        made(phone, program, type="card", card=card)


def test_it_is_whole_after_a_reload(table):
    _, phone = table
    phone.page.reload()
    phone.open_history()
    phone.wait_until(LIST, PLAYED)


def test_history_is_loaded_only_while_open(table):
    program, phone = table
    asked = []
    phone.page.on("request", lambda request: "/api/history" in request.url and asked.append(request.url))
    phone.open_history()
    shown(phone, program, "5H")
    phone.wait_for_text("[data-count]", "15")
    assert (phone.visible_texts("[data-history]"), asked) == ([], [])
    phone.open_history()
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])
    assert len(asked) == 1


def test_it_is_whole_on_a_second_phone(table, phones):
    program, _ = table
    second = phones(1280, 800)  # a wide page shows it beside the board
    second.open(program.watchers)
    second.wait_until(LIST, PLAYED)


def test_it_is_whole_after_a_restart(table):
    program, phone = table
    program.end()
    phone.wait_until("document.body.dataset.link !== 'live'", True)
    program.start()
    phone.wait_until("document.body.dataset.link", "live")
    shown(phone, program, "5H")
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])
    phone.page.reload()
    phone.open_history()
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])


def test_history_is_whole_after_missed_snapshots(table, phones):
    program, phone = table
    other = phones(1280, 800)
    other.open(program.players)
    phone.page.context.set_offline(True)
    phone.wait_until("document.body.dataset.link", "lost")
    made(other, program, type="undo")
    shown(other, program, "JS", "5H", "6S")
    phone.page.context.set_offline(False)
    now = ["Blue played the 6 of spades.", "Red played the 5 of hearts.", "Blue played the jack of spades.", PLAYED[1]]
    phone.wait_until(LIST, now)
    other.wait_until(LIST, now)


def test_history_asks_only_for_new_moves(table):
    program, phone = table
    asked = []
    phone.page.on("request", lambda request: "/api/history" in request.url and asked.append(request.url.split("?")[1:]))
    shown(phone, program, "5H")
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])
    made(phone, program, type="undo")
    phone.wait_until(LIST, PLAYED)
    assert [len(query) for query in asked] == [1, 1, 0]  # after an undo alone the whole
    made(phone, program, type="undo")
    made(phone, program, type="undo")
    phone.wait_until(LIST, [])
