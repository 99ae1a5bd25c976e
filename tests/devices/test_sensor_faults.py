"""Faulty sensors of the simulated board: what the shipped firmware reports, and which moves still work."""

import queue
from contextlib import closing

import pytest

from companion.common.errors import DeviceError
from companion.devices import open_sensors
from companion.devices.simulated_board import FLAP_INTERVAL_MS, SensorFaults
from tests.support.received import clock
from tests.support.waiting import PATIENCE_S


@pytest.fixture
def reports():
    return queue.Queue()


@pytest.fixture
def board(reports):
    with closing(open_sensors("sim:", 8, clock, occupied=0b11)) as sensors:
        sensors.start(lambda bits, _ms, _known_ms: reports.put(bits), lambda ok, say: None)
        yield sensors


def wait_for(reports, bits):
    while reports.get(timeout=PATIENCE_S) != bits:
        pass


def test_a_stuck_hole_tells_a_peg_and_a_dead_one_tells_none_until_they_are_mended(board, reports):
    board.set_sensor_fault(0b1000_0000, "stuck")
    wait_for(reports, 0b1000_0011)
    board.set_sensor_fault(0b1, "dead")
    wait_for(reports, 0b1000_0010)
    board.move_pegs(lift=0b1, place=0b10_0000)
    wait_for(reports, 0b1010_0010)
    assert board.occupied_holes() == 0b10_0010  # the hand sees what is so
    board.set_sensor_fault(0b1000_0001, None)
    wait_for(reports, 0b10_0010)
    assert board.failing_sensors() == {"stuck": 0, "flapping": 0, "dead": 0}


def test_a_flapping_hole_comes_and_goes_by_itself_and_pegs_are_moved_meanwhile(board, reports):
    board.set_sensor_fault(0b1000, "flapping")
    for bits in (0b1011, 0b11, 0b1011, 0b11):
        wait_for(reports, bits)
    board.move_pegs(lift=0b1)
    for bits in (0b1010, 0b10):
        wait_for(reports, bits)


def test_a_hole_fails_in_one_way_at_a_time():
    failing = SensorFaults().with_fault(0b111, "stuck").with_fault(0b1, "dead").with_fault(0b10, None)
    assert failing == SensorFaults(stuck=0b100, dead=0b1)
    assert failing.sensed_levels(0b11, 0) == failing.sensed_levels(0b11, FLAP_INTERVAL_MS) == 0b110
    flapping = failing.with_fault(0b100, "flapping")
    assert (flapping.sensed_levels(0b11, 0), flapping.sensed_levels(0b11, FLAP_INTERVAL_MS)) == (0b10, 0b110)


def test_what_is_no_hole_and_no_way_to_fail_is_refused(board):
    with pytest.raises(DeviceError, match="holes 0 to 7"):
        board.set_sensor_fault(1 << 8, "dead")
    with pytest.raises(DeviceError, match="stuck, flapping, dead"):
        board.set_sensor_fault(1, "asleep")
