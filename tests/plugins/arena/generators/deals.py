"""Deals played by good players, and the statistics of them: pegging, hands and chances to win."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.ranks import HAND_NUMBERS, Ranks
from companion.coach.cribbage.rollout import finish_play
from companion.rules.cards import JACK, PACK, Card
from companion.rules.scoring import points

DEALER, PONE = 0, 1
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Events = list[tuple[int, int]]
"""Who scored how much, in order: 0 is the dealer, 1 is pone."""
PlayedDeal = tuple[tuple[Ranks, Ranks], Events, Events]
"""Hands kept by dealer and pone; pegging; then heels, pone's hand, the dealer's hand and the crib."""
Thrower = Callable[[tuple[Card, ...], int], tuple[Card, ...]]
"""Returns the four of six cards to keep, for dealer or pone."""


def play_hands(hands: tuple[Ranks, Ranks]) -> Events:
    """Play two hands by the rollout policy. Hands of three end with the first series."""
    dealer, pone = (HAND_NUMBERS[hand] for hand in hands)
    scores = finish_play(dealer, pone, 0, 0, PONE, PONE, once=len(hands[0]) == 3)
    return [(DEALER, points) if points > 0 else (PONE, -points) for points in scores]


def play_deals(keep: Thrower, dealt: int, number: int, seed: int) -> Iterator[PlayedDeal]:
    chance = Random(seed)
    for _ in range(number):
        pack = chance.sample(PACK, 2 * dealt + 1)
        hands = (tuple(sorted(pack[:dealt])), tuple(sorted(pack[dealt:-1])))
        starter = pack[-1]
        kept = (keep(hands[0], DEALER), keep(hands[1], PONE))
        crib = [card for hand, four in zip(hands, kept, strict=True) for card in hand if card not in four]
        ranks = tuple(tuple(sorted(card.rank for card in four)) for four in kept)
        told = [
            (DEALER, 2 * (starter.rank == JACK)),
            (PONE, hand_points_by_starter(kept[1])[starter]),
            (DEALER, hand_points_by_starter(kept[0])[starter]),
            (DEALER, points(crib, starter, True)),
        ]
        yield (ranks[0], ranks[1]), play_hands((ranks[0], ranks[1])), told


class DealCounts(NamedTuple):
    """How often each player first reached `n` points in a deal while the other had `m`; and the points of both."""

    number: int
    first: Sequence[Counter[tuple[int, int]]]
    both: Counter[tuple[int, int]]


def compute_win_chances(counts: DealCounts, target: int = 121, corrections: Array | None = None) -> list[list[float]]:
    """Return the dealer's chance to win before a deal by both scores, computed backwards from the target.

    :param corrections: by both scores, what the play for these scores adds to the chance (`end_corrections`).
    """
    ends = _ends_in_deal(counts.first[DEALER], counts.number, target, target)
    if corrections is not None:
        ends = [[end + more for end, more in zip(*rows, strict=True)] for rows in zip(ends, corrections, strict=True)]
    chances = _compute_backwards(ends, counts, target, lambda later: 1 - later)
    return [[min(1.0, max(0.0, chance)) for chance in row] for row in chances]


def order_chances(chances: list[list[float]]) -> list[list[float]]:
    """Return chances that never fall with the dealer's score nor rise with pone's, halfway between both bounds."""
    rows = np.array(chances)
    above = np.maximum.accumulate(np.maximum.accumulate(rows, 0)[:, ::-1], 1)[:, ::-1]
    below = np.minimum.accumulate(np.minimum.accumulate(rows[::-1], 0)[::-1], 1)
    return [[float(chance) for chance in row] for row in (above + below) / 2]


def compute_skunk_chances(counts: DealCounts, limit: int, target: int = 121) -> list[list[float]]:
    """Return the dealer's chance to win against a score of `limit` or less, less the chance to lose with it.

    By both scores before a deal, computed backwards from the target.
    """
    skunks, skunked = (_ends_in_deal(counts.first[who], counts.number, target, limit) for who in (DEALER, PONE))
    ends = [[skunks[d][p] - skunked[p][d] for p in range(target)] for d in range(target)]
    return _compute_backwards(ends, counts, target, lambda later: -later)


def count_deals(told: list[Events]) -> DealCounts:
    both: Counter[tuple[int, int]] = Counter()
    first: list[Counter[tuple[int, int]]] = [Counter(), Counter()]
    for events in told:
        totals = [0, 0]
        for who, scored in events:
            for reached in range(totals[who] + 1, totals[who] + scored + 1):
                first[who][reached, totals[1 - who]] += 1
            totals[who] += scored
        both[totals[0], totals[1]] += 1
    return DealCounts(len(told), first, both)


def _ends_in_deal(first: Counter[tuple[int, int]], number: int, target: int, limit: int) -> list[list[float]]:
    """Return how often a player wins in this deal, by both scores before it, the loser ending at `limit` or less."""
    found = [[0.0] * target for _ in range(target)]
    for own in range(target):
        need = target - own
        sums = [0]
        for had in range(target):
            sums.append(sums[-1] + first[need, had])
        for other in range(target):
            found[own][other] = sums[max(0, min(target - other, limit + 1 - other))] / number
    return found


def _compute_backwards(
    ends: list[list[float]], counts: DealCounts, target: int, turn: Callable[[Array], Array]
) -> list[list[float]]:
    """Return the dealer's value of both scores; `turn` makes it from the values to the next dealer, who is pone."""
    size = 1 + max(target, *(max(both) for both in counts.both))
    shares = np.zeros((size, size))
    for (d, p), n in counts.both.items():
        shares[d, p] = n / counts.number
    values = np.zeros((target, target))
    for total in range(2 * target - 2, -1, -1):
        for dealer in range(max(0, total - target + 1), min(target - 1, total) + 1):
            pone = total - dealer
            undecided = shares[: target - dealer, : target - pone] * turn(values[pone:, dealer:].T)
            values[dealer, pone] = ends[dealer][pone] + undecided.sum()
    return [[float(value) for value in row] for row in values]
