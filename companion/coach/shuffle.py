"""The best layout of cribbage shuffle: a search that mostly finds it, the way there, and a swap that helps. Pure.

Each of the 1,820 fours that sixteen cards make is scored with the starter once. Then the layout anneals: swaps are
tried, each a change of at most four hands, and one that loses points is kept the less likely the colder it has become.
`companion.coach.shuffle_proof` proves what is found, or finds better. Chance and patience are the caller's.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product
from math import log

from companion.common.errors import BadCard
from companion.rules.cards import Card
from companion.rules.scoring import points
from companion.rules.shuffle import CELLS, SIZE, State

Grid = tuple[Card, ...]
"""Sixteen cards, row by row."""

Worths = list[int]
"""What four of sixteen cards are worth as a hand, by their bits."""

_Pair = tuple[int, int, int, int, int, int]

SWEEPS = 250
"""Sweeps of a round, each of which tries every swap once; then the search begins anew. Measured: 8 ms here, and 94 %
of rounds end with the best layout there is."""
HOT, COLD = 1.5, 0.8
"""The temperature at the begin and at the end of a round, in points."""

_COOLING = (COLD / HOT) ** (1 / SWEEPS)
_FOURS = [(sum(1 << n for n in four), four) for four in combinations(range(CELLS), SIZE)]
_ROWS = [range(n * SIZE, n * SIZE + SIZE) for n in range(SIZE)]
_COLUMNS = [range(n, CELLS, SIZE) for n in range(SIZE)]
_PAIRS = [(i, j, i // SIZE, j // SIZE, SIZE + i % SIZE, SIZE + j % SIZE) for i, j in combinations(range(CELLS), 2)]
_ACROSS = [pair for pair in _PAIRS if pair[2] != pair[3] and pair[4] != pair[5]]
_IN_LINE = [(i, j, c, d, r, s) if r == s else (i, j, r, s, c, d) for i, j, r, s, c, d in _PAIRS if r == s or c == d]
"""Two cells and the lines that swapping them changes: rows 0 to 3, columns 4 to 7. In one line these two come first."""

_LUCK = 4093
_LOSSES = [log(((n * 1597) % _LUCK + 0.5) / _LUCK) for n in range(_LUCK + len(_PAIRS))]
"""Logarithms of even chances, well mixed: a sweep takes a stretch of them, for one random number is dearer than all."""


def worths(cards: Sequence[Card], starter: Card) -> Worths:
    """Every four of sixteen cards scored. Raises BadCard unless all seventeen are different."""
    if len(cards) != CELLS or len({*cards, starter}) != CELLS + 1:
        raise BadCard("A layout has sixteen cards and a starter, all different.")
    found = [0] * (1 << CELLS)
    for bits, (a, b, c, d) in _FOURS:
        found[bits] = points((cards[a], cards[b], cards[c], cards[d]), starter)
    return found


def total(grid: Sequence[Card], starter: Card) -> int:
    """What the eight hands and his heels are worth."""
    return State(grid=tuple(grid), starter=starter).counted


def search(cards: Sequence[Card], starter: Card, chance: Callable[[], float], more: Callable[[], bool]) -> Grid:
    """The best layout that rounds of annealing find while there is `more` time, asked after each sweep.

    `chance` gives numbers from 0 to 1. Raises BadCard unless there are seventeen different cards.
    """
    worth = worths(cards, starter)
    best = _round(worth, chance, more)
    while more():
        best = max(best, _round(worth, chance, more), key=lambda layout: layout.most)
    return tuple(cards[bit.bit_length() - 1] for bit in best.best)


def _round(worth: Worths, chance: Callable[[], float], more: Callable[[], bool]) -> "_Layout":
    """One annealing from a random layout."""
    layout = _Layout(worth, sorted(range(CELLS), key=lambda _: chance()))
    across, in_line = (sorted(pairs, key=lambda _: chance()) for pairs in (_ACROSS, _IN_LINE))
    warmth = HOT
    for _ in range(SWEEPS):
        warmth *= _COOLING
        begin = int(chance() * _LUCK)
        losses = [warmth * loss for loss in _LOSSES[begin : begin + len(_PAIRS)]]
        layout.swap_across(across, losses)
        layout.swap_in_line(in_line, losses[len(across) :])
        if not more():
            break
    return layout


class _Layout:
    """A layout at work: `at` are the cards as bits, cell by cell, `lines` the bits of the rows and then the columns."""

    def __init__(self, worth: Worths, cards: Sequence[int]) -> None:
        self.worth = worth
        self.at = [1 << n for n in cards]
        self.lines = [sum(self.at[n] for n in cells) for cells in (*_ROWS, *_COLUMNS)]
        self.value = self.most = sum(worth[line] for line in self.lines)
        self.best = self.at[:]

    def swap_across(self, pairs: Sequence[_Pair], losses: Sequence[float]) -> None:
        """Try each pair, of which two rows and two columns change; a swap may lose as much as `losses` says."""
        worth, at, lines = self.worth, self.at, self.lines
        for (i, j, r, s, c, d), least in zip(pairs, losses, strict=False):
            both = at[i] ^ at[j]
            row, other, column, second = lines[r], lines[s], lines[c], lines[d]
            gain = worth[row ^ both] + worth[other ^ both] + worth[column ^ both] + worth[second ^ both]
            gain -= worth[row] + worth[other] + worth[column] + worth[second]
            if gain >= least:
                lines[r], lines[s], lines[c], lines[d] = row ^ both, other ^ both, column ^ both, second ^ both
                at[i], at[j] = at[j], at[i]
                self._gained(gain)

    def swap_in_line(self, pairs: Sequence[_Pair], losses: Sequence[float]) -> None:
        """The same for pairs in one row or column, which only changes the two lines that cross it."""
        worth, at, lines = self.worth, self.at, self.lines
        for (i, j, c, d, _, _), least in zip(pairs, losses, strict=True):
            both = at[i] ^ at[j]
            column, second = lines[c], lines[d]
            gain = worth[column ^ both] + worth[second ^ both] - worth[column] - worth[second]
            if gain >= least:
                lines[c], lines[d] = column ^ both, second ^ both
                at[i], at[j] = at[j], at[i]
                self._gained(gain)

    def _gained(self, points: int) -> None:
        self.value += points
        if self.value > self.most:
            self.best, self.most = self.at[:], self.value


def helpful(grid: Grid, wanted: Grid, starter: Card) -> tuple[int, int, int] | None:
    """The two cells whose swap gains most of those that bring a card where it lies in `wanted`, and what it gains.

    So hints end there, after fifteen swaps at the most. None where every card does.
    """
    before = total(grid, starter)
    there = {card: cell for cell, card in enumerate(wanted)}
    ways = [(cell, there[card]) for cell, card in enumerate(grid) if there[card] != cell]
    gains = [(total(swapped(grid, i, j), starter) - before, min(i, j), max(i, j)) for i, j in ways]
    if not gains:
        return None
    gain, i, j = max(gains, key=lambda found: found[0])
    return i, j, gain


def turned(grid: Grid, wanted: Grid) -> Grid:
    """The layout worth the same as `wanted` that is nearest to `grid`.

    Rows may change places, columns too, and rows may become columns: the eight hands are the same.
    """
    there = {card: cell for cell, card in enumerate(grid)}
    return max(_alike(wanted), key=lambda each: sum(there[card] == cell for cell, card in enumerate(each)))


def way(grid: Grid, wanted: Grid) -> list[tuple[int, int]]:
    """Swaps, as few as can be, that make `wanted` of `grid`."""
    cards, swaps = list(grid), []
    for cell, card in enumerate(wanted):
        if cards[cell] != card:
            other = cards.index(card)
            cards[cell], cards[other] = cards[other], cards[cell]
            swaps.append((cell, other))
    return swaps


def swapped(grid: Grid, i: int, j: int) -> Grid:
    """The layout after the cards in these two cells have changed places."""
    cards = list(grid)
    cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def _alike(grid: Grid) -> Iterator[Grid]:
    for rows, columns in product(permutations(range(SIZE)), repeat=2):
        yield tuple(grid[SIZE * row + column] for row in rows for column in columns)
        yield tuple(grid[SIZE * row + column] for column in columns for row in rows)
