"""Buttons and the buzzer on gpiozero's mock pins: debouncing, and tunes that never block."""

import queue
import threading
from contextlib import closing

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from companion.common.errors import DeviceError
from companion.common.process import system_package_command
from companion.devices import open_buzzer
from companion.devices.buttons import SETTLE_MS, ButtonSampler, GpioButtons, open_buttons
from companion.devices.buzzer import SIMULATED_PIN, TUNES, GpioBuzzer
from firmware.node import SCAN_INTERVAL_MS
from tests.support.received import DeviceCallbacks, clock, run_device
from tests.support.waiting import PATIENCE_S, wait_until


@pytest.fixture
def buttons():
    with run_device(open_buttons("sim:", clock)) as (device, callbacks):
        yield device, callbacks


def presses(changes):
    """Return the number of presses in these (time, level) samples."""
    sampler, count = ButtonSampler(1, 0, 0), 0
    for now_ms, level in changes:
        count += sampler.advance(now_ms)
        sampler.set_level(0, level)
    return count


def test_a_bounce_at_both_ends_of_a_press_is_one_press():
    bounce = [(100, True), (102, False), (103, True), (107, False), (108, True)]
    release = [(200, False), (203, True), (204, False)]
    assert presses([*bounce, *release, (300, False)]) == 1


def test_a_spike_is_no_press():
    assert presses([(100, True), (100 + SETTLE_MS - SCAN_INTERVAL_MS, False), (500, False)]) == 0


def test_a_press_that_lasted_counts_even_where_it_is_noticed_only_by_the_release():
    assert presses([(100, True), (100 + SETTLE_MS, False)]) == 1


def test_a_contact_says_when_it_will_be_believed():
    sampler = ButtonSampler(1, 0, 100)
    assert sampler.wait_time_s() is None
    sampler.set_level(0, True)
    assert sampler.wait_time_s() == SETTLE_MS / 1000
    assert sampler.advance(100 + SETTLE_MS) == 1
    assert sampler.wait_time_s() is None


@given(st.lists(st.tuples(st.integers(SCAN_INTERVAL_MS, SETTLE_MS - SCAN_INTERVAL_MS), st.booleans())))
def test_whatever_changes_faster_than_it_settles_is_at_most_one_press(steps):
    now_ms, changes, level = 1000, [], False
    for wait_ms, flips in steps:
        now_ms += wait_ms if flips else 0
        level = level ^ flips
        changes.append((now_ms, level))
    assert presses([*changes, (now_ms + 1000, level)]) == int(level)


@given(st.lists(st.tuples(st.integers(SETTLE_MS, 500), st.integers(SETTLE_MS, 500)), max_size=20))
def test_every_slow_press_counts_once(slow):
    now_ms, changes = 1000, []
    for down_ms, up_ms in slow:
        changes += [(now_ms, True), (now_ms + down_ms, False)]
        now_ms += down_ms + up_ms
    assert presses([*changes, (now_ms, False)]) == len(slow)


def test_a_finger_presses_each_button_once_in_order(buttons):
    device, callbacks = buttons
    for name in ("dice", "go:0", "go:1", "undo", "undo"):
        device.press_button(name)
    assert [callbacks.next_value() for _ in range(5)] == ["dice", "go:0", "go:1", "undo", "undo"]
    assert callbacks.values.empty()


def test_past_presses_are_not_kept(buttons):
    device, callbacks = buttons
    for _ in range(5):
        device.press_button("undo")
        assert callbacks.next_value() == "undo"
    assert all(len(pin.states) == 1 for pin in device._factory.pins.values())


def test_many_fingers_at_once_each_count(buttons):
    device, callbacks = buttons
    fingers = [threading.Thread(target=device.press_button, args=(name,)) for name in ("dice", "undo", "go:4")]
    for finger in fingers:
        finger.start()
    assert {callbacks.next_value() for _ in range(3)} == {"dice", "undo", "go:4"}
    for finger in fingers:
        finger.join()


def test_there_is_no_other_button(buttons):
    with pytest.raises(DeviceError, match=r"Unknown button 'go:9'\. Use one of dice, undo, go:0"):
        buttons[0].press_button("go:9")


def test_the_process_wide_pin_factory_is_left_alone(buttons):
    buttons[0].press_button("dice")
    assert gpiozero.Device.pin_factory is None


def test_a_bouncing_switch_is_one_press_as_soon_as_it_settles():
    factory, now_ms = MockFactory(), [1000]
    with run_device(GpioButtons("gpio:", {"dice": 17}, lambda: now_ms[0], lambda: factory)) as (_, callbacks):
        pin = factory.pin(17)
        for _ in range(5):
            pin.drive_low()
            pin.drive_high()
        pin.drive_low()
        now_ms[0] += 10 * SETTLE_MS
        assert callbacks.next_value() == "dice"  # while it is still held
        for _ in range(5):
            pin.drive_high()
            pin.drive_low()
        pin.drive_high()
        now_ms[0] += 10 * SETTLE_MS
        with pytest.raises(queue.Empty):
            callbacks.values.get(timeout=0.2)


def test_a_button_stuck_from_the_start_is_no_press():
    class Grounded(MockPin):
        def _set_pull(self, value):
            self._pull = value

    device = GpioButtons("gpio:", {"dice": 17}, clock, lambda: MockFactory(pin_class=Grounded))
    with run_device(device) as (_, callbacks), pytest.raises(queue.Empty):
        callbacks.values.get(timeout=0.2)


def test_gpio_buttons_use_the_configured_factory_of_gpiozero(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("LG_WD", "/tmp")
    with run_device(open_buttons("gpio:dice=17,undo=27,go0=22,go1=23", clock)):
        pass


def test_a_machine_without_the_library_says_what_to_install(monkeypatch, capfd):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "rpigpio")
    monkeypatch.setenv("LG_WD", "/tmp")
    callbacks = DeviceCallbacks()
    with closing(open_buttons("gpio:dice=17", clock)) as device:
        device.start(callbacks.on_value, callbacks.on_status)
        assert callbacks.next_status() == (
            False,
            "The package rpigpio for the buttons is missing. To install it, type: "
            + system_package_command("python3-rpigpio"),
        )
    assert capfd.readouterr() == ("", "")


def test_the_lamp_in_the_dice_button_is_lit_and_goes_out(buttons):
    device, _ = buttons
    assert not device.is_lamp_lit()
    device.set_lamp("dice", lit=True)
    assert device.is_lamp_lit()
    device.set_lamp("undo", lit=False)
    assert device.is_lamp_lit()
    device.set_lamp("dice", lit=False)
    assert not device.is_lamp_lit()


def test_a_lamp_is_as_it_ought_to_be_once_its_cable_is_back(buttons):
    device, callbacks = buttons
    device.set_plugged(False)
    assert callbacks.next_status() == (False, "The buttons' cable is unplugged.")
    device.set_lamp("dice", lit=True)
    assert not device.is_lamp_lit()
    device.set_plugged(True)
    assert callbacks.next_status() == (True, "")
    assert device.is_lamp_lit()


def test_a_real_lamp_is_driven_at_its_pin_and_dark_afterwards():
    factory, callbacks = MockFactory(), DeviceCallbacks()
    with closing(GpioButtons("gpio:", {"dice": 17, "lamp": 24}, clock, lambda: factory)) as device:
        device.set_lamp("dice", lit=True)
        device.start(callbacks.on_value, callbacks.on_status)
        assert callbacks.next_status() == (True, "")
        pin = factory.pin(24)
        assert (pin.function, bool(pin.state)) == ("output", True)
    assert pin.function == "input"


@pytest.mark.parametrize(("held_ms", "pressed"), [(2999, []), (3000, ["off"])])
def test_a_button_that_is_held_shuts_down(held_ms, pressed):
    factory, callbacks, now = MockFactory(), DeviceCallbacks(), [1000]
    device = GpioButtons("gpio:", {"off": 3, "undo": 27, "ready": 25}, lambda: now[0], lambda: factory)
    with closing(device):
        device.start(callbacks.on_value, callbacks.on_status)
        assert callbacks.next_status() == (True, "")
        assert factory.pin(25).state
        factory.pin(3).drive_low()
        now[0] += held_ms
        factory.pin(3).drive_high()
        factory.pin(27).drive_low()
        now[0] += SETTLE_MS
        factory.pin(27).drive_high()
        assert [callbacks.next_value() for _ in (*pressed, "undo")] == [*pressed, "undo"]
    assert factory.pin(25).function == "input"


def test_buttons_without_a_lamp_are_lit_in_vain():
    with run_device(GpioButtons("gpio:", {"dice": 17}, clock, MockFactory)) as (device, _):
        device.set_lamp("dice", lit=True)


class Listener(MockPWMPin):
    """A pin that records its tones in Hz, and 0 for silence."""

    heard: list

    def _set_frequency(self, value):
        super()._set_frequency(value)
        Listener.heard.append(round(value or 0))


@pytest.fixture
def buzzer():
    Listener.heard = []
    with run_device(GpioBuzzer("test:", 13, lambda: MockFactory(pin_class=Listener))) as (sounder, _):
        Listener.heard.clear()
        yield sounder


@pytest.mark.parametrize("name", TUNES)
def test_a_tune_is_played_note_by_note_and_then_there_is_silence(buzzer, name):
    buzzer.play_tune(name)
    notes = [hz for hz, _ in TUNES[name]]
    wait_until(lambda: Listener.heard == [*notes, 0])


@pytest.fixture
def endless(monkeypatch):
    """A tune whose first note sounds for longer than any test."""
    monkeypatch.setitem(TUNES, "win", ((440, 2000 * PATIENCE_S), (880, 400)))


def test_asking_never_waits_and_the_newest_cuts_short_what_sounds(buzzer, endless):
    buzzer.play_tune("win")
    wait_until(lambda: Listener.heard)
    buzzer.play_tune("wrong")
    wait_until(lambda: Listener.heard[-3:] == [440, 330, 0])
    assert Listener.heard.count(880) == 0


def test_what_is_no_tune_is_silence(buzzer):
    buzzer.play_tune("applause")
    buzzer.play_tune("right")
    wait_until(lambda: Listener.heard[-1:] == [0] and len(Listener.heard) > 1)


def test_closing_in_the_middle_of_a_tune_is_at_once_and_silent(buzzer, endless):
    buzzer.play_tune("win")
    wait_until(lambda: Listener.heard)
    thread = next(thread for thread in threading.enumerate() if "buzzer" in thread.name)
    buzzer.close()
    wait_until(lambda: not thread.is_alive(), seconds=30)
    assert Listener.heard[-1] == 0


@pytest.mark.parametrize("url", ["sim:", "none:"])
def test_without_a_buzzer_all_the_same_may_be_asked(url):
    sounder, callbacks = open_buzzer(url), DeviceCallbacks()
    sounder.play_tune("right")
    sounder.close()
    sounder = open_buzzer(url)
    sounder.start(callbacks.on_status)
    sounder.play_tune("win")
    sounder.close()
    assert sounder.url == url


def test_a_pin_that_another_device_uses_is_reported_and_tried_again(caplog):
    factory = MockFactory(pin_class=MockPWMPin)
    taken, callbacks = factory.pin(SIMULATED_PIN), DeviceCallbacks()
    factory.reserve_pins(callbacks, SIMULATED_PIN)
    with closing(GpioBuzzer("test:", SIMULATED_PIN, lambda: factory)) as sounder:
        sounder.start(callbacks.on_status)
        ok, say = callbacks.next_status()
        assert not ok
        assert "buzzer" in say
        assert taken
