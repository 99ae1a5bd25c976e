"""The lights: strips of pixels on a Raspberry Pi's pin or SPI, on the board's Pico, or simulated."""

from companion.devices.lights.factory import open_lights

__all__ = ["open_lights"]
