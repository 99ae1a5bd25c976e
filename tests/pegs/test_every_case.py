"""Every case of the design's list: what is said of it, which holes are lit, and that it is left by putting it right.

Also how a start is named where it is a corner of the board, not a lane in its player's colour.
"""

import pytest

from companion.boards.catalog import load_board
from companion.pegs import reader
from companion.pegs.problems import ambiguity_sentence, start_name

RED, BLUE = (10, 15), (20, 30)
DUE = (0, 8, "red-10", "red-23")
BLUES = (1, 3, "blue-20", "blue-33")
WHERE = "where Red's was due"

CASES = {
    "over": (DUE, "red-10", "red-24", "over_pegged", "Red pegged 9, the count is 8."),
    "under": (DUE, "red-10", "red-21", "under_pegged", "Red pegged 6, the count is 8."),
    "nothing due": (None, "red-10", "red-18", "put_back", "Red pegged 3, and nothing is due."),
    "another's due": (BLUES, "red-10", "red-18", "other_pegged", "Red pegged 3, but Blue's 3 are due."),
    "behind": (DUE, "red-15", "red-12", "put_back", "Red's peg is behind its front peg, in Red 12, and 8 are due."),
    "wrong track": (
        DUE, "red-10", "blue-23", "wrong_track", "One of Red's pegs may be on the wrong track, in Blue 23.",
    ),
    "another's peg": (DUE, "blue-20", "red-23", "wrong_peg", f"Another player's peg may be in Red 23, {WHERE}."),
    "nowhere legal": (None, "red-15", "red-4", "put_back", "Red's pegs are in holes that no move leads to."),
}  # fmt: skip


@pytest.mark.parametrize(("due", "lift", "place", "kind", "say"), CASES.values(), ids=CASES)
def test_a_mistake_is_named_and_lit_and_left_by_putting_it_right(table, due, lift, place, kind, say):
    table = table(pegs_are_score=False, stands={0: RED, 1: BLUE})
    if due:
        table.owe(due)
    table.lift(lift)
    table.place(place)
    assert table.advice == []
    table.wait(400)
    found = reader.list_advice(table.reader)[0]
    assert (found.kind, found.say, found.lift) == (kind, say, place)
    assert found.place == (DUE[3] if kind in ("over_pegged", "under_pegged") else lift)
    table.wait(2000)
    table.lift(place)
    table.place(lift)
    table.wait(400)
    assert table.advice == []
    assert table.newest_question is None
    assert not [e for e in table.short_events if e[0] == "pegged"]


def test_both_pegs_out_are_reported_and_later_asked_about(table):
    table = table(stands={0: RED, 1: BLUE})
    table.play("lift red-10 red-15, wait 1500")
    assert [(a.kind, a.place) for a in reader.list_advice(table.reader)] == [
        ("put_back", "red-10"),
        ("put_back", "red-15"),
    ]
    table.wait(8500)
    assert table.newest_question.why == "Both of Red's pegs are out."
    table.play("place red-10 red-15, wait 400")
    assert table.short_events == [("unclear", 0), "resolved"]


def test_a_peg_dropped_and_not_found_is_lit_and_later_asked_about(table):
    table = table(stands={0: RED, 1: BLUE})
    table.play("lift red-10, wait 4000")
    assert [(a.kind, a.say) for a in reader.list_advice(table.reader)] == [
        ("put_back", "One of Red's pegs is out. It belongs in Red 10.")
    ]
    assert table.short_events == []
    table.wait(6000)
    assert table.newest_question.why == "One of Red's pegs is out. It belongs in Red 10."
    assert next((a.kind, a.place) for a in reader.list_advice(table.reader)) == ("put_back", "red-10")


def test_a_peg_in_the_dead_hole_of_its_due_is_reported_within_five_seconds_and_asked_about_once(table):
    table = table(pegs_are_score=False, stands={0: RED, 1: BLUE})
    table.owe(DUE)
    table.play("lift red-10, wait 4999")
    said = "One of Red's pegs is out. It belongs in Red 23."
    assert [a.say for a in reader.list_advice(table.reader)] == [said]
    table.wait(60_000)
    assert table.newest_question.why == said
    assert table.newest_question.choices[-1].say == "The peg is in Red 23."
    table.play("take_board, wait 5000")
    assert (table.short_events, table.fronts) == ([("unclear", 0), "resolved"], [23, 30])


def test_the_answer_about_a_missing_peg_keeps_its_hole_also_after_a_due_has_come(table):
    table = table(pegs_are_score=False, stands={0: RED, 1: BLUE})
    table.play("lift red-10, wait 10000")
    assert table.newest_question.choices[-1].say == "The peg is in Red 10."
    table.owe(DUE)
    table.play("take_board, wait 5000")
    assert table.short_events == [("unclear", 0), "resolved"]
    table.play("place red-23, wait 400")
    assert (table.short_events[-1], table.fronts) == (("pegged", 0, 8), [23, 30])


def test_a_due_from_a_home_that_stays_lit_is_accepted_while_anothers_peg_is_missing(table):
    table = table(pegs_are_score=False, stands={0: RED, 1: BLUE})
    table.owe(DUE)
    table.play("lift blue-20, place red-23, wait 1500")
    assert table.newest_question.why == "Another player's peg may be in Red 23, where Red's was due."
    table.play("take_board, wait 400")
    assert table.short_events == [("unclear", 0), "resolved", ("pegged", 0, 8)]
    assert table.reader.placements[1] == table.stand(1, *BLUE)


def test_a_board_that_fell_is_guided_back_nearest_pairs_first(table):
    table = table(stands={0: RED, 1: BLUE})
    table.show()
    table.show("red-11", "red-50", "blue-21", "blue-31", after=3000)
    table.wait(1500)
    pairs = {(a.lift, a.place) for a in reader.list_advice(table.reader) if a.lift}
    assert {("red-11", "red-10"), ("blue-21", "blue-20"), ("blue-31", "blue-30"), ("red-50", "red-15")} == pairs
    table.show("red-10", "red-15", "blue-20", "blue-30", after=5000)
    table.wait(400)
    assert table.advice == []
    assert [e for e in table.short_events if e[0] in ("pegged", "undone")] == []


def test_a_failing_row_is_distinguished_from_pegs_in_the_hand(table):
    table = table(stands={0: RED, 1: BLUE})
    table.play("lift red-10 blue-20, wait 4000")
    assert ["a row of sensors has failed" in a.say for a in reader.list_advice(table.reader)] == [True, True]
    table.wait(6000)
    assert table.short_events == [("unclear", None)]
    assert "a row of sensors has failed" in table.newest_question.why
    table.play("place red-10 blue-20, wait 400")
    assert table.short_events == [("unclear", None), "resolved"]


def test_no_board_at_all_is_one_question(table):
    table = table(stands={0: RED, 1: BLUE})
    table.show()
    table.wait(10_000)
    assert table.short_events == [("unclear", None)]
    assert table.newest_question.why == "All pegs are out, or the board is not responding."


def test_after_a_win_left_half_way_the_start_holes_are_lit(table):
    table = table(stands={0: (110, 115), 1: (90, 100)})
    table.play("lift red-110, place red-121, wait 1000, lift red-121, place red-start-1, wait 20000")
    assert table.newest_question.why.startswith("The game is won")
    places = {a.place for a in reader.list_advice(table.reader) if a.place}
    assert places == {"red-start-2", "blue-start-1", "blue-start-2"}


@pytest.mark.parametrize(
    ("track", "shared", "said"),
    [
        ("circle-left", True, "the start left of the circle"),
        ("upper-right", True, "the start at the upper right corner"),
        ("apex", True, "the start at the apex"),
        ("red", False, "Red's start"),
        ("north-4", False, "North-4's start"),
    ],
)
def test_a_start_is_named_as_players_find_it(track, shared, said):
    assert start_name(track, shared=shared) == said


def test_no_two_starts_of_a_board_have_one_name():
    board = load_board("pursuit")
    tracks = {board.holes[route.start[0]].track for routes in board.routes.values() for route in routes}
    assert len(tracks) == len({start_name(track, shared=True) for track in tracks}) == 7


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Blue"], "Blue's peg may be in any of several holes. The sensors cannot tell which."),
        (["Red", "Blue"], "Red and Blue both moved, and the sensors cannot tell whose peg is whose."),
        (["Red", "Blue", "Green"], "Red, Blue and Green all moved, and the sensors cannot tell whose peg is whose."),
    ],
)
def test_indistinguishable_pegs_are_asked_about_in_a_sentence(names, said):
    assert ambiguity_sentence(names) == said
