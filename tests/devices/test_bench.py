"""The simulated devices: the bench controls all of them, and faulty sensors are reported as the firmware does."""

import queue
from contextlib import ExitStack, closing

import pytest

from companion.common.errors import DeviceError
from companion.devices import open_buttons, open_lights, open_scanner, open_sensors
from companion.devices.simulated_bench import SimulatedBench
from companion.devices.simulated_board import FLAP_INTERVAL_MS, SensorFaults
from tests.support.received import clock
from tests.support.waiting import PATIENCE_S, wait_until


def wait_for(get, value):
    while get(timeout=PATIENCE_S) != value:
        pass


def test_a_hand_moves_every_device_and_each_tells_of_it():
    told, said = queue.Queue(), queue.Queue()
    with ExitStack() as stack:
        sensors = stack.enter_context(closing(open_sensors("sim:", 8, clock, occupied=0b11)))
        scanner = stack.enter_context(closing(open_scanner("sim:", clock)))
        buttons = stack.enter_context(closing(open_buttons("sim:", clock)))
        lights = stack.enter_context(closing(open_lights("sim:", 2, 2000)))
        bench = SimulatedBench(sensors, scanner, buttons, lights)
        sensors.start(told.put, lambda ok, say: said.put(("sensors", ok)))
        scanner.start(told.put, lambda ok, say: said.put(("cards", ok)))
        buttons.start(told.put, lambda ok, say: said.put(("buttons", ok)))
        lights.start(lambda ok, say: said.put(("lights", ok)))

        assert bench.board.occupied_holes() == 0b11
        bench.board.move_pegs(lift=0b1, place=0b100)
        assert bench.board.occupied_holes() == 0b110
        wait_for(told.get, 0b110)
        bench.scanner.scan_card("5H")
        wait_for(told.get, "5H")
        bench.buttons.press_button("go:1")
        wait_for(told.get, "go:1")
        lights.show_frame([(1, 2, 3), (0, 0, 0)], 4)
        wait_until(lambda: bench.lights.sent_frame() == (((1, 2, 3), (0, 0, 0)), 4))
        for device in ("sensors", "cards", "buttons", "lights"):
            bench.set_cable(device, plugged=False)
            wait_for(said.get, (device, False))
            bench.set_cable(device, plugged=True)
            wait_for(said.get, (device, True))


def test_what_is_not_simulated_is_said():
    with closing(open_scanner("serial:/dev/nothing", clock)) as real, closing(open_lights("sim:", 1, 2000)) as lights:
        bench = SimulatedBench(None, real, None, lights)
        assert bench.simulated_devices == {"lights"}
        for act in (
            lambda: bench.board,
            lambda: bench.scanner.scan_card("5H"),
            lambda: bench.buttons.press_button("dice"),
            lambda: bench.set_cable("cards", plugged=False),
        ):
            with pytest.raises(DeviceError, match="not simulated"):
                act()


def test_there_is_no_other_cable():
    with pytest.raises(DeviceError, match=r"Unknown cable 'power'\. Use one of sensors, lights, cards, buttons"):
        SimulatedBench().set_cable("power", plugged=True)


@pytest.fixture
def reports():
    return queue.Queue()


@pytest.fixture
def board(reports):
    with closing(open_sensors("sim:", 8, clock, occupied=0b11)) as sensors:
        sensors.start(lambda bits, _ms, _known_ms: reports.put(bits), lambda ok, say: None)
        yield sensors


def test_a_stuck_hole_tells_a_peg_and_a_dead_one_tells_none_until_they_are_mended(board, reports):
    board.set_sensor_fault(0b1000_0000, "stuck")
    wait_for(reports.get, 0b1000_0011)
    board.set_sensor_fault(0b1, "dead")
    wait_for(reports.get, 0b1000_0010)
    board.move_pegs(lift=0b1, place=0b10_0000)
    wait_for(reports.get, 0b1010_0010)
    assert board.occupied_holes() == 0b10_0010  # the hand sees what is so
    board.set_sensor_fault(0b1000_0001, None)
    wait_for(reports.get, 0b10_0010)
    assert board.failing_sensors() == {"stuck": 0, "flapping": 0, "dead": 0}


def test_a_flapping_hole_comes_and_goes_by_itself_and_pegs_are_moved_meanwhile(board, reports):
    board.set_sensor_fault(0b1000, "flapping")
    for bits in (0b1011, 0b11, 0b1011, 0b11):
        wait_for(reports.get, bits)
    board.move_pegs(lift=0b1)
    for bits in (0b1010, 0b10):
        wait_for(reports.get, bits)


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
