"""Card readers that act as keyboards: from key events to codes, grabbed, disconnected and found again."""

import errno
import os
import random
from contextlib import closing, contextmanager

import pytest

from companion.common.errors import DeviceError
from companion.devices import open_scanner
from companion.devices.scanners import ScanDecoder
from tests.support.received import DeviceCallbacks, check_threads_end, clock, run_device
from tests.support.waiting import wait_until

evdev = pytest.importorskip(
    "evdev", reason="evdev could not be built: `make pi-libraries` says why", exc_type=ImportError
)
from evdev import InputEvent, ecodes  # noqa: E402

from companion.devices import keyboard_scanner  # noqa: E402
from companion.devices.keyboard_scanner import KeyDecoder, list_characters  # noqa: E402

UNSHIFTED, SHIFTED = list_characters("us")
KEYS = {char: (code, True) for code, char in SHIFTED.items()} | {
    char: (code, False) for code, char in UNSHIFTED.items()
}


def event(kind, code, value):
    return InputEvent(1_790_000_000, 123_456, kind, code, value)


def press(code):
    """A key pressed and released, as a USB keyboard reports it: scan code, key, end of the report."""
    return [
        each
        for value in (1, 0)
        for each in (
            event(ecodes.EV_MSC, ecodes.MSC_SCAN, 4),
            event(ecodes.EV_KEY, code, value),
            event(ecodes.EV_SYN, ecodes.SYN_REPORT, 0),
        )
    ]


def with_shift(events):
    return [event(ecodes.EV_KEY, ecodes.KEY_LEFTSHIFT, 1), *events, event(ecodes.EV_KEY, ecodes.KEY_LEFTSHIFT, 0)]


def typed(text):
    events = []
    for char in text:
        code, shifted = KEYS[char]
        events += with_shift(press(code)) if shifted else press(code)
    return events + press(ecodes.KEY_ENTER)


class Keyboard:
    """Stands in for evdev.InputDevice: the test sends the events, and can unplug it."""

    connected = {}  # noqa: RUF012 - keyboards by path
    grabbed = []  # noqa: RUF012 - paths

    def __init__(self, path):
        if path not in Keyboard.connected:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        self._path, self._link = path, Keyboard.connected[path]

    def grab(self):
        Keyboard.grabbed.append(self._path)

    def fileno(self):
        return self._link.reader

    def read(self):
        if not self._link.plugged:
            raise OSError(errno.ENODEV, "no such device")
        os.read(self._link.reader, 1)
        return self._link.events.pop(0)

    def close(self):
        pass


class Link:
    """The kernel's end of a keyboard."""

    def __init__(self):
        self.reader, self._writer = os.pipe()
        self.events, self.plugged = [], True

    def send(self, events):
        self.events.append(events)
        os.write(self._writer, b"!")

    def unplug(self):
        self.plugged = False
        os.write(self._writer, b"!")


@contextmanager
def plugged(path):
    link = Keyboard.connected[str(path)] = Link()
    try:
        yield link
    finally:
        link.unplug()
        del Keyboard.connected[str(path)]


@pytest.fixture(autouse=True)
def keyboards(monkeypatch):
    monkeypatch.setattr(keyboard_scanner, "InputDevice", Keyboard)
    monkeypatch.setattr(Keyboard, "connected", {})
    monkeypatch.setattr(Keyboard, "grabbed", [])


def test_cards_that_are_typed_are_seen_and_the_keyboard_is_grabbed(tmp_path):
    path = tmp_path / "usb-reader-event-kbd"
    with plugged(path) as keyboard, run_device(open_scanner(f"keyboard:{path}?seat=1", clock)) as (reader, callbacks):
        keyboard.send(typed("5H") + typed("10D") + typed("0a004ca1b2"))
        assert [callbacks.next_value() for _ in range(3)] == ["5H", "10D", "0a004ca1b2"]
        assert Keyboard.grabbed == [str(path)]
        assert reader.seat == 1


@pytest.mark.parametrize("layout", ["us", "fr", "de"])
def test_every_card_is_read_in_the_layout_that_the_reader_is_set_to(layout):
    places = {"A": "KEY_Q", "Q": "KEY_A"} if layout == "fr" else {}
    # Y and Z, which change places on a German keyboard, are in no card's name.
    keys = KeyDecoder("us" if layout == "de" else layout)
    for card in [rank + suit for rank in ("10", *"A23456789TJQK") for suit in "CDHS"]:
        for char in card:
            events = press(ecodes.ecodes[places.get(char, f"KEY_{char}")])
            is_shifted = char.isalpha() or layout == "fr"
            typed_bytes = b"".join(keys.feed(with_shift(events) if is_shifted else events))
            assert typed_bytes == char.encode(), (card, layout)


def test_a_layout_that_is_not_known_is_refused_with_the_layouts():
    with pytest.raises(DeviceError, match=r"Unknown layout in .* Use one of us, fr\."):
        open_scanner("keyboard:/dev/input/reader?layout=de", clock)


def test_a_reader_without_an_enter_key_ends_its_code_by_a_pause(tmp_path):
    path = tmp_path / "reader"
    with plugged(path) as keyboard, run_device(open_scanner(f"keyboard:{path}", clock)) as (_, callbacks):
        keyboard.send(press(KEYS["5"][0]) + with_shift(press(KEYS["h"][0])))
        assert callbacks.next_value() == "5H"


def test_a_disconnected_reader_is_reported_and_found_again(tmp_path):
    path, callbacks = tmp_path / "reader", DeviceCallbacks()
    with closing(open_scanner(f"keyboard:{path}", clock)) as reader:
        reader.start(callbacks.on_value, callbacks.on_status)
        assert callbacks.next_status() == (False, f"Cannot find {path}. Check the cable.")
        with plugged(path) as keyboard:
            assert callbacks.next_status() == (True, "")
            keyboard.unplug()
            assert callbacks.next_status() == (False, f"{path} was disconnected.")
        with plugged(path) as keyboard:
            wait_until(lambda: callbacks.next_status() == (True, ""))
            keyboard.send(typed("JS"))
            assert callbacks.next_value() == "JS"


def test_closing_interrupts_the_wait_for_a_key(tmp_path):
    path = tmp_path / "reader"
    with plugged(path), check_threads_end(), run_device(open_scanner(f"keyboard:{path}", clock)) as (reader, _):
        reader.close()


def test_keys_held_down_do_not_repeat():
    held = [event(ecodes.EV_KEY, ecodes.KEY_5, value) for value in (1, 2, 2, 2, 0)]
    assert b"".join(KeyDecoder().feed(held)) == b"5"


def overflow(events, chance):
    """What a program reads of these events at random moments: a full buffer keeps SYN_DROPPED and the newest event."""
    buffer = []
    for each in events:
        buffer.append(each)
        if len(buffer) == 64:
            buffer = [event(ecodes.EV_SYN, ecodes.SYN_DROPPED, 0), each]
        if chance.random() < 0.02:
            yield buffer
            buffer = []
    yield buffer


@pytest.mark.parametrize("seed", range(5))
def test_a_deck_typed_faster_than_it_is_read_loses_whole_codes_and_the_next_one_is_seen(tmp_path, seed):
    codes = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    path = tmp_path / "reader"
    with plugged(path) as keyboard, run_device(open_scanner(f"keyboard:{path}", clock)) as (_, callbacks):
        for events in overflow([key for code in codes for key in typed(code)], random.Random(seed)):
            keyboard.send(events)
        keyboard.send(press(ecodes.KEY_ENTER) + typed("last"))
        seen = list(iter(callbacks.next_value, "last"))
        assert 0 < len(seen) < 52
        assert seen == [code for code in codes if code in seen]
        assert callbacks.statuses.empty(), "it goes on without being opened again"


def test_a_pause_ends_what_is_left_of_a_code_with_lost_keys():
    keys, codes = KeyDecoder(), ScanDecoder("line")
    shift = event(ecodes.EV_KEY, ecodes.KEY_LEFTSHIFT, 1)  # whose release is lost
    for data in keys.feed([shift, *press(ecodes.KEY_5), event(ecodes.EV_SYN, ecodes.SYN_DROPPED, 0)]):
        assert not list(codes.feed(data))
    assert not list(codes.end_at_pause())
    assert not list(codes.feed(b"".join(keys.feed(press(ecodes.KEY_9) + press(ecodes.KEY_S)))))
    assert list(codes.end_at_pause()) == ["9s"]


def test_each_key_types_the_character_that_its_name_says():
    names = {"-": "MINUS", "=": "EQUAL", "[": "LEFTBRACE", "]": "RIGHTBRACE", ";": "SEMICOLON", "'": "APOSTROPHE",
             "`": "GRAVE", "\\": "BACKSLASH", ",": "COMMA", ".": "DOT", "/": "SLASH", " ": "SPACE"}  # fmt: skip
    keypad = {"-": "MINUS", "+": "PLUS", ".": "DOT"}
    for code, char in UNSHIFTED.items():
        is_keypad = ecodes.KEY_KP7 <= code <= ecodes.KEY_KPDOT
        name = "KEY_KP" + keypad.get(char, char) if is_keypad else "KEY_" + names.get(char, char.upper())
        assert ecodes.ecodes[name] == code, (name, code)


@pytest.mark.parametrize(
    ("number", "say"),
    [
        (errno.EACCES, "sudo usermod -aG input $USER"),
        (errno.EBUSY, "in use by another program"),
        (errno.ENOTTY, "is not a keyboard. Run ls /dev/input/by-id"),
        (errno.ENOENT, "Check the cable."),
    ],
)
def test_a_keyboard_that_cannot_be_opened_says_what_to_do(tmp_path, monkeypatch, number, say):
    def refuse(keyboard):
        raise OSError(number, "no")

    monkeypatch.setattr(Keyboard, "grab", refuse)
    with plugged(tmp_path / "reader"), pytest.raises(DeviceError) as refused:
        keyboard_scanner.KeyboardPort(str(tmp_path / "reader"))
    assert say in str(refused.value)


def test_the_real_evdev_says_that_a_file_is_not_a_keyboard(tmp_path, monkeypatch):
    monkeypatch.setattr(keyboard_scanner, "InputDevice", evdev.InputDevice)
    (tmp_path / "file").touch()
    with pytest.raises(DeviceError, match="is not a keyboard"):
        keyboard_scanner.KeyboardPort(str(tmp_path / "file"))
