"""Buttons, a buzzer and a display at a Pico, at the pins that `board.json` names.

| part | wiring |
|---|---|
| a button | between its pin and GND |
| a passive piezo | between its pin and GND |
| an SSD1306 display | SDA at its pin, which has an even number, SCL at the next one; VCC at 3V3, GND at GND |
"""

import framebuf
import machine

from firmware.panel import Panel
from firmware.screen import TextScreen

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from collections.abc import Callable
    from typing import Any

I2C_HZ = 400_000
"""Clock of the display's bus in Hz."""

I2C_TIMEOUT_US = 2000
"""Longest time in µs for one transfer; the bus of a display that hangs must not stop the scans."""

_LOUD = 1 << 15
"""Half of the time high: the loudest tone of a piezo."""


class PinButtons:
    """Buttons between these pins and ground."""

    def __init__(self, pins: "list[int]") -> None:
        self._pins = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in pins]

    def read(self) -> int:
        """Return the levels as bits, 1 while a button is down."""
        levels = 0
        for button, pin in enumerate(self._pins):
            levels |= (pin.value() ^ 1) << button
        return levels


class PwmBuzzer:
    """A passive piezo at a pin."""

    def __init__(self, pin: int) -> None:
        self._pwm = machine.PWM(machine.Pin(pin))
        self._pwm.duty_u16(0)

    def play_tone(self, hz: int) -> None:
        """Sound this frequency in Hz until the next call; 0 is silence."""
        if hz:
            self._pwm.freq(max(hz, 8))  # a Pico's PWM is no slower
        self._pwm.duty_u16(_LOUD if hz else 0)


def open_panel(board: "dict[str, Any]") -> "Panel | None":
    """Return the parts that the `board.json` names, or None if it names none."""
    buttons, buzzer, display = board.get("buttons") or {}, board.get("buzzer"), board.get("display")
    if not buttons and buzzer is None and display is None:
        return None
    faults: "list[str]" = []
    names = [name for name in sorted(buttons) if _open_part(f"button {name}", _open_button, buttons[name], faults)]
    tones = None if buzzer is None else _open_part("buzzer", PwmBuzzer, buzzer, faults)
    bus = None if display is None else _open_part("display", _open_bus, display, faults)
    return Panel(
        names,
        PinButtons([buttons[name] for name in names]).read,
        tones.play_tone if tones else None,
        TextScreen(bus, framebuf) if bus else None,
        faults,
    )


def _open_part(name: str, open_it: "Callable[[Any], Any]", pin: "Any", faults: "list[str]") -> "Any":
    """Open a part, or note that it has a wrong pin: the pegs must be read without it too."""
    try:
        return open_it(pin)
    except (OSError, TypeError, ValueError) as error:
        faults.append(f"no {name} at {pin}: {error}; correct the pin and run companion flash")
        return None


def _open_button(pin: int) -> PinButtons:
    return PinButtons([pin])


def _open_bus(sda: int) -> "machine.I2C":
    """Return the bus whose SDA is at this pin: pins 0, 4, 8, … belong to bus 0, pins 2, 6, 10, … to bus 1."""
    return machine.I2C(
        sda // 2 % 2, sda=machine.Pin(sda), scl=machine.Pin(sda + 1), freq=I2C_HZ, timeout=I2C_TIMEOUT_US
    )
