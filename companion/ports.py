"""What is asked of hardware. Protocols only; `companion.devices` has the real and the simulated ones.

Each device runs its own thread once started, calls back from it, and goes on trying for ever when unplugged:
`status(ok, say)` is called at each change, with a sentence where it is not well. Callbacks never block for long.
Times are whole milliseconds of one monotonic clock.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

Colour = tuple[int, int, int]
Status = Callable[[bool, str], None]


class Clock(Protocol):
    """A monotonic clock."""

    def __call__(self) -> int:
        """Whole milliseconds since some fixed moment."""


class Device(Protocol):
    """What every device has."""

    url: str

    def close(self) -> None:
        """Stop the thread and let go of the hardware. May be called twice."""


class HoleSensors(Device, Protocol):
    """All the holes at once, debounced."""

    def start(self, seen: Callable[[int, int, int], None], status: Status) -> None:
        """Call `seen(bits, ms, known_ms)` at each change and each second.

        `bits` are the levels of all holes at `ms`, hole 0 the lowest; the levels told before were so until `known_ms`.
        """

    def ask(self) -> None:
        """Have the levels told as they are now, soon. Never blocks."""


class CardScanner(Device, Protocol):
    """A reader of cards. `seat` is the seat it stands at, or None."""

    seat: int | None

    def start(self, seen: Callable[[str], None], status: Status) -> None:
        """Call `seen(code)` at each sighting, also of a card that stays on the reader."""


class Buttons(Device, Protocol):
    """The dice, go and undo buttons."""

    def start(self, pressed: Callable[[str], None], status: Status) -> None:
        """Call `pressed(name)` once a press, with `dice`, `undo` or `go:N`."""

    def light(self, name: str, *, lit: bool) -> None:
        """Turn the lamp in this button on or off; nothing where there is none. Never blocks."""


class Lights(Device, Protocol):
    """A pixel for each hole that has one."""

    def start(self, status: Status) -> None:
        """Begin to show frames."""

    def show(self, frame: Sequence[Colour], number: int) -> None:
        """Show this frame, painted from snapshot `number`, soon; a newer one may replace it unseen. Never blocks."""


class Sounder(Device, Protocol):
    """A buzzer."""

    def start(self, status: Status) -> None:
        """Begin to sound what is asked for."""

    def sound(self, name: str) -> None:
        """Sound `right`, `wrong` or `win`, soon; a newer one cuts it short. Never blocks."""


class Bench(Protocol):
    """The simulated hardware as a hand would move it. Bits are holes; every call returns when the device has it."""

    def occupied(self) -> int:
        """The holes that hold a peg, as bits."""

    def move_pegs(self, *, lift: int = 0, place: int = 0) -> None:
        """Lift the pegs in `lift` and place pegs in `place` (bits), at once."""

    def failing(self) -> Mapping[str, int]:
        """The holes whose sensors fail, as bits, by `stuck`, `flapping` and `dead`."""

    def fail(self, holes: int, kind: str | None) -> None:
        """Have the sensors of these holes fail: `stuck` tell a peg, `dead` tell none, `flapping` change; None mends."""

    def scan(self, code: str) -> None:
        """Put the card with this code to the reader."""

    def press(self, button: str) -> None:
        """Hold the button long enough, and release it."""

    def cable(self, device: str, *, plugged: bool) -> None:
        """Pull or replug the cable of `sensors`, `lights`, `cards` or `buttons`."""

    def lamp(self) -> bool:
        """Whether the lamp in the dice button is lit."""

    def lights(self) -> tuple[Sequence[Colour], int]:
        """The frame last sent, after the current limit, and the snapshot number it was painted from."""
