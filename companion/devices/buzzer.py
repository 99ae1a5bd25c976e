"""The buzzer: `node:` at the board, `gpio:13`, a passive piezo between that GPIO and ground, `sim:`, or `none:`.

At a GPIO it is gpiozero's TonalBuzzer, and a thread of its own plays the tunes, so callers never wait.
"""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.buttons import MAX_GPIO, open_pin_factory
from companion.devices.device_thread import DeviceThread, NullDevice, ThreadedDevice, parse_device_url
from companion.devices.node_panel import NodeBuzzer, require_wired
from companion.i18n import gettext_noop
from companion.ports import Buzzer, HoleSensors, StatusCallback

TUNES = {
    "right": ((659, 70), (880, 90)),
    "wrong": ((440, 160), (330, 240)),
    "win": ((440, 100), (554, 100), (659, 100), (880, 400)),
}
"""Notes of each tune, each its frequency in Hz and its duration in ms. Rising means right, falling means wrong."""

SIMULATED_PIN = 13


def open_buzzer(url: str, sensors: HoleSensors | None = None) -> Buzzer:
    """Return the buzzer of this URL. Raises DeviceError for an invalid URL.

    :param sensors: the sensors whose board has the buzzer, for `node:`.
    """
    known: dict[str, tuple[str, ...]] = {"gpio": (), "node": (), "sim": (), "none": ()}
    address = parse_device_url(url, device="buzzer", known=known, paths=("gpio",), example="13")
    if address.scheme == "none":
        return NullDevice(url)
    if address.scheme == "node":
        return NodeBuzzer(url, require_wired(url, sensors), TUNES)
    if address.scheme == "sim":
        return GpioBuzzer(url, SIMULATED_PIN, _open_mock_factory)
    if not address.path.isdecimal() or len(address.path) > 2 or int(address.path) > MAX_GPIO:
        raise DeviceError(f"{address.path!r} in {url!r} is not a pin. Write a GPIO number, 0 to {MAX_GPIO}.")
    return GpioBuzzer(url, int(address.path), partial(open_pin_factory, "buzzer"))


class GpioBuzzer(ThreadedDevice):
    """A buzzer at a pin of a gpiozero pin factory."""

    def __init__(self, url: str, pin: int, open_factory: Callable[[], Any]) -> None:
        super().__init__(url, gettext_noop("buzzer"))
        self._pin = pin
        self._open_factory = open_factory
        self._wanted = ""

    def start(self, status: StatusCallback) -> None:
        """Start the thread that plays tunes. Calls `status` when the pin starts or stops working."""
        self._start_thread(self._serve_device, status)

    def play_tune(self, name: str) -> None:
        """Play this tune soon; it interrupts the current one. Never blocks."""
        with self._condition:
            self._wanted = name
            self._condition.notify_all()

    def _wake(self) -> None:
        self.play_tune("")

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

    def _play_notes(self, buzzer: Any, tune: tuple[tuple[int, int], ...]) -> None:
        for hz, length_ms in tune:
            buzzer.play(float(hz))
            with self._condition:
                if self._condition.wait_for(lambda: self._wanted or self._is_closing(), length_ms / 1000):
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
