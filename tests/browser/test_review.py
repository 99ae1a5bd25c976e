"""The review page: the most expensive choices, and each deal with the alternatives."""

import json
from functools import cache

import pytest

from companion.coach.review import review_game
from companion.server.routes.coach import _review_json
from tests.browser.slow_answers import HOLD_FIRST_ANSWER
from tests.browser.test_around import sat
from tests.browser.test_controls import posted
from tests.plugins.arena.recorded_game import RecordedGame


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
def test_a_game_is_looked_back_on_at_any_size(back, phones, look):
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


def test_the_worst_come_first_and_what_if_shows_the_odds(back, phone, looked):
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


def test_of_two_deals_asked_for_at_once_the_second_is_shown(back, phone):
    page = phone.page
    page.goto(back.url + "/review?table=1")
    phone.wait_until("document.querySelectorAll('.steps > li').length > 0", True)
    page.evaluate(HOLD_FIRST_ANSWER, "/api/review")
    page.locator(".deals [data-hand='1']").tap()
    phone.wait_until("isHeld", True)
    page.locator(".deals [data-hand='2']").tap()
    phone.wait_until("isLate", True)
    assert page.locator(".deal-steps h3").inner_text() == "Deal 2"


def test_a_perfect_game_is_named_and_an_unfinished_game_is_not_reviewed(back, phone, stage):
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
