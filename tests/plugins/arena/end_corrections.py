"""What the play for the scores adds to the chances to win near the end, over deals played as at 0-0.

`python -m tests.plugins.arena.end_corrections ends.jsonl --deals deals.jsonl --rounds 24` plays rounds of about
60,000 deals with the expert in C, at the scores within `REACH` of the target for both players: more where fewer
neighbours help to find the correction. Each deal is played for these scores and, as the control variate, as at 0-0. The
file with the deals is that of `make_wins`. `--write` writes the table of chances from both files.

A correction is the mean of the deals at a score less what the table has without it: the chance to win in the deal, and
the chances after it. So each round is played with the table that results from the rounds before, corrections included.
The first rounds, whose table was not yet right, are left out of the result (`SETTLING`). The means are smoothed by
local lines whose width grows with the distance to the target. It prints the error against every fifth round, which is
left out for this: the root of the mean square over the scores, each with the weight of its deals, without the error of
these rounds; and the same without corrections. Results are added to the file, so the tool may be stopped and continued.
"""

import argparse
import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.plugins.arena import compiled_expert, make_wins
from tests.plugins.arena.compiled_expert import TARGET
from tests.plugins.arena.generators import deals
from tests.plugins.arena.generators.deals import Array, DealCounts
from tests.plugins.arena.make_pegging import choose_discards
from tests.plugins.arena.make_tables import TABLES, describe_wins, write_table
from tests.plugins.arena.result_lines import add_results, read_results

SEED = 119_000_000
REACH = 50
DEALS = 60_000
"""About the number of deals in a round."""
HANDS = {"hands_four": 40, "hands_three": 40, "hands_near": 80, "hands_last": 100}
"""Hands tried in the search of a card: fewer than those of the coach."""
SETTLING = 2
HELD_OUT = 5
WIDTH, WIDTH_A_POINT = 0.1, 0.1
"""The width of the smoothing, in points: at the target, and by how much it grows with each point of distance."""
LEAST_WIDTH = 0.28
"""The width at which the deals of a score count as much as those of all others."""
LEAST_VARIANCE = 0.0004
CORRECTED = "deals_near_the_end"
"""The part of the table that says how many deals correct it."""


def list_scores() -> list[tuple[int, int]]:
    """Return the scores of dealer and pone that are corrected, from the end backwards."""
    near = range(TARGET - REACH, TARGET)
    return sorted(((dealer, pone) for dealer in near for pone in near), key=lambda scores: (-sum(scores), scores))


def measure_widths(scores: Sequence[tuple[int, int]]) -> Array:
    return WIDTH + WIDTH_A_POINT * (TARGET - np.array(scores, dtype=float))


def share_deals(table: Array) -> list[int]:
    scores = list_scores()
    chances = np.array([table[each] for each in scores])
    wanted = (chances * (1 - chances) + 0.01) / np.maximum(LEAST_WIDTH, measure_widths(scores)).prod(1)
    return [2 + int(each) for each in wanted * DEALS / wanted.sum()]


def play_round(coach: compiled_expert.Coach, number: int, table: Array, parts: Array) -> list[list[float]]:
    """Return the sums of all scores: deals, values less the table's, their squares, the same as at 0-0, the products.

    :param parts: by both scores, what the corrections add in the deal itself. The table less these is the value of the
        deals that are played as at 0-0.
    """
    found = []
    for dealer in range(TARGET):
        coach.rows[dealer][:TARGET] = list(table[dealer])
    for place, ((dealer, pone), many) in enumerate(zip(list_scores(), share_deals(table), strict=True)):
        sums, both = (ctypes.c_double * 5)(), (ctypes.c_int * 2)(dealer, pone)
        seed = SEED + number * 10_007 + place * 1_000_003
        compiled_expert.load_library().value_deals(ctypes.addressof(coach), both, many, seed, sums)
        at = table[dealer, pone] - parts[dealer, pone]
        one, ones, two, twos, product = sums
        found.append([many, *(round(each, 6) for each in (
            one - many * at, ones - 2 * at * one + many * at**2, two - many * at, twos - 2 * at * two + many * at**2,
            product - at * (one + two) + many * at**2,
        ))])  # fmt: skip
    return found


def add_rounds(path: Path, counts: DealCounts, rounds: int) -> list[list[list[float]]]:
    compiled_expert.load_keeps(choose_discards().rows)
    coach = compiled_expert.make_coach(compiled_expert.load_tables())
    for name, hands in HANDS.items():
        setattr(coach, name, hands)
    found = read_results(path)

    def play_next(number: int) -> list[list[float]]:
        settled = found[min(SETTLING, max(0, number - SETTLING)) :]
        corrections = fit_corrections(settled) if settled else np.zeros((TARGET, TARGET))
        table = np.array(deals.compute_win_chances(counts, corrections=corrections))
        found.append(play_round(coach, number, table, corrections))
        return found[-1]

    return add_results(path, rounds, play_next)


def smooth_means(rounds: Sequence[Any]) -> tuple[Array, Array]:
    """Return the mean of each score, with the control variate, and the variance of a deal around it."""
    scores = list_scores()
    sums = np.array(rounds).sum(0)
    width = measure_widths(scores)
    pooled = np.array([_kernel(scores, width, at) @ sums for at in range(len(scores))])
    number, _, ones, _, twos, product = pooled.T
    part = np.where(twos > 0, product / np.maximum(twos, 1e-9), 0)
    means = (sums[:, 1] - part * sums[:, 3]) / sums[:, 0]
    return means, np.maximum(LEAST_VARIANCE, (ones - part * product) / number)


def fit_corrections(rounds: Sequence[Any]) -> Array:
    scores = list_scores()
    means, variances = smooth_means(rounds)
    weights = np.array(rounds)[:, :, 0].sum(0) / variances
    width = measure_widths(scores)
    found = np.zeros((TARGET, TARGET))
    places = np.array(scores, dtype=float)
    for at, (dealer, pone) in enumerate(scores):
        near = _kernel(scores, width, at) * weights
        lines = np.column_stack([np.ones(len(scores)), places - places[at]])
        weighted = lines * near[:, None]
        ridge = np.diag([0, 1, 1]) * near.sum() * 0.02
        found[dealer, pone] = np.linalg.solve(lines.T @ weighted + ridge, weighted.T @ means)[0]
    return found


def _kernel(scores: Sequence[tuple[int, int]], width: Array, at: int) -> Array:
    distance = (np.array(scores, dtype=float) - np.array(scores[at])) / width[at]
    weights: Array = np.exp(-(distance**2).sum(1) / 2)
    return np.where(weights > 1e-4, weights, 0)


def measure_error(rounds: Sequence[Any]) -> tuple[float, float]:
    """Return the error of the corrections from the other rounds against every fifth, and without corrections."""
    used = [each for number, each in enumerate(rounds) if number % HELD_OUT]
    left = [each for number, each in enumerate(rounds) if number % HELD_OUT == 0]
    means, variances = smooth_means(left)
    number = np.array(left)[:, :, 0].sum(0)
    fitted = fit_corrections(used)
    found = []
    for expected in (np.array([fitted[each] for each in list_scores()]), 0):
        found.append(float(np.average((means - expected) ** 2 - variances / number, weights=number)))
    return max(0, found[0]) ** 0.5, max(0, found[1]) ** 0.5


def write_wins(counts: DealCounts, rounds: Sequence[Any], folder: Path) -> None:
    played = sum(row[0] for each in rounds for row in each)
    table = {"deals_played": counts.number, CORRECTED: played}
    table |= describe_wins(counts, fit_corrections(rounds[SETTLING:]))
    write_table(folder, "six-card-wins", table, "end_corrections", SEED)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("file", type=Path)
    asked.add_argument("--deals", type=Path, required=True)
    asked.add_argument("--rounds", type=int, default=20)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    counts = make_wins.add_counts(read_results(given.deals))
    rounds = add_rounds(given.file, counts, given.rounds)
    if given.write:
        write_wins(counts, rounds, TABLES)
    error, without = measure_error(rounds[SETTLING:])
    print(f"{len(rounds)} rounds; error of the corrections {100 * error:.2f} %, without them {100 * without:.2f} %")


if __name__ == "__main__":
    main()
