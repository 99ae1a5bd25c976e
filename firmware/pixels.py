"""The strip's frames: put together from the companion's chunks, and shown only when whole. Pure; the strip is given.

What the companion wants to be lit is told as bytes in the strip's own order; the current limit is the companion's too.
"""

from binascii import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from typing import Protocol

    class Strip(Protocol):
        """Pixels that can be sent to."""

        def show(self, data: "bytes | memoryview") -> bool:
            """Send these bytes; False while the last ones are still on their way."""


CHUNK = 48
"""So many bytes of a frame the companion puts into one line: few enough to delay no scan."""

DARK = "00000000"
"""What is lit when nothing was ever shown."""


class Pixels:
    """The next frame of a `strip` of up to `size` bytes."""

    def __init__(self, strip: "Strip", size: int) -> None:
        self.lit = DARK
        """The checksum of what the strip shows, as the companion gave it."""
        self._strip = strip
        self._next = bytearray(size)
        self._wanted: "tuple[int, str] | None" = None

    def paint(self, at: int, data: bytes) -> None:
        """A chunk of the next frame, from this byte on. What reaches beyond the strip is damaged, and dropped."""
        if at + len(data) <= len(self._next):
            self._next[at : at + len(data)] = data

    def show(self, count: int, check: str) -> None:
        """Show the first `count` bytes if their CRC-32 is `check`."""
        self._wanted = count, check

    def step(self) -> bool:
        """Show what is wanted as soon as the strip is free; whether the companion is to be told what is lit."""
        if self._wanted is None:
            return False
        count, check = self._wanted
        frame = memoryview(self._next)[: min(count, len(self._next))]
        if f"{crc32(frame):08x}" == check and len(frame) == count:
            if not self._strip.show(frame):
                return False
            self.lit = check
        self._wanted = None
        return True
