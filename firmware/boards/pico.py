"""A Raspberry Pi Pico: the holes on a chain of 74HC165 shift registers, the companion on the USB cable.

| Pico | goes to |
|---|---|
| GP2 (SPI0 SCK) | CLK of every register |
| GP4 (SPI0 RX) | QH of the nearest register; each further one's QH goes to the SER of the one before |
| GP5 | SH/LD of every register |
| 3V3, GND | VCC and GND; CLK INH to GND; a pull-up of 10 kΩ at every input |

Hole 0 is input A of the nearest register, hole 8 input A of the next. A peg closes its contact to ground.
On the Pico, `main.py` is two lines: `from firmware.boards.pico import main` and `main(HOLES)`.
"""

import select
import sys
import time
from binascii import hexlify

import machine  # type: ignore[import-not-found]
import micropython

from firmware.node import Node


class Registers:
    """The chain of shift registers. `read()` latches all inputs at one moment and clocks them in."""

    def __init__(self, holes: int) -> None:
        # The registers shift on the rising edge; read on the falling one, when their output has long stood.
        self._spi = machine.SPI(0, baudrate=1_000_000, polarity=1, phase=0, sck=machine.Pin(2), miso=machine.Pin(4))
        self._load = machine.Pin(5, machine.Pin.OUT, value=1)
        self._octets = bytearray((holes + 7) // 8)
        self._all = (1 << 8 * len(self._octets)) - 1

    def read(self) -> int:
        """The occupied holes as bits: an open contact is pulled up, a peg pulls it down."""
        self._load.value(0)
        self._load.value(1)
        self._spi.readinto(self._octets)
        return int.from_bytes(self._octets, "little") ^ self._all


def main(holes: int) -> None:
    """Run the board, for ever."""
    micropython.kbd_intr(-1)  # type: ignore[attr-defined]  # a byte of noise that looks like Ctrl-C must not end the program
    registers = Registers(holes)
    node = Node(holes, registers.read, sys.stdout.buffer.write, hexlify(machine.unique_id()).decode())
    arriving = select.poll()
    arriving.register(sys.stdin, select.POLLIN)
    while True:
        while arriving.poll(0):
            node.hear(sys.stdin.buffer.read(1))
        node.step(time.ticks_ms())  # type: ignore[attr-defined]
        time.sleep_ms(1)  # type: ignore[attr-defined]
