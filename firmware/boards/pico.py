"""A Raspberry Pi Pico: the holes on a chain of 74HC165 shift registers, the companion on the USB cable.

| Pico | goes to |
|---|---|
| GP2 (SPI0 SCK) | CLK of every register |
| GP3 (SPI0 TX) | nothing: named so that the SPI takes no other pin |
| GP4 (SPI0 RX) | QH of the nearest register; each further one's QH goes to the SER of the one before |
| GP5 | SH/LD of every register |
| GP6 | over a shifter to 5 V, the DIN of the strip, if the board has one |
| 3V3, GND | VCC and GND; CLK INH to GND |

`board.json` says what hangs on the chain (docs/reference/board-json.md). On the Pico, `main.py` is two lines:
`from firmware.boards.pico import main` and `main()`.
"""

import json
import select
import sys
import time
from binascii import hexlify

import machine
import micropython

from firmware import wire
from firmware.boards.strip import Strip
from firmware.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from typing import Any

SPEED = 1_000_000
"""Bits a second on the chain."""

WATCHDOG_MS = 8000
"""A program that hangs for so long is started anew by the chip itself."""

AGAIN_MS = 1000
"""After a failure the program rests so long."""

PORTION = 64
"""So many bytes are taken from the companion between two scans."""

CTRL_C = 3

_MIRRORED = bytes([sum((octet >> bit & 1) << 7 - bit for bit in range(8)) for octet in range(256)])


class Registers:
    """The chain of shift registers. `read()` latches all inputs at one moment and clocks them in."""

    def __init__(self, bits: int) -> None:
        pull_up = machine.Pin(4, machine.Pin.IN, machine.Pin.PULL_UP)  # or a cable that is out would read anything
        # The registers shift on the rising edge; read on the falling one, when their output has long stood.
        self._spi = machine.SPI(
            0, baudrate=SPEED, polarity=1, phase=0, sck=machine.Pin(2), mosi=machine.Pin(3), miso=pull_up
        )
        self._load = machine.Pin(5, machine.Pin.OUT, value=1)
        self._octets = bytearray((bits + 7) // 8)
        self._all = (1 << 8 * len(self._octets)) - 1

    def read(self) -> int:
        """The bits of the chain, the first clocked in the lowest. An input at ground is a 1: so a peg pulls it."""
        self._load.value(0)
        self._load.value(1)
        self._spi.readinto(self._octets)
        _mirror(self._octets)
        return int.from_bytes(self._octets, "little") ^ self._all


def _mirror(octets: bytearray) -> None:
    """The SPI puts the first bit of eight highest; here it is the lowest."""
    for place in range(len(octets)):
        octets[place] = _MIRRORED[octets[place]]


class Cable:
    """The USB cable. What the companion sends is data; Ctrl-C ends the program only while no companion is there."""

    def __init__(self) -> None:
        self._arriving = select.poll()
        self._arriving.register(sys.stdin, select.POLLIN)
        self._kept = False

    def send(self, data: bytes) -> None:
        """To the companion; lost while nobody has the port."""
        sys.stdout.buffer.write(data)

    def read(self) -> bytes:
        """What has arrived, a portion at most."""
        data = b""
        while len(data) < PORTION and self._arriving.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    def keep(self, kept: bool) -> None:
        """Whether a Ctrl-C is data."""
        if kept != self._kept:
            self._kept = kept
            micropython.kbd_intr(-1 if kept else CTRL_C)  # type: ignore[attr-defined]


def main() -> None:
    """Run the board until the companion asks it to quit. A failure is told, and all begins again."""
    cable = Cable()
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        while not _runs_to_its_end(cable, watchdog):
            pass
    finally:
        cable.keep(False)
        _stop(watchdog)


def _runs_to_its_end(cable: Cable, watchdog: "Any") -> bool:
    try:
        run(cable, watchdog)
    except Exception as error:
        return _tells(cable, watchdog, error)
    return True


def run(cable: Cable, watchdog: "Any") -> None:
    """Read, debounce and tell, for ever, or until the companion asks to quit."""
    board = read_board()
    registers = Registers(len(board["chain"]))
    strip = Strip(4 * len(board["pixels"])) if board.get("pixels") else None
    try:
        _serve(Node(board, registers.read, cable.send, hexlify(machine.unique_id()).decode(), strip), cable, watchdog)
    finally:
        if strip:
            strip.close()


def _serve(node: Node, cable: Cable, watchdog: "Any") -> None:
    while not node.quit:
        now_ms = time.ticks_ms()  # type: ignore[attr-defined]
        watchdog.feed()
        if data := cable.read():
            node.hear(data)
        cable.keep(node.in_session(now_ms))
        node.step(now_ms)
        time.sleep_ms(1)  # type: ignore[attr-defined]


def read_board() -> "dict[str, Any]":
    """The file that says how this board is wired. Raises ValueError."""
    try:
        with open("board.json") as file:  # noqa: PTH123 - MicroPython has no pathlib
            board: "dict[str, Any]" = json.load(file)
    except OSError as error:
        raise ValueError("there is no board.json: companion flash writes it") from error
    if not isinstance(board, dict) or "chain" not in board:
        raise ValueError("board.json has no chain: companion flash writes it")
    return board


def _tells(cable: Cable, watchdog: "Any", error: Exception) -> bool:
    """Tell what failed, and rest; whether the companion asks to quit meanwhile, to mend it."""
    cable.send(wire.failed(f"{type(error).__name__}: {error}"))
    decoder = wire.Decoder()
    for _ in range(AGAIN_MS):
        watchdog.feed()
        if wire.Quit() in decoder.feed(cable.read()):
            return True
        time.sleep_ms(1)  # type: ignore[attr-defined]
    return False


def _stop(watchdog: "Any") -> None:
    """Nobody feeds it any more. The chip's library cannot stop it, so its register is written: bit 30 lets it run."""
    watchdog.feed()
    control = 0x400D8000 if "RP2350" in sys.implementation._machine else 0x40058000
    machine.mem32[control + 0x3000] = 1 << 30  # what is written there is cleared
