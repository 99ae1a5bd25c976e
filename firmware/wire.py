"""The wire between board and Pi: ASCII lines `kind fields*crc`, readable in any terminal. Pure.

Bytes in, messages out. Every line carries all there is to know (levels, not edges), so a lost or damaged one costs a
moment and never the truth: it is dropped and counted. Both ends use this module; docs/reference/wire.md describes it.
"""

from binascii import hexlify, unhexlify
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython knows no typing; a checker takes this name for true
    from typing import TypeAlias

    Message: TypeAlias = "Hello | Holes | Ask"

VERSION = 1
"""The version of this protocol. It changes when an older companion would misread a line."""

LONGEST = 512
"""No line is longer, in bytes: what is, is noise."""

Hello = namedtuple("Hello", ("version", "holes"))
"""The node says which protocol it speaks and how many holes it has."""

Holes = namedtuple("Holes", ("bits",))
"""The levels of all holes, hole 0 the lowest bit."""

Ask = namedtuple("Ask", ())
"""The companion wants to hear everything now."""

ASK = b"?\n"
"""The one line without a checksum, so that a person at a terminal can type it. Taken by mistake it does no harm."""


def hello(count: int) -> bytes:
    """The line that introduces a node of `count` holes."""
    return _line(f"N {VERSION} {count}")


def holes(bits: int, count: int) -> bytes:
    """The line that tells the levels of all `count` holes."""
    return _line("H " + hexlify(bits.to_bytes((count + 7) // 8, "big")).decode())


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
    if line == b"?":
        return Ask()
    body, star, check = line.rpartition(b"*")
    if not star or len(line) > LONGEST or check != _check(body):
        return None
    kind, _, fields = body.partition(b" ")
    try:
        if kind == b"H" and fields:
            octets = unhexlify(fields)
            # MicroPython's overlooks blanks: what would not be written so is not read so.
            return Holes(int.from_bytes(octets, "big")) if hexlify(octets) == fields else None
        if kind == b"N":
            version, count = fields.split(b" ")
            return Hello(_number(version), _number(count))
    except ValueError:
        pass
    return None


def _line(body: str) -> bytes:
    data = body.encode()
    return data + b"*" + _check(data) + b"\n"


def _check(body: bytes) -> bytes:
    return f"{crc(body):04x}".encode()


def _number(digits: bytes) -> int:
    if not digits.isdigit() or len(digits) > 5:
        raise ValueError
    return int(digits.decode())


_TABLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip
