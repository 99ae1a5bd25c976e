"""From a card reader's bytes to codes: lines, RDM6300 frames, and what comes between them. Pure.

Which card a code means is the deck's business.
"""

from collections.abc import Iterator
from functools import reduce
from operator import xor

from companion.common.errors import BadCard
from companion.rules.cards import card

PROTOCOLS = ("auto", "line", "rdm6300")

LONGEST = 200
"""Bytes of a code. Whatever is longer is noise."""

_STX = b"\x02"
_ETX = b"\x03"
_ANSWER = _STX + b"\0"
_ENDS = b"\r\n" + _ETX
_FRAME_DIGITS = 12
_FRAME = len(_STX) + _FRAME_DIGITS + len(_ETX)
_HEX = frozenset(b"0123456789ABCDEFabcdef")


class Decoder:
    """Bytes in, codes out. A code is what stands before CR, LF or ETX, or, unframed, before a pause.

    What begins with STX is a tag's frame, if it ends after twelve hexadecimal digits and its checksum fits: its ten
    digits are passed on. With `auto`, STX and ETX may also stand around a card; anything else between them, or before
    an ETX, is a damaged frame and nothing at all. Other controls are dropped.

    STX and NUL begin what GM65 and GM8xx modules answer to a trigger or a setting: `02 00 type length data… crc crc`.
    It stands directly before the code of a card, and is dropped.
    """

    def __init__(self, protocol: str = "auto") -> None:
        self._protocol = protocol
        self._held = b""
        self._torn = False  # a frame broke off: what follows may be the rest of it, and no card

    @property
    def pending(self) -> bool:
        """Whether a code has begun and not ended."""
        return bool(self._held)

    def feed(self, data: bytes) -> Iterator[str]:
        """The codes that these bytes complete."""
        for number in data:
            byte = bytes((number,))
            if self._in_answer(byte):
                self._held += byte
                if len(self._held) > 3 and len(self._held) == 6 + self._held[3]:
                    self._held = b""
            elif byte == _STX:
                yield from self._framed()
                self._held = byte
            elif self._in_frame():
                self._held += byte
                if len(self._held) == _FRAME:
                    yield from self._framed()
            elif byte in _ENDS:
                yield from self._ended(byte)
            elif len(self._held) <= LONGEST:
                self._held += byte

    def pause(self) -> Iterator[str]:
        """The code that a pause completes. A frame that stops half-way is noise."""
        if self._in_answer():
            self._held = b""
        yield from self._framed() if self._in_frame() else self._ended(b"")
        self._torn = False

    def _in_answer(self, byte: bytes = b"") -> bool:
        return (self._held[:1] + (self._held[1:2] or byte)) == _ANSWER

    def _in_frame(self) -> bool:
        return self._protocol != "line" and self._held.startswith(_STX)

    def _framed(self) -> Iterator[str]:
        held, self._held = self._held, b""
        if not held.startswith(_STX):
            return
        text = held[1:].rstrip(_ENDS)
        ended, torn = len(text) + 1 < len(held), self._torn
        self._torn = not ended
        if ended and len(text) == _FRAME_DIGITS and _HEX.issuperset(text):
            yield from _tag(text)
        elif ended and not torn and self._protocol == "auto" and _is_card(text):
            yield text.decode("ascii")

    def _ended(self, end: bytes) -> Iterator[str]:
        held, self._held = self._held, b""
        text = held.removeprefix(_STX)
        if len(held) > LONGEST or self._protocol == "rdm6300":
            return
        if end == _ETX and self._protocol == "auto" and not _is_card(text):
            return  # the rest of a frame whose STX was damaged
        code = "".join(c for c in text.decode("utf-8", "replace") if c.isprintable()).strip()
        if code:
            yield code


def _is_card(text: bytes) -> bool:
    try:
        card(text.decode("ascii"))
    except (BadCard, UnicodeDecodeError):
        return False
    return True


def _tag(digits: bytes) -> Iterator[str]:
    *data, check = bytes.fromhex(digits.decode("ascii"))
    if reduce(xor, data) == check:
        yield bytes(data).hex().upper()
