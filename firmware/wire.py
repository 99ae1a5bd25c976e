"""The protocol between board and companion: ASCII lines `kind fields*crc`, readable in any terminal. Pure.

Bytes in, messages out. Each line of levels has all levels, a number and the board's clock. A damaged line is dropped
and counted; the gap in the numbers is noticed and the line requested again. Both ends use this module.
docs/reference/wire.md describes the protocol.
"""

from binascii import hexlify, unhexlify
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing; a type checker takes this name for true
    from collections.abc import Callable
    from typing import TypeAlias

    _FromBoard: TypeAlias = "Hello | Holes | Fault | Failed | Lit | ButtonStates | ShownTexts"
    Message: TypeAlias = "_FromBoard | Ask | Paint | Show | Tune | TextRow | Here | Bye | Quit"

VERSION = 2
"""Version of the protocol. It changes when an older companion would misread a line."""

MAX_LINE_BYTES = 512
"""Maximum length of a line in bytes. Anything longer is noise."""

LINES_KEPT = 64
"""Number of last lines of levels that the board keeps and can send again."""

MAX_HOLES = 99999
"""Largest number of holes, pixels and versions in a line."""

MAX_BUTTONS = 16

MAX_NOTES = 16
"""Maximum number of notes of a tune."""

MAX_NOTE_HZ = 20000

MAX_NOTE_MS = 5000

TEXT_ROWS = 8
"""Rows of the display, eight pixels high."""

TEXT_COLUMNS = 16
"""Characters of a row, eight pixels wide."""

COUNTER_MASK = 0x3FFFFFFF
"""Line numbers and milliseconds wrap to 0 after this value, as MicroPython's clock does."""

Hello = namedtuple("Hello", ("wire", "holes", "version", "chip", "board", "pixels", "lit"))
"""Greeting of a board: protocol version, number of holes, firmware version, chip id and board name.

Of its strip the number of pixels, 0 without one, and the checksum of the shown frame.
"""

Holes = namedtuple("Holes", ("bits", "number", "ms"))
"""Levels of all holes, hole 0 the lowest bit; the line's number and the board's clock, both None in protocol 1."""

Fault = namedtuple("Fault", ("tile",))
"""The chain is broken, so no levels are known. `tile` is the name of the first tile with a wrong sentinel."""

Failed = namedtuple("Failed", ("why",))
"""The firmware failed, for this reason, and restarted."""

Lit = namedtuple("Lit", ("check",))
"""The strip shows the frame with this checksum."""

ButtonStates = namedtuple("ButtonStates", ("number", "ms", "buttons"))
"""State of all buttons: for each its name, the number of presses since the start, and whether it is down.

The line's number and the board's clock are counted as those of `Holes`, by a counter of their own.
"""

ShownTexts = namedtuple("ShownTexts", ("check",))
"""The texts on the board's display have this checksum: `text_checksum`."""

Tune = namedtuple("Tune", ("notes",))
"""Request to play these notes, each a frequency in Hz (0 for a rest) and a duration in ms, instead of others."""

TextRow = namedtuple("TextRow", ("row", "size", "text"))
"""Request to show a text in a row of the display; of size 2, it is twice as large and covers the next row too."""

Paint = namedtuple("Paint", ("at", "data"))
"""A chunk of the strip's next frame: bytes at the offset `at`."""

Show = namedtuple("Show", ("count", "check"))
"""Request to show the first `count` bytes of the frame if `check` is their CRC-32, in eight hexadecimal digits."""

Ask = namedtuple("Ask", ("number",))
"""Request for greeting and levels (None), or for all lines of levels from this number on."""

Here = namedtuple("Here", ())
"""The companion is connected."""

Bye = namedtuple("Bye", ())
"""The companion disconnects."""

Quit = namedtuple("Quit", ())
"""Request to quit the firmware, so that it can be replaced."""

ASK = b"?\n"
"""Without a checksum, so that a person can type it at a terminal. Received by mistake, it does no harm."""

HERE = b"+\n"

BYE = b"-\n"

QUIT = b"quit\n"
"""Without a checksum, so that a person can type it at a terminal."""


def encode_hello(count: int, version: str, chip: str, board: str = "", pixels: int = 0, lit: str = "") -> bytes:
    """Return the greeting line of a board of `count` holes, and of its strip if it has one."""
    named = f" board={board}" if board else ""
    strip = f" pixels={pixels} lit={lit}" if pixels else ""
    return _add_crc(f"N wire={VERSION} holes={count} version={version} chip={chip}{named}{strip}")


def encode_holes(number: int, ms: int, bits: int, count: int) -> bytes:
    """Return the line of this number with the levels of all `count` holes at `ms` of the board's clock."""
    return _add_crc(f"H {number} {ms} {hexlify(bits.to_bytes((count + 7) // 8, 'big')).decode()}")


def encode_fault(tile: str) -> bytes:
    """Return the line that reports a chain broken at this tile."""
    return _add_crc(f"F {_to_printable(tile)}")


def encode_failed(why: str) -> bytes:
    """Return the line that reports a failure of the firmware."""
    return _add_crc(f"E {_to_printable(why)}")


def encode_lit(check: str) -> bytes:
    """Return the line that reports the checksum of the shown frame."""
    return _add_crc(f"L {check}")


def encode_paint(at: int, data: bytes) -> bytes:
    """Return the line with a chunk of the next frame. It has no checksum, because the frame has one."""
    return f"P {at} {hexlify(data).decode()}\n".encode()


def encode_show(count: int, check: str) -> bytes:
    """Return the line that requests to show the frame."""
    return f"L {count} {check}\n".encode()


def encode_buttons(number: int, ms: int, buttons: "list[tuple[str, int, bool]]") -> bytes:
    """Return the line of this number with the name, the presses and the level of each button."""
    states = [f"{name}={presses}{'+' if is_down else ''}" for name, presses, is_down in buttons]
    return _add_crc(f"B {number} {ms} {' '.join(states)}")


def encode_shown_texts(check: str) -> bytes:
    """Return the line that says what the display shows."""
    return _add_crc(f"T {check}")


def encode_tune(notes: "list[tuple[int, int]]") -> bytes:
    """Return the line that requests to play these notes, each a frequency in Hz and a duration in ms."""
    return _add_crc("S " + " ".join([f"{hz} {ms}" for hz, ms in notes]))


def encode_text_row(row: int, size: int, text: str) -> bytes:
    """Return the line that requests to show a text in a row of the display."""
    return _add_crc(f"T {row} {size} {text}")


def text_checksum(rows: "list[tuple[int, str]]") -> str:
    """Return the checksum of the display's rows: each its size (2 and 3 for the halves of a large row) and its text."""
    return _format_crc("\n".join([f"{size} {text}" for size, text in rows]).encode()).decode()


def encode_ask(number: int) -> bytes:
    """Return the line that requests all lines of levels from this number on; a new one if this is the next number."""
    return f"? {number}\n".encode()


def crc16(data: bytes) -> int:
    """Return the CRC-16/IBM-3740 (CCITT polynomial 1021, initial value FFFF)."""
    table, total = _CRC_TABLE, 0xFFFF
    for byte in data:
        total = (total << 8 & 0xFFFF) ^ table[total >> 8 ^ byte]
    return total


class Decoder:
    """Parses a stream of bytes into messages. `bad_lines` counts the dropped lines."""

    def __init__(self) -> None:
        self.bad_lines = 0
        self._tail = b""
        self._skipping = False

    def feed(self, data: bytes) -> "list[Message]":
        """Return the messages that these bytes complete, in order."""
        lines = (self._tail + data).split(b"\n")
        self._tail = lines.pop()
        messages: "list[Message]" = []
        for line in lines:
            if self._skipping:  # the rest of a dropped line
                self._skipping = False
                continue
            self._parse_into(line, messages)
        if len(self._tail) > MAX_LINE_BYTES:
            self.bad_lines += not self._skipping
            self._skipping = True
            self._tail = b""
        return messages

    def _parse_into(self, line: bytes, messages: "list[Message]") -> None:
        line = line.rstrip(b"\r")
        if not line:
            return
        message = parse_line(line)
        if message is None:
            self.bad_lines += 1
        else:
            messages.append(message)


def parse_line(line: bytes) -> "Message | None":
    """Return the message of one line without its line end, or None if it is damaged or of an unknown kind."""
    if line[:1] == b"?":
        return _parse_ask(line)
    if line in _FIXED_LINES:
        return _FIXED_LINES[line]
    if line[:2] == b"P " or (line[:2] == b"L " and b"*" not in line):
        return _parse_frame_line(line.split(b" "))
    body, star, check = line.rpartition(b"*")
    if not star or len(line) > MAX_LINE_BYTES or check != _format_crc(body):
        return None
    kind, _, fields = body.partition(b" ")
    try:
        return _PARSERS[kind](fields) if kind in _PARSERS and fields else None
    except ValueError:
        return None


def _parse_frame_line(fields: "list[bytes]") -> "Paint | Show | None":
    try:
        if len(fields) != 3 or len(fields[2]) > MAX_LINE_BYTES:
            return None
        number = _parse_number(fields[1], MAX_HOLES)
        return Paint(number, unhexlify(fields[2])) if fields[0] == b"P" else Show(number, _parse_checksum(fields[2]))
    except ValueError:
        return None


def _parse_checksum(text: bytes) -> str:
    if len(text) != 8:
        raise ValueError
    unhexlify(text)
    return text.decode()


def _parse_ask(line: bytes) -> "Ask | None":
    if line == b"?":
        return Ask(None)
    try:
        return Ask(_parse_number(line[2:], COUNTER_MASK)) if line[1:2] == b" " else None
    except ValueError:
        return None


def _parse_holes(text: bytes) -> "Holes | None":
    fields = text.split(b" ")
    digits = fields[-1]
    octets = unhexlify(digits)
    # MicroPython's unhexlify ignores blanks, so compare with the canonical form.
    if not digits or hexlify(octets) != digits or len(fields) not in (1, 3):
        return None
    bits = int.from_bytes(octets, "big")
    if len(fields) == 1:
        return Holes(bits, None, None)
    return Holes(bits, _parse_number(fields[0], COUNTER_MASK), _parse_number(fields[1], COUNTER_MASK))


def _parse_hello(text: bytes) -> "Hello | None":
    fields = text.split(b" ")
    if len(fields) == 2 and fields[0].isdigit():  # protocol 1
        return Hello(_parse_number(fields[0], MAX_HOLES), _parse_number(fields[1], MAX_HOLES), "", "", "", 0, "")
    values = {}
    for field in fields:
        name, equals, value = field.decode().partition("=")
        if not name or not equals:
            return None
        values[name] = value
    if "wire" not in values or "holes" not in values:
        return None
    wire, count, pixels = [
        _parse_number(values.get(name, "0").encode(), MAX_HOLES) for name in ("wire", "holes", "pixels")
    ]
    words = [values.get(name, "") for name in ("version", "chip", "board")]
    return Hello(wire, count, words[0], words[1], words[2], pixels, values.get("lit", ""))


def _parse_buttons(text: bytes) -> "ButtonStates | None":
    fields = text.decode().split(" ")
    if not 2 < len(fields) <= 2 + MAX_BUTTONS:
        return None
    buttons = []
    for field in fields[2:]:
        name, equals, state = field.partition("=")
        if not name or not equals:
            return None
        is_down = state.endswith("+")
        buttons.append((name, _parse_number(state[: len(state) - is_down].encode(), MAX_HOLES), is_down))
    numbers = [_parse_number(field.encode(), COUNTER_MASK) for field in fields[:2]]
    return ButtonStates(numbers[0], numbers[1], tuple(buttons))


def _parse_tune(text: bytes) -> "Tune | None":
    numbers = [_parse_number(field, MAX_NOTE_HZ) for field in text.split(b" ")]
    if len(numbers) % 2 or len(numbers) > 2 * MAX_NOTES or max(numbers[1::2]) > MAX_NOTE_MS:
        return None
    return Tune(tuple([(numbers[at], numbers[at + 1]) for at in range(0, len(numbers), 2)]))


def _parse_text(text: bytes) -> "TextRow | ShownTexts | None":
    if b" " not in text:
        return ShownTexts(text.decode()) if len(text) == 4 and hexlify(unhexlify(text)) == text else None
    fields = text.split(b" ", 2)
    row, size = _parse_number(fields[0], TEXT_ROWS - 1), _parse_number(fields[1], 2)
    if len(fields) < 3 or not size or row + size > TEXT_ROWS or len(fields[2]) * size > TEXT_COLUMNS:
        return None
    return TextRow(row, size, fields[2].decode()) if all([32 <= sign < 127 for sign in fields[2]]) else None


def _add_crc(body: str) -> bytes:
    data = body.encode()
    return data + b"*" + _format_crc(data) + b"\n"


def _to_printable(text: str) -> str:
    """Return a text that fits a line: printable ASCII of at most 200 characters."""
    plain = "".join([sign if " " <= sign <= "~" else "?" for sign in text[:200]])
    return plain.strip() or "?"


def _format_crc(body: bytes) -> bytes:
    return f"{crc16(body):04x}".encode()


def _parse_number(digits: bytes, most: int) -> int:
    if not digits.isdigit() or len(digits) > 10 or int(digits.decode()) > most:
        raise ValueError
    return int(digits.decode())


_FIXED_LINES: "dict[bytes, Message]" = {HERE[:-1]: Here(), BYE[:-1]: Bye(), QUIT[:-1]: Quit()}

_PARSERS: "dict[bytes, Callable[[bytes], Message | None]]" = {
    b"H": _parse_holes,
    b"N": _parse_hello,
    b"F": lambda text: Fault(text.decode()),
    b"E": lambda text: Failed(text.decode()),
    b"L": lambda text: Lit(_parse_checksum(text)),
    b"B": _parse_buttons,
    b"S": _parse_tune,
    b"T": _parse_text,
}

_CRC_TABLE = [byte << 8 for byte in range(256)]
"""For each octet its CRC. 1 KiB of a Pico's memory, and half the time of a table of 16 words."""
for _octet in range(256):
    for _ in range(8):
        _CRC_TABLE[_octet] = (_CRC_TABLE[_octet] << 1 & 0xFFFF) ^ (0x1021 if _CRC_TABLE[_octet] & 0x8000 else 0)
