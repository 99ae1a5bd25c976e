"""How the copper runs: which hole each bit of the chain of shift registers tells, and which each pixel lights. Pure.

A level travels as the chain's bit only from the hole to the board's own program; from there on everything goes by the
hole's own bit. `board_file` gives what that program reads, so that no wire is described twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.common.errors import BoardError

Wire = str | int | None
"""What a bit of the chain tells: a hole by its id, a fixed level (a sentinel, 0 or 1), or nothing (a gap)."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece of the chain on a circuit board of its own: `count` bits from bit `first` on. `part` is its pattern."""

    name: str
    part: str
    first: int
    count: int


@dataclass(frozen=True)
class Wiring:
    """The chain's bits, that which is clocked in first first, and the strip's pixels, the first one first.

    A level of 1 is what a peg gives. So a sentinel of 1 is an input tied to ground and one of 0 an input tied to 3.3 V.
    With `end` the chain's last bit is no input: it is the level at the serial input of the last register, which comes
    out when all registers are empty. A pixel is a hole's, or a pip's of dice or display (`die-1-3`), or None.
    """

    chain: tuple[Wire, ...]
    pixels: tuple[str | None, ...]
    tiles: tuple[Tile, ...]
    end: bool = False

    def find_tile(self, bit: int) -> Tile:
        """The tile of a bit of the chain; beyond the last input it is the last tile."""
        return next((tile for tile in self.tiles if bit < tile.first + tile.count), self.tiles[-1])

    def pin_name(self, bit: int) -> str:
        """Where the bit enters: `U2.H` is input H of its tile's second register. H is clocked in before G."""
        tile = self.find_tile(bit)
        if self.end and bit == len(self.chain) - 1:
            return f"U{-(-tile.count // 8)}.SER"
        register, place = divmod(bit - tile.first, 8)
        return f"U{register + 1}.{'HGFEDCBA'[place]}"

    def holes_on_register(self, hole: str) -> tuple[str, ...]:
        """The holes whose switches enter the same register as this one's, in the chain's order."""
        registers = [(self.find_tile(bit), self.pin_name(bit).partition(".")[0]) for bit in range(len(self.chain))]
        own = registers[self.chain.index(hole)]
        there = zip(self.chain, registers, strict=True)
        return tuple(wire for wire, at in there if at == own and isinstance(wire, str))


def create_plain_wiring(holes: Sequence[str], pixels: Mapping[str, int]) -> Wiring:
    """Without a wiring in the board file: bit after bit is hole after hole, on one tile, and nothing is tied."""
    return Wiring(tuple(holes), _order_pixels(pixels), (Tile("board", "board", 0, len(holes)),))


def _order_pixels(pixels: Mapping[str, int]) -> tuple[str | None, ...]:
    at = {pixel: name for name, pixel in pixels.items()}
    return tuple(at.get(pixel) for pixel in range(max(at) + 1))


def validate_wiring(wiring: Wiring, holes: Iterable[str], pixels: Iterable[str]) -> Wiring:
    """The wiring, if each hole has one bit and each hole and pip one pixel. Raises BoardError."""
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
    """What the board's own program reads as `board.json`: docs/reference/boards.md#for-the-boards-own-program."""
    tied = [bit for bit, wire in enumerate(wiring.chain) if isinstance(wire, int)]
    return {
        "board": name,
        "holes": list(holes),
        "chain": list(wiring.chain),
        "tiles": [wiring.find_tile(bit).name for bit in tied],
        "pixels": list(wiring.pixels),
    }
