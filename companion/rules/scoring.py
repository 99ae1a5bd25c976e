"""The points of cards in the show and in the play. Pure; knows nothing of scores and turns.

`points` is fast: one chain of look-ups for four cards and a starter. `itemize_hand` lists the items as players count
them and is slower. Rules: docs/reference/games/six-card.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product
from typing import Any

from companion.common.constants import IMPOSSIBLE_HAND_SCORES, MAX_HAND_POINTS
from companion.common.errors import BadCard
from companion.rules import scoring_tables
from companion.rules.cards import JACK, Card
from companion.rules.engine import Award

_PAIR_SCORES = {2: ("pair", 2), 3: ("three alike", 6), 4: ("four alike", 12)}

MAX_PLAY_POINTS = 14
"""The most points of one card in the play: the fourth of a kind that makes 31, as in 3 7 7 7 7."""


@dataclass(frozen=True, slots=True)
class ScoringItem:
    """One scoring combination with its cards."""

    reason: str
    points: int
    cards: tuple[Card, ...]


def points(hand: Sequence[Card], starter: Card, crib: bool = False) -> int:
    """Return the points of a hand of four cards with the starter. The arguments are not checked."""
    a, b, c, d = hand
    total: int = (_crib_table if crib else _hand_table)[a][b][c][d][starter]
    return total


def is_possible_score(total: int) -> bool:
    """Return whether a hand or a crib can have this many points."""
    return total <= MAX_HAND_POINTS and total not in IMPOSSIBLE_HAND_SCORES


def points_by_starter(hand: Sequence[Card], crib: bool = False) -> bytes:
    """Return the points of four cards with each of the 52 starters; entries of the hand's own cards are undefined."""
    a, b, c, d = hand
    leaf: bytes = (_crib_table if crib else _hand_table)[a][b][c][d]
    return leaf


def sum_points(items: Iterable[ScoringItem]) -> int:
    """Return the sum of the items' points."""
    return sum(item.points for item in items)


def itemize_hand(
    hand: Sequence[Card], starter: Card | None, crib: bool = False, is_five_card: bool = False
) -> tuple[ScoringItem, ...]:
    """Return the items of a hand: each fifteen, pair and run, the flush and his nobs, in this order.

    A `starter` of None counts the hand alone. `is_five_card`: five-card cribbage, where a hand has three cards
    (docs/reference/games/five-card.md) and the crib four.
    Raises BadCard for a wrong number of cards or a duplicate card.
    """
    size = 3 if is_five_card and not crib else 4
    all_cards = tuple(hand) if starter is None else (*hand, starter)
    if len(hand) != size:
        raise BadCard(
            "A {word} has {size} cards here, not {len}.", word="crib" if crib else "hand", size=size, len=len(hand)
        )
    if len(set(all_cards)) < len(all_cards):
        twice = next(c for c in all_cards if all_cards.count(c) > 1)
        raise BadCard("The {name} appears twice.", name=twice.name)
    found = _find_fifteens(all_cards)
    found += [ScoringItem("pair", 2, pair) for pair in combinations(all_cards, 2) if pair[0].rank == pair[1].rank]
    found += _find_runs(all_cards)
    found += _find_flush(tuple(hand), starter, whole=crib)
    if starter is not None:
        found += [ScoringItem("his nobs", 1, (c,)) for c in hand if c.rank == JACK and c.suit == starter.suit]
    return tuple(found)


def itemize_play(series: Sequence[Card], count: int) -> tuple[ScoringItem, ...]:
    """Return what the last card of `series` scores at this count, without the last-card point."""
    found = []
    if count in (15, 31):
        found.append(ScoringItem("fifteen" if count == 15 else "thirty-one", 2, tuple(series)))
    alike = 1
    while alike < len(series) and series[-alike - 1].rank == series[-1].rank:
        alike += 1
    if alike > 1:
        found.append(ScoringItem(*_PAIR_SCORES[alike], tuple(series[-alike:])))
    for length in range(min(len(series), 7), 2, -1) if alike == 1 else ():
        ranks = {c.rank for c in series[-length:]}
        if len(ranks) == length and max(ranks) - min(ranks) == length - 1:
            found.append(ScoringItem("run", length, tuple(series[-length:])))
            break
    return tuple(found)


def _find_fifteens(all_cards: tuple[Card, ...]) -> list[ScoringItem]:
    sums = [0]
    for c in all_cards:
        value = c.value
        sums += [n + value for n in sums]
    found = [choice for choice, n in enumerate(sums) if n == 15]
    return [ScoringItem("fifteen", 2, tuple(c for i, c in enumerate(all_cards) if choice >> i & 1)) for choice in found]


def _find_runs(all_cards: tuple[Card, ...]) -> list[ScoringItem]:
    groups: list[list[Card]] = []
    for rank, same in groupby(sorted(all_cards), key=lambda c: c.rank):
        if groups and groups[-1][0].rank != rank - 1:
            if len(groups) >= 3:
                break
            groups = []
        groups.append(list(same))
    return [ScoringItem("run", len(groups), run) for run in product(*groups)] if len(groups) >= 3 else []


def _find_flush(hand: tuple[Card, ...], starter: Card | None, *, whole: bool) -> list[ScoringItem]:
    if len({c.suit for c in hand}) > 1:
        return []
    if starter is not None and starter.suit == hand[0].suit:
        return [ScoringItem("flush", len(hand) + 1, (*hand, starter))]
    return [] if whole else [ScoringItem("flush", len(hand), hand)]


class _LazyRoot:
    """Stands for a table root until its first use, so that import builds nothing and look-ups need no check."""

    def __init__(self, which: int) -> None:
        self._which = which

    def __getitem__(self, first: Card) -> Any:
        return _load_tables()[self._which][first]


def _load_tables() -> tuple[Any, Any]:
    global _hand_table, _crib_table
    if isinstance(_hand_table, _LazyRoot):
        _hand_table, _crib_table = scoring_tables.build_trees()
    return _hand_table, _crib_table


_hand_table: Any = _LazyRoot(0)
_crib_table: Any = _LazyRoot(1)


def counting_order(dealer: int, seats: int) -> Iterator[int]:
    """Return the seats in counting order: from the dealer's left clockwise, the dealer last."""
    return ((dealer + n) % seats for n in range(1, seats + 1))


def award_hand(
    seat: int, hand: tuple[Card, ...], starter: Card, *, crib: bool = False, is_five_card: bool = False
) -> tuple[Award, ...]:
    """Return one award for each scoring item of a hand or the crib. Raises BadCard as `itemize_hand` does."""
    return tuple(
        Award(seat, item.points, item.reason, item.cards) for item in itemize_hand(hand, starter, crib, is_five_card)
    )
