"""Pursuit and 'Round the Bases in the arena: the same deals and dice, seats swapped, against the player of before.

`PYTHONPATH=tests .venv/bin/python tests/arena/races.py bases --pairs 200` prints games won, and how sure that is.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from random import Random

from arena.run import interval

from companion.coach import heuristics, player
from companion.coach.player import Agreed, View
from companion.rules import begin, game
from companion.rules.cards import PACK, Card, card
from companion.rules.engine import Setup, apply
from companion.rules.moves import Crib, Go, Move, Next, Play, Roll, Starter, Steal
from companion.rules.play import LIMIT

STEALS = 0.3
"""How often a runner stole, before there was a coach for it."""


class Coached:
    """Does what the coach says."""

    def keep(self, agreed: Agreed, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...]:
        """The four to keep."""
        found = player.kept(agreed, view, seat, held)
        assert found is not None
        return found

    def play(self, agreed: Agreed, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card:
        """A card that fits."""
        found = player.chosen(agreed, view, seat, held, thrown)
        assert found is not None
        return found

    def steal(self, agreed: Agreed, view: View, chance: Random) -> int | None:
        """Who runs."""
        return player.steals(agreed, view)


class Former:
    """The player of the time before: hand and crib, points in the play, and a steal now and then."""

    def keep(self, agreed: Agreed, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...]:
        """The four to keep."""
        return heuristics.keep(held, own_crib=seat == view["dealer"])

    def play(self, agreed: Agreed, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card:
        """A card that fits."""
        fitting = [each for each in held if each.value + view["count"] <= LIMIT]
        return heuristics.choose(fitting, [card(str(each)) for each in view["series"]], view["count"])

    def steal(self, agreed: Agreed, view: View, chance: Random) -> int | None:
        """Who runs."""
        return chance.choice(view["steals"]) if chance.random() < STEALS else None


class Staying(Former):
    """The same, whose runners never steal: what the cards alone are worth."""

    def steal(self, agreed: Agreed, view: View, chance: Random) -> None:
        """Nobody runs."""


SIDES = {"coached": Coached, "former": Former, "staying": Staying}
Player = Coached | Former


class Match:
    """One game, a player for each seat; deals and dice are by seed and by their number."""

    def __init__(self, key: str, sides: Sequence[Player], seed: int, options: dict[str, str]) -> None:
        self._game, self._sides, self._seed = game(key), sides, seed
        self.state = begin(self._game, Setup(len(sides), 0, options)).state
        told = {name: values[0] for name, values in self._game.options.items()} | options
        self._agreed = Agreed(key, len(sides), self._game.target, told)
        self._spare: list[Card] = []
        self._deals = 0
        self._chance = Random(seed)
        self._held: dict[int, list[Card]] = {}
        self._thrown: dict[int, list[Card]] = {}
        self.slowest = 0.0

    def play(self) -> int:
        """Play it out: the seat that won."""
        while self.state.winner is None:
            view = self._game.view(self.state)
            move = getattr(self, "_" + view["phase"])(view)
            self.state = apply(self._game, self.state, move).state
        return self.state.winner

    def _cut(self, view: View) -> Move:
        self._chance = Random(self._seed * 1000 + self._deals)
        self._deals += 1
        counts = self._game.dealt(self.state)
        thrown = sum(count - 4 for count in counts if count)
        pack = self._chance.sample(PACK, sum(counts) + 1 + (4 - thrown))
        left, starter, self._spare = pack[: sum(counts)], pack[sum(counts)], pack[sum(counts) + 1 :]
        self._thrown = {}
        dealer, seats = view["dealer"], len(counts)
        dealt = {}
        for seat in ((dealer + n) % seats for n in range(seats)):
            dealt[seat], left = left[: counts[seat]], left[counts[seat] :]
        for seat in ((dealer + n) % seats for n in range(1, seats + 1)):
            if dealt[seat]:
                begun = time.perf_counter()
                kept = self._sides[seat].keep(self._agreed, view, seat, dealt[seat])
                self.slowest = max(self.slowest, time.perf_counter() - begun)
                self._held[seat] = list(kept)
                self._thrown[seat] = [each for each in dealt[seat] if each not in kept]
        return Starter(starter)

    def _between(self, view: View) -> Move:
        if view.get("steals"):
            base = self._sides[view["batting"]].steal(self._agreed, view, self._chance)
            if base is not None:
                return Steal(view["batting"], base)
        return Next()

    def _play(self, view: View) -> Move:
        seat = view["turn"]
        held = self._held[seat]
        if not any(each.value + view["count"] <= LIMIT for each in held):
            return Go(seat)
        begun = time.perf_counter()
        chosen = self._sides[seat].play(self._agreed, view, seat, held, self._thrown[seat])
        self.slowest = max(self.slowest, time.perf_counter() - begun)
        held.remove(chosen)
        return Play(seat, chosen)

    def _crib(self, view: View) -> Move:
        thrown = [each for row in self._thrown.values() for each in row]
        return Crib((*thrown, *self._spare))

    def _roll(self, view: View) -> Move:
        return Roll(view["turn"], tuple(self._chance.randint(1, 6) for _ in range(view["due"]["dice"])))


def pairs(key: str, one: str, other: str, seeds: Sequence[int], options: dict[str, str]) -> Iterator[int]:
    """Games that the first side won of each two over the same deals."""
    both = (SIDES[one](), SIDES[other]())
    for seed in seeds:
        yield sum(Match(key, (both[first], both[1 - first]), seed, options).play() == first for first in (0, 1))


def shares(one: str, other: str, seats: int, seeds: Sequence[int], options: dict[str, str]) -> Iterator[float]:
    """How many matches of pursuit the first side wins of so many over the same deals, once in each seat."""
    lone, rest = SIDES[one](), SIDES[other]()
    for seed in seeds:
        tables = [[lone if seat == own else rest for seat in range(seats)] for own in range(seats)]
        yield sum(Match("pursuit", each, seed, options).play() == own for own, each in enumerate(tables)) / seats


def main() -> None:
    """Play, and print what came of it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("key", choices=("bases", "pursuit"))
    asked.add_argument("one", nargs="?", choices=SIDES, default="coached")
    asked.add_argument("other", nargs="?", choices=SIDES, default="former")
    asked.add_argument("--pairs", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--preset", default="standard")
    asked.add_argument("--seats", type=int, default=2, help="pursuit: one of the first side among others")
    told = asked.parse_args()
    options = {"preset": told.preset} if told.key == "bases" else {}
    begun, seeds = time.monotonic(), range(told.seed, told.seed + told.pairs)
    if told.seats > 2:
        won = [100.0 * each for each in shares(told.one, told.other, told.seats, seeds, options)]
        even = f", even is {100 / told.seats:.1f}"
    else:
        won, even = [50.0 * each for each in pairs(told.key, told.one, told.other, seeds, options)], ""
    print(f"{told.one} against {told.other} at {told.key}, {told.seats} seats, {told.pairs} deals of seats changed: "
          f"% of games won {interval(won)}{even}")  # fmt: skip
    print(f"  {told.seats * told.pairs / (time.monotonic() - begun):.1f} games/s")


if __name__ == "__main__":
    main()
