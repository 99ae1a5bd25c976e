"""Shows eight rows of text on an SSD1306 display of 128 x 64 pixels over I2C. Pure; bus and framebuf are passed in.

Each step sends at most `MAX_STEP_BYTES`, so that no scan of the holes waits for the display. A display that does not
answer is tried again every second, and everything is sent again now and then, so it may be plugged in at any time.
"""

from firmware import wire

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from typing import Any, Protocol

    class I2CPort(Protocol):
        """An I2C bus."""

        def writeto(self, address: int, data: "bytes | bytearray") -> object:
            """Send these bytes to a device; raises OSError if it does not answer."""


ADDRESS = 0x3C
"""I2C address of nearly all modules of this size."""

SLICE_COLUMNS = 16
"""Columns of eight pixels sent in one step: half a millisecond at 400 kHz."""

MAX_STEP_BYTES = 24
"""Bytes that one step sends at most, addresses aside."""

RETRY_INTERVAL_MS = 1000

REFRESH_INTERVAL_MS = 10_000
"""Interval in ms at which set-up and picture are sent again: a module that lost power meanwhile has lost both."""

_WIDTH = 8 * wire.TEXT_COLUMNS

_COMMANDS, _DATA = 0x00, 0x40

_SET_UP = bytes([
    _COMMANDS,
    0xD5, 0x80, 0xA8, 0x3F, 0xD3, 0x00, 0x40,  # clock, 64 lines from the first one
    0x8D, 0x14,  # charge pump
    0x20, 0x02,  # page addressing: a page is eight pixels high
    0xA1, 0xC8, 0xDA, 0x12,  # the connector is above the picture
    0x81, 0x7F, 0xD9, 0xF1, 0xDB, 0x30, 0xA4, 0xA6,  # contrast and voltages; show the memory, not inverted
])  # fmt: skip

_OFF, _ON = 0xAE, 0xAF

_TALL = bytes([sum([3 << 2 * bit for bit in range(4) if nibble >> bit & 1]) for nibble in range(16)])
"""Each half of a column of eight pixels, twice as high."""


class TextScreen:
    """The display at a bus. `framebuf` is MicroPython's module of this name, whose letters are 8 x 8 pixels."""

    def __init__(self, i2c: "I2CPort", framebuf: "Any") -> None:
        self.is_answering = False
        """Whether the display accepted the last bytes."""
        self.is_silent = False
        """Whether it refused the last bytes: it is absent, or another part holds the lines of the bus."""
        self.rows = [(1, "")] * wire.TEXT_ROWS
        """For each row its size, 2 and 3 for the upper and lower half of a large one, and its text."""
        self._i2c = i2c
        self._pixels = bytearray(_WIDTH)
        self._buffer = framebuf.FrameBuffer(self._pixels, _WIDTH, 8, framebuf.MONO_VLSB)
        self._slice = bytearray(1 + SLICE_COLUMNS)
        self._slice[0] = _DATA
        self._dirty = 0
        self._row = self._column = -1
        self._is_lit = False
        self._set_up_ms: "int | None" = None

    @property
    def check(self) -> str:
        """The checksum of the texts; empty while the display does not answer."""
        return wire.text_checksum(self.rows) if self.is_answering else ""

    def write_row(self, row: int, size: int, text: str) -> None:
        """Show a text in a row; of size 2, in this row and the next one."""
        for part in range(size):
            if self.rows[row + part] != (size + part, text):
                self.rows[row + part] = size + part, text
                self._dirty |= 1 << row + part
                if self._row == row + part:
                    self._row = -1

    def clear(self) -> None:
        """Show nothing."""
        for row in range(wire.TEXT_ROWS):
            self.write_row(row, 1, "")

    def is_busy(self) -> bool:
        """Return whether the next step has something to send."""
        return self.is_answering and bool(self._dirty or self._row >= 0 or self._is_lit != self._has_text())

    def step(self, now_ms: int) -> None:
        """Send the next bytes."""
        try:
            self._send_next(now_ms)
        except OSError:
            self.is_answering, self.is_silent = False, True

    def _send_next(self, now_ms: int) -> None:
        interval_ms = REFRESH_INTERVAL_MS if self.is_answering else RETRY_INTERVAL_MS
        if self._set_up_ms is None or now_ms - self._set_up_ms & wire.COUNTER_MASK >= interval_ms:
            self._set_up_ms = now_ms
            self._i2c.writeto(ADDRESS, _SET_UP)
            self.is_answering, self.is_silent = True, False
            self._dirty, self._row, self._is_lit = (1 << wire.TEXT_ROWS) - 1, -1, False
        elif not self.is_answering:
            return
        elif self._row >= 0:
            self._send_slice()
        elif self._dirty:
            self._draw_row()
        elif self._is_lit != self._has_text():
            self._is_lit = not self._is_lit  # a display without text is off, which saves it
            self._i2c.writeto(ADDRESS, bytes([_COMMANDS, _ON if self._is_lit else _OFF]))

    def _has_text(self) -> bool:
        return any([text for _, text in self.rows])

    def _draw_row(self) -> None:
        """Draw the text of the first row that differs, to be sent in the next steps."""
        row = 0
        while not self._dirty >> row & 1:
            row += 1
        self._dirty ^= 1 << row
        self._buffer.fill(0)
        self._buffer.text(self.rows[row][1], 0, 0)
        self._row, self._column = row, 0

    def _send_slice(self) -> None:
        first, size = self._column, self.rows[self._row][0]
        for place in range(SLICE_COLUMNS):
            if size == 1:
                self._slice[1 + place] = self._pixels[first + place]
            else:
                column = self._pixels[first + place >> 1]
                self._slice[1 + place] = _TALL[column & 15 if size == 2 else column >> 4]
        self._i2c.writeto(ADDRESS, bytes([_COMMANDS, 0xB0 | self._row, first & 15, 0x10 | first >> 4]))
        self._i2c.writeto(ADDRESS, self._slice)
        self._column += SLICE_COLUMNS
        if self._column == _WIDTH:
            self._row = -1
