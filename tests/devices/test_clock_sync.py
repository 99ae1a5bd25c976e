"""Lines of a board are ordered and timed by the companion's clock; a line that cannot follow restarts the sync."""

import pytest

from companion.devices.board_session import (
    CLOCK_JUMP_MS,
    MISSING_TIMEOUT_MS,
    RETRY_INTERVAL_MS,
    ClockSync,
    ReceivedLine,
)
from firmware import wire
from firmware.wire import Holes


def line(number, bits=0, ms=None):
    """A line of a board that reports every 50 ms."""
    return Holes(bits, number & wire.COUNTER_MASK, (50 * number if ms is None else ms) & wire.COUNTER_MASK)


def receive(line, at_ms, empty_ms=None):
    return ReceivedLine(line, at_ms, at_ms if empty_ms is None else empty_ms)


def receive_all(clock_sync, *lines, late_ms=0):
    """Return the levels after these lines, each delayed by `late_ms`. Both clocks are equal."""
    return [seen for each in lines for seen in clock_sync.receive_line(receive(each, each.ms + late_ms, 0))]


def test_a_line_that_comes_late_counts_from_when_it_was_true():
    clock_sync = ClockSync()
    receive_all(clock_sync, line(1))
    assert [(seen.bits, seen.ms) for seen in receive_all(clock_sync, line(2, 7), line(3, 0), late_ms=60_000)] == [
        (7, 100),
        (0, 150),
    ]


def test_clocks_that_begin_anywhere_are_compared_by_the_line_that_came_soonest():
    clock_sync = ClockSync()
    assert clock_sync.receive_line(receive(line(1, ms=500), 10_030))[0].ms == 10_030
    assert clock_sync.receive_line(receive(line(2, ms=600), 10_105))[0].ms == 10_105
    assert clock_sync.receive_line(receive(line(3, ms=700), 10_290))[0].ms == 10_205


def test_numbers_and_clocks_that_start_again_from_0_go_on():
    clock_sync, half = ClockSync(), (wire.COUNTER_MASK + 1) // 50
    found = [
        clock_sync.receive_line(receive(line(n, n & 1, 50 * n), 50 * n - 50 * half))
        for n in range(half - 30, half + 30)
    ]
    assert [seen[0].ms for seen in found] == [50 * n for n in range(-30, 30)]
    clock_sync = ClockSync()
    numbers = [wire.COUNTER_MASK - 1, wire.COUNTER_MASK, 0, 1]
    assert len(receive_all(clock_sync, *[line(n, ms=50 * i) for i, n in enumerate(numbers)])) == 4


def test_no_line_counts_before_the_one_that_is_missing_has_come():
    clock_sync = ClockSync()
    receive_all(clock_sync, line(1, 0), line(2, 7))
    assert receive_all(clock_sync, line(4, 7)) == []
    assert clock_sync.number_to_request(250) == 3
    assert clock_sync.number_to_request(251) is None
    assert clock_sync.number_to_request(250 + RETRY_INTERVAL_MS) == 3
    assert receive_all(clock_sync, line(5, 7)) == []
    found = receive_all(clock_sync, line(3, 0), late_ms=300)
    assert [(seen.bits, seen.ms) for seen in found] == [(0, 150), (7, 200), (7, 250)]
    assert clock_sync.number_to_request(10_000) is None
    assert clock_sync.newest_after_loss(10_000) is None


def test_a_number_that_stays_missing_is_given_up():
    clock_sync = ClockSync()
    receive_all(clock_sync, line(1), line(3), line(4))
    assert clock_sync.newest_after_loss(150 + MISSING_TIMEOUT_MS - 1) is None
    assert clock_sync.newest_after_loss(150 + MISSING_TIMEOUT_MS) == line(4)


@pytest.mark.parametrize("again", [line(2), line(9)])
def test_a_line_that_comes_twice_counts_once(again):
    clock_sync = ClockSync()
    lines = [line(n) for n in range(1, 10)]
    receive_all(clock_sync, *lines)
    assert receive_all(clock_sync, again) == []
    assert len(receive_all(clock_sync, line(10))) == 1


@pytest.mark.parametrize(
    "other",
    [line(5, 1), line(5, ms=251), line(10 + wire.LINES_KEPT), line(-wire.LINES_KEPT), line(10, ms=449), line(10, ms=1)],
)
def test_a_line_out_of_sequence_makes_the_board_read_all_levels_again(other):
    """Another line of the same number, one too far ahead, one from before: the board has restarted."""
    clock_sync = ClockSync()
    receive_all(clock_sync, *[line(n) for n in range(1, 10)])
    assert clock_sync.receive_line(receive(other, 600)) is None


def test_a_clock_that_jumps_is_distinguished_from_late_lines():
    clock_sync = ClockSync()
    receive_all(clock_sync, line(1))
    assert clock_sync.receive_line(ReceivedLine(line(2), 60_100, 90)), "it may have waited since then"
    assert clock_sync.receive_line(ReceivedLine(line(3), 60_150, 60_120))[0].ms == 150, "not yet certain"
    assert clock_sync.receive_line(ReceivedLine(line(4), 60_150 + CLOCK_JUMP_MS - 1, 60_200))
    assert clock_sync.receive_line(ReceivedLine(line(5), 60_150 + CLOCK_JUMP_MS, 60_200)) is None


def test_a_clock_that_goes_a_little_slower_is_followed():
    clock_sync = ClockSync()
    for second in range(3600):
        found = clock_sync.receive_line(receive(line(second, ms=1000 * second), second * 1000 + second // 10))
        assert abs(found[0].ms - (second * 1000 + second // 10)) <= 1
