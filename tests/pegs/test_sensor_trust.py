"""Marker holes whose sensor is stuck, or comes and goes: they change nothing, and are trusted again in time."""

from companion.boards import catalog
from companion.pegs import marker_reader
from companion.pegs.events import Quarantined, Trusted
from companion.pegs.marker_reader import ExpectedKind

BOARD = catalog.load_board("bases")
QUIET = 400
BOX = [f"red-pegs-{n}" for n in range(1, 6)]


def bits(*ids):
    return sum(1 << BOARD.by_id[hole].bit for hole in ids)


def red(*holes):
    area = sum(1 << hole.bit for hole in BOARD.holes if hole.track.startswith("red-"))
    return (ExpectedKind("red", area, bits(*holes), bits(*BOX), 5 - len(holes)),)


class Table:
    def __init__(self, wanted, *taken):
        self.known, self.events = marker_reader.create_markers(BOARD, QUIET, wanted), []
        self.see(0, *taken)
        self.wait(1000)

    def see(self, ms, *taken):
        self.wait(ms)
        self.hear(marker_reader.on_levels(self.known, bits(*taken), ms))

    def wait(self, ms):
        while (due_ms := marker_reader.next_deadline_ms(self.known)) is not None and due_ms <= ms:
            self.hear(marker_reader.on_tick(self.known, due_ms))

    def hear(self, seen):
        self.known = seen.markers
        self.events += [(type(event), BOARD.holes[event.hole].id) for event in seen.events]

    @property
    def shifts(self):
        shifts = marker_reader.find_shifts(self.known)
        return [tuple(None if b is None else BOARD.holes[b].id for b in (s.lift, s.place)) for s in shifts]


def test_a_stuck_hole_is_reported_for_a_while_and_then_forgotten():
    table = Table(red(), *BOX)
    table.see(2000, *BOX, "red-runs-3")
    table.wait(2500)
    assert table.shifts == [("red-runs-3", None)]
    table.wait(7000)  # within five seconds
    assert (table.events, table.shifts) == ([(Quarantined, "red-runs-3")], [])
    table.wait(500_000)  # and as long as it is stuck
    assert table.events == [(Quarantined, "red-runs-3")]


def test_a_peg_that_belongs_in_a_hole_not_believed_is_taken_to_rest_there():
    table = Table(red(), *BOX)
    table.see(2000, *BOX, "red-runs-3")
    table.wait(7000)
    table.known = marker_reader.set_expected(table.known, red("red-runs-3"))
    assert [place for _, place in table.shifts] == ["red-runs-3"]
    table.see(8000, *BOX[1:], "red-runs-3")
    table.wait(9000)
    assert table.shifts == []
    table.known = marker_reader.set_expected(table.known, red())
    assert table.shifts == [(None, "red-pegs-1")]  # it is not known to have been lifted before it is back
    table.see(10_000, *BOX, "red-runs-3")
    table.wait(11_000)
    assert table.shifts == []


def test_a_hole_that_comes_and_goes_is_not_believed_and_again_after_a_minute():
    table = Table(red(), *BOX)
    for n in range(7):
        table.see(2000 + 500 * n, *BOX, *["red-units-2"][: 1 - n % 2])
    assert table.events == []
    table.see(5500, *BOX)
    assert table.events == [(Quarantined, "red-units-2")]
    table.see(9000, *BOX, "red-units-2")
    table.wait(10_000)
    assert table.shifts == []
    table.see(12_000, *BOX)
    table.wait(71_999)
    assert len(table.events) == 1
    table.wait(72_000)
    assert table.events[1:] == [(Trusted, "red-units-2")]


def test_a_home_that_flaps_while_its_peg_rests_there_says_nothing():
    table = Table(red(), *BOX)
    for n in range(24):
        table.see(2000 + 100 * n, *(BOX if n % 2 else BOX[1:]))
    assert table.events == [(Quarantined, "red-pegs-1")]
    table.see(6000, *BOX[1:])
    table.wait(8000)
    assert table.shifts == []


def test_a_hand_that_moves_a_peg_to_and_fro_is_not_a_failing_sensor():
    table = Table(red(), *BOX)
    for n in range(10):
        table.see(2000 + 700 * n, *BOX[1:], *["red-units-2"][: 1 - n % 2])
    table.see(9500, *BOX)
    table.wait(20_000)
    assert (table.events, table.shifts) == ([], [])


def test_of_two_surplus_pegs_the_newest_belongs_to_no_seat():
    table = Table(red("red-runs-3"), *BOX[1:], "red-runs-3")
    table.see(2000, *BOX[1:], "red-runs-4")
    table.wait(3000)
    assert table.shifts == [("red-runs-4", "red-runs-3")]
    table.see(4000, *BOX[1:], "red-runs-4", "red-units-9")
    table.wait(9000)
    assert table.events == [(Quarantined, "red-units-9")]
    assert table.shifts == [("red-runs-4", "red-runs-3")]


def test_a_hole_to_and_from_which_the_game_leads_a_peg_is_believed_however_fast():
    table = Table(red(), *BOX)
    for ms in range(2000, 42_000, 1000):
        up = ms % 2000 == 0
        table.known = marker_reader.set_expected(table.known, red("red-runs-3") if up else red())
        table.see(ms, *BOX[1:])
        table.see(ms + 100, *BOX[1:], "red-runs-3" if up else BOX[0])
        table.wait(ms + 900)
        assert table.shifts == []
    assert table.events == []
