"""The Pico's pixels: the PIO program, instruction by instruction, and its DMA."""

import json
from binascii import crc32
from itertools import pairwise

import pytest

from firmware import wire
from firmware.wire import Decoder, Lit
from tests.support.simulated_pico import Pico
from tests.support.simulated_rp2 import Program, list_pulses, run_program

PIXELS = 369
BOARD = {"chain": ["a"], "pixels": ["a"] + [None] * (PIXELS - 1)}


@pytest.fixture
def pico(monkeypatch, tmp_path):
    (tmp_path / "board.json").write_text(json.dumps(BOARD))
    return Pico(monkeypatch, tmp_path, registers=1)


def test_each_bit_is_a_ws2812_pulse(pico):
    program = pico.program.PioStrip.__init__.__globals__["ws2812"]
    hertz = pico.program.PioStrip.__init__.__globals__["PIO_HZ"]
    data = bytes([0x80, 0x01, 0xA5, 0x00, 0xFF])
    levels, rests = run_program(program, data)
    found = [(round(high * 1e9 / hertz), round(low * 1e9 / hertz)) for high, low in list_pulses(levels)]
    assert rests == 0, "between frames the line is low"
    bits = [byte >> 7 - bit & 1 for byte in data for bit in range(8)]
    assert len(found) == len(bits)
    for bit, (high, _) in zip(bits, found, strict=True):
        # WS2812B-2020: 220 to 380 ns high for 0, 580 to 1000 ns for 1, and 1250 in all.
        assert 580 <= high <= 1000 if bit else 220 <= high <= 380
    assert all(high + low == 1250 for high, low in found[:-1])


def test_the_program_is_these_words():
    """Assembled by hand from the data sheet, to check the assembler above independently."""

    def program():
        wrap_target()
        label("bit")
        out(x, 1).side(0)[2]
        jmp(not_x, "zero").side(1)[1]
        jmp("bit").side(1)[4]
        label("zero")
        nop().side(0)[4]
        wrap()

    words = Program(program, autopull=True).words
    assert [f"{word:04x}" for word in words] == ["6221", "1123", "1400", "a442"]


def paint(data):
    chunks = [wire.encode_paint(at, data[at : at + 48]) for at in range(0, len(data), 48)]
    return b"".join(chunks) + wire.encode_show(len(data), f"{crc32(data):08x}")


def test_frames_follow_each_other_between_scans(pico):
    frames = [bytes([number] * 3 * PIXELS) for number in (1, 2, 3)]
    told, scans = [], pico.record_scans()

    def receive(now_ms):
        told.extend((now_ms, each.check) for each in Decoder().feed(pico.said) if isinstance(each, Lit))
        pico.said = b"" if b"L " in pico.said else pico.said
        if now_ms == 100:
            pico.send_data(b"".join(map(paint, frames)))

    pico.run_for(1000, receive)
    assert pico.rp2.sent == frames
    assert [check for _, check in told] == [f"{crc32(frame):08x}" for frame in frames]
    machine = pico.rp2.machines[0]
    assert (machine.pin, machine.freq, machine.on) == (6, 8_000_000, False)
    assert pico.rp2.open == 0, "who begins again can have the channel"
    assert max(after - before for before, after in pairwise(scans)) <= 5


def test_a_frame_waits_for_the_last_one(pico):
    strip = pico.program.PioStrip(3 * PIXELS)
    assert strip.show(bytes(3 * PIXELS))
    for _ in range(12):  # 11.07 ms for the bytes, 0.28 ms for the pixels to take them
        assert not strip.show(bytes(3))
        pico.now_ms += 1
    pico.now_ms += 2
    assert strip.show(bytes(3))
