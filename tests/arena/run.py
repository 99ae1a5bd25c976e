"""Play two sides over the same deals with swapped seats, and print the difference with its interval (`make arena`).

`make arena ARGS="expert former --pairs 1000"`. A side is `expert`, `club`, `novice`, `former` (the player before the
coach), or the command of any program that answers as docs/reference/advise.md says.
"""

import argparse
import json
import math
import multiprocessing
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.arena.game import Game, Tally
from tests.arena.sides import create_side

STANDARD_ERRORS = 1.96
"""Half width of a 95 % confidence interval."""


class PairResult(NamedTuple):
    """Two games over the same deals with swapped seats: the first side's wins, its lead in points, and more."""

    wins: int
    ahead: int
    dealer_wins: int
    skunks: int
    tallies: tuple[Tally, Tally]


def main() -> None:
    """Play and print the result."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("one", nargs="?", default="expert")
    asked.add_argument("other", nargs="?", default="former")
    asked.add_argument("--pairs", type=int, default=500)
    asked.add_argument("--processes", type=int, default=2)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--target", type=int, default=121)
    asked.add_argument("--json", action="store_true")
    told = asked.parse_args()
    begin = time.monotonic()
    pairs = list(
        play_pairs(told.one, told.other, range(told.seed, told.seed + told.pairs), told.processes, told.target)
    )
    found = summarize_pairs(pairs) | {"games_per_s": round(2 * len(pairs) / (time.monotonic() - begin), 2)}
    if told.json:
        print(json.dumps(found))
        return
    print(f"{told.one} against {told.other}:")
    for name, value in found.items():
        print(f"  {name:24} {value}")


def play_pairs(
    one: str, other: str, seeds: Sequence[int], processes: int = 1, target: int = 121
) -> Iterator[PairResult]:
    """Yield the results of these seeds in order."""
    if processes == 1:
        yield from _play_seeds((one, other, seeds, target))
        return
    step = max(1, min(25, len(seeds) // processes))
    parts = [(one, other, seeds[n : n + step], target) for n in range(0, len(seeds), step)]
    with multiprocessing.Pool(processes) as pool:
        for found in pool.imap(_play_seeds, parts):
            yield from found


def _play_seeds(asked: tuple[str, str, Sequence[int], int]) -> list[PairResult]:
    one, other, seeds, target = asked
    sides = (create_side(one), create_side(other))
    try:
        return [_play_pair(sides, seed, target) for seed in seeds]
    finally:
        for side in sides:
            side.close()


def _play_pair(sides: tuple, seed: int, target: int) -> PairResult:  # type: ignore[type-arg]
    wins = ahead = dealer_wins = skunks = 0
    tallies = (Tally(), Tally())
    for first in (0, 1):
        game = Game((sides[first], sides[1 - first]), seed, target, (tallies[first], tallies[1 - first]))
        won = game.play()
        own = game.scores[first]  # the first side sits where it is dealer in its first game, and pone in the other
        wins += won == first
        ahead += own - game.scores[1 - first]
        dealer_wins += won == 0
        skunks += min(game.scores) <= target - 31
    return PairResult(wins, ahead, dealer_wins, skunks, tallies)


def summarize_pairs(pairs: Sequence[PairResult]) -> dict[str, float | list[float]]:
    """Return wins and points with their intervals, and averages of both players."""
    games = 2 * len(pairs)
    won = confidence_interval([50.0 * pair.wins for pair in pairs])
    ahead = confidence_interval([float(pair.ahead) for pair in pairs])
    return {
        "pairs": len(pairs),
        "wins_pct": won[0], "wins_pct_interval": won[1:],
        "points_a_pair": ahead[0], "points_a_pair_interval": ahead[1:],
        "first_dealer_wins_pct": round(100 * sum(pair.dealer_wins for pair in pairs) / games, 2),
        "skunks_pct": round(100 * sum(pair.skunks for pair in pairs) / games, 2),
        **{name: value for side, who in ((0, "one"), (1, "other"))
           for name, value in _mean_points([pair.tallies[side] for pair in pairs], who).items()},
    }  # fmt: skip


def confidence_interval(values: Sequence[float]) -> list[float]:
    """Return the mean and the limits of its interval."""
    mean = statistics.fmean(values)
    wide = STANDARD_ERRORS * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return [round(mean, 3), round(mean - wide, 3), round(mean + wide, 3)]


def _mean_points(tallies: Sequence[Tally], who: str) -> dict[str, float]:
    found = {}
    for role, name in enumerate(("dealer", "pone")):
        whole = max(1, sum(tally.whole[role] for tally in tallies))
        found[f"{who}_hand_{name}"] = round(sum(tally.hands[role] for tally in tallies) / whole, 3)
        found[f"{who}_pegged_{name}"] = round(sum(tally.pegged[role] for tally in tallies) / whole, 3)
        if role == 0:
            found[f"{who}_crib"] = round(sum(tally.cribs for tally in tallies) / whole, 3)
    return found


if __name__ == "__main__":
    main()
