"""Assembles the strip's frames from the companion's chunks and shows complete ones. Pure; the strip is passed in.

The companion sends bytes in the strip's order, already dimmed to the current limit.
"""

from binascii import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from typing import Protocol

    class StripPort(Protocol):
        """A strip of pixels."""

        def show(self, data: "bytes | memoryview") -> bool:
            """Start to send these bytes; returns False while the last ones are still being sent."""


CHUNK_BYTES = 48
"""Bytes of a frame in one line of the companion; few enough not to delay a scan."""

DARK_CHECKSUM = "00000000"
"""Checksum while nothing has been shown yet."""


class FrameBuffer:
    """Buffer for the next frame of a `strip`, of up to `size` bytes."""

    def __init__(self, strip: "StripPort", size: int) -> None:
        self.lit = DARK_CHECKSUM
        """Checksum of the frame that the strip shows, as the companion sent it."""
        self._strip = strip
        self._next = bytearray(size)
        self._requested: "tuple[int, str] | None" = None

    def write_chunk(self, at: int, data: bytes) -> None:
        """Store a chunk of the next frame at this offset. A chunk beyond the strip is damaged and is dropped."""
        if at + len(data) <= len(self._next):
            self._next[at : at + len(data)] = data

    def request_show(self, count: int, check: str) -> None:
        """Show the first `count` bytes, as soon as the strip is free, if their CRC-32 is `check`."""
        self._requested = count, check

    def darken(self) -> None:
        """Show nothing as soon as the strip is free, unless nothing has been shown yet."""
        if self.lit != DARK_CHECKSUM:
            self._next[:] = bytes(len(self._next))
            self.request_show(len(self._next), f"{crc32(self._next):08x}")

    @property
    def is_show_requested(self) -> bool:
        """Whether a frame waits for the strip."""
        return self._requested is not None

    def step(self) -> bool:
        """Show the requested frame if the strip is free. Returns whether to report the checksum of the shown frame."""
        if self._requested is None:
            return False
        count, check = self._requested
        frame = memoryview(self._next)[: min(count, len(self._next))]
        if f"{crc32(frame):08x}" == check and len(frame) == count:
            if not self._strip.show(frame):
                return False
            self.lit = check
        self._requested = None
        return True
