"""Opens lights by URL: `neopixel:D18?order=GRB`, `neopixel-spi:/dev/spidev0.0`, `node:`, `sim:` or `none:`."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.device_thread import DeviceUnsupported, parse_device_url
from companion.devices.lights.neopixel_gpio import open_neopixel, try_neopixel
from companion.devices.lights.pico import open_pico_lights
from companion.devices.lights.strip import (
    CHANNEL_MAX_MA,
    PIXEL_IDLE_MA,
    ReorderedStrip,
    SimulatedLights,
    StripLights,
)
from companion.devices.null import NULL_SCHEME, NullDevice
from companion.ports import HoleSensors, Lights


def open_lights(
    url: str, pixels: int, limit_ma: int, sensors: HoleSensors | None = None, places: Sequence[int | None] = ()
) -> Lights:
    """Return the lights of this URL. Raises DeviceError for an invalid URL or a limit too low to light a pixel.

    :param pixels: number of pixels of a frame.
    :param limit_ma: current limit in mA.
    :param sensors: the sensors whose board has the strip, for `node:`.
    :param places: for each pixel of the strip, its pixel in the frame or None. Empty if strip and frame are alike.
    """
    known = {
        "neopixel": ("order",), "neopixel-spi": ("order",), "node": ("order",), "sim": ("order",), "none": (),
    }  # fmt: skip
    example = "/dev/spidev0.0" if url.startswith("neopixel-spi") else "D18"
    address = parse_device_url(url, device="lights", known=known, paths=("neopixel", "neopixel-spi"), example=example)
    order = address.options.get("order", "GRB")
    if sorted(order) not in (sorted("RGB"), sorted("RGBW")):
        raise DeviceError(f"Write the order in {url!r} as the letters RGB or RGBW in the strip's order, such as GRB.")
    if address.scheme == NULL_SCHEME:
        return NullDevice(url)
    least_ma = pixels * PIXEL_IDLE_MA + 3 * CHANNEL_MAX_MA
    if limit_ma < least_ma:
        raise DeviceError(
            f"limit_ma is {limit_ma} and must be {least_ma} or more: {pixels} pixels that are off draw "
            f"{pixels * PIXEL_IDLE_MA} mA, one that is white {3 * CHANNEL_MAX_MA} more."
        )
    if address.scheme == "node":
        return open_pico_lights(url, pixels, limit_ma, order, sensors, places)
    if address.scheme == "sim":
        return SimulatedLights(url, pixels, limit_ma, order)
    count = len(places) or pixels
    if address.scheme == "neopixel-spi":
        return StripLights(
            url, pixels, limit_ma, partial(_open_reordered, places, _open_spi_strip, address.path, count, order)
        )
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,19}", address.path):
        raise DeviceError(f"{address.path!r} in {url!r} is not a pin. Write a pin's name, such as D18.")
    strip = address.path, count, order
    return StripLights(
        url, pixels, limit_ma, partial(_open_reordered, places, open_neopixel, *strip), partial(try_neopixel, *strip)
    )


def _open_reordered(places: Sequence[int | None], open_strip: Callable[..., Any], *given: Any) -> Any:
    strip = open_strip(*given)
    return ReorderedStrip(places, strip) if places else strip


def _open_spi_strip(path: str, pixels: int, order: str) -> Any:
    try:
        from companion.devices.lights.neopixel_spi import SpiStrip
    except ImportError as error:  # no Linux, no fcntl
        raise DeviceUnsupported("Only Linux has SPI ports.") from error
    return SpiStrip(path, pixels, order)
