"""A match of pursuit by simulated players at the simulated devices: through the loops, and on to the next match."""

import time

from tests.support.waiting import PATIENCE_S

FLAGS = ("--game", "pursuit", "--demo", "--speed", "1000")


def watched(table, right):
    """The first snapshot of which `right` is true; in none before it is anything refused or unclear."""
    end = time.monotonic() + PATIENCE_S
    while not right(now := table.state):
        assert (now["notices"], now["question"]) == ([], None)
        assert time.monotonic() < end, f"never came: {now}"
        time.sleep(0.005)
    return now


def is_setting_up(now):
    return bool(now["alive"]) and any(a["kind"] == "set_up" for a in now["advice"]) and now["phase"] == "between"


def test_a_match_goes_on_after_a_kill_in_the_middle_of_the_set_up_to_its_end_and_to_the_next(program):
    table = program(*FLAGS, "--seats", "3", quiet_ms=20)
    before = watched(table, is_setting_up)
    assert (before["pegs"], before["dues"], len(before["alive"])) == ([], [], 2)
    table.kill()
    table = program(*FLAGS, quiet_ms=20)
    after = watched(table, lambda now: now["pegs"] and now["phase"] == "play")
    assert (after["alive"], after["moves"] > before["moves"]) == (before["alive"], True)
    assert [p["seat"] for p in after["pegs"]] == before["alive"]
    over = watched(table, lambda now: now["phase"] == "over" or len(now["alive"]) == 3)
    assert over["phase"] != "over" or over["alive"] == [over["winner"]]  # a busy machine misses those 50 ms
    assert over["phase"] == "over" or table.finished_games()
    again = watched(table, lambda now: now["phase"] == "play" and now["pegs"])
    assert [p["seat"] for p in again["pegs"]] == again["alive"] == [0, 1, 2]
