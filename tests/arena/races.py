"""Pursuit and 'Round the Bases in the arena: same deals and dice, swapped seats, against the former player.

`.venv/bin/python -m tests.arena.races bases --pairs 200` prints games won with a confidence interval.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from random import Random

from companion.arena.match import confidence_interval
from companion.coach import heuristics, player
from companion.coach.player import GameTerms, View
from companion.rules import begin_game, find_game
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.engine import Setup, apply
from companion.rules.moves import Crib, Go, Move, Next, Play, Roll, Starter, Steal
from companion.rules.play import MAX_COUNT

FORMER_STEAL_CHANCE = 0.3
"""Probability that a runner of the former player steals."""


class CoachedPlayer:
    """Plays as the coach advises."""

    def keep(self, agreed: GameTerms, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...]:
        """Return the four cards to keep."""
        found = player.choose_hand(agreed, view, seat, held)
        assert found is not None
        return found

    def play(self, agreed: GameTerms, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card:
        """Return a playable card."""
        found = player.choose_card(agreed, view, seat, held, thrown)
        assert found is not None
        return found

    def steal(self, agreed: GameTerms, view: View, chance: Random) -> int | None:
        """Return the base whose runner steals, or None."""
        return player.choose_steal(agreed, view)


class FormerPlayer:
    """The player before there was a coach: expected hand and crib, points in the play, random steals."""

    def keep(self, agreed: GameTerms, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...]:
        """Return the four cards to keep."""
        return heuristics.choose_hand(held, own_crib=seat == view["dealer"])

    def play(self, agreed: GameTerms, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card:
        """Return a playable card."""
        fitting = [each for each in held if each.value + view["count"] <= MAX_COUNT]
        return heuristics.choose_card(fitting, [parse_card(str(each)) for each in view["series"]], view["count"])

    def steal(self, agreed: GameTerms, view: View, chance: Random) -> int | None:
        """Return the base whose runner steals, or None."""
        return chance.choice(view["steals"]) if chance.random() < FORMER_STEAL_CHANCE else None


class NeverStealingPlayer(FormerPlayer):
    """The former player without steals: shows the value of the cards alone."""

    def steal(self, agreed: GameTerms, view: View, chance: Random) -> None:
        """Never steal."""


SIDES = {"coached": CoachedPlayer, "former": FormerPlayer, "staying": NeverStealingPlayer}
Player = CoachedPlayer | FormerPlayer


class Match:
    """One game with a player for each seat. Deals and dice depend on the seed and their number."""

    def __init__(self, key: str, sides: Sequence[Player], seed: int, options: dict[str, str]) -> None:
        self._game, self._sides, self._seed = find_game(key), sides, seed
        self.state = begin_game(self._game, Setup(len(sides), 0, options)).state
        told = {name: values[0] for name, values in self._game.options.items()} | options
        self._agreed = GameTerms(key, len(sides), self._game.target, told)
        self._spare: list[Card] = []
        self._deals = 0
        self._chance = Random(seed)
        self._held: dict[int, list[Card]] = {}
        self._thrown: dict[int, list[Card]] = {}
        self.slowest = 0.0

    def play(self) -> int:
        """Play the game. Return the seat that won."""
        while self.state.winner is None:
            view = self._game.view(self.state)
            move = getattr(self, "_" + view["phase"])(view)
            self.state = apply(self._game, self.state, move).state
        return self.state.winner

    def _cut(self, view: View) -> Move:
        self._chance = Random(self._seed * 1000 + self._deals)
        self._deals += 1
        counts = self._game.count_cards_dealt(self.state)
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
        if not any(each.value + view["count"] <= MAX_COUNT for each in held):
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


def play_pairs(key: str, one: str, other: str, seeds: Sequence[int], options: dict[str, str]) -> Iterator[int]:
    """Yield, for each seed, how many of two games over the same deals the first side won."""
    both = (SIDES[one](), SIDES[other]())
    for seed in seeds:
        yield sum(Match(key, (both[first], both[1 - first]), seed, options).play() == first for first in (0, 1))


def play_shares(one: str, other: str, seats: int, seeds: Sequence[int], options: dict[str, str]) -> Iterator[float]:
    """Yield, for each seed, the share of pursuit matches that the first side won, once in each seat."""
    lone, rest = SIDES[one](), SIDES[other]()
    for seed in seeds:
        tables = [[lone if seat == own else rest for seat in range(seats)] for own in range(seats)]
        yield sum(Match("pursuit", each, seed, options).play() == own for own, each in enumerate(tables)) / seats


def main() -> None:
    """Play and print the result."""
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
        won = [100.0 * each for each in play_shares(told.one, told.other, told.seats, seeds, options)]
        even = f", even is {100 / told.seats:.1f}"
    else:
        won, even = [50.0 * each for each in play_pairs(told.key, told.one, told.other, seeds, options)], ""
    print(f"{told.one} against {told.other} at {told.key}, {told.seats} seats, {told.pairs} deals of seats changed: "
          f"% of games won {confidence_interval(won)}{even}")  # fmt: skip
    print(f"  {told.seats * told.pairs / (time.monotonic() - begun):.1f} games/s")


if __name__ == "__main__":
    main()
