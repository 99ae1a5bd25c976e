"""Find the best layout of cribbage shuffle by simulated annealing, and the swaps that lead there. Pure.

Each of the 1,820 fours of sixteen cards is scored with the starter once. Then random swaps are tried: each changes at
most four hands, and a swap that loses points is accepted with a probability that falls with the temperature.
`companion.coach.shuffle_proof` proves the result or finds a better one. The caller provides random numbers and the time
limit.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product
from math import log

from companion.common.errors import BadCard
from companion.rules.cards import Card
from companion.rules.scoring import points
from companion.rules.shuffle import GRID_CELLS, GRID_SIZE, ShuffleState

Grid = tuple[Card, ...]
"""Sixteen cards, row by row."""

HandValues = list[int]
"""Points of four of sixteen cards as a hand, by bit mask."""

_CellPair = tuple[int, int, int, int, int, int]

SWEEPS_PER_ROUND = 250
"""Sweeps of one round of annealing; each tries every swap once.

Measured: 8 ms a round, 94 % of rounds end with a best layout.
"""
START_TEMPERATURE, END_TEMPERATURE = 1.5, 0.8
"""Temperatures at the start and the end of a round, in points."""

_COOLING_FACTOR = (END_TEMPERATURE / START_TEMPERATURE) ** (1 / SWEEPS_PER_ROUND)
_CELL_FOURS = [(sum(1 << n for n in four), four) for four in combinations(range(GRID_CELLS), GRID_SIZE)]
_ROWS = [range(n * GRID_SIZE, n * GRID_SIZE + GRID_SIZE) for n in range(GRID_SIZE)]
_COLUMNS = [range(n, GRID_CELLS, GRID_SIZE) for n in range(GRID_SIZE)]
_CELL_PAIRS = [
    (i, j, i // GRID_SIZE, j // GRID_SIZE, GRID_SIZE + i % GRID_SIZE, GRID_SIZE + j % GRID_SIZE)
    for i, j in combinations(range(GRID_CELLS), 2)
]
_PAIRS_ACROSS_LINES = [pair for pair in _CELL_PAIRS if pair[2] != pair[3] and pair[4] != pair[5]]
_PAIRS_IN_LINE = [
    (i, j, c, d, r, s) if r == s else (i, j, r, s, c, d) for i, j, r, s, c, d in _CELL_PAIRS if r == s or c == d
]
"""Pairs of cells in one row or column, and the lines that a swap changes: rows 0 to 3, columns 4 to 7.

The two lines that cross come first.
"""

_CHANCE_COUNT = 4093
_LOG_CHANCES = [
    log(((n * 1597) % _CHANCE_COUNT + 0.5) / _CHANCE_COUNT) for n in range(_CHANCE_COUNT + len(_CELL_PAIRS))
]
"""Logarithms of evenly distributed probabilities, mixed.

A sweep takes a slice of them, because one random number per swap would cost more than all the rest.
"""


def score_fours(cards: Sequence[Card], starter: Card) -> HandValues:
    """Return the points of every four of sixteen cards. Raises BadCard unless all seventeen cards are different."""
    if len(cards) != GRID_CELLS or len({*cards, starter}) != GRID_CELLS + 1:
        raise BadCard("A layout has sixteen cards and a starter, all different.")
    found = [0] * (1 << GRID_CELLS)
    for bits, (a, b, c, d) in _CELL_FOURS:
        found[bits] = points((cards[a], cards[b], cards[c], cards[d]), starter)
    return found


def layout_points(grid: Sequence[Card], starter: Card) -> int:
    """Return the points of the eight hands and his heels."""
    return ShuffleState(grid=tuple(grid), starter=starter).counted_points


def search_layout(cards: Sequence[Card], starter: Card, chance: Callable[[], float], more: Callable[[], bool]) -> Grid:
    """Return the best layout that rounds of annealing find.

    :param chance: returns random numbers from 0 to 1.
    :param more: called after each sweep; the search ends when it returns False.

    Raises BadCard unless all seventeen cards are different.
    """
    worth = score_fours(cards, starter)
    best = _anneal_once(worth, chance, more)
    while more():
        best = max(best, _anneal_once(worth, chance, more), key=lambda layout: layout.most)
    return tuple(cards[bit.bit_length() - 1] for bit in best.best)


def _anneal_once(worth: HandValues, chance: Callable[[], float], more: Callable[[], bool]) -> "_Layout":
    """Return the result of one annealing from a random layout."""
    layout = _Layout(worth, sorted(range(GRID_CELLS), key=lambda _: chance()))
    across, in_line = (sorted(pairs, key=lambda _: chance()) for pairs in (_PAIRS_ACROSS_LINES, _PAIRS_IN_LINE))
    warmth = START_TEMPERATURE
    for _ in range(SWEEPS_PER_ROUND):
        warmth *= _COOLING_FACTOR
        begin = int(chance() * _CHANCE_COUNT)
        losses = [warmth * loss for loss in _LOG_CHANCES[begin : begin + len(_CELL_PAIRS)]]
        layout.swap_across(across, losses)
        layout.swap_in_line(in_line, losses[len(across) :])
        if not more():
            break
    return layout


class _Layout:
    """A layout in work.

    `at` has the cards as bits, cell by cell; `lines` has the bits of the rows, then of the columns.
    """

    def __init__(self, worth: HandValues, cards: Sequence[int]) -> None:
        self.worth = worth
        self.at = [1 << n for n in cards]
        self.lines = [sum(self.at[n] for n in cells) for cells in (*_ROWS, *_COLUMNS)]
        self.value = self.most = sum(worth[line] for line in self.lines)
        self.best = self.at[:]

    def swap_across(self, pairs: Sequence[_CellPair], losses: Sequence[float]) -> None:
        """Try to swap each pair of cells that differ in row and column.

        A swap may lose as many points as `losses` allows.
        """
        worth, at, lines = self.worth, self.at, self.lines
        for (i, j, r, s, c, d), least in zip(pairs, losses, strict=False):
            both = at[i] ^ at[j]
            row, other, column, second = lines[r], lines[s], lines[c], lines[d]
            gain = worth[row ^ both] + worth[other ^ both] + worth[column ^ both] + worth[second ^ both]
            gain -= worth[row] + worth[other] + worth[column] + worth[second]
            if gain >= least:
                lines[r], lines[s], lines[c], lines[d] = row ^ both, other ^ both, column ^ both, second ^ both
                at[i], at[j] = at[j], at[i]
                self._add_gain(gain)

    def swap_in_line(self, pairs: Sequence[_CellPair], losses: Sequence[float]) -> None:
        """Try to swap each pair of cells in one row or column, which changes only the two crossing lines."""
        worth, at, lines = self.worth, self.at, self.lines
        for (i, j, c, d, _, _), least in zip(pairs, losses, strict=True):
            both = at[i] ^ at[j]
            column, second = lines[c], lines[d]
            gain = worth[column ^ both] + worth[second ^ both] - worth[column] - worth[second]
            if gain >= least:
                lines[c], lines[d] = column ^ both, second ^ both
                at[i], at[j] = at[j], at[i]
                self._add_gain(gain)

    def _add_gain(self, points: int) -> None:
        self.value += points
        if self.value > self.most:
            self.best, self.most = self.at[:], self.value


def find_helpful_swap(grid: Grid, wanted: Grid, starter: Card) -> tuple[int, int, int] | None:
    """Return the two cells of the best swap on the way to `wanted`, and its gain; None if the layout is `wanted`.

    Each such swap brings a card to its cell in `wanted`, so hints end after at most fifteen swaps.
    """
    before = layout_points(grid, starter)
    there = {card: cell for cell, card in enumerate(wanted)}
    ways = [(cell, there[card]) for cell, card in enumerate(grid) if there[card] != cell]
    gains = [(layout_points(swap_cells(grid, i, j), starter) - before, min(i, j), max(i, j)) for i, j in ways]
    if not gains:
        return None
    gain, i, j = max(gains, key=lambda found: found[0])
    return i, j, gain


def find_nearest_equivalent(grid: Grid, wanted: Grid) -> Grid:
    """Return the layout that is equivalent to `wanted` and nearest to `grid`.

    Permuting rows, permuting columns and transposing leave the eight hands unchanged.
    """
    there = {card: cell for cell, card in enumerate(grid)}
    return max(_equivalent_layouts(wanted), key=lambda each: sum(there[card] == cell for cell, card in enumerate(each)))


def find_swaps(grid: Grid, wanted: Grid) -> list[tuple[int, int]]:
    """Return a shortest list of swaps from `grid` to `wanted`."""
    cards, swaps = list(grid), []
    for cell, card in enumerate(wanted):
        if cards[cell] != card:
            other = cards.index(card)
            cards[cell], cards[other] = cards[other], cards[cell]
            swaps.append((cell, other))
    return swaps


def swap_cells(grid: Grid, i: int, j: int) -> Grid:
    """Return the layout with the cards of two cells exchanged."""
    cards = list(grid)
    cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def _equivalent_layouts(grid: Grid) -> Iterator[Grid]:
    for rows, columns in product(permutations(range(GRID_SIZE)), repeat=2):
        yield tuple(grid[GRID_SIZE * row + column] for row in rows for column in columns)
        yield tuple(grid[GRID_SIZE * row + column] for column in columns for row in rows)
