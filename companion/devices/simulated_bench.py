"""The simulated devices as a hand operates them. The bench page and the demo use it.

Each call acts on the far end of a simulated device; its effect arrives at the table as from a real device.
"""

from typing import Any

from companion.common.errors import DeviceError
from companion.devices.buttons import SimulatedButtons
from companion.devices.lights import SimulatedLights
from companion.devices.node_panel import SimulatedNodeButtons
from companion.devices.pico_lights import SimulatedPicoLights
from companion.devices.scanners import SimulatedScanner
from companion.devices.sensors import SimulatedSensors
from companion.ports import Buttons, CardScanner, HoleSensors, Lights


class SimulatedBench:
    """The simulated ones of the given devices. One that is not simulated raises DeviceError where it is asked for."""

    def __init__(
        self,
        sensors: HoleSensors | None = None,
        scanner: CardScanner | None = None,
        buttons: Buttons | None = None,
        lights: Lights | None = None,
    ) -> None:
        self._devices: dict[str, Any] = dict.fromkeys(("sensors", "lights", "cards", "buttons"))
        if isinstance(scanner, SimulatedScanner):
            self._devices["cards"] = scanner
        if isinstance(buttons, SimulatedButtons | SimulatedNodeButtons):
            self._devices["buttons"] = buttons
        self.replace_board(sensors, lights)

    def replace_board(self, sensors: HoleSensors | None, lights: Lights | None) -> None:
        """Use these sensors and lights from now on: another board is in play."""
        self._devices["sensors"] = sensors if isinstance(sensors, SimulatedSensors) else None
        self._devices["lights"] = lights if isinstance(lights, SimulatedLights | SimulatedPicoLights) else None

    @property
    def simulated_devices(self) -> frozenset[str]:
        """The names among `sensors`, `lights`, `cards` and `buttons` that are simulated."""
        return frozenset(name for name, device in self._devices.items() if device is not None)

    @property
    def board(self) -> SimulatedSensors:
        device: SimulatedSensors = self._require_simulated("sensors", "board")
        return device

    @property
    def scanner(self) -> SimulatedScanner:
        device: SimulatedScanner = self._require_simulated("cards", "card reader")
        return device

    @property
    def buttons(self) -> SimulatedButtons | SimulatedNodeButtons:
        device: SimulatedButtons | SimulatedNodeButtons = self._require_simulated("buttons", "set of buttons")
        return device

    @property
    def lights(self) -> SimulatedLights | SimulatedPicoLights:
        device: SimulatedLights | SimulatedPicoLights = self._require_simulated("lights", "strip of lights")
        return device

    def set_cable(self, device: str, *, plugged: bool) -> None:
        """Plug in or unplug the cable of `sensors`, `lights`, `cards` or `buttons`."""
        if device not in self._devices:
            raise DeviceError(f"Unknown cable {device!r}. Use one of {', '.join(self._devices)}.")
        self._require_simulated(device, f"cable of the {device}").set_plugged(plugged)

    def _require_simulated(self, device: str, name: str) -> Any:
        if self._devices[device] is None:
            raise DeviceError(f"The {name} is not simulated.")
        return self._devices[device]
