"""The chain of inputs as `board.json` tells of it: which bit is which hole, and which bits never change. Pure.

A sentinel is an input that is tied to one level. While it reads the other, a wire is cut or shorted or a tile has no
power, and no hole of the chain is believed. docs/reference/board-json.md describes the file.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from typing import Any

MOST = 4096
"""No chain is longer, in bits."""

FEW = 4
"""A tile of so few holes may well be full of pegs."""


class Chain:
    """A `board` as read from `board.json`. Its `chain` names for bit 0, bit 1, … a hole, a sentinel's level, or None.

    `holes` are named in the order of the bits that the companion is told; absent, in the order of the chain. `tiles`
    are the names of the stretches that each sentinel ends; absent, these are numbered from 1. Raises ValueError.
    """

    def __init__(self, board: "dict[str, Any]") -> None:
        chain = board["chain"]
        named = [each for each in chain if isinstance(each, str)]
        holes = list(board.get("holes") or named)
        _check(chain, named, holes)
        self.count = len(holes)
        self.inputs = 0
        """The bits that are holes."""
        self._fixed = 0
        self._tied = 0
        self._full = 0
        """Where no sentinel shows that the data is held at 1: all holes, for no game fills a board with pegs."""
        self._tiles = list(board.get("tiles") or [])
        self._stretches: "list[tuple[int, int]]" = []
        """The sentinel that ends each stretch, and its holes unless they are few, both as bits."""
        numbers = {hole: number for number, hole in enumerate(holes)}
        self._numbers = [numbers[each] if isinstance(each, str) else -1 for each in chain]
        holes_of_it = count = 0
        for bit, each in enumerate(chain):
            if isinstance(each, str):
                holes_of_it |= 1 << bit
                count += 1
            elif each is not None:
                self._fixed |= 1 << bit
                self._tied |= each << bit
                self._stretches.append((1 << bit, holes_of_it if count > FEW else 0))
                self.inputs |= holes_of_it
                holes_of_it = count = 0
        self.inputs |= holes_of_it
        if self._fixed and self._fixed == self._tied and self.count >= 8:
            self._full = self.inputs

    def broken(self, raw: int) -> "str | None":
        """The tile of the first sentinel, from bit 0 on, that reads the wrong level; None where all are right.

        Where whole tiles before it seem to be full of pegs, the line is held at 1 from there on: the first of them.
        """
        wrong = (raw ^ self._tied) & self._fixed
        if self._full and raw & self._full == self._full:
            wrong = self._fixed
        if not wrong:
            return None
        tile = 0
        while not wrong & self._stretches[tile][0]:
            tile += 1
        while tile and raw & self._stretches[tile - 1][1] == (self._stretches[tile - 1][1] or -1):
            tile -= 1
        return str(self._tiles[tile]) if tile < len(self._tiles) else str(tile + 1)

    def levels(self, raw: int) -> int:
        """The holes of these bits, hole 0 the lowest."""
        # Most octets hold no peg: shifting each bit of a large number to its place would take a Pico 16 ms.
        found = bytearray((self.count + 7) // 8)
        for place, octet in enumerate((raw & self.inputs).to_bytes((len(self._numbers) + 7) // 8, "little")):
            left, bit = octet, 8 * place
            while left:
                if left & 1:
                    number = self._numbers[bit]
                    found[number >> 3] |= 1 << (number & 7)
                left >>= 1
                bit += 1
        return int.from_bytes(found, "little")


def plain(count: int) -> "dict[str, Any]":
    """The board whose chain is its holes alone, in order."""
    return {"chain": [f"hole-{number}" for number in range(count)]}


def _check(chain: "list[Any]", named: "list[str]", holes: "list[str]") -> None:
    if not 0 < len(chain) <= MOST:
        raise ValueError("board.json has no chain, or too long a one")
    for each in chain:
        if not (each is None or isinstance(each, str) or (isinstance(each, int) and each in (0, 1))):
            raise ValueError(f"board.json has {each!r} in its chain, which is no hole, 0, 1 or null")
    if len(set(named)) != len(named) or len(set(holes)) != len(holes):
        raise ValueError("board.json names a hole twice")
    if set(named) != set(holes):
        odd = sorted(set(named) ^ set(holes))[0]
        raise ValueError(f"board.json has the hole {odd} in its chain or its holes, and not in both")
