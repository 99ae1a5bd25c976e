"""Who is caught first in pursuit with three and more: the three numbers of `coach/hunting.py`, fitted to matches.

`PYTHONPATH=tests .venv/bin/python tests/arena/making/hunts.py --matches 100` takes some minutes. Nothing is written: it
prints, for each number of players, how well each set of numbers tells who falls (the mean logarithm of the chance that
it gave to what came), the best first, and what it would be if all were alike.
"""

import argparse
from collections.abc import Iterator
from itertools import product
from math import exp, log
from typing import NamedTuple

from arena.races import Former, Match

from companion.rules.engine import apply

NEAR, FLED, DEALS_NEXT = (8, 10, 11, 12, 14, 18), (0.0, 0.3, 0.6, 0.9, 1.0), (0.0, 2.0, 3.0, 4.7)


class Before(NamedTuple):
    """The pegs of the living before a deal, who deals, and who was caught first after it, by place among the living."""

    fronts: tuple[int, ...]
    backs: tuple[int, ...]
    dealer: int
    caught: tuple[int, ...]


class Watched(Match):
    """A match of which the pegs before each deal are kept."""

    def deals(self) -> Iterator[Before]:
        """Play it out."""
        seen: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []
        while self.state.winner is None:
            view, before = self._game.view(self.state), self.state
            if view["phase"] == "cut":
                alive = before.alive
                rows = (tuple(row[seat] for seat in alive) for row in (before.scores, before.back))
                seen.append((*rows, alive.index(before.dealer)))  # type: ignore[arg-type]
            self.state = apply(self._game, before, getattr(self, "_" + view["phase"])(view)).state
            if self.state.fallen and not before.fallen:
                caught = tuple(before.alive.index(seat) for seat in self.state.fallen)
                yield from (Before(*each, caught) for each in seen)
                seen = []


def told(deals: list[Before], near: float, fled: float, deals_next: float) -> float:
    """The mean logarithm of the chance that was given to who was caught."""
    total = 0.0
    for fronts, backs, dealer, caught in deals:
        count = len(fronts)
        ahead = [front + deals_next * (seat == dealer) for seat, front in enumerate(fronts)]
        shares = [
            exp((ahead[seat - 1] - backs[seat] - fled * (fronts[seat] - backs[seat])) / near) for seat in range(count)
        ]
        total += log(sum(shares[seat] for seat in caught) / sum(shares))
    return total / len(deals)


def main() -> None:
    """Play, fit and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--matches", type=int, default=100)
    matches = asked.parse_args().matches
    found: dict[int, list[Before]] = {3: [], 4: [], 5: []}
    for seed in range(matches):
        for deal in Watched("pursuit", [Former()] * 5, 50_000 + seed, {}).deals():
            if len(deal.fronts) > 2:
                found[len(deal.fronts)].append(deal)
    for count, deals in found.items():
        ranked = sorted(((told(deals, *each), each) for each in product(NEAR, FLED, DEALS_NEXT)), reverse=True)
        print(f"{count} players, {len(deals)} deals; all alike {-log(count):.4f}")
        for worth, each in ranked[:3]:
            print(f"  {worth:.4f} near {each[0]}, fled {each[1]}, deals next {each[2]}")


if __name__ == "__main__":
    main()
