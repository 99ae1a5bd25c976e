"""NeoPixels on a GPIO pin of a Raspberry Pi, with the driver that its model needs.

If rpi_ws281x may not access the Pi's memory, its next call crashes the process, even a call to clean up. Therefore a
child process first shows a dark frame; the strip is opened here only if that succeeds. A strip that did not start is
never cleaned up.
"""

import contextlib
import os
import subprocess
import sys
import threading
from typing import Any

from companion.common.errors import DeviceError
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
            "NeoPixels on a pin need a Raspberry Pi and its packages. Run .venv/bin/pip install -e '.[pi]' there."
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
