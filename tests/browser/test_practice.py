"""The practice page and the daily deal: what a discard costs, streaks, a text to share, and a day without the table."""

from functools import cache

import pytest

from companion.coach import advise
from companion.coach.advise import describe_daily_deal
from companion.server.routes.coach import deal_practice_hand
from tests.browser.conftest import SMALL
from tests.browser.slow_answers import HOLD_FIRST_ANSWER
from tests.browser.test_around import sat


@cache
def ranked_deal():
    """Return a deal to practise with, and its discards from the best to the worst."""
    asked = deal_practice_hand("six-card", 3)
    return {"seed": 3, "asked": asked, "ranked": advise.answer_question(asked)["choices"]}


@pytest.fixture
def deal(stage):
    stage.deal = ranked_deal()
    return stage.deal


def laid(phone, cards):
    for each in cards:
        phone.page.locator(f"[data-away='{each}']").tap()
    phone.page.locator("[data-lay]").tap()


def test_best_discard_is_shown_and_score_remembered(stage, phone, deal):
    page = phone.page
    page.goto(stage.url + "/train")
    phone.wait_for_count("[data-away]", 6)
    assert page.locator("[data-lay]").is_disabled()
    laid(phone, deal["ranked"][0]["discard"])
    phone.wait_for_count(".odds li", 15)
    assert page.locator("[data-score]").inner_text().startswith("1 of 1 best. Lost per deal: 0.0\u00a0%")
    page.locator("[data-next]").tap()
    phone.wait_for_count("[data-away]", 6)
    laid(phone, deal["ranked"][-1]["discard"])
    page.reload()
    phone.wait_until("document.querySelector('[data-score]')?.textContent.startsWith('1 of 2 best')", True)
    page.locator("[data-forget]").tap()
    assert page.locator("[data-score]").inner_text() == "No deal played yet."


def test_second_of_two_games_is_dealt(stage, phone, deal):
    page = phone.page
    page.goto(stage.url + "/train")
    phone.wait_for_count("[data-away]", 6)
    page.evaluate(HOLD_FIRST_ANSWER, "/api/train")
    stage.deal = deal | {"asked": deal["asked"] | {"hand": deal["asked"]["hand"][:5]}}
    page.locator("[data-game=five-card]").tap()
    phone.wait_until("isHeld", True)
    stage.deal = deal
    page.locator("[data-game=six-card]").tap()
    phone.wait_until("isLate", True)
    assert page.locator("[data-away]").count() == 6


def test_hint_is_offered_where_allowed(stage, phone, deal):
    stage.seat, stage.hand = 0, deal["asked"]["hand"]
    page = sat(phone, stage)
    phone.wait_for_count(".card-button[data-away]", 6)
    assert page.locator("[data-hint]").count() == 0
    phone.wait_for_snapshot(stage.show(moves=2, game=stage.snapshot["game"] | {"options": {"hints": "on"}}))
    page.locator("[data-hint]").tap()
    phone.wait_for_count(".hints li", 3)
    best = deal["ranked"][0]
    worth = f": wins {100 * best['win']:.1f}\u00a0%, {best['points']:.1f}\u00a0points"
    assert page.locator(".hints li").first.inner_text().endswith(worth)
    phone.wait_for_snapshot(stage.show(moves=3, game=stage.snapshot["game"]))
    assert page.locator(".hints li").count() == 0


@pytest.mark.parametrize("look", [(320, 568, "dark"), (390, 844, "light")])
def test_it_fits_a_phone(stage, phones, deal, look):
    width, height, scheme = look
    phone = phones(width, height, color_scheme=scheme)
    page = phone.page
    page.goto(stage.url + "/train")
    phone.wait_for_count("[data-away]", 6)
    laid(phone, deal["ranked"][2]["discard"])
    phone.wait_for_count(".odds .made", 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    rows = (
        "new Set([...document.querySelector('.asked .cards').children].map(el => el.getBoundingClientRect().top)).size"
    )
    assert page.evaluate(rows) == 1
    assert phone.find_faults() == []
    assert phone.complaints == []


@pytest.mark.parametrize("path", ["/train", "/daily"])
def test_six_cards_are_one_row(stage, phones, deal, path):
    phone = phones(320, 568)
    phone.page.goto(stage.url + path)
    phone.wait_for_count("[data-away]", 6)
    tops = "new Set([...document.querySelectorAll('[data-away]')].map(each => each.getBoundingClientRect().top)).size"
    assert phone.page.evaluate(tops) == 1
    assert phone.page.evaluate(SMALL) == []


FRIDAY, SATURDAY = "2026-01-30", "2026-01-31"
DEAL = describe_daily_deal(FRIDAY)
BEST, WORST = DEAL["ranked"][0], DEAL["ranked"][-1]
KEPT = """caches.open('pages').then(kept => kept.keys())
    .then(all => all.map(each => each.url.slice(location.origin.length)).sort())"""


@pytest.fixture
def daily(stage, phones):
    """Return a function that opens the page on a phone whose clock stands at noon of a day."""

    def open_page(day=FRIDAY, *size, phone=None, **taste):
        phone = phone or phones(*size, new=True, **taste)
        phone.page.clock.set_fixed_time(f"{day}T12:00")
        phone.page.goto(stage.url + "/daily")
        phone.wait_until("!!document.querySelector('[data-away], [data-verdict], [data-retry]')", True)
        return phone

    return open_page


def is_as_good(choice):
    return (choice["win"], choice["points"]) == (BEST["win"], BEST["points"])


def discard(phone, cards):
    for each in cards:
        phone.page.locator(f"[data-away='{each}']").tap()
    phone.page.locator("[data-lay]").tap()


def test_discard_has_cost_and_hand_its_count(daily):
    phone = daily()
    page = phone.page
    assert page.locator("[data-lay]").is_disabled()
    discard(phone, WORST["discard"])
    lost = [100 * (BEST["win"] - WORST["win"]), BEST["points"] - WORST["points"]]
    verdict = f"Number 15 of 15: it costs {lost[0]:.1f}\u00a0% of your chance to win, {lost[1]:.1f} points. Best: "
    assert phone.visible_texts("[data-verdict]")[0].startswith(verdict)
    assert page.evaluate("document.activeElement.dataset.verdict") == ""
    costs = [f"costs {100 * (BEST['win'] - each['win']):.1f}\u00a0%" for each in DEAL["ranked"] if not is_as_good(each)]
    assert phone.visible_texts(".odds [data-cost]") == costs
    worth = WORST["count"]
    page.locator("input").fill(str(worth["points"] + 1))
    page.keyboard.press("Enter")
    counted = f"You said {worth['points'] + 1}. Your hand is worth {worth['points']}: {worth['say']}."
    assert phone.visible_texts("[data-worth]") == [counted]
    assert phone.visible_texts("[data-text]")[0].split("\n")[1:] == [
        f"Discard: number 15 of 15, −{lost[0]:.1f}\u00a0%",
        "Count: wrong",
        "Streak: 1 day.",
    ]
    daily(phone=phone)  # the day's deal is played once
    assert phone.visible_texts("[data-worth]") == [counted]
    assert phone.complaints == []


def test_days_in_a_row_make_a_streak(daily):
    phone = daily()
    discard(phone, BEST["discard"])
    assert phone.visible_texts("[data-verdict]") == ["The best discard!"]
    phone.page.locator("[data-reveal]").tap()
    assert phone.visible_texts("[data-worth]") == [
        f"Your hand is worth {BEST['count']['points']}: {BEST['count']['say']}."
    ]
    daily(SATURDAY, phone=phone)
    other = describe_daily_deal(SATURDAY)
    hand = phone.page.locator("[data-away]").evaluate_all("all => all.map(el => el.dataset.away)")
    assert hand == other["asked"]["hand"] != DEAL["asked"]["hand"]
    assert phone.visible_texts("[data-streak]") == ["Streak: 1 day. Best discards: 1 of 1."]
    discard(phone, other["ranked"][0]["discard"])
    assert phone.visible_texts("[data-streak]") == ["Streak: 2 days. Best discards: 2 of 2."]
    daily("2026-02-02", phone=phone)
    assert phone.visible_texts("[data-streak]") == ["Streak: 0 days. Best discards: 2 of 2."]


def test_page_open_over_midnight_shows_new_deal(daily):
    phone = daily()
    phone.page.clock.set_fixed_time(f"{SATURDAY}T00:01")
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_until(
        "document.querySelector('[data-away]').dataset.away", describe_daily_deal(SATURDAY)["asked"]["hand"][0]
    )


def test_copied_text_names_no_card(daily):
    phone = daily()
    page = phone.page
    page.evaluate("""delete Navigator.prototype.share; window.copied = [];
        navigator.clipboard.writeText = text => { copied.push(text); return Promise.resolve(); }; null""")
    discard(phone, BEST["discard"])
    page.locator("input").fill(str(BEST["count"]["points"]))
    page.keyboard.press("Enter")
    page.locator("[data-share]").tap()
    phone.wait_for_text("[data-shared]", "Copied.")
    text = "Cribbage, daily deal of 2026-01-30\nDiscard: the best of 15\nCount: right\nStreak: 1 day."
    assert page.evaluate("copied") == [text]
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); null")
    page.locator("[data-share]").tap()
    phone.wait_for_text("[data-shared]", "Copy the selected text.")
    assert page.evaluate("getSelection().toString()") == text


def test_loaded_deal_is_played_without_the_table(stage, daily):
    phone = daily()
    phone.wait_until(KEPT, ["/api/constants", f"/api/daily?date={FRIDAY}", "/daily"])
    phone.wait_until("navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)", True)
    port = stage.port
    stage.close()
    try:
        daily(phone=phone)
        discard(phone, BEST["discard"])
        assert phone.visible_texts("[data-verdict]") == ["The best discard!"]
        daily(phone=phone)
        assert phone.visible_texts("[data-verdict]") == ["The best discard!"]
        daily(SATURDAY, phone=phone)
        assert phone.visible_texts("[data-daily] p") == ["The table does not answer. Try again."]
    finally:
        stage.open(port)
    phone.page.locator("[data-retry]").tap()
    phone.wait_for_count("[data-away]", 6)
    phone.wait_until(KEPT, ["/api/constants", f"/api/daily?date={SATURDAY}", "/daily"])


def test_the_whole_deal_goes_by_keyboard(daily):
    phone = daily(FRIDAY, 1280, 800)
    page = phone.page

    def press(name):
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent") == name:
                return page.keyboard.press("Enter")
        raise AssertionError(f"Tab does not reach {name}.")

    names = page.locator("[data-away]").evaluate_all("all => all.map(el => el.ariaLabel)")
    press(names[0])
    press(names[3])
    press("Discard to crib")
    assert page.evaluate("document.activeElement.tagName") == "H2"
    page.keyboard.press("Tab")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    assert phone.visible_texts("[data-worth]")[0].startswith(("Right! ", "You said 0. "))
    press("Share")


@pytest.mark.parametrize("look", [(320, 568, "dark"), (390, 844, "light"), (1280, 800, "dark"), (1920, 1080, "light")])
def test_it_fits_every_screen(daily, look):
    width, height, scheme = look
    phone = daily(FRIDAY, width, height, color_scheme=scheme)
    for step in (lambda: None, lambda: discard(phone, WORST["discard"]), lambda: phone.tap("[data-reveal]")):
        step()
        assert phone.find_faults() == []
    assert phone.complaints == []
