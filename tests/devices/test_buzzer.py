"""The buzzer, on gpiozero's mock pins: playing never blocks, and a new tune interrupts the current one."""

import threading
from contextlib import closing

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.devices import open_buzzer
from companion.devices.buzzer import SIMULATED_PIN, TUNES, GpioBuzzer
from tests.support.received import DeviceCallbacks, run_device
from tests.support.waiting import PATIENCE_S, wait_until


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
