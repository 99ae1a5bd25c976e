"""Cribbage shuffle by a simulated player: cards by the reader, swaps on the phone, the way to 61 in lights."""

from companion.coach import shuffle
from companion.coach.shuffle import layout_points
from companion.rules.cards import parse_card, parse_cards
from tests.support.waiting import wait_until

VECTOR = parse_cards("5H5S6D7C JDQCKHTS 4C4D6H6S 2C4S6C8C")
"""With the 5 of diamonds worth 92."""
FAST = ("--game", "shuffle", "--demo", "--speed", "1000")


def lit(table):
    return sum(map(any, table.get("/api/bench/lights").values()))


def test_layout_after_layout_is_brought_to_its_best_with_nothing_refused(program):
    table = program(*FAST, quiet_ms=20)
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
    assert table.until(lambda _: lit(table) >= 61)["total"] == 92
    total = table.move("adjust", seat=0, points=-72)["total"]
    assert total == 20
    assert table.until(lambda _: lit(table) == 20)["winner"] == 0


def test_square_is_played_to_its_end_card_by_card(program):
    table = program(*FAST, "--option", "variant=square", quiet_ms=20)
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
