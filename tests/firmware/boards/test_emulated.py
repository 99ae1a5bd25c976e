"""The firmware on an emulated RP2040, independent of our own simulated parts.

What needs MicroPython itself needs an image of it, which no registry has: `PICO_UF2=FILE.uf2 make test`.
One can be built from Debian's packages: tests/firmware/build_image.sh.
"""

import json
from binascii import crc32
from itertools import pairwise

import pytest
from rp2040py.boards import BoardSpec
from rp2040py.device.mp_device import MicroPythonDevice
from rp2040py.external.device import attach_external_devices
from rp2040py.rp2040 import RP2040

from companion.boards import catalog
from companion.devices import simulated_framebuf
from firmware import wire
from firmware.screen import MAX_STEP_BYTES, TextScreen
from firmware.wire import ButtonStates, Decoder, Failed, Fault, Hello, Holes, Lit
from tests.support import emulated_pico
from tests.support.emulated_pico import I2C0, IO_BANK, PIO0, PIXELS, SPI0, Display, Registers, Strip, find_image
from tests.support.simulated_pico import Pico

SYSTEM_HERTZ = 125_000_000


async def _shown(words, hertz, data):
    """What the pixels see of these bytes: the state machine is set up as MicroPython's `rp2.StateMachine` does it."""
    chip, strip = RP2040(), Strip()
    attach_external_devices(chip, strip)
    for place, word in enumerate(words):
        chip.write_uint32(PIO0 + 0x48 + 4 * place, word)
    chip.write_uint32(IO_BANK + 8 * PIXELS + 4, 6)
    chip.write_uint32(PIO0 + 0xC8, SYSTEM_HERTZ * 256 // hertz << 8)
    chip.write_uint32(PIO0 + 0xCC, len(words) - 1 << 12)  # wraps after the last word
    chip.write_uint32(PIO0 + 0xD0, 8 << 25 | 1 << 17)  # autopull after eight bits, shifted left
    chip.write_uint32(PIO0 + 0xDC, 1 << 29 | 1 << 26 | PIXELS << 10 | PIXELS << 5)
    chip.write_uint32(PIO0 + 0xD8, 0xE081)  # set pindirs, 1
    chip.write_uint32(PIO0, 0x111)  # restart, clock too, and run
    strip.edges.clear()
    queue, machine = list(data), chip.pio[0]
    for _ in range(SYSTEM_HERTZ // 1_000_000 * (10 * len(data) + 400)):
        if queue and not chip.read_uint32(PIO0 + 4) >> 16 & 1:
            chip.write_uint8(PIO0 + 0x10, queue.pop(0))  # a byte, as DMA writes it
        machine.advance(1)
        chip.clock.tick(8)
    machine.stop()
    return strip


def test_the_state_machine_makes_pixel_pulses(monkeypatch, tmp_path):
    pico = Pico(monkeypatch, tmp_path)
    program = pico.program.PioStrip.__init__.__globals__
    data = bytes([0x80, 0x01, 0xA5, 0x00, 0xFF, 0x12])
    strip = emulated_pico.run_emulator(_shown, program["ws2812"].words, program["PIO_HZ"], data)
    high = [after - before for (before, level), (after, _) in pairwise(strip.edges) if level]
    bits = [byte >> 7 - bit & 1 for byte in data for bit in range(8)]
    assert len(high) == len(bits)
    assert all(580 <= ns <= 1000 if bit else 220 <= ns <= 380 for bit, ns in zip(bits, high, strict=True))


def test_the_emulated_chain_is_clocked_out():
    chip, chain = RP2040(), Registers([1, 0, 0, 0, 0, 0, 1, 0, 0, 1])
    attach_external_devices(chip, chain)
    chip.write_uint32(SPI0 + 4, 2)  # SSPCR1: enabled
    chip.write_uint32(SPI0, 7)  # SSPCR0: eight bits
    chain._on_load(0, 1)
    octets = []
    for _ in range(3):
        chip.write_uint32(SPI0 + 8, 0)
        octets.append(chip.read_uint32(SPI0 + 8))
    assert octets == [0b10000010, 0b01111111, 0xFF]


class EmulatedBus:
    """The chip's I2C0, used by its registers as the data sheet says."""

    def __init__(self, chip):
        self._chip = chip
        chip.write_uint32(I2C0 + 0x00, 0x65)  # IC_CON: master, fast, restart, no slave
        chip.write_uint32(I2C0 + 0x6C, 1)  # IC_ENABLE

    def writeto(self, address, data):
        self._chip.write_uint32(I2C0 + 0x04, address)  # IC_TAR
        for octet in data[:-1]:
            self._chip.write_uint32(I2C0 + 0x10, octet)
        self._chip.write_uint32(I2C0 + 0x10, data[-1] | 1 << 9)  # IC_DATA_CMD with a stop
        if self._chip.read_uint32(I2C0 + 0x80):  # IC_TX_ABRT_SOURCE
            self._chip.read_uint32(I2C0 + 0x54)  # cleared by reading
            raise OSError(5)


def _drawn(screen):
    for now_ms in range(200):
        screen.step(now_ms)


def test_the_emulated_display_is_drawn_in_slices():
    chip, display = RP2040(), Display()
    lonely = TextScreen(EmulatedBus(chip), simulated_framebuf)
    lonely.step(0)
    assert not lonely.is_answering, "nothing is at the bus"
    attach_external_devices(chip, display)
    screen = TextScreen(EmulatedBus(chip), simulated_framebuf)
    screen.write_row(7, 1, "_")
    _drawn(screen)
    assert screen.is_answering
    assert 17 <= display.longest <= MAX_STEP_BYTES
    assert [int(row, 16) for row in display.lit_rows()] == [0] * 62 + [0xFF << 120] * 2


PLAY = """
import json, sys, time
from firmware import wire
from firmware.boards.panel import open_panel
from firmware.boards.pico import ShiftRegisters, read_board
from firmware.boards.strip import PioStrip
from firmware.node import Node

board = read_board()
registers, strip, said, scans = ShiftRegisters(len(board["chain"])), PioStrip(4 * len(board["pixels"])), [], []


def read():
    scans.append(time.ticks_us())
    return registers.read()


node = Node(board, read, said.append, "emulated", strip, open_panel(board))
for line in json.loads({lines!r}):
    node.receive_data(line.encode())
end = time.ticks_add(time.ticks_ms(), 1000)
while time.ticks_diff(end, time.ticks_ms()) > 0:
    node.step(time.ticks_ms())
for line in said:
    print(line.decode(), end="")
gaps = sorted(time.ticks_diff(scans[n], scans[n - 1]) for n in range(1, len(scans)))
print("gap_us", gaps[len(gaps) * 99 // 100])
strip.close()
"""


async def _played(image, board, chain, lines):
    strip, display = Strip(), Display()
    button = emulated_pico.HeldButton(board["buttons"]["go:0"])
    made = BoardSpec(extras=(lambda: chain, lambda: strip, lambda: button, lambda: display), image=image)
    device = MicroPythonDevice(board=made)
    emulated_pico.QuietHost(device)
    async with device:
        await emulated_pico.install_firmware(device, board)
        out, error = await device.aexec(PLAY.format(lines=json.dumps(lines)), timeout=None)
        assert not error, error
    return out.decode().replace("\r", ""), strip, display


@pytest.mark.image
def test_the_whole_program_runs_under_micropython():
    """Optional, because no registry has the image. Times are the emulated chip's: 99 % of scans within 20 ms."""
    image, made = find_image(), catalog.load_board("classic")
    board = catalog.describe_for_firmware(made)
    pegs = {"red-5", "blue-start-1", "red-120"}
    levels = [each in pegs if isinstance(each, str) else bool(each) for each in board["chain"]]
    frame = bytes(range(256)) * 5
    frame = frame[: 3 * len(board["pixels"])]
    lines = [wire.encode_paint(at, frame[at : at + 48]).decode() for at in range(0, len(frame), 48)]
    lines.append(wire.encode_show(len(frame), f"{crc32(frame):08x}").decode())
    rows = ((0, 2, "_"), *((row, 1, "") for row in range(2, 8)))
    lines += [wire.encode_text_row(*row).decode() for row in rows] + [wire.encode_tune([(880, 90)]).decode()]
    said, strip, display = emulated_pico.run_emulator(
        _played, image, board, Registers([int(not level) for level in levels]), lines
    )
    told = Decoder().feed(said.encode())
    assert not [each for each in told if isinstance(each, Fault | Failed)]
    assert isinstance(told[0], Lit | Hello)
    seen = [each for each in told if isinstance(each, Holes)]
    assert {made.holes[bit].id for bit in range(len(made.holes)) if seen[-1].bits >> bit & 1} == pegs
    green_red_blue = [tuple(frame[at : at + 3]) for at in range(0, len(frame), 3)]
    assert strip.frames[-1] == [(r, g, b) for g, r, b in green_red_blue]
    buttons = [each for each in told if isinstance(each, ButtonStates)][-1].buttons
    assert {name for name, _, is_down in buttons if is_down} == {"go:0"}
    assert [int(row, 16) for row in display.lit_rows()] == [0] * 12 + [0xFFFF << 112] * 4 + [0] * 48
    assert display.longest <= MAX_STEP_BYTES
    assert int(said.split("gap_us ")[1]) <= 20_000
