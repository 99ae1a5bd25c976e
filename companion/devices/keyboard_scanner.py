"""Readers that pretend to be keyboards: `keyboard:/dev/input/by-id/usb-…-event-kbd`, as the kernel tells of their keys.

The reader is grabbed, or its cards would be typed into whatever has the focus. What it types goes on as bytes, so that
it is a reader of lines like any other. Keys are those of an American keyboard: all readers start with that. Linux only.
"""

import errno
import fcntl
import os
import select
import struct
from collections.abc import Iterator

from companion.common.errors import DeviceError
from companion.i18n import format_message

EVENT = struct.Struct("@llHHi")
"""A `struct input_event` of linux/input.h: seconds, microseconds, type, code, value."""

GRAB = 0x40044590
"""The request EVIOCGRAB: no other program hears these keys, until the port is closed."""

_SYN, _KEY = 0, 1
_DROPPED = 3
_DOWN = 1
_SHIFTS = frozenset((42, 54))
_ENDS = frozenset((28, 96, 15))  # Enter, the keypad's Enter, Tab

_ROWS = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    (57, " ", " "),
    (71, "789-456+1230.", "789-456+1230."),
)
"""By the number of the first key: what each of a row types, and what with Shift. See linux/input-event-codes.h."""

PLAIN = {first + at: typed for first, row, _ in _ROWS for at, typed in enumerate(row)}
SHIFTED = {first + at: typed for first, _, row in _ROWS for at, typed in enumerate(row)}


class Typed:
    """Key events in, the bytes they type out."""

    def __init__(self) -> None:
        self._shifts: set[int] = set()

    def feed(self, events: bytes) -> Iterator[bytes]:
        """What these whole events type. Raises OSError where the kernel had to drop some."""
        for _, _, kind, code, value in EVENT.iter_unpack(events):
            if kind == _SYN and code == _DROPPED:
                raise OSError(errno.EIO, "some keys were lost")
            if kind != _KEY:
                continue
            if code in _SHIFTS:
                (self._shifts.add if value else self._shifts.discard)(code)
            elif value == _DOWN and code in _ENDS:
                yield b"\r"
            elif value == _DOWN:
                yield (SHIFTED if self._shifts else PLAIN).get(code, "").encode()


class KeyboardPort:
    """As much of a serial port as a card reader asks for, on a keyboard that is grabbed. Raises DeviceError."""

    timeout: float | None = None
    in_waiting = 0
    """All that has been typed is given at once."""

    def __init__(self, path: str) -> None:
        self.port = path
        self._keys = _opened(path)
        self._wake, self._tell = os.pipe()
        self._typed = Typed()

    def read(self, size: int) -> bytes:
        """What has been typed, after `timeout` seconds at most. Raises OSError when the keyboard has gone."""
        if not size:
            return b""
        ready, _, _ = select.select([self._keys, self._wake], [], [], self.timeout)
        if self._keys not in ready:
            return b""
        events = os.read(self._keys, 64 * EVENT.size)
        if not events:
            raise OSError(errno.ENODEV, "the keyboard has gone")
        return b"".join(self._typed.feed(events))

    def cancel_read(self) -> None:
        """End a read that waits."""
        os.write(self._tell, b"!")

    def close(self) -> None:
        """Let go of the keyboard: it types for everybody again."""
        for end in (self._keys, self._wake, self._tell):
            os.close(end)


def _opened(path: str) -> int:
    try:
        keys = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise DeviceError(_why_not(path, error.errno)) from error
    try:
        fcntl.ioctl(keys, GRAB, 1)
    except OSError as error:
        os.close(keys)
        raise DeviceError(_why_not(path, error.errno)) from error
    return keys


def _why_not(path: str, number: int | None) -> str:
    if number in (errno.EACCES, errno.EPERM):
        return format_message(
            "This user may not open {path}. Run sudo usermod -aG input $USER, log out, and log in again.", path=path
        )
    if number == errno.EBUSY:
        return format_message("{path} is in use by another program.", path=path)
    if number in (errno.ENOTTY, errno.EINVAL):
        return format_message(
            "{path} is not a keyboard. Run ls /dev/input/by-id and choose a name ending in -event-kbd.", path=path
        )
    return format_message("Cannot find {path}. Check the cable.", path=path)
