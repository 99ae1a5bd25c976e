"""A game of cribbage between two programs that answer questions (docs/reference/advise.md), with seeded deals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.rules import play
from companion.rules.cards import JACK, PACK, Card, parse_card
from companion.rules.scoring import points

Answer = Mapping[str, Any]
Ask = Callable[[dict[str, Any]], Answer]
"""Asks a player: a question as `companion advise` takes it, its answer."""


@dataclass
class Tally:
    """Points of one side in a match, by kind and role (0 dealer, 1 pone), and the number of complete deals."""

    hands: list[int] = field(default_factory=lambda: [0, 0])
    pegged: list[int] = field(default_factory=lambda: [0, 0])
    cribs: int = 0
    whole: list[int] = field(default_factory=lambda: [0, 0])


class TargetReached(Exception):
    """A player has reached the target."""


class Game:
    """One game. `players` are by seat; seat 0 deals first."""

    def __init__(
        self,
        players: tuple[Ask, Ask],
        seed: int,
        target: int = 121,
        tallies: tuple[Tally, Tally] | None = None,
        draw_pack: Callable[[int], list[Card]] | None = None,
    ) -> None:
        """`draw_pack` gives the dealer's six cards, the pone's and the starter of a deal, counted from 0."""
        self._players, self._target = players, target
        self._draw_pack = draw_pack or (lambda deal: Random(seed * 1000 + deal).sample(PACK, 13))
        self.scores = [0, 0]
        self.deals = 0
        self._tallies = tallies or (Tally(), Tally())

    def play(self) -> int:
        """Play the game. Return the seat that won."""
        try:
            while True:
                self._deal(self.deals % 2, self._draw_pack(self.deals))
                self.deals += 1
        except TargetReached:
            return int(self.scores[1] > self.scores[0])

    def _deal(self, dealer: int, pack: list[Card]) -> None:
        pone = 1 - dealer
        dealt = {dealer: pack[:6], pone: pack[6:12]}
        starter = pack[12]
        thrown = {seat: self._ask_discard(seat, dealt[seat], dealer) for seat in (pone, dealer)}
        kept = {seat: [c for c in dealt[seat] if c not in thrown[seat]] for seat in (0, 1)}
        if starter.rank == JACK:
            self._score(dealer, 2)
        pegged = self._play_series(dealer, kept, thrown, starter)
        hands = [points(kept[seat], starter) for seat in (0, 1)]
        crib = points([*thrown[dealer], *thrown[pone]], starter, True)
        for seat in (0, 1):
            role, tally = int(seat != dealer), self._tallies[seat]
            tally.whole[role] += 1
            tally.hands[role] += hands[seat]
            tally.pegged[role] += pegged[seat]
            tally.cribs += crib * (seat == dealer)
        self._score(pone, hands[pone])
        self._score(dealer, hands[dealer])
        self._score(dealer, crib)

    def _ask_discard(self, seat: int, held: list[Card], dealer: int) -> list[Card]:
        answer = self._players[seat]({
            "ask": "discard", "game": "six-card", "hand": [str(c) for c in held], "dealer": seat == dealer,
            "scores": self._scores_from(seat), "target": self._target,
        })  # fmt: skip
        thrown = [parse_card(text) for text in answer["choices"][0]["discard"]]
        if len(set(thrown)) != 2 or not set(thrown) <= set(held):
            raise ValueError(f"No such discard: {answer}")
        return thrown

    def _play_series(
        self, dealer: int, kept: dict[int, list[Card]], thrown: dict[int, list[Card]], starter: Card
    ) -> list[int]:
        laid = play.begin_play(2, 1 - dealer)
        pegged = [0, 0]
        while laid.turn is not None:
            seat, other = laid.turn, 1 - laid.turn
            held = [c for c in kept[seat] if c not in laid.played[seat]]
            answer = self._players[seat]({
                "ask": "play", "game": "six-card", "hand": [str(c) for c in held], "kept": [str(c) for c in kept[seat]],
                "discarded": [str(c) for c in thrown[seat]], "starter": str(starter), "dealer": seat == dealer,
                "series": [str(c) for c in laid.series], "count": laid.count,
                "played": [[str(c) for c in laid.played[each]] for each in (seat, other)],
                "gone": [each in laid.gone for each in (seat, other)],
                "scores": self._scores_from(seat), "target": self._target,
            })  # fmt: skip
            chosen = answer["choices"][0]["play"]
            if chosen is None:
                if any(c.value + laid.count <= play.MAX_COUNT for c in held):
                    raise ValueError(f"That is no go: {answer}")
                laid, awards = play.say_go(laid, seat)
            else:
                if parse_card(chosen) not in held:
                    raise ValueError(f"No such card: {answer}")
                laid, scored, last = play.play_card(laid, seat, parse_card(chosen))
                awards = (*scored, *last)
            for award in awards:
                pegged[award.seat] += award.points
                self._score(award.seat, award.points)
        return pegged

    def _scores_from(self, seat: int) -> list[int]:
        return [self.scores[seat], self.scores[1 - seat]]

    def _score(self, seat: int, scored: int) -> None:
        self.scores[seat] = min(self._target, self.scores[seat] + scored)
        if self.scores[seat] == self._target:
            raise TargetReached
