"""The 5×5 display of Sackson swap: figures, contact and legal exchanges. Pure; knows no chips, seats or points.

A colour's five markers are 25 bits, cell (row, column) being bit `5 * row + column`; a grid is five such numbers.
Figures are dictionary look-ups, contact is an `&`. Rules: docs/reference/games/swap.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from companion.rules.moves import Cell

COLOURS = ("red", "yellow", "green", "blue", "brown")
GRID_SIZE = 5
FIGURES = ("plus", "cross", "line", "zigzag")

MarkerGrid = tuple[int, ...]
"""The bits of each colour, in the order of `COLOURS`."""


def _cells_to_bits(cells: Iterable[Cell]) -> int:
    return sum(1 << GRID_SIZE * row + column for row, column in cells)


def _neighbours_of(cell: int) -> int:
    row, column = divmod(cell, GRID_SIZE)
    near = product(
        range(max(0, row - 1), min(GRID_SIZE, row + 2)), range(max(0, column - 1), min(GRID_SIZE, column + 2))
    )
    return _cells_to_bits(near) & ~(1 << cell)


NEIGHBOURS = tuple(_neighbours_of(cell) for cell in range(GRID_SIZE * GRID_SIZE))
"""For each cell, the bits of the cells that it touches, in eight directions."""

FIXED_START: MarkerGrid = tuple(
    _cells_to_bits((r, c) for r in range(GRID_SIZE) for c in range(GRID_SIZE) if (2 * r + c) % GRID_SIZE == n)
    for n in range(GRID_SIZE)
)
"""The usual start: no figure, none after one exchange, and 16 to 21 legal exchanges for any two colours."""

_PLUS = ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1))
_CROSS = ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2))
_ROW = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))
_LONG_DIAGONAL = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4))
_ALTERNATING = ((0, 0), (1, 1), (0, 2), (1, 3), (0, 4))
_STAIRS = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2))


@cache
def find_figures(zigzag: str = "alternating", diagonals: bool = True) -> Mapping[int, str]:
    """Return the name of each figure by the bits of its five cells, for these options."""
    shapes = {"plus": [_PLUS], "cross": [_CROSS], "line": [_ROW]}
    shapes["zigzag"] = [_ALTERNATING if zigzag == "alternating" else _STAIRS]
    if diagonals:
        shapes["line"].append(_LONG_DIAGONAL)
    return {bits: name for name, some in shapes.items() for shape in some for bits in _find_placements(shape)}


def _find_placements(shape: Sequence[Cell]) -> Iterator[int]:
    """Yield the bits of a shape at each position, rotation and reflection."""
    for turn, mirror in product(range(4), (False, True)):
        cells = [(row, -column) if mirror else (row, column) for row, column in shape]
        for _ in range(turn):
            cells = [(column, -row) for row, column in cells]
        top, left = min(row for row, _ in cells), min(column for _, column in cells)
        height, width = max(row for row, _ in cells) - top, max(column for _, column in cells) - left
        for down, right in product(range(GRID_SIZE - height), range(GRID_SIZE - width)):
            yield _cells_to_bits((row - top + down, column - left + right) for row, column in cells)


def parse_grid(colours: Sequence[str]) -> MarkerGrid:
    """Return the grid of 25 colour names, row by row."""
    return tuple(sum(1 << cell for cell, name in enumerate(colours) if name == colour) for colour in COLOURS)


def colour_rows(display: MarkerGrid) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(COLOURS[colour_at(display, (r, c))] for c in range(GRID_SIZE)) for r in range(GRID_SIZE))


def colour_at(display: MarkerGrid, cell: Cell) -> int:
    bit = 1 << _cell_number(cell)
    return next(colour for colour, bits in enumerate(display) if bits & bit)


def exchange_markers(display: MarkerGrid, a: Cell, b: Cell) -> MarkerGrid:
    """Return the grid after the markers in these two cells, of different colours, were exchanged."""
    both = _cells_to_bits((a, b))
    moving = (colour_at(display, a), colour_at(display, b))
    return tuple(bits ^ both if colour in moving else bits for colour, bits in enumerate(display))


class ExchangeFault(NamedTuple):
    """Why an exchange is illegal: the marker of `isolated` would touch no other, and `disconnected` would be split."""

    isolated: int
    disconnected: int


def find_faults(display: MarkerGrid, a: Cell, b: Cell) -> tuple[ExchangeFault, ...]:
    """Return the faults of an exchange of two colours; empty if it is legal (docs/reference/games/swap.md)."""
    one, other = colour_at(display, a), colour_at(display, b)
    wrong = _breaks_contact(display[one], display[other], _cell_number(a), _cell_number(b))
    return tuple(
        ExchangeFault(*pair) for pair, is_wrong in zip(((one, other), (other, one)), wrong, strict=True) if is_wrong
    )


def find_exchanges(display: MarkerGrid, one: int, other: int) -> Iterator[tuple[Cell, Cell]]:
    """Yield every legal exchange of a marker of colour `one` with a marker of colour `other`."""
    ones, others = display[one], display[other]
    for a, b in product(_bit_numbers(ones), _bit_numbers(others)):
        if not any(_breaks_contact(ones, others, a, b)):
            yield divmod(a, GRID_SIZE), divmod(b, GRID_SIZE)


def _breaks_contact(ones: int, others: int, a: int, b: int) -> tuple[bool, bool]:
    """Return whether the marker leaving cell `a` would be isolated with `others` split, and likewise for `b`."""
    left, also_left = ones ^ 1 << a, others ^ 1 << b
    return (
        not NEIGHBOURS[b] & left and not is_connected(also_left | 1 << a),
        not NEIGHBOURS[a] & also_left and not is_connected(left | 1 << b),
    )


def is_connected(bits: int) -> bool:
    """Return whether the markers are connected, each touching the next in one of eight directions."""
    new = reached = bits & -bits
    while new:
        near = 0
        for cell in _bit_numbers(new):
            near |= NEIGHBOURS[cell]
        new = near & bits & ~reached
        reached |= new
    return reached == bits


def _cell_number(cell: Cell) -> int:
    return GRID_SIZE * cell[0] + cell[1]


def _bit_numbers(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def colour_pairs() -> Iterator[tuple[int, int]]:
    return combinations(range(len(COLOURS)), 2)
