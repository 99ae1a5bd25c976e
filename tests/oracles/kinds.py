"""Each game with its oracle and players."""

from functools import partial
from random import Random

from companion import rules
from companion.rules import Setup
from tests.oracles.alone import Peggers, Pegs, Shuffle, Solitaire
from tests.oracles.bases import Bases
from tests.oracles.card_players import Baseball, CardPlayers, Pursuers
from tests.oracles.cribbage import Cribbage
from tests.oracles.driver import Kind, Oracle, Players
from tests.oracles.pursuit import Pursuit
from tests.oracles.swap import Swap, SwapPlayers

SHORT = {
    "six-card": {"target": ("61", "61", "61", "121")},
    "bases": {"innings": ("1",) * 20 + ("2", "3", "4", "9")},
}
"""Options for mostly short games, because long ones find no more."""


def cards(key: str, setup: Setup, chance: Random) -> tuple[Oracle, Players]:
    game = Cribbage(key, setup.seats, setup.dealer, dict(setup.options))
    return game, CardPlayers(game, chance)


def pursuit(setup: Setup, chance: Random) -> tuple[Oracle, Players]:
    match = Pursuit(setup.seats, setup.dealer, dict(setup.options))
    return match, Pursuers(match, chance)


def bases(setup: Setup, chance: Random) -> tuple[Oracle, Players]:
    game = Bases(setup.seats, setup.dealer, dict(setup.options))
    return game, Baseball(game, chance)


def swap(setup: Setup, chance: Random) -> tuple[Oracle, Players]:
    game = Swap(setup.seats, setup.dealer, dict(setup.options))
    return game, SwapPlayers(game, chance)


def shuffle(setup: Setup, chance: Random) -> tuple[Oracle, Players]:
    game = Shuffle(dict(setup.options))
    return game, Solitaire(game, chance)


def pegs(setup: Setup, chance: Random) -> tuple[Oracle, Players]:
    game = Pegs(setup.seats, dict(setup.options))
    return game, Peggers(game, chance)


SAT = {
    "six-card": partial(cards, "six-card"), "five-card": partial(cards, "five-card"), "pursuit": pursuit,
    "bases": bases, "swap": swap, "shuffle": shuffle, "pegs-only": pegs,
}  # fmt: skip
"""The oracle and the players of each game."""


def kind(key: str) -> Kind:
    """Return a game with all its seats and options; in 'Round the Bases, dice may decide who begins."""
    game = rules.find_game(key)
    return Kind(key, game.seats, {**game.options, **SHORT.get(key, {})}, SAT[key], (None,) if key == "bases" else ())


KINDS = {key: kind(key) for key in SAT}
