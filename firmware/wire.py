"""The wire between board and Pi: ASCII lines `kind fields*crc`, readable in any terminal. Pure.

Bytes in, messages out. Every line of levels carries all there is to know, a number and the board's own clock: a lost
or damaged line is dropped and counted, its number is missed, and it is asked for again. Both ends use this module;
docs/reference/wire.md describes it.
"""

from binascii import hexlify, unhexlify
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython knows no typing; a checker takes this name for true
    from collections.abc import Callable
    from typing import TypeAlias

    Message: TypeAlias = "Hello | Holes | Fault | Failed | Lit | Ask | Paint | Show | Here | Bye | Quit"

VERSION = 2
"""The version of this protocol. It changes when an older companion would misread a line."""

LONGEST = 512
"""No line is longer, in bytes: what is, is noise."""

KEPT = 64
"""The board keeps so many of its last lines of levels, and says them again when asked."""

MOST = 99999
"""No board has more holes, and no protocol a higher version."""

MASK = 0x3FFFFFFF
"""Numbers and milliseconds start again from 0 after this: it is where MicroPython's own clock does."""

Hello = namedtuple("Hello", ("wire", "holes", "version", "chip", "board", "pixels", "lit"))
"""The node: its protocol, the number of its holes, its program's version, its chip's own number, its board's name.

Of its strip the number of pixels, 0 without one, and the checksum of what is lit.
"""

Holes = namedtuple("Holes", ("bits", "number", "ms"))
"""The levels of all holes, hole 0 the lowest bit; its number and the node's clock, both None in wire 1."""

Fault = namedtuple("Fault", ("tile",))
"""A sentinel of the chain reads the wrong level: nothing is known of any hole. `tile` is the first so, as text."""

Failed = namedtuple("Failed", ("why",))
"""The node's program failed, for this reason, and has begun again."""

Lit = namedtuple("Lit", ("check",))
"""What the strip shows: the checksum of the frame, as the companion gave it."""

Paint = namedtuple("Paint", ("at", "data"))
"""A chunk of the strip's next frame: bytes, from the byte `at` on."""

Show = namedtuple("Show", ("count", "check"))
"""The strip is to show so many bytes, if their CRC-32, eight digits, is this."""

Ask = namedtuple("Ask", ("number",))
"""The companion wants to hear everything now (None), or all lines of levels from this number on."""

Here = namedtuple("Here", ())
"""The companion is there and listens."""

Bye = namedtuple("Bye", ())
"""The companion listens no longer."""

Quit = namedtuple("Quit", ())
"""The node's program is to end, so that another can be put in its place."""

ASK = b"?\n"
"""Asked without a checksum, so that a person at a terminal can type it. Taken by mistake it does no harm."""

HERE = b"+\n"

BYE = b"-\n"

QUIT = b"quit\n"
"""Typed by a person as well."""


def hello(count: int, version: str, chip: str, board: str = "", pixels: int = 0, lit: str = "") -> bytes:
    """The line that introduces a node of `count` holes, and its strip if it has one."""
    named = f" board={board}" if board else ""
    strip = f" pixels={pixels} lit={lit}" if pixels else ""
    return _line(f"N wire={VERSION} holes={count} version={version} chip={chip}{named}{strip}")


def holes(number: int, ms: int, bits: int, count: int) -> bytes:
    """The line of this number: the levels of all `count` holes at `ms` of the node's clock."""
    return _line(f"H {number} {ms} {hexlify(bits.to_bytes((count + 7) // 8, 'big')).decode()}")


def fault(tile: str) -> bytes:
    """The line that says that the chain is broken, as seen first at this tile."""
    return _line(f"F {_words(tile)}")


def failed(why: str) -> bytes:
    """The line that says that the program failed."""
    return _line(f"E {_words(why)}")


def lit(check: str) -> bytes:
    """The line that says what the strip shows."""
    return _line(f"L {check}")


def paint(at: int, data: bytes) -> bytes:
    """The line that brings a chunk of the next frame. It has no checksum: the frame has."""
    return f"P {at} {hexlify(data).decode()}\n".encode()


def show(count: int, check: str) -> bytes:
    """The line that has the frame shown."""
    return f"L {count} {check}\n".encode()


def ask(number: int) -> bytes:
    """The line that asks for all lines of levels from this number on; for a new one, if this is the next."""
    return f"? {number}\n".encode()


def crc(data: bytes) -> int:
    """CRC-16/IBM-3740 (CCITT polynomial 1021, from FFFF), four bits at a time: 16 words of table suit a small board."""
    total = 0xFFFF
    for byte in data:
        total = (total << 4 & 0xFFFF) ^ _TABLE[total >> 12 ^ byte >> 4]
        total = (total << 4 & 0xFFFF) ^ _TABLE[total >> 12 ^ byte & 15]
    return total


class Decoder:
    """Makes messages of bytes that come in any portions. `bad` counts the lines dropped."""

    def __init__(self) -> None:
        self.bad = 0
        self._tail = b""
        self._skipping = False

    def feed(self, data: bytes) -> "list[Message]":
        """The messages that these bytes complete, in order."""
        lines = (self._tail + data).split(b"\n")
        self._tail = lines.pop()
        messages: "list[Message]" = []
        for line in lines:
            if self._skipping:  # the end of a line already dropped
                self._skipping = False
                continue
            self._take(line, messages)
        if len(self._tail) > LONGEST:
            self.bad += not self._skipping
            self._skipping = True
            self._tail = b""
        return messages

    def _take(self, line: bytes, messages: "list[Message]") -> None:
        line = line.rstrip(b"\r")
        if not line:
            return
        message = read(line)
        if message is None:
            self.bad += 1
        else:
            messages.append(message)


def read(line: bytes) -> "Message | None":
    """The message of one line without its end, or None when it is damaged or of no known kind."""
    if line[:1] == b"?":
        return _ask(line)
    if line in _WORDS:
        return _WORDS[line]
    if line[:2] == b"P " or (line[:2] == b"L " and b"*" not in line):
        return _frame(line.split(b" "))
    body, star, check = line.rpartition(b"*")
    if not star or len(line) > LONGEST or check != _check(body):
        return None
    kind, _, fields = body.partition(b" ")
    try:
        return _KINDS[kind](fields) if kind in _KINDS and fields else None
    except ValueError:
        return None


def _frame(fields: "list[bytes]") -> "Paint | Show | None":
    try:
        if len(fields) != 3 or len(fields[2]) > LONGEST:
            return None
        number = _number(fields[1], MOST)
        return Paint(number, unhexlify(fields[2])) if fields[0] == b"P" else Show(number, _sum(fields[2]))
    except ValueError:
        return None


def _sum(given: bytes) -> str:
    if len(given) != 8:
        raise ValueError
    unhexlify(given)
    return given.decode()


def _ask(line: bytes) -> "Ask | None":
    if line == b"?":
        return Ask(None)
    try:
        return Ask(_number(line[2:], MASK)) if line[1:2] == b" " else None
    except ValueError:
        return None


def _holes(given: bytes) -> "Holes | None":
    fields = given.split(b" ")
    digits = fields[-1]
    octets = unhexlify(digits)
    # MicroPython's overlooks blanks: what would not be written so is not read so.
    if not digits or hexlify(octets) != digits or len(fields) not in (1, 3):
        return None
    bits = int.from_bytes(octets, "big")
    if len(fields) == 1:
        return Holes(bits, None, None)
    return Holes(bits, _number(fields[0], MASK), _number(fields[1], MASK))


def _hello(given: bytes) -> "Hello | None":
    fields = given.split(b" ")
    if len(fields) == 2 and fields[0].isdigit():  # wire 1, and what would follow it
        return Hello(_number(fields[0], MOST), _number(fields[1], MOST), "", "", "", 0, "")
    said = {}
    for field in fields:
        name, equals, value = field.decode().partition("=")
        if not name or not equals:
            return None
        said[name] = value
    if "wire" not in said or "holes" not in said:
        return None
    wire, count, pixels = [_number(said.get(name, "0").encode(), MOST) for name in ("wire", "holes", "pixels")]
    words = [said.get(name, "") for name in ("version", "chip", "board")]
    return Hello(wire, count, words[0], words[1], words[2], pixels, said.get("lit", ""))


def _line(body: str) -> bytes:
    data = body.encode()
    return data + b"*" + _check(data) + b"\n"


def _words(text: str) -> str:
    """Any text as it may stand on a line: of signs that a terminal shows, and not too long."""
    plain = "".join([sign if " " <= sign <= "~" else "?" for sign in text[:200]])
    return plain.strip() or "?"


def _check(body: bytes) -> bytes:
    return f"{crc(body):04x}".encode()


def _number(digits: bytes, most: int) -> int:
    if not digits.isdigit() or len(digits) > 10 or int(digits.decode()) > most:
        raise ValueError
    return int(digits.decode())


_WORDS: "dict[bytes, Message]" = {HERE[:-1]: Here(), BYE[:-1]: Bye(), QUIT[:-1]: Quit()}

_KINDS: "dict[bytes, Callable[[bytes], Message | None]]" = {
    b"H": _holes,
    b"N": _hello,
    b"F": lambda given: Fault(given.decode()),
    b"E": lambda given: Failed(given.decode()),
    b"L": lambda given: Lit(_sum(given)),
}

_TABLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip
