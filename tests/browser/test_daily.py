"""The daily deal: what a discard costs, the count, a streak over days, a text to share, and a day without the table."""

import pytest

from companion.coach.advise import describe_daily_deal

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


def test_the_discard_has_its_cost_and_the_hand_its_count(daily):
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


def test_days_in_a_row_make_a_streak_and_each_has_its_own_deal(daily):
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


def test_a_page_that_stays_open_over_midnight_shows_the_new_deal(daily):
    phone = daily()
    phone.page.clock.set_fixed_time(f"{SATURDAY}T00:01")
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_until(
        "document.querySelector('[data-away]').dataset.away", describe_daily_deal(SATURDAY)["asked"]["hand"][0]
    )


def test_the_text_is_copied_where_it_cannot_be_shared_and_names_no_card(daily):
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


def test_a_day_is_played_without_the_table_once_its_deal_was_loaded(stage, daily):
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
