"""Buttons at the board reach the table, and the light loop survives a frame that cannot be painted."""

import contextlib
import queue
import threading
from types import SimpleNamespace

import pytest

from companion.app import device_manager
from companion.app.device_manager import DeviceManager
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Starter
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from firmware import wire
from tests.support.received import clock
from tests.support.tables import open_table
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


def test_simulated_buttons_reach_the_table_on_any_board(start_devices):
    devices, table = start_devices(buttons="node:")
    table.wait_for("buttons", True)
    devices.bench.buttons.press_button("undo")
    assert table.presses.get(timeout=PATIENCE_S) == "undo"
    assert "buttons" in devices.bench.simulated_devices
    assert not devices.bench.buttons.is_lamp_lit()
    devices.leave_board()
    devices.enter_board(core_of("bases", Settings()))
    devices.resume_input()
    table.wait_for("buttons", True)
    devices.bench.buttons.press_button("dice")
    assert table.presses.get(timeout=PATIENCE_S) == "dice"
    assert table.presses.empty()


@pytest.mark.parametrize(("buttons", "heard"), [("sim:", True), ("node:", True), ("none:", False)])
def test_a_real_board_with_buttons_needs_no_setting(start_devices, buttons, heard):
    devices, table = start_devices(sensors="serial:/dev/nothing", buttons=buttons)
    for number, presses in enumerate((4, 5)):
        message = wire.ButtonStates(number, 100 + number, (("undo", presses, False),))
        devices.sensors._notify_listeners(message)
    devices.sensors.call_soon(table.on_press, "end")
    told = [table.presses.get(timeout=PATIENCE_S) for _ in range(1 + heard)]
    assert told == [*["undo"] * heard, "end"]


class Strip:
    """Lights and buttons that keep the numbers of the snapshots they were painted from."""

    def __init__(self):
        self.numbers = []
        self.buttons = self
        self.changed = threading.Condition()

    def show_frame(self, frame, number):
        with self.changed:
            self.numbers.append(number)
            self.changed.notify_all()

    def set_lamp(self, name, *, lit):
        pass

    def until(self, number):
        with self.changed:
            assert self.changed.wait_for(lambda: number in self.numbers, PATIENCE_S)


@contextlib.contextmanager
def light_loop(folder, game="six-card", **parts):
    """Run the lights of a table, which does not tick; yields the table and the strip."""
    table, strip = open_table(folder, game, clock=lambda: 1000), Strip()
    lights = device_manager.LightLoop(table, strip, lambda: 1000, **parts)
    with contextlib.closing(lights), contextlib.closing(table):
        yield table, strip


def test_a_frame_that_cannot_be_painted_is_reported(tmp_path, monkeypatch, caplog):
    paint, failed = device_manager.paint_frame, threading.Event()

    def fails(*_):
        failed.set()
        raise ZeroDivisionError

    monkeypatch.setattr(device_manager, "paint_frame", fails)
    with light_loop(tmp_path) as (table, strip):
        assert failed.wait(PATIENCE_S)
        monkeypatch.setattr(device_manager, "paint_frame", paint)
        strip.until(table.submit(Starter(parse_card("JD"))).number)
        assert "ZeroDivisionError" in caplog.text


def test_only_a_game_won_is_heard_once(tmp_path):
    heard = queue.Queue()
    with light_loop(tmp_path, "pegs-only", buzzer=SimpleNamespace(play_tune=heard.put)) as (table, strip):
        strip.until(table.submit(Adjust(0, 20)).number)
        strip.until(table.submit(Adjust(0, 101)).number)
        assert heard.get(timeout=PATIENCE_S) == "win"
        assert heard.empty()


def test_the_display_follows_snapshots_and_refusals(tmp_path):
    written = queue.Queue()
    display = SimpleNamespace(show_rows=lambda rows: written.put([text for _, _, text in rows]))

    def wait_for(*lines):
        while not set(lines) <= set(rows := written.get(timeout=PATIENCE_S)):
            pass
        return rows

    with light_loop(tmp_path, display=display) as (table, _):
        wait_for("Cut a card")
        table.submit(Starter(parse_card("JD")))
        wait_for("2      0", "Blue plays", "The jack of")
        table.on_scan("JD", None)
        wait_for("2      0", "diamonds has")
        table.submit(Adjust(0, 5))
        assert "diamonds has" not in wait_for("7      0", "Blue plays")
