"""From a peg to its line, on an emulated RP2040 that runs the shipped program under MicroPython. Needs an image: see
test_emulated.py.

The companion's part is played over emulated USB: 20 frames a second, texts for the display, tunes and signs of life.
Times are the emulated chip's.
"""

import asyncio
import random
from binascii import crc32
from itertools import pairwise

import pytest
from rp2040py.boards import BoardSpec
from rp2040py.device.mp_device import MicroPythonDevice

from companion.boards import catalog
from firmware import wire
from firmware.pixels import CHUNK_BYTES
from tests.support.emulated_pico import (
    Display,
    HeldButton,
    QuietHost,
    Registers,
    find_image,
    install_firmware,
    run_emulator,
)  # fmt: skip

MS = 1_000_000
FRAME_MS, CHUNKS_PER_FRAME = 50, 2
"""20 frames a second, in each of which 32 of the 64 lights change."""
SETTLING_MS, FLIPS = 1200, 20
SEED = 1


class OneContact(Registers):
    """Registers one of whose inputs changes at times in `flips_ns`; `scans_ns` are the times of their scans."""

    def __init__(self, inputs, bit):
        super().__init__(inputs)
        self._bit, self.flips_ns, self.scans_ns = bit, [], []

    def attach(self, rp2040):
        super().attach(rp2040)
        self._clock = rp2040.clock

    def _on_load(self, now, before):
        if not int(now):
            self.scans_ns.append(self._clock.nanos)
            self.inputs[self._bit] = 1 - sum(flip <= self._clock.nanos for flip in self.flips_ns) % 2
        super()._on_load(now, before)


class Companion:
    """Sends what a companion sends, byte by byte at the emulated cable, from `start_ns` to `end_ns`."""

    def __init__(self, device, pixels, start_ns, end_ns):
        self._cdc, self._clock, self._end_ns = device.cdc, device.simulator.clock, end_ns
        self._frame, self._random, self._number = bytearray(3 * pixels), random.Random(SEED), 0
        self._unsent = bytearray()
        self._next_ns = start_ns
        self.done = asyncio.Event()
        self._alarm = self._clock.create_alarm(self._on_tick)
        self._alarm.schedule(MS)

    def _on_tick(self):
        if self._next_ns <= self._clock.nanos < self._end_ns:
            self._next_ns += FRAME_MS * MS
            self._unsent += self._next_lines()
            self._number += 1
        while self._unsent and not self._cdc.tx_fifo.full:
            self._cdc.send_serial_byte(self._unsent.pop(0))
        if self._clock.nanos > self._end_ns + 200 * MS:
            self.done.set()
        else:
            self._alarm.schedule(MS)

    def _next_lines(self):
        lines = b""
        for n in range(CHUNKS_PER_FRAME):
            at = (self._number + n) * CHUNK_BYTES % (len(self._frame) - len(self._frame) % CHUNK_BYTES)
            self._frame[at : at + CHUNK_BYTES] = self._random.randbytes(CHUNK_BYTES)
            lines += wire.encode_paint(at, bytes(self._frame[at : at + CHUNK_BYTES]))
        lines += wire.encode_show(len(self._frame), f"{crc32(self._frame):08x}")
        if self._number % 40 == 0:
            lines += wire.HERE
        if self._number % 40 == 5:
            lines += wire.encode_tune([(880, 90), (660, 90)])
        if self._number % 40 == 7:
            rows = ((0, 2, f"{self._number} : 60"), (2, 1, "Red plays"), (3, 1, f"count {self._number % 31}"))
            lines += b"".join(wire.encode_text_row(*row) for row in (*rows, (5, 1, "fifteen for two")))
        return lines


async def _measure(image):
    """Return the lines that the emulated board sent, each with its time, and its contact."""
    loop = catalog.load_board("loop-60")
    board = catalog.describe_for_firmware(loop)
    holes = [bit for bit, each in enumerate(board["chain"]) if isinstance(each, str)]
    inputs = [1 if isinstance(each, str) else 1 - bool(each) for each in board["chain"]]
    contact = OneContact(inputs, holes[20])
    button = HeldButton(board["buttons"]["go:0"])
    device = MicroPythonDevice(board=BoardSpec(extras=(lambda: contact, lambda: button, Display), image=image))
    QuietHost(device)
    async with device:
        await install_firmware(device, board, **{"main.py": "from firmware.boards.pico import main\nmain()\n"})
        await device.ahard_reset(timeout=None)
        received, clock = [], device.simulator.clock
        device.cdc.on_serial_data = lambda data: received.append((clock.nanos, bytes(data)))
        start_ns = clock.nanos + SETTLING_MS * MS
        pause, at = random.Random(SEED), start_ns
        for _ in range(FLIPS):
            at += int(pause.uniform(80, 140) * MS)
            contact.flips_ns.append(at)
        companion = Companion(device, len(board["pixels"]), start_ns - SETTLING_MS // 2 * MS, at + 100 * MS)
        await device.simulator.wait_for(companion.done, None)
    contact.scans_ns = [ns for ns in contact.scans_ns if ns > start_ns]
    return _split_lines(received), contact, 1 << [hole.id for hole in loop.holes].index(board["chain"][holes[20]])


def _split_lines(received):
    lines, tail = [], b""
    for ns, data in received:
        *whole, tail = (tail + data).split(b"\n")
        lines += [(ns, wire.parse_line(line.rstrip(b"\r"))) for line in whole if line.strip()]
    return lines


@pytest.mark.image
def test_a_peg_is_reported_within_30_ms():
    """Optional, because no registry has the image."""
    lines, contact, hole = run_emulator(_measure, find_image())
    messages = [message for _, message in lines]
    assert not [each for each in messages if each is None or isinstance(each, wire.Failed | wire.Fault)]
    assert sum(isinstance(each, wire.Lit) for each in messages) > 2 * FLIPS, "the frames were shown"
    levels = [(ns, bool(each.bits & hole)) for ns, each in lines if isinstance(each, wire.Holes)]
    changes = [now[0] for before, now in pairwise(levels) if before[1] != now[1]]
    assert len(changes) == FLIPS
    delays_ms = sorted((line - flip) / MS for line, flip in zip(changes, contact.flips_ns, strict=True))
    gaps_ms = sorted((b - a) / MS for a, b in pairwise(contact.scans_ns))
    print(f"from peg to line: median {delays_ms[FLIPS // 2]:.1f} ms, longest {delays_ms[-1]:.1f} ms")
    median_ms, long_ms = (gaps_ms[len(gaps_ms) * part // 100] for part in (50, 99))
    print(f"from scan to scan: median {median_ms:.1f}, 99 % {long_ms:.1f} ms")
    assert delays_ms[-1] <= 30
