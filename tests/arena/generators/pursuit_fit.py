"""Fit the three constants of `coach/pursuit_many.py`: who is caught first in pursuit with three or more players.

`.venv/bin/python -m tests.arena.generators.pursuit_fit --matches 100` takes some minutes and writes
nothing. For each number of players it prints the sets of constants that predict best (mean log likelihood), best first,
and the value of a uniform guess.
"""

import argparse
from collections.abc import Iterator
from itertools import product
from math import exp, log
from typing import NamedTuple

from companion.rules.engine import apply
from tests.arena.races import FormerPlayer, Match

DECAYS, FRACTIONS, DEALER_BONUSES = (8, 10, 11, 12, 14, 18), (0.0, 0.3, 0.6, 0.9, 1.0), (0.0, 2.0, 3.0, 4.7)


class Before(NamedTuple):
    """Pegs before a deal, the dealer, and who was caught first, as indices of the players still in the game."""

    fronts: tuple[int, ...]
    backs: tuple[int, ...]
    dealer: int
    caught: tuple[int, ...]


class Watched(Match):
    """A match that records the pegs before each deal."""

    def deals(self) -> Iterator[Before]:
        """Play the match and yield its deals."""
        seen: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []
        while self.state.winner is None:
            view, before = self._game.view(self.state), self.state
            if view["phase"] == "cut":
                alive = before.alive
                rows = (tuple(row[seat] for seat in alive) for row in (before.scores, before.back))
                seen.append((*rows, alive.index(before.dealer)))  # type: ignore[arg-type]
            self.state = apply(self._game, before, getattr(self, "_" + view["phase"])(view)).state
            if self.state.knocked_out and not before.knocked_out:
                caught = tuple(before.alive.index(seat) for seat in self.state.knocked_out)
                yield from (Before(*each, caught) for each in seen)
                seen = []


def mean_log_likelihood(deals: list[Before], decay: float, fraction: float, dealer_bonus: float) -> float:
    """Return the mean log likelihood of the players that were caught."""
    total = 0.0
    for fronts, backs, dealer, caught in deals:
        count = len(fronts)
        ahead = [front + dealer_bonus * (seat == dealer) for seat, front in enumerate(fronts)]
        shares = [
            exp((ahead[seat - 1] - backs[seat] - fraction * (fronts[seat] - backs[seat])) / decay)
            for seat in range(count)
        ]
        total += log(sum(shares[seat] for seat in caught) / sum(shares))
    return total / len(deals)


def main() -> None:
    """Play matches, fit and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--matches", type=int, default=100)
    matches = asked.parse_args().matches
    found: dict[int, list[Before]] = {3: [], 4: [], 5: []}
    for seed in range(matches):
        for deal in Watched("pursuit", [FormerPlayer()] * 5, 50_000 + seed, {}).deals():
            if len(deal.fronts) > 2:
                found[len(deal.fronts)].append(deal)
    for count, deals in found.items():
        ranked = sorted(
            ((mean_log_likelihood(deals, *each), each) for each in product(DECAYS, FRACTIONS, DEALER_BONUSES)),
            reverse=True,
        )
        print(f"{count} players, {len(deals)} deals; all alike {-log(count):.4f}")
        for worth, each in ranked[:3]:
            print(f"  {worth:.4f} decay {each[0]}, fraction {each[1]}, dealer bonus {each[2]}")


if __name__ == "__main__":
    main()
