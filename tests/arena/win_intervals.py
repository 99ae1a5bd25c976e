"""How far the table of the chances to win may be off because it was counted from a limited number of deals.

`.venv/bin/python -m tests.arena.win_intervals` plays as many deals as the table was made from, in ten parts, computes a
table from each part, and prints the widest 95 % interval of the mean of the ten, and those of scores that others have
published: the first dealer (Hessel) and the dealer's 35 to 37 (Carte Primus).
"""

import argparse
import statistics
from math import sqrt

from companion.arena.match import STANDARD_ERRORS
from companion.coach.cribbage import tables
from tests.arena.generators import deals
from tests.arena.make_races import choose_hand

SEED = 121
PARTS = 10
PUBLISHED = {(0, 0): ("Hessel, first dealer", 0.559), (35, 37): ("Carte Primus, dealer 35, pone 37", 0.51)}


def compute_parts(number: int) -> list[list[list[float]]]:
    """Return a table of the dealer's chances for each part of `number` deals of six-card."""
    events = [[told[0], *pegs, *told[1:]] for _, pegs, told in deals.play_deals(choose_hand, 6, number, SEED)]
    return [deals.compute_win_chances(events[part::PARTS]) for part in range(PARTS)]


def half_width(values: list[float]) -> float:
    """Return half the width of the 95 % interval of the mean."""
    return STANDARD_ERRORS * statistics.stdev(values) / sqrt(len(values))


def main() -> None:
    """Print the intervals in per cent."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--deals", type=int, default=200_000)
    found = compute_parts(asked.parse_args().deals)
    stored = tables.load_tables("six-card").win_chances(121)
    widths = {
        (dealer, pone): half_width([part[dealer][pone] for part in found])
        for dealer in range(121)
        for pone in range(121)
    }
    widest = max(widths, key=lambda scores: widths[scores])
    print(f"widest ±{100 * widths[widest]:.2f} % at {widest}, mean ±{100 * statistics.fmean(widths.values()):.2f} %")
    for (dealer, pone), (name, value) in PUBLISHED.items():
        mean = statistics.fmean(part[dealer][pone] for part in found)
        print(f"{name}: {100 * value:.1f} %, here {100 * mean:.2f} ±{100 * widths[dealer, pone]:.2f} %, "
              f"in the table {100 * stored[dealer][pone]:.2f} %")  # fmt: skip


if __name__ == "__main__":
    main()
