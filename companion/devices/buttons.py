"""The dice, undo and go buttons: `gpio:dice=17,undo=27,go0=22,go1=23,lamp=24` by GPIO number, or `sim:`.

Each button joins its pin to ground; `lamp` drives an LED in the dice button. Both kinds are gpiozero devices on a pin
factory of their own; the simulated factory is gpiozero's own mock, its pins driven as a finger would. Debouncing is
ours and pure: gpiozero's does nothing on mock pins, and a bounce must be the same everywhere. Knows nothing of what a
button does.
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
from companion.devices.device_thread import Keeper, Unfit, read_url
from companion.devices.null import SCHEME, Absent
from companion.i18n import phrase, say
from companion.ports import Buttons, Clock, Status

SETTLE_MS = 25
"""A contact must stay this long before it is believed: good switches bounce for under 10 ms."""

HOLD_S = 2 * SETTLE_MS / 1000
"""How long a simulated finger stays down, and then up."""

READY_S = 10.0
"""How long a simulated finger waits at most for pins that are just being opened: the first time loads gpiozero."""

LAMP = "lamp"
SIMULATED = {"dice": 17, "undo": 27, "go:0": 22, "go:1": 23, "go:2": 24, "go:3": 25, "go:4": 5, LAMP: 6}

HIGHEST_PIN = 27

_OUT = "The buttons' cable is out."

Pressed = Callable[[str], None]


def open_buttons(url: str, clock: Clock) -> Buttons:
    """The buttons of this URL. Raises DeviceError for a URL that means nothing."""
    known: dict[str, tuple[str, ...]] = {"gpio": (), "sim": (), "none": ()}
    address = read_url(url, device="buttons", known=known, paths=("gpio",), example="dice=17,undo=27,go0=22,go1=23")
    if address.scheme == SCHEME:
        return Absent(url)
    if address.scheme == "sim":
        return SimulatedButtons(url, clock)
    return GpioButtons(url, _pins(url, address.path), clock, partial(open_pins, "buttons"))


def _pins(url: str, path: str) -> dict[str, int]:
    pins: dict[str, int] = {}
    for part in path.split(","):
        match = re.fullmatch(r"(dice|undo|lamp|go[0-4])=([0-9]{1,2})", part)
        if not match or int(match[2]) > HIGHEST_PIN:
            raise DeviceError(
                f"{part!r} in {url!r} is no button: write dice, undo, go0 to go4 or lamp, = and GPIO 0 to 27."
            )
        name, pin = match[1].replace("go", "go:"), int(match[2])
        if name in pins or pin in pins.values():
            raise DeviceError(f"{part!r} in {url!r} gives a button or a pin twice.")
        pins[name] = pin
    return pins


@dataclass(frozen=True, slots=True)
class Contact:
    """What is known of a button: whether it is believed `down`, and its last `level`, unchanged `since_ms`."""

    down: bool = False
    level: bool = False
    since_ms: int = 0

    def settles_ms(self) -> int | None:
        """When a changed level will be believed; None while there is none."""
        return None if self.level == self.down else self.since_ms + SETTLE_MS


def see(contact: Contact, level: bool, now_ms: int) -> tuple[Contact, bool]:
    """The contact once it has been seen at this level, and whether a press has been completed by now.

    A level that lasted long enough is believed even where that is noticed late, at the next change.
    """
    lasted = now_ms - contact.since_ms >= SETTLE_MS
    believed = replace(contact, down=contact.level) if lasted else contact
    pressed = believed.down and not contact.down
    if level != contact.level:
        believed = replace(believed, level=level, since_ms=now_ms)
    return believed, pressed


class GpioButtons:
    """Buttons at the pins of a gpiozero factory."""

    def __init__(self, url: str, pins: Mapping[str, int], clock: Clock, open_factory: Callable[[], Any]) -> None:
        self.url = url
        self._pins = {name: pin for name, pin in pins.items() if name != LAMP}
        self._lamp_pin = pins.get(LAMP)
        self._lamp: Any = None
        self._lit = False
        self._clock = clock
        self._open_factory = open_factory
        self._changed = threading.Condition()
        self._contacts: dict[str, Contact] = {}
        self._presses: list[str] = []
        self._keeper: Keeper | None = None

    def start(self, pressed: Pressed, status: Status) -> None:
        """Call `pressed(name)` once a press, and `status` when the buttons come or go."""
        self._keeper = Keeper(phrase("buttons"), partial(self._attend, pressed), status)
        self._keeper.start()

    def light(self, name: str, *, lit: bool) -> None:
        """Turn the lamp in the dice button on or off; the other buttons have none."""
        if name != "dice" or lit == self._lit:
            return
        with self._changed:
            self._lit = lit
            if self._lamp is not None:
                self._lamp.value = lit

    def close(self) -> None:
        """Stop, and let go of the pins."""
        if self._keeper:
            self._keeper.closing.set()
            self._stir()
            self._keeper.close()

    def _attend(self, pressed: Pressed, keeper: Keeper) -> None:
        with ExitStack() as stack:
            factory = stack.enter_context(closing(self._open_factory()))
            self._contacts, self._presses = {}, []
            for name, pin in self._pins.items():
                self._listen(name, stack.enter_context(closing(_input(pin, factory))))
            stack.enter_context(self._lamp_of(factory))
            self._opened(factory)
            keeper.well()
            while not keeper.closing.is_set():
                for name in self._next(keeper):
                    pressed(name)

    @contextmanager
    def _lamp_of(self, factory: Any) -> Iterator[None]:
        """The lamp, if there is one, as it ought to be; dark afterwards."""
        if self._lamp_pin is None:
            yield
            return
        with closing(_output(self._lamp_pin, factory)) as lamp:
            with self._changed:
                self._lamp = lamp
                lamp.value = self._lit
            try:
                yield
            finally:
                with self._changed:
                    self._lamp = None

    def _opened(self, factory: Any) -> None:
        """The pins are ready."""

    def _check(self) -> None:
        """Raise DeviceError when the buttons have gone. Soldered ones never tell."""

    def _listen(self, name: str, device: Any) -> None:
        # A button that is down from the start is stuck, or leant on: that is no press.
        down = bool(device.is_active)
        self._contacts[name] = Contact(down, down, self._clock())
        device.when_activated = partial(self._at, name, True)
        device.when_deactivated = partial(self._at, name, False)

    def _at(self, name: str, level: bool) -> None:
        # In the thread of whatever drives the pin: it is told the order of things, and kept for nothing else.
        with self._changed:
            self._see(name, level)
            self._changed.notify_all()

    def _see(self, name: str, level: bool) -> None:
        self._contacts[name], pressed = see(self._contacts[name], level, self._clock())
        if pressed:
            self._presses.append(name)

    def _next(self, keeper: Keeper) -> list[str]:
        """The presses completed since the last call, after a wait that ends when there is something to do."""
        with self._changed:
            self._check()
            if not self._presses and not keeper.closing.is_set():
                self._changed.wait(self._idle_s())
            for name, contact in self._contacts.items():
                self._see(name, contact.level)
            presses, self._presses = self._presses, []
        return presses

    def _idle_s(self) -> float | None:
        times = [at for contact in self._contacts.values() if (at := contact.settles_ms()) is not None]
        return max(min(times) - self._clock(), 1) / 1000 if times else None

    def _stir(self) -> None:
        with self._changed:
            self._changed.notify_all()


class SimulatedButtons(GpioButtons):
    """The same buttons on mock pins, with a finger."""

    def __init__(self, url: str, clock: Clock) -> None:
        super().__init__(url, SIMULATED, clock, self._open_mock)
        self._finger = threading.Lock()
        self._plugged = True
        self._factory: Any = None

    def press(self, name: str) -> None:
        """Hold the button long enough and release it. Where the cable is out, nobody hears of it."""
        if name not in self._pins:
            raise DeviceError(f"There is no button {name!r}; there are {', '.join(self._pins)}.")
        with self._finger:
            pin = self._pin(name)
            if pin:
                pin.drive_low()
            time.sleep(HOLD_S)
            if pin:
                pin.drive_high()
            time.sleep(HOLD_S)

    def lamp(self) -> bool:
        """Whether the lamp in the dice button is lit."""
        with self._changed:
            return self._lamp is not None and bool(self._lamp.pin.state)

    def plug(self, plugged: bool) -> None:
        """Put the cable in, or pull it."""
        with self._changed:
            self._plugged = plugged
            if not plugged:
                self._factory = None  # these pins are gone for good, however soon the cable is back
            self._changed.notify_all()

    def close(self) -> None:
        """Stop, and let go of the pins."""
        super().close()
        self.plug(False)

    def _pin(self, name: str) -> Any:
        with self._changed:
            if self._keeper:
                self._changed.wait_for(lambda: self._factory or not self._plugged, READY_S)
            return self._factory.pin(self._pins[name]) if self._factory else None

    def _open_mock(self) -> Any:
        from gpiozero.pins.mock import MockFactory

        if not self._plugged:
            raise DeviceError(_OUT)
        return MockFactory()

    def _opened(self, factory: Any) -> None:
        with self._changed:
            self._factory = factory if self._plugged else None
            self._changed.notify_all()

    def _check(self) -> None:
        if self._factory is None:
            raise DeviceError(_OUT)


def _input(pin: int, factory: Any) -> Any:
    # What gpiozero's Button is built on. Each Button adds a thread that looks ten times a second whether it is held.
    from gpiozero import DigitalInputDevice

    return DigitalInputDevice(pin, pull_up=True, pin_factory=factory)


def _output(pin: int, factory: Any) -> Any:
    from gpiozero import DigitalOutputDevice

    return DigitalOutputDevice(pin, pin_factory=factory)


def open_pins(device: str) -> Any:
    """A pin factory for this device: lgpio's, or the one that gpiozero's own variable GPIOZERO_PIN_FACTORY names."""
    import tempfile
    from importlib.metadata import entry_points

    # Left to itself, gpiozero warns of each library it does not find, and lgpio leaves a pipe in the working folder.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    name = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    try:
        (found,) = entry_points(group="gpiozero_pin_factories", name=name)
        make = found.load()
    except Exception as error:  # a missing library is an ImportError, a wrong one an AttributeError
        raise Unfit(
            "The {device} cannot do without the package {name}: type sudo apt-get install python3-{name}.",
            device=say(device),
            name=name,
        ) from error
    try:
        return make()
    except Exception as error:  # each library has its own
        raise DeviceError(
            "The pins of the {device} cannot be had: is this a Raspberry Pi, and may this user?", device=say(device)
        ) from error
