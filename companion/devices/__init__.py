"""Drivers for real and simulated devices. Each implements a protocol of `companion.ports` and is opened by URL."""

from companion.devices.buttons import open_buttons
from companion.devices.buzzer import open_buzzer
from companion.devices.lights import open_lights
from companion.devices.scanners import open_scanner
from companion.devices.sensors import open_sensors

__all__ = ["open_buttons", "open_buzzer", "open_lights", "open_scanner", "open_sensors"]
