"""Reading pegs in the ordinary case: claims, dues, corrections, and the start."""

import pytest

from companion.pegs import pipeline, reader
from companion.pegs.assignment import LaneGroup
from companion.pegs.events import Pegged, Undone, encode_event

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


def test_putting_the_pegs_back_takes_the_last_claim_back(table):
    table = resumed(table)
    table.play("lift red-10, place red-23, wait 1000, lift red-23, place red-10, wait 1000")
    assert table.short_events == [("pegged", 0, 8), ("undone", 0, 8)]
    assert table.reader.placements[0] == table.stand(0, 10, 15)
    assert table.reader.facts.past_placements[0] == ()


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


def test_a_peg_moved_where_nothing_is_due_is_advised_and_then_asked_about(table):
    table = cards(table)
    table.play("lift red-10, place red-18, wait 400")
    assert table.advice == ["put_back"]
    table.wait(1100)
    assert table.short_events == [("unclear", 0)]
    give, back, take = [c.move for c in table.newest_question.choices]
    assert (give, back, take) == ({"type": "adjust", "seat": 0, "points": 3}, None, {"type": "take_board"})
    table.wait(60_000)
    assert table.short_events == [("unclear", 0)], "a situation is asked about once"
    table.play("lift red-18, place red-10")
    assert len(table.wait(400)) == 1
    assert table.short_events[-1] == "resolved"
    assert table.advice == []


def test_pegs_put_back_are_offered_as_undo(table):
    table = cards(table)
    table.play("owe 0 8 red-10 red-23, lift red-10, place red-23, wait 400, owe, lift red-23, place red-10, wait 1500")
    assert table.short_events == [("pegged", 0, 8), ("unclear", 0)]
    assert table.newest_question.choices[0].move == {"type": "undo"}
    table.adopt(15, 30)
    assert table.short_events[-1] == "resolved"
    assert table.reader.placements[0] == table.stand(0, 10, 15)
    assert table.reader.facts.past_placements[0] == ()


def test_a_negative_due_is_done_as_it_says(table):
    table = cards(table)
    table.play("owe 0 8 red-10 red-23, lift red-10, place red-23, wait 400")
    assert table.reader.facts.past_placements[0] == (table.stand(0, 10, 15),)
    table.play("owe 0 -8 red-23 red-10, lift red-23, place red-10, wait 400")
    assert isinstance(table.events[-1][1], Undone)
    assert table.short_events == [("pegged", 0, 8), ("undone", 0, 8)]
    assert table.reader.placements[0] == table.stand(0, 10, 15)


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
    table = table(stands={0: (10, 15), 1: (20, 30)})

    def flips(trusted, strays):
        return [pipeline.TrustChange(500, 7, "" if trusted.quarantined_bits else "It comes and goes.")]

    monkeypatch.setattr(pipeline, "find_trust_changes", flips)
    table.lift("red-10")
    with pytest.raises(RuntimeError):
        table.wait(1000)


def test_a_peg_in_its_dues_own_hole_is_green_before_it_is_believed_and_due_again_if_it_goes_on(table):
    table = cards(table)
    table.play("owe 0 5 red-10 red-20, lift red-10, place red-20, wait 69")
    assert not table.reader.green_holes
    table.wait(1)
    assert [table.hole_id(hole) for hole in table.reader.green_holes] == ["red-20"]
    table.lift("red-20", after=100)
    assert (table.reader.green_holes, table.short_events) == (frozenset(), [])
    table.play("place red-20, wait 400")
    assert (table.reader.green_holes, table.short_events) == (frozenset(), [("pegged", 0, 5)])


def test_a_front_peg_that_is_moved_on_twice_in_a_row_belongs_to_a_hand_that_begins_slowly(table):
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.play("lift red-10, touch red-17 600, touch red-19 600, place red-21, wait 2000")
    before = len(table.events)
    table.play("lift red-15, place red-24, wait 899")
    assert len(table.events) == before, "that hand rests 600 ms in the first hole that it touches"
    table.wait(1)
    assert table.short_events[-1] == ("pegged", 0, 3)


def test_a_green_light_outlasts_the_chatter_of_its_contact_and_no_lift(table):
    table = cards(table)
    table.play("owe 0 5 red-10 red-20, lift red-10, place red-20, lift red-20 @80")
    assert table.reader.green_holes
    table.place("red-20", after=20)
    assert table.reader.green_holes
    table.play("lift red-20 @10, wait 11")
    assert not table.reader.green_holes, "a contact chatters for 120 ms at the longest"
    table.play("place red-20, wait 70")
    assert table.reader.green_holes
    table.lift("red-20", after=100)
    assert not table.reader.green_holes


def test_levels_that_are_what_they_were_before_a_touch_are_not_searched_again(table, monkeypatch):
    searched = []
    search = LaneGroup._search_assignments
    monkeypatch.setattr(
        LaneGroup, "_search_assignments", lambda group, taken: searched.append(taken) or search(group, taken)
    )
    table = table(stands={0: (10, 15), 1: (20, 30)})
    table.lift("red-10")
    for _ in range(3):
        table.touch("red-17", after=300)
    table.play("place red-18, wait 800")
    assert table.short_events == [("pegged", 0, 3)]
    assert len(searched) == 5, "the lift, three touches and the claim"
