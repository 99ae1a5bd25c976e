"""The points of cards in the show and in the play. Pure; knows nothing of scores and turns.

`itemize_hand` lists the items as players count them (docs/reference/games/six-card.md) and is slow. `points` is fast:
it goes through a tree from card to card whose leaves have one byte of points for each starter. A node is a *state*:
the ranks held (a multiset), the suit if all cards share it, and the suits of the jacks. States of 0 to 3 cards have
52 children; the 6,198 states of 4 cards are leaves of 52 bytes. Hands and cribs differ only in the flush, so only
leaves with a flush exist twice. `build_trees` takes about 0.1 s; importing this module builds nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, groupby, product
from typing import Any

from companion.common.constants import IMPOSSIBLE_HAND_SCORES, MAX_HAND_POINTS
from companion.common.errors import BadCard
from companion.rules.cards import JACK, Card
from companion.rules.engine import Award

Node = tuple[Any, ...]
"""52 children by card: nodes, or leaves (bytes) after the fourth card; None for a card that is already held."""

Ranks = tuple[int, ...]
HandState = tuple[Ranks, int, int]
_NO_FLUSH, _NO_CARDS = 4, 5
"""Values that replace the flush suit: mixed suits, or no card yet."""

_ADD_TRANSLATIONS = tuple(bytes((n + more) & 255 for n in range(256)) for more in range(7))
"""Byte translations that add 0 to 6: up to five for a flush and one for his nobs."""


def build_trees() -> tuple[Node, Node]:
    """Return the roots for hands and cribs. `root[a][b][c][d][starter]` is the score, the four cards in any order."""
    shares = _score_all_ranks()
    hands = _TreeBuilder(shares, (4, 5), {})
    plain = {state: leaf for state, leaf in hands.made.items() if len(state[0]) == 4 and state[1] == _NO_FLUSH}
    return hands.root, _TreeBuilder(shares, (0, 5), plain).root


def _score_all_ranks() -> dict[Ranks, bytes]:
    """Return, for each four ranks, the points of fifteens, pairs and runs with each of the 13 starter ranks."""
    five: dict[Ranks, int] = {ranks: score_ranks(ranks) for ranks in combinations_with_replacement(range(13), 5)}
    return {
        ranks: bytes(five[tuple(sorted((*ranks, starter)))] for starter in range(13))
        for ranks in combinations_with_replacement(range(13), 4)
    }


def score_ranks(ranks: Sequence[int]) -> int:
    """Return the points of fifteens, pairs and runs among sorted ranks, which is the score without suits."""
    # The coefficient of x^15 in the product of (1 + x^value), eight bits a coefficient, counts the fifteens.
    ways = 1
    for rank in ranks:
        ways += ways << (8 * min(rank + 1, 10))
    points = 2 * (ways >> 120 & 255)
    length, times, best, before, alike = 0, 1, 0, -2, 1
    for rank in ranks:
        if rank == before:
            points += 2 * alike
            times = times // alike * (alike + 1)
            alike += 1
        elif rank == before + 1:
            length, alike = length + 1, 1
        else:
            length, times, alike = 1, 1, 1
        before = rank
        if length >= 3:
            best = length * times
    return points + best


class _TreeBuilder:
    """Builds one node for each state: (sorted ranks, flush suit or `_NO_FLUSH`, bit set of the jacks' suits)."""

    def __init__(
        self, shares: dict[Ranks, bytes], flush: tuple[int, int], nodes: dict[HandState, Node | bytes]
    ) -> None:
        """Build the tree. `flush`: points of a four-card and a five-card flush; `nodes`: leaves that exist already."""
        self._rank_scores = shares
        self._flush_points = flush
        self.made = nodes
        self.root = self._build_node((), _NO_CARDS, 0)

    def _build_node(self, ranks: Ranks, flush: int, jacks: int) -> Node:
        children: list[Any] = []
        for rank in range(13):
            longer = tuple(sorted((*ranks, rank)))
            if flush == _NO_FLUSH and rank != JACK:
                children += [self._get_child(longer, _NO_FLUSH, jacks)] * 4
                continue
            for suit in range(4):
                jack = 1 << suit if rank == JACK else 0
                suit_left = suit if flush in (_NO_CARDS, suit) else _NO_FLUSH
                held = jacks & jack or (suit_left == suit and rank in ranks)
                children.append(None if held else self._get_child(longer, suit_left, jacks | jack))
        return tuple(children)

    def _get_child(self, ranks: Ranks, flush: int, jacks: int) -> Node | bytes:
        state = (ranks, flush, jacks)
        made = self.made.get(state)
        if made is None:
            made = self._build_leaf(*state) if len(ranks) == 4 else self._build_node(*state)
            self.made[state] = made
        return made

    def _build_leaf(self, ranks: Ranks, flush: int, jacks: int) -> bytes:
        share = self._rank_scores[ranks]
        more = [jacks >> suit & 1 for suit in range(4)]
        if flush != _NO_FLUSH:
            four, five = self._flush_points
            more = [nobs + (five if suit == flush else four) for suit, nobs in enumerate(more)]
        leaf = bytearray(52)
        for suit in range(4):
            leaf[suit::4] = share.translate(_ADD_TRANSLATIONS[more[suit]])
        return bytes(leaf)


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
    return total <= MAX_HAND_POINTS and total not in IMPOSSIBLE_HAND_SCORES


def points_by_starter(hand: Sequence[Card], crib: bool = False) -> bytes:
    """Return the points of four cards with each of the 52 starters; entries of the hand's own cards are undefined."""
    a, b, c, d = hand
    leaf: bytes = (_crib_table if crib else _hand_table)[a][b][c][d]
    return leaf


def sum_points(items: Iterable[ScoringItem]) -> int:
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
        _hand_table, _crib_table = build_trees()
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
