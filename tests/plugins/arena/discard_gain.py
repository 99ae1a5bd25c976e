"""How many points a deal the table of pegging gains in the discards at 0-0, and how many any table could gain.

`python -m tests.plugins.arena.discard_gain gain.jsonl --parts 20` plays parts of 20,000 deals, each in both roles,
with the expert in C: a player that discards by hand, crib and pegging against one that discards by hand and crib alone.
Both choose the most points, and play their cards as the coach does. It prints the gain with its 95 % interval, and what
the table promises for the same deals. With `--fixed-cribs` the opponent takes the mean crib of each pair from a table,
without regard to the other cards that it holds.

The *ceiling* follows without playing: over all hands of six, the value of the best discard with pegging, less that of
the best without. `--spread spread.jsonl --hands 300` plays the two best discards of drawn hands many times, and prints
how much the difference of their pegging differs from that of the table: errors of the table, and what it does not know
(which cards were discarded, and so which the opponent cannot hold). A player that knew all of this could gain the
ceiling with this spread.

Results are added to the files, so the tool may be stopped and continued.
"""

import argparse
import ctypes
from collections.abc import Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import HANDS_OF_FOUR
from companion.plugins.arena.match import STANDARD_ERRORS
from tests.plugins.arena import compiled_expert
from tests.plugins.arena.generators import cribs
from tests.plugins.arena.make_pegging import choose_discards
from tests.plugins.arena.result_lines import add_results

SEED = 48_000_000
DEALS = 20_000
SPREAD_SEED = 4800
SPREAD_DEALS = 3200
"""Deals for each discard of a hand, half of them for each of two independent means."""
DRAWS = 40
"""Times that unknown differences are drawn for each hand."""
ROLES = ((tables.DEALER, "as dealer"), (tables.PONE, "as pone"))
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Values(NamedTuple):
    """All discards of all hands of six, one after the other: points by hand and crib, and by pegging."""

    begins: np.ndarray[tuple[int], np.dtype[np.intp]]
    """Where the discards of each hand begin."""
    likely: Array
    """The probability of each hand."""
    counted: Array
    pegging: Array
    choices: list[tuple[int, int]]
    """The indices of the pair and of the kept hand."""


class Gain(NamedTuple):
    """Points a deal: all, and those of the play alone, which cost the rest in hand and crib."""

    points: float
    pegged: float


class Tested(NamedTuple):
    """The best two discards of a hand: indices of pair and kept hand; and the first's lead by the pegging table."""

    discards: tuple[tuple[int, int], tuple[int, int]]
    expected: float


@cache
def list_values(role: int) -> Values:
    known, hands = tables.load_tables("six-card"), cribs.list_hands(HANDS_OF_FOUR)
    sign = 1 if role == tables.DEALER else -1
    choices = [choice for hand in hands for choice in hand.choices]
    sizes = [len(hand.choices) for hand in hands]
    return Values(
        np.cumsum([0, *sizes[:-1]]),
        np.array([hand.likely for hand in hands]),
        np.array([mean + sign * known.mean_cribs[role][pair] for pair, _, mean in choices]),
        np.array([known.net_pegging[role][kept] for _, kept, _ in choices]),
        [(pair, kept) for pair, kept, _ in choices],
    )


def compute_ceiling(values: Values, spread: float = 0, seed: int = SEED) -> Gain:
    """Return what a player gains by pegging over one that discards by hand and crib alone.

    :param spread: standard deviation, in points, of what the pegging of each discard differs from the table by chance;
        the player knows it.
    """
    chance, number, total = np.random.default_rng(seed), len(values.counted), np.zeros(2)
    draws = DRAWS if spread else 1
    plain = find_best(values, values.counted)
    for _ in range(draws):
        pegging = values.pegging + (spread * chance.standard_normal(number) if spread else 0)
        best = find_best(values, values.counted + pegging)
        pegged = float(values.likely @ (pegging[best] - pegging[plain]))
        total += [pegged + values.likely @ (values.counted[best] - values.counted[plain]), pegged]
    return Gain(*(total / draws))


def find_best(values: Values, points: Array) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return where the discard of each hand with the most points is, the first of equal ones."""
    most = np.repeat(np.maximum.reduceat(points, values.begins), np.diff([*values.begins, len(points)]))
    places = np.where(points == most, np.arange(len(points)), len(points))
    return np.minimum.reduceat(places, values.begins)


def play_part(one: compiled_expert.Coach, other: compiled_expert.Coach, number: int) -> list[list[float]]:
    """Return the sums of `compare_discards` for one part: the dealer's, pone's, and those of both roles."""
    roles, both = (ctypes.c_double * 5 * 2)(), (ctypes.c_double * 2)()
    compiled_expert.load_library().compare_discards(
        ctypes.addressof(one), ctypes.addressof(other), DEALS, SEED + number, roles, both
    )
    return [*map(list, roles), list(both)]


def measure_gain(path: Path, parts: int, *, fixed_cribs: bool = False) -> list[list[list[float]]]:
    found = compiled_expert.load_tables()
    one, other = compiled_expert.make_coach(found), compiled_expert.make_coach(found)
    for role in (tables.DEALER, tables.PONE):
        other.net[role][:] = [0.0] * len(HANDS_OF_FOUR)
        if fixed_cribs:
            other.cribs[role][:] = found["cribs"]["worth"][role]
    return add_results(path, parts, lambda number: play_part(one, other, number))[:parts]


def print_gain(parts: list[list[list[float]]]) -> None:
    deals = DEALS * len(parts)
    totals = [[sum(column) for column in zip(*(part[n] for part in parts), strict=True)] for n in range(3)]
    total, squares = totals[2]
    promised = sum(row[4] for row in totals[:2]) / 2 / deals
    print(f"{deals} deals: gain {describe_mean(total, squares, deals)} points a deal; promised {promised:.4f}")
    for (_, name), (differ, total, squares, pegged, promised) in zip(ROLES, totals[:2], strict=True):
        print(f"{name}: gain {describe_mean(total, squares, deals)}, of it {pegged / deals:+.4f} in the play; "
              f"promised {promised / deals:.4f}; {100 * differ / deals:.1f} % of the discards differ")  # fmt: skip


def describe_mean(total: float, squares: float, number: int) -> str:
    mean = total / number
    wide = STANDARD_ERRORS * sqrt((squares / number - mean**2) / number)
    return f"{mean:.4f} ({mean - wide:.4f} to {mean + wide:.4f})"


def draw_tested(values: Values, number: int, chance: Random) -> list[Tested]:
    """Return the best two discards of hands drawn as they are dealt."""
    ends = [*values.begins, len(values.counted)]
    found = []
    for at in chance.choices(range(len(values.begins)), list(values.likely), k=number):
        begin, end = ends[at], ends[at + 1]
        order = sorted(range(begin, end), key=lambda n: -values.counted[n] - values.pegging[n])[:2]
        one, two = order if len(order) == 2 else order * 2
        found.append(Tested((values.choices[one], values.choices[two]), values.pegging[one] - values.pegging[two]))
    return found


def measure_spread(path: Path, hands: int) -> list[list[list[float]]]:
    """Return two independent differences to the table for each hand, by role, and adds those that the file lacks."""
    tested = [draw_tested(list_values(role), hands, Random(SPREAD_SEED + role)) for role, _ in ROLES]
    compiled_expert.load_keeps(choose_discards().rows)
    coach = compiled_expert.make_coach(compiled_expert.load_tables())

    def play_hands(number: int) -> list[list[float]]:
        return [[measure_difference(coach, tested[role][number], role, (SPREAD_SEED + 2 * number + half) * 10_007)
                 for half in (0, 1)] for role, _ in ROLES]  # fmt: skip

    return add_results(path, hands, play_hands)[:hands]


def measure_difference(coach: compiled_expert.Coach, tested: Tested, role: int, seed: int) -> float:
    """Return the measured lead of the first discard in the play less that of the table."""
    means = []
    for pair, kept in tested.discards:
        sums = (ctypes.c_double * 2)()
        deals = SPREAD_DEALS // 2
        compiled_expert.load_library().peg_discard(ctypes.addressof(coach), kept, pair, role, deals, seed, sums)
        means.append(sums[0] / deals)
    return means[0] - means[1] - tested.expected


def estimate_spread(differences: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the variance of a discard's pegging that the table does not know, and its standard error, in points².

    The products of two independent differences have the mean square of the true ones; each is that of two discards.
    """
    products = [one * two / 2 for one, two in differences]
    return float(np.mean(products)), float(np.std(products, ddof=1) / sqrt(len(products)))


def print_spread(differences: list[list[list[float]]]) -> None:
    for role, name in ROLES:
        variance, error = estimate_spread([each[role] for each in differences])
        low, most = (sqrt(max(0, variance + by * STANDARD_ERRORS * error)) for by in (-1, 1))
        values = list_values(role)
        ceilings = [compute_ceiling(values, each).points for each in (sqrt(max(0, variance)), most)]
        print(f"{name}: spread {sqrt(max(0, variance)):.3f} points ({low:.3f} to {most:.3f}), {len(differences)} "
              f"hands; ceiling with it {ceilings[0]:.4f}, at most {ceilings[1]:.4f} points a deal")  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("file", type=Path, nargs="?")
    asked.add_argument("--parts", type=int, default=20)
    asked.add_argument("--fixed-cribs", action="store_true")
    asked.add_argument("--spread", type=Path)
    asked.add_argument("--hands", type=int, default=300)
    given = asked.parse_args()
    for role, name in ROLES:
        points, pegged = compute_ceiling(list_values(role))
        print(f"{name}: ceiling {points:.4f} points a deal, of it {pegged:+.4f} in the play")
    if given.file:
        print_gain(measure_gain(given.file, given.parts, fixed_cribs=given.fixed_cribs))
    if given.spread:
        print_spread(measure_spread(given.spread, given.hands))


if __name__ == "__main__":
    main()
