"""Card readers: `serial:/dev/ttyUSB0?baud=9600&seat=1`, `keyboard:/dev/input/by-id/…`, `sim:`, a pseudo-terminal, or
`camera:/dev/video0?spot=0.3,0.2,0.4,0.6`.

Barcode modules and keyboard readers send a line for each card (CR, LF, both, or just a pause); RDM6300 readers send
frames. The protocol is detected, or set by `protocol=line` or `protocol=rdm6300`. Every sighting of a code is reported
as text; the deck finds the card, and the table ignores repeated sightings.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial, reduce
from operator import xor
from typing import TYPE_CHECKING, TypeAlias

import serial

from companion.common.errors import BadCard, DeviceError
from companion.common.process import missing_extra
from companion.devices.device_thread import (
    NULL_SCHEME,
    DeviceThread,
    DeviceUnsupported,
    NullDevice,
    ThreadedDevice,
    open_serial_port,
    parse_device_url,
    read_available,
)
from companion.i18n import gettext_noop
from companion.plugin import list_card_readers, load_object
from companion.ports import CardScanner, Clock, StatusCallback
from companion.rules.cards import Card, parse_card

if TYPE_CHECKING:
    from companion.devices.keyboard_scanner import KeyboardPort

    Port: TypeAlias = "serial.Serial | KeyboardPort"

PROTOCOLS = ("auto", "line", "rdm6300")
LAYOUTS = ("us", "fr")
"""How a reader that acts as a keyboard is set to type."""

MAX_CODE_BYTES = 200
"""Maximum length of a code in bytes. Anything longer is noise."""

_SYMBOLOGY_PREFIX = re.compile(r"^\][A-Za-z][A-Za-z0-9]")
"""AIM identifier, ISO/IEC 15424: the kind of barcode, such as `]Q3`, which many modules can send before a code."""

_STX = b"\x02"
_ETX = b"\x03"
_MODULE_REPLY = _STX + b"\0"
_LINE_ENDS = b"\r\n" + _ETX
_FRAME_DIGITS = 12
_FRAME_BYTES = len(_STX) + _FRAME_DIGITS + len(_ETX)
_HEX_DIGITS = frozenset(b"0123456789ABCDEFabcdef")


class ScanDecoder:
    """Bytes in, codes out. A code ends with CR, LF or ETX or, outside a frame, with a pause.

    STX starts the frame of an RFID tag: twelve hexadecimal digits, the last two of them a checksum, and ETX. Its code
    is the first ten digits. With `auto`, STX and ETX may also enclose a card's name; anything else between them, or
    before an ETX, is a damaged frame and is dropped. Other control characters are dropped.

    STX and NUL start the reply of GM65 and GM8xx modules to a trigger or a setting: `02 00 type length data… crc crc`.
    It comes directly before the code of a card and is dropped.

    :param protocol: one of `PROTOCOLS`.
    """

    def __init__(self, protocol: str = "auto") -> None:
        self._protocol = protocol
        self._buffer = b""
        self._is_cut = False  # a frame was cut off: the next bytes may be the rest of it, not a card

    @property
    def has_partial_code(self) -> bool:
        """Whether a code has started and not ended."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield the codes that these bytes complete."""
        for number in data:
            byte = bytes((number,))
            if self._is_in_reply(byte):
                self._buffer += byte
                if len(self._buffer) > 3 and len(self._buffer) == 6 + self._buffer[3]:
                    self._buffer = b""
            elif byte == _STX:
                yield from self._take_frame()
                self._buffer = byte
            elif self._is_in_frame():
                self._buffer += byte
                if len(self._buffer) == _FRAME_BYTES:
                    yield from self._take_frame()
            elif byte in _LINE_ENDS:
                yield from self._take_line(byte)
            elif len(self._buffer) <= MAX_CODE_BYTES:
                self._buffer += byte

    def end_at_pause(self) -> Iterator[str]:
        """Yield the code that a pause ends. An unfinished frame is dropped."""
        if self._is_in_reply():
            self._buffer = b""
        yield from self._take_frame() if self._is_in_frame() else self._take_line(b"")
        self._is_cut = False

    def _is_in_reply(self, byte: bytes = b"") -> bool:
        return (self._buffer[:1] + (self._buffer[1:2] or byte)) == _MODULE_REPLY

    def _is_in_frame(self) -> bool:
        return self._protocol != "line" and self._buffer.startswith(_STX)

    def _take_frame(self) -> Iterator[str]:
        buffer, self._buffer = self._buffer, b""
        if not buffer.startswith(_STX):
            return
        text = buffer[1:].rstrip(_LINE_ENDS)
        is_complete, was_cut = len(text) + 1 < len(buffer), self._is_cut
        self._is_cut = not is_complete
        if is_complete and len(text) == _FRAME_DIGITS and _HEX_DIGITS.issuperset(text):
            yield from _parse_tag(text)
        elif is_complete and not was_cut and self._protocol == "auto" and _is_card(text):
            yield text.decode("ascii")

    def _take_line(self, end: bytes) -> Iterator[str]:
        buffer, self._buffer = self._buffer, b""
        text = buffer.removeprefix(_STX)
        if len(buffer) > MAX_CODE_BYTES or self._protocol == "rdm6300":
            return
        if end == _ETX and self._protocol == "auto" and not _is_card(text):
            return  # the rest of a frame with a damaged STX
        code = "".join(c for c in text.decode("utf-8", "replace") if c.isprintable()).strip()
        if code:
            yield code


def strip_symbology(code: str) -> str:
    """Return a code without the identifier of its kind of barcode."""
    return _SYMBOLOGY_PREFIX.sub("", code)


def parse_card_code(code: str) -> Card:
    """Return the card that a code names in either case, such as `5h` or `]Q35H`. Raises BadCard."""
    return parse_card(strip_symbology(code).upper())


def _is_card(text: bytes) -> bool:
    try:
        parse_card_code(text.decode("ascii"))
    except (BadCard, UnicodeDecodeError):
        return False
    return True


def _parse_tag(digits: bytes) -> Iterator[str]:
    *data, check = bytes.fromhex(digits.decode("ascii"))
    if reduce(xor, data) == check:
        yield bytes(data).hex().upper()


BAUD = 9600

CODE_GAP_MS = 100
"""A code without a line end is complete after this time in ms without further bytes."""

IDLE_READ_S = 1.0
"""Longest wait in s for bytes. Closing interrupts it."""

READY_TIMEOUT_S = 10.0
"""Longest wait in s of a simulated scan for the reader to open."""

_CABLE_OUT = "The card reader's cable is unplugged."


def open_scanner(url: str, clock: Clock) -> CardScanner:
    """Return the card reader of this URL. Raises DeviceError for an invalid URL, not for a missing reader."""
    of_lines = ("seat", "protocol")
    known = {"serial": ("baud", *of_lines), "keyboard": ("seat", "layout"), "sim": of_lines, "none": ()}
    scheme = url.partition(":")[0]
    if scheme not in known:
        openers = list_card_readers()
        if scheme in openers:
            scanner: CardScanner = load_object(openers[scheme])(url)
            return scanner
        known |= dict.fromkeys(openers, ())
    example = "/dev/input/by-id/usb-reader-event-kbd" if url.startswith("keyboard") else "/dev/ttyUSB0"
    address = parse_device_url(url, device="card reader", known=known, paths=("serial", "keyboard"), example=example)
    seat = address.int_option("seat", 0, least=0, most=4) if "seat" in address.options else None
    protocol, layout = address.options.get("protocol", "auto"), address.options.get("layout", "us")
    for option, value, choices in (("protocol", protocol, PROTOCOLS), ("layout", layout, LAYOUTS)):
        if value not in choices:
            raise DeviceError(f"Unknown {option} in {url!r}. Use one of {', '.join(choices)}.")
    if address.scheme == NULL_SCHEME:
        return NullDevice(url)
    if address.scheme == "sim":
        return SimulatedScanner(url, clock, seat=seat, protocol=protocol)
    if address.scheme == "keyboard":
        return SerialScanner(url, clock, partial(_open_keyboard, address.path, layout), seat=seat, protocol="line")
    baud = address.int_option("baud", BAUD, least=300, most=4_000_000)
    return SerialScanner(url, clock, partial(open_serial_port, address.path, baud), seat=seat, protocol=protocol)


def _open_keyboard(path: str, layout: str) -> "KeyboardPort":
    try:
        from companion.devices.keyboard_scanner import KeyboardPort
    except ImportError as error:  # evdev is optional, and exists for Linux only
        raise DeviceUnsupported(missing_extra("keyboard")) from error
    return KeyboardPort(path, layout)


class SerialScanner(ThreadedDevice):
    """A reader at a serial port, opened again whenever it was disconnected."""

    def __init__(
        self, url: str, clock: Clock, open_port: "Callable[[], Port]", *, seat: int | None, protocol: str
    ) -> None:
        super().__init__(url, gettext_noop("card reader"))
        self.seat = seat
        self._clock = clock
        self._open_port = open_port
        self._protocol = protocol
        self._port: Port | None = None

    def start(self, seen: Callable[[str], None], status: StatusCallback) -> None:
        """Call `seen(code)` at each sighting, and `status` when the reader starts or stops working."""
        self._start_thread(partial(self._serve_device, seen), status)

    def _wake(self) -> None:
        # The port's own thread may close it at the same moment; then there is no read to interrupt.
        with contextlib.suppress(OSError, TypeError):
            if port := self._port:
                port.cancel_read()

    def _serve_device(self, seen: Callable[[str], None], thread: DeviceThread) -> None:
        with closing(self._open_port()) as port:
            self._port = port
            thread.report_ok()
            decoder = ScanDecoder(self._protocol)
            heard_ms = self._clock()
            while not thread.closing.is_set():
                data = self._read_port(port, CODE_GAP_MS / 1000 if decoder.has_partial_code else IDLE_READ_S)
                codes = decoder.feed(data)
                if data:
                    heard_ms = self._clock()
                elif decoder.has_partial_code and self._clock() - heard_ms >= CODE_GAP_MS:
                    codes = decoder.end_at_pause()
                for code in codes:
                    seen(code)

    def _read_port(self, port: "Port", wait_s: float) -> bytes:
        try:
            if port.timeout != wait_s:
                port.timeout = wait_s  # reads the port's settings, which fails after a disconnect
        except Exception as error:  # termios has errors of its own
            raise DeviceError("{port} was disconnected.", port=port.port) from error
        return read_available(port)


class SimulatedScanner(SerialScanner):
    """A simulated reader at the far end of a pseudo-terminal, with the real driver at the near end."""

    def __init__(self, url: str, clock: Clock, *, seat: int | None = None, protocol: str = "auto") -> None:
        super().__init__(url, clock, self._open_terminal, seat=seat, protocol=protocol)
        self._plugged = True
        self._closed = False
        self._ends: tuple[int, int] | None = None  # both ends; the near one stays open to keep its settings
        self._attended = False

    def scan_card(self, code: str) -> None:
        """Scan a card with this code; on return its line is written. It is lost while the cable is unplugged."""
        line = code.encode("utf-8", "replace")[:MAX_CODE_BYTES].replace(b"\r", b" ").replace(b"\n", b" ") + b"\r\n"
        with self._condition:
            if self._device_thread:  # opening the port would discard earlier bytes
                self._condition.wait_for(lambda: self._attended or not self._plugged or self._closed, READY_TIMEOUT_S)
            # If the terminal is full, the card is lost, as with a busy real reader.
            with contextlib.suppress(BlockingIOError):
                if self._ends and self._attended:
                    os.write(self._ends[0], line)

    def set_plugged(self, plugged: bool) -> None:
        """Plug in or unplug the cable."""
        with self._condition:
            self._plugged = plugged
            if not plugged:
                self._hang_up()
            self._condition.notify_all()

    def close(self) -> None:
        """Stop reading, and close the terminal."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()
        super().close()
        with self._condition:
            self._hang_up()

    def _open_terminal(self) -> serial.Serial:
        # Under the lock: after hanging up, another program may get a terminal of the same name.
        with self._condition:
            self._attended = False
            if not self._plugged or self._closed:
                raise DeviceError(_CABLE_OUT)
            self._hang_up()
            self._ends = _open_pty()
            port = open_serial_port(os.ttyname(self._ends[1]), BAUD)
            self._attended = True
            self._condition.notify_all()
            return port

    def _read_port(self, port: "Port", wait_s: float) -> bytes:
        # Players see a card reader with a cable, not the name of a terminal.
        try:
            return super()._read_port(port, wait_s)
        except DeviceError as gone:
            raise DeviceError(_CABLE_OUT) from gone

    def _hang_up(self) -> None:
        self._attended = False
        for end in self._ends or ():
            os.close(end)
        self._ends = None


def _open_pty() -> tuple[int, int]:
    # Systems without pseudo-terminals cannot simulate a reader; cards are then entered on the phone.
    try:
        import tty

        far, near = os.openpty()
    except (ImportError, AttributeError, OSError) as error:
        raise DeviceError("This system cannot simulate a card reader.") from error
    tty.setraw(near)
    os.set_blocking(far, False)
    return far, near
