"""Pursuit and 'Round the Bases in the arena: the same deals and dice, seats swapped, against the player of before.

`PYTHONPATH=tests .venv/bin/python tests/arena/races.py bases --pairs 200` prints games won, and how sure that is.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from random import Random

from arena.run import interval

from companion.coach import players, seated
from companion.coach.seated import Agreed, View
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
        found = seated.kept(agreed, view, seat, held)
        assert found is not None
        return found

    def play(self, agreed: Agreed, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card:
        """A card that fits."""
        found = seated.chosen(agreed, view, seat, held, thrown)
        assert found is not None
        return found

    def steal(self, agreed: Agreed, view: View, chance: Random) -> int | None:
        """Who runs."""
        return seated.steals(agreed, view)


class Former:
    """The player of the time before: hand and crib, points in the play, and a steal now and then."""

    def keep(self, agreed: Agreed, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...]:
        """The four to keep."""
        return players.keep(held, own_crib=seat == view["dealer"])

    def play(self, agreed: Agreed, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card:
        """A card that fits."""
        fitting = [each for each in held if each.value + view["count"] <= LIMIT]
        return players.choose(fitting, [card(str(each)) for each in view["series"]], view["count"])

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
    """One game; deals and dice are by seed and by their number."""

    def __init__(self, key: str, sides: tuple[Player, Player], seed: int, options: dict[str, str]) -> None:
        self._game, self._sides, self._seed = game(key), sides, seed
        self.state = begin(self._game, Setup(2, 0, options)).state
        told = {name: values[0] for name, values in self._game.options.items()} | options
        self._agreed = Agreed(key, 2, self._game.target, told)
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
        pack = self._chance.sample(PACK, 13)
        dealer = view["dealer"]
        dealt = {dealer: pack[:6], 1 - dealer: pack[6:12]}
        for seat in (1 - dealer, dealer):
            begun = time.perf_counter()
            kept = self._sides[seat].keep(self._agreed, view, seat, dealt[seat])
            self.slowest = max(self.slowest, time.perf_counter() - begun)
            self._held[seat] = list(kept)
            self._thrown[seat] = [each for each in dealt[seat] if each not in kept]
        return Starter(pack[12])

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
        dealer = view["dealer"]
        return Crib((*self._thrown[dealer], *self._thrown[1 - dealer]))

    def _roll(self, view: View) -> Move:
        return Roll(view["turn"], tuple(self._chance.randint(1, 6) for _ in range(view["due"]["dice"])))


def pairs(key: str, one: str, other: str, seeds: Sequence[int], options: dict[str, str]) -> Iterator[int]:
    """Games that the first side won of each two over the same deals."""
    both = (SIDES[one](), SIDES[other]())
    for seed in seeds:
        yield sum(Match(key, (both[first], both[1 - first]), seed, options).play() == first for first in (0, 1))


def main() -> None:
    """Play, and print what came of it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("key", choices=("bases", "pursuit"))
    asked.add_argument("one", nargs="?", choices=SIDES, default="coached")
    asked.add_argument("other", nargs="?", choices=SIDES, default="former")
    asked.add_argument("--pairs", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--preset", default="standard")
    told = asked.parse_args()
    options = {"preset": told.preset} if told.key == "bases" else {}
    begun = time.monotonic()
    won = [
        50.0 * each for each in pairs(told.key, told.one, told.other, range(told.seed, told.seed + told.pairs), options)
    ]
    print(f"{told.one} against {told.other} at {told.key}, {told.pairs} pairs: % of games won {interval(won)}")
    print(f"  {2 * told.pairs / (time.monotonic() - begun):.1f} games/s")


if __name__ == "__main__":
    main()
