"""The parts of a simulated board: its chain of shift registers, faults of its sensors, buttons, buzzer and display.

The chain is simulated wire by wire, so that cut and shorted wires read as on a real board: power, ground, clock and
load run outwards from tile to tile, data runs back to the firmware. Level 1 means a peg.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from companion.common.errors import DeviceError
from companion.devices import simulated_framebuf
from firmware.panel import Panel
from firmware.screen import ADDRESS, TextScreen

CHAIN_WIRES = ("power", "ground", "clock", "load", "data")
"""The wires between two neighbouring tiles."""


class WireFault(NamedTuple):
    """A fault of a wire between a tile (0 is nearest to the Pico) and its neighbour towards the Pico.

    `how` is `cut`, or the level at which the wire is held. `floats` is the level of an input that nothing drives.
    """

    tile: int
    wire: str
    how: Literal["cut", 0, 1]
    floats: int = 0


class SimulatedChain:
    """The chain of a `board.json`."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.fault: WireFault | None = None
        self._holes = _number_holes(board)
        self._tiles = _split_tiles(board)
        self._held: list[list[int]] = [[0] * len(tile) for tile in self._tiles]
        self._last_input: tuple[int, WireFault | None] | None = None
        self._raw = 0

    def read(self, occupied: int) -> int:
        """Latch all inputs and return the bits, the first clocked in the lowest.

        :param occupied: the holes with a peg, as bits, hole 0 the lowest.
        """
        if self._last_input != (occupied, self.fault):  # the same input gives the same result
            # Scan twice, so that nothing is left in a register that cannot load.
            for _ in range(1 if self.fault is None else 2):
                self._raw = self._clock_in(
                    [[self._input_level(source, occupied) for source in tile] for tile in self._tiles]
                )
            self._last_input = occupied, self.fault
        return self._raw

    def _input_level(self, source: str | int | None, occupied: int) -> int:
        return occupied >> self._holes[source] & 1 if isinstance(source, str) else source or 0

    def _clock_in(self, inputs: list[list[int]]) -> int:
        if self.fault is None:
            return sum(level << bit for bit, level in enumerate(level for tile in inputs for level in tile))
        for tile, levels in enumerate(inputs):
            if self._line_state(tile, "load") in ("driven", 1):
                self._held[tile] = list(levels)
        raw = 0
        for bit in range(sum(map(len, inputs))):
            raw |= self._output_level(0, inputs) << bit
            given = [self._output_level(tile + 1, inputs) for tile in range(len(inputs))]
            for tile, level in enumerate(given):
                if self._line_state(tile, "clock") == "driven" and self._line_state(tile, "load") in ("driven", 0):
                    self._held[tile] = [*self._held[tile][1:], level]
        return raw

    def _output_level(self, tile: int, inputs: Sequence[Sequence[int]]) -> int:
        """Return the data level from this tile at its neighbour. Beyond the last tile, its last input is repeated."""
        if tile == len(inputs):
            return inputs[-1][-1]
        assert self.fault is not None
        if self.fault.wire == "data" and self.fault.tile == tile:
            return self.fault.floats if self.fault.how == "cut" else self.fault.how
        if not all(self._line_state(tile, wire) == "driven" for wire in ("power", "ground")):
            return self.fault.floats
        return self._held[tile][0]

    def _line_state(self, tile: int, wire: str) -> Literal["driven", 0, 1]:
        """Return the state of an outward wire at a tile: "driven", or a level if it is cut before the tile or shorted.

        `load` at level 1, which is low, loads all the time; at 0 it never loads.
        """
        fault = self.fault
        if fault is None or fault.wire != wire or (fault.how == "cut" and tile < fault.tile):
            return "driven"
        return 1 if (fault.floats if fault.how == "cut" else fault.how) else 0


class SimulatedStrip:
    """The strip of a simulated board. It keeps the bytes sent to it."""

    shown = b""

    def show(self, data: bytes | memoryview) -> bool:
        self.shown = bytes(data)
        return True


def _number_holes(board: Mapping[str, Any]) -> dict[str, int]:
    holes = board.get("holes") or [source for source in board["chain"] if isinstance(source, str)]
    return {hole: number for number, hole in enumerate(holes)}


def _split_tiles(board: Mapping[str, Any]) -> list[list[str | int | None]]:
    """Return the chain split into tiles. A bit belongs to the tile of the next sentinel at or after it."""
    chain = board["chain"]
    sentinels = sum(isinstance(source, int) for source in chain)
    names = board.get("tiles") or list(range(sentinels))
    passed = 0
    tiles = []
    for source in chain:
        tiles.append(names[min(passed, sentinels - 1)] if sentinels else 0)
        passed += isinstance(source, int)
    return [[chain[bit] for bit in bits] for _, bits in groupby(range(len(chain)), lambda bit: tiles[bit])]


FLAP_INTERVAL_MS = 200
"""Interval in ms at which a flapping sensor changes. Slower than contact bounce, so that the firmware reports each."""


class SensorFaults(NamedTuple):
    """The holes with a faulty sensor, as bits, by kind of fault. A hole has at most one fault."""

    stuck: int = 0
    """Always closed: reports a peg whether or not one is in."""
    flapping: int = 0
    """Opens and closes by itself."""
    dead: int = 0
    """Always open: never reports a peg."""

    def with_fault(self, holes: int, kind: str | None) -> "SensorFaults":
        """Return these faults with this kind of fault for these holes; None repairs them."""
        rest = SensorFaults(*(bits & ~holes for bits in self))
        return rest._replace(**{kind: getattr(rest, kind) | holes}) if kind else rest

    def sensed_levels(self, occupied: int, now_ms: int) -> int:
        """Return the levels that the sensors report for the pegs in `occupied`."""
        flips = self.flapping if now_ms // FLAP_INTERVAL_MS & 1 else 0
        return ((occupied | self.stuck) & ~self.dead) ^ flips

    def idle_ms(self, now_ms: int) -> int | None:
        """Return the time in ms until a sensor changes by itself, or None if none does."""
        return FLAP_INTERVAL_MS - now_ms % FLAP_INTERVAL_MS if self.flapping else None


FAULT_KINDS = SensorFaults._fields
"""The kinds of fault, by name."""


class SimulatedDisplay:
    """An SSD1306 at an I2C bus, as far as the firmware uses it: pages of eight rows, a byte to each column."""

    WIDTH, HEIGHT = 128, 64

    def __init__(self) -> None:
        self.is_on = False
        self._memory = bytearray(self.WIDTH * self.HEIGHT // 8)
        self._at = 0

    def writeto(self, address: int, data: bytes | bytearray) -> None:
        assert address == ADDRESS
        if data[0]:
            self._memory[self._at : self._at + len(data) - 1] = data[1:]
            self._at += len(data) - 1
        elif len(data) == 2:
            self.is_on = data[1] == 0xAF
        elif len(data) == 4:  # page, and column in two halves
            self._at = (data[1] & 7) * self.WIDTH + (data[2] & 15 | (data[3] & 15) << 4)

    def lit_rows(self) -> list[str]:
        """Return the picture: for each row of pixels, from the top, a hexadecimal number, the leftmost pixel first."""
        if not self.is_on:
            return ["0" * (self.WIDTH // 4)] * self.HEIGHT
        pages = [self._memory[at : at + self.WIDTH] for at in range(0, len(self._memory), self.WIDTH)]
        rows = [int("".join(str(octet >> bit & 1) for octet in page), 2) for page in pages for bit in range(8)]
        return [f"{row:0{self.WIDTH // 4}x}" for row in rows]


class SimulatedPanel:
    """The parts that a `board.json` names."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.display = SimulatedDisplay() if board.get("display") is not None else None
        self.tones: list[int] = []
        """The frequencies in Hz that sounded, the newest last, 0 for silence; the last few."""
        self._names = sorted(board.get("buttons") or ())
        self._down = 0
        screen = TextScreen(self.display, simulated_framebuf) if self.display else None
        self.firmware = Panel(self._names, lambda: self._down, self._play_tone, screen)
        """The firmware's own code at these parts."""

    def display_rows(self) -> list[str]:
        """Return the picture of the display, a hexadecimal number for each row of pixels; empty without one."""
        return self.display.lit_rows() if self.display else []

    def is_noticed(self) -> bool:
        """Return whether the firmware has noticed which buttons are down."""
        return self.firmware.button_levels == self._down

    def hold_button(self, name: str, down: bool) -> None:
        if name not in self._names:
            raise DeviceError(f"Unknown button {name!r}. Use one of {', '.join(self._names)}.")
        bit = 1 << self._names.index(name)
        self._down = self._down & ~bit | bit * down

    def _play_tone(self, hz: int) -> None:
        self.tones = [*self.tones[-31:], hz]
