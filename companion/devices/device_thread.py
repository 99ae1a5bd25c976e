"""Device URLs, the thread that opens a device, serves it, and reconnects, and the null device.

A URL names a device: `serial:/dev/ttyACM0?baud=115200`, `gpio:dice=17,undo=27`, `sim:`. An invalid URL is an error
before anything starts. Missing hardware is not: the thread reports it and retries until it is closed.
"""

import contextlib
import errno
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from queue import SimpleQueue
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import serial

from companion.common.errors import DeviceError
from companion.common.worker import Worker
from companion.i18n import format_message
from companion.ports import Colour, StatusCallback

if TYPE_CHECKING:
    from companion.devices.keyboard_scanner import KeyboardPort

RETRY_INTERVAL_S = 0.5
"""Pause in s before a missing device is tried again."""

READ_TIMEOUT_S = 0.2
"""Longest wait in s of a serial read. A thread notices within this time that it is to close."""

WRITE_TIMEOUT_S = 2.0
"""Longest wait in s of a serial write. pyserial counts time in which a busy machine does not run this process."""

SLOW_RETRY_INTERVAL_S = 10.0
"""Pause in s before a device is tried again if each attempt is expensive."""

JOIN_TIMEOUT_S = 5.0
"""Longest wait in s for a device's thread to end."""

_LOG = logging.getLogger(__name__)


class DeviceUnsupported(DeviceError):
    """The device cannot work on this machine, so the thread does not try again."""


class RetrySlowly(DeviceError):
    """The device was refused and each attempt is expensive: retry every `SLOW_RETRY_INTERVAL_S` only."""


@dataclass(frozen=True, slots=True)
class DeviceUrl:
    """A parsed device URL: `scheme:path?option=value&…`."""

    url: str
    scheme: str
    path: str
    options: Mapping[str, str]

    def int_option(self, option: str, default: int, *, least: int, most: int) -> int:
        """Return a whole number given as an option. Raises DeviceError if it is not one or is out of range."""
        text = self.options.get(option)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) <= 9) or not least <= int(text) <= most:
            raise DeviceError(f"{option} in {self.url!r} must be a whole number from {least} to {most}.")
        return int(text)


def parse_device_url(
    url: str,
    *,
    device: str,
    known: Mapping[str, tuple[str, ...]],
    paths: tuple[str, ...] = (),
    example: str = "/dev/ttyACM0",
) -> DeviceUrl:
    """Parse a device URL. Raises DeviceError.

    :param device: the device's name in messages, such as "hole sensors".
    :param known: the options of each scheme.
    :param paths: the schemes that need a path.
    :param example: an example path for the message.
    """
    scheme, colon, rest = url.partition(":")
    if not colon or scheme not in known:
        schemes = " or ".join(f"{way}:" for way in known)
        raise DeviceError(f"{url!r} is not a URL of the {device}. Start it with {schemes}")
    path, _, query = rest.partition("?")
    if bool(path) != (scheme in paths):
        rule = "needs a path, such as" if scheme in paths else "takes no path. Write"
        correct = f"{scheme}:{example}" if scheme in paths else f"{scheme}:"
        raise DeviceError(f"{url!r} {rule} {correct}")
    return DeviceUrl(url, scheme, path, MappingProxyType(_parse_options(url, query, known[scheme])))


def _parse_options(url: str, query: str, known: tuple[str, ...]) -> dict[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError as error:
        raise DeviceError(f"Write the options in {url!r} as option=value, separated by &.") from error
    options: dict[str, str] = {}
    for option, value in pairs:
        if option not in known:
            similar = get_close_matches(option, known, 1, 0)
            hint = f" Did you mean {similar[0]!r}?" if similar else ""
            raise DeviceError(f"{url!r} has no option {option!r}.{hint}")
        if option in options:
            raise DeviceError(f"{url!r} gives {option!r} twice.")
        options[option] = value
    return options


def open_serial_port(path: str, baud: int) -> serial.Serial:
    """Open a serial port exclusively. Raises DeviceError if that fails."""
    try:
        # A board that does not accept bytes must not block this thread, so writing has a timeout too.
        port = serial.Serial(path, baud, timeout=READ_TIMEOUT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
    except OSError as error:
        raise DeviceError(_explain_open_error(path, error.errno)) from error
    except Exception as error:  # termios.error is not an OSError, and an odd speed is a ValueError
        raise DeviceError("Cannot use {path} as a serial port.", path=path) from error
    # FTDI adapters otherwise hold bytes back for 16 ms. Other adapters and systems do not support this mode.
    with contextlib.suppress(ValueError, OSError, NotImplementedError):
        port.set_low_latency_mode(True)
    return port


def read_available(port: "serial.Serial | KeyboardPort") -> bytes:
    """Return the bytes that have arrived, or b"" after `READ_TIMEOUT_S` without any.

    Raises DeviceError if the port was disconnected.
    """
    try:
        first = bytes(port.read(1))
        return first + bytes(port.read(port.in_waiting)) if first else first
    except (OSError, TypeError) as error:  # TypeError: another thread closed the port during the read
        raise DeviceError("{port} was disconnected.", port=port.port) from error


def _explain_open_error(path: str, number: int | None) -> str:
    if number == errno.ENOENT:
        return format_message("Cannot find {path}. Check the cable.", path=path)
    if number in (errno.EACCES, errno.EPERM):
        return format_message(
            "This user may not open {path}. Run sudo usermod -aG dialout $USER, log out, and log in again.", path=path
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        return format_message("{path} is in use by another program.", path=path)
    return format_message("Cannot open {path}. Check the cable.", path=path)


class DeviceThread(Worker):
    """Thread that opens and serves a device, and opens it again whenever it fails, until closed.

    :param name: translatable name of the device in messages.
    :param serve: called with this thread. It opens the device, calls `report_ok()` once it works, and serves it until
        `closing` is set; it raises DeviceError when the device is missing or disconnected.
    :param status: called once for each change of state.
    :param wake: ends a wait of `serve`; called after `closing` has been set.
    """

    def __init__(
        self,
        name: str,
        serve: "Callable[[DeviceThread], None]",
        status: StatusCallback,
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(f"companion {name}", join_timeout_s=JOIN_TIMEOUT_S)
        self._name = name
        self._serve = serve
        self._status = status
        self._wake_serve = wake
        self._last_status: tuple[bool, str] | None = None

    def report_ok(self, say: str = "") -> None:
        """Report that the device works; `say` describes a limitation, if any."""
        self._report_status(True, say)

    def report_fault(self, say: str) -> None:
        """Report that the device does not work, with the reason."""
        self._report_status(False, say)

    def _wake(self) -> None:
        self._wake_serve()

    def _run(self) -> None:
        while not self.closing.is_set():
            try:
                self._serve(self)
            except DeviceUnsupported as error:
                self.report_fault(str(error))
                self.closing.wait()
            except RetrySlowly as error:
                self.report_fault(str(error))
                self.closing.wait(SLOW_RETRY_INTERVAL_S)
            except DeviceError as error:
                self.report_fault(str(error))
            except Exception:  # an unexpected error of a driver must end neither the thread nor the game
                _LOG.info("%s", self._name, exc_info=True)
                self.report_fault(
                    format_message("Cannot use the {name}. Trying again.", name=format_message(self._name))
                )
            self.closing.wait(RETRY_INTERVAL_S)

    def _report_status(self, ok: bool, say: str) -> None:
        if self._last_status != (ok, say) and not self.closing.is_set():
            self._last_status = ok, say
            self._status(ok, say)


class ThreadedDevice:
    """Base class of a device that a `DeviceThread` serves from `start` to `close`.

    The thread waits at `_condition`; a device that waits for something else overrides `_wake`.

    :param name: translatable name of the device in messages.
    """

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self._name = name
        self._condition = threading.Condition()
        self._device_thread: DeviceThread | None = None

    def close(self) -> None:
        """Stop, and release the hardware. May be called twice."""
        if self._device_thread:
            self._device_thread.close()

    def _start_thread(self, serve: Callable[[DeviceThread], None], status: StatusCallback) -> None:
        self._device_thread = DeviceThread(self._name, serve, status, self._wake)
        self._device_thread.start()

    def _wake(self) -> None:
        with self._condition:
            self._condition.notify_all()


class CallbackQueue(Worker):
    """Thread that makes queued calls in order. Any thread may queue a call.

    `close` makes the calls already queued, and stops.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"companion {name}", join_timeout_s=JOIN_TIMEOUT_S)
        self._calls: SimpleQueue[Callable[[], object] | None] = SimpleQueue()

    def call_soon(self, function: Callable[..., object], *args: Any) -> None:
        """Queue a call of `function`. Never blocks."""
        self._calls.put(partial(function, *args))

    def _wake(self) -> None:
        self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except Exception:  # a call that fails must not block the next ones
                _LOG.exception("%s", self._thread.name)


NULL_SCHEME = "none"


class NullDevice:
    """Stands in for sensors, a card reader, buttons, a buzzer or lights that the table does not have."""

    seat: int | None = None

    def __init__(self, url: str) -> None:
        self.url = url

    def start(self, *callbacks: Callable[..., None]) -> None:
        """Report at once that the device works. The last callback is the status callback of every `start`."""
        status: StatusCallback = callbacks[-1]
        status(True, "")

    def request_levels(self) -> None:
        """Do nothing: there are no sensors."""

    def set_lamp(self, name: str, *, lit: bool) -> None:
        """Do nothing: there is no lamp."""

    def play_tune(self, name: str) -> None:
        """Do nothing: there is no buzzer."""

    def show_frame(self, frame: Sequence[Colour], number: int) -> None:
        """Do nothing: there is no strip."""

    def close(self) -> None:
        """Do nothing: there is no hardware to release."""
