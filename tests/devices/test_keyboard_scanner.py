"""Readers that pretend to be keyboards: from the kernel's own events to codes, grabbed, and gone and back."""

import errno
import fcntl
import importlib.util
import os
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest
from heard import CLOSED_S, Heard, clock, until

from companion.common.errors import DeviceError
from companion.devices import keyboard_scanner, open_scanner
from companion.devices.keyboard_scanner import EVENT, PLAIN, SHIFTED, Typed

KEYS = {typed: (code, False) for code, typed in reversed(PLAIN.items())}
KEYS = {typed: (code, True) for code, typed in reversed(SHIFTED.items())} | KEYS
SHIFT, ENTER = 42, 28


def event(kind, code, value):
    return EVENT.pack(1_790_000_000, 123_456, kind, code, value)


def key(code):
    """A key pressed and released, as a USB keyboard tells it: its scan code, the key, and the end of the report."""
    return b"".join(event(4, 4, code) + event(1, code, value) + event(0, 0, 0) for value in (1, 0))


def events(text):
    out = b""
    for letter in text:
        code, shifted = KEYS[letter]
        out += event(1, SHIFT, 1) + key(code) + event(1, SHIFT, 0) if shifted else key(code)
    return out + key(ENTER)


@contextmanager
def plugged(path):
    """The kernel's end of a reader: a FIFO with a reader's name, that takes whole events."""
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield lambda data: os.write(end, data)
    finally:
        path.unlink()
        os.close(end)


@pytest.fixture
def grabbed(monkeypatch):
    asked = []
    monkeypatch.setattr(keyboard_scanner.fcntl, "ioctl", lambda port, request, on: asked.append((request, on)))
    return asked


def test_cards_that_are_typed_are_seen_and_the_keyboard_is_grabbed(tmp_path, grabbed):
    path, heard = tmp_path / "usb-reader-event-kbd", Heard()
    with plugged(path) as kernel, closing(open_scanner(f"keyboard:{path}?seat=1", clock)) as reader:
        reader.start(heard.seen, heard.status)
        assert heard.state() == (True, "")
        kernel(events("5H") + events("10D") + events("0a004ca1b2"))
        assert [heard.next() for _ in range(3)] == ["5H", "10D", "0a004ca1b2"]
        assert grabbed == [(keyboard_scanner.GRAB, 1)]
        assert reader.seat == 1


def test_a_reader_without_an_enter_key_ends_its_code_by_a_pause(tmp_path, grabbed):
    path, heard = tmp_path / "reader", Heard()
    with plugged(path) as kernel, closing(open_scanner(f"keyboard:{path}", clock)) as reader:
        reader.start(heard.seen, heard.status)
        heard.state()
        kernel(key(KEYS["5"][0]) + event(1, SHIFT, 1) + key(KEYS["h"][0]) + event(1, SHIFT, 0))
        assert heard.next() == "5H"


def test_a_reader_that_is_pulled_is_told_and_found_again(tmp_path, grabbed, monkeypatch):
    path, heard, real = tmp_path / "reader", Heard(), os.read
    with closing(open_scanner(f"keyboard:{path}", clock)) as reader:
        reader.start(heard.seen, heard.status)
        assert heard.state() == (False, f"Cannot find {path}. Check the cable.")
        with plugged(path) as kernel:
            assert heard.state() == (True, "")
            monkeypatch.setattr(
                keyboard_scanner.os, "read", lambda *_: (_ for _ in ()).throw(OSError(errno.ENODEV, "gone"))
            )
            kernel(events("5H"))
            assert heard.state() == (False, f"{path} was disconnected.")
            monkeypatch.setattr(keyboard_scanner.os, "read", real)
        with plugged(path) as kernel:
            until(lambda: heard.said.empty() or heard.state() == (True, ""))
            kernel(events("JS"))
            until(lambda: not heard.told.empty() and heard.next() == "JS")


def test_closing_interrupts_the_wait_for_a_key(tmp_path, grabbed):
    path, heard = tmp_path / "reader", Heard()
    with plugged(path):
        reader = open_scanner(f"keyboard:{path}", clock)
        reader.start(heard.seen, heard.status)
        heard.state()
        before = clock()
        reader.close()
        reader.close()
        assert clock() - before < 1000 * CLOSED_S


def test_keys_held_down_repeat_nothing_and_lost_keys_end_what_was_begun():
    held = event(1, 6, 1) + event(1, 6, 2) * 5 + event(1, 6, 0)
    assert b"".join(Typed().feed(held)) == b"5"
    with pytest.raises(OSError, match="lost"):
        list(Typed().feed(held + event(0, 3, 0)))


@pytest.mark.parametrize(
    ("number", "say"),
    [
        (errno.EACCES, "sudo usermod -aG input $USER"),
        (errno.EBUSY, "in use by another program"),
        (errno.ENOTTY, "is not a keyboard. Run ls /dev/input/by-id"),
        (errno.ENOENT, "Check the cable."),
    ],
)
def test_a_keyboard_that_cannot_be_had_says_what_to_do(tmp_path, monkeypatch, number, say):
    (tmp_path / "reader").touch()
    monkeypatch.setattr(fcntl, "ioctl", lambda *_: (_ for _ in ()).throw(OSError(number, "no")))
    with pytest.raises(DeviceError) as refused:
        keyboard_scanner.KeyboardPort(str(tmp_path / "reader"))
    assert say in str(refused.value)


def test_a_file_that_is_no_keyboard_is_told_by_the_real_kernel(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DeviceError, match="is not a keyboard"):
        keyboard_scanner.KeyboardPort(str(tmp_path / "file"))


EVDEV = """
import evdev.ecodes as codes
from companion.devices import keyboards
NAMES = {"-": "MINUS", "=": "EQUAL", "[": "LEFTBRACE", "]": "RIGHTBRACE", ";": "SEMICOLON", "'": "APOSTROPHE",
         "`": "GRAVE", "\\\\": "BACKSLASH", ",": "COMMA", ".": "DOT", "/": "SLASH", " ": "SPACE"}
PAD = {"-": "MINUS", "+": "PLUS", ".": "DOT"}
for code, typed in keyboards.PLAIN.items():
    pad = "KEY_KP" + PAD.get(typed, typed)
    name = pad if 71 <= code <= 83 else "KEY_" + NAMES.get(typed, typed.upper())
    assert codes.ecodes[name] == code, (name, code)
assert keyboards._ENDS == {codes.KEY_ENTER, codes.KEY_KPENTER, codes.KEY_TAB}
assert keyboards._SHIFTS == {codes.KEY_LEFTSHIFT, codes.KEY_RIGHTSHIFT}
assert (codes.EV_SYN, codes.EV_KEY, codes.SYN_DROPPED) == (keyboards._SYN, keyboards._KEY, keyboards._DROPPED)
"""


@pytest.mark.skipif(
    not importlib.util.find_spec("evdev"), reason="evdev could not be had: `make pi-libraries` says why"
)
def test_keys_have_the_numbers_that_the_kernels_headers_give_them():
    ran = subprocess.run([sys.executable, "-c", EVDEV], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
