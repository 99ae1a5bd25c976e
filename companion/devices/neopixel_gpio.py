"""NeoPixels at a pin of the Raspberry Pi, driven by the libraries that its model needs, which may end a whole program.

Refused the memory of the Pi, rpi_ws281x dies at the next call, whatever it is: cleaning up as much as trying again.
So a process of its own tries first, and shows a dark frame; only what it could do is done here. And a strip that was
never begun is never ended. Knows nothing of frames but that they are bytes.
"""

import contextlib
import os
import subprocess
import sys
import threading
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.device_thread import Costly, Unfit
from companion.i18n import say

TRIAL_S = 30.0
"""How long a trial may last: on a small Pi the libraries alone take some seconds to load."""

_UNFIT = 3
"""The exit code of a trial on a machine that lacks pin or packages."""


def open_neopixel(name: str, pixels: int, order: str) -> Any:
    """A strip at this pin that has just been shown dark, and is ready for more. Only after a trial that went well."""
    strip = _strip(name, pixels, order)
    try:
        strip.show()
    except Exception as error:  # each driver has its own
        _forget()
        with contextlib.suppress(Exception):
            strip.pin.deinit()
        raise Costly(_why(name, str(error))) from error
    return strip


def try_neopixel(name: str, pixels: int, order: str, closing: threading.Event) -> None:
    """Have a process of its own try the strip. Raises DeviceError with what to type, also where that process dies."""
    code = f"import sys; from {__name__} import trial; sys.exit(trial(*sys.argv[1:]))"
    command = [sys.executable, "-c", code, name, str(pixels), order]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as trial:
        said = _ended(trial, closing)
    if trial.returncode == _UNFIT:
        raise Unfit(said.strip())
    if trial.returncode:
        raise Costly(_why(name, said))


def _ended(trial: "subprocess.Popen[str]", closing: threading.Event) -> str:
    """What the trial said; "" where it was ended, for it took too long or nobody waits for it any more."""
    waited_s = 0.0
    while waited_s < TRIAL_S and not closing.is_set():
        try:
            return trial.communicate(timeout=0.2)[0]
        except subprocess.TimeoutExpired:
            waited_s += 0.2
    trial.kill()
    return ""


def _why(name: str, said: str) -> str:
    """What to do about a refusal. Blinka's words for "no access to the memory" are "running with sudo"."""
    if "Illegal" in said or "not possible" in said:
        return say("No driver of NeoPixels can use the pin {name} of this Pi: take D18, D12 or D21.", name=name)
    if "revision" in said:
        return say("The package rpi_ws281x does not know this model of Pi: install its newest version.")
    if "gpio group" in said:
        return say(
            "This user may not use the pin {name}: type sudo usermod -aG gpio $USER, log out, and in again.", name=name
        )
    if "pio" in said.lower():
        return say("This user may not use /dev/pio0: companion doctor says what to type.")
    if os.geteuid() == 0:
        return say(
            "The lights' pin {name} cannot be had: is another program using it, or is the analogue sound on?", name=name
        )
    return say(
        "The pin {name} takes root on this Pi: type sudo .venv/bin/companion play; or, without root, wire the strip "
        "to GPIO10 and name the lights neopixel-spi:/dev/spidev0.0.",
        name=name,
    )


def _strip(name: str, pixels: int, order: str) -> Any:
    # Blinka would ask on the terminal whether to install what a Pi needs; our own extra [pi] has it.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        import board
        import neopixel
    except Exception as error:  # a PC is a NotImplementedError, a missing package an ImportError or a RuntimeError
        raise Unfit(
            "NeoPixels at a pin need a Raspberry Pi and its packages: type .venv/bin/pip install -e '.[pi]' there."
        ) from error
    pin = getattr(board, name, None)
    if pin is None:
        raise Unfit("This machine has no pin {name}.", name=name)
    try:
        return neopixel.NeoPixel(pin, pixels, bpp=len(order), pixel_order=order, auto_write=False)
    except Exception as error:  # each kind of pin has its own
        raise DeviceError(str(error)) from error


def _forget() -> None:
    """Have Blinka's driver forget a strip that was never begun: it would end it, at the latest when we exit."""
    import neopixel_write

    driver: Any = getattr(neopixel_write, "_neopixel", None)
    if getattr(driver, "_led_strip", None) is not None:
        driver.ws.delete_ws2811_t(driver._led_strip)
        driver._led_strip = None


def trial(name: str, pixels: str, order: str) -> int:
    """What the process does that tries: 0 where the strip could be shown."""
    try:
        _strip(name, int(pixels), order).show()
    except Unfit as never:
        print(never, flush=True)
        os._exit(_UNFIT)
    except Exception as error:  # each driver has its own
        print(error, flush=True)
        os._exit(1)  # nothing is cleaned up: it would die of that, and say so
    return 0
