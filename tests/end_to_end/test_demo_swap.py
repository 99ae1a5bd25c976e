"""Sackson swap by simulated players: tapped exchanges, pegged figures, whole games and the next one."""

import time

from tests.support.waiting import PATIENCE_S

FAST = ("--game", "swap", "--demo", "--speed", "1000")
TABLES = {"two": (), "four": ("--seats", "4"), "laid": ("--option", "start=random", "--option", "zigzag=stairs")}


def test_whole_games_are_played_with_nothing_refused_and_nothing_asked(program, tmp_path):
    begun = {name: program(*FAST, *flags, quiet_ms=20, home=tmp_path / name) for name, flags in TABLES.items()}
    end, waiting = time.monotonic() + 2 * PATIENCE_S, dict(begun)
    while waiting:
        for name, table in list(waiting.items()):
            now = table.state
            assert (name, now["notices"], now["question"]) == (name, [], None)
            if finished := table.finished_games():
                assert (name, max(finished[0]) >= 50) == (name, True)
                assert sum(peg["front"].endswith(("start-1", "start-2")) for peg in now["pegs"]) <= 2
                waiting.pop(name).kill()
        assert time.monotonic() < end, {name: table.state for name, table in waiting.items()}
        time.sleep(0.02)


def test_a_demo_that_is_killed_goes_on_with_the_same_display_and_chips(program):
    table = program(*FAST, quiet_ms=20)
    table.until(lambda now: now["moves"] >= 30 and max(now["scores"]) > 0)
    table.kill()
    table = program(quiet_ms=20)
    before = table.state
    table.kill()
    table = program("--demo", "--speed", "1000", quiet_ms=20)
    after = table.until(lambda now: now["moves"] >= before["moves"] + 20)
    assert min(now - then for now, then in zip(after["scores"], before["scores"], strict=True)) >= 0
    assert (after["notices"], after["question"]) == ([], None)
