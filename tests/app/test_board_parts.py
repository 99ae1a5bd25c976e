"""Buttons at the board reach the table: by URL, without one where the board is real, and after a change of boards."""

import queue

import pytest

from companion.app.device_manager import DeviceManager
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from firmware import wire
from tests.support.received import clock
from tests.support.waiting import PATIENCE_S


class PressedTable:
    """A table that records presses and the states of devices."""

    def __init__(self):
        self.presses, self.states = queue.Queue(), queue.Queue()

    def on_press(self, button):
        self.presses.put(button)

    def on_device(self, name, ok, say, url=""):
        self.states.put((name, ok))

    def on_levels(self, *levels):
        pass

    def wait_for(self, name, ok):
        while self.states.get(timeout=PATIENCE_S) != (name, ok):
            pass


def core_of(game, settings):
    return create_core(create_plan(game), settings)


@pytest.fixture
def start_devices():
    """Return a function that starts the devices of these URLs, and returns them with their table."""
    started = []

    def start(**urls):
        settings, table = Settings(**urls), PressedTable()
        devices = DeviceManager(settings, (), core_of("six-card", settings), clock)
        started.append(devices)
        devices.start(table)
        return devices, table

    yield start
    for devices in started:
        devices.close()


def test_buttons_of_a_simulated_board_are_pressed_on_the_bench_also_after_another_board_came(start_devices):
    devices, table = start_devices(buttons="node:")
    table.wait_for("buttons", True)
    devices.bench.press_button("undo")
    assert table.presses.get(timeout=PATIENCE_S) == "undo"
    assert "buttons" in devices.bench.simulated_devices
    assert not devices.bench.is_lamp_lit()
    devices.leave_board()
    devices.enter_board(core_of("bases", Settings()))
    devices.resume_input()
    table.wait_for("buttons", True)
    devices.bench.press_button("dice")
    assert table.presses.get(timeout=PATIENCE_S) == "dice"
    assert table.presses.empty()


@pytest.mark.parametrize(("buttons", "heard"), [("sim:", True), ("node:", True), ("none:", False)])
def test_a_real_board_with_buttons_needs_no_setting_unless_it_is_told_that_there_are_none(
    start_devices, buttons, heard
):
    devices, table = start_devices(sensors="serial:/dev/nothing", buttons=buttons)
    for number, presses in enumerate((4, 5)):
        message = wire.ButtonStates(number, 100 + number, (("undo", presses, False),))
        devices.sensors._notify_listeners(message)
    devices.sensors.call_soon(table.on_press, "end")
    told = [table.presses.get(timeout=PATIENCE_S) for _ in range(1 + heard)]
    assert told == [*["undo"] * heard, "end"]
