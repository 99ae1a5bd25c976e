"""The bench controls all simulated devices."""

import queue
from contextlib import ExitStack, closing

import pytest

from companion.common.errors import DeviceError
from companion.devices import open_buttons, open_lights, open_scanner, open_sensors
from companion.devices.simulated_bench import SimulatedBench
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
