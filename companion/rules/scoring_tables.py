"""The show as a chain of look-ups: hand card after hand card to a leaf, where each starter has its byte of points.

All that the show depends on is a *state*: the ranks held (a multiset), the suit if all are of one, and the suits of
the jacks. The states of 0 to 3 cards are nodes of 52 ways on, those of 4 cards (6,198) are leaves of 52 bytes. Hands
and cribs differ only in the flush, so only leaves with a flush exist twice. Built once, in about a tenth of a second,
by `build`; nothing happens on import.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from companion.rules.cards import JACK

Node = tuple[Any, ...]
"""52 ways on, by card: a Node again, or after the fourth card a leaf (bytes); None for a card surely held."""

Ranks = tuple[int, ...]
State = tuple[Ranks, int, int]
_MIXED, _ANY = 4, 5
"""In place of the suit of a flush: there is none; or no card is there yet."""

_PLUS = tuple(bytes((n + more) & 255 for n in range(256)) for more in range(7))
"""Translations that add 0 to 6 to every byte: a flush of five and his nobs."""


def build() -> tuple[Node, Node]:
    """The roots for hands and for cribs: `root[a][b][c][d][starter]` is the score. Order of the four is free."""
    shares = _ranks_alone()
    hands = _Builder(shares, (4, 5), {})
    plain = {state: leaf for state, leaf in hands.made.items() if len(state[0]) == 4 and state[1] == _MIXED}
    return hands.root, _Builder(shares, (0, 5), plain).root


def _ranks_alone() -> dict[Ranks, bytes]:
    """For each four ranks, the points of fifteens, pairs and runs with each of the 13 ranks as starter."""
    five: dict[Ranks, int] = {ranks: rank_points(ranks) for ranks in combinations_with_replacement(range(13), 5)}
    return {
        ranks: bytes(five[tuple(sorted((*ranks, starter)))] for starter in range(13))
        for ranks in combinations_with_replacement(range(13), 4)
    }


def rank_points(ranks: Sequence[int]) -> int:
    """Points of fifteens, pairs and runs among these sorted ranks: all of the show that suits do not touch."""
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


class _Builder:
    """Nodes by state, each made once. A state is (sorted ranks, flush suit or `_MIXED`, bits of the jacks' suits)."""

    def __init__(self, shares: dict[Ranks, bytes], flush: tuple[int, int], made: dict[State, Node | bytes]) -> None:
        """`flush`: what one of four and one of five cards is worth; `made`: leaves that are known already."""
        self._shares = shares
        self._flush = flush
        self.made = made
        self.root = self._node((), _ANY, 0)

    def _node(self, ranks: Ranks, flush: int, jacks: int) -> Node:
        ways: list[Any] = []
        for rank in range(13):
            more = tuple(sorted((*ranks, rank)))
            if flush == _MIXED and rank != JACK:
                ways += [self._child(more, _MIXED, jacks)] * 4
                continue
            for suit in range(4):
                jack = 1 << suit if rank == JACK else 0
                kept = suit if flush in (_ANY, suit) else _MIXED
                held = jacks & jack or (kept == suit and rank in ranks)
                ways.append(None if held else self._child(more, kept, jacks | jack))
        return tuple(ways)

    def _child(self, ranks: Ranks, flush: int, jacks: int) -> Node | bytes:
        state = (ranks, flush, jacks)
        made = self.made.get(state)
        if made is None:
            made = self._leaf(*state) if len(ranks) == 4 else self._node(*state)
            self.made[state] = made
        return made

    def _leaf(self, ranks: Ranks, flush: int, jacks: int) -> bytes:
        share = self._shares[ranks]
        more = [jacks >> suit & 1 for suit in range(4)]
        if flush != _MIXED:
            four, five = self._flush
            more = [nobs + (five if suit == flush else four) for suit, nobs in enumerate(more)]
        leaf = bytearray(52)
        for suit in range(4):
            leaf[suit::4] = share.translate(_PLUS[more[suit]])
        return bytes(leaf)
