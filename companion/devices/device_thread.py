"""How every device is reached: what its URL says, and the thread that opens it, serves it, and opens it again for ever.

A device is named by a URL: `serial:/dev/ttyACM0?baud=115200`, `gpio:dice=17,undo=27`, `sim:`. A URL that means nothing
is an error before anything starts; hardware that is not there is none: the thread says so and goes on trying.
Knows nothing of holes, cards, lights or buttons.
"""

import contextlib
import errno
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from queue import SimpleQueue
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import serial

from companion.common.errors import DeviceError
from companion.i18n import say
from companion.ports import Status

if TYPE_CHECKING:
    from companion.devices.keyboard_scanner import KeyboardPort

AGAIN_S = 0.5
"""How long to wait before an absent device is tried again."""

READ_S = 0.2
"""How long a serial read waits at most: also how soon a closing thread notices."""

LATER_S = 10.0
"""How long, where a try costs much."""

_LOG = logging.getLogger(__name__)


class Unfit(DeviceError):
    """This machine will never have the device, as long as this program runs: trying again is in vain."""


class Costly(DeviceError):
    """The device is refused, and each try costs much: it is tried again every `LATER_S` only."""


@dataclass(frozen=True, slots=True)
class Address:
    """A device URL taken apart: `scheme:path?option=value&…`."""

    url: str
    scheme: str
    path: str
    options: Mapping[str, str]

    def number(self, option: str, default: int, *, least: int, most: int) -> int:
        """A whole number given as an option. Raises DeviceError when it is none or out of range."""
        text = self.options.get(option)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) <= 9) or not least <= int(text) <= most:
            raise DeviceError(f"{option} in {self.url!r} must be a whole number from {least} to {most}.")
        return int(text)


def read_url(
    url: str,
    *,
    device: str,
    known: Mapping[str, tuple[str, ...]],
    paths: tuple[str, ...] = (),
    example: str = "/dev/ttyACM0",
) -> Address:
    """Take `url` apart. `known` lists the options of each scheme, `paths` the schemes that need a path.

    `device` is what a player calls the thing: "hole sensors"; `example` is a path one could write. Raises DeviceError
    with a sentence.
    """
    scheme, colon, rest = url.partition(":")
    if not colon or scheme not in known:
        ways = " or ".join(f"{way}:" for way in known)
        raise DeviceError(f"{url!r} does not name the {device}: it must begin with {ways}")
    path, _, query = rest.partition("?")
    if bool(path) != (scheme in paths):
        wants = "needs a path, such as" if scheme in paths else "takes no path: write"
        right = f"{scheme}:{example}" if scheme in paths else f"{scheme}:"
        raise DeviceError(f"{url!r} {wants} {right}")
    return Address(url, scheme, path, MappingProxyType(_options(url, query, known[scheme])))


def _options(url: str, query: str, known: tuple[str, ...]) -> dict[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError as error:
        raise DeviceError(f"The options in {url!r} must be written option=value, parted by &.") from error
    options: dict[str, str] = {}
    for option, value in pairs:
        if option not in known:
            near = get_close_matches(option, known, 1, 0)
            raise DeviceError(f"{url!r} has no option {option!r}" + (f": {near[0]!r} is one." if near else "."))
        if option in options:
            raise DeviceError(f"{url!r} gives {option!r} twice.")
        options[option] = value
    return options


def open_serial(path: str, baud: int) -> serial.Serial:
    """Open a serial port for this program alone. Raises DeviceError with a sentence when it cannot be had."""
    try:
        # A board that does not take its bytes must not stop this thread: hence a time limit on writing too.
        port = serial.Serial(path, baud, timeout=READ_S, write_timeout=READ_S, exclusive=True)
    except OSError as error:
        raise DeviceError(_why_not(path, error.errno)) from error
    except Exception as error:  # termios.error is no OSError, and an odd speed is a ValueError
        raise DeviceError("{path} cannot be used as a serial port.", path=path) from error
    # FTDI adapters keep bytes for 16 ms otherwise. What is no such adapter (or no Linux) has no such switch.
    with contextlib.suppress(ValueError, OSError, NotImplementedError):
        port.set_low_latency_mode(True)
    return port


def read_some(port: "serial.Serial | KeyboardPort") -> bytes:
    """What has arrived, b"" after `READ_S` of nothing. Raises DeviceError when the port has gone."""
    try:
        first = bytes(port.read(1))
        return first + bytes(port.read(port.in_waiting)) if first else first
    except (OSError, TypeError) as error:  # TypeError: the port was closed under a reader
        raise DeviceError("{port} has gone away.", port=port.port) from error


def _why_not(path: str, number: int | None) -> str:
    if number == errno.ENOENT:
        return say("There is no {path}: is the cable in?", path=path)
    if number in (errno.EACCES, errno.EPERM):
        return say("This user may not open {path}: add it to the group dialout.", path=path)
    if number in (errno.EBUSY, errno.EAGAIN):
        return say("{path} is in use by another program.", path=path)
    return say("{path} does not open: is the cable in?", path=path)


class Keeper:
    """A thread that has a device attended, and attended again whenever it goes away, until closed.

    `attend(keeper)` opens the device, calls `well()` once it works, and stays until `closing` is set; it raises
    DeviceError when the device is absent or goes. `status` hears of each change once.
    """

    def __init__(self, name: str, attend: "Callable[[Keeper], None]", status: Status) -> None:
        self.closing = threading.Event()
        self._name = name
        self._attend = attend
        self._status = status
        self._said: tuple[bool, str] | None = None
        self._thread = threading.Thread(target=self._keep, name=f"companion {name}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def well(self, say: str = "") -> None:
        """The device works; `say` is what it does not do as well as others of its kind."""
        self._say(True, say)

    def unwell(self, say: str) -> None:
        """The device does not work, for the reason this sentence gives."""
        self._say(False, say)

    def close(self) -> None:
        """Stop, and wait for the thread. May be called twice, before `start` too, and from the thread itself."""
        self.closing.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=5)

    def _keep(self) -> None:
        while not self.closing.is_set():
            try:
                self._attend(self)
            except Unfit as never:
                self.unwell(str(never))
                self.closing.wait()
            except Costly as refused:
                self.unwell(str(refused))
                self.closing.wait(LATER_S)
            except DeviceError as gone:
                self.unwell(str(gone))
            except Exception:  # a driver's surprise must end neither the thread nor the game
                _LOG.info("%s", self._name, exc_info=True)
                self.unwell(say("The {name} cannot be used; trying again.", name=say(self._name)))
            self.closing.wait(AGAIN_S)

    def _say(self, ok: bool, say: str) -> None:
        if self._said != (ok, say) and not self.closing.is_set():
            self._said = ok, say
            self._status(ok, say)


class Passing:
    """A thread that makes calls in the order in which they were passed to it. Any thread may pass one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"companion {name}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def call(self, function: Callable[..., object], *args: Any) -> None:
        """Have it called, after all that was passed before. Never blocks."""
        self._calls.put(partial(function, *args))

    def close(self) -> None:
        """Make the calls already passed, and stop. May be called twice, before `start` too, and from the thread."""
        self._calls.put(None)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except Exception:  # one call that fails must not keep the next ones waiting for ever
                _LOG.exception("%s", self._name)
