"""The dice, undo and go buttons: `gpio:dice=17,undo=27,go0=22,go1=23,lamp=24` by GPIO number, `node:`, or `sim:`.

Each button connects its pin to ground; `lamp` drives an LED in the dice button. `off` is a button that shuts the Pi
down when it is held, and `ready` an LED that is lit while the program runs. Buttons at a Pi's pins and simulated
ones are gpiozero devices; the simulated ones use gpiozero's mock pins. They are debounced by the firmware's own code,
because gpiozero's does nothing on mock pins and a bounce must be handled alike everywhere.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.common.process import system_package_command
from companion.devices.device_thread import (
    NULL_SCHEME,
    DeviceThread,
    DeviceUnsupported,
    NullDevice,
    ThreadedDevice,
    parse_device_url,
)
from companion.devices.node_panel import open_node_buttons
from companion.i18n import format_message, gettext_noop
from companion.ports import Buttons, Clock, HoleSensors, StatusCallback
from firmware.buttons import ButtonCounter
from firmware.debounce import SCANS_TO_CHANGE
from firmware.node import SCAN_INTERVAL_MS

SETTLE_MS = SCANS_TO_CHANGE * SCAN_INTERVAL_MS
"""Time in ms for which a contact must be stable before its level counts. Good switches bounce for under 10 ms."""

PRESS_DURATION_S = 0.05
"""Time in s for which a simulated press holds the button, and then waits after its release."""

READY_TIMEOUT_S = 10.0
"""Longest wait in s of a simulated press for the pins to open. The first time, this includes loading gpiozero."""

LAMP = "lamp"
SIMULATED_PINS = {"dice": 17, "undo": 27, "go:0": 22, "go:1": 23, "go:2": 24, "go:3": 25, "go:4": 5, LAMP: 6}

SHUTDOWN_BUTTON, READY = "off", "ready"
SHUTDOWN_HOLD_MS = 3000
"""How long `off` must be held."""

MAX_GPIO = 27

_CABLE_OUT = "The buttons' cable is unplugged."

PressCallback = Callable[[str], None]


def open_buttons(url: str, clock: Clock, sensors: HoleSensors | None = None) -> Buttons:
    """Return the buttons of this URL. Raises DeviceError for an invalid URL.

    :param sensors: the sensors whose board has the buttons, for `node:`.
    """
    known: dict[str, tuple[str, ...]] = {"gpio": (), "node": (), "sim": (), "none": ()}
    address = parse_device_url(
        url, device="buttons", known=known, paths=("gpio",), example="dice=17,undo=27,go0=22,go1=23"
    )
    if address.scheme == NULL_SCHEME:
        return NullDevice(url)
    if address.scheme == "node":
        return open_node_buttons(url, sensors)
    if address.scheme == "sim":
        return SimulatedButtons(url, clock)
    return GpioButtons(url, _parse_pins(url, address.path), clock, partial(open_pin_factory, "buttons"))


def _parse_pins(url: str, path: str) -> dict[str, int]:
    pins: dict[str, int] = {}
    for part in path.split(","):
        match = re.fullmatch(r"(dice|undo|lamp|off|ready|go[0-4])=([0-9]{1,2})", part)
        if not match or int(match[2]) > MAX_GPIO:
            raise DeviceError(
                f"{part!r} in {url!r} is not a button. Write dice, undo, go0 to go4, lamp, off or ready = 0 to 27."
            )
        name, pin = match[1].replace("go", "go:"), int(match[2])
        if name in pins or pin in pins.values():
            raise DeviceError(f"{part!r} in {url!r} names a button or a pin twice.")
        pins[name] = pin
    return pins


class ButtonSampler:
    """Debounces buttons of which only changes are known, by making up for the scans of the time between them.

    A level that lasted long enough counts even if that is only noticed at the next change. `levels` are bits.
    """

    def __init__(self, count: int, levels: int, now_ms: int) -> None:
        self._counter = ButtonCounter(count)
        self._levels, self._scanned_ms = levels, now_ms - SETTLE_MS
        self.advance(now_ms)  # a button that is down from the start is stuck or leant on, and not pressed

    def advance(self, now_ms: int) -> int:
        """Return the buttons whose press has been completed since the last call, as bits."""
        scans = (now_ms - self._scanned_ms) // SCAN_INTERVAL_MS
        self._scanned_ms += scans * SCAN_INTERVAL_MS
        pressed = 0
        for _ in range(min(scans, SCANS_TO_CHANGE)):
            pressed |= self._counter.scan(self._levels) & self._levels
        return pressed

    def set_level(self, button: int, level: bool) -> None:
        """Record a change. Call `advance` just before."""
        self._levels = self._levels & ~(1 << button) | level << button

    def wait_time_s(self) -> float | None:
        """Return the time in s after which a changed level counts, or None while all count already."""
        return None if self._counter.levels == self._levels else SETTLE_MS / 1000


class GpioButtons(ThreadedDevice):
    """Buttons at pins of a gpiozero pin factory."""

    def __init__(self, url: str, pins: Mapping[str, int], clock: Clock, open_factory: Callable[[], Any]) -> None:
        super().__init__(url, gettext_noop("buttons"))
        self._pins = {name: pin for name, pin in pins.items() if name not in (LAMP, READY)}
        self._lamp_pin, self._ready_pin = pins.get(LAMP), pins.get(READY)
        self._held_since_ms: int | None = None
        self._lamp: Any = None
        self._lit = False
        self._clock = clock
        self._open_factory = open_factory
        self._sampler = ButtonSampler(0, 0, 0)
        self._presses: list[str] = []

    def start(self, pressed: PressCallback, status: StatusCallback) -> None:
        """Call `pressed(name)` once for each press, and `status` when the buttons start or stop working.

        `off` counts once it has been held for `SHUTDOWN_HOLD_MS`.
        """
        self._start_thread(partial(self._serve_device, pressed), status)

    def set_lamp(self, name: str, *, lit: bool) -> None:
        """Turn the lamp in the dice button on or off. The other buttons have no lamp."""
        if name != "dice" or lit == self._lit:
            return
        with self._condition:
            self._lit = lit
            if self._lamp is not None:
                self._lamp.value = lit

    def _serve_device(self, pressed: PressCallback, thread: DeviceThread) -> None:
        with ExitStack() as stack:
            factory = stack.enter_context(closing(self._open_factory()))
            devices = [stack.enter_context(closing(_open_input(pin, factory))) for pin in self._pins.values()]
            levels = sum(bool(device.is_active) << button for button, device in enumerate(devices))
            self._sampler, self._presses = ButtonSampler(len(devices), levels, self._clock()), []
            for button, device in enumerate(devices):
                device.when_activated = partial(self._on_level, button, True)
                device.when_deactivated = partial(self._on_level, button, False)
            stack.enter_context(self._open_lamp(factory))
            if self._ready_pin is not None:
                stack.enter_context(closing(_open_output(self._ready_pin, factory))).on()
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

    def _on_level(self, button: int, level: bool) -> None:
        # Runs in the thread that drives the pin, so it only records the change.
        with self._condition:
            self._record_presses()
            self._sampler.set_level(button, level)
            if list(self._pins)[button] == SHUTDOWN_BUTTON:
                self._held_since_ms = self._clock() if level else None
            self._condition.notify_all()

    def _record_presses(self) -> None:
        pressed = self._sampler.advance(self._clock())
        self._presses += [
            name for button, name in enumerate(self._pins) if pressed >> button & 1 and name != SHUTDOWN_BUTTON
        ]
        if self._held_since_ms is not None and self._clock() - self._held_since_ms >= SHUTDOWN_HOLD_MS:
            self._held_since_ms = None
            self._presses.append(SHUTDOWN_BUTTON)

    def _next_wait_s(self) -> float | None:
        """Return the time in s after which a level counts or `off` has been held; None while there is nothing."""
        waits = [self._sampler.wait_time_s()]
        if self._held_since_ms is not None:
            waits.append(max(0, self._held_since_ms + SHUTDOWN_HOLD_MS - self._clock()) / 1000)
        return min((wait_s for wait_s in waits if wait_s is not None), default=None)

    def _wait_for_presses(self, thread: DeviceThread) -> list[str]:
        """Wait until there is something to do, and return the presses completed since the last call."""
        with self._condition:
            self._check_connected()
            if not self._presses and not thread.closing.is_set():
                self._condition.wait(self._next_wait_s())
            self._record_presses()
            presses, self._presses = self._presses, []
        return presses


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
        (entry_point,) = entry_points(group="gpiozero_pin_factories", name=name)
        make = entry_point.load()
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
