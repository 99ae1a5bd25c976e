"""'Round the Bases played by simulated players through the simulated devices: whole games, every peg, every die."""

import time

from tests.support.waiting import PATIENCE_S, wait_until

TABLES = {
    "two": [],
    "four": ["--seats", "4", "--option", "preset=harsh"],
    "counted by the players": ["--option", "counting=manual", "--option", "muggins=on"],
}
FAST = ["--game", "bases", "--demo", "--speed", "1000", "--option", "innings=1"]


def test_whole_games_are_played_with_nothing_refused_and_no_peg_put_wrongly(program, tmp_path):
    begun = {name: program(*FAST, *flags, quiet_ms=20, home=tmp_path / name) for name, flags in TABLES.items()}
    end, waiting = time.monotonic() + 2 * PATIENCE_S, dict(begun)
    seen = {name: set() for name in begun}
    while waiting:
        for name, table in list(waiting.items()):
            state = table.state
            assert (name, state["notices"], state["question"]) == (name, [], None)
            assert not {advice["kind"] for advice in state["advice"]} & {"put_back", "take_off"}, (
                name,
                state["advice"],
            )
            seen[name].add(state["phase"])
            if state["moves"] > 60 and table.finished_games():  # the end itself is soon over
                waiting.pop(name).until(lambda now: now["devices"]["sensors"]["ok"])
                table.kill()
        assert time.monotonic() < end, {name: table.state for name, table in waiting.items()}
        time.sleep(0.05)
    assert set().union(*seen.values()) >= {"cut", "play", "crib", "between"}


def test_a_demo_that_is_killed_is_taken_up_again_pegs_and_all(program):
    table = program(*FAST, quiet_ms=20)
    before = table.until(lambda now: now["moves"] >= 40)
    table.kill()
    table = program("--demo", "--speed", "1000", quiet_ms=20)
    after = table.until(lambda now: now["moves"] >= before["moves"] + 30)
    assert (after["notices"], after["question"]) == ([], None)
    assert len(table.occupied_holes()) in (15, 16)  # or one is in a hand


def test_the_dice_button_lights_rolls_and_tumbles_and_own_dice_come_by_phone(program):
    table = program("--game", "bases")

    def dice():
        return table.get("/api/bench/dice")

    assert wait_until(lambda: dice()["button"])
    assert len(table.occupied_holes()) == 16

    def has_tumbled():
        """Roll the first die; on a machine too busy to see its faces, undo the roll."""
        table.press("dice")
        assert table.state["last"]["move"]["seat"] == 0
        faces = {str(dice()["pips"])}
        while not (now := dice())["button"]:
            faces.add(str(now["pips"]))
        return len(faces) > 4 or (table.move("undo") and None)

    assert wait_until(has_tumbled)
    first = table.state["last"]["move"]["dice"][0]
    assert wait_until(lambda: dice()["button"])
    now = table.move("roll", seat=1, dice=[7 - first])
    assert now["phase"] == "cut"
    assert wait_until(lambda: not dice()["button"])
    assert wait_until(lambda: [sum(map(bool, map(sum, die))) for die in dice()["pips"]] == [first, 7 - first])


def test_a_game_is_resumed_with_every_peg_where_it_stood(program):
    table = program("--game", "bases", "--dealer", "0")
    table.scan("JD")
    (advice,) = table.until(lambda now: now["advice"])["advice"]
    table.lift(advice["lift"])
    table.place(advice["place"])
    table.until(lambda now: not now["advice"])
    table.lift("outs-0")
    table.place("outs-3")
    (told,) = table.until(lambda now: any(a.get("lift") for a in now["advice"]))["advice"]
    before = table.occupied_holes()
    table.kill()
    table = program()
    assert table.occupied_holes() == before
    again = table.until(lambda now: now["advice"])["advice"]
    assert [(a["lift"], a["place"]) for a in again] == [("outs-3", "outs-0")] == [(told["lift"], told["place"])]
    assert sorted(marker["hole"] for marker in table.state["markers"]) == before
