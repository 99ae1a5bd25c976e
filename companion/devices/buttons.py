"""The dice, undo and go buttons: `gpio:dice=17,undo=27,go0=22,go1=23,lamp=24` by GPIO number, or `sim:`.

Each button connects its pin to ground; `lamp` drives an LED in the dice button. Real and simulated buttons are gpiozero
devices; the simulated ones use gpiozero's mock pins. Debouncing is a pure function of this module, because gpiozero's
does nothing on mock pins and a bounce must be handled alike everywhere.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.common.system_packages import system_package_command
from companion.devices.device_thread import DeviceThread, DeviceUnsupported, parse_device_url
from companion.devices.null import NULL_SCHEME, NullDevice
from companion.i18n import format_message, gettext_noop
from companion.ports import Buttons, Clock, StatusCallback

SETTLE_MS = 25
"""Time in ms for which a contact must be stable before its level counts. Good switches bounce for under 10 ms."""

PRESS_DURATION_S = 2 * SETTLE_MS / 1000
"""Time in s for which a simulated press holds the button, and then waits after its release."""

READY_TIMEOUT_S = 10.0
"""Longest wait in s of a simulated press for the pins to open. The first time, this includes loading gpiozero."""

LAMP = "lamp"
SIMULATED_PINS = {"dice": 17, "undo": 27, "go:0": 22, "go:1": 23, "go:2": 24, "go:3": 25, "go:4": 5, LAMP: 6}

MAX_GPIO = 27

_CABLE_OUT = "The buttons' cable is unplugged."

PressCallback = Callable[[str], None]


def open_buttons(url: str, clock: Clock) -> Buttons:
    """Return the buttons of this URL. Raises DeviceError for an invalid URL."""
    known: dict[str, tuple[str, ...]] = {"gpio": (), "sim": (), "none": ()}
    address = parse_device_url(
        url, device="buttons", known=known, paths=("gpio",), example="dice=17,undo=27,go0=22,go1=23"
    )
    if address.scheme == NULL_SCHEME:
        return NullDevice(url)
    if address.scheme == "sim":
        return SimulatedButtons(url, clock)
    return GpioButtons(url, _parse_pins(url, address.path), clock, partial(open_pin_factory, "buttons"))


def _parse_pins(url: str, path: str) -> dict[str, int]:
    pins: dict[str, int] = {}
    for part in path.split(","):
        match = re.fullmatch(r"(dice|undo|lamp|go[0-4])=([0-9]{1,2})", part)
        if not match or int(match[2]) > MAX_GPIO:
            raise DeviceError(
                f"{part!r} in {url!r} is not a button. Write dice, undo, go0 to go4 or lamp, = and a GPIO, 0 to 27."
            )
        name, pin = match[1].replace("go", "go:"), int(match[2])
        if name in pins or pin in pins.values():
            raise DeviceError(f"{part!r} in {url!r} names a button or a pin twice.")
        pins[name] = pin
    return pins


@dataclass(frozen=True, slots=True)
class Contact:
    """State of one button: debounced state `down`, and its latest `level`, unchanged since `since_ms`."""

    down: bool = False
    level: bool = False
    since_ms: int = 0

    def settles_at_ms(self) -> int | None:
        """Return the time when a changed level will count, or None while the level agrees with `down`."""
        return None if self.level == self.down else self.since_ms + SETTLE_MS


def update_contact(contact: Contact, level: bool, now_ms: int) -> tuple[Contact, bool]:
    """Return the contact after this level was sampled, and whether a press was completed.

    A level that lasted long enough counts even if that is only noticed at the next change.
    """
    lasted = now_ms - contact.since_ms >= SETTLE_MS
    believed = replace(contact, down=contact.level) if lasted else contact
    pressed = believed.down and not contact.down
    if level != contact.level:
        believed = replace(believed, level=level, since_ms=now_ms)
    return believed, pressed


class GpioButtons:
    """Buttons at pins of a gpiozero pin factory."""

    def __init__(self, url: str, pins: Mapping[str, int], clock: Clock, open_factory: Callable[[], Any]) -> None:
        self.url = url
        self._pins = {name: pin for name, pin in pins.items() if name != LAMP}
        self._lamp_pin = pins.get(LAMP)
        self._lamp: Any = None
        self._lit = False
        self._clock = clock
        self._open_factory = open_factory
        self._condition = threading.Condition()
        self._contacts: dict[str, Contact] = {}
        self._presses: list[str] = []
        self._device_thread: DeviceThread | None = None

    def start(self, pressed: PressCallback, status: StatusCallback) -> None:
        """Call `pressed(name)` once for each press, and `status` when the buttons start or stop working."""
        self._device_thread = DeviceThread(gettext_noop("buttons"), partial(self._serve_device, pressed), status)
        self._device_thread.start()

    def set_lamp(self, name: str, *, lit: bool) -> None:
        """Turn the lamp in the dice button on or off. The other buttons have no lamp."""
        if name != "dice" or lit == self._lit:
            return
        with self._condition:
            self._lit = lit
            if self._lamp is not None:
                self._lamp.value = lit

    def close(self) -> None:
        """Stop, and release the pins."""
        if self._device_thread:
            self._device_thread.closing.set()
            self._wake_thread()
            self._device_thread.close()

    def _serve_device(self, pressed: PressCallback, thread: DeviceThread) -> None:
        with ExitStack() as stack:
            factory = stack.enter_context(closing(self._open_factory()))
            self._contacts, self._presses = {}, []
            for name, pin in self._pins.items():
                self._watch_pin(name, stack.enter_context(closing(_open_input(pin, factory))))
            stack.enter_context(self._open_lamp(factory))
            self._on_opened(factory)
            thread.report_ok()
            while not thread.closing.is_set():
                for name in self._wait_for_presses(thread):
                    pressed(name)

    @contextmanager
    def _open_lamp(self, factory: Any) -> Iterator[None]:
        """Open the lamp, if there is one, in its wanted state; on exit it is dark."""
        if self._lamp_pin is None:
            yield
            return
        with closing(_open_output(self._lamp_pin, factory)) as lamp:
            with self._condition:
                self._lamp = lamp
                lamp.value = self._lit
            try:
                yield
            finally:
                with self._condition:
                    self._lamp = None

    def _on_opened(self, factory: Any) -> None:
        """Called when the pins are ready."""

    def _check_connected(self) -> None:
        """Raise DeviceError if the buttons are disconnected. Real buttons cannot detect that."""

    def _watch_pin(self, name: str, device: Any) -> None:
        # A button that is down from the start is stuck or leant on; it does not count as a press.
        down = bool(device.is_active)
        self._contacts[name] = Contact(down, down, self._clock())
        device.when_activated = partial(self._on_level, name, True)
        device.when_deactivated = partial(self._on_level, name, False)

    def _on_level(self, name: str, level: bool) -> None:
        # Runs in the thread that drives the pin, so it only records the change.
        with self._condition:
            self._update_contact(name, level)
            self._condition.notify_all()

    def _update_contact(self, name: str, level: bool) -> None:
        self._contacts[name], pressed = update_contact(self._contacts[name], level, self._clock())
        if pressed:
            self._presses.append(name)

    def _wait_for_presses(self, thread: DeviceThread) -> list[str]:
        """Wait until there is something to do, and return the presses completed since the last call."""
        with self._condition:
            self._check_connected()
            if not self._presses and not thread.closing.is_set():
                self._condition.wait(self._wait_time_s())
            for name, contact in self._contacts.items():
                self._update_contact(name, contact.level)
            presses, self._presses = self._presses, []
        return presses

    def _wait_time_s(self) -> float | None:
        times = [at for contact in self._contacts.values() if (at := contact.settles_at_ms()) is not None]
        return max(min(times) - self._clock(), 1) / 1000 if times else None

    def _wake_thread(self) -> None:
        with self._condition:
            self._condition.notify_all()


class SimulatedButtons(GpioButtons):
    """Buttons on mock pins, with methods to press them."""

    def __init__(self, url: str, clock: Clock) -> None:
        super().__init__(url, SIMULATED_PINS, clock, self._open_mock_factory)
        self._finger = threading.Lock()
        self._plugged = True
        self._factory: Any = None

    def press_button(self, name: str) -> None:
        """Press the button long enough and release it. It has no effect while the cable is unplugged."""
        if name not in self._pins:
            raise DeviceError(f"Unknown button {name!r}. Use one of {', '.join(self._pins)}.")
        with self._finger:
            pin = self._wait_for_pin(name)
            if pin:
                pin.drive_low()
            time.sleep(PRESS_DURATION_S)
            if pin:
                pin.drive_high()
            time.sleep(PRESS_DURATION_S)

    def is_lamp_lit(self) -> bool:
        """Return whether the lamp in the dice button is lit."""
        with self._condition:
            return self._lamp is not None and bool(self._lamp.pin.state)

    def set_plugged(self, plugged: bool) -> None:
        """Plug in or unplug the cable."""
        with self._condition:
            self._plugged = plugged
            if not plugged:
                self._factory = None  # replugging opens new pins
            self._condition.notify_all()

    def close(self) -> None:
        """Stop, and release the pins."""
        super().close()
        self.set_plugged(False)

    def _wait_for_pin(self, name: str) -> Any:
        with self._condition:
            if self._device_thread:
                self._condition.wait_for(lambda: self._factory or not self._plugged, READY_TIMEOUT_S)
            return self._factory.pin(self._pins[name]) if self._factory else None

    def _open_mock_factory(self) -> Any:
        from gpiozero.pins.mock import MockFactory, MockPin

        class Pin(MockPin):  # type: ignore[misc]
            def _change_state(self, value: bool) -> bool:
                is_changed = bool(super()._change_state(value))
                self.clear_states()  # gpiozero would keep every change
                return is_changed

        if not self._plugged:
            raise DeviceError(_CABLE_OUT)
        return MockFactory(pin_class=Pin)

    def _on_opened(self, factory: Any) -> None:
        with self._condition:
            self._factory = factory if self._plugged else None
            self._condition.notify_all()

    def _check_connected(self) -> None:
        if self._factory is None:
            raise DeviceError(_CABLE_OUT)


def _open_input(pin: int, factory: Any) -> Any:
    # Not gpiozero's Button, which adds a thread that polls ten times a second.
    from gpiozero import DigitalInputDevice

    return DigitalInputDevice(pin, pull_up=True, pin_factory=factory)


def _open_output(pin: int, factory: Any) -> Any:
    from gpiozero import DigitalOutputDevice

    return DigitalOutputDevice(pin, pin_factory=factory)


def open_pin_factory(device: str) -> Any:
    """Return a gpiozero pin factory for this device: lgpio's, or the one named in GPIOZERO_PIN_FACTORY."""
    import tempfile
    from importlib.metadata import entry_points

    # By default gpiozero warns of each missing library, and lgpio leaves a pipe in the working folder.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    name = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    try:
        (found,) = entry_points(group="gpiozero_pin_factories", name=name)
        make = found.load()
    except Exception as error:  # a missing library is an ImportError, a wrong one an AttributeError
        raise DeviceUnsupported(
            "The package {name} for the {device} is missing. To install it, type: {command}",
            device=format_message(device),
            name=name,
            command=system_package_command(f"python3-{name}"),
        ) from error
    try:
        return make()
    except Exception as error:  # each library has its own
        raise DeviceError(
            "Cannot open the pins of the {device}. Check that this is a Raspberry Pi and this user may use its pins.",
            device=format_message(device),
        ) from error
