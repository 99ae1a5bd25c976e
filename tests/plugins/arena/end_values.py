"""How the play for the scores changes the chances to win, against the table from deals played as at 0-0.

`python -m tests.plugins.arena.end_values ends.jsonl --parts 10` plays, with the expert in C, parts of 10,000 deals at
each of some scores before a deal, near the end and before. Both players discard and play for these scores. A deal that
has no winner counts what the table says of the scores after it. The mean is compared with the table at the scores, with
95 % intervals. The same deals are also played as at 0-0. If the table has no corrections (`end_corrections`), it should
have their mean, so they are the control variate that narrows the interval. Parts are added to the file, so the tool may
be stopped and continued.
"""

import argparse
import ctypes
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from companion.plugins.arena.match import STANDARD_ERRORS
from tests.plugins.arena import compiled_expert
from tests.plugins.arena.end_corrections import CORRECTED
from tests.plugins.arena.make_pegging import choose_discards
from tests.plugins.arena.result_lines import add_results

SEED = 118_000_000
DEALS = 10_000
SCORES = (
    (118, 118), (120, 120), (119, 115), (115, 119), (120, 116), (116, 120), (110, 118), (118, 110), (112, 112),
    (105, 105), (100, 110), (110, 100), (90, 100), (100, 90), (80, 110), (60, 60),
)  # fmt: skip
"""Scores of dealer and pone before a deal."""


class Sums(NamedTuple):
    """Sums over deals: the dealer's value if played for the scores, its square, the same as at 0-0, the product."""

    number: float
    actual: float
    actual_squares: float
    usual: float
    usual_squares: float
    products: float


class Estimate(NamedTuple):
    """A mean and the half-width of its 95 % interval."""

    mean: float
    half_width: float


def play_part(coach: compiled_expert.Coach, scores: tuple[int, int], number: int) -> list[float]:
    """Return the sums of a part."""
    sums = (ctypes.c_double * 5)()
    both = (ctypes.c_int * 2)(*scores)
    compiled_expert.load_library().value_deals(ctypes.addressof(coach), both, DEALS, SEED + number, sums)
    return [DEALS, *sums]


def add_parts(path: Path, parts: int) -> list[Sums]:
    """Play until the file has this many parts of all scores. Return the sums of each."""
    compiled_expert.load_keeps(choose_discards().rows)
    coach = compiled_expert.make_coach(compiled_expert.load_tables())
    number = parts * len(SCORES)
    found = add_results(path, number, lambda n: play_part(coach, SCORES[n % len(SCORES)], n))[:number]
    return [Sums(*map(sum, zip(*found[n :: len(SCORES)], strict=True))) for n in range(len(SCORES))]


def estimate_value(sums: Sums, expected: float | None) -> Estimate:
    """Return the dealer's value if both play for the scores.

    :param expected: the mean of the deals that are played as at 0-0, if it is known, as the control variate.
    """
    mean, usual = sums.actual / sums.number, sums.usual / sums.number
    variance = sums.actual_squares / sums.number - mean**2
    if expected is not None:
        of_usual = sums.usual_squares / sums.number - usual**2
        together = sums.products / sums.number - mean * usual
        if of_usual > 0:
            mean -= together / of_usual * (usual - expected)
            variance -= together**2 / of_usual
    return Estimate(mean, STANDARD_ERRORS * sqrt(max(0, variance) / sums.number))


def print_values(found: Sequence[Sums]) -> None:
    """Print the values at all scores, and those of the table."""
    wins = compiled_expert.load_tables()["wins"]
    table, corrected = wins["dealer"], CORRECTED in wins
    for (dealer, pone), sums in zip(SCORES, found, strict=True):
        stored = table[dealer][pone]
        value, usual = estimate_value(sums, None if corrected else stored), sums.usual / sums.number
        plain = STANDARD_ERRORS * sqrt(max(0, usual - usual**2) / sums.number)
        print(f"{dealer}-{pone}: {100 * value.mean:.2f} ±{100 * value.half_width:.2f} %, table {100 * stored:.2f} %, "
              f"difference {100 * (value.mean - stored):+.2f} %; as at 0-0 {100 * usual:.2f} ±{100 * plain:.2f} %; "
              f"{sums.number:.0f} deals")  # fmt: skip


def main() -> None:
    """Play parts and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("file", type=Path)
    asked.add_argument("--parts", type=int, default=10)
    given = asked.parse_args()
    print_values(add_parts(given.file, given.parts))


if __name__ == "__main__":
    main()
