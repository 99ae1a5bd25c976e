"""Whose cards go into the crib: dealer and pone answer each other's discards, over and over, until both stay."""

from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from companion.coach import ranks
from companion.coach.ranks import FOURS, PAIRS, PLACE_OF_PAIR, counted, with_starters
from companion.rules.cards import JACK

NOBS = 0.25
"""A jack meets a starter of its suit about so often."""

Table = list[float]


class Six(NamedTuple):
    """Six ranks, how likely they are dealt, and each discard: its pair, its four, the mean of the hand."""

    held: ranks.Ranks
    counts: list[int]
    likely: float
    choices: list[tuple[int, int, float]]


def every_six() -> list[Six]:
    """All 18,395 sixes without their suits, with all their discards."""
    place_of_four = {four: place for place, four in enumerate(FOURS)}
    sums = [sum(with_starters(four)) for four in FOURS]
    found = []
    for six in combinations_with_replacement(range(13), 6):
        counts = counted(six)
        if max(counts) > 4:
            continue
        choices = []
        for pair in sorted({(six[a], six[b]) for b in range(6) for a in range(b)}):
            left = list(six)
            left.remove(pair[0])
            left.remove(pair[1])
            four = tuple(left)
            points = with_starters(four)
            place = place_of_four[four]
            mean = (4 * sums[place] - sum(points[rank] for rank in six)) / 46 + NOBS * four.count(JACK)
            choices.append((PLACE_OF_PAIR[pair], place, mean))
        found.append(Six(six, counts, ranks.ways(six, [4] * 13) / comb(52, 6), choices))
    return found


def answer(sixes: list[Six], crib: Table, pegging: Table, *, dealer: bool) -> list[tuple[int, int]]:
    """What a player throws and keeps of each six for whom cribs are worth `crib`: the pair and the four."""
    sign = 1.0 if dealer else -1.0
    found = []
    for six in sixes:
        best = max(six.choices, key=lambda c: c[2] + sign * crib[c[0]] + pegging[c[1]])
        found.append(best[:2])
    return found


def worth(sixes: list[Six], answers: list[tuple[int, int]]) -> Table:
    """The mean crib of each pair where the other side answers so to the sixes it can have been dealt."""
    return [_worth_of(pair, sixes, answers) for pair in PAIRS]


def _worth_of(pair: tuple[int, int], sixes: list[Six], answers: list[tuple[int, int]]) -> float:
    """Over all sixes of the 50 other cards, and over all starters among the 44 that neither holds."""
    a, b = pair
    fewer = [[comb(4 - pair.count(rank), n) / comb(4, n) for n in range(5)] for rank in pair]
    one, other = fewer if a != b else (fewer[0], [1.0] * 5)
    weights = [0.0] * len(PAIRS)
    gone = [[0.0] * 13 for _ in PAIRS]
    for six, (thrown, _) in zip(sixes, answers, strict=True):
        counts = six.counts
        often = six.likely * one[counts[a]] * other[counts[b]]
        weights[thrown] += often
        row = gone[thrown]
        for rank in six.held:
            row[rank] += often
    total = 0.0
    mine = [4 - n for n in counted(pair)]
    for theirs, often, row in zip(PAIRS, weights, gone, strict=True):
        points = with_starters(tuple(sorted((*pair, *theirs))))
        total += sum((n * often - out) * p for n, out, p in zip(mine, row, points, strict=True)) / 44
        total += often * NOBS * (*pair, *theirs).count(JACK)
    return total / sum(weights)


class Rest(NamedTuple):
    """For dealer and pone (0 and 1): the worth of each crib, and what is thrown and kept of each six."""

    sixes: list[Six]
    cribs: list[Table]
    answers: list[list[tuple[int, int]]]


def settle(pegging: tuple[Table, Table], rounds: int = 6) -> Rest:
    """Answer upon answer; what a pair is worth follows half-way each time, so that it comes to rest."""
    sixes = every_six()
    cribs = [[4.5] * len(PAIRS) for _ in range(2)]
    answers: list[list[tuple[int, int]]] = [[], []]
    for turn in range(rounds):
        answers = [answer(sixes, cribs[who], pegging[who], dealer=who == 0) for who in (0, 1)]
        fresh = [worth(sixes, answers[1]), worth(sixes, answers[0])]
        share = 1.0 if turn == 0 else 0.6
        cribs = [
            [share * new + (1 - share) * old for new, old in zip(*both, strict=True)]
            for both in zip(fresh, cribs, strict=True)
        ]
    return Rest(sixes, cribs, answers)
