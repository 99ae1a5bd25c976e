"""Simulated players at the simulated table: whole games, through the devices, and nothing is ever unclear."""

import time

import pytest

from companion.coach import shuffle
from companion.coach.shuffle import layout_points
from companion.rules.cards import parse_card, parse_cards
from tests.support.waiting import PATIENCE_S, wait_until

DEMO = ("--demo", "--speed", "1000")
BASES = ("--game", "bases", "--option", "innings=1")


def run_demos(program, tmp_path, tables, is_done):
    """Run a demo with each of these flags until `is_done(name, table, state)`. Nothing is refused or asked."""
    begun = {name: program(*DEMO, *flags, quiet_ms=20, home=tmp_path / name) for name, flags in tables.items()}
    end = time.monotonic() + 2 * PATIENCE_S
    while begun:
        for name, table in list(begun.items()):
            state = table.state
            assert (name, state["notices"], state["question"]) == (name, [], None)
            if is_done(name, table, state):
                begun.pop(name).kill()
        assert time.monotonic() < end, {name: table.state for name, table in begun.items()}
        time.sleep(0.05)


def test_the_demo_plays_deal_after_deal(program, tmp_path):
    """Two deals, or of the pegs alone as many claims."""
    scored = set()

    def is_done(name, table, state):
        scored.update({name} if max(state["scores"]) else ())  # when a new game has just begun, nobody has points
        return name in scored and state["moves"] >= (30 if name != "pegs" else 12)

    tables = {
        "two": [], "four": ["--seats", "4"], "three novices": ["--seats", "3", "--level", "novice"],
        "loop": ["--board", "loop-60"], "pegs": ["--game", "pegs-only"],
        "short": ["--board", "classic-61", "--option", "target=61"],
    }  # fmt: skip
    run_demos(program, tmp_path, tables, is_done)
    assert scored == set(tables)


def test_whole_games_of_bases_put_no_peg_wrongly(program, tmp_path):
    phases = set()

    def is_done(name, table, state):
        assert not {advice["kind"] for advice in state["advice"]} & {"put_back", "take_off"}, (name, state["advice"])
        phases.add(state["phase"])
        if state["moves"] <= 60 or not table.finished_games():  # the end itself is soon over
            return False
        return table.until(lambda now: now["devices"]["sensors"]["ok"])

    tables = {
        "two": BASES,
        "four": (*BASES, "--seats", "4", "--option", "preset=harsh"),
        "counted by the players": (*BASES, "--option", "counting=manual", "--option", "muggins=on"),
    }
    run_demos(program, tmp_path, tables, is_done)
    assert phases >= {"cut", "play", "crib", "between"}


def test_whole_games_of_swap_reach_fifty(program, tmp_path):
    def is_done(name, table, state):
        if not (games := table.finished_games()):
            return False
        assert (name, max(games[0]) >= 50) == (name, True)
        assert sum(peg["front"].endswith(("start-1", "start-2")) for peg in state["pegs"]) <= 2
        return True

    tables = {"two": (), "four": ("--seats", "4"), "laid": ("--option", "start=random", "--option", "zigzag=stairs")}
    run_demos(program, tmp_path, {name: ("--game", "swap", *flags) for name, flags in tables.items()}, is_done)


@pytest.mark.parametrize(("game", "first", "more", "pegs"), [((), 10, 15, (2, 3, 4)), (BASES, 40, 30, (15, 16))])
def test_a_killed_demo_is_taken_up_again(program, game, first, more, pegs):
    table = program(*DEMO, *game, quiet_ms=20)
    before = table.until(lambda now: now["moves"] >= first)
    table.kill()
    table = program(*DEMO, quiet_ms=20)
    after = table.until(lambda now: now["moves"] >= before["moves"] + more)
    assert (after["notices"], after["question"]) == ([], None)
    assert len(table.occupied_holes()) in pegs  # all, or some are in a hand


def test_a_game_begun_on_a_phone_is_what_the_demo_plays_from_then_on(program):
    table = program("--demo", "--speed", "10", quiet_ms=20)
    # At such a count every card fits: no go is under way, which would be told to the game that is begun.
    table.until(lambda now: now["moves"] >= 3 and now["phase"] == "play" and now["count"] <= 21)
    begun = table.post("/api/table", 201, game="pursuit", seats=3)
    after = table.until(lambda now: now["moves"] >= begun["moves"] + 10)
    assert (after["game"]["key"], after["notices"], after["question"]) == ("pursuit", [], None)


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
    table = program(*DEMO, "--game", "pursuit", "--seats", "3", quiet_ms=20)
    before = watched(table, is_setting_up)
    assert (before["pegs"], before["dues"], len(before["alive"])) == ([], [], 2)
    table.kill()
    table = program(*DEMO, "--game", "pursuit", quiet_ms=20)
    after = watched(table, lambda now: now["pegs"] and now["phase"] == "play")
    assert (after["alive"], after["moves"] > before["moves"]) == (before["alive"], True)
    assert [p["seat"] for p in after["pegs"]] == before["alive"]
    over = watched(table, lambda now: now["phase"] == "over" or len(now["alive"]) == 3)
    assert over["phase"] != "over" or over["alive"] == [over["winner"]]  # a busy machine misses those 50 ms
    assert over["phase"] == "over" or table.finished_games()
    again = watched(table, lambda now: now["phase"] == "play" and now["pegs"])
    assert [p["seat"] for p in again["pegs"]] == again["alive"] == [0, 1, 2]


VECTOR = parse_cards("5H5S6D7C JDQCKHTS 4C4D6H6S 2C4S6C8C")
"""With the 5 of diamonds worth 92."""


def lit_count(table):
    return sum(map(any, table.get("/api/bench/lights").values()))


def test_layout_after_layout_is_brought_to_its_best_with_nothing_refused(program):
    table = program(*DEMO, "--game", "shuffle", quiet_ms=20)
    bests = []
    for _ in range(3):
        laid = table.until(lambda now: now["phase"] == "swap")
        assert (laid["notices"], laid["question"], laid["dues"]) == ([], None, [])
        best = table.until(lambda now, moves=laid["moves"]: now["phase"] == "lay" and now["moves"] > moves)
        assert best["last"]["move"] == {"type": "next"}
        bests.append(best["moves"] - laid["moves"])
    assert max(bests) > 1


def test_what_he_reaches_is_nearly_always_the_best_there_is(program):
    table = program("--game", "shuffle", "--demo", "--speed", "20", quiet_ms=20)
    total = wait_until(table.finished_games)[0][0]
    laid = table.get("/api/history")["moves"][0]["move"]
    grid, starter = tuple(map(parse_card, laid["cards"])), parse_card(laid["starter"])
    best = layout_points(shuffle.find_best_layout(grid, starter).grid, starter)
    assert best - 5 <= total <= best


def test_the_lights_follow_the_total(program):
    table = program("--game", "shuffle")
    table.move("lay", cards=list(map(str, VECTOR)), starter="5D")
    assert table.until(lambda _: lit_count(table) >= 61)["total"] == 92
    total = table.move("adjust", seat=0, points=-72)["total"]
    assert total == 20
    assert table.until(lambda _: lit_count(table) == 20)["winner"] == 0


def test_square_is_played_to_its_end_card_by_card(program):
    table = program(*DEMO, "--game", "shuffle", "--option", "variant=square", quiet_ms=20)
    table.until(lambda now: now["phase"] == "place" and any(any(row) for row in now["grid"]))
    after = table.until(lambda now: now["moves"] > 40)
    assert (after["notices"], after["question"]) == ([], None)


def test_a_demo_that_is_killed_with_cards_half_laid_lays_on(program):
    table = program("--game", "shuffle", "--demo", "--speed", "20", quiet_ms=20)
    table.until(lambda now: len(now.get("lying", ())) >= 3)
    table.kill()
    table = program()
    before = table.state
    assert len(before["lying"]) >= 3
    table.kill()
    table = program("--demo", "--speed", "20", quiet_ms=20)
    after = table.until(lambda now: now["phase"] == "swap")
    assert after["moves"] > before["moves"]
    assert after["notices"] == []


def test_a_demo_that_is_killed_goes_on_with_the_same_display_and_chips(program):
    table = program(*DEMO, "--game", "swap", quiet_ms=20)
    table.until(lambda now: now["moves"] >= 30 and max(now["scores"]) > 0)
    table.kill()
    table = program(quiet_ms=20)
    before = table.state
    table.kill()
    table = program("--demo", "--speed", "1000", quiet_ms=20)
    after = table.until(lambda now: now["moves"] >= before["moves"] + 20)
    assert min(now - then for now, then in zip(after["scores"], before["scores"], strict=True)) >= 0
    assert (after["notices"], after["question"]) == ([], None)
