"""Card readers: `serial:/dev/ttyUSB0?baud=9600&seat=1`, `keyboard:/dev/input/by-id/…`, or `sim:`, a pseudo-terminal.

Barcode modules and keyboard-like readers send a line a card (CR, LF, both, or just a pause), RDM6300 readers frames.
Which of the two is seen from the bytes, or named by `protocol=line` or `protocol=rdm6300`. A code is passed up as text
at every sighting; which card it means, and that a card left on the reader counts once, is the table's business.
"""

import contextlib
import os
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import serial

from companion.common.errors import DeviceError
from companion.devices.device_thread import Keeper, Unfit, open_serial, read_some, read_url
from companion.devices.null import SCHEME, Absent
from companion.devices.scanner_protocols import LONGEST, PROTOCOLS, Decoder
from companion.i18n import phrase
from companion.ports import CardScanner, Clock, Status

if TYPE_CHECKING:
    from companion.devices.keyboard_scanner import KeyboardPort

    Port = serial.Serial | KeyboardPort

BAUD = 9600

GAP_MS = 100
"""A code without a line end is complete when nothing has followed it for so long."""

IDLE_S = 1.0
"""How long one wait for bytes lasts. Closing interrupts it."""

TAKEN_S = 10.0
"""How long a simulated card waits at most for a reader that is just being opened."""

_OUT = "The card reader's cable is out."


def open_scanner(url: str, clock: Clock) -> CardScanner:
    """The card reader of this URL. Raises DeviceError for a URL that means nothing; an absent reader is waited for."""
    known = {"serial": ("baud", "seat", "protocol"), "keyboard": ("seat",), "sim": ("seat", "protocol"), "none": ()}
    example = "/dev/input/by-id/usb-reader-event-kbd" if url.startswith("keyboard") else "/dev/ttyUSB0"
    address = read_url(url, device="card reader", known=known, paths=("serial", "keyboard"), example=example)
    seat = address.number("seat", 0, least=0, most=4) if "seat" in address.options else None
    protocol = address.options.get("protocol", "auto")
    if protocol not in PROTOCOLS:
        raise DeviceError(f"The protocol in {url!r} must be one of {', '.join(PROTOCOLS)}.")
    if address.scheme == SCHEME:
        return Absent(url)
    if address.scheme == "sim":
        return SimulatedScanner(url, clock, seat=seat, protocol=protocol)
    if address.scheme == "keyboard":
        return SerialScanner(url, clock, partial(_open_keyboard, address.path), seat=seat, protocol="line")
    baud = address.number("baud", BAUD, least=300, most=4_000_000)
    return SerialScanner(url, clock, partial(open_serial, address.path, baud), seat=seat, protocol=protocol)


def _open_keyboard(path: str) -> "KeyboardPort":
    try:
        from companion.devices.keyboard_scanner import KeyboardPort
    except ImportError as error:  # no Linux, no fcntl
        raise Unfit("Only Linux lets a program have a keyboard for itself.") from error
    return KeyboardPort(path)


class SerialScanner:
    """A reader at a serial port, opened again for ever."""

    def __init__(
        self, url: str, clock: Clock, open_port: "Callable[[], Port]", *, seat: int | None, protocol: str
    ) -> None:
        self.url = url
        self.seat = seat
        self._clock = clock
        self._open_port = open_port
        self._protocol = protocol
        self._keeper: Keeper | None = None
        self._port: Port | None = None

    def start(self, seen: Callable[[str], None], status: Status) -> None:
        """Call `seen(code)` at each sighting, and `status` when the reader comes or goes."""
        self._keeper = Keeper(phrase("card reader"), partial(self._attend, seen), status)
        self._keeper.start()

    def close(self) -> None:
        """Stop reading."""
        if self._keeper:
            self._keeper.closing.set()
            # The port may close at the same moment, in its own thread: then there is no wait left to interrupt.
            with contextlib.suppress(OSError, TypeError):
                if port := self._port:
                    port.cancel_read()
            self._keeper.close()

    def _attend(self, seen: Callable[[str], None], keeper: Keeper) -> None:
        with closing(self._open_port()) as port:
            self._port = port
            keeper.well()
            decoder = Decoder(self._protocol)
            heard_ms = self._clock()
            while not keeper.closing.is_set():
                data = self._read(port, GAP_MS / 1000 if decoder.pending else IDLE_S)
                codes = decoder.feed(data)
                if data:
                    heard_ms = self._clock()
                elif decoder.pending and self._clock() - heard_ms >= GAP_MS:
                    codes = decoder.pause()
                for code in codes:
                    seen(code)

    def _read(self, port: "Port", wait_s: float) -> bytes:
        try:
            if port.timeout != wait_s:
                port.timeout = wait_s  # asks the port for its settings, so it fails where the port has gone
        except Exception as error:  # termios has errors of its own
            raise DeviceError("{port} has gone away.", port=port.port) from error
        return read_some(port)


class SimulatedScanner(SerialScanner):
    """A reader at the far end of a pseudo-terminal, with the real driver at the near one."""

    def __init__(self, url: str, clock: Clock, *, seat: int | None = None, protocol: str = "auto") -> None:
        super().__init__(url, clock, self._open_terminal, seat=seat, protocol=protocol)
        self._changed = threading.Condition()
        self._plugged = True
        self._closed = False
        self._ends: tuple[int, int] | None = None  # the reader's end, and ours held open, or its settings would go
        self._attended = False

    def scan(self, code: str) -> None:
        """Put the card with this code to the reader: its line is written on return. Lost where the cable is out."""
        line = code.encode("utf-8", "replace")[:LONGEST].replace(b"\r", b" ").replace(b"\n", b" ") + b"\r\n"
        with self._changed:
            if self._keeper:  # bytes that come before the port is open would be thrown away by the opening
                self._changed.wait_for(lambda: self._attended or not self._plugged or self._closed, TAKEN_S)
            # Full: nobody reads, and a card held to a busy reader is lost, not waited for.
            with contextlib.suppress(BlockingIOError):
                if self._ends and self._attended:
                    os.write(self._ends[0], line)

    def plug(self, plugged: bool) -> None:
        """Put the cable in, or pull it."""
        with self._changed:
            self._plugged = plugged
            if not plugged:
                self._hang_up()
            self._changed.notify_all()

    def close(self) -> None:
        """Stop reading, and let go of the terminal."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        super().close()
        with self._changed:
            self._hang_up()

    def _open_terminal(self) -> serial.Serial:
        # All under the lock: the name of a terminal that has just been hung up may already be another program's.
        with self._changed:
            self._attended = False
            if not self._plugged or self._closed:
                raise DeviceError(_OUT)
            self._hang_up()
            self._ends = _terminal()
            port = open_serial(os.ttyname(self._ends[1]), BAUD)
            self._attended = True
            self._changed.notify_all()
            return port

    def _read(self, port: "Port", wait_s: float) -> bytes:
        # The terminal's name is nobody's business: to a player this is a card reader with a cable.
        try:
            return super()._read(port, wait_s)
        except DeviceError as gone:
            raise DeviceError(_OUT) from gone

    def _hang_up(self) -> None:
        self._attended = False
        for end in self._ends or ():
            os.close(end)
        self._ends = None


def _terminal() -> tuple[int, int]:
    # Not every system has these: there a simulated reader says so, and cards are tapped on the phone.
    try:
        import tty

        far, near = os.openpty()
    except (ImportError, AttributeError, OSError) as error:
        raise DeviceError("This system has no terminal to simulate a card reader with.") from error
    tty.setraw(near)
    os.set_blocking(far, False)
    return far, near
