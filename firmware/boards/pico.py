"""A Raspberry Pi Pico with a chain of 74HC165 shift registers for the holes, connected to the companion by USB.

| Pico | goes to |
|---|---|
| GP2 (SPI0 SCK) | CLK of every register |
| GP3 (SPI0 TX) | nothing; reserved so that SPI does not use another pin |
| GP4 (SPI0 RX) | QH of the nearest register; each further one's QH goes to the SER of the one before |
| GP5 | SH/LD of every register |
| GP6 | DIN of the strip, if the board has one, through a level shifter to 5 V |
| 3V3, GND | VCC and GND; CLK INH to GND |

`board.json` describes the chain (docs/reference/board-json.md), and names the pins of buttons, buzzer and display. On
the Pico, `main.py` has two lines: `from firmware.boards.pico import main` and `main()`.
"""

import gc
import json
import select
import sys
import time
from binascii import hexlify

import machine
import micropython

from firmware import wire
from firmware.boards.panel import open_panel
from firmware.boards.strip import PioStrip
from firmware.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from typing import Any

SPI_HZ = 1_000_000
"""SPI clock of the chain in Hz."""

WATCHDOG_MS = 8000
"""Watchdog timeout in ms; the chip resets a program that hangs for longer."""

RESTART_DELAY_MS = 1000
"""Pause in ms after a failure, before the program restarts."""

MAX_READ_BYTES = 48
"""Maximum number of bytes read from the companion at a time, so that no scan waits for more than half a line."""

COLLECT_INTERVAL_MS = 800
"""Interval in ms at which memory is collected, while no contact changes. It takes 13 ms, in which no hole is read."""

CTRL_C = 3

_MIRRORED = bytes([sum((octet >> bit & 1) << 7 - bit for bit in range(8)) for octet in range(256)])


class ShiftRegisters:
    """The chain of shift registers."""

    def __init__(self, bits: int) -> None:
        pull_up = machine.Pin(4, machine.Pin.IN, machine.Pin.PULL_UP)  # or an unplugged cable would read random levels
        # The registers shift on the rising edge; read on the falling one, when their output is stable.
        self._spi = machine.SPI(
            0, baudrate=SPI_HZ, polarity=1, phase=0, sck=machine.Pin(2), mosi=machine.Pin(3), miso=pull_up
        )
        self._load = machine.Pin(5, machine.Pin.OUT, value=1)
        self._octets = bytearray((bits + 7) // 8)
        self._all = (1 << 8 * len(self._octets)) - 1

    def read(self) -> int:
        """Latch all inputs at one moment and return them, the first bit lowest. 1 is an input at ground: a peg."""
        self._load.value(0)
        self._load.value(1)
        self._spi.readinto(self._octets)
        _mirror_bits(self._octets)
        return int.from_bytes(self._octets, "little") ^ self._all


def _mirror_bits(octets: bytearray) -> None:
    """Reverse the bits of each octet in place: SPI delivers the first bit as the highest."""
    for place in range(len(octets)):
        octets[place] = _MIRRORED[octets[place]]


class UsbCable:
    """The USB serial line. Ctrl-C ends the program only while no companion is connected; otherwise it is data."""

    def __init__(self) -> None:
        self._arriving = select.poll()
        self._arriving.register(sys.stdin, select.POLLIN)
        self._is_blocked = False

    def send(self, data: bytes) -> None:
        """Send to the companion. The bytes are lost while no program has the port open."""
        sys.stdout.buffer.write(data)

    def read(self) -> bytes:
        """Return the bytes that have arrived, at most `MAX_READ_BYTES`."""
        poll, read, data = self._arriving.poll, sys.stdin.buffer.read, b""
        while poll(0) and len(data) < MAX_READ_BYTES:
            data += read(1)
        return data

    def block_interrupt(self, blocked: bool) -> None:
        """Treat Ctrl-C as data while `blocked` is true."""
        if blocked != self._is_blocked:
            self._is_blocked = blocked
            micropython.kbd_intr(-1 if blocked else CTRL_C)  # type: ignore[attr-defined]


def main() -> None:
    """Run the board until the companion asks it to quit. Reports a failure and restarts."""
    cable = UsbCable()
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        while not _run_guarded(cable, watchdog):
            pass
    finally:
        cable.block_interrupt(False)
        _stop_watchdog(watchdog)


def _run_guarded(cable: UsbCable, watchdog: "Any") -> bool:
    try:
        run(cable, watchdog)
    except Exception as error:
        return _report_failure(cable, watchdog, error)
    return True


def run(cable: UsbCable, watchdog: "Any") -> None:
    """Read, debounce and report until the companion asks to quit."""
    board = read_board()
    registers = ShiftRegisters(len(board["chain"]))
    strip = PioStrip(4 * len(board["pixels"])) if board.get("pixels") else None
    try:
        chip = hexlify(machine.unique_id()).decode()
        _run_node(Node(board, registers.read, cable.send, chip, strip, open_panel(board)), cable, watchdog)
    finally:
        if strip:
            strip.close()


def _run_node(node: Node, cable: UsbCable, watchdog: "Any") -> None:
    collected_ms = time.ticks_ms()  # type: ignore[attr-defined]
    while not node.should_quit:
        watchdog.feed()
        if not node.is_changing() and (data := cable.read()):
            node.receive_data(data)
        now_ms = time.ticks_ms()  # type: ignore[attr-defined]
        cable.block_interrupt(node.has_session(now_ms))
        node.step(now_ms)
        if time.ticks_diff(now_ms, collected_ms) >= COLLECT_INTERVAL_MS and not node.is_changing():  # type: ignore[attr-defined]
            gc.collect()
            collected_ms = now_ms
        time.sleep_ms(1)  # type: ignore[attr-defined]


def read_board() -> "dict[str, Any]":
    """Read `board.json`, which describes the wiring. Raises ValueError."""
    try:
        with open("board.json") as file:  # noqa: PTH123 - MicroPython has no pathlib
            board: "dict[str, Any]" = json.load(file)
    except OSError as error:
        raise ValueError("board.json is missing") from error
    except ValueError as error:
        raise ValueError("board.json is damaged") from error
    if not isinstance(board, dict) or "chain" not in board:
        raise ValueError("board.json has no chain")
    return board


def _report_failure(cable: UsbCable, watchdog: "Any", error: Exception) -> bool:
    """Report a failure and pause. Returns whether the companion asks to quit meanwhile, to replace the firmware."""
    remedy = "; run companion flash" if isinstance(error, ValueError) else ""  # the files on the Pico are wrong
    cable.send(wire.encode_failed(f"{type(error).__name__}: {error}{remedy}"))
    decoder = wire.Decoder()
    for _ in range(RESTART_DELAY_MS):
        watchdog.feed()
        if wire.Quit() in decoder.feed(cable.read()):
            return True
        time.sleep_ms(1)  # type: ignore[attr-defined]
    return False


def _stop_watchdog(watchdog: "Any") -> None:
    """Stop the watchdog. The library cannot do that, so clear bit 30, which enables it, in its control register."""
    watchdog.feed()
    control = 0x400D8000 if "RP2350" in sys.implementation._machine else 0x40058000
    machine.mem32[control + 0x3000] = 1 << 30  # this address clears the written bits
