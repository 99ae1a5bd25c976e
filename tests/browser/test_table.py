"""A whole deal at a real table by taps and clicks, with a restart of the program in between."""

from time import perf_counter

import pytest

from tests.browser.people import Guest, PhonePlayers, PrivatePlayers

PLAY = ["5H", "TH", "5S", "KS", "AD", "4C", "7C", "6S"]
CRIB = ["2H", "3H", "9C", "QD"]
NOW = "fetch('/api/state').then(reply => reply.json())"


def scores(phone):
    return phone.page.locator("[data-side] [data-score]").all_text_contents()


def test_deal_is_tapped_pegged_and_resumed(program, phones):
    phone, bench = phones(), phones(1280, 800)
    page = phone.open(program.players)
    page.locator("[data-open=cards]").tap()
    for moves, card in enumerate(["5D", *PLAY], start=1):
        page.locator(f"button[data-card='{card}']").tap()
        phone.wait_until(f"{NOW}.then(now => now.moves)", moves)
    phone.wait_for_text("[data-turn]", "Red turns up the crib.")
    assert scores(phone) == ["12", "10"]

    for lying, card in enumerate(CRIB[:3], start=1):
        page.locator(f"button[data-card='{card}']").tap()
        phone.wait_for_text("[data-turn]", f"Red turns up the crib: {lying} of 4.")
    program.end()
    phone.wait_until("document.body.dataset.link !== 'live'", True)
    program.start()
    phone.wait_until("document.body.dataset.link", "live")
    phone.wait_until("document.body.dataset.role", "player")
    page.locator(f"button[data-card='{CRIB[3]}']").tap()
    phone.wait_until("document.body.dataset.phase", "between")
    assert scores(phone) == ["16", "10"]
    assert phone.visible_texts("[data-turn]") == ["Blue deals next."]
    phone.open_history()
    phone.wait_for_count("[data-part=history] li", 10)

    bench.page.request.get(program.players)
    page = bench.open(program.watchers + "bench")
    bench.wait_for_count(".pegs .peg", 4)
    for left in (1, 0):
        due = page.evaluate(f"{NOW}.then(now => now.dues)")[0]
        for hole in (due["lift"], due["place"]):
            page.locator(f"[data-hole='{hole}']").click(force=True)
        bench.wait_for_count("[data-due]", left)
    assert {peg["front"] for peg in page.evaluate(f"{NOW}.then(now => now.pegs)")} == {"red-16", "blue-10"}

    page.locator("[data-move=undo]").click()
    bench.wait_until("document.body.dataset.phase", "crib")
    assert scores(bench) == ["12", "10"]
    assert bench.visible_texts("[data-due]") == ["−4\nRed: front peg back to 12."]


def test_peg_put_too_far_is_shown_back(program, phones):
    phone = phones(1280, 800)
    phone.page.request.get(program.players)
    page = phone.open(program.watchers + "bench")
    for moves, card in enumerate(["5D", "5H", "TH"], start=1):
        page.locator(f"button[data-card='{card}']").tap()
        phone.wait_until(f"{NOW}.then(now => now.moves)", moves)
    phone.wait_for_count(".pegs .peg", 4)
    page.locator("[data-hole=red-start-2]").click(force=True)
    page.locator("[data-hole=red-3]").click(force=True)
    phone.wait_for_text(
        "[data-kind=over_pegged]",
        "Red pegged 3, the count is 2 (fifteen two).",
    )
    assert page.locator("[data-sign=wrong]").count() == 1
    page.locator("[data-hole=red-3]").click(force=True)
    page.locator("[data-hole=red-2]").click(force=True)
    phone.wait_for_count("[data-due], [data-kind]", 0)
    assert phone.complaints == []


PLAIN = [flag for device in ("sensors", "lights", "cards", "buttons") for flag in (f"--{device}", "none:")]
LINES = "[...document.querySelectorAll('[data-history]')].map(el => el.textContent.replace(/\\s+/g, ' ').trim())"


@pytest.fixture
def table(programs, phones):
    """Two players and a watcher at a board without sensors."""
    program = programs(*PLAIN)
    two, watcher = [phones(390, 844), phones(390, 844)], phones(320, 568)
    for phone in two:
        phone.open(program.players)
    watcher.open(program.watchers)
    return program, two, watcher


def until_its_end(key, **chosen):
    return pytest.param(key, chosen, id=key)


def slow(key, name="", **chosen):
    return pytest.param(key, chosen, id=name or key, marks=pytest.mark.long)


MAX_GAME_SHIFT = 0.1
"""Maximum sum of layout shifts of a whole game of any kind; those of six-card cribbage are below 0.02."""


def play_and_measure(players):
    """Play a game to its end and print what it cost. No tap is without an answer or refused, and little moves."""
    players.watch_page()
    began = perf_counter()
    last = players.play_until(lambda now: now["phase"] == "over" or "won" in now["said"])
    taps, dead, shift = players.read_taps()
    print(f"{taps} taps, {len(dead)} dead, {perf_counter() - began:.0f} s, layout shift {shift:.3f}")
    assert dead == []
    assert shift <= MAX_GAME_SHIFT
    return last


@pytest.mark.parametrize(("key", "chosen"), [
    until_its_end("pegs-only", target=61), slow("shuffle"), slow("six-card", target=61), slow("five-card"),
    slow("pursuit", seats=3), slow("bases", innings=1), slow("swap"),
    slow("six-card", "three", seats=3), slow("six-card", "partners", seats=4),
    slow("six-card", "claimed", counting="manual"), slow("six-card", "private", players=PrivatePlayers),
])  # fmt: skip
def test_a_whole_game_by_taps_alone(table, key, chosen):
    _, two, watcher = table
    players = chosen.pop("players", PhonePlayers)(two, rich=key == "pursuit")
    players.begin(key, **chosen)
    if key == "swap":  # who makes a figure is near the end then
        players.adjust_by_fives(0, 10)
        players.adjust_by_fives(1, 10)

    last = play_and_measure(players)

    assert "win" in last["said"] or "won" in last["said"]
    for phone in (*two, watcher):
        phone.wait_for_text("[data-turn]", last["said"])
        phone.wait_until("document.body.dataset.link", "live")
        phone.open_history()
        phone.wait_until("document.querySelectorAll('[data-history]').length >= 5", True)
    told = [phone.page.evaluate(LINES) for phone in (*two, watcher)]
    assert told[0] == told[1] == told[2]
    assert len(told[0]) >= 5
    assert watcher.page.locator("button[data-move]:visible:enabled, button[data-card]:visible:enabled").count() == 0
    assert [phone.complaints for phone in (*two, watcher)] == [[], [], []]


@pytest.mark.long
@pytest.mark.parametrize("level", ["novice", "club", "expert"])
def test_a_whole_game_against_the_companion(seeded_table, phones, level):
    phone = phones(390, 844)
    phone.open(seeded_table.players)
    guest = Guest([phone])
    guest.begin("six-card", level=level)
    play_and_measure(guest)
    phone.wait_for_count(".game-end [data-move=next]", 1)
    assert phone.complaints == []


@pytest.mark.long
def test_deal_is_corrected_and_game_resumed(table):
    """Both phones show the same cards, scores and history all the time."""
    _, two, _ = table
    players = PhonePlayers(two, seed=3)
    one, other = two
    players.begin("six-card", target=61)
    players.play_until(lambda now: now["phase"] == "crib")

    wrong = one.page.locator(".hands [data-correct]").first.get_attribute("data-correct")
    one.page.locator(f"[data-correct='{wrong}']").tap()
    one.page.locator("dialog[open] [data-card]:enabled").first.wait_for()
    free = one.page.locator("dialog[open] [data-card]:enabled").evaluate_all("all => all.map(el => el.dataset.card)")
    right = next(card for card in free if card[0] == wrong[0])
    one.page.locator(f"dialog[open] [data-card='{right}']").tap()
    for phone in two:
        phone.wait_until(f"document.querySelectorAll('[data-correct=\"{right}\"]').length", 1)
        assert phone.page.locator(f"[data-correct='{wrong}']").count() == 0

    players.play_until(lambda now: now["phase"] == "between")
    for phone in two:
        phone.open_history()
        phone.wait_until("document.querySelectorAll('[data-history]').length > 10", True)
    scores, told = players.read_page(one)["scores"], one.page.evaluate(LINES)
    for phone in two:
        phone.page.locator("dialog[open] [data-close]").tap()
    players.begin("pegs-only")
    players.phones = [other, one]
    players.tap_control(0, "[data-move=peg][data-seat='0'][data-points='7']")
    other.page.locator("[data-open=new-game]").first.tap()
    other.page.locator("dialog [data-resume]").first.tap()
    for phone in two:
        phone.wait_until("document.body.dataset.phase", "between")
        phone.open_history()
        phone.wait_until(f"{LINES}.length", len(told))
        assert phone.page.evaluate(LINES) == told
        assert players.read_page(phone)["scores"] == scores
        assert phone.complaints == []
