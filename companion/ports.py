"""Protocols of the hardware. `companion.devices` implements them for real and simulated devices.

A started device runs its own thread, makes its callbacks there, and reconnects whenever it was unplugged. It calls
`status(ok, say)` at each change; `say` is a message for the user. Callbacks must not block for long. Times are whole
milliseconds of one monotonic clock.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

Colour = tuple[int, int, int]
ScreenRow = tuple[int, int, str]
"""A row of a small display: its number, its size (2 is twice as large, and covers the next row too), and its text."""
StatusCallback = Callable[[bool, str], None]


class Clock(Protocol):
    """A monotonic clock."""

    def __call__(self) -> int:
        """Return whole milliseconds since a fixed moment."""


class Device(Protocol):
    """The common part of all devices."""

    url: str

    def close(self) -> None:
        """Stop the thread and release the hardware. May be called twice."""


class HoleSensors(Device, Protocol):
    """The debounced sensors of all holes."""

    def start(self, seen: Callable[[int, int, int], None], status: StatusCallback) -> None:
        """Call `seen(bits, ms, known_ms)` at each change and every second.

        `bits` are the levels of all holes at `ms`, hole 0 the lowest. The levels before held until `known_ms` at least.
        """

    def request_levels(self) -> None:
        """Request a report of the current levels. Never blocks."""


class CardScanner(Device, Protocol):
    """A card reader. `seat` is the seat at which it stands, or None."""

    seat: int | None

    def start(self, seen: Callable[[str], None], status: StatusCallback) -> None:
        """Call `seen(code)` at each sighting, including repeated ones of a card that stays on the reader."""


@runtime_checkable
class PictureSource(Protocol):
    """A card reader that looks at a spot."""

    def encode_view(self) -> tuple[bytes, Any] | None:
        """Return its newest picture as JPEG, and what is read in it; None before the first one."""


class Buttons(Device, Protocol):
    """The dice, go and undo buttons."""

    def start(self, pressed: Callable[[str], None], status: StatusCallback) -> None:
        """Call `pressed(name)` once for each press, with `dice`, `undo` or `go:N`."""

    def set_lamp(self, name: str, *, lit: bool) -> None:
        """Turn the lamp in this button on or off, if it has one. Never blocks."""


class Lights(Device, Protocol):
    """The lights of the board: a pixel for each hole that has one."""

    def start(self, status: StatusCallback) -> None:
        """Start to show frames."""

    def show_frame(self, frame: Sequence[Colour], number: int) -> None:
        """Show this frame of snapshot `number` soon. A newer frame may replace it before it is sent. Never blocks."""


class Buzzer(Device, Protocol):
    """A buzzer."""

    def start(self, status: StatusCallback) -> None:
        """Start the buzzer."""

    def play_tune(self, name: str) -> None:
        """Play `right`, `wrong` or `win` soon. A newer tune interrupts it. Never blocks."""


class TextDisplay(Protocol):
    """A small display."""

    def show_rows(self, rows: Sequence[ScreenRow]) -> None:
        """Show these rows soon. Together they cover the display. Never blocks."""
