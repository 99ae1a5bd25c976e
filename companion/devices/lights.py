"""The lights: `neopixel:D18?order=GRB`, `neopixel-spi:/dev/spidev0.0`, `node:`, `sim:` or `none:`.

The common driver of all strips has a thread that sends the newest frame only, because sending 240 pixels takes 7 ms. It
dims frames to the current limit and skips a frame that is already shown.
"""

import contextlib
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

from adafruit_pixelbuf import PixelBuf

from companion.common.errors import DeviceError
from companion.devices.device_thread import NULL_SCHEME, DeviceThread, NullDevice, ThreadedDevice, parse_device_url
from companion.i18n import gettext_noop
from companion.ports import Colour, HoleSensors, Lights, StatusCallback

CHANNEL_MAX_MA = 20
"""Current in mA of one colour channel of one pixel at 255."""

PIXEL_IDLE_MA = 1
"""Current in mA of a pixel that is off."""

OFF: Colour = (0, 0, 0)

Frame = Sequence[Colour]


def limit_current(frame: Frame, limit_ma: int) -> tuple[Colour, ...]:
    """Return the frame, dimmed evenly to stay within the limit; dark if the idle pixels alone exceed it."""
    total = sum(chain.from_iterable(frame))
    budget = max(limit_ma - len(frame) * PIXEL_IDLE_MA, 0) * 255 // CHANNEL_MAX_MA
    if total <= budget:
        return tuple(frame)
    return tuple((r * budget // total, g * budget // total, b * budget // total) for r, g, b in frame)


class StripLights(ThreadedDevice):
    """A strip of pixels, driven by a thread that reconnects."""

    def __init__(
        self,
        url: str,
        pixels: int,
        limit_ma: int,
        open_strip: Callable[[], Any],
        try_strip: Callable[[threading.Event], None] = lambda _: None,
    ) -> None:
        """Call `try_strip` with the closing event before each opening; it raises DeviceError if opening would fail."""
        super().__init__(url, gettext_noop("lights"))
        self._limit_ma = limit_ma
        self._open_strip = open_strip
        self._try_strip = try_strip
        self._wanted: tuple[Frame, int] = ((OFF,) * pixels, 0)
        self._shown: tuple[Frame, int] | None = None

    def start(self, status: StatusCallback) -> None:
        """Start to show frames. Calls `status` when the lights start or stop working."""
        self._start_thread(self._serve_device, status)

    def show_frame(self, frame: Frame, number: int) -> None:
        """Show this frame of snapshot `number` soon. A newer frame may replace it before it is sent. Never blocks."""
        with self._condition:
            self._wanted = tuple(frame), number
            self._condition.notify_all()

    def _serve_device(self, thread: DeviceThread) -> None:
        self._try_strip(thread.closing)
        if thread.closing.is_set():
            return
        with _dark_afterwards(self._open_strip()) as strip:
            self._shown = None
            while not thread.closing.is_set():
                self._send_frame(strip)
                thread.report_ok()
                with self._condition:
                    self._condition.wait_for(lambda: self._has_work() or thread.closing.is_set())
        self._on_sent(strip, self._wanted[1])

    def _has_work(self) -> bool:
        """Return whether the thread has something to send."""
        return self._shown is not self._wanted

    def _send_frame(self, strip: Any) -> None:
        wanted, shown = self._wanted, self._shown
        if shown is None or shown[0] != wanted[0]:
            strip[:] = limit_current(wanted[0], self._limit_ma)
            strip.show()
        self._on_sent(strip, wanted[1])
        self._shown = wanted

    def _on_sent(self, strip: Any, number: int) -> None:
        """Called when the strip shows the frame of this snapshot."""


class SimulatedLights(StripLights):
    """A strip whose transmitted bytes are captured."""

    def __init__(self, url: str, pixels: int, limit_ma: int, order: str) -> None:
        self._cable = _LightsCable()
        super().__init__(url, pixels, limit_ma, partial(_CapturedStrip, pixels, order, self._cable))
        self._order = order
        self._captured = bytes(pixels * len(order)), 0

    def sent_frame(self) -> tuple[tuple[Colour, ...], int]:
        """Return the frame last sent, decoded from its bytes, and the number of the snapshot it shows."""
        data, number = self._captured
        return decode_frame(data, self._order), number

    def set_plugged(self, plugged: bool) -> None:
        """Plug in or unplug the cable."""
        with self._condition:
            self._cable.plugged = plugged
            self._condition.notify_all()

    def _has_work(self) -> bool:
        return super()._has_work() or not self._cable.plugged

    def _send_frame(self, strip: Any) -> None:
        self._cable.check_plugged()
        super()._send_frame(strip)

    def _on_sent(self, strip: Any, number: int) -> None:
        self._captured = strip.captured, number


def decode_frame(data: bytes, order: str) -> tuple[Colour, ...]:
    """Return the colours of a strip of this order that received these bytes. A white channel lights all three."""
    pixels = [dict(zip(order, data[at : at + len(order)], strict=True)) for at in range(0, len(data), len(order))]
    whites = [pixel.get("W", 0) for pixel in pixels]
    return tuple((max(p["R"], w), max(p["G"], w), max(p["B"], w)) for p, w in zip(pixels, whites, strict=True))


class _LightsCable:
    """The cable of simulated lights."""

    plugged = True

    def check_plugged(self) -> None:
        if not self.plugged:
            raise DeviceError("The lights' cable is unplugged.")


class _CapturedStrip(PixelBuf):  # type: ignore[misc]
    """Adafruit's PixelBuf that captures the bytes it would transmit."""

    def __init__(self, pixels: int, order: str, cable: _LightsCable) -> None:
        cable.check_plugged()
        super().__init__(pixels, byteorder=order)
        self._cable = cable
        self.captured = bytes(pixels * len(order))

    def deinit(self) -> None:
        self.fill(0)
        self.show()

    def _transmit(self, buffer: bytearray) -> None:
        self._cable.check_plugged()
        self.captured = bytes(buffer)


@contextmanager
def _dark_afterwards(strip: Any) -> Iterator[Any]:
    """Use a strip; on exit turn it dark, if possible, and free its pin in any case."""
    try:
        yield strip
    except RuntimeError as error:  # from the driver: memory refused, or another program took the pin
        raise DeviceError("Cannot drive the lights' pin any more. Check whether another program uses it.") from error
    finally:
        with contextlib.suppress(Exception):
            strip.deinit()
        with contextlib.suppress(Exception):  # deinit stops at the first error, before it frees the pin
            strip.pin.deinit()


class ReorderedStrip:
    """A strip wired in another order than the frame: `places` has for each of its pixels the frame's, or None."""

    def __init__(self, places: Sequence[int | None], strip: Any) -> None:
        self._places, self._strip = places, strip
        self.show, self.deinit = strip.show, strip.deinit

    @property
    def pin(self) -> Any:
        return self._strip.pin

    def __setitem__(self, at: slice, frame: Frame) -> None:
        self._strip[at] = [OFF if place is None else frame[place] for place in self._places]


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
        from companion.devices.pico_lights import open_pico_lights

        return open_pico_lights(url, pixels, limit_ma, order, sensors, places)
    if address.scheme == "sim":
        return SimulatedLights(url, pixels, limit_ma, order)
    from companion.devices import neopixels

    count = len(places) or pixels
    if address.scheme == "neopixel-spi":
        open_strip = partial(neopixels.SpiStrip, address.path, count, order)
        return StripLights(url, pixels, limit_ma, partial(_open_reordered, places, open_strip))
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,19}", address.path):
        raise DeviceError(f"{address.path!r} in {url!r} is not a pin. Write a pin's name, such as D18.")
    open_strip = partial(neopixels.open_neopixel, address.path, count, order)
    try_strip = partial(neopixels.try_neopixel, address.path, count, order)
    return StripLights(url, pixels, limit_ma, partial(_open_reordered, places, open_strip), try_strip)


def _open_reordered(places: Sequence[int | None], open_strip: Callable[[], Any]) -> Any:
    strip = open_strip()
    return ReorderedStrip(places, strip) if places else strip
