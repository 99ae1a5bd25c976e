"""Whose cards go into the crib: dealer and pone answer each other's discards, over and over, until both stay."""

from itertools import combinations_with_replacement
from math import comb, exp
from typing import NamedTuple

from companion.coach.cribbage import ranks
from companion.coach.cribbage.ranks import PAIRS, PLACE_OF_PAIR, counted, with_starters
from companion.rules.cards import JACK

NOBS = 0.25
"""A jack meets a starter of its suit about so often."""

WAVERING = 0.3
"""Points by which good players differ about a discard."""

Table = list[float]


class Hand(NamedTuple):
    """The ranks dealt, how likely they are, and each discard: its pair, what is kept, the mean of that."""

    held: ranks.Ranks
    counts: list[int]
    likely: float
    choices: list[tuple[int, int, float]]


def every_hand(kept: tuple[ranks.Ranks, ...]) -> list[Hand]:
    """All hands without their suits, two cards more than what is kept (18,395 of six), with all their discards."""
    place_of = {hand: place for place, hand in enumerate(kept)}
    size = len(kept[0]) + 2
    found = []
    for dealt in combinations_with_replacement(range(13), size):
        counts = counted(dealt)
        if max(counts) > 4:
            continue
        choices = []
        for pair in sorted({(dealt[a], dealt[b]) for b in range(size) for a in range(b)}):
            left = list(dealt)
            left.remove(pair[0])
            left.remove(pair[1])
            hand = tuple(left)
            points = with_starters(hand)
            total = 4 * sum(points) - sum(points[rank] for rank in dealt)
            mean = total / (52 - size) + NOBS * hand.count(JACK)
            choices.append((PLACE_OF_PAIR[pair], place_of[hand], mean))
        found.append(Hand(dealt, counts, ranks.ways(dealt, [4] * 13) / comb(52, size), choices))
    return found


def answer(hands: list[Hand], crib: Table, pegging: Table, *, dealer: bool) -> list[tuple[int, int]]:
    """What a player throws and keeps of each hand for whom cribs are worth `crib`: the pair and what is kept."""
    sign = 1.0 if dealer else -1.0
    found = []
    for hand in hands:
        best = max(hand.choices, key=lambda c: c[2] + sign * crib[c[0]] + pegging[c[1]])
        found.append(best[:2])
    return found


def leanings(hands: list[Hand], crib: Table, pegging: Table, *, dealer: bool) -> tuple[Table, Table]:
    """How often each pair is thrown and each hand kept by players of whom not all think alike.

    What seems `WAVERING` points worse than the best is taken e times less often.
    """
    sign = 1.0 if dealer else -1.0
    thrown, kept = [0.0] * len(crib), [0.0] * len(pegging)
    for hand in hands:
        seen = [c[2] + sign * crib[c[0]] + pegging[c[1]] for c in hand.choices]
        best = max(seen)
        liked = [exp((each - best) / WAVERING) for each in seen]
        share = hand.likely / sum(liked)
        for (pair, place, _), often in zip(hand.choices, liked, strict=True):
            thrown[pair] += often * share
            kept[place] += often * share
    return thrown, kept


def worth(hands: list[Hand], answers: list[tuple[int, int]]) -> Table:
    """The mean crib of each pair where the other side answers so to the hands it can have been dealt."""
    return [_worth_of(pair, hands, answers) for pair in PAIRS]


def _worth_of(pair: tuple[int, int], hands: list[Hand], answers: list[tuple[int, int]]) -> float:
    """Over all hands of the 50 other cards, and over all starters that the other side does not hold."""
    a, b = pair
    fewer = [[comb(4 - pair.count(rank), n) / comb(4, n) for n in range(5)] for rank in pair]
    one, other = fewer if a != b else (fewer[0], [1.0] * 5)
    weights = [0.0] * len(PAIRS)
    gone = [[0.0] * 13 for _ in PAIRS]
    for hand, (thrown, _) in zip(hands, answers, strict=True):
        counts = hand.counts
        often = hand.likely * one[counts[a]] * other[counts[b]]
        weights[thrown] += often
        row = gone[thrown]
        for rank in hand.held:
            row[rank] += often
    total = 0.0
    mine = [4 - n for n in counted(pair)]
    starters = 50 - len(hands[0].held)
    for theirs, often, row in zip(PAIRS, weights, gone, strict=True):
        points = with_starters(tuple(sorted((*pair, *theirs))))
        total += sum((n * often - out) * p for n, out, p in zip(mine, row, points, strict=True)) / starters
        total += often * NOBS * (*pair, *theirs).count(JACK)
    return total / sum(weights)


class Rest(NamedTuple):
    """For dealer and pone (0 and 1): the worth of each crib, and what is thrown and kept of each hand."""

    hands: list[Hand]
    cribs: list[Table]
    answers: list[list[tuple[int, int]]]


def settle(kept: tuple[ranks.Ranks, ...], pegging: tuple[Table, Table], rounds: int = 6) -> Rest:
    """Answer upon answer; what a pair is worth follows half-way each time, so that it comes to rest."""
    hands = every_hand(kept)
    cribs = [[4.5] * len(PAIRS) for _ in range(2)]
    answers: list[list[tuple[int, int]]] = [[], []]
    for turn in range(rounds):
        answers = [answer(hands, cribs[who], pegging[who], dealer=who == 0) for who in (0, 1)]
        fresh = [worth(hands, answers[1]), worth(hands, answers[0])]
        share = 1.0 if turn == 0 else 0.6
        cribs = [
            [share * new + (1 - share) * old for new, old in zip(*both, strict=True)]
            for both in zip(fresh, cribs, strict=True)
        ]
    return Rest(hands, cribs, answers)
