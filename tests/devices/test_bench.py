"""The bench: one hand over all simulated devices."""

import queue
import time
from contextlib import ExitStack, closing

import pytest

from companion import ports
from companion.devices import open_buttons, open_lights, open_scanner, open_sensors
from companion.devices.bench import SimulatedBench
from companion.errors import DeviceError


def clock():
    return time.monotonic_ns() // 1_000_000


def until(get, value):
    """Takes from a queue until this value comes."""
    while get(timeout=10) != value:
        pass


def test_a_hand_moves_every_device_and_each_tells_of_it():
    told, said = queue.Queue(), queue.Queue()
    with ExitStack() as stack:
        sensors = stack.enter_context(closing(open_sensors("sim:", 8, clock, occupied=0b11)))
        scanner = stack.enter_context(closing(open_scanner("sim:", clock)))
        buttons = stack.enter_context(closing(open_buttons("sim:", clock)))
        lights = stack.enter_context(closing(open_lights("sim:", 2)))
        bench: ports.Bench = SimulatedBench(sensors, scanner, buttons, lights)
        sensors.start(told.put, lambda ok, say: said.put(("sensors", ok)))
        scanner.start(told.put, lambda ok, say: said.put(("cards", ok)))
        buttons.start(told.put, lambda ok, say: said.put(("buttons", ok)))
        lights.start(lambda ok, say: said.put(("lights", ok)))

        assert bench.occupied() == 0b11
        bench.move_pegs(lift=0b1, place=0b100)
        assert bench.occupied() == 0b110
        until(told.get, 0b110)
        bench.scan("5H")
        until(told.get, "5H")
        bench.press("go:1")
        until(told.get, "go:1")
        lights.show([(1, 2, 3), (0, 0, 0)], 4)
        deadline = time.monotonic() + 10
        while bench.lights() != (((1, 2, 3), (0, 0, 0)), 4):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        for device in ("sensors", "cards", "buttons", "lights"):
            bench.cable(device, plugged=False)
            until(said.get, (device, False))
            bench.cable(device, plugged=True)
            until(said.get, (device, True))


def test_what_is_not_simulated_is_said():
    with closing(open_scanner("serial:/dev/nothing", clock)) as real, closing(open_lights("sim:", 1)) as lights:
        bench = SimulatedBench(None, real, None, lights)
        assert bench.simulated == {"lights"}
        for act in (
            bench.occupied,
            bench.move_pegs,
            lambda: bench.scan("5H"),
            lambda: bench.press("dice"),
            lambda: bench.cable("cards", plugged=False),
        ):
            with pytest.raises(DeviceError, match="not simulated"):
                act()


def test_there_is_no_other_cable():
    with pytest.raises(DeviceError, match="There is no cable 'power'; there are sensors, lights, cards, buttons"):
        SimulatedBench().cable("power", plugged=True)
