"""The best layout of cribbage shuffle, proved: nothing better than the layout given, or that. Pure.

A layout is a way to part the cards into four rows, and one to part them into four columns that meet each row once.
Either rows or columns are worth half of it or more: say the rows, for turning a layout changes no hand. So a better
layout has rows worth at least half of what is wanted, and no less than what is wanted without the best four hands
there are. Those few thousand ways are listed with bounds from all halves of the cards; for each, columns are sought
among the 256 fours that take a card of each row, after those that no layout good enough can have are struck out.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from companion.coach.shuffle import Grid, Worths, worths
from companion.rules.cards import Card
from companion.rules.shuffle import CELLS, SIZE

_ALL = (1 << CELLS) - 1

Rows = tuple[int, int, int, int]
"""Four fours of the sixteen cards, as bits, that are all of them."""


def best(grid: Grid, starter: Card) -> Grid:
    """The best of all layouts of these cards: `grid` itself, if there is no better one.

    It takes a third of a second here from a layout that is the best, 2 s at the worst, more from a poor one.
    Raises BadCard unless there are seventeen different cards.
    """
    worth = worths(grid, starter)
    halves = {half: max(worth[four] + worth[half ^ four] for four in fours) for half, fours in _halves()}
    most = max(halves[half] + halves[_ALL ^ half] for half in halves)
    rows, columns = _lines(grid)
    while True:
        wanted = sum(worth[line] for line in (*rows, *columns)) + 1
        found = _better(worth, halves, wanted, max((wanted + 1) // 2, wanted - most))
        if found is None:
            return tuple(_card_at(grid, row & column) for row in rows for column in columns)
        rows, columns = found


def _lines(grid: Grid) -> tuple[Rows, Rows]:
    a, b, c, d = (15 << SIZE * n for n in range(SIZE))
    p, q, r, s = (0x1111 << n for n in range(SIZE))
    assert len(grid) == CELLS
    return (a, b, c, d), (p, q, r, s)


def _card_at(cards: Sequence[Card], bit: int) -> Card:
    return cards[bit.bit_length() - 1]


def _better(worth: Worths, halves: dict[int, int], wanted: int, least: int) -> tuple[Rows, Rows] | None:
    """Rows and columns worth `wanted` or more, of rows worth `least` or more."""
    for rows in _rich(worth, halves, least):
        columns = _columns(worth, rows, wanted - sum(worth[row] for row in rows))
        if columns is not None:
            return rows, columns
    return None


def _rich(worth: Worths, halves: dict[int, int], least: int) -> Iterator[Rows]:
    """Each way to part the cards into fours worth `least` or more together, once."""
    for a in _fours(_ALL):
        for b in _fours(_ALL ^ a):
            rest, more = _ALL ^ a ^ b, least - worth[a] - worth[b]
            if halves[rest] >= more:
                for c in _fours(rest):
                    if worth[c] + worth[rest ^ c] >= more:
                        yield a, b, c, rest ^ c


_Four = tuple[int, int, int, int, int]
"""What four cards are worth, and they, one of each row, as bits."""


def _columns(worth: Worths, rows: Rows, least: int) -> Rows | None:
    """Columns for these rows worth `least` or more together."""
    a, b, c, d = map(_bits, rows)
    fours = [(worth[w | x | y | z], w, x, y, z) for w in a for x in b for y in c for z in d]
    while True:
        most = _most(fours)
        if len(most) < CELLS:
            return None
        p, q, r, s = (sum(most[card] for card in row) - least for row in (a, b, c, d))
        if min(p, q, r, s) < 0:
            return None
        left = [
            (value, w, x, y, z)
            for value, w, x, y, z in fours
            if value + p >= most[w] and value + q >= most[x] and value + r >= most[y] and value + s >= most[z]
        ]
        if 5 * len(left) > 4 * len(fours):
            return _disjoint(worth, left, a, most, least)
        fours = left


def _most(fours: Sequence[_Four]) -> dict[int, int]:
    """For each card the most that one of these fours with it is worth."""
    most: dict[int, int] = {}
    for value, *cards in fours:
        for card in cards:
            if value > most.get(card, -1):
                most[card] = value
    return most


def _disjoint(
    worth: Worths, fours: Sequence[_Four], firsts: Sequence[int], most: dict[int, int], least: int
) -> Rows | None:
    """Four of these fours without a card in common, worth `least` or more together."""
    of: dict[int, list[tuple[int, int]]] = {card: [] for card in firsts}
    for value, card, x, y, z in fours:
        of[card].append((value, card | x | y | z))
    p, q, r, s = firsts
    for value, one in of[p]:
        for second, two in of[q]:
            if one & two or value + second + most[r] + most[s] < least:
                continue
            for third, three in of[r]:
                last = _ALL ^ one ^ two ^ three
                if not (one | two) & three and value + second + third + worth[last] >= least:
                    return one, two, three, last
    return None


def _bits(cards: int) -> list[int]:
    return [1 << n for n in range(CELLS) if cards >> n & 1]


def _fours(cards: int) -> list[int]:
    """The fours of these cards that have the first of them."""
    first, *others = _bits(cards)
    return [first | x | y | z for x, y, z in combinations(others, SIZE - 1)]


@cache
def _halves() -> list[tuple[int, list[int]]]:
    """Every eight of the cards, and the fours with their first card."""
    eights = [sum(1 << n for n in eight) for eight in combinations(range(CELLS), CELLS // 2)]
    return [(eight, _fours(eight)) for eight in eights]
