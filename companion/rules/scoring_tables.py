"""Precomputed points of the show: a tree from card to card whose leaves have one byte of points for each starter.

The points depend on a *state*: the ranks held (a multiset), the suit if all cards share it, and the suits of the jacks.
States of 0 to 3 cards are nodes with 52 children; the 6,198 states of 4 cards are leaves of 52 bytes. Hands and cribs
differ only in the flush, so only leaves with a flush exist twice. `build_trees` takes about 0.1 s; importing this
module builds nothing.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from companion.rules.cards import JACK

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
