"""A simulated chain of shift registers, wire by wire: what is cut or shorted reads as it would.

Power, ground, clock and load run from tile to tile outwards, the
data from tile to tile back to the board's program. Levels are those of the number it reads: 1 is what a peg gives.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

WIRES = ("power", "ground", "clock", "load", "data")
"""What runs between two neighbours."""


class Fault(NamedTuple):
    """A wire between a tile (0 is the nearest) and its neighbour towards the program is `cut`, or held at a level.

    `floats` is the level at which an input rests that nothing drives.
    """

    tile: int
    wire: str
    how: Literal["cut", 0, 1]
    floats: int = 0


class SimulatedChain:
    """The chain of a `board.json`. `read(occupied)` gives its bits, the first clocked in the lowest."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.fault: Fault | None = None
        self._holes = _numbers(board)
        self._tiles = _stretches(board)
        self._held: list[list[int]] = [[0] * len(tile) for tile in self._tiles]
        self._known: tuple[int, Fault | None] | None = None
        self._raw = 0

    @property
    def tiles(self) -> int:
        """How many there are."""
        return len(self._tiles)

    def read(self, occupied: int) -> int:
        """Load all inputs at one moment and clock them in; `occupied` are the holes with a peg, hole 0 the lowest."""
        if self._known != (occupied, self.fault):  # a scan of the same chain gives the same
            # Once around, and what a register that cannot load still held is gone.
            for _ in range(1 if self.fault is None else 2):
                self._raw = self._scan([[self._input(each, occupied) for each in tile] for tile in self._tiles])
            self._known = occupied, self.fault
        return self._raw

    def _input(self, each: str | int | None, occupied: int) -> int:
        if isinstance(each, str):
            return occupied >> self._holes[each] & 1
        return each or 0

    def _scan(self, inputs: list[list[int]]) -> int:
        if self.fault is None:
            return sum(level << bit for bit, level in enumerate(level for tile in inputs for level in tile))
        for tile, levels in enumerate(inputs):
            if self._line(tile, "load") in ("driven", 1):
                self._held[tile] = list(levels)
        raw = 0
        for bit in range(sum(map(len, inputs))):
            raw |= self._out(0, inputs) << bit
            given = [self._out(tile + 1, inputs) for tile in range(len(inputs))]
            for tile, level in enumerate(given):
                if self._line(tile, "clock") == "driven" and self._line(tile, "load") in ("driven", 0):
                    self._held[tile] = [*self._held[tile][1:], level]
        return raw

    def _out(self, tile: int, inputs: Sequence[Sequence[int]]) -> int:
        """What arrives from this tile at its neighbour; beyond the last the wire is tied as its last input is."""
        if tile == len(inputs):
            return inputs[-1][-1]
        assert self.fault is not None
        if self.fault.wire == "data" and self.fault.tile == tile:
            return self.fault.floats if self.fault.how == "cut" else self.fault.how
        if not all(self._line(tile, wire) == "driven" for wire in ("power", "ground")):
            return self.fault.floats
        return self._held[tile][0]

    def _line(self, tile: int, wire: str) -> Literal["driven", 0, 1]:
        """How a tile finds a wire that runs outwards: a cut one it finds afloat, a shorted one all tiles find held.

        `load` at level 1, which is low, loads all the time; at 0 never.
        """
        fault = self.fault
        if fault is None or fault.wire != wire or (fault.how == "cut" and tile < fault.tile):
            return "driven"
        return 1 if (fault.floats if fault.how == "cut" else fault.how) else 0


class SimulatedStrip:
    """The strip at a simulated board: what was sent to it."""

    shown = b""

    def show(self, data: bytes | memoryview) -> bool:
        """Send these bytes."""
        self.shown = bytes(data)
        return True


def _numbers(board: Mapping[str, Any]) -> dict[str, int]:
    named = board.get("holes") or [each for each in board["chain"] if isinstance(each, str)]
    return {hole: number for number, hole in enumerate(named)}


def _stretches(board: Mapping[str, Any]) -> list[list[str | int | None]]:
    """The chain in tiles: stretches of one name, which is that of each sentinel at or after a bit."""
    chain = board["chain"]
    ties = sum(isinstance(each, int) for each in chain)
    names = board.get("tiles") or list(range(ties))
    past = 0
    called = []
    for each in chain:
        called.append(names[min(past, ties - 1)] if ties else 0)
        past += isinstance(each, int)
    return [[chain[bit] for bit in bits] for _, bits in groupby(range(len(chain)), lambda bit: called[bit])]
