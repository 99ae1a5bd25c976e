"""Lights on the board's own cable: `node:`. Frames go to the board's program in chunks, and it says what it shows.

Only what differs from the last frame is sent. What the board says it shows, after each frame and each second, is
compared with what it should: so a board that began again is lit again. The current limit is kept here.
"""

import threading
from binascii import crc32
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from adafruit_pixelbuf import PixelBuf

from companion.common.errors import DeviceError
from companion.devices.lights import StripLights, decoded
from companion.devices.sensors import SimulatedSensors, WiredSensors
from companion.i18n import phrase
from companion.ports import Colour, HoleSensors, Lights
from firmware import wire
from firmware.pixels import CHUNK

ANSWERS_S = 1.5
"""A board says what it shows sooner than this, or it has not heard."""

TRIES = 3

_AWAY = phrase("The board that has the lights is not there: see the hole sensors.")


def open_node_lights(
    url: str, pixels: int, limit_ma: int, order: str, sensors: HoleSensors | None, places: Sequence[int | None]
) -> Lights:
    """Lights at the board of these sensors. `places` has for each pixel of the strip the frame's pixel, or None."""
    if isinstance(sensors, SimulatedSensors):
        return SimulatedNodeLights(url, pixels, limit_ma, order, sensors, places or range(pixels))
    if not isinstance(sensors, WiredSensors):
        raise DeviceError(f"The lights {url!r} hang on the board's own program: its port is named with --sensors.")
    return NodeLights(url, pixels, limit_ma, order, sensors, places or range(pixels))


class NodeLights(StripLights):
    """The strip at the board that has the sensors."""

    def __init__(
        self,
        url: str,
        pixels: int,
        limit_ma: int,
        order: str,
        sensors: WiredSensors,
        places: Sequence[int | None],
    ) -> None:
        self._painting = Painting(sensors.send, self._wake)
        sensors.listen(self._painting.hear)
        super().__init__(url, pixels, limit_ma, partial(_NodeStrip, pixels, order, places, self._painting))

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _news(self) -> bool:
        return super()._news() or self._painting.stale

    def _send(self, strip: "_NodeStrip") -> None:
        if self._painting.stale:
            self._shown = None
        super()._send(strip)


class SimulatedNodeLights(NodeLights):
    """The strip of a simulated board."""

    def __init__(
        self,
        url: str,
        pixels: int,
        limit_ma: int,
        order: str,
        sensors: SimulatedSensors,
        places: Sequence[int | None],
    ) -> None:
        super().__init__(url, pixels, limit_ma, order, sensors, places)
        self._sensors, self._order, self._places, self._count = sensors, order, places, pixels
        self._number = 0

    def sent(self) -> tuple[tuple[Colour, ...], int]:
        """The frame that the board last put on its strip, and the number of the snapshot it was painted from."""
        shown = [(0, 0, 0)] * self._count
        for place, colour in zip(self._places, decoded(self._sensors.strip.shown, self._order), strict=False):
            if place is not None:
                shown[place] = colour
        return tuple(shown), self._number

    def plug(self, plugged: bool) -> None:
        """Put the board's cable in, or pull it."""
        self._sensors.plug(plugged)

    def _sent(self, strip: "_NodeStrip", number: int) -> None:  # noqa: ARG002
        self._number = number


class Painting:
    """The way of frames to a board. One thread paints, the one that reads the board's line hears."""

    def __init__(self, send: Callable[[bytes], None], wake: Callable[[], None]) -> None:
        """`wake` is called when the board shows something else than it should, or has gone."""
        self._send = send
        self._wake = wake
        self._news = threading.Condition()
        self._held: bytes | None = None
        self._answer: str | None = None
        self._pixels: int | None = None

    @property
    def stale(self) -> bool:
        """Whether it is unknown what the board shows."""
        return self._held is None

    def hear(self, message: "wire.Message | None") -> None:
        """A line of the board; None when it has gone."""
        with self._news:
            before = self._held
            if message is None:
                self._held = self._pixels = None
            elif isinstance(message, wire.Lit):
                self._answer = message.check
            elif isinstance(message, wire.Hello):
                self._pixels = message.pixels
                if self._held is not None and message.lit != _check(self._held):
                    self._held = None
            self._news.notify_all()
        if before is not None and self._held is None:
            self._wake()

    def room(self, pixels: int) -> None:
        """Wait for the board. Raises DeviceError where it is not there, or has not so many pixels."""
        with self._news:
            if not self._news.wait_for(lambda: self._pixels is not None, ANSWERS_S):
                raise DeviceError(_AWAY)
            if self._pixels != pixels:
                raise DeviceError(
                    "The strip of the board on the wire has {its} pixels; the one in play has {ours}. "
                    "Its program and board.json come with  companion flash",
                    its=self._pixels,
                    ours=pixels,
                )

    def paint(self, frame: bytes) -> None:
        """Have the board show this frame. Raises DeviceError where it does not."""
        check = _check(frame)
        for _ in range(TRIES):
            with self._news:
                held, self._held, self._answer = self._held, None, None
            for at in range(0, len(frame), CHUNK):
                chunk = frame[at : at + CHUNK]
                if held is None or held[at : at + CHUNK] != chunk:
                    self._tell(wire.paint(at, chunk))
            self._tell(wire.show(len(frame), check))
            with self._news:
                self._news.wait_for(lambda: self._answer is not None or self._pixels is None, ANSWERS_S)
                if self._pixels is None:
                    raise DeviceError(_AWAY)
                if self._answer == check:
                    self._held = frame
                    return
        raise DeviceError("The board does not show what it is told: unplug it and plug it in, or flash it anew.")

    def _tell(self, line: bytes) -> None:
        try:
            self._send(line)
        except DeviceError as error:  # why, the sensors tell
            raise DeviceError(_AWAY) from error


class _NodeStrip(PixelBuf):  # type: ignore[misc]
    """Adafruit's pixels with their one point of extension filled: what would be transmitted goes to the board."""

    def __init__(self, pixels: int, order: str, places: Sequence[int | None], painting: Painting) -> None:
        painting.room(len(places))
        super().__init__(pixels, byteorder=order)
        self._places, self._painting, self._size = places, painting, len(order)

    def deinit(self) -> None:
        with suppress(DeviceError):
            self.fill(0)
            self.show()

    def _transmit(self, buffer: bytearray) -> None:
        size = self._size
        dark = bytes(size)
        self._painting.paint(
            b"".join(dark if p is None else bytes(buffer[p * size : (p + 1) * size]) for p in self._places)
        )


def _check(frame: bytes) -> str:
    return f"{crc32(frame):08x}"
