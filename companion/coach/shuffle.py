"""Find the best layout of cribbage shuffle by simulated annealing, the swaps that lead there, and its proof. Pure.

Each of the 1,820 fours of sixteen cards is scored with the starter once. Then random swaps are tried: each changes at
most four hands, and a swap that loses points is accepted with a probability that falls with the temperature. The
caller provides random numbers and the time limit.

The proof: a layout partitions the cards into four rows, and into four columns that meet each row once. Either the
rows or the columns hold at least half of its points: say the rows, because transposing changes no hand. So the rows
of a better layout are worth at least half of the wanted points, and at least the wanted points less the best possible
four hands. These few thousand partitions are listed with bounds from all halves of the cards. For each, columns are
assembled from pairs of two rows and pairs of the other two, where bounds leave enough points.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import log
from typing import NamedTuple

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
    return max(_equivalent_layouts(wanted), key=lambda laid: sum(there[card] == cell for cell, card in enumerate(laid)))


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
    cards = list(grid)
    cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def _equivalent_layouts(grid: Grid) -> Iterator[Grid]:
    for rows, columns in product(permutations(range(GRID_SIZE)), repeat=2):
        yield tuple(grid[GRID_SIZE * row + column] for row in rows for column in columns)
        yield tuple(grid[GRID_SIZE * row + column] for column in columns for row in rows)


_ALL_CELLS = (1 << GRID_CELLS) - 1

Rows = tuple[int, int, int, int]
"""Four disjoint fours of the sixteen cards, as bit masks."""


class ProofResult(NamedTuple):
    """The best known layout, and whether it is proved to be the best."""

    grid: Grid
    is_proved: bool


def find_best_layout(grid: Grid, starter: Card, more: Callable[[], bool] = lambda: True) -> ProofResult:
    """Return the best layout of these cards: `grid` itself if none is better.

    It takes about 0.1 s from an optimal layout and at most 0.5 s (measured), longer from a poor one. When `more`
    returns False, the best layout so far is returned. Raises BadCard unless all seventeen cards are different.
    """
    worth = score_fours(grid, starter)
    halves = {half: max(worth[four] + worth[half ^ four] for four in fours) for half, fours in _list_halves()}
    most = max(halves[half] + halves[_ALL_CELLS ^ half] for half in halves)
    rows, columns = _rows_and_columns()
    is_proved = False
    while not is_proved and more():
        wanted = sum(worth[line] for line in (*rows, *columns)) + 1
        for better in _rows_worth_at_least(worth, halves, max((wanted + 1) // 2, wanted - most)):
            found = _find_columns(worth, better, wanted - sum(worth[row] for row in better))
            if found is not None:
                rows, columns = better, found
            if found is not None or not more():
                break
        else:
            is_proved = True
    return ProofResult(tuple(_card_at(grid, row & column) for row in rows for column in columns), is_proved)


def _rows_and_columns() -> tuple[Rows, Rows]:
    """Return the rows and the columns of the cards as they lie."""
    a, b, c, d = (15 << GRID_SIZE * n for n in range(GRID_SIZE))
    p, q, r, s = (0x1111 << n for n in range(GRID_SIZE))
    return (a, b, c, d), (p, q, r, s)


def _card_at(cards: Sequence[Card], bit: int) -> Card:
    return cards[bit.bit_length() - 1]


def _rows_worth_at_least(worth: HandValues, halves: dict[int, int], least: int) -> Iterator[Rows]:
    """Yield each partition of the cards into fours worth `least` or more, once."""
    for a in _fours_with_first(_ALL_CELLS):
        for b in _fours_with_first(_ALL_CELLS ^ a):
            rest, more = _ALL_CELLS ^ a ^ b, least - worth[a] - worth[b]
            if halves[rest] >= more:
                for c in _fours_with_first(rest):
                    if worth[c] + worth[rest ^ c] >= more:
                        yield a, b, c, rest ^ c


class _ColumnHalves(NamedTuple):
    """Columns as two halves: pairs of cards of two rows, and pairs of the other two rows.

    `worth[i][j]` is the value of pair `i` of the one half with pair `j` of the other. `ones` and `others` are the
    choices of four pairs, as indices, that use each card once and may be worth enough.
    """

    one: list[int]
    other: list[int]
    worth: list[list[int]]
    ones: list[Rows]
    others: list[Rows]


_EACH_CARD_ONCE = [(a, 4 + b, 8 + c, 12 + d) for a, b, c, d in permutations(range(GRID_SIZE))]
"""Choices of four of sixteen pairs that use each card of both rows once."""
_MAX_CHOICES_TRIED = 40
"""With fewer combinations than this, trying all is faster than another bound."""


def _find_columns(worth: HandValues, rows: Rows, least: int) -> Rows | None:
    """Return columns for these rows worth `least` or more; None if there are none."""
    a, b, c, d = map(_split_bits, rows)
    fewest: _ColumnHalves | None = None
    for four in ((a, b, c, d), (a, c, b, d), (a, d, b, c)):
        pairs = _pair_rows(worth, *four, least)
        if not pairs.ones or not pairs.others:
            return None
        if fewest is None or _count_choices(pairs) < _count_choices(fewest):
            fewest = pairs
        if _count_choices(fewest) < _MAX_CHOICES_TRIED:
            break
    assert fewest is not None
    return _join_halves(fewest, least)


def _count_choices(pairs: _ColumnHalves) -> int:
    return len(pairs.ones) * len(pairs.others)


def _pair_rows(worth: HandValues, a: list[int], b: list[int], c: list[int], d: list[int], least: int) -> _ColumnHalves:
    """Return the pairs of rows a and b and of c and d.

    A pair is worth at most its value with the best pair of the other half.
    """
    one, other = [x | y for x in a for y in b], [x | y for x in c for y in d]
    table = [[worth[pair | second] for second in other] for pair in one]
    ones = _choices_worth_at_least([max(row) for row in table], least)
    others = _choices_worth_at_least([max(column) for column in zip(*table, strict=True)], least) if ones else []
    return _ColumnHalves(one, other, table, ones, others)


def _choices_worth_at_least(most: list[int], least: int) -> list[Rows]:
    return [four for four in _EACH_CARD_ONCE if sum([most[n] for n in four]) >= least]


def _join_halves(pairs: _ColumnHalves, least: int) -> Rows | None:
    """Return the first combination of both halves worth `least` or more; None if there is none."""
    for ones in pairs.ones:
        rows = [pairs.worth[n] for n in ones]
        best = list(map(max, *rows))
        for others in pairs.others:
            if sum([best[n] for n in others]) < least:
                continue
            p, q, r, s = ([row[n] for n in others] for row in rows)
            if max(p) + max(q) + max(r) + max(s) < least:
                continue
            for i, j, k, m in permutations(range(GRID_SIZE)):
                if p[i] + q[j] + r[k] + s[m] >= least:
                    w, x, y, z = (
                        pairs.one[n] | pairs.other[others[at]] for n, at in zip(ones, (i, j, k, m), strict=True)
                    )
                    return w, x, y, z
    return None


def _split_bits(cards: int) -> list[int]:
    return [1 << n for n in range(GRID_CELLS) if cards >> n & 1]


def _fours_with_first(cards: int) -> list[int]:
    """Return the fours of these cards that contain the first of them."""
    first, *others = _split_bits(cards)
    return [first | x | y | z for x, y, z in combinations(others, GRID_SIZE - 1)]


@cache
def _list_halves() -> list[tuple[int, list[int]]]:
    """Return every eight of the cards, with the fours that contain its first card."""
    eights = [sum(1 << n for n in eight) for eight in combinations(range(GRID_CELLS), GRID_CELLS // 2)]
    return [(eight, _fours_with_first(eight)) for eight in eights]
