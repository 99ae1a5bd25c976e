"""NeoPixels on a Pi's SPI: `neopixel-spi:/dev/spidev0.0`. Works on every Pi, without root and without DMA.

Each bit of a colour is sent as four SPI bits, 1000 or 1110, at 3.2 MHz: a short or a long pulse for WS2812 pixels. A
frame must be a single transfer, because pixels take a pause for its end. Linux only.
"""

import errno
import fcntl
import os
import struct
from pathlib import Path

from adafruit_pixelbuf import PixelBuf

from companion.common.errors import DeviceError
from companion.devices.device_thread import DeviceUnsupported
from companion.i18n import format_message

SPI_HZ = 3_200_000
"""SPI clock. Four SPI bits last 1.25 µs, one bit of a WS2812 pixel: 312 ns high for 0, 937 ns for 1."""

LATCH_BYTES = bytes(120)
"""300 µs of low level before and after a frame; newer pixels need 280 µs to detect its end."""

BUFSIZ_PATH = Path("/sys/module/spidev/parameters/bufsiz")

_SET_MODE, _SET_BITS, _SET_HERTZ = 0x40016B01, 0x40016B03, 0x40046B04
"""SPI_IOC_WR_MODE, _BITS_PER_WORD and _MAX_SPEED_HZ of linux/spi/spidev.h, as on ARM and x86."""

_PULSES = tuple(
    bytes((0xE if value >> bit & 1 else 0x8) << 4 | (0xE if value >> bit - 1 & 1 else 0x8) for bit in (7, 5, 3, 1))
    for value in range(256)
)


def encode_pulses(data: bytes) -> bytes:
    """Return the SPI bytes that send these colour bytes."""
    return LATCH_BYTES + b"".join(_PULSES[value] for value in data) + LATCH_BYTES


class SpiStrip(PixelBuf):  # type: ignore[misc]
    """Adafruit's PixelBuf that transmits through the kernel's SPI driver. Raises DeviceError with what to do."""

    def __init__(self, path: str, pixels: int, order: str, buffer: Path = BUFSIZ_PATH) -> None:
        _check_buffer_size(len(encode_pulses(bytes(pixels * len(order)))), buffer)
        self._path = path
        self._port = _open_port(path)
        super().__init__(pixels, byteorder=order)

    def deinit(self) -> None:
        """Turn the strip dark and close the port."""
        try:
            self.fill(0)
            self.show()
        finally:
            os.close(self._port)

    def _transmit(self, buffer: bytearray) -> None:
        try:
            os.write(self._port, encode_pulses(bytes(buffer)))
        except OSError as error:
            raise DeviceError("Cannot send to the lights on {path} any more.", path=self._path) from error


def _check_buffer_size(needed: int, buffer: Path) -> None:
    """Raise DeviceUnsupported if the kernel's buffer, whose size is set at boot, is too small for a frame."""
    try:
        room = int(buffer.read_text())
    except (OSError, ValueError):  # another kernel or driver: the first frame shows whether it fits
        return
    if needed > room:
        raise DeviceUnsupported(
            "The lights need {needed} bytes at once, and the kernel allows {room}. Add spidev.bufsiz=16384 to the end "
            "of the line in /boot/firmware/cmdline.txt and restart the Pi.",
            needed=needed,
            room=room,
        )


def _open_port(path: str) -> int:
    try:
        port = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        raise DeviceError(_explain_open_error(path, error.errno)) from error
    try:
        fcntl.ioctl(port, _SET_MODE, struct.pack("B", 0))
        fcntl.ioctl(port, _SET_BITS, struct.pack("B", 8))
        fcntl.ioctl(port, _SET_HERTZ, struct.pack("I", SPI_HZ))
    except OSError as error:
        os.close(port)
        raise DeviceError("{path} is not an SPI port. Use /dev/spidev0.0.", path=path) from error
    return port


def _explain_open_error(path: str, number: int | None) -> str:
    if number in (errno.EACCES, errno.EPERM):
        return format_message(
            "This user may not open {path}. Run sudo usermod -aG spi $USER, log out, and log in again.", path=path
        )
    return format_message("Cannot find {path}. Run sudo raspi-config nonint do_spi 0 and restart the Pi.", path=path)
