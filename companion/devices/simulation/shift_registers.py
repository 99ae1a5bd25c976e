"""A simulated chain of shift registers, wire by wire, so that cut and shorted wires read as on a real board.

Power, ground, clock and load run outwards from tile to tile, data runs back to the firmware. Level 1 means a peg.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

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
        self._known: tuple[int, WireFault | None] | None = None
        self._raw = 0

    def read(self, occupied: int) -> int:
        """Latch all inputs and return the bits, the first clocked in the lowest.

        :param occupied: the holes with a peg, as bits, hole 0 the lowest.
        """
        if self._known != (occupied, self.fault):  # the same input gives the same result
            # Scan twice, so that nothing is left in a register that cannot load.
            for _ in range(1 if self.fault is None else 2):
                self._raw = self._clock_in(
                    [[self._input_level(each, occupied) for each in tile] for tile in self._tiles]
                )
            self._known = occupied, self.fault
        return self._raw

    def _input_level(self, each: str | int | None, occupied: int) -> int:
        if isinstance(each, str):
            return occupied >> self._holes[each] & 1
        return each or 0

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
        """Show these bytes."""
        self.shown = bytes(data)
        return True


def _number_holes(board: Mapping[str, Any]) -> dict[str, int]:
    named = board.get("holes") or [each for each in board["chain"] if isinstance(each, str)]
    return {hole: number for number, hole in enumerate(named)}


def _split_tiles(board: Mapping[str, Any]) -> list[list[str | int | None]]:
    """Return the chain split into tiles. A bit belongs to the tile of the next sentinel at or after it."""
    chain = board["chain"]
    ties = sum(isinstance(each, int) for each in chain)
    names = board.get("tiles") or list(range(ties))
    past = 0
    called = []
    for each in chain:
        called.append(names[min(past, ties - 1)] if ties else 0)
        past += isinstance(each, int)
    return [[chain[bit] for bit in bits] for _, bits in groupby(range(len(chain)), lambda bit: called[bit])]
