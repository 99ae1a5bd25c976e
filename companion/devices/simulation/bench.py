"""The simulated devices as a hand would move them: what the bench page and the demo play on.

Each verb goes to the far end of a simulated device's line; what comes of it comes back as from a real one. Knows
nothing of rules or pages.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from companion.common.errors import DeviceError
from companion.devices.buttons import SimulatedButtons
from companion.devices.lights import SimulatedLights
from companion.devices.pico_lights import SimulatedNodeLights
from companion.devices.scanners import SimulatedScanner
from companion.devices.sensors import SimulatedSensors
from companion.ports import Buttons, CardScanner, Colour, HoleSensors, Lights

_Simulated = TypeVar("_Simulated")


class _Plugged(Protocol):
    def plug(self, plugged: bool) -> None: ...


class _Shown(_Plugged, Protocol):
    def sent(self) -> tuple[Sequence[Colour], int]: ...


class SimulatedBench:
    """A bench over those of the devices that are simulated; asking for another is a DeviceError."""

    def __init__(
        self,
        sensors: HoleSensors | None = None,
        scanner: CardScanner | None = None,
        buttons: Buttons | None = None,
        lights: Lights | None = None,
    ) -> None:
        self._scanner = scanner if isinstance(scanner, SimulatedScanner) else None
        self._buttons = buttons if isinstance(buttons, SimulatedButtons) else None
        self.turn_to(sensors, lights)

    def turn_to(self, sensors: HoleSensors | None, lights: Lights | None) -> None:
        """Another board is on the bench from now on."""
        self._sensors = sensors if isinstance(sensors, SimulatedSensors) else None
        self._lights: _Shown | None = lights if isinstance(lights, SimulatedLights | SimulatedNodeLights) else None
        self._cables: Mapping[str, _Plugged | None] = {
            "sensors": self._sensors,
            "lights": self._lights,
            "cards": self._scanner,
            "buttons": self._buttons,
        }

    @property
    def simulated(self) -> frozenset[str]:
        """Which of `sensors`, `lights`, `cards` and `buttons` are simulated."""
        return frozenset(name for name, device in self._cables.items() if device is not None)

    def occupied(self) -> int:
        """The holes that hold a peg, as bits."""
        return _only(self._sensors, "board").occupied()

    def move_pegs(self, *, lift: int = 0, place: int = 0) -> None:
        """Lift the pegs in `lift` and place pegs in `place` (bits), at once."""
        _only(self._sensors, "board").move(lift=lift, place=place)

    def failing(self) -> Mapping[str, int]:
        """The holes whose sensors fail, as bits, by `stuck`, `flapping` and `dead`."""
        return _only(self._sensors, "board").failing()

    def fail(self, holes: int, kind: str | None) -> None:
        """Have the sensors of these holes (bits) fail in one of these ways; None mends them."""
        _only(self._sensors, "board").fail(holes, kind)

    def scan(self, code: str) -> None:
        """Put the card with this code to the reader. On a pulled cable it is lost."""
        _only(self._scanner, "card reader").scan(code)

    def press(self, button: str) -> None:
        """Hold the button long enough, and release it."""
        _only(self._buttons, "set of buttons").press(button)

    def lamp(self) -> bool:
        """Whether the lamp in the dice button is lit."""
        return _only(self._buttons, "set of buttons").lamp()

    def cable(self, device: str, *, plugged: bool) -> None:
        """Pull or replug the cable of `sensors`, `lights`, `cards` or `buttons`."""
        if device not in self._cables:
            raise DeviceError(f"There is no cable {device!r}; there are {', '.join(self._cables)}.")
        _only(self._cables[device], f"cable of the {device}").plug(plugged)

    def lights(self) -> tuple[Sequence[Colour], int]:
        """The frame last sent, after the current limit, and the snapshot number it was painted from."""
        return _only(self._lights, "strip of lights").sent()


def _only(device: _Simulated | None, name: str) -> _Simulated:
    if device is None:
        raise DeviceError(f"The {name} is not simulated.")
    return device
