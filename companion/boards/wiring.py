"""Wiring of a board: which hole each bit of the shift-register chain senses, and which hole each pixel lights. Pure.

Bits of the chain are used between the holes and the firmware only; everywhere else a hole has its own bit. The firmware
gets the mapping from `firmware_description`, so the wiring is described in one place.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.common.errors import BoardError

Wire = str | int | None
"""What a bit of the chain senses: a hole (its id), a fixed level (a sentinel, 0 or 1) or nothing (a gap)."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A part of the chain on one circuit board: `count` bits from bit `first` on. `part` is the board's design."""

    name: str
    part: str
    first: int
    count: int


@dataclass(frozen=True)
class Wiring:
    """The bits of the chain in the order in which they are clocked in, and the pixels of the strip from its start.

    A peg gives level 1, so a sentinel of 1 is an input tied to ground and a sentinel of 0 an input tied to 3.3 V. With
    `end` the last bit is not an input but the level at the serial input of the last register, which follows when all
    registers are empty. A pixel is a hole id, the name of a pip (`die-1-3`) or None. `panel` has the pins of buttons,
    buzzer and display as in `board.json`.
    """

    chain: tuple[Wire, ...]
    pixels: tuple[str | None, ...]
    tiles: tuple[Tile, ...]
    end: bool = False
    panel: Mapping[str, Any] = field(default_factory=dict)

    def find_tile(self, bit: int) -> Tile:
        """Return the tile of a bit of the chain, or the last tile for a bit beyond the last input."""
        return next((tile for tile in self.tiles if bit < tile.first + tile.count), self.tiles[-1])

    def pin_name(self, bit: int) -> str:
        """Return the pin of a bit: `U2.H` is input H of the second register of its tile. H is clocked in before G."""
        tile = self.find_tile(bit)
        if self.end and bit == len(self.chain) - 1:
            return f"U{-(-tile.count // 8)}.SER"
        register, place = divmod(bit - tile.first, 8)
        return f"U{register + 1}.{'HGFEDCBA'[place]}"

    def holes_on_register(self, hole: str) -> tuple[str, ...]:
        """Return the holes whose sensors are on the same register as this hole's, in the order of the chain."""
        registers = [(self.find_tile(bit), self.pin_name(bit).partition(".")[0]) for bit in range(len(self.chain))]
        own = registers[self.chain.index(hole)]
        there = zip(self.chain, registers, strict=True)
        return tuple(wire for wire, at in there if at == own and isinstance(wire, str))


def create_plain_wiring(holes: Sequence[str], pixels: Mapping[str, int]) -> Wiring:
    """Create the wiring of a board file without `[wiring]`: hole after hole on one tile, without sentinels."""
    return Wiring(tuple(holes), _order_pixels(pixels), (Tile("board", "board", 0, len(holes)),))


def _order_pixels(pixels: Mapping[str, int]) -> tuple[str | None, ...]:
    at = {pixel: name for name, pixel in pixels.items()}
    return tuple(at.get(pixel) for pixel in range(max(at) + 1))


def validate_wiring(wiring: Wiring, holes: Iterable[str], pixels: Iterable[str]) -> Wiring:
    """Check that each hole has one bit and each hole and pip one pixel, and return the wiring. Raises BoardError."""
    _require_each_once((bit for bit in wiring.chain if isinstance(bit, str)), set(holes), "chain")
    _require_each_once((name for name in wiring.pixels if name is not None), set(pixels), "strip of pixels")
    _require_unique_names([tile.name for tile in wiring.tiles])
    return wiring


def _require_each_once(given: Iterable[str], wanted: set[str], what: str) -> None:
    left = set(wanted)
    for name in given:
        if name not in wanted:
            raise BoardError(f"the {what} has {name!r}, which does not exist.")
        if name not in left:
            raise BoardError(f"the {what} has {name} twice.")
        left.remove(name)
    if left:
        raise BoardError(f"the {what} leaves out {min(left)}.")


def _require_unique_names(names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise BoardError(f"two tiles are called {twice}.")


def firmware_description(name: str, holes: Sequence[str], wiring: Wiring) -> dict[str, Any]:
    """Return what the firmware reads as `board.json`: docs/reference/boards.md#for-the-boards-own-program."""
    tied = [bit for bit, wire in enumerate(wiring.chain) if isinstance(wire, int)]
    return {
        "board": name,
        "holes": list(holes),
        "chain": list(wiring.chain),
        "tiles": [wiring.find_tile(bit).name for bit in tied],
        "pixels": list(wiring.pixels),
        **wiring.panel,
    }
