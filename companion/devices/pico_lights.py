"""Lights driven by the board's Pico: `node:`. Frames go to the firmware in chunks over the sensors' cable.

Only chunks that differ from the last frame are sent. The firmware reports the checksum of the shown frame after each
frame and every second; if it differs, for example after a restart, the frame is sent again.
"""

import threading
from binascii import crc32
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from adafruit_pixelbuf import PixelBuf

from companion.common.errors import DeviceError
from companion.devices.lights import StripLights, decode_frame
from companion.devices.sensors import SimulatedSensors, WiredSensors
from companion.i18n import gettext_noop
from companion.ports import Colour, HoleSensors, Lights
from firmware import wire
from firmware.pixels import CHUNK_BYTES

ANSWER_TIMEOUT_S = 1.5
"""Longest wait in s for the board's answer to a frame."""

MAX_TRIES = 3

_BOARD_MISSING = gettext_noop("The lights' board is not connected. See the hole sensors.")


def open_pico_lights(
    url: str, pixels: int, limit_ma: int, order: str, sensors: HoleSensors | None, places: Sequence[int | None]
) -> Lights:
    """Return the lights at the board of these sensors.

    :param places: for each pixel of the strip, its pixel in the frame or None. Empty if strip and frame are alike.
    """
    if isinstance(sensors, SimulatedSensors):
        return SimulatedPicoLights(url, pixels, limit_ma, order, sensors, places or range(pixels))
    if not isinstance(sensors, WiredSensors):
        raise DeviceError(f"The lights {url!r} are on the sensors' board. Give its port with --sensors.")
    return PicoLights(url, pixels, limit_ma, order, sensors, places or range(pixels))


class PicoLights(StripLights):
    """The strip of the board that has the sensors."""

    def __init__(
        self, url: str, pixels: int, limit_ma: int, order: str, sensors: WiredSensors, places: Sequence[int | None]
    ) -> None:
        self._painting = FrameSender(sensors.send, self._wake)
        sensors.add_listener(self._painting.on_message)
        super().__init__(url, pixels, limit_ma, partial(_PicoStrip, pixels, order, places, self._painting))

    def _has_work(self) -> bool:
        return super()._has_work() or self._painting.is_stale

    def _send_frame(self, strip: "_PicoStrip") -> None:
        if self._painting.is_stale:
            self._shown = None
        super()._send_frame(strip)


class SimulatedPicoLights(PicoLights):
    """The strip of a simulated board."""

    def __init__(
        self, url: str, pixels: int, limit_ma: int, order: str, sensors: SimulatedSensors, places: Sequence[int | None]
    ) -> None:
        super().__init__(url, pixels, limit_ma, order, sensors, places)
        self._sensors, self._order, self._places, self._count = sensors, order, places, pixels
        self._number = 0

    def sent_frame(self) -> tuple[tuple[Colour, ...], int]:
        """Return the frame that the board's strip shows, and the number of the snapshot it shows."""
        shown = [(0, 0, 0)] * self._count
        for place, colour in zip(self._places, decode_frame(self._sensors.strip.shown, self._order), strict=False):
            if place is not None:
                shown[place] = colour
        return tuple(shown), self._number

    def set_plugged(self, plugged: bool) -> None:
        """Plug in or unplug the board's cable."""
        self._sensors.set_plugged(plugged)

    def _on_sent(self, strip: "_PicoStrip", number: int) -> None:  # noqa: ARG002
        self._number = number


class FrameSender:
    """Sends frames to a board. One thread sends, the thread that reads the board's line calls `on_message`."""

    def __init__(self, send: Callable[[bytes], None], wake: Callable[[], None]) -> None:
        """Call `wake` when the board shows a wrong frame or was disconnected."""
        self._send = send
        self._wake = wake
        self._news = threading.Condition()
        self._held: bytes | None = None
        self._answer: str | None = None
        self._pixels: int | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the frame that the board shows is unknown."""
        return self._held is None

    def on_message(self, message: "wire.Message | None") -> None:
        """Handle a message of the board, or None when it was disconnected."""
        with self._news:
            before = self._held
            if message is None:
                self._held = self._pixels = None
            elif isinstance(message, wire.Lit):
                self._answer = message.check
            elif isinstance(message, wire.Hello):
                self._pixels = message.pixels
                if self._held is not None and message.lit != _checksum(self._held):
                    self._held = None
            self._news.notify_all()
        if before is not None and self._held is None:
            self._wake()

    def wait_for_board(self, pixels: int) -> None:
        """Wait for the board. Raises DeviceError if it is missing or has another number of pixels."""
        with self._news:
            if not self._news.wait_for(lambda: self._pixels is not None, ANSWER_TIMEOUT_S):
                raise DeviceError(_BOARD_MISSING)
            if self._pixels != pixels:
                raise DeviceError(
                    "The connected board's strip has {its} pixels; this game's board has {ours}. "
                    "Update the board with companion flash.",
                    its=self._pixels,
                    ours=pixels,
                )

    def send_frame(self, frame: bytes) -> None:
        """Make the board show this frame. Raises DeviceError if it does not."""
        check = _checksum(frame)
        for _ in range(MAX_TRIES):
            with self._news:
                held, self._held, self._answer = self._held, None, None
            for at in range(0, len(frame), CHUNK_BYTES):
                chunk = frame[at : at + CHUNK_BYTES]
                if held is None or held[at : at + CHUNK_BYTES] != chunk:
                    self._send_line(wire.encode_paint(at, chunk))
            self._send_line(wire.encode_show(len(frame), check))
            with self._news:
                self._news.wait_for(lambda: self._answer is not None or self._pixels is None, ANSWER_TIMEOUT_S)
                if self._pixels is None:
                    raise DeviceError(_BOARD_MISSING)
                if self._answer == check:
                    self._held = frame
                    return
        raise DeviceError(
            "The board does not show the lights it was sent. Unplug it and plug it in again, or run companion flash."
        )

    def _send_line(self, line: bytes) -> None:
        try:
            self._send(line)
        except DeviceError as error:  # the sensors report the reason
            raise DeviceError(_BOARD_MISSING) from error


class _PicoStrip(PixelBuf):  # type: ignore[misc]
    """Adafruit's PixelBuf that transmits to the board."""

    def __init__(self, pixels: int, order: str, places: Sequence[int | None], painting: FrameSender) -> None:
        painting.wait_for_board(len(places))
        super().__init__(pixels, byteorder=order)
        self._places, self._painting, self._size = places, painting, len(order)

    def deinit(self) -> None:
        with suppress(DeviceError):
            self.fill(0)
            self.show()

    def _transmit(self, buffer: bytearray) -> None:
        size = self._size
        dark = bytes(size)
        self._painting.send_frame(
            b"".join(dark if p is None else bytes(buffer[p * size : (p + 1) * size]) for p in self._places)
        )


def _checksum(frame: bytes) -> str:
    return f"{crc32(frame):08x}"
