"""The wire, under CPython and under MicroPython: plain asserts, nothing imported but the firmware."""

from firmware import wire
from firmware.wire import Ask, Decoder, Hello, Holes

LINES = b"N wire=2 holes=125 version=0.1.0 chip=e66*5a3e\nH 7 1200 00000000000000000000000000000080*2353\n? 7\n?\n"
MESSAGES = [Hello(2, 125, "0.1.0", "e66", "", 0, ""), Holes(0x80, 7, 1200), Ask(7), Ask(None)]


def line(number, bits, count=8):
    return wire.encode_holes(number, 50 * number, bits, count)


def read(number, bits):
    return Holes(bits, number, 50 * number)


def test_lines_are_written_as_documented():
    said = [wire.encode_hello(125, "0.1.0", "e66"), wire.encode_holes(7, 1200, 0x80, 125), wire.encode_ask(7), wire.ASK]
    assert b"".join(said) == LINES


def test_lines_of_wire_1_are_read():
    lines = b"N 1 125*4dc7\nH 00000000000000000000000000000080*19f8\n?\n"
    assert Decoder().feed(lines) == [Hello(1, 125, "", "", "", 0, ""), Holes(0x80, None, None), Ask(None)]


def test_a_hello_may_say_more_than_is_known():
    body = b"N wire=2 tiles=24 holes=369 colour=red"
    assert Decoder().feed(body + f"*{wire.crc16(body):04x}\n".encode()) == [Hello(2, 369, "", "", "", 0, "")]


def test_the_checksum_is_the_published_one():
    assert wire.crc16(b"123456789") == 0x29B1
    assert wire.crc16(b"") == 0xFFFF


def test_bytes_make_the_same_messages_in_any_portions():
    for size in range(1, len(LINES) + 1):
        decoder = Decoder()
        messages = []
        for start in range(0, len(LINES), size):
            messages.extend(decoder.feed(LINES[start : start + size]))
        assert messages == MESSAGES, size
        assert decoder.bad_lines == 0


def test_every_hole_is_distinguished():
    for count in (1, 7, 8, 9, 60, 125, 369):
        for bit in range(count):
            assert Decoder().feed(line(1, 1 << bit, count)) == [read(1, 1 << bit)]
    full = (1 << 369) - 1
    assert Decoder().feed(line(3, full, 369)) == [read(3, full)]


def test_any_one_flipped_bit_is_noticed():
    whole, hello = line(99, 0x123456789ABCDEF0, 64), wire.encode_hello(64, "1", "e66")
    for place in range(len(whole) - 1):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            decoder = Decoder()
            assert decoder.feed(bytes(damaged) + hello) in ([Hello(2, 64, "1", "e66", "", 0, "")], []), (place, bit)
            assert decoder.bad_lines


def test_a_half_line_costs_no_other():
    decoder = Decoder()
    assert decoder.feed(line(1, 5)[:4] + line(1, 5)) == []
    assert decoder.bad_lines == 1
    assert decoder.feed(line(2, 5)) == [read(2, 5)]


def test_noise_is_dropped_and_counted():
    decoder = Decoder()
    assert decoder.feed(b"\xff\x00\x80*zz\n*\nH\nH *0000\nX 1*1234\n" + line(1, 1)) == [read(1, 1)]
    assert decoder.bad_lines == 5


def test_wrong_content_is_dropped_despite_its_checksum():
    decoder = Decoder()
    for body in (
        b"H ", b"H", b"H 0g", b"H 123", b"H  12", b"N 1", b"N 1 2 3", b"N -1 2", b"N 1 \xc3", b"N 1 123456",
        b"N wire=2", b"N wire=2 holes", b"N holes=8 wire=two", b"H 1 00", b"H 1 2 3 00", b"H 1073741824 2 00",
        b"H 1 1073741824 00", b"H -1 2 00", b"H 1 2 ", b"Q",
    ):  # fmt: skip
        check = f"*{wire.crc16(body):04x}\n".encode()
        assert decoder.feed(body + check) == [], body
    assert decoder.bad_lines == 20


def test_a_line_without_end_is_dropped_once():
    decoder = Decoder()
    for _ in range(100):
        assert decoder.feed(b"\x55" * 100) == []
    assert decoder.bad_lines <= 1
    assert len(decoder._tail) <= wire.MAX_LINE_BYTES
    assert decoder.feed(b"the rest of it\n" + line(1, 3)) == [read(1, 3)]
    assert decoder.bad_lines == 1


def test_a_too_long_line_is_dropped():
    body = b"H " + b"00" * 300
    decoder = Decoder()
    assert decoder.feed(body + f"*{wire.crc16(body):04x}\n".encode() + line(1, 3)) == [read(1, 3)]
    assert decoder.bad_lines == 1


def test_an_ask_is_a_number_or_everything():
    decoder = Decoder()
    assert decoder.feed(b"? x\n?7\n? -1\n? 1 2\n? 1073741824\n??\n? \n") == []
    assert decoder.bad_lines == 7
    assert decoder.feed(b"? 1073741823\r\n?\r\n") == [Ask(wire.COUNTER_MASK), Ask(None)]


def test_a_terminals_line_ends_are_taken_too():
    decoder = Decoder()
    assert decoder.feed(LINES.replace(b"\n", b"\r\n") + b"\r\n\n") == MESSAGES
    assert decoder.bad_lines == 0
