"""Reading pegs: claims, dues, corrections, the start, the pace of hands, and what was once read wrong."""

import pytest

from companion.pegs import pipeline, reader
from companion.pegs.assignment import LaneGroup
from companion.pegs.events import Pegged, encode_event

QUIET_MS = 400
START = ("red-start-1", "red-start-2", "blue-start-1", "blue-start-2")


def resumed(table, **stands):
    return table(stands={0: stands.get("red", (10, 15)), 1: stands.get("blue", (20, 30))})


def cards(table, **stands):
    return table(pegs_are_score=False, stands={0: stands.get("red", (10, 15)), 1: stands.get("blue", (20, 30))})


def test_a_game_starts_when_every_peg_rests_in_its_start_hole(table):
    table = table()
    table.show(*START, after=50)
    assert table.wait(399) == []
    assert len(table.wait(1)) == 1
    assert table.events == [(450, table.events[0][1])]
    assert encode_event(table.events[0][1]) == {"event": "started", "seats": [0, 1]}


def test_the_back_peg_moved_ahead_of_the_front_one_is_a_claim(table):
    table = resumed(table)
    table.play("lift red-10, place red-23")
    placed_ms = table.now_ms
    table.wait(1000)
    red = table.board.by_id
    assert table.events == [(placed_ms + 400, Pegged(0, 8, red["red-10"].bit, red["red-23"].bit))]
    assert table.reader.placements[0] == table.stand(0, 15, 23)


def test_a_correction_before_the_quiet_time_is_never_seen(table):
    table = resumed(table)
    table.play("lift red-10, place red-22, lift red-22 @350, place red-23 @150")
    placed_ms = table.now_ms
    table.wait(2000)
    assert table.short_events == [("pegged", 0, 8)]
    assert table.events[0][0] == placed_ms + 800, "the peg may still be counting"


@pytest.mark.parametrize("points", [19, 25, 26, 27, 30, 40])
def test_a_claim_that_no_hand_can_have_is_asked_about(table, points):
    table = resumed(table)
    table.lift("red-10")
    table.place(f"red-{15 + points}")
    assert table.wait(1499) == []
    assert table.wait(1) != []
    assert table.short_events == [("unclear", 0)]
    assert table.newest_question.choices[0].move == {"type": "adjust", "seat": 0, "points": points}
    table.adopt(15 + points, 30)
    assert table.short_events == [("unclear", 0), "resolved"]
    assert table.reader.placements[0] == table.stand(0, 15, 15 + points)


@pytest.mark.parametrize("points", [p for p in range(1, 30) if p not in (19, 25, 26, 27)])
def test_every_claim_a_hand_can_have_is_read(table, points):
    table = resumed(table)
    table.lift("red-10")
    table.place(f"red-{15 + points}")
    table.wait(1499)  # longer than any rest before a claim; from then on the table asks
    assert table.short_events == [("pegged", 0, points)]


def test_two_players_pegging_at_once_do_not_delay_each_other(table):
    table = resumed(table)
    table.play("lift red-10, lift blue-20 @50, place red-23")
    placed_ms = table.now_ms
    table.play("place blue-32 @350, wait 1000")
    assert [(ms, e.seat, e.points) for ms, e in table.events] == [(placed_ms + 400, 0, 8), (placed_ms + 750, 1, 2)]


def test_a_due_is_confirmed_when_its_peg_rests(table):
    table = cards(table)
    table.play("owe 0 8 red-10 red-23, lift red-10, touch red-19, place red-23")
    placed_ms = table.now_ms
    table.wait(1000)
    assert [(ms, e.points) for ms, e in table.events] == [(placed_ms + 400, 8)]


@pytest.mark.parametrize(("hole", "kind", "by"), [("red-24", "over_pegged", 1), ("red-21", "under_pegged", 2)])
def test_over_and_under_are_advised_and_nothing_is_committed(table, hole, kind, by):
    table = cards(table)
    table.play("owe 0 8 red-10 red-23, lift red-10")
    table.place(hole)
    assert table.advice == []
    table.wait(400)
    (found,) = reader.list_advice(table.reader)
    assert (found.kind, found.by, found.hole, found.place) == (kind, by, hole, "red-23")
    assert found.say == f"Red pegged {8 + by if kind == 'over_pegged' else 8 - by}, the count is 8."
    table.wait(20_000)
    assert table.short_events == []
    table.lift(hole)
    assert table.advice == []
    table.play("place red-23, wait 400")
    assert table.short_events == [("pegged", 0, 8)]


def test_what_is_dumped_is_restored(table):
    table = resumed(table)
    table.play("lift red-10, place red-23, wait 400")
    fresh = reader.create_reader(table.board, table.routes, 121, reader.PegTimings(), pegs_are_score=True)
    again = reader.restore_reader(fresh, reader.dump_reader(table.reader))
    assert (again.placements, again.facts.past_placements) == (
        table.reader.placements,
        table.reader.facts.past_placements,
    )
    assert reader.on_levels(again, table.bits, 0) == (again, ())


def test_conclusions_without_end_are_a_fault_and_no_program_that_stands_still(table, monkeypatch):
    table = resumed(table)

    def flips(trusted, strays):
        return [pipeline.TrustChange(500, 7, "" if trusted.quarantined_bits else "It comes and goes.")]

    monkeypatch.setattr(pipeline, "find_trust_changes", flips)
    table.lift("red-10")
    with pytest.raises(RuntimeError):
        table.wait(1000)


def test_levels_that_are_what_they_were_before_a_touch_are_not_searched_again(table, monkeypatch):
    searched = []
    search = LaneGroup._search_assignments
    monkeypatch.setattr(
        LaneGroup, "_search_assignments", lambda group, taken: searched.append(taken) or search(group, taken)
    )
    table = resumed(table)
    table.lift("red-10")
    for _ in range(3):
        table.touch("red-17", after=300)
    table.play("place red-18, wait 800")
    assert table.short_events == [("pegged", 0, 3)]
    assert len(searched) == 5, "the lift, three touches and the claim"


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


def test_the_only_claim_put_back_names_the_holes_that_the_peg_went_between(table):
    table = table("loop-60", stands={0: (-1, 0), 1: (-1, 0)})
    table.play("lift red-start-2, place lane-10, wait 1000, lift lane-10, place red-start-2, wait 1000")
    undone = table.events[1][1]
    assert (table.hole_id(undone.origin), table.hole_id(undone.to)) == ("lane-10", "red-start-2")


def test_a_claim_after_the_win_gets_a_reason(table):
    table = resumed(table, red=(105, 121), blue=(90, 100))
    table.play("lift blue-90, place blue-105, wait 1500")
    (question,) = (event for _, event in table.events)
    assert question.why == "Blue pegged 5, and the game is won."


def rest_until_read(table, home, hole):
    """Move a peg straight to a hole. Return how long it rests there until it is read."""
    table.lift(home, after=2000)
    table.place(hole)
    before, put_ms = len(table.events), table.now_ms
    table.wait(3000)
    assert len(table.events) == before + 1
    return table.events[-1][0] - put_ms


@pytest.mark.parametrize("rest_ms", [550, 625, 700, 775, 850, 900])
def test_a_front_peg_moved_on_after_its_claim_is_no_slow_touch(table, rest_ms):
    table = resumed(table)
    table.play("lift red-10, place red-17")
    table.lift("red-17", after=rest_ms)
    table.play("place red-19, wait 2000")
    assert table.short_events == [("pegged", 0, 2), ("pegged", 0, 2)]
    assert rest_until_read(table, "red-15", "red-24") == QUIET_MS


@pytest.mark.parametrize(
    ("touches", "rest_ms"),
    [((350, 500), QUIET_MS), ((399, 499, 450), QUIET_MS), ((100, 501), 800), ((100, 790), 800), ((390, 700, 700), 800)],
)
def test_a_plain_move_waits_only_for_a_hand_that_has_counted_slowly(table, touches, rest_ms):
    table = resumed(table)
    table.lift("red-10")
    for hole, ms in enumerate(touches, 16):
        table.touch(f"red-{hole}", ms=ms)
    table.play("place red-21, wait 2000")
    assert table.short_events == [("pegged", 0, 6)]
    assert rest_until_read(table, "red-15", "red-24") == rest_ms


def test_a_hand_that_begins_slowly_is_waited_for_in_its_next_three_moves(table):
    table = resumed(table)
    table.play("lift red-10, touch red-16 600, touch red-17 100, place red-21, wait 2000")
    assert table.short_events == [("pegged", 0, 1), ("pegged", 0, 5)]
    holes = ["red-15", "red-21", "red-24", "red-27", "red-30", "red-33"]
    rests = [rest_until_read(table, home, hole) for home, hole in zip(holes, holes[2:], strict=False)]
    assert rests == [900, 900, 900, QUIET_MS]
