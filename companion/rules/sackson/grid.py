"""The 5×5 display of Sackson swap: figures, contact and legal exchanges. Pure; knows no chips, seats or points.

A colour's five markers are 25 bits, cell (row, column) bit `5 * row + column`, and a display is five such numbers:
figures are looked up, contact is an `&`. Rules: docs/reference/games/swap.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from companion.rules.moves import Cell

COLOURS = ("red", "yellow", "green", "blue", "brown")
SIZE = 5
FIGURES = ("plus", "cross", "line", "zigzag")

Display = tuple[int, ...]
"""The bits of each colour, in the order of `COLOURS`."""


def _bits(cells: Iterable[Cell]) -> int:
    return sum(1 << SIZE * row + column for row, column in cells)


def _around(cell: int) -> int:
    row, column = divmod(cell, SIZE)
    near = product(range(max(0, row - 1), min(SIZE, row + 2)), range(max(0, column - 1), min(SIZE, column + 2)))
    return _bits(near) & ~(1 << cell)


AROUND = tuple(_around(cell) for cell in range(SIZE * SIZE))
"""For each cell the bits of those it touches, in eight directions."""

FIXED: Display = tuple(
    _bits((r, c) for r in range(SIZE) for c in range(SIZE) if (2 * r + c) % SIZE == n) for n in range(SIZE)
)
"""The usual start: no figure, none after a first exchange, 16 to 21 legal exchanges for any two colours."""

_PLUS = ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1))
_CROSS = ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2))
_ROW = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))
_LONG_DIAGONAL = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4))
_ALTERNATING = ((0, 0), (1, 1), (0, 2), (1, 3), (0, 4))
_STAIRS = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2))


@cache
def figures(zigzag: str = "alternating", diagonals: bool = True) -> Mapping[int, str]:
    """What each figure is called, by the bits of its five cells, for these options."""
    shapes = {"plus": [_PLUS], "cross": [_CROSS], "line": [_ROW]}
    shapes["zigzag"] = [_ALTERNATING if zigzag == "alternating" else _STAIRS]
    if diagonals:
        shapes["line"].append(_LONG_DIAGONAL)
    return {bits: name for name, some in shapes.items() for shape in some for bits in _placed(shape)}


def _placed(shape: Sequence[Cell]) -> Iterator[int]:
    """The bits of a shape wherever it fits, turned and mirrored in all ways."""
    for turn, mirror in product(range(4), (False, True)):
        cells = [(row, -column) if mirror else (row, column) for row, column in shape]
        for _ in range(turn):
            cells = [(column, -row) for row, column in cells]
        top, left = min(row for row, _ in cells), min(column for _, column in cells)
        height, width = max(row for row, _ in cells) - top, max(column for _, column in cells) - left
        for down, right in product(range(SIZE - height), range(SIZE - width)):
            yield _bits((row - top + down, column - left + right) for row, column in cells)


def laid(colours: Sequence[str]) -> Display:
    """The display of 25 colour names, row by row."""
    return tuple(sum(1 << cell for cell, name in enumerate(colours) if name == colour) for colour in COLOURS)


def rows(display: Display) -> tuple[tuple[str, ...], ...]:
    """The colour names, row by row."""
    return tuple(tuple(COLOURS[colour_at(display, (r, c))] for c in range(SIZE)) for r in range(SIZE))


def colour_at(display: Display, cell: Cell) -> int:
    """The number of the colour in this cell."""
    bit = 1 << _number(cell)
    return next(colour for colour, bits in enumerate(display) if bits & bit)


def exchanged(display: Display, a: Cell, b: Cell) -> Display:
    """The display after the markers in these two cells, of different colours, have changed places."""
    both = _bits((a, b))
    moving = (colour_at(display, a), colour_at(display, b))
    return tuple(bits ^ both if colour in moving else bits for colour, bits in enumerate(display))


class Fault(NamedTuple):
    """Why an exchange is not legal: the marker of `isolated` would touch no other, and `parted` would not connect."""

    isolated: int
    parted: int


def faults(display: Display, a: Cell, b: Cell) -> tuple[Fault, ...]:
    """What is wrong with an exchange of two colours; nothing, if it is legal (docs/reference/games/swap.md)."""
    one, other = colour_at(display, a), colour_at(display, b)
    wrong = _wrong(display[one], display[other], _number(a), _number(b))
    return tuple(Fault(*pair) for pair, is_wrong in zip(((one, other), (other, one)), wrong, strict=True) if is_wrong)


def exchanges(display: Display, one: int, other: int) -> Iterator[tuple[Cell, Cell]]:
    """Every legal exchange of a marker of colour `one` with a marker of colour `other`."""
    ones, others = display[one], display[other]
    for a, b in product(_numbers(ones), _numbers(others)):
        if not any(_wrong(ones, others, a, b)):
            yield divmod(a, SIZE), divmod(b, SIZE)


def _wrong(ones: int, others: int, a: int, b: int) -> tuple[bool, bool]:
    """Whether the marker that leaves cell `a` would be isolated with `others` parted; and the one that leaves `b`."""
    left, also_left = ones ^ 1 << a, others ^ 1 << b
    return (
        not AROUND[b] & left and not connected(also_left | 1 << a),
        not AROUND[a] & also_left and not connected(left | 1 << b),
    )


def connected(bits: int) -> bool:
    """Whether these markers hang together, each touching the next in one of eight directions."""
    new = reached = bits & -bits
    while new:
        near = 0
        for cell in _numbers(new):
            near |= AROUND[cell]
        new = near & bits & ~reached
        reached |= new
    return reached == bits


def _number(cell: Cell) -> int:
    return SIZE * cell[0] + cell[1]


def _numbers(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def pairs() -> Iterator[tuple[int, int]]:
    """Every two colours."""
    return combinations(range(len(COLOURS)), 2)
