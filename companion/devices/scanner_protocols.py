"""Decodes the bytes of a card reader to codes: lines, RDM6300 frames, and replies of the reader's module. Pure.

The deck maps codes to cards (`companion.devices.deck`).
"""

import re
from collections.abc import Iterator
from functools import reduce
from operator import xor

from companion.common.errors import BadCard
from companion.rules.cards import Card, parse_card

PROTOCOLS = ("auto", "line", "rdm6300")

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
