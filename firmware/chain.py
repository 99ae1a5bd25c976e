"""The chain of inputs of a `board.json`: maps bits to holes, and detects a broken chain by its sentinels. Pure.

A sentinel is an input tied to a fixed level. If it reads the other level, a wire is cut or shorted or a tile has no
power, and no level of the chain counts. docs/reference/board-json.md describes the file.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no typing
    from typing import Any

MAX_CHAIN_BITS = 4096
"""Maximum length of a chain in bits."""

FEW_HOLES = 4
"""A tile with at most this many holes may really be full of pegs."""


class Chain:
    """The chain of a `board` as read from `board.json`. Raises ValueError for an invalid one.

    `chain` has for bit 0, bit 1, … a hole's name, a sentinel's level (0 or 1), or None. `holes` is the order of the
    holes on the wire; by default that of the chain. `tiles` names the stretch that each sentinel ends; by default these
    are numbered from 1.
    """

    def __init__(self, board: "dict[str, Any]") -> None:
        chain = board["chain"]
        named = [each for each in chain if isinstance(each, str)]
        holes = list(board.get("holes") or named)
        _check_board(chain, named, holes)
        self.count = len(holes)
        self.inputs = 0
        """Mask of the bits that are holes."""
        self._fixed = 0
        self._tied = 0
        self._full = 0
        """Mask of all holes if all sentinels are 1: then all ones means data held at 1, as no game fills a board."""
        self._tiles = list(board.get("tiles") or [])
        self._stretches: "list[tuple[int, int]]" = []
        """For each stretch its sentinel and its holes as bits; 0 if it has few holes."""
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
                self._stretches.append((1 << bit, holes_of_it if count > FEW_HOLES else 0))
                self.inputs |= holes_of_it
                holes_of_it = count = 0
        self.inputs |= holes_of_it
        if self._fixed and self._fixed == self._tied and self.count >= 8:
            self._full = self.inputs

    def find_broken_tile(self, raw: int) -> "str | None":
        """Return the tile of the first sentinel that reads a wrong level, or None if the chain is whole.

        If the tiles directly before it read as full of pegs, the data line is held at 1 from there on, and the first of
        those tiles is returned.
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

    def hole_levels(self, raw: int) -> int:
        """Return the levels of the holes in these bits, hole 0 the lowest."""
        # Most octets hold no peg. Shifting each bit of a large number to its place would take a Pico 16 ms.
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


def plain_board(count: int) -> "dict[str, Any]":
    """Return a board of `count` holes whose chain is its holes in order."""
    return {"chain": [f"hole-{number}" for number in range(count)]}


def _check_board(chain: "list[Any]", named: "list[str]", holes: "list[str]") -> None:
    if not 0 < len(chain) <= MAX_CHAIN_BITS:
        raise ValueError("board.json has no chain, or too long a one")
    for each in chain:
        if not (each is None or isinstance(each, str) or (isinstance(each, int) and each in (0, 1))):
            raise ValueError(f"board.json has {each!r} in its chain, which is not a hole, 0, 1 or null")
    if len(set(named)) != len(named) or len(set(holes)) != len(holes):
        raise ValueError("board.json names a hole twice")
    if set(named) != set(holes):
        odd = sorted(set(named) ^ set(holes))[0]
        raise ValueError(f"board.json has the hole {odd} in its chain or its holes, and not in both")
