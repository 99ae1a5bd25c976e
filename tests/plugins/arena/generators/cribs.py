"""Find which cards go into the crib: dealer and pone respond to each other's discards until both are stable."""

from itertools import combinations_with_replacement
from math import comb, exp
from typing import NamedTuple

from companion.coach.cribbage import ranks
from companion.coach.cribbage.ranks import PAIR_INDEX, RANK_PAIRS, count_ranks, points_with_starters
from companion.rules.cards import JACK

NOBS_POINTS = 0.25
"""Probability that the starter is of a jack's suit."""

OPINION_SPREAD_POINTS = 0.3
"""Points by which good players differ about a discard."""

Table = list[float]


class Hand(NamedTuple):
    """Ranks dealt, their probability, and each discard: index of the pair, index of the kept hand, mean of the hand."""

    held: ranks.Ranks
    counts: list[int]
    likely: float
    choices: list[tuple[int, int, float]]


def list_hands(kept: tuple[ranks.Ranks, ...]) -> list[Hand]:
    """Return all hands without suits, two cards larger than `kept` (18,395 of six cards), with all their discards."""
    place_of = {hand: place for place, hand in enumerate(kept)}
    size = len(kept[0]) + 2
    found = []
    for dealt in combinations_with_replacement(range(13), size):
        counts = count_ranks(dealt)
        if max(counts) > 4:
            continue
        choices = []
        for pair in sorted({(dealt[a], dealt[b]) for b in range(size) for a in range(b)}):
            left = list(dealt)
            left.remove(pair[0])
            left.remove(pair[1])
            hand = tuple(left)
            points = points_with_starters(hand)
            total = 4 * sum(points) - sum(points[rank] for rank in dealt)
            mean = total / (52 - size) + NOBS_POINTS * hand.count(JACK)
            choices.append((PAIR_INDEX[pair], place_of[hand], mean))
        found.append(Hand(dealt, counts, ranks.count_ways(dealt, [4] * 13) / comb(52, size), choices))
    return found


def choose_discards(hands: list[Hand], crib: Table, pegging: Table, *, dealer: bool) -> list[tuple[int, int]]:
    """Return the indices of pair and kept hand for each hand, for a player to whom cribs are worth `crib`."""
    sign = 1.0 if dealer else -1.0
    found = []
    for hand in hands:
        best = max(hand.choices, key=lambda c: c[2] + sign * crib[c[0]] + pegging[c[1]])
        found.append(best[:2])
    return found


def discard_and_keep_shares(hands: list[Hand], crib: Table, pegging: Table, *, dealer: bool) -> tuple[Table, Table]:
    """Return how often each pair is discarded and each hand kept by players of differing opinions.

    A discard that is `OPINION_SPREAD_POINTS` worse than the best is chosen e times less often.
    """
    sign = 1.0 if dealer else -1.0
    thrown, kept = [0.0] * len(crib), [0.0] * len(pegging)
    for hand in hands:
        seen = [c[2] + sign * crib[c[0]] + pegging[c[1]] for c in hand.choices]
        best = max(seen)
        liked = [exp((each - best) / OPINION_SPREAD_POINTS) for each in seen]
        share = hand.likely / sum(liked)
        for (pair, place, _), often in zip(hand.choices, liked, strict=True):
            thrown[pair] += often * share
            kept[place] += often * share
    return thrown, kept


def compute_mean_cribs(hands: list[Hand], answers: list[tuple[int, int]]) -> Table:
    """Return the mean crib of each pair if the other side answers so to the hands that it can have."""
    return [_mean_crib_of(pair, hands, answers) for pair in RANK_PAIRS]


def _mean_crib_of(pair: tuple[int, int], hands: list[Hand], answers: list[tuple[int, int]]) -> float:
    """Return the mean over all hands of the 50 other cards and all starters that the other side does not hold."""
    a, b = pair
    fewer = [[comb(4 - pair.count(rank), n) / comb(4, n) for n in range(5)] for rank in pair]
    one, other = fewer if a != b else (fewer[0], [1.0] * 5)
    weights = [0.0] * len(RANK_PAIRS)
    gone = [[0.0] * 13 for _ in RANK_PAIRS]
    for hand, (thrown, _) in zip(hands, answers, strict=True):
        counts = hand.counts
        often = hand.likely * one[counts[a]] * other[counts[b]]
        weights[thrown] += often
        row = gone[thrown]
        for rank in hand.held:
            row[rank] += often
    total = 0.0
    mine = [4 - n for n in count_ranks(pair)]
    starters = 50 - len(hands[0].held)
    for theirs, often, row in zip(RANK_PAIRS, weights, gone, strict=True):
        points = points_with_starters(tuple(sorted((*pair, *theirs))))
        total += sum((n * often - out) * p for n, out, p in zip(mine, row, points, strict=True)) / starters
        total += often * NOBS_POINTS * (*pair, *theirs).count(JACK)
    return total / sum(weights)


class Equilibrium(NamedTuple):
    """For dealer and pone (0 and 1): the mean of each crib, and the discard of each hand."""

    hands: list[Hand]
    cribs: list[Table]
    answers: list[list[tuple[int, int]]]


def find_equilibrium(kept: tuple[ranks.Ranks, ...], pegging: tuple[Table, Table], rounds: int = 6) -> Equilibrium:
    hands = list_hands(kept)
    cribs = [[4.5] * len(RANK_PAIRS) for _ in range(2)]
    answers: list[list[tuple[int, int]]] = [[], []]
    for turn in range(rounds):
        answers = [choose_discards(hands, cribs[who], pegging[who], dealer=who == 0) for who in (0, 1)]
        fresh = [compute_mean_cribs(hands, answers[1]), compute_mean_cribs(hands, answers[0])]
        share = 1.0 if turn == 0 else 0.6
        cribs = [
            [share * new + (1 - share) * old for new, old in zip(*both, strict=True)]
            for both in zip(fresh, cribs, strict=True)
        ]
    return Equilibrium(hands, cribs, answers)
