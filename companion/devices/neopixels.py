"""NeoPixels on a Raspberry Pi: on a GPIO pin, with the driver that its model needs, or on SPI.

If rpi_ws281x may not access the Pi's memory, its next call crashes the process, even a call to clean up. Therefore a
child process first shows a dark frame; the strip is opened here only if that succeeds. A strip that did not start is
never cleaned up.

`neopixel-spi:/dev/spidev0.0` works on every Pi, without root and without DMA. Each bit of a colour is sent as four SPI
bits, 1000 or 1110, at 3.2 MHz: a short or a long pulse for WS2812 pixels. A frame must be a single transfer, because
pixels take a pause for its end.
"""

import contextlib
import errno
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from adafruit_pixelbuf import PixelBuf

from companion.common.errors import DeviceError
from companion.common.process import format_extra_command
from companion.devices.device_thread import DeviceUnsupported, RetrySlowly
from companion.i18n import format_message

TRIAL_TIMEOUT_S = 30.0
"""Longest time in s for a trial. On a small Pi, loading the libraries takes several seconds."""

_EXIT_UNSUPPORTED = 3
"""Exit code of a trial on a machine without the pin or the packages."""


def open_neopixel(name: str, pixels: int, order: str) -> Any:
    """Return a dark, working strip at this pin. Call only after a successful trial."""
    strip = _create_strip(name, pixels, order)
    try:
        strip.show()
    except Exception as error:  # each driver has its own
        _forget_strip()
        with contextlib.suppress(Exception):
            strip.pin.deinit()
        raise RetrySlowly(_explain_refusal(name, str(error))) from error
    return strip


def try_neopixel(name: str, pixels: int, order: str, closing: threading.Event) -> None:
    """Try the strip in a child process. Raises DeviceError with what to do if it fails or crashes."""
    code = f"import sys; from {__name__} import run_trial; sys.exit(run_trial(*sys.argv[1:]))"
    command = [sys.executable, "-c", code, name, str(pixels), order]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as trial:
        said = _wait_for_trial(trial, closing)
    if trial.returncode == _EXIT_UNSUPPORTED:
        raise DeviceUnsupported(said.strip())
    if trial.returncode:
        raise RetrySlowly(_explain_refusal(name, said))


def _wait_for_trial(trial: "subprocess.Popen[str]", closing: threading.Event) -> str:
    """Return the trial's output, or "" if it was killed: it took too long, or the device is closing."""
    waited_s = 0.0
    while waited_s < TRIAL_TIMEOUT_S and not closing.is_set():
        try:
            return trial.communicate(timeout=0.2)[0]
        except subprocess.TimeoutExpired:
            waited_s += 0.2
    trial.kill()
    return ""


def _explain_refusal(name: str, said: str) -> str:
    """Return what to do about a driver's refusal. Blinka reports missing memory access as "running with sudo"."""
    if "Illegal" in said or "not possible" in said:
        return format_message("No NeoPixel driver supports pin {name} of this Pi. Use D18, D12 or D21.", name=name)
    if "revision" in said:
        return format_message("The package rpi_ws281x does not know this Pi model. Install its newest version.")
    if "gpio group" in said:
        return format_message(
            "This user may not use pin {name}. Run sudo usermod -aG gpio $USER, log out, and log in again.", name=name
        )
    if "pio" in said.lower():
        return format_message("This user may not use /dev/pio0. Run companion doctor to see the fix.")
    if os.geteuid() == 0:
        return format_message(
            "Cannot open the lights' pin {name}. Check whether another program uses it or analogue sound is on.",
            name=name,
        )
    return format_message(
        "Pin {name} needs root on this Pi. Run sudo .venv/bin/companion play; or, without root, connect the strip to "
        "GPIO10 and set the lights to neopixel-spi:/dev/spidev0.0.",
        name=name,
    )


def _create_strip(name: str, pixels: int, order: str) -> Any:
    # Blinka would ask on the terminal whether to install packages that the extra [pi] already provides.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        import board
        import neopixel
    except Exception as error:  # NotImplementedError on a PC; ImportError or RuntimeError for a missing package
        raise DeviceUnsupported(
            "NeoPixels on a pin need a Raspberry Pi and its packages. To install them there, type: {command}",
            command=format_extra_command("pi"),
        ) from error
    pin = getattr(board, name, None)
    if pin is None:
        raise DeviceUnsupported("This computer has no pin {name}.", name=name)
    try:
        return neopixel.NeoPixel(pin, pixels, bpp=len(order), pixel_order=order, auto_write=False)
    except Exception as error:  # each kind of pin has its own
        raise DeviceError(str(error)) from error


def _forget_strip() -> None:
    """Make Blinka's driver forget a strip that did not start, or it would clean it up at exit and crash."""
    import neopixel_write

    driver: Any = getattr(neopixel_write, "_neopixel", None)
    if getattr(driver, "_led_strip", None) is not None:
        driver.ws.delete_ws2811_t(driver._led_strip)
        driver._led_strip = None


def run_trial(name: str, pixels: str, order: str) -> int:
    """Run in the child process: show a dark frame and return 0, or exit with another code and a message."""
    try:
        _create_strip(name, int(pixels), order).show()
    except DeviceUnsupported as never:
        print(never, flush=True)
        os._exit(_EXIT_UNSUPPORTED)
    except Exception as error:  # each driver has its own
        print(error, flush=True)
        os._exit(1)  # skip cleaning up, which would crash
    return 0


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
        import fcntl
    except ImportError as error:
        raise DeviceUnsupported("Only Linux has SPI ports.") from error
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
