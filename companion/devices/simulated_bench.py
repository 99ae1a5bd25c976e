"""The simulated devices as a hand operates them. The bench page and the demo use it.

Each call acts on the far end of a simulated device; its effect arrives at the table as from a real device.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from companion.common.errors import DeviceError
from companion.devices.buttons import SimulatedButtons
from companion.devices.lights import SimulatedLights
from companion.devices.node_panel import SimulatedNodeButtons
from companion.devices.pico_lights import SimulatedPicoLights
from companion.devices.scanners import SimulatedScanner
from companion.devices.sensors import SimulatedSensors
from companion.ports import Buttons, CardScanner, Colour, HoleSensors, Lights

_DeviceT = TypeVar("_DeviceT")


class _Pluggable(Protocol):
    def set_plugged(self, plugged: bool) -> None: ...


class _FrameSource(_Pluggable, Protocol):
    def sent_frame(self) -> tuple[Sequence[Colour], int]: ...


class _PressedButtons(_Pluggable, Protocol):
    def press_button(self, name: str) -> None: ...

    def is_lamp_lit(self) -> bool: ...


class SimulatedBench:
    """The simulated ones of the given devices. A call for a device that is not simulated raises DeviceError."""

    def __init__(
        self,
        sensors: HoleSensors | None = None,
        scanner: CardScanner | None = None,
        buttons: Buttons | None = None,
        lights: Lights | None = None,
    ) -> None:
        self._scanner = scanner if isinstance(scanner, SimulatedScanner) else None
        self._buttons: _PressedButtons | None = (
            buttons if isinstance(buttons, SimulatedButtons | SimulatedNodeButtons) else None
        )
        self.replace_board(sensors, lights)

    def replace_board(self, sensors: HoleSensors | None, lights: Lights | None) -> None:
        """Use these sensors and lights from now on: another board is in play."""
        self._sensors = sensors if isinstance(sensors, SimulatedSensors) else None
        self._lights: _FrameSource | None = (
            lights if isinstance(lights, SimulatedLights | SimulatedPicoLights) else None
        )
        self._cables: Mapping[str, _Pluggable | None] = {
            "sensors": self._sensors, "lights": self._lights, "cards": self._scanner, "buttons": self._buttons,
        }  # fmt: skip

    @property
    def simulated_devices(self) -> frozenset[str]:
        """The names among `sensors`, `lights`, `cards` and `buttons` that are simulated."""
        return frozenset(name for name, device in self._cables.items() if device is not None)

    def occupied_holes(self) -> int:
        """Return the holes that hold a peg, as bits."""
        return _require_simulated(self._sensors, "board").occupied_holes()

    def move_pegs(self, *, lift: int = 0, place: int = 0) -> None:
        """Lift the pegs in `lift` and place pegs in `place` (bits), at once."""
        _require_simulated(self._sensors, "board").move_pegs(lift=lift, place=place)

    def failing_sensors(self) -> Mapping[str, int]:
        """Return the holes with a faulty sensor, as bits, by `stuck`, `flapping` and `dead`."""
        return _require_simulated(self._sensors, "board").failing_sensors()

    def set_sensor_fault(self, holes: int, kind: str | None) -> None:
        """Give the sensors of these holes (bits) a fault: `stuck`, `flapping` or `dead`; None repairs them."""
        _require_simulated(self._sensors, "board").set_sensor_fault(holes, kind)

    def scan_card(self, code: str) -> None:
        """Hold the card with this code to the reader. It is lost while the cable is unplugged."""
        _require_simulated(self._scanner, "card reader").scan_card(code)

    def press_button(self, button: str) -> None:
        """Press the button long enough to count, and release it."""
        _require_simulated(self._buttons, "set of buttons").press_button(button)

    def is_lamp_lit(self) -> bool:
        return _require_simulated(self._buttons, "set of buttons").is_lamp_lit()

    def display_rows(self) -> list[str]:
        """Return the picture of the board's display, a hexadecimal number for each row of pixels; empty without one."""
        display = _require_simulated(self._sensors, "board").panel.display
        return display.lit_rows() if display else []

    def set_cable(self, device: str, *, plugged: bool) -> None:
        """Plug in or unplug the cable of `sensors`, `lights`, `cards` or `buttons`."""
        if device not in self._cables:
            raise DeviceError(f"Unknown cable {device!r}. Use one of {', '.join(self._cables)}.")
        _require_simulated(self._cables[device], f"cable of the {device}").set_plugged(plugged)

    def sent_frame(self) -> tuple[Sequence[Colour], int]:
        """Return the frame last sent, after the current limit, and the number of the snapshot it shows."""
        return _require_simulated(self._lights, "strip of lights").sent_frame()


def _require_simulated(device: _DeviceT | None, name: str) -> _DeviceT:
    if device is None:
        raise DeviceError(f"The {name} is not simulated.")
    return device
