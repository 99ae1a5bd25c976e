"""Card readers: decoding bytes to codes, and the driver on a pseudo-terminal that is plugged in and unplugged."""

import builtins
import functools
import itertools
import operator
import os
import subprocess
import sys
import tty
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.scanners import MAX_CODE_BYTES, ScanDecoder, open_scanner
from tests.support.received import DeviceCallbacks, clock, run_device

TAG = b"\x020A00A9F1C597\x03"  # 0A ^ 00 ^ A9 ^ F1 ^ C5 = 97


@pytest.fixture
def reader():
    with run_device(open_scanner("sim:", clock)) as (scanner, callbacks):
        yield scanner, callbacks


def codes(data, protocol="auto"):
    decoder = ScanDecoder(protocol)
    return [*decoder.feed(data), *decoder.end_at_pause()]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\n\r", b"\r\n\r\n", b"\x03"])
def test_lines_end_as_they_like(end):
    assert codes(b"5H" + end + b"10D" + end) == ["5H", "10D"]


def test_a_line_without_an_end_is_complete_after_a_pause():
    decoder = ScanDecoder()
    assert list(decoder.feed(b"10")) == []
    assert list(decoder.feed(b"D")) == []
    assert decoder.has_partial_code
    assert list(decoder.end_at_pause()) == ["10D"]
    assert not decoder.has_partial_code


@pytest.mark.parametrize("data", [b"\x025H\x03", b"\x02AC\x03", b"\x025H\r\n\x03", b"\x025h\x03", b"\x02]Q35H\x03"])
def test_a_card_between_stx_and_etx_is_a_card(data):
    assert codes(data) == [data.strip(b"\x02\x03\r\n").decode()]
    assert codes(data + data) == codes(data) * 2


@pytest.mark.parametrize("protocol", ["auto", "rdm6300"])
def test_a_tag_is_reported_by_its_ten_digits_at_each_reading(protocol):
    assert codes(TAG, protocol) == ["0A00A9F1C5"]
    assert codes(TAG * 3, protocol) == ["0A00A9F1C5"] * 3
    assert codes(TAG.replace(b"\x03", b"\r\n\x03"), protocol) == ["0A00A9F1C5"]


@pytest.mark.parametrize("at", range(1, 13))
def test_a_tag_with_one_wrong_digit_is_nothing(at):
    wrong = bytearray(TAG)
    wrong[at] = ord("3") if wrong[at] != ord("3") else ord("4")
    assert codes(bytes(wrong)) == []


ANSWERS = [b"\x02\x00\x00\x01\x00\x33\x31", b"\x02\x00\x00\x02\x39\x01\xc1\x4c"]
"""What GM65 and GM8xx modules say to a trigger, and to the question for their speed: see their manuals' appendices."""


@pytest.mark.parametrize("protocol", ["auto", "line"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_barcode_modules_answer_before_a_code_is_dropped(answer, protocol):
    assert codes(answer + b"5H\r" + answer + answer + b"10D\r\n", protocol) == ["5H", "10D"]
    decoder = ScanDecoder(protocol)
    assert [code for byte in answer + b"5H\r" for code in decoder.feed(bytes([byte]))] == ["5H"]


def test_an_answer_that_breaks_off_is_forgotten_at_the_next_pause():
    decoder = ScanDecoder()
    assert list(decoder.feed(ANSWERS[0][:4])) == []
    assert list(decoder.end_at_pause()) == []
    assert list(decoder.feed(b"5H\r")) == ["5H"]


def flip_bits(frame, *bits):
    damaged = bytearray(frame)
    for bit in bits:
        damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


def test_a_tag_with_one_flipped_bit_is_nothing():
    callbacks = [codes(flip_bits(TAG, bit)) for bit in range(8 * len(TAG))]
    assert [found for found in callbacks if found not in ([], ["0A00A9F1C5"])] == []


def test_a_tag_with_two_flipped_bits_is_nothing_where_its_checksum_can_tell():
    """Two flips that cancel out in the checksum make another valid tag; without STX and ETX it is a line."""
    inside = itertools.combinations(range(8 * (len(TAG) - 1)), 2)
    last = ((bit, end) for bit in range(8, 8 * len(TAG)) for end in range(8 * (len(TAG) - 1), 8 * len(TAG)))
    for bits in itertools.chain(inside, last):
        damaged = flip_bits(TAG, *bits)
        for code in codes(damaged):
            data = bytes.fromhex(damaged[1:13].decode())
            assert (code, functools.reduce(operator.xor, data)) == (data[:5].hex().upper(), 0), damaged


@pytest.mark.parametrize("damaged", [b"\x020B\x02A9F1C\x025C\x03", b"\x020A00\x03F1C595C\x03", b"\x060A00A9F15C\x03"])
def test_a_piece_of_a_damaged_tag_is_no_card(damaged):
    assert codes(damaged) == []
    assert codes(damaged + TAG) == ["0A00A9F1C5"]


@pytest.mark.parametrize("lost", range(1, 13))
def test_a_tag_with_a_digit_lost_is_nothing_and_the_next_is_heard(lost):
    assert codes(TAG[:lost] + TAG[lost + 1 :] + TAG) == ["0A00A9F1C5"]


@pytest.mark.parametrize("length", range(1, 14))
def test_a_frame_that_stops_half_way_is_nothing_and_the_next_is_heard(length):
    decoder = ScanDecoder()
    assert list(decoder.feed(TAG[:length])) == []
    assert list(decoder.end_at_pause()) == []
    assert list(decoder.feed(TAG[:length] + TAG)) == ["0A00A9F1C5"]


def test_a_named_protocol_takes_nothing_else():
    assert codes(b"5H\r\n" + TAG, "rdm6300") == ["0A00A9F1C5"]
    assert codes(b"5H\r\n" + TAG, "line") == ["5H", "0A00A9F1C597"]


def test_a_line_longer_than_any_code_is_noise():
    assert codes(b"x" * 10_000 + b"\r5H\r") == ["5H"]
    assert codes(b"x" * MAX_CODE_BYTES + b"\r") == ["x" * MAX_CODE_BYTES]


@given(st.binary(max_size=300), st.lists(st.integers(0, 300)), st.sampled_from(["auto", "line", "rdm6300"]))
def test_any_noise_gives_printable_codes_however_it_is_cut(data, cuts, protocol):
    decoder, at = ScanDecoder(protocol), [0, *sorted(cuts), len(data)]
    parts = [data[a:b] for a, b in itertools.pairwise(at)]
    callbacks = [code for part in parts for code in decoder.feed(part)] + list(decoder.end_at_pause())
    assert callbacks == codes(data, protocol)
    assert all(code and code.isprintable() for code in callbacks)


def test_a_reader_knows_its_seat():
    assert open_scanner("sim:", clock).seat is None
    assert open_scanner("serial:/dev/ttyUSB0?baud=9600&seat=1", clock).seat == 1


def test_cards_put_to_the_reader_are_heard_in_order_each_time(reader):
    scanner, callbacks = reader
    for code in ("5H", "10D", "10D", "♠ what?"):
        scanner.scan_card(code)
    assert [callbacks.next_value() for _ in range(4)] == ["5H", "10D", "10D", "♠ what?"]


def test_a_card_put_to_a_reader_just_started_is_heard():
    with closing(open_scanner("sim:", clock)) as scanner:
        callbacks = DeviceCallbacks()
        scanner.start(callbacks.on_value, callbacks.on_status)
        scanner.scan_card("5H")
        assert callbacks.next_value() == "5H"


def test_a_code_of_two_lines_is_one_code_and_a_long_one_does_no_harm(reader):
    scanner, callbacks = reader
    scanner.scan_card("5H\n6H")
    assert callbacks.next_value() == "5H 6H"
    scanner.scan_card("x" * 16_000)
    scanner.scan_card("7H")
    assert callbacks.next_value() == "x" * MAX_CODE_BYTES
    assert callbacks.next_value() == "7H"


def test_no_file_is_left_open(reader):
    scanner, callbacks = reader
    scanner.scan_card("5H")
    callbacks.next_value()
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for _ in range(3):
        scanner.set_plugged(False)
        scanner.set_plugged(True)
        scanner.scan_card("5H")
        callbacks.next_value()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_a_real_port_is_read_with_a_pause_for_an_end_and_waited_for_when_absent(tmp_path):
    link = tmp_path / "ttyUSB0"
    far, near = os.openpty()
    try:
        tty.setraw(near)
        callbacks = DeviceCallbacks()
        with closing(open_scanner(f"serial:{link}?seat=1", clock)) as scanner:
            scanner.start(callbacks.on_value, callbacks.on_status)
            assert callbacks.next_status() == (False, f"Cannot find {link}. Check the cable.")
            link.symlink_to(os.ttyname(near))
            assert callbacks.next_status() == (True, "")
            os.write(far, b"5")
            os.write(far, b"H")
            assert callbacks.next_value() == "5H"
            os.write(far, TAG)
            assert callbacks.next_value() == "0A00A9F1C5"
    finally:
        os.close(far)
        os.close(near)


def test_importing_the_companion_loads_no_device_library():
    asked = "import sys, companion; print([m for m in ('serial', 'gpiozero', 'board') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_without_evdev_the_status_says_what_to_install(tmp_path, monkeypatch):
    real, callbacks = builtins.__import__, DeviceCallbacks()

    def refuse(name, *rest):
        if name.startswith(("evdev", "companion.devices.keyboard_scanner")):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "companion.devices.keyboard_scanner", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with closing(open_scanner(f"keyboard:{tmp_path / 'reader'}", clock)) as reader:
        reader.start(callbacks.on_value, callbacks.on_status)
        ok, say = callbacks.next_status()
    assert (ok, "pip install -e '.[keyboard]'" in say) == (False, True)
