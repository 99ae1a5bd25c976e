"""NeoPixels at a Pi's SPI: `neopixel-spi:/dev/spidev0.0`. No root, no DMA, no clock shared with sound, every Pi.

Each bit of a colour goes out as four of the SPI's, 1000 or 1110, at 3.2 MHz: a short pulse or a long one, as WS2812
pixels read them. All of a frame must be one transfer, for a pause in it would be taken for its end. Linux only.
"""

import errno
import fcntl
import os
import struct
from pathlib import Path

from adafruit_pixelbuf import PixelBuf

from companion.common.errors import DeviceError
from companion.devices.device_thread import Unfit
from companion.i18n import say

HERTZ = 3_200_000
"""Four bits of the SPI last 1.25 µs, one bit of a WS2812 pixel: 312 ns high for 0, 937 ns for 1."""

LATCH = bytes(120)
"""Low for 300 µs before and after: what the newest pixels take for the end of a frame."""

BUFFER = Path("/sys/module/spidev/parameters/bufsiz")

_SET_MODE, _SET_BITS, _SET_HERTZ = 0x40016B01, 0x40016B03, 0x40046B04
"""The requests SPI_IOC_WR_MODE, _BITS_PER_WORD and _MAX_SPEED_HZ of linux/spi/spidev.h, as on ARM and x86."""

_PULSES = tuple(
    bytes((0xE if value >> bit & 1 else 0x8) << 4 | (0xE if value >> bit - 1 & 1 else 0x8) for bit in (7, 5, 3, 1))
    for value in range(256)
)


def pulses(data: bytes) -> bytes:
    """What goes down the wire for these colours."""
    return LATCH + b"".join(_PULSES[value] for value in data) + LATCH


class SpiStrip(PixelBuf):  # type: ignore[misc]
    """Adafruit's pixels, sent by the kernel's SPI. Raises DeviceError with what to type where that cannot be."""

    def __init__(self, path: str, pixels: int, order: str, buffer: Path = BUFFER) -> None:
        _check_room(len(pulses(bytes(pixels * len(order)))), buffer)
        self._path = path
        self._port = _opened(path)
        super().__init__(pixels, byteorder=order)

    def deinit(self) -> None:
        """Dark, and the port let go of."""
        try:
            self.fill(0)
            self.show()
        finally:
            os.close(self._port)

    def _transmit(self, buffer: bytearray) -> None:
        try:
            os.write(self._port, pulses(bytes(buffer)))
        except OSError as error:
            raise DeviceError("{path} takes no frame any more.", path=self._path) from error


def _check_room(needed: int, buffer: Path) -> None:
    """Raise Unfit where the kernel would not take a frame in one piece: it asks for that at its start."""
    try:
        room = int(buffer.read_text())
    except (OSError, ValueError):  # another kernel, or another driver: the first frame will show it
        return
    if needed > room:
        raise Unfit(
            "A frame has {needed} bytes, and the kernel takes {room} at once: write spidev.bufsiz=16384 at the end of "
            "the line in /boot/firmware/cmdline.txt, and restart the Pi.",
            needed=needed,
            room=room,
        )


def _opened(path: str) -> int:
    try:
        port = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        raise DeviceError(_why_not(path, error.errno)) from error
    try:
        fcntl.ioctl(port, _SET_MODE, struct.pack("B", 0))
        fcntl.ioctl(port, _SET_BITS, struct.pack("B", 8))
        fcntl.ioctl(port, _SET_HERTZ, struct.pack("I", HERTZ))
    except OSError as error:
        os.close(port)
        raise DeviceError("{path} is no SPI port: take /dev/spidev0.0.", path=path) from error
    return port


def _why_not(path: str, number: int | None) -> str:
    if number in (errno.EACCES, errno.EPERM):
        return say("This user may not open {path}: type sudo usermod -aG spi $USER, log out, and in again.", path=path)
    return say("There is no {path}: type sudo raspi-config nonint do_spi 0, and restart the Pi.", path=path)
