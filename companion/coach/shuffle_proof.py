"""The best layout of cribbage shuffle, proved: nothing better than the layout given, or that. Pure.

A layout is a way to part the cards into four rows, and one to part them into four columns that meet each row once.
Either rows or columns are worth half of it or more: say the rows, for turning a layout changes no hand. So a better
layout has rows worth at least half of what is wanted, and no less than what is wanted without the best four hands
there are. Those few thousand ways are listed with bounds from all halves of the cards. For each, columns are put
together of pairs from two rows and pairs from the other two, where bounds leave any that may be worth enough.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

from companion.coach.shuffle import Grid, Worths, worths
from companion.rules.cards import Card
from companion.rules.shuffle import CELLS, SIZE

_ALL = (1 << CELLS) - 1

Rows = tuple[int, int, int, int]
"""Four fours of the sixteen cards, as bits, that are all of them."""


class Found(NamedTuple):
    """The best layout that is known, and whether it is proved that none is better."""

    grid: Grid
    is_proved: bool


def best(grid: Grid, starter: Card, more: Callable[[], bool] = lambda: True) -> Found:
    """The best of all layouts of these cards: `grid` itself, if there is no better one.

    From a layout that is the best it takes a tenth of a second here, and half a second at the worst; more from a poor
    one. Once there is no `more` time, the best so far is given. Raises BadCard unless all seventeen are different.
    """
    worth = worths(grid, starter)
    halves = {half: max(worth[four] + worth[half ^ four] for four in fours) for half, fours in _halves()}
    most = max(halves[half] + halves[_ALL ^ half] for half in halves)
    rows, columns = _lines()
    is_proved = False
    while not is_proved and more():
        wanted = sum(worth[line] for line in (*rows, *columns)) + 1
        for better in _rich(worth, halves, max((wanted + 1) // 2, wanted - most)):
            found = _columns(worth, better, wanted - sum(worth[row] for row in better))
            if found is not None:
                rows, columns = better, found
            if found is not None or not more():
                break
        else:
            is_proved = True
    return Found(tuple(_card_at(grid, row & column) for row in rows for column in columns), is_proved)


def _lines() -> tuple[Rows, Rows]:
    """The rows and the columns of the cards as they lie."""
    a, b, c, d = (15 << SIZE * n for n in range(SIZE))
    p, q, r, s = (0x1111 << n for n in range(SIZE))
    return (a, b, c, d), (p, q, r, s)


def _card_at(cards: Sequence[Card], bit: int) -> Card:
    return cards[bit.bit_length() - 1]


def _rich(worth: Worths, halves: dict[int, int], least: int) -> Iterator[Rows]:
    """Each way to part the cards into fours worth `least` or more together, once."""
    for a in _fours(_ALL):
        for b in _fours(_ALL ^ a):
            rest, more = _ALL ^ a ^ b, least - worth[a] - worth[b]
            if halves[rest] >= more:
                for c in _fours(rest):
                    if worth[c] + worth[rest ^ c] >= more:
                        yield a, b, c, rest ^ c


class _Pairs(NamedTuple):
    """Columns as two halves: pairs of a card of one row and of another, and pairs of the other two rows.

    `worth[i][j]` is what the one pair `i` and the other pair `j` are worth together. `ones` and `others` are the ways
    to choose four pairs that have each card once, as places in the two lists, that may be worth enough.
    """

    one: list[int]
    other: list[int]
    worth: list[list[int]]
    ones: list[Rows]
    others: list[Rows]


_EACH_ONCE = [(a, 4 + b, 8 + c, 12 + d) for a, b, c, d in permutations(range(SIZE))]
"""Of sixteen pairs, card by card of the first row, those choices of four that have each card of both rows once."""
_FEW = 40
"""So few choices of both halves are sooner tried than bounded once more."""


def _columns(worth: Worths, rows: Rows, least: int) -> Rows | None:
    """Columns for these rows worth `least` or more together."""
    a, b, c, d = map(_bits, rows)
    fewest: _Pairs | None = None
    for four in ((a, b, c, d), (a, c, b, d), (a, d, b, c)):
        pairs = _paired(worth, *four, least)
        if not pairs.ones or not pairs.others:
            return None
        if fewest is None or _choices(pairs) < _choices(fewest):
            fewest = pairs
        if _choices(fewest) < _FEW:
            break
    assert fewest is not None
    return _joined(fewest, least)


def _choices(pairs: _Pairs) -> int:
    return len(pairs.ones) * len(pairs.others)


def _paired(worth: Worths, a: list[int], b: list[int], c: list[int], d: list[int], least: int) -> _Pairs:
    """The pairs of rows a and b, and of c and d. Each pair is worth at most what it is with the best other one."""
    one, other = [x | y for x in a for y in b], [x | y for x in c for y in d]
    table = [[worth[pair | second] for second in other] for pair in one]
    ones = _worthy([max(row) for row in table], least)
    others = _worthy([max(column) for column in zip(*table, strict=True)], least) if ones else []
    return _Pairs(one, other, table, ones, others)


def _worthy(most: list[int], least: int) -> list[Rows]:
    return [four for four in _EACH_ONCE if sum([most[n] for n in four]) >= least]


def _joined(pairs: _Pairs, least: int) -> Rows | None:
    """The first choice of both halves, and way to join them, that is worth `least` or more."""
    for ones in pairs.ones:
        rows = [pairs.worth[n] for n in ones]
        best = list(map(max, *rows))
        for others in pairs.others:
            if sum([best[n] for n in others]) < least:
                continue
            p, q, r, s = ([row[n] for n in others] for row in rows)
            if max(p) + max(q) + max(r) + max(s) < least:
                continue
            for i, j, k, m in permutations(range(SIZE)):
                if p[i] + q[j] + r[k] + s[m] >= least:
                    w, x, y, z = (
                        pairs.one[n] | pairs.other[others[at]] for n, at in zip(ones, (i, j, k, m), strict=True)
                    )
                    return w, x, y, z
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
