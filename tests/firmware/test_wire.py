"""The wire, under CPython and under MicroPython: plain asserts, nothing imported but the firmware."""

from firmware import wire
from firmware.wire import Ask, Decoder, Hello, Holes

LINES = b"N 1 125*4dc7\nH 00000000000000000000000000000080*19f8\n?\n"
MESSAGES = [Hello(1, 125), Holes(0x80), Ask()]


def test_lines_are_written_as_documented():
    assert wire.hello(125) + wire.holes(0x80, 125) + wire.ASK == LINES


def test_the_checksum_is_the_published_one():
    assert wire.crc(b"123456789") == 0x29B1
    assert wire.crc(b"") == 0xFFFF


def test_bytes_make_the_same_messages_in_any_portions():
    for size in range(1, len(LINES) + 1):
        decoder = Decoder()
        messages = []
        for start in range(0, len(LINES), size):
            messages.extend(decoder.feed(LINES[start : start + size]))
        assert messages == MESSAGES, size
        assert decoder.bad == 0


def test_every_hole_is_told_apart():
    for count in (1, 7, 8, 9, 60, 125, 369):
        for bit in range(count):
            assert Decoder().feed(wire.holes(1 << bit, count)) == [Holes(1 << bit)]
    full = (1 << 369) - 1
    assert Decoder().feed(wire.holes(full, 369)) == [Holes(full)]


def test_any_one_flipped_bit_is_noticed():
    line = wire.holes(0x123456789ABCDEF0, 64)
    for place in range(len(line) - 1):
        for bit in range(8):
            damaged = bytearray(line)
            damaged[place] ^= 1 << bit
            decoder = Decoder()
            assert decoder.feed(bytes(damaged) + wire.hello(64)) in ([Hello(1, 64)], []), (place, bit)
            assert decoder.bad


def test_a_half_line_costs_that_line_and_no_other():
    decoder = Decoder()
    line = wire.holes(5, 8)
    assert decoder.feed(line[:4] + line) == []
    assert decoder.bad == 1
    assert decoder.feed(line) == [Holes(5)]


def test_noise_is_dropped_and_counted():
    decoder = Decoder()
    assert decoder.feed(b"\xff\x00\x80*zz\n*\nH\nH *0000\nX 1*1234\n" + wire.holes(1, 8)) == [Holes(1)]
    assert decoder.bad == 5


def test_a_line_with_a_right_checksum_and_wrong_content_is_dropped():
    decoder = Decoder()
    for body in (
        b"H ",
        b"H",
        b"H 0g",
        b"H 123",
        b"H  12",
        b"N 1",
        b"N 1 2 3",
        b"N -1 2",
        b"N 1 \xc3",
        b"N 1 123456",
        b"Q",
    ):
        check = f"*{wire.crc(body):04x}\n".encode()
        assert decoder.feed(body + check) == [], body
    assert decoder.bad == 11


def test_a_line_without_end_is_dropped_once_and_takes_no_room():
    decoder = Decoder()
    for _ in range(100):
        assert decoder.feed(b"\x55" * 100) == []
    assert decoder.bad <= 1
    assert len(decoder._tail) <= wire.LONGEST
    assert decoder.feed(b"the rest of it\n" + wire.holes(3, 8)) == [Holes(3)]
    assert decoder.bad == 1


def test_a_line_too_long_within_one_portion_is_dropped_too():
    body = b"H " + b"00" * 300
    decoder = Decoder()
    assert decoder.feed(body + f"*{wire.crc(body):04x}\n".encode() + wire.holes(3, 8)) == [Holes(3)]
    assert decoder.bad == 1


def test_a_terminals_line_ends_are_taken_too():
    decoder = Decoder()
    assert decoder.feed(LINES.replace(b"\n", b"\r\n") + b"\r\n\n") == MESSAGES
    assert decoder.bad == 0
