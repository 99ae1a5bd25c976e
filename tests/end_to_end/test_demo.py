"""Simulated players at the simulated table: whole games, through the devices, and nothing is ever unclear."""

import time

from tests.support.waiting import PATIENCE_S

TABLES = {
    "two": [],
    "four": ["--seats", "4"],
    "three novices": ["--seats", "3", "--level", "novice"],
    "loop": ["--board", "loop-60"],
    "pegs": ["--game", "pegs-only"],
    "short": ["--board", "classic-61", "--option", "target=61"],
}


def enough(state):
    """Two deals, or of the pegs alone as many claims."""
    return state["moves"] >= (30 if state["game"]["key"] != "pegs-only" else 12)


def test_the_demo_plays_deal_after_deal_with_nothing_refused_and_nothing_asked(program, tmp_path):
    begun = {
        name: program("--demo", "--speed", "1000", *flags, quiet_ms=20, home=tmp_path / name)
        for name, flags in TABLES.items()
    }
    end, waiting, scored = time.monotonic() + PATIENCE_S, dict(begun), set()
    while waiting:
        for name, table in list(waiting.items()):
            state = table.state
            assert (name, state["notices"], state["question"]) == (name, [], None)
            scored |= {name} if max(state["scores"]) else set()
            if enough(state) and name in scored:  # a look at the moment when a new game begins says nothing
                waiting.pop(name).kill()
        assert time.monotonic() < end, {name: table.state for name, table in waiting.items()}
        time.sleep(0.1)
    assert scored == set(TABLES)


def test_a_demo_that_is_killed_is_taken_up_again(program):
    table = program("--demo", "--speed", "1000", quiet_ms=20)
    before = table.until(lambda now: now["moves"] >= 10)
    table.kill()
    table = program("--demo", "--speed", "1000", quiet_ms=20)
    after = table.until(lambda now: now["moves"] >= before["moves"] + 15)
    assert (after["notices"], after["question"]) == ([], None)


def test_a_game_begun_on_a_phone_is_what_the_demo_plays_from_then_on(program):
    table = program("--demo", "--speed", "10", quiet_ms=20)
    # At such a count every card fits: no go is under way, which would be told to the game that is begun.
    table.until(lambda now: now["moves"] >= 3 and now["phase"] == "play" and now["count"] <= 21)
    begun = table.post("/api/table", 201, game="pursuit", seats=3)
    after = table.until(lambda now: now["moves"] >= begun["moves"] + 10)
    assert (after["game"]["key"], after["notices"], after["question"]) == ("pursuit", [], None)
