"""The buzzer: `gpio:13`, a passive piezo between that GPIO and ground; `sim:`, a mock pin; or `none:`.

It uses gpiozero's TonalBuzzer. A thread of its own plays the tunes, so callers never wait.
"""

import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.buttons import MAX_GPIO, open_pin_factory
from companion.devices.device_thread import DeviceThread, parse_device_url
from companion.i18n import gettext_noop
from companion.ports import Buzzer, StatusCallback

TUNES: dict[str, tuple[tuple[str, float], ...]] = {
    "right": (("E5", 0.07), ("A5", 0.09)),
    "wrong": (("A4", 0.16), ("E4", 0.24)),
    "win": (("A4", 0.1), ("C#5", 0.1), ("E5", 0.1), ("A5", 0.4)),
}
"""Notes of each tune, each with its duration in s. Rising means right, falling means wrong."""

SIMULATED_PIN = 13


def open_buzzer(url: str) -> Buzzer:
    """Return the buzzer of this URL. Raises DeviceError for an invalid URL."""
    known: dict[str, tuple[str, ...]] = {"gpio": (), "sim": (), "none": ()}
    address = parse_device_url(url, device="buzzer", known=known, paths=("gpio",), example="13")
    if address.scheme == "none":
        return NullBuzzer(url)
    if address.scheme == "sim":
        return GpioBuzzer(url, SIMULATED_PIN, _open_mock_factory)
    if not address.path.isdecimal() or len(address.path) > 2 or int(address.path) > MAX_GPIO:
        raise DeviceError(f"{address.path!r} in {url!r} is not a pin. Write a GPIO number, 0 to {MAX_GPIO}.")
    return GpioBuzzer(url, int(address.path), partial(open_pin_factory, "buzzer"))


class NullBuzzer:
    """Stands in for a buzzer that the table does not have."""

    def __init__(self, url: str) -> None:
        self.url = url

    def start(self, status: StatusCallback) -> None:
        """Do nothing."""

    def play_tune(self, name: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class GpioBuzzer:
    """A buzzer at a pin of a gpiozero pin factory."""

    def __init__(self, url: str, pin: int, open_factory: Callable[[], Any]) -> None:
        self.url = url
        self._pin = pin
        self._open_factory = open_factory
        self._condition = threading.Condition()
        self._wanted = ""
        self._device_thread: DeviceThread | None = None

    def start(self, status: StatusCallback) -> None:
        """Start the thread that plays tunes. Calls `status` when the pin starts or stops working."""
        self._device_thread = DeviceThread(gettext_noop("buzzer"), self._serve_device, status)
        self._device_thread.start()

    def play_tune(self, name: str) -> None:
        """Play this tune soon; it interrupts the current one. Never blocks."""
        with self._condition:
            self._wanted = name
            self._condition.notify_all()

    def close(self) -> None:
        """Stop, and release the pin."""
        if self._device_thread:
            self._device_thread.closing.set()
            self.play_tune("")
            self._device_thread.close()

    def _serve_device(self, thread: DeviceThread) -> None:
        with closing(self._open_factory()) as factory, closing(_open_tonal_buzzer(self._pin, factory)) as buzzer:
            thread.report_ok()
            with self._condition:
                self._wanted = ""  # drop a tune requested while there was no buzzer
            while not thread.closing.is_set():
                with self._condition:
                    self._condition.wait_for(lambda: self._wanted or thread.closing.is_set())
                    name, self._wanted = self._wanted, ""
                self._play_notes(buzzer, TUNES.get(name, ()))

    def _play_notes(self, buzzer: Any, tune: tuple[tuple[str, float], ...]) -> None:
        for note, length_s in tune:
            buzzer.play(note)
            with self._condition:
                if self._condition.wait_for(lambda: self._wanted or self._is_closing(), length_s):
                    break
        buzzer.stop()

    def _is_closing(self) -> bool:
        return self._device_thread is not None and self._device_thread.closing.is_set()


def _open_tonal_buzzer(pin: int, factory: Any) -> Any:
    from gpiozero import TonalBuzzer

    return TonalBuzzer(pin, pin_factory=factory)


def _open_mock_factory() -> Any:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)
