"""No conclusion is drawn from old levels: stops, slow journals, bad lines and clock jumps make no touch a claim."""

import json

import pytest

from companion.rules.moves import Peg
from companion.table.recording import describe_table, run_recording
from firmware.chain import plain_board
from tests.support.evening import Evening

QUIET_MS = 400
FAULTS = ("stop", "fsync", "lost", "doubled", "late", "swapped", "ahead", "back")


@pytest.fixture
def start_evening(tmp_path):
    made = []

    def begun(seed=0, **more):
        made.append(Evening(tmp_path / f"{len(made)}.sqlite3", seed, **more))
        made[-1].run(2500)
        assert made[-1].table.snapshot.pegs
        return made[-1]

    yield begun
    for each in made:
        each.close()


def touch(evening, ms):
    """Red lifts the back peg, touches a hole for `ms` and keeps the peg in the hand."""
    evening.schedule(1, lift="red-start-2")
    evening.schedule(500, place="red-3")
    evening.schedule(500 + ms, lift="red-3")


def check_touch(table):
    """Check that the touch was not claimed, and that the peg's next hole is."""
    table.run(3000)
    assert table.claims == []
    table.schedule(1, place="red-7")
    table.run(1500)
    assert table.claims == [(0, 7)]


OLD_STOPS = [(True, 300, stop_ms) for stop_ms in (300, 2000, 60_000)]
STOPS = [(False, ms, stop_ms) for ms in (150, 300) for stop_ms in (300, 2000, 30_000, 60_000)]


@pytest.mark.parametrize(("is_old", "ms", "stop_ms"), STOPS + OLD_STOPS)
def test_a_touch_before_a_stop_is_no_claim(start_evening, is_old, ms, stop_ms):
    """Also on a board with protocol version 1, which is read too."""
    table = start_evening(wire_1=is_old)
    assert ("protocol version 1" in table.table.snapshot.devices["sensors"].say) == is_old
    touch(table, ms)
    table.run(600)
    table.stopped = True
    table.run(stop_ms)
    table.stopped = False
    check_touch(table)


@pytest.mark.parametrize("fsync_ms", [500, 1500, 2000])
def test_a_touch_behind_a_slow_write_is_no_claim(start_evening, fsync_ms):
    table = start_evening()
    table.schedule(1, lift="blue-start-2")
    table.schedule(50, place="blue-2")
    touch(table, 300)
    table.fsync_ms = fsync_ms
    table.run(3000)
    assert table.claims == [(1, 2)]
    table.schedule(1, place="red-7")
    table.run(5000)
    assert table.claims == [(1, 2), (0, 7)]


def spoil_line(number, change):
    """Spoil the line of levels of this number from now on."""
    lines = [number]

    def spoil(line):
        if line.startswith(b"H "):
            lines[0] -= 1
            if lines[0] == -1:
                return change(line)
        return [(0, line)]

    return spoil


CHANGES = {
    "lost": lambda _: [],
    "damaged": lambda line: [(0, line.replace(b"*", b"0*"))],
    "doubled": lambda line: [(0, line), (0, line)],
    "late": lambda line: [(700, line)],
    "swapped": lambda line: [(60, line)],
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_one_line_that_is_spoilt_makes_no_claim_of_a_touch_and_loses_none(start_evening, change):
    for number in range(24):
        table = start_evening()
        touch(table, 300)
        table.schedule(1000, place="red-7")
        table.spoil = spoil_line(number, CHANGES[change])
        table.run(3500)
        assert table.claims == [(0, 7)], number
        assert table.table.snapshot.devices["sensors"].ok
        assert not [line for line in table.record if line.get("device") and line["ms"] > table.clock() - 3000], number


def test_two_touches_between_which_the_lift_was_lost_are_no_rest(start_evening):
    table = start_evening()
    begun_ms = table.now_ms
    table.schedule(1, lift="red-start-2")
    for at_ms in (500, 840):
        table.schedule(at_ms, place="red-3")
        table.schedule(at_ms + 300, lift="red-3")
    lost = []
    table.spoil = lambda line: lost.append(line) or [] if 810 < table.now_ms - begun_ms < 850 else [(0, line)]
    table.run(3000)
    assert len(lost) == 1
    assert table.claims == []


@pytest.mark.parametrize("jump_ms", [60_000, 5000, 300, -300, -900])
def test_a_clock_that_jumps_makes_no_claim_of_a_touch(start_evening, jump_ms):
    table = start_evening()
    touch(table, 300)
    table.run(600)
    table.companion_ms += jump_ms
    check_touch(table)


def test_a_board_that_begins_again_makes_no_claim_of_a_touch(start_evening):
    table = start_evening()
    touch(table, 300)
    table.run(600)
    table.node.__init__(plain_board(table.holes), lambda: table.contacts, table._send_line, "e66")
    table._run_ms -= table.now_ms + table._run_ms
    check_touch(table)


def test_a_board_that_is_no_longer_heard_makes_no_claim_whatever_people_do_meanwhile(start_evening):
    table = start_evening()
    touch(table, 60_000)
    table.run(600)
    table.spoil = lambda _: []
    table.run(1000)
    table.table.submit(Peg(1, 4))
    table.run(1000)
    assert table.claims == [(1, 4)]
    assert not table.table.snapshot.devices["sensors"].ok
    table.spoil = lambda line: [(0, line)]
    table.run(1500)
    assert table.table.snapshot.devices["sensors"].ok
    assert table.claims == [(1, 4), (0, 3)]


def play_pegs(table, fault):
    """Move both players' pegs with touches on the way and one fault. Return the expected claims."""
    rnd, at, wanted = table.random, 100, []
    for turn, (lift, seat) in enumerate((("red-start-2", 0), ("blue-start-2", 1), ("red-start-1", 0))):
        lane, points, base = ("red", "blue")[seat], rnd.randint(4, 9), 9 * (turn // 2)
        table.schedule(at, lift=lift)
        at += rnd.randint(300, 700)
        for number in rnd.sample(range(1, 4), rnd.randint(0, 2)):
            ms = rnd.randint(150, 300)
            table.schedule(at, place=f"{lane}-{base + number}")
            table.schedule(at + ms, lift=f"{lane}-{base + number}")
            at += ms + rnd.randint(150, 600)
        table.schedule(at, place=f"{lane}-{base + points}")
        wanted.append((seat, base + points - sum(p for s, p in wanted if s == seat)))
        at += rnd.randint(2600, 3000)
    inject_fault(table, fault, rnd.randint(0, at), rnd)
    table.run(max(4000, at + 4000 - table.now_ms + 3500))
    return wanted


def inject_fault(table, fault, moment, rnd):
    if fault in CHANGES:
        table.spoil = spoil_line(moment // 60, CHANGES[fault])
        return
    if fault == "fsync":
        table.fsync_ms = rnd.randint(100, 2000)
        return
    table.run(moment)
    if fault == "stop":
        table.stopped = True
        table.run(rnd.choice([200, 500, 2000, 10_000, 60_000]))
        table.stopped = False
    else:
        table.companion_ms += {"ahead": 1, "back": -1}[fault] * rnd.randint(50, 900)


def check(start_evening, fault, seed):
    table = start_evening(seed)
    wanted = play_pegs(table, fault)
    assert sorted(table.claims) == sorted(wanted), (fault, seed, table.claims, wanted)


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_goes_wrong_once_no_touch_is_claimed_and_no_move_is_lost(start_evening, fault):
    check(start_evening, fault, 1)
    check(start_evening, fault, 2)


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_a_hundred_times_whatever_goes_wrong_no_touch_is_claimed_and_no_move_is_lost(start_evening, fault):
    for seed in range(100, 200):
        check(start_evening, fault, seed)


@pytest.mark.parametrize("fault", ["stop", "fsync", "lost", "late"])
def test_what_was_recorded_while_something_went_wrong_is_traced_the_same(start_evening, fault):
    table = start_evening(3)
    start = {"ms": 0, "table": describe_table(table.table.core)}
    begun = len(table.record)
    play_pegs(table, fault)
    said = []
    run_recording([json.dumps(line).encode() for line in [start, *table.record[begun:]]], said.append)
    awards = [(line["award"]["seat"], line["award"]["points"]) for line in said if "award" in line]
    assert awards == table.claims
