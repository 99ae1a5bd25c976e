"""What was once read wrong, one short story a cause; found by `make perception`."""

import pytest

from companion.pegs import reader
from companion.pegs.events import Unclear


def rattle_hole(table, hole, times):
    for _ in range(times):
        table.lift(hole, after=10)
        table.place(hole, after=16)


def quarantine_hole(table, one):
    """Make a hole flicker until it is quarantined; it ends as it was."""
    for _ in range(6):
        table.lift(one, after=300)
        table.place(one, after=300)
    assert table.short_events == ["quarantined"]


def test_a_failing_home_holds_no_other_seats_peg(table):
    table = table("pursuit", seats=3, target=61, stands={0: (10, 26), 1: (-1, 18), 2: (38, 42)})
    lane = [table.hole_id(hole) for hole in table.routes[0].way]
    for _ in range(13):
        table.lift(lane[25], after=300)
        table.place(lane[25], after=300)
    table.lift(lane[7])
    table.place(lane[10])
    table.wait(700)
    assert table.short_events == ["quarantined"], "Green's peg is still on its way"
    table.lift(lane[10])
    table.place(lane[15])
    table.wait(1200)
    assert table.short_events == ["quarantined", ("pegged", 2, 4)]


def test_sensors_that_are_back_are_believed_from_their_next_report_on(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.play("lift red-10, place red-23")
    table.now_ms += 3000  # the cable is pulled: nothing is seen, nothing concluded
    table.reader = reader.on_sensors_back(table.reader, table.now_ms)
    assert table.wait(300) == []
    table.play("lift red-23 @0, place red-22 @0, wait 800")
    assert table.short_events == [("pegged", 0, 7)]


def test_a_game_given_up_starts_again_however_slowly_the_pegs_go_back(table):
    table = table(stands={0: (40, 50), 1: (70, 80)})
    table.play("lift red-40, place red-56, wait 1000, lift red-56 blue-70, place red-start-1 blue-start-1, wait 6000")
    table.play("lift red-50 blue-80, place red-start-2 blue-start-2, wait 1000")
    assert "quarantined" not in table.short_events
    assert table.short_events.count("started") == 1
    assert table.newest_question is None
    assert table.fronts == [0, 0]


def test_the_only_claim_put_back_names_the_holes_that_the_peg_went_between(table):
    table = table("loop-60", stands={0: (-1, 0), 1: (-1, 0)})
    table.play("lift red-start-2, place lane-10, wait 1000, lift lane-10, place red-start-2, wait 1000")
    undone = table.events[1][1]
    assert (table.hole_id(undone.origin), table.hole_id(undone.to)) == ("lane-10", "red-start-2")


def test_a_peg_that_rattles_as_it_comes_was_there_before_the_other_left(table):
    table = table("pursuit-square", seats=3, stands={0: (-1, 0), 1: (1, 2), 2: (0, 18)})
    blue, green = table.routes[1], table.routes[2]
    table.lift(*(table.hole_id(hole) for hole in (blue.way[0], blue.way[1])))
    table.place(table.hole_id(green.way[4]))
    table.lift(table.hole_id(green.way[4]), after=19)
    table.place(table.hole_id(green.way[4]), after=17)
    table.lift(table.hole_id(green.way[17]), after=193)
    table.wait(2500)
    assert all(kind != "undone" for kind, *_ in table.short_events)


def test_nothing_is_a_claim_until_a_board_knocked_over_is_put_right(table):
    table = table("loop-60", stands={0: (17, 21), 1: (12, 19)})
    homes = [table.hole_id(hole) for stand in table.reader.placements for hole in (stand.back, stand.front)]
    table.lift(*homes)
    table.place("lane-44", after=200)
    table.place(homes[1], after=800)
    table.wait(5000)
    assert table.short_events == []
    assert set(table.advice) == {"put_back"}
    table.lift("lane-44")
    for home in (homes[0], *homes[2:]):
        table.place(home)
    table.wait(2000)
    assert table.short_events == []
    assert table.advice == []


def test_a_claim_after_the_win_gets_a_reason(table):
    table = table(stands={0: (105, 121), 1: (90, 100)})
    table.play("lift blue-90, place blue-105, wait 1500")
    (question,) = (event for _, event in table.events)
    assert question.why == "Blue pegged 5, and the game is won."


def cards(table):
    return table(pegs_are_score=False, stands={0: (10, 15), 1: (20, 30)})


def test_points_given_by_phone_prove_that_a_stray_was_a_peg(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.play("place red-20, wait 20000")
    assert table.short_events == [("unclear", 0), "quarantined"], "a claim and a failing sensor look alike"
    question = table.newest_question
    assert question.why == "There is a peg in Red 20, but no peg has left its hole."
    assert [choice.move for choice in question.choices] == [
        {"type": "peg", "seat": 0, "points": 5}, None, {"type": "take_board"},
    ]  # fmt: skip
    table.owe((0, 5, "red-10", "red-20"))
    assert table.short_events[2:] == ["resolved", "trusted", "quarantined", ("pegged", 0, 5)]
    table.play("lift red-15, place red-28, wait 400")
    assert table.short_events[-1] == ("pegged", 0, 8)


@pytest.mark.parametrize("hands", [("red-10",), ("red-10", "red-15")])
def test_the_missing_peg_is_where_the_answer_says_and_that_sensor_is_ignored(table, hands):
    table = cards(table)
    table.lift(*hands[1:])  # its sensor dies
    table.owe((0, 5, "red-10", "red-20"))
    table.lift(hands[0], after=500)
    if len(hands) == 2:
        table.place("red-20")
    table.lift("blue-20", after=9000)  # this one is in a hand
    table.wait(2000)
    question = next(event for _, event in table.events if isinstance(event, Unclear))
    assert [choice.move for choice in question.choices] == [None, {"type": "take_board"}]
    table.take_board()
    assert table.fronts == [20, 30]
    assert [table.hole_id(hole) for hole in sorted(table.reader.facts.quarantine)] == [
        "red-20" if len(hands) == 1 else "red-15"
    ]
    table.play("place blue-34, wait 600")
    assert table.newest_question is None or table.newest_question.seat == 1


def test_a_claim_read_too_far_by_a_stuck_sensor_can_be_undone(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.lift("red-10")
    table.place("red-27")  # its sensor sticks; the peg is still in the hand
    table.play("wait 1000, place red-22, wait 1600")
    assert table.short_events == [("pegged", 0, 12), ("unclear", 0)]
    assert table.newest_question.choices[0].move == {"type": "adjust", "seat": 0, "points": -5}
    table.owe((0, -5, "red-27", "red-22"))
    assert table.fronts == [22, 30]
