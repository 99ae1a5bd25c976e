"""Players for every game who know what docs/reference tells them, choose at random, and play to the end.

Only in Sackson swap do they mean anything by what they do: figures hardly ever come by chance.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.common.errors import IllegalMove
from companion.rules import Game, apply, begin_game
from companion.rules.cards import PACK, Card
from companion.rules.engine import Setup
from companion.rules.moves import (
    Crib,
    Exchange,
    Go,
    Hand,
    Lay,
    Move,
    Next,
    Peg,
    Play,
    Return,
    Roll,
    Starter,
    Swap,
    Take,
)  # fmt: skip
from companion.rules.sackson import grid

View = Mapping[str, Any]
CHIPS = ("red", "yellow", "green", "blue", "brown")
LIKELY = (1, 2, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 12, 14, 16, 20)
SWAPS = 30
"""Exchanges after which a shuffle that is not won is given up."""


def recorded(game: Game[Any], chance: Random) -> tuple[Any, list[Move]]:
    """A whole game: the state it began with, and its moves."""
    dealer = None if game.key == "bases" else 0
    first = state = begin_game(game, Setup(min(game.seats), dealer, {})).state
    player, moves = KINDS.get(game.key, Cards)(min(game.seats), chance), []
    while (view := game.view(state))["phase"] != "over" and not player.done(view):
        for move in player.moves(view):  # what the rules refuse of what he would like is not played
            try:
                state = apply(game, state, move).state
            except IllegalMove:
                continue
            moves.append(move)
            break
        else:
            raise AssertionError(f"{game.key}: no move in {view}")
    return first, moves


class Cards:
    """Deals, plays what fits, turns the crib up, rolls what is asked."""

    held = 4

    def __init__(self, seats: int, chance: Random) -> None:
        self._seats, self._chance = seats, chance
        self._hands: list[list[Card]] = []
        self._rest: list[Card] = []

    def done(self, view: View) -> bool:
        """Whether the game is over for these players, as it never is before `over`."""
        return False

    def moves(self, view: View) -> list[Move]:
        """What may be done now, the most wished for first."""
        return getattr(self, f"_{view['phase']}")(view)

    def _cut(self, view: View) -> list[Move]:
        pack = self._chance.sample(PACK, 52)
        self._hands = [[pack.pop() for _ in range(self.held)] for _ in range(self._seats)]
        self._rest = pack
        return [Starter(pack.pop())]

    def _play(self, view: View) -> list[Move]:
        seat, hand = view["turn"], self._hands[view["turn"]]
        played = view["played"][seat]
        fitting = [card for card in hand if card not in played and card.value + view["count"] <= 31]
        return [Play(seat, self._chance.choice(fitting))] if fitting else [Go(seat)]

    def _show(self, view: View) -> list[Move]:
        return [Hand(view["turn"], tuple(self._hands[view["turn"]]))]

    def _crib(self, view: View) -> list[Move]:
        return [Crib(tuple(self._rest[:4]))]

    def _roll(self, view: View) -> list[Move]:
        dice = [self._chance.randint(1, 6) for _ in range(2)]
        return [Roll(view["turn"], tuple(dice)), Roll(view["turn"], (dice[0],))]

    def _between(self, view: View) -> list[Move]:
        return [Next()]


class FiveCards(Cards):
    held = 3


class Pegs(Cards):
    def _play(self, view: View) -> list[Move]:
        return [Peg(self._chance.randrange(self._seats), self._chance.choice(LIKELY))]


class Chips(Cards):
    """Takes and returns what comes, and makes of each exchange as much of figures as can be had."""

    def _take(self, view: View) -> list[Move]:
        chips = self._chance.sample(CHIPS, 5)
        pairs = [(a, b) for a in chips for b in chips if a != b]
        return [Take(view["turn"], (chip,)) for chip in chips] + [Take(view["turn"], pair) for pair in pairs]

    def _exchange(self, view: View) -> list[Move]:
        laid = grid.parse_grid([name for row in view["display"] for name in row])
        one, other = (grid.COLOURS.index(chip) for chip in view["held"][view["turn"] % 2])
        legal = list(grid.find_exchanges(laid, one, other))
        self._chance.shuffle(legal)
        legal.sort(key=lambda pair: -_made(grid.exchange_markers(laid, *pair), one, other))
        return [Exchange(view["turn"], *pair) for pair in legal]

    def _return(self, view: View) -> list[Move]:
        return [Return(view["turn"], chip) for chip in self._chance.sample(CHIPS, 5)]


def _made(laid: grid.MarkerGrid, *colours: int) -> int:
    """How much of figures the markers of these colours are."""
    return sum(max((figure & laid[colour]).bit_count() for figure in grid.find_figures()) ** 3 for colour in colours)


class Grid(Cards):
    """Lays sixteen cards and swaps them at random."""

    def __init__(self, seats: int, chance: Random) -> None:
        super().__init__(seats, chance)
        self._swaps = 0

    def done(self, view: View) -> bool:
        return view["phase"] == "swap" and (view["winner"] is not None or self._swaps >= SWAPS)

    def _lay(self, view: View) -> list[Move]:
        *laid, starter = self._chance.sample(PACK, 17)
        return [Lay(tuple(laid), starter)]

    def _swap(self, view: View) -> list[Move]:
        self._swaps += 1
        (a, b), (c, d) = (divmod(cell, 4) for cell in self._chance.sample(range(16), 2))
        return [Swap((a, b), (c, d))]


KINDS: Mapping[str, Callable[[int, Random], Cards]] = {
    "six-card": Cards, "five-card": FiveCards, "pursuit": Cards, "bases": Cards,
    "swap": Chips, "shuffle": Grid, "pegs-only": Pegs,
}  # fmt: skip
"""Who plays which game."""
