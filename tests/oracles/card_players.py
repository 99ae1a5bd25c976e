"""Players of the card games, who play any card that fits and claim correct or wrong points."""

from random import Random
from typing import Any

from tests.oracles.deal import Deal, Players
from tests.oracles.scores import PACK, card_value

JsonMove = dict[str, Any]


class CardPlayers(Players):
    """Players who hold random unseen cards, so they sometimes say go with cards that fit."""

    adjustments = (1, 2, 3, 5, -1, -2)
    """Points of an adjustment."""
    adjust_probability = 0.02

    def __init__(self, oracle: Any, chance: Random) -> None:
        super().__init__(oracle, chance, 1 + (chance.random() < 0.1))

    @property
    def deal(self) -> Deal:
        return self.oracle.deal

    def choose_move(self) -> JsonMove:
        chance, phase = self.chance, self.oracle.phase
        dice = chance.random()
        if dice < 0.003:
            return {"type": "misdeal"}
        if dice < self.adjust_probability:
            seat = chance.randrange(self.oracle.table.seats)
            return {"type": "adjust", "seat": seat, "points": chance.choice(self.adjustments)}
        may_call = self.oracle.table.has_option("muggins", "on") and phase != "over"
        if may_call and dice < (0.3 if self.deal.window else 0.1):
            return self._call()
        if phase == "play" and self.deal.open and dice < 0.6:
            return self._claim()
        return getattr(self, f"_{phase}")()

    def draw_unseen(self, count: int) -> list[str]:
        seen = self.deal.seen_cards()
        return self.chance.sample([card for card in PACK if card not in seen], count)

    def _cut(self) -> JsonMove:
        return {"type": "starter", "card": self.chance.choice(PACK)}

    def _between(self) -> JsonMove:
        return {"type": "next"} if self.chance.random() < 0.5 else self._cut()

    def _over(self) -> JsonMove:
        return {"type": "next"}

    def _play(self) -> JsonMove:
        deal, turn = self.deal, self.deal.turn
        held = self.draw_unseen(deal.table.size - len(deal.played[turn]))
        fits = [card for card in held if deal.count + card_value(card) <= 31]
        if fits:
            return {"type": "play", "seat": turn, "card": fits[0]}
        return {"type": "go", "seat": turn}

    def _show(self) -> JsonMove:
        seat = self.chance.choice([seat for seat in self.deal.order if seat not in self.deal.whole])
        played = self.deal.played[seat]
        cards = [*played, *self.draw_unseen(self.deal.table.size - len(played))]
        return {"type": "hand", "seat": seat, "cards": self.chance.sample(cards, len(cards))}

    def _crib(self) -> JsonMove:
        return {"type": "crib", "cards": self.draw_unseen(4)}

    def _claim(self) -> JsonMove:
        """Return a claim of the correct points, or of a few points more or less."""
        if self.deal.pending:
            _, seat, truth = self.deal.pending
        else:
            seat, truth = self.chance.choice(list(self.deal.open.items()))
        points = truth + self.chance.choice((0, 0, 0, 0, 1, -1, 2, -2, 6))
        return {"type": "claim", "seat": seat, "points": max(0, points)}

    def _call(self) -> JsonMove:
        """Return a call of the missed points, or of more; sometimes where no call is possible."""
        table = self.oracle.table
        who, rest, _ = self.deal.window or (self.deal.last, 1, False)
        others = [s for s in table.alive if table.side_of(s) != table.side_of(who)]
        points = self.chance.choice((rest, rest, 1, 2, rest + 1))
        return {"type": "muggins", "seat": self.chance.choice(others), "points": max(1, points)}

    def draw_any_move(self) -> JsonMove:
        chance, some = self.chance, self.chance.sample(PACK, 4)
        seat = chance.randrange(5) if chance.random() < 0.2 else chance.randrange(self.oracle.table.seats)
        known = [card for card in self.deal.seen_cards() if card] or some
        kinds: list[JsonMove] = [
            {"type": "starter", "card": some[0]}, {"type": "play", "seat": seat, "card": some[0]},
            {"type": "play", "seat": seat, "card": chance.choice(known)}, {"type": "go", "seat": seat},
            {"type": "crib", "cards": some[: chance.choice((3, 4, 4))]}, {"type": "next"},
            {"type": "crib", "cards": [*some[:3], some[0]]}, {"type": "peg", "seat": seat, "points": 2},
            {"type": "crib", "cards": [*some[:3], chance.choice(known)]}, {"type": "swap", "a": [0, 0], "b": [1, 1]},
            {"type": "hand", "seat": seat, "cards": some[: self.oracle.table.size]},
            {"type": "claim", "seat": seat, "points": chance.choice((-1, 0, 1, 2, 12, 19, 25, 29, 30))},
            {"type": "muggins", "seat": seat, "points": chance.choice((-1, 0, 1, 2, 29, 30))},
            {"type": "adjust", "seat": seat, "points": chance.choice((-300, -40, 0, 4, 9))},
            {"type": "roll", "seat": seat, "dice": [chance.randint(1, 6) for _ in range(chance.choice((1, 2)))]},
            {"type": "steal", "seat": seat, "base": chance.choice((1, 2, 3))},
            {"type": "take", "seat": seat, "chips": ["red"]},
            {"type": "place", "card": some[0], "cell": [0, 0]}, {"type": "lay", "cards": some, "starter": some[0]},
        ]  # fmt: skip
        if chance.random() < 0.02:
            kinds += [{"type": "misdeal"}] * 9
        return chance.choice(kinds)


class PursuitPlayers(CardPlayers):
    """Players of pursuit; adjustments shorten a match."""

    adjustments = (5, 10, 20, 28, -3)
    adjust_probability = 0.1


class BaseballPlayers(CardPlayers):
    """Players of 'Round the Bases; adjustments break ties."""

    adjustments = (1, 2, -1)
    adjust_probability = 0.05

    def _roll(self) -> JsonMove:
        due, first = self.oracle._find_due(), self.oracle.batter or 0
        seat = (first + len(self.oracle.rolled)) % self.oracle.table.seats
        return {"type": "roll", "seat": seat, "dice": [self.chance.randint(1, 6) for _ in range(due["dice"])]}

    def _between(self) -> JsonMove:
        on, batter = self.oracle.on, self.oracle.batter
        if on and self.chance.random() < 0.4:
            return {"type": "steal", "seat": batter, "base": self.chance.choice(sorted(on))}
        return super()._between()
