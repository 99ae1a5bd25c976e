"""The buzzer: `gpio:13`, a passive piezo between that GPIO and ground, `sim:`, the same on a mock pin, or `none:`.

It is gpiozero's TonalBuzzer. Tones are played by a thread of their own, which nobody waits for. Knows nothing of why
something is right, wrong or won.
"""

import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.buttons import HIGHEST_PIN, open_pins
from companion.devices.device_thread import Keeper, read_url
from companion.i18n import phrase
from companion.ports import Sounder, Status

TUNES: dict[str, tuple[tuple[str, float], ...]] = {
    "right": (("E5", 0.07), ("A5", 0.09)),
    "wrong": (("A4", 0.16), ("E4", 0.24)),
    "win": (("A4", 0.1), ("C#5", 0.1), ("E5", 0.1), ("A5", 0.4)),
}
"""Notes, and how long each sounds in seconds: up is right, down is wrong."""

SIMULATED = 13


def open_sounder(url: str) -> Sounder:
    """The buzzer of this URL. Raises DeviceError for a URL that means nothing."""
    known: dict[str, tuple[str, ...]] = {"gpio": (), "sim": (), "none": ()}
    address = read_url(url, device="buzzer", known=known, paths=("gpio",), example="13")
    if address.scheme == "none":
        return Silence(url)
    if address.scheme == "sim":
        return Buzzer(url, SIMULATED, _open_mock)
    if not address.path.isdecimal() or len(address.path) > 2 or int(address.path) > HIGHEST_PIN:
        raise DeviceError(f"{address.path!r} in {url!r} is no pin: write a GPIO number, 0 to {HIGHEST_PIN}.")
    return Buzzer(url, int(address.path), partial(open_pins, "buzzer"))


class Silence:
    """No buzzer."""

    def __init__(self, url: str) -> None:
        self.url = url

    def start(self, status: Status) -> None:
        """Nothing begins."""

    def sound(self, name: str) -> None:
        """Nothing sounds."""

    def close(self) -> None:
        """Nothing ends."""


class Buzzer:
    """A buzzer at a pin of a gpiozero factory."""

    def __init__(self, url: str, pin: int, open_factory: Callable[[], Any]) -> None:
        self.url = url
        self._pin = pin
        self._open_factory = open_factory
        self._changed = threading.Condition()
        self._wanted = ""
        self._keeper: Keeper | None = None

    def start(self, status: Status) -> None:
        """Begin to sound what is asked for; `status` hears when the pin comes or goes."""
        self._keeper = Keeper(phrase("buzzer"), self._attend, status)
        self._keeper.start()

    def sound(self, name: str) -> None:
        """Play this tune soon; it cuts short the one that sounds. Never blocks."""
        with self._changed:
            self._wanted = name
            self._changed.notify_all()

    def close(self) -> None:
        """Be silent, and let go of the pin."""
        if self._keeper:
            self._keeper.closing.set()
            self.sound("")
            self._keeper.close()

    def _attend(self, keeper: Keeper) -> None:
        with closing(self._open_factory()) as factory, closing(_buzzer(self._pin, factory)) as buzzer:
            keeper.well()
            with self._changed:
                self._wanted = ""  # what was asked for while there was no buzzer is over
            while not keeper.closing.is_set():
                with self._changed:
                    self._changed.wait_for(lambda: self._wanted or keeper.closing.is_set())
                    name, self._wanted = self._wanted, ""
                self._play(buzzer, TUNES.get(name, ()))

    def _play(self, buzzer: Any, tune: tuple[tuple[str, float], ...]) -> None:
        for note, length_s in tune:
            buzzer.play(note)
            with self._changed:
                if self._changed.wait_for(lambda: self._wanted or self._ending(), length_s):
                    break
        buzzer.stop()

    def _ending(self) -> bool:
        return self._keeper is not None and self._keeper.closing.is_set()


def _buzzer(pin: int, factory: Any) -> Any:
    from gpiozero import TonalBuzzer

    return TonalBuzzer(pin, pin_factory=factory)


def _open_mock() -> Any:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)
