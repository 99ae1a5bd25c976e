"""Card readers that act as keyboards: `keyboard:/dev/input/by-id/usb-…-event-kbd`, read with evdev. Linux only.

The keyboard is grabbed, or its codes would be typed into other programs. Its keys become bytes, as on an American
keyboard, which is the factory setting of all readers, or on a French one. So it is read like a reader of lines.
"""

import errno
import os
import select
from collections.abc import Iterable, Iterator

from evdev import InputDevice, InputEvent, ecodes

from companion.common.errors import DeviceError
from companion.devices.scanners import MAX_CODE_BYTES
from companion.i18n import format_message

_PRESSED = 1
_SHIFT_KEYS = frozenset((ecodes.KEY_LEFTSHIFT, ecodes.KEY_RIGHTSHIFT))
_END_KEYS = frozenset((ecodes.KEY_ENTER, ecodes.KEY_KPENTER, ecodes.KEY_TAB))

_KEY_ROWS = {
    "us": (
        (ecodes.KEY_1, "1234567890-=", "!@#$%^&*()_+"),
        (ecodes.KEY_Q, "qwertyuiop[]", "QWERTYUIOP{}"),
        (ecodes.KEY_A, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
        (ecodes.KEY_BACKSLASH, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    ),
    "fr": (
        (ecodes.KEY_1, "&é\"'(-è_çà)=", "1234567890°+"),
        (ecodes.KEY_Q, "azertyuiop^$", "AZERTYUIOP¨£"),
        (ecodes.KEY_A, "qsdfghjklmù²", "QSDFGHJKLM%~"),
        (ecodes.KEY_BACKSLASH, "*wxcvbn,;:!", "µWXCVBN?./§"),
    ),
}
"""By layout: keys with consecutive numbers, the first of them, the characters without Shift, and those with Shift."""
_COMMON_ROWS = ((ecodes.KEY_SPACE, " ", " "), (ecodes.KEY_KP7, "789-456+1230.", "789-456+1230."))


def list_characters(layout: str) -> tuple[dict[int, str], dict[int, str]]:
    """Return the characters of the keys by number, without and with Shift.

    :param layout: `us`, or `fr`, where A and Q, Z and W change places, and digits are typed with Shift. On a German
        keyboard the keys of a card's name have their American places.
    """
    rows = (*_KEY_ROWS[layout], *_COMMON_ROWS)
    plain = {first + offset: char for first, chars, _ in rows for offset, char in enumerate(chars)}
    shifted = {first + offset: char for first, _, chars in rows for offset, char in enumerate(chars)}
    return plain, shifted


_NOISE = bytes(MAX_CODE_BYTES + 1)


class KeyDecoder:
    """Key events in, typed bytes out.

    The kernel keeps 64 events. When more wait to be read it forgets them all and says SYN_DROPPED; then what is left of
    the code in the middle of which that happened becomes noise, so that halves of two codes are not taken for a card.
    """

    def __init__(self, layout: str = "us") -> None:
        self._plain, self._shifted = list_characters(layout)
        self._shifts: set[int] = set()

    def feed(self, events: Iterable[InputEvent]) -> Iterator[bytes]:
        """Yield the bytes that these events type."""
        for event in events:
            if (event.type, event.code) == (ecodes.EV_SYN, ecodes.SYN_DROPPED):
                self._shifts.clear()  # a key that is still down can only change the noise
                yield _NOISE
            elif event.type != ecodes.EV_KEY:
                continue
            elif event.code in _SHIFT_KEYS:
                (self._shifts.add if event.value else self._shifts.discard)(event.code)
            elif event.value == _PRESSED and event.code in _END_KEYS:
                yield b"\r"
            elif event.value == _PRESSED:
                yield (self._shifted if self._shifts else self._plain).get(event.code, "").encode()


class KeyboardPort:
    """A grabbed keyboard with the part of a serial port's interface that a card reader needs. Raises DeviceError."""

    timeout: float | None = None
    in_waiting = 0
    """Always 0: `read` returns everything that was typed."""

    def __init__(self, path: str, layout: str = "us") -> None:
        self.port = path
        try:
            self._keyboard = InputDevice(path)
            self._keyboard.grab()
        except OSError as error:
            raise DeviceError(_explain_open_error(path, error.errno)) from error
        self._wake_reader, self._wake_writer = os.pipe()
        self._decoder = KeyDecoder(layout)

    def read(self, size: int) -> bytes:
        """Return what was typed, after `timeout` s at most. Raises OSError if the keyboard was disconnected."""
        if not size:
            return b""
        keyboard = self._keyboard.fileno()
        ready, _, _ = select.select([keyboard, self._wake_reader], [], [], self.timeout)
        return b"".join(self._decoder.feed(self._keyboard.read())) if keyboard in ready else b""

    def cancel_read(self) -> None:
        """End a `read` that waits. Any thread may call this."""
        os.write(self._wake_writer, b"!")

    def close(self) -> None:
        """Release the keyboard, so that it types into other programs again."""
        self._keyboard.close()
        os.close(self._wake_reader)
        os.close(self._wake_writer)


def _explain_open_error(path: str, number: int | None) -> str:
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
