"""Players for every game, who follow the documented protocol, choose at random, and play to the end.

Only in Sackson swap do they choose on purpose, because figures hardly ever arise by chance.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.common.errors import IllegalMove
from companion.rules import Game, apply, begin_game, moves
from companion.rules.cards import PACK, Card
from companion.rules.engine import Setup
from companion.rules.sackson import grid

View = Mapping[str, Any]
CHIP_COLOURS = ("red", "yellow", "green", "blue", "brown")
COMMON_POINTS = (1, 2, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 12, 14, 16, 20)
MAX_SWAPS = 30
"""Maximum number of swaps in a game of shuffle. A game that is not won by then ends."""


def record_game(game: Game[Any], chance: Random) -> tuple[Any, list[moves.Move]]:
    dealer = None if game.key == "bases" else 0
    first = state = begin_game(game, Setup(min(game.seats), dealer, {})).state
    player, made = PLAYERS.get(game.key, RandomPlayer)(min(game.seats), chance), []
    while (view := game.view(state))["phase"] != "over" and not player.is_finished(view):
        for move in player.list_moves(view):  # the first one that the rules allow is played
            try:
                state = apply(game, state, move).state
            except IllegalMove:
                continue
            made.append(move)
            break
        else:
            raise AssertionError(f"{game.key}: no move in {view}")
    return first, made


class RandomPlayer:
    """A player who deals, plays any card that fits, shows the crib and rolls the dice."""

    hand_size = 4

    def __init__(self, seats: int, chance: Random) -> None:
        self._seats, self._chance = seats, chance
        self._hands: list[list[Card]] = []
        self._rest: list[Card] = []

    def is_finished(self, view: View) -> bool:
        """Return whether these players end the game before its phase is `over`."""
        return False

    def list_moves(self, view: View) -> list[moves.Move]:
        """Return candidate moves for this phase, the preferred one first. Not all of them need be legal."""
        return getattr(self, f"_{view['phase']}")(view)

    def _cut(self, view: View) -> list[moves.Move]:
        pack = self._chance.sample(PACK, 52)
        self._hands = [[pack.pop() for _ in range(self.hand_size)] for _ in range(self._seats)]
        self._rest = pack
        return [moves.Starter(pack.pop())]

    def _play(self, view: View) -> list[moves.Move]:
        seat, hand = view["turn"], self._hands[view["turn"]]
        played = view["played"][seat]
        fitting = [card for card in hand if card not in played and card.value + view["count"] <= 31]
        return [moves.Play(seat, self._chance.choice(fitting))] if fitting else [moves.Go(seat)]

    def _show(self, view: View) -> list[moves.Move]:
        return [moves.Hand(view["turn"], tuple(self._hands[view["turn"]]))]

    def _crib(self, view: View) -> list[moves.Move]:
        return [moves.Crib(tuple(self._rest[:4]))]

    def _roll(self, view: View) -> list[moves.Move]:
        dice = [self._chance.randint(1, 6) for _ in range(2)]
        return [moves.Roll(view["turn"], tuple(dice)), moves.Roll(view["turn"], (dice[0],))]

    def _between(self, view: View) -> list[moves.Move]:
        return [moves.Next()]


class FiveCardPlayer(RandomPlayer):
    hand_size = 3


class PegPlayer(RandomPlayer):
    def _play(self, view: View) -> list[moves.Move]:
        return [moves.Peg(self._chance.randrange(self._seats), self._chance.choice(COMMON_POINTS))]


class SwapPlayer(RandomPlayer):
    """A player who takes and returns any chips, and chooses the exchange that completes most of a figure."""

    def _take(self, view: View) -> list[moves.Move]:
        chips = self._chance.sample(CHIP_COLOURS, 5)
        pairs = [(a, b) for a in chips for b in chips if a != b]
        return [moves.Take(view["turn"], (chip,)) for chip in chips] + [
            moves.Take(view["turn"], pair) for pair in pairs
        ]

    def _exchange(self, view: View) -> list[moves.Move]:
        markers = grid.parse_grid([name for row in view["display"] for name in row])
        one, other = (grid.COLOURS.index(chip) for chip in view["held"][view["turn"] % 2])
        legal = list(grid.find_exchanges(markers, one, other))
        self._chance.shuffle(legal)
        legal.sort(key=lambda pair: -_figure_value(grid.exchange_markers(markers, *pair), one, other))
        return [moves.Exchange(view["turn"], *pair) for pair in legal]

    def _return(self, view: View) -> list[moves.Move]:
        return [moves.Return(view["turn"], chip) for chip in self._chance.sample(CHIP_COLOURS, 5)]


def _figure_value(markers: grid.MarkerGrid, *colours: int) -> int:
    """Return how close the markers of these colours are to figures, as a sum of cubes."""
    return sum(max((figure & markers[colour]).bit_count() for figure in grid.find_figures()) ** 3 for colour in colours)


class ShufflePlayer(RandomPlayer):
    """A player who lays out sixteen cards and swaps them at random."""

    def __init__(self, seats: int, chance: Random) -> None:
        super().__init__(seats, chance)
        self._swaps = 0

    def is_finished(self, view: View) -> bool:
        return view["phase"] == "swap" and (view["winner"] is not None or self._swaps >= MAX_SWAPS)

    def _lay(self, view: View) -> list[moves.Move]:
        *markers, starter = self._chance.sample(PACK, 17)
        return [moves.Lay(tuple(markers), starter)]

    def _swap(self, view: View) -> list[moves.Move]:
        self._swaps += 1
        (a, b), (c, d) = (divmod(cell, 4) for cell in self._chance.sample(range(16), 2))
        return [moves.Swap((a, b), (c, d))]


PLAYERS: Mapping[str, Callable[[int, Random], RandomPlayer]] = {
    "six-card": RandomPlayer, "five-card": FiveCardPlayer, "pursuit": RandomPlayer, "bases": RandomPlayer,
    "swap": SwapPlayer, "shuffle": ShufflePlayer, "pegs-only": PegPlayer,
}  # fmt: skip
"""The player of each game by the game's key."""
