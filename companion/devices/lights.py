"""The lights: `neopixel:D18?order=GRB`, a strip on a Raspberry Pi's pin, `neopixel-spi:/dev/spidev0.0`, or `sim:`.

Frames go through a slot that holds only the newest, to a thread: sending 240 pixels takes 7 ms. Nothing is sent that
would draw more current than the power supply has, nor what is already shown. Knows nothing of what a colour means.
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
from companion.devices.device_thread import Keeper, Unfit, read_url
from companion.devices.neopixel_gpio import open_neopixel, try_neopixel
from companion.devices.null import SCHEME, Absent
from companion.i18n import phrase
from companion.ports import Colour, HoleSensors, Lights, Status

FULL_MA = 20
"""One colour of one pixel at 255."""

IDLE_MA = 1
"""One pixel that is off."""

OFF: Colour = (0, 0, 0)

Frame = Sequence[Colour]


def open_lights(
    url: str, pixels: int, limit_ma: int, sensors: HoleSensors | None = None, places: Sequence[int | None] = ()
) -> Lights:
    """The lights of this URL. Raises DeviceError for one that means nothing, and a limit under which all stay dark.

    Those of `node:` hang on the board of these `sensors`; `places` has for each pixel of a strip that of the frame.
    """
    known = {
        "neopixel": ("order",), "neopixel-spi": ("order",), "node": ("order",), "sim": ("order",), "none": (),
    }  # fmt: skip
    example = "/dev/spidev0.0" if url.startswith("neopixel-spi") else "D18"
    address = read_url(url, device="lights", known=known, paths=("neopixel", "neopixel-spi"), example=example)
    order = address.options.get("order", "GRB")
    if sorted(order) not in (sorted("RGB"), sorted("RGBW")):
        raise DeviceError(f"The order in {url!r} must be the letters RGB or RGBW in the strip's order, such as GRB.")
    if address.scheme == SCHEME:
        return Absent(url)
    least_ma = pixels * IDLE_MA + 3 * FULL_MA
    if limit_ma < least_ma:
        raise DeviceError(
            f"limit_ma is {limit_ma}, and must be {least_ma} or more: {pixels} pixels that are off draw "
            f"{pixels * IDLE_MA} mA, one that is white {3 * FULL_MA} more."
        )
    if address.scheme == "node":
        from companion.devices.pico_lights import open_node_lights

        return open_node_lights(url, pixels, limit_ma, order, sensors, places)
    if address.scheme == "sim":
        return SimulatedLights(url, pixels, limit_ma, order)
    count = len(places) or pixels
    if address.scheme == "neopixel-spi":
        return StripLights(url, pixels, limit_ma, partial(_placed, places, _open_spi, address.path, count, order))
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,19}", address.path):
        raise DeviceError(f"{address.path!r} in {url!r} is no name of a pin, such as D18.")
    strip = address.path, count, order
    return StripLights(
        url, pixels, limit_ma, partial(_placed, places, open_neopixel, *strip), partial(try_neopixel, *strip)
    )


def current_ma(frame: Frame) -> float:
    """What a strip of such pixels draws, at most."""
    return len(frame) * IDLE_MA + sum(chain.from_iterable(frame)) * FULL_MA / 255


def limited(frame: Frame, limit_ma: int) -> tuple[Colour, ...]:
    """The frame, dimmed as a whole as far as needed to stay within the limit. Off where the pixels alone exceed it."""
    total = sum(chain.from_iterable(frame))
    budget = max(limit_ma - len(frame) * IDLE_MA, 0) * 255 // FULL_MA
    if total <= budget:
        return tuple(frame)
    return tuple((r * budget // total, g * budget // total, b * budget // total) for r, g, b in frame)


class StripLights:
    """Pixels that are sent to, and opened again for ever."""

    def __init__(
        self,
        url: str,
        pixels: int,
        limit_ma: int,
        open_strip: Callable[[], Any],
        try_strip: Callable[[threading.Event], None] = lambda _: None,
    ) -> None:
        """`try_strip` is called before each opening, with the event that ends all, and raises where it is in vain."""
        self.url = url
        self._limit_ma = limit_ma
        self._open_strip = open_strip
        self._try_strip = try_strip
        self._changed = threading.Condition()
        self._wanted: tuple[Frame, int] = ((OFF,) * pixels, 0)
        self._shown: tuple[Frame, int] | None = None
        self._keeper: Keeper | None = None

    def start(self, status: Status) -> None:
        """Begin to show frames; `status` hears when the lights come or go."""
        self._keeper = Keeper(phrase("lights"), self._attend, status)
        self._keeper.start()

    def show(self, frame: Frame, number: int) -> None:
        """Show this frame, painted from snapshot `number`, soon; a newer one may replace it unseen. Never blocks."""
        with self._changed:
            self._wanted = tuple(frame), number
            self._changed.notify_all()

    def close(self) -> None:
        """Turn the lights off and let go of the pin."""
        if self._keeper:
            self._keeper.closing.set()
            with self._changed:
                self._changed.notify_all()
            self._keeper.close()

    def _attend(self, keeper: Keeper) -> None:
        self._try_strip(keeper.closing)
        if keeper.closing.is_set():
            return
        with _opened(self._open_strip()) as strip:
            self._shown = None
            while not keeper.closing.is_set():
                self._send(strip)
                keeper.well()
                with self._changed:
                    self._changed.wait_for(lambda: self._news() or keeper.closing.is_set())
        self._sent(strip, self._wanted[1])

    def _news(self) -> bool:
        """Whether there is something to do for the thread."""
        return self._shown is not self._wanted

    def _send(self, strip: Any) -> None:
        wanted, before = self._wanted, self._shown
        if before is None or before[0] != wanted[0]:
            strip[:] = limited(wanted[0], self._limit_ma)
            strip.show()
        self._sent(strip, wanted[1])
        self._shown = wanted

    def _sent(self, strip: Any, number: int) -> None:
        """What the strip shows was painted from this snapshot."""


class SimulatedLights(StripLights):
    """The same pixels, with what goes down the wire captured."""

    def __init__(self, url: str, pixels: int, limit_ma: int, order: str) -> None:
        self._cable = _Cable()
        super().__init__(url, pixels, limit_ma, partial(_CapturedStrip, pixels, order, self._cable))
        self._order = order
        self._captured = bytes(pixels * len(order)), 0

    def sent(self) -> tuple[tuple[Colour, ...], int]:
        """The frame last sent, read from its bytes, and the number of the snapshot it was painted from."""
        data, number = self._captured
        return decoded(data, self._order), number

    def plug(self, plugged: bool) -> None:
        """Put the cable in, or pull it."""
        with self._changed:
            self._cable.plugged = plugged
            self._changed.notify_all()

    def _news(self) -> bool:
        return super()._news() or not self._cable.plugged

    def _send(self, strip: Any) -> None:
        self._cable.check()
        super()._send(strip)

    def _sent(self, strip: Any, number: int) -> None:
        self._captured = strip.captured, number


def decoded(data: bytes, order: str) -> tuple[Colour, ...]:
    """The colours that these bytes show on a strip of this order; a white pixel's white is all three."""
    pixels = [dict(zip(order, data[at : at + len(order)], strict=True)) for at in range(0, len(data), len(order))]
    whites = [pixel.get("W", 0) for pixel in pixels]
    return tuple((max(p["R"], w), max(p["G"], w), max(p["B"], w)) for p, w in zip(pixels, whites, strict=True))


class _Cable:
    """Between the companion and simulated lights."""

    plugged = True

    def check(self) -> None:
        if not self.plugged:
            raise DeviceError("The lights' cable is out.")


class _CapturedStrip(PixelBuf):  # type: ignore[misc]
    """Adafruit's pixels with their one point of extension filled: what would be transmitted is kept."""

    def __init__(self, pixels: int, order: str, cable: _Cable) -> None:
        cable.check()
        super().__init__(pixels, byteorder=order)
        self._cable = cable
        self.captured = bytes(pixels * len(order))

    def deinit(self) -> None:
        self.fill(0)
        self.show()

    def _transmit(self, buffer: bytearray) -> None:
        self._cable.check()
        self.captured = bytes(buffer)


@contextmanager
def _opened(strip: Any) -> Iterator[Any]:
    """A strip that is dark afterwards, if it still listens, and its pin free in any case."""
    try:
        yield strip
    except RuntimeError as error:  # the writer's: the memory was refused, or another program took the same pin
        raise DeviceError("The lights' pin cannot be driven any more: is another program using it?") from error
    finally:
        with contextlib.suppress(Exception):
            strip.deinit()
        with contextlib.suppress(Exception):  # deinit stops at the first error, before it frees the pin
            strip.pin.deinit()


class Placed:
    """A strip wired in another order than the frame's: `places` has for each of its pixels that of the frame."""

    def __init__(self, places: Sequence[int | None], strip: Any) -> None:
        self._places, self._strip = places, strip
        self.show, self.deinit = strip.show, strip.deinit

    @property
    def pin(self) -> Any:
        """That of the strip."""
        return self._strip.pin

    def __setitem__(self, at: slice, frame: Frame) -> None:
        self._strip[at] = [OFF if place is None else frame[place] for place in self._places]


def _placed(places: Sequence[int | None], open_strip: Callable[..., Any], *given: Any) -> Any:
    strip = open_strip(*given)
    return Placed(places, strip) if places else strip


def _open_spi(path: str, pixels: int, order: str) -> Any:
    try:
        from companion.devices.neopixel_spi import SpiStrip
    except ImportError as error:  # no Linux, no fcntl
        raise Unfit("Only Linux has SPI ports.") from error
    return SpiStrip(path, pixels, order)
