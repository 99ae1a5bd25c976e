"""Marker pegs: the board compares where they are with where a game says they belong."""

from companion.boards import catalog
from companion.pegs import marker_reader
from companion.pegs.marker_reader import ExpectedKind, Markers, MarkerShift

BOARD = catalog.load_board("bases")
QUIET = 400


def bits(*ids):
    return sum(1 << BOARD.by_id[hole].bit for hole in ids)


def track(*names):
    return sum(1 << hole.bit for hole in BOARD.holes if hole.track in names)


BOX = [f"red-pegs-{n}" for n in range(1, 6)]
RED = track("red-units", "red-tens", "red-runs", "red-pegs")


def outs(number):
    return ExpectedKind("outs", track("outs"), bits(f"outs-{number}"))


def red(*holes):
    return ExpectedKind("red", RED, bits(*holes), track("red-pegs"), 5 - len(holes))


def settle_markers(wanted, *taken):
    """Markers that have rested; all at the same moment."""
    seen = marker_reader.on_levels(marker_reader.create_markers(BOARD, QUIET, wanted), bits(*taken), 0)
    return marker_reader.on_tick(seen.markers, QUIET).markers


def rest_pegs(known: Markers, ms: int, *taken: str) -> Markers:
    """Fill these holes at this time and no others, and let the pegs rest there."""
    return marker_reader.on_tick(marker_reader.on_levels(known, bits(*taken), ms).markers, ms + QUIET).markers


def shift_list(known: Markers):
    return [
        (s.kind, *(None if hole is None else BOARD.holes[hole].id for hole in (s.lift, s.place)), s.is_misplaced)
        for s in marker_reader.find_shifts(known)
    ]


def test_nothing_is_said_before_the_holes_are_known():
    known = marker_reader.create_markers(BOARD, QUIET, (outs(0),))
    assert (marker_reader.find_shifts(known), marker_reader.next_deadline_ms(known)) == ((), None)
    known = marker_reader.on_levels(known, 0, 100).markers
    assert (marker_reader.find_shifts(known), marker_reader.next_deadline_ms(known)) == ((), 500)
    assert shift_list(marker_reader.on_tick(known, 500).markers) == [("outs", None, "outs-0", False)]


def test_when_every_peg_stands_right_the_game_may_start_once():
    known = marker_reader.create_markers(BOARD, QUIET, (outs(0),))
    seen = marker_reader.on_levels(known, bits("outs-0"), 0)
    assert not seen.started
    seen = marker_reader.on_tick(seen.markers, QUIET)
    assert seen.started
    again = marker_reader.on_levels(marker_reader.set_expected(seen.markers, (outs(1),)), bits("outs-1"), 1000)
    assert not marker_reader.on_tick(again.markers, 1400).started


def test_a_peg_that_the_game_moved_on_from_is_not_wrong():
    known = marker_reader.set_expected(settle_markers((outs(0),), "outs-0"), (outs(1),))
    assert shift_list(known) == [("outs", "outs-0", "outs-1", False)]


def test_a_peg_that_a_hand_put_wrongly_is():
    known = marker_reader.on_levels(settle_markers((outs(0),), "outs-0"), bits("outs-2"), 1000).markers
    assert shift_list(known) == []
    assert shift_list(marker_reader.on_tick(known, 1400).markers) == [("outs", "outs-2", "outs-0", True)]


def test_a_peg_in_the_hand_leaves_only_the_hole_to_fill():
    known = marker_reader.set_expected(settle_markers((outs(0),), "outs-0"), (outs(1),))
    known = rest_pegs(known, 1000)
    assert shift_list(known) == [("outs", None, "outs-1", False)]
    seen = marker_reader.on_tick(marker_reader.on_levels(known, bits("outs-1"), 2000).markers, 2400)
    assert (shift_list(seen.markers), seen.right_bits) == ([], bits("outs-1"))


def test_a_right_peg_that_a_hand_has_taken_is_missed_where_it_belongs():
    known = settle_markers((outs(0), red()), "outs-0", *BOX)
    known = rest_pegs(known, 1000, "outs-0", *BOX[:2], *BOX[3:])
    assert shift_list(known) == [("red", None, BOX[2], True)]
    known = rest_pegs(known, 2000, "outs-0", *BOX[:2], *BOX[3:], "red-runs-4")
    assert shift_list(known) == [("red", "red-runs-4", BOX[2], True)]
    assert shift_list(marker_reader.set_expected(known, (outs(0), red("red-runs-4")))) == []


def test_the_reading_of_one_peg_stays_while_another_is_in_the_hand():
    known = marker_reader.set_expected(settle_markers((red(),), *BOX), (red("red-units-4", "red-tens-10"),))
    one, other = shift_list(known)
    left = [hole for hole in BOX if hole != one[1]]
    known = rest_pegs(known, 1000, *left)
    assert shift_list(known) == [other, ("red", None, one[2], False)]
    known = rest_pegs(known, 2000, *left, one[2])
    assert shift_list(known) == [other]


def test_a_peg_on_its_way_back_to_its_box_is_not_missing():
    known = marker_reader.set_expected(settle_markers((red(),), *BOX), (red("red-units-4"),))
    known = rest_pegs(known, 1000, *BOX[1:], "red-units-4")
    known = rest_pegs(marker_reader.set_expected(known, (red(),)), 2000, *BOX[1:])
    assert shift_list(known) == [("red", None, BOX[0], False)]


def test_a_peg_in_the_hand_is_kept_where_it_last_stood():
    known = settle_markers((outs(0),), "outs-0")
    assert known.complete_bits == bits("outs-0")
    known = rest_pegs(known, 1000)
    assert (known.taken_bits, known.complete_bits) == (0, bits("outs-0"))
    known = rest_pegs(known, 2000, "outs-2")
    assert known.complete_bits == bits("outs-2")


def test_a_hole_that_flaps_keeps_no_game_from_starting():
    known = marker_reader.create_markers(BOARD, QUIET, (outs(0),))
    for ms in range(0, 2000, 100):
        seen = marker_reader.on_levels(known, bits("outs-0", *(["red-runs-1"] if ms % 200 else [])), ms)
        known = seen.markers
        if seen.started:
            break
    assert (ms, shift_list(known)) == (400, [])


def test_a_hole_is_believed_only_when_it_has_been_quiet():
    known = settle_markers((outs(0),), "outs-0")
    for ms in range(1000, 2000, 100):
        known = marker_reader.on_levels(known, bits(*(["outs-0"] if ms % 200 else [])), ms).markers
        assert shift_list(known) == []
    assert marker_reader.next_deadline_ms(known) is None


def test_unsettled_holes_are_watched_again_after_a_sensor_failure():
    known = marker_reader.on_levels(settle_markers((outs(0),), "outs-0"), 0, 1000).markers
    known = marker_reader.on_sensors_back(known, 9000)
    known = marker_reader.on_tick(known, 9000).markers
    assert marker_reader.next_deadline_ms(known) == 9400
    known = marker_reader.on_levels(known, bits("outs-2"), 9010).markers
    known = marker_reader.on_tick(known, 9410).markers
    assert shift_list(known) == [("outs", "outs-2", "outs-0", True)]


def test_another_hand_delays_nothing():
    known = settle_markers((outs(0), red()), "outs-0", *BOX)
    known = marker_reader.on_levels(known, bits("outs-1", *BOX), 1000).markers
    known = marker_reader.on_levels(known, bits("outs-1", *BOX[1:]), 1300).markers
    assert shift_list(marker_reader.on_tick(known, 1400).markers) == [("outs", "outs-1", "outs-0", True)]


def test_any_peg_of_a_box_will_do_and_the_nearest_is_named():
    known = marker_reader.set_expected(settle_markers((red(),), *BOX), (red("red-units-4", "red-tens-10"),))
    assert [(lift in BOX, place) for _, lift, place, _ in shift_list(known)] == [
        (True, "red-tens-10"),
        (True, "red-units-4"),
    ]
    taken = {lift for _, lift, _, _ in shift_list(known)}
    assert len(taken) == 2
    other = [hole for hole in BOX if hole not in taken][:1]
    left = [hole for hole in BOX if hole not in other]
    known = rest_pegs(known, 1000, *left, "red-units-4")
    assert [place for _, _, place, _ in shift_list(known)] == ["red-tens-10"]


def test_pegs_go_back_to_any_free_hole_of_their_box():
    known = settle_markers((red("red-units-9", "red-tens-20"),), "red-units-9", "red-tens-20", *BOX[:3])
    known = marker_reader.set_expected(known, (red(),))
    assert {(lift, wrong) for _, lift, _, wrong in shift_list(known)} == {
        ("red-units-9", False),
        ("red-tens-20", False),
    }
    assert {place for _, _, place, _ in shift_list(known)} == set(BOX[3:])


def test_a_peg_moves_along_its_scale_rather_than_by_way_of_the_box():
    known = settle_markers((red("red-units-2"),), "red-units-2", *BOX[:4])
    assert shift_list(marker_reader.set_expected(known, (red("red-units-5"),))) == [
        ("red", "red-units-2", "red-units-5", False)
    ]


def test_a_peg_of_another_kind_is_the_one_that_is_missed():
    known = settle_markers((outs(0), red()), "outs-0", "outs-3", *BOX[:4])
    assert shift_list(known) == [("red", "outs-3", "red-pegs-5", True)]


def test_a_surplus_peg_is_to_be_taken_off_in_any_hole():
    assert shift_list(settle_markers((outs(0),), "outs-0", "outs-1")) == [("", "outs-1", None, True)]
    assert shift_list(settle_markers((outs(0),), "outs-0", "innings-4")) == [("", "innings-4", None, True)]
    full = settle_markers((red("red-runs-1"),), "red-runs-1", *BOX)
    assert [(lift in BOX, place) for _, lift, place, _ in shift_list(full)] == [(True, None)]


def test_a_resumed_board_is_known_at_once():
    known = marker_reader.create_markers(
        BOARD, QUIET, (outs(1),), marker_reader.SavedMarkers(bits("outs-0"), started=True)
    )
    assert marker_reader.find_shifts(known) == (
        MarkerShift("outs", BOARD.by_id["outs-0"].bit, BOARD.by_id["outs-1"].bit, is_misplaced=False),
    )
    assert not marker_reader.on_tick(marker_reader.on_levels(known, bits("outs-1"), 0).markers, QUIET).started
