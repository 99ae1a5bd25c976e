"""What was once read wrong, one short story a cause; found by `make perception`."""

import pytest

from companion.pegs import reader


def rattle_hole(table, hole, times):
    for _ in range(times):
        table.lift(hole, after=10)
        table.place(hole, after=16)


def test_a_peg_that_rattles_as_it_is_lifted_is_not_a_failing_sensor(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    for _ in range(3):
        rattle_hole(table, "red-10", 1)
        table.lift("red-10", after=30)
        table.place("red-10", after=1200)
        rattle_hole(table, "red-10", 1)
    table.wait(2000)
    assert table.short_events == []


def quarantine_hole(table, one):
    """Make a hole flicker until it is quarantined; it ends as it was."""
    for _ in range(6):
        table.lift(one, after=300)
        table.place(one, after=300)
    assert table.short_events == ["quarantined"]


def test_a_home_that_comes_and_goes_is_not_believed_and_play_goes_on(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    quarantine_hole(table, "red-10")
    table.lift("red-15")
    table.place("red-20")
    table.wait(400)
    assert table.short_events == ["quarantined", ("pegged", 0, 5)]


def test_a_peg_out_of_a_home_not_believed_is_read_where_it_comes_to_rest(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    quarantine_hole(table, "red-10")
    table.lift("red-10", after=3000)
    for _ in range(6):  # a hand at work: its sensors are trusted
        table.touch("red-17", after=200)
        table.touch("red-18", after=200)
    table.place("red-18")
    table.wait(800)
    assert table.short_events == ["quarantined", ("pegged", 0, 3)]


def test_where_anothers_hand_has_just_been_the_own_peg_waits_no_longer(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.lift("blue-20")
    table.touch("red-20", ms=300, after=500)
    table.place("blue-20")
    table.lift("red-10", after=1000)
    table.place("red-20")
    table.wait(400)
    assert table.short_events == [("pegged", 0, 5)]


def test_a_due_that_was_to_wait_is_pegged_in_its_own_hole_as_another_leaves_it(table):
    table = table("loop-60", pegs_are_score=False, stands={0: (43, 50), 1: (8, 12)})
    table.owe((0, 3, "lane-43", "lane-53"), (1, 1, "lane-38", "blue-start-1"))
    table.lift("lane-43", after=500)
    table.lift("lane-38", after=200)
    table.place("lane-53", after=400)
    table.place("lane-43", after=300)
    table.wait(400)
    assert table.advice == []
    table.wait(1100)
    assert table.short_events == [("pegged", 0, 3), ("pegged", 1, 1)]


def test_with_another_peg_out_a_home_not_believed_keeps_its_own(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    quarantine_hole(table, "red-10")
    table.lift("blue-20", after=3000)
    table.place("red-18")
    table.wait(1500)
    assert table.short_events == ["quarantined", ("unclear", 1)]


def test_a_due_is_pegged_in_a_hole_not_believed(table):
    table = table(pegs_are_score=False, stands={0: (10, 15), 1: (20, 30)})
    for _ in range(4):
        table.touch("red-20", ms=300, after=300)
    assert table.short_events == ["quarantined"]
    table.owe((0, 5, "red-10", "red-20"))
    table.lift("red-10")
    table.place("red-20", after=1000)
    table.wait(399)
    assert table.short_events == ["quarantined"]
    table.wait(1)
    assert table.short_events == ["quarantined", ("pegged", 0, 5)]


def test_a_due_is_pegged_in_a_hole_that_never_rests(table):
    table = table(pegs_are_score=False, stands={0: (10, 15), 1: (20, 30)})
    table.owe((0, 5, "red-10", "red-20"))
    table.lift("red-10")
    table.touch("red-18", after=1000)
    for _ in range(12):
        table.touch("red-20", ms=100)
    table.wait(599)
    assert table.short_events == ["quarantined"], "no hand looks for its hole so often"
    table.wait(1)
    assert table.short_events == ["quarantined", ("pegged", 0, 5)], "3 s after the peg touched another hole"


def test_a_peg_that_rests_in_a_hole_not_believed_is_read_after_the_quiet_time(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    for _ in range(4):
        table.touch("red-20", ms=300, after=300)
    table.lift("red-10")
    table.place("red-20", after=1000)
    table.wait(399)
    assert table.short_events == ["quarantined"]
    table.wait(1)
    assert table.short_events == ["quarantined", "trusted", ("pegged", 0, 5)]


def test_a_hole_that_still_flaps_is_not_a_peg_though_one_is_out(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    for _ in range(4):
        table.touch("red-20", ms=500, after=500)
    table.lift("red-10", after=100)
    for _ in range(4):
        table.touch("red-20", ms=500, after=500)
    table.place("red-18")
    table.wait(1200)
    assert table.short_events == ["quarantined", ("pegged", 0, 3)]


def test_a_sensor_that_falls_silent_at_the_wrong_level_is_believed_no_more(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    for _ in range(6):
        table.lift("red-10", after=300)
        table.place("red-10", after=300)
    table.lift("red-10", after=300)
    table.wait(200_000)
    assert table.short_events == ["quarantined"], "everybody sees the peg in its hole"
    table.place("red-10")
    table.wait(60_000)
    assert table.short_events == ["quarantined", "trusted"]


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


def test_another_lanes_peg_may_rest_where_a_peg_is_still_counting(table):
    table = table(stands={0: (46, 67), 1: (45, 54)})
    table.lift("red-46")
    table.lift("blue-45", after=800)
    table.place("blue-76", after=60)  # Red's, on the wrong track
    for hole in ("blue-56", "blue-57", "blue-58"):
        table.touch(hole, ms=190, after=100)
    table.lift("blue-76")
    table.place("blue-60")
    table.place("red-76")
    table.wait(1000)
    assert table.short_events == [("pegged", 0, 9), ("pegged", 1, 6)]


def test_sensors_that_are_back_are_believed_from_their_next_report_on(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.lift("red-10")
    table.place("red-23")
    table.now_ms += 3000  # the cable is pulled: nothing is seen, nothing concluded
    table.reader = reader.on_sensors_back(table.reader, table.now_ms)
    assert table.wait(300) == []
    table.lift("red-23", after=0)
    table.place("red-22", after=0)
    table.wait(800)
    assert table.short_events == [("pegged", 0, 7)]


def test_a_home_of_anothers_refilled_is_believed_only_when_nothing_else_is_likely(table):
    table = table("loop-60", stands={0: (10, 15), 1: (-1, 3)})
    lane = [table.hole_id(hole) for hole in table.routes[0].way]
    table.lift(lane[9])
    table.lift("blue-start-2")
    table.place(lane[11])  # between Red's pegs: no claim of Red's with the back peg, but a touch on its way
    table.wait(600)
    assert table.short_events == []
    table.lift(lane[11])
    table.place(lane[19])
    table.place(lane[34])
    table.wait(1200)
    assert sorted(table.short_events) == [("pegged", 0, 5), ("pegged", 1, 2)]


def test_after_a_win_the_pegs_go_back_in_any_order_and_into_each_others_holes(table):
    table = table(stands={0: (110, 115), 1: (90, 100)})
    table.lift("red-110")
    table.place("red-121")
    table.wait(1000)
    table.lift("red-121")
    table.place("blue-start-1")
    table.wait(4000)
    table.lift("blue-90")
    table.place("red-start-2")
    table.wait(4000)
    table.lift("blue-100", "red-115")
    table.place("blue-start-2", "red-start-1", after=5000)
    table.wait(400)
    assert table.short_events == [("pegged", 0, 6), "started"]


def test_a_game_given_up_starts_again_however_slowly_the_pegs_go_back(table):
    table = table(stands={0: (40, 50), 1: (70, 80)})
    table.lift("red-40")
    table.place("red-56")
    table.wait(1000)
    table.lift("red-56", "blue-70")
    table.place("red-start-1", "blue-start-1")
    table.wait(6000)
    table.lift("red-50", "blue-80")
    table.place("red-start-2", "blue-start-2")
    table.wait(1000)
    assert "quarantined" not in table.short_events
    assert table.short_events.count("started") == 1
    assert table.newest_question is None
    assert table.fronts == [0, 0]


def test_the_only_claim_put_back_names_the_holes_that_the_peg_went_between(table):
    table = table("loop-60", stands={0: (-1, 0), 1: (-1, 0)})
    table.lift("red-start-2")
    table.place("lane-10")
    table.wait(1000)
    table.lift("lane-10")
    table.place("red-start-2")
    table.wait(1000)
    undone = table.events[1][1]
    assert (table.hole_id(undone.origin), table.hole_id(undone.to)) == ("lane-10", "red-start-2")


def test_several_claims_of_one_seat_put_back_at_once_are_undone_and_the_game_begins_again(table):
    table = table(stands={0: (-1, 0), 1: (-1, 0)})
    for lifted, placed in (("red-start-2", "red-4"), ("red-start-1", "red-9")):
        table.lift(lifted)
        table.place(placed)
        table.wait(1000)
    table.lift("red-4", "red-9")
    table.place("red-start-1", "red-start-2")
    table.wait(1000)
    assert table.short_events == [("pegged", 0, 4), ("pegged", 0, 5), ("undone", 0, 9), "started"]


def test_on_one_lane_a_peg_that_rattles_as_it_is_lifted_is_not_another_seats_touch(table):
    table = table("loop-60", stands={0: (20, 30), 1: (74, 96)})
    table.lift("lane-20")
    table.lift("lane-44", after=260)
    table.place("lane-44", after=8)
    table.lift("lane-44", after=26)
    table.place("lane-11", after=488)
    table.wait(500)
    assert table.short_events == [("pegged", 1, 5)]
    table.place("lane-41", after=100)
    table.wait(400)
    assert table.short_events == [("pegged", 1, 5), ("pegged", 0, 11)]


def test_a_peg_that_slips_while_the_board_is_tidied_after_a_win_is_not_an_undo(table):
    table = table(stands={0: (105, 115), 1: (90, 100)})
    table.lift("red-105")
    table.place("red-121")
    table.wait(1000)
    table.lift("blue-90")
    table.place("blue-start-1")
    table.lift("red-121")
    table.place("red-118")
    table.wait(900)
    assert table.short_events == [("pegged", 0, 6)]
    table.lift("red-118", "red-115", "blue-100")
    table.place("red-start-1", "red-start-2", "blue-start-2")
    table.wait(400)
    assert table.short_events == [("pegged", 0, 6), "started"]


def test_on_one_lane_a_hand_that_counts_elsewhere_delays_only_its_own_peg(table):
    table = table("loop-60", stands={0: (20, 30), 1: (74, 96)})
    table.lift("lane-20", "lane-44")
    table.touch("lane-33", ms=200)
    table.touch("lane-35", ms=200)
    table.place("lane-11")
    table.place("lane-37", after=100)
    table.wait(300)
    assert table.short_events == [("pegged", 1, 5)]
    table.wait(499)
    assert table.short_events == [("pegged", 1, 5)], "Red's peg has touched holes, and may be counting still"
    table.wait(1)
    assert table.short_events == [("pegged", 1, 5), ("pegged", 0, 7)]


def test_a_hand_that_passes_another_lane_once_delays_no_seat(table):
    table = table(stands={0: (51, 63), 1: (34, 39)})
    table.lift("red-63", "blue-39")
    table.place("red-75")
    table.touch("red-71", ms=240, after=100)
    table.wait(60)
    assert table.short_events == [("pegged", 0, 12)]


def test_a_hand_that_counts_along_another_lane_delays_its_peg_by_a_quiet_time_and_no_more(table):
    table = table(stands={0: (51, 63), 1: (34, 39)})
    table.lift("red-63", "blue-39")
    table.touch("red-83", ms=160)
    table.place("red-84")
    table.touch("red-71", ms=140, after=300)
    table.touch("red-72", ms=140, after=100)
    table.wait(399)
    assert table.short_events == []
    table.wait(1)
    assert table.short_events == [("pegged", 0, 21)]


def test_each_seat_has_its_own_story_where_one_by_one_all_left_their_homes(table):
    table = table(stands={0: (9, 17), 1: (23, 24)})
    table.lift("red-9", "red-17")
    table.place("red-19", "red-22", after=600)
    table.lift("blue-23", "blue-24", after=1450)
    table.wait(50)
    assert table.short_events == [("unclear", 0)]
    table.place("blue-24")
    table.place("blue-23")
    table.wait(9000)
    assert table.short_events == [("unclear", 0)], "asked once"


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


def test_a_due_of_two_scores_may_be_pegged_in_two_steps(table):
    table = table(pegs_are_score=False, stands={0: (10, 15), 1: (20, 30)})
    table.owe((0, 6, "red-10", "red-21"))
    table.lift("red-10")
    table.place("red-17")
    table.wait(1000)
    assert table.short_events == []
    assert table.advice == ["under_pegged"]
    table.lift("red-15")
    table.place("red-21")
    table.wait(400)
    assert table.short_events == [("pegged", 0, 6)]
    assert table.reader.placements[0] == table.stand(0, 17, 21)


def test_on_one_lane_a_due_is_read_while_another_hand_goes_elsewhere(table):
    table = table("loop-60", pegs_are_score=False, stands={0: (20, 30), 1: (74, 96)})
    table.owe((0, 4, "lane-20", "lane-34"), (1, 5, "lane-44", "lane-11"))
    table.lift("lane-20", "lane-44")
    table.place("lane-34")
    table.place("lane-8", after=300)
    table.wait(100)
    assert table.short_events == [("pegged", 0, 4)]


def test_on_one_lane_a_due_waits_for_a_hand_that_counts_along_there(table):
    table = table("loop-60", pegs_are_score=False, stands={0: (20, 30), 1: (-1, 2)})
    table.owe((0, 8, "lane-20", "lane-38"), (1, 12, "blue-start-2", "lane-44"))
    table.lift("lane-20", "blue-start-2")
    for hole in ("lane-36", "lane-37"):
        table.touch(hole, ms=300)
    table.touch("lane-38", ms=450)
    table.place("lane-44")
    table.wait(400)
    assert table.short_events == [("pegged", 1, 12)], "Red's peg is still in the hand"


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


def test_a_claim_with_which_all_pegs_rest_ends_a_board_knocked_over(table):
    table = table(stands={0: (17, 21), 1: (12, 19)})
    table.lift("red-17", "red-21", "blue-12", "blue-19")
    table.wait(11_700)
    assert table.short_events == [("unclear", None)]
    for hole in ("red-21", "red-26", "blue-12", "blue-19"):
        table.place(hole)
    table.wait(400)
    assert table.short_events == [("unclear", None), ("pegged", 0, 5), "resolved"]
    table.lift("blue-12", "red-21")
    table.place("blue-22")
    table.wait(400)
    assert table.short_events[3:] == [("pegged", 1, 3)], "other hands delay nothing any more"


def test_a_peg_lifted_again_after_a_question_is_out_from_then(table):
    table = table("loop-60", pegs_are_score=False, stands={0: (-1, 0), 1: (-1, 0)})
    table.owe((0, 2, "red-start-2", "lane-2"))
    table.lift("red-start-2")
    table.place("lane-2")
    table.lift("lane-2", after=1000)
    table.place("red-start-2")
    table.wait(6000)
    assert table.short_events == [("pegged", 0, 2), ("unclear", 0)]
    table.lift("red-start-2")
    table.wait(9999)
    assert len(table.short_events) == 2
    table.wait(1)
    assert len(table.short_events) == 3


def test_a_claim_after_the_win_gets_a_reason(table):
    table = table(stands={0: (105, 121), 1: (90, 100)})
    table.lift("blue-90")
    table.place("blue-105")
    table.wait(1500)
    (question,) = (event for _, event in table.events)
    assert question.why == "Blue pegged 5, and the game is won."


def test_on_one_lane_a_hand_that_has_touched_elsewhere_since_is_not_here(table):
    table = table("loop-60", pegs_are_score=False, stands={0: (20, 30), 1: (-1, 2)})
    table.owe((0, 8, "lane-20", "lane-38"), (1, 12, "blue-start-2", "lane-44"))
    table.lift("lane-20", "blue-start-2")
    table.touch("lane-36", ms=200)
    table.place("lane-38")
    table.touch("lane-40", ms=150, after=50)
    table.wait(200)
    assert table.short_events == [("pegged", 0, 8)], "at its quiet time"


def test_on_one_lane_an_ambiguous_touch_is_attributed_to_neither_hand(table):
    table = table("loop-60", stands={0: (20, 30), 1: (40, 49)})
    table.lift("lane-20", "lane-10")
    table.touch("lane-36", ms=200)
    table.place("lane-38")
    table.touch("lane-40", ms=150, after=50)
    table.wait(599)
    assert table.short_events == []
    table.wait(1)
    assert table.short_events == [("pegged", 0, 8)], "a counting hand's time later; no hand scores Blue's 19"


def test_a_peg_that_came_home_too_early_is_believed_in_the_new_game(table):
    table = table("loop-60", stands={0: (40, 62), 1: (-1, 37)})
    table.place("red-start-2")
    table.wait(5000)
    assert table.short_events == ["quarantined"]
    table.lift("lane-40")
    table.lift("lane-2")
    table.place("red-start-1")
    table.lift("lane-7")
    table.place("blue-start-1")
    table.wait(400)
    assert table.short_events[-2:] == ["started", "trusted"]
    table.lift("red-start-2")
    table.place("lane-11")
    table.wait(400)
    assert table.short_events[-1] == ("pegged", 0, 11)


def test_a_slow_hand_read_too_soon_is_corrected_by_what_cannot_be_a_claim(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.lift("red-10")
    table.place("red-18")
    table.wait(400)
    rattle_hole(table, "red-18", 1)
    table.lift("red-18", after=10)
    table.place("red-43")
    table.wait(1200)
    assert table.short_events == [("pegged", 0, 3), ("pegged", 0, 25)]


def cards(table):
    return table(pegs_are_score=False, stands={0: (10, 15), 1: (20, 30)})


def test_a_due_is_pegged_though_its_home_still_reports_the_peg(table):
    table = cards(table)
    table.owe((0, 5, "red-10", "red-20"))
    table.place("red-20")
    table.wait(1499)
    assert table.short_events == []
    table.wait(1)
    assert table.short_events == ["quarantined", ("pegged", 0, 5)]
    table.wait(200_000)
    assert table.short_events == ["quarantined", ("pegged", 0, 5)], "the home stays out of use while it is lit"


def test_points_given_by_phone_prove_that_a_stray_was_a_peg(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.place("red-20")
    table.wait(20_000)
    assert table.short_events == [("unclear", 0), "quarantined"], "a claim and a failing sensor look alike"
    question = table.newest_question
    assert question.why == "There is a peg in Red 20, but no peg has left its hole."
    assert [choice.move for choice in question.choices] == [
        {"type": "peg", "seat": 0, "points": 5}, None, {"type": "take_board"},
    ]  # fmt: skip
    table.owe((0, 5, "red-10", "red-20"))
    assert table.short_events[2:] == ["resolved", "trusted", "quarantined", ("pegged", 0, 5)]
    table.lift("red-15")
    table.place("red-28")
    table.wait(400)
    assert table.short_events[-1] == ("pegged", 0, 8)


def test_a_home_that_has_been_lit_for_long_is_not_trusted_again_before_its_due_is_pegged(table):
    table = cards(table)
    table.wait(100_000)
    table.owe((0, 5, "red-10", "red-20"))
    table.place("red-20")
    table.wait(1500)
    assert table.short_events == ["quarantined", ("pegged", 0, 5)]


def test_another_seats_peg_in_the_hole_of_a_due_does_not_prove_a_stuck_home(table):
    table = cards(table)
    table.owe((0, 5, "red-10", "red-20"))
    table.lift("blue-20")
    table.place("red-20")
    table.wait(1400)
    assert table.short_events == []
    table.lift("red-20")
    table.place("blue-20")
    table.wait(20_000)
    assert ("pegged", 0, 5) not in table.short_events
    assert "quarantined" not in table.short_events


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
    question = next(event for _, event in table.events if isinstance(event, reader.Unclear))
    assert [choice.move for choice in question.choices] == [None, {"type": "take_board"}]
    table.take_board()
    assert table.fronts == [20, 30]
    assert [table.hole_id(hole) for hole in sorted(table.reader.facts.quarantine)] == [
        "red-20" if len(hands) == 1 else "red-15"
    ]
    table.place("blue-34")
    table.wait(600)
    assert table.newest_question is None or table.newest_question.seat == 1


def test_a_hole_that_holds_no_peg_is_asked_about_once_and_then_ignored(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.place("red-20")
    table.wait(1600)
    table.take_board()
    table.wait(3000)
    assert table.short_events == [("unclear", 0), "resolved", "quarantined"]
    table.lift("red-10")
    table.place("red-17")
    table.wait(20_000)
    assert table.short_events[3:] == [("pegged", 0, 2)]


def test_a_sensor_that_sticks_as_the_peg_is_lifted_is_not_the_peg(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.place("red-27")
    table.lift("red-10", after=6)
    table.touch("red-16", ms=150, after=1000)
    table.place("red-22")
    table.wait(2000)
    assert table.short_events == [("pegged", 0, 7), "quarantined"]


def test_a_claim_read_too_far_by_a_stuck_sensor_can_be_undone(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.lift("red-10")
    table.place("red-27")  # its sensor sticks; the peg is still in the hand
    table.wait(1000)
    table.place("red-22")
    table.wait(1600)
    assert table.short_events == [("pegged", 0, 12), ("unclear", 0)]
    assert table.newest_question.choices[0].move == {"type": "adjust", "seat": 0, "points": -5}
    table.owe((0, -5, "red-27", "red-22"))
    assert table.fronts == [22, 30]


def test_a_worn_contact_in_the_hole_of_a_claim_is_not_a_failing_sensor(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.place("red-20")
    for _ in range(6):
        table.lift("red-20", after=8)
        table.place("red-20", after=8)
    table.wait(2000)
    assert table.short_events == [("unclear", 0)]


def test_points_of_one_player_do_not_answer_a_question_about_another(table):
    table = cards(table)
    table.lift("red-10")
    table.place("red-19")
    table.wait(2000)
    assert table.short_events == [("unclear", 0)]
    table.adopt(15, 34)
    assert table.short_events == [("unclear", 0)]
    assert table.fronts == [15, 30]
    table.adopt(19, 34)
    assert table.short_events == [("unclear", 0), "resolved"]
    assert table.fronts == [19, 30]
