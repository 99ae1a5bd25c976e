"""MicroPython's module `framebuf`, as far as the firmware's display needs it, for simulated boards.

The letters are MicroPython's font_petme128_8x8 (MIT licence, Damien P. George); a test compares each of them.
"""

from base64 import b64decode

MONO_VLSB = 0

_FONT = b64decode(
    "AAAAAAAAAAAAAABPTwAAAAAHBwAABwcAFH9/FBR/fxQAJC5razoSAABjMxgMZmMAADJ/TU13clAAAAAEBgMBAAAAHD5jQQAAAABB"
    "Yz4cAAAIKj4cHD4qCAAICD4+CAgAAACA4GAAAAAACAgICAgIAAAAAGBgAAAAAEBgMBgMBgIAPn9JRX8+AABARH9/QEAAAGJzUUlP"
    "RgAAImNJSX82AAAYGBQWf38QACdnRUV9OQAAPn9JSXsyAAADA3l9BwMAADZ/SUl/NgAAJm9JSX8+AAAAACQkAAAAAACA5GQAAAAA"
    "CBw2Y0FBAAAUFBQUFBQAAEFBYzYcCAAAAgNRWQ8GAAA+f0FNTy4AAHx+Cwt+fAAAf39JSX82AAA+f0FBYyIAAH9/QWM+HAAAf39J"
    "SUFBAAB/fwkJAQEAAD5/QUl7OgAAf38ICH9/AAAAQX9/QQAAACBgQX8/AQAAf38cNmNBAAB/f0BAQEAAAH9/BgwGf38Af38OHH9/"
    "AAA+f0FBfz4AAH9/CQkPBgAAHj8hYX9eAAB/fxk5b0YAACZvSUl7MgAAAQF/fwEBAAA/f0BAfz8AAB8/YGA/HwAAf38wGDB/fwBj"
    "dxwcd2MAAAcPeHgPBwAAYXFZTUdDAAAAf39BQQAAAAIGDBgwYEAAAEFBf38AAAAIDAYGDAgAwMDAwMDAwMAAAAEDBgQAAAAgdFRU"
    "fHgAAH9/RER8OAAAOHxERGwoAAA4fEREf38AADh8VFRcWAAACH5/CQMCAACYvKSk/HwAAH9/BAR8eAAAAAB9fQAAAABAwICA/X0A"
    "AH9/MDhsRAAAAEF/f0AAAAB8fBgwGHx8AHx8BAR8eAAAOHxERHw4AAD8/CQkPBgAABg8JCT8/AAAfHwEBAwIAABIXFRUdCAABAQ/"
    "f0RkIAAAPHxAQHw8AAAcPGBgPBwAABx8MBgwfBwARGw4OGxEAACcvKCg/HwAAERkdFxMRAAACAg+d0FBAAAAAP//AAAAAEFBdz4I"
    "CAAAAgMBAwIDAQ=="
)
"""Eight columns for each printable ASCII character, the uppermost pixel the lowest bit."""


class FrameBuffer:
    """Eight rows of pixels, a column to each byte, as `MONO_VLSB` has them."""

    def __init__(self, pixels: bytearray, width: int, height: int, form: int) -> None:
        assert (height, form, len(pixels)) == (8, MONO_VLSB, width)
        self._pixels = pixels

    def fill(self, colour: int) -> None:
        """Make all pixels dark."""
        assert colour == 0
        self._pixels[:] = bytes(len(self._pixels))

    def text(self, text: str, x: int, y: int) -> None:
        """Draw a text from column `x` on. Characters beyond the width are left out."""
        assert y == 0
        columns = b"".join(_FONT[8 * (ord(sign) - 32) :][:8] for sign in text)[: len(self._pixels) - x]
        self._pixels[x : x + len(columns)] = bytes(a | b for a, b in zip(self._pixels[x:], columns, strict=False))
