"""A Pico emulated by rp2040py, and the devices at its pins: registers at SPI0, pixels, a button, a display at I2C0."""

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rp2040py.external.ws2812 import Ws2812
from rp2040py.gpio_pin import GPIOPinState

from companion.devices.simulated_board import SimulatedDisplay
from firmware.screen import ADDRESS

PIO0, IO_BANK, SPI0, I2C0 = 0x50200000, 0x40014000, 0x4003C000, 0x40044000
LOAD, PIXELS = 5, 6
USB_FRAME_NS = 1_000_000
FIRMWARE = Path(__file__).parents[2] / "firmware"


def find_image():
    """Return the image of MicroPython that PICO_UF2 names, or skip the test: no registry has one."""
    return os.environ.get("PICO_UF2") or pytest.skip(
        "No MicroPython image for a Pico: build one with tests/firmware/build_image.sh, and name it: PICO_UF2=…"
    )


def run_emulator(doing, *given):
    """Run the emulator in a thread of its own, because a browser test may have left an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(doing(*given))).result()


async def install_firmware(device, board, **more):
    """Write the firmware, its board.json and `more` files onto the disk of an emulated Pico."""
    files = {f"firmware/{file.relative_to(FIRMWARE)}": file.read_text() for file in sorted(FIRMWARE.rglob("*.py"))}
    for path, text in (files | {"board.json": json.dumps(board)} | more).items():
        _, error = await device.aexec(_write_file(path, text), timeout=None)
        assert not error, error


def _write_file(path, text):
    folders = [str(folder) for folder in reversed(Path(path).parents) if str(folder) != "."]
    made = "".join(f"try:\n os.mkdir({folder!r})\nexcept OSError:\n pass\n" for folder in folders)
    return f"import os\n{made}with open({path!r}, 'w') as file:\n file.write({text!r})\n"


class Registers:
    """A chain of 74HC165s: GP5 low loads the `inputs`, SPI0 clocks them out, eight at a time."""

    def __init__(self, inputs):
        self.inputs, self._left = list(inputs), []

    def attach(self, rp2040):
        self._spi = rp2040.spi[0]
        self._spi.on_transmit = self._on_transmit
        rp2040.gpio[LOAD].add_listener(self._on_load)

    def _on_load(self, now, before):
        if now == GPIOPinState.LOW:
            self._left = list(self.inputs)

    def _on_transmit(self, value):
        octet = 0
        for _ in range(8):
            octet = octet << 1 | (self._left.pop(0) if self._left else 1)
        self._spi.complete_transmit(octet)


class Strip(Ws2812):
    """Pixels that record every frame, and the edges of their data line in nanoseconds."""

    def __init__(self):
        super().__init__(PIXELS, color_order="GRB", latch_nanos=280_000)
        self.frames, self.edges = [], []
        self.on_pixels = lambda pixels: self.frames.append(list(pixels))

    def attach(self, rp2040):
        super().attach(rp2040)
        rp2040.gpio[PIXELS].add_listener(lambda now, before: self.edges.append((rp2040.clock.nanos, int(now))))


class HeldButton:
    """A button that holds this pin at ground."""

    def __init__(self, pin):
        self._pin = pin

    def attach(self, rp2040):
        rp2040.gpio[self._pin].set_input_value(False)


class Display(SimulatedDisplay):
    """An SSD1306 at I2C0, which takes each transfer at its stop. `longest` is the most bytes of one."""

    def __init__(self):
        super().__init__()
        self.longest, self._data = 0, bytearray()

    def attach(self, rp2040):
        self._bus = rp2040.i2c[0]
        self._bus.on_connect = lambda address, mode: self._bus.complete_connect(address == ADDRESS)
        self._bus.on_write_byte = self._on_byte
        self._bus.on_stop = self._on_stop

    def _on_byte(self, value):
        self._data.append(value)
        self._bus.complete_write(True)

    def _on_stop(self):
        if self._data:
            self.longest = max(self.longest, len(self._data))
            self.writeto(ADDRESS, self._data)
            self._data.clear()
        self._bus.complete_stop()


class QuietHost:
    """Makes the emulated host send only what there is to send, once in a frame of 1 ms, as a real host does.

    By itself it answers each request of the chip at once with an empty packet, which keeps the chip busy for 70 % of
    its time.
    """

    def __init__(self, device):
        self._cdc, self._wanted = device.cdc, None
        self._read, self._send = device.cdc.usb.on_endpoint_read, device.cdc.send_serial_byte
        self._frame = device.simulator.clock.create_alarm(self._on_frame)
        device.cdc.usb.on_endpoint_read = self._on_read
        device.cdc.send_serial_byte = self._send_byte

    def _on_read(self, endpoint, size):
        if endpoint == 0 or self._cdc.tx_fifo.item_count:
            self._read(endpoint, size)
        else:
            self._wanted = endpoint, size

    def _send_byte(self, octet):
        if self._wanted and not self._cdc.tx_fifo.item_count:
            self._frame.schedule(USB_FRAME_NS)
        self._send(octet)

    def _on_frame(self):
        if self._wanted:
            wanted, self._wanted = self._wanted, None
            self._read(*wanted)
