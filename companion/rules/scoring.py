"""What cards are worth, in the show and in the play. Pure; knows no seats, scores or turns.

`points` is the fast answer for a show of four and a starter, one chain of look-ups; `items` tells the same as
players count it, item by item, and is slower. Rules: docs/reference/games/six-card.md.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product
from typing import Any

from companion.common.constants import IMPOSSIBLE, MOST
from companion.common.errors import BadCard
from companion.rules import scoring_tables
from companion.rules.cards import JACK, Card
from companion.rules.engine import Award

_ALIKE = {2: ("pair", 2), 3: ("three alike", 6), 4: ("four alike", 12)}

MOST_IN_PLAY = 14
"""The most that one card can earn in the play: of four alike the fourth that makes 31, as in 3 7 7 7 7."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that scores, with its cards."""

    reason: str
    points: int
    cards: tuple[Card, ...]


def points(hand: Sequence[Card], starter: Card, crib: bool = False) -> int:
    """The show of four different cards and the starter, the four in any order. Nothing is checked."""
    a, b, c, d = hand
    total: int = (_cribs if crib else _hands)[a][b][c][d][starter]
    return total


def is_possible(total: int) -> bool:
    """Whether a hand or a crib can be worth as much."""
    return total <= MOST and total not in IMPOSSIBLE


def by_starter(hand: Sequence[Card], crib: bool = False) -> bytes:
    """The points of four cards with each of the 52 starters; the entries of the hand's own cards mean nothing."""
    a, b, c, d = hand
    leaf: bytes = (_cribs if crib else _hands)[a][b][c][d]
    return leaf


def total(items: Iterable[Item]) -> int:
    """The sum of the items."""
    return sum(item.points for item in items)


def items(hand: Sequence[Card], starter: Card, crib: bool = False, five: bool = False) -> tuple[Item, ...]:
    """The show itemised: each fifteen, each pair, each run, the flush, his nobs, in this order.

    `five`: five-card cribbage, whose hands have three cards (docs/reference/games/five-card.md); its crib has four.
    Raises BadCard for too many, too few or a card that is there twice.
    """
    size = 3 if five and not crib else 4
    every = (*hand, starter)
    if len(hand) != size:
        raise BadCard(
            "A {word} has {size} cards here, not {len}.", word="crib" if crib else "hand", size=size, len=len(hand)
        )
    if len(set(every)) <= size:
        twice = next(c for c in every if every.count(c) > 1)
        raise BadCard("The {name} is there twice.", name=twice.name)
    told = _fifteens(every)
    told += [Item("pair", 2, pair) for pair in combinations(every, 2) if pair[0].rank == pair[1].rank]
    told += _runs(every)
    told += _flush(tuple(hand), starter, whole=crib)
    told += [Item("his nobs", 1, (c,)) for c in hand if c.rank == JACK and c.suit == starter.suit]
    return tuple(told)


def play_items(series: Sequence[Card], count: int) -> tuple[Item, ...]:
    """What the last card of `series` scores where it now counts `count`. The last-card point is apart."""
    told = []
    if count in (15, 31):
        told.append(Item("fifteen" if count == 15 else "thirty-one", 2, tuple(series)))
    alike = 1
    while alike < len(series) and series[-alike - 1].rank == series[-1].rank:
        alike += 1
    if alike > 1:
        told.append(Item(*_ALIKE[alike], tuple(series[-alike:])))
    for length in range(min(len(series), 7), 2, -1) if alike == 1 else ():
        ranks = {c.rank for c in series[-length:]}
        if len(ranks) == length and max(ranks) - min(ranks) == length - 1:
            told.append(Item("run", length, tuple(series[-length:])))
            break
    return tuple(told)


def census(crib: bool = False) -> tuple[int, ...]:
    """How many of all 12,994,800 hands with starter have 0, 1, … 29 points. Looks each of them up."""
    leaves: Counter[bytes] = Counter()
    own = []
    root = _built()[crib]
    for a, b, c in combinations(range(51), 3):
        found = root[a][b][c][c + 1 :]
        leaves.update(found)
        # Of each leaf's 52 starters the hand's own four cards are none: they are counted apart and taken off.
        rows = b"".join(found)
        own += [rows[a::52], rows[b::52], rows[c::52], rows[c + 1 :: 53]]
    counts: Counter[int] = Counter()
    for leaf, times in leaves.items():
        for score in leaf:
            counts[score] += times
    counts.subtract(b"".join(own))
    return tuple(counts[score] for score in range(max(+counts) + 1))


def _fifteens(every: tuple[Card, ...]) -> list[Item]:
    sums = [0]
    for c in every:
        value = c.value
        sums += [n + value for n in sums]
    found = [choice for choice, n in enumerate(sums) if n == 15]
    return [Item("fifteen", 2, tuple(c for i, c in enumerate(every) if choice >> i & 1)) for choice in found]


def _runs(every: tuple[Card, ...]) -> list[Item]:
    groups: list[list[Card]] = []
    for rank, same in groupby(sorted(every), key=lambda c: c.rank):
        if groups and groups[-1][0].rank != rank - 1:
            if len(groups) >= 3:
                break
            groups = []
        groups.append(list(same))
    return [Item("run", len(groups), run) for run in product(*groups)] if len(groups) >= 3 else []


def _flush(hand: tuple[Card, ...], starter: Card, *, whole: bool) -> list[Item]:
    if len({c.suit for c in hand}) > 1:
        return []
    if starter.suit == hand[0].suit:
        return [Item("flush", len(hand) + 1, (*hand, starter))]
    return [] if whole else [Item("flush", len(hand), hand)]


class _Unbuilt:
    """Stands for a root until it is first asked: no tables on import, and no question asked at every look-up."""

    def __init__(self, which: int) -> None:
        self._which = which

    def __getitem__(self, first: Card) -> Any:
        return _built()[self._which][first]


def _built() -> tuple[Any, Any]:
    global _hands, _cribs
    if isinstance(_hands, _Unbuilt):
        _hands, _cribs = scoring_tables.build()
    return _hands, _cribs


_hands: Any = _Unbuilt(0)
_cribs: Any = _Unbuilt(1)


def order(dealer: int, seats: int) -> Iterator[int]:
    """The seats in the order they count: from the dealer's left clockwise, the dealer last."""
    return ((dealer + n) % seats for n in range(1, seats + 1))


def count(
    seat: int, hand: tuple[Card, ...], starter: Card, *, crib: bool = False, five: bool = False
) -> tuple[Award, ...]:
    """What a hand, or the crib, gives its seat: one award a thing that scores. Raises BadCard as `items` does."""
    return tuple(Award(seat, item.points, item.reason, item.cards) for item in items(hand, starter, crib, five))
