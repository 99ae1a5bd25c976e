"""Each game from its first tap to its end on a plain board: two players' phones, one that watches, nothing else."""

import pytest
from browser.people import People

pytestmark = pytest.mark.browser

PLAIN = [flag for device in ("sensors", "lights", "cards", "buttons") for flag in (f"--{device}", "none:")]
LINES = "[...document.querySelectorAll('[data-history]')].map(el => el.textContent.replace(/\\s+/g, ' ').trim())"


@pytest.fixture
def table(programs, phones):
    """Two who play and one who watches, at a board that knows nothing."""
    program = programs(*PLAIN)
    two, watcher = [phones(390, 844), phones(390, 844)], phones(320, 568)
    for phone in two:
        phone.open(program.players)
        phone.until("document.body.dataset.role", "player")
    watcher.open(program.watchers)
    return program, two, watcher


def until_its_end(key, **chosen):
    return pytest.param(key, chosen, id=key)


def slow(key, **chosen):
    return pytest.param(key, chosen, id=key, marks=pytest.mark.long)


@pytest.mark.parametrize(("key", "chosen"), [
    until_its_end("pegs-only", target=61), until_its_end("shuffle"), slow("six-card", target=61), slow("five-card"),
    slow("pursuit", seats=2), slow("bases", innings=1), slow("swap"),
])  # fmt: skip
def test_a_whole_game_by_taps_alone(table, key, chosen):
    _, two, watcher = table
    people = People(two, rich=key == "pursuit")
    people.begin(key, **chosen)

    last = people.go_on(lambda now: now["phase"] == "over" or "won" in now["said"])

    assert "win" in last["said"] or "won" in last["said"]
    for phone in (*two, watcher):
        phone.until("document.querySelector('[data-turn]').textContent", last["said"])
        phone.until("document.body.dataset.link", "live")
    told = [phone.page.evaluate(LINES) for phone in (*two, watcher)]
    assert told[0] == told[1] == told[2]
    assert len(told[0]) >= 5
    assert watcher.page.locator("button[data-move]:visible:enabled, button[data-card]:visible:enabled").count() == 0
    assert [phone.complaints for phone in (*two, watcher)] == [[], [], []]
