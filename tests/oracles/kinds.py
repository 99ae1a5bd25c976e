"""Each game with its oracle and players."""

from functools import partial
from random import Random

from companion import rules
from companion.rules import Setup
from tests.oracles.alone import Pegs, PegsOnlyPlayers, Shuffle, SolitairePlayer
from tests.oracles.bases import Bases
from tests.oracles.card_players import BaseballPlayers, CardPlayers, PursuitPlayers
from tests.oracles.cribbage import Cribbage
from tests.oracles.driver import Kind, Oracle, Players
from tests.oracles.pursuit import Pursuit
from tests.oracles.swap import Swap, SwapPlayers

SHORT_OPTIONS = {
    "six-card": {"target": ("61", "61", "61", "121")},
    "bases": {"innings": ("1",) * 20 + ("2", "3", "4", "9")},
}
"""Options for mostly short games, because long games find no further errors."""


def create_card_game(key: str, setup: Setup, random: Random) -> tuple[Oracle, Players]:
    game = Cribbage(key, setup.seats, setup.dealer, dict(setup.options))
    return game, CardPlayers(game, random)


def create_pursuit(setup: Setup, random: Random) -> tuple[Oracle, Players]:
    match = Pursuit(setup.seats, setup.dealer, dict(setup.options))
    return match, PursuitPlayers(match, random)


def create_bases(setup: Setup, random: Random) -> tuple[Oracle, Players]:
    game = Bases(setup.seats, setup.dealer, dict(setup.options))
    return game, BaseballPlayers(game, random)


def create_swap(setup: Setup, random: Random) -> tuple[Oracle, Players]:
    game = Swap(setup.seats, setup.dealer, dict(setup.options))
    return game, SwapPlayers(game, random)


def create_shuffle(setup: Setup, random: Random) -> tuple[Oracle, Players]:
    game = Shuffle(dict(setup.options))
    return game, SolitairePlayer(game, random)


def create_pegs_only(setup: Setup, random: Random) -> tuple[Oracle, Players]:
    game = Pegs(setup.seats, dict(setup.options))
    return game, PegsOnlyPlayers(game, random)


FACTORIES = {
    "six-card": partial(create_card_game, "six-card"), "five-card": partial(create_card_game, "five-card"),
    "pursuit": create_pursuit, "bases": create_bases, "swap": create_swap, "shuffle": create_shuffle,
    "pegs-only": create_pegs_only,
}  # fmt: skip
"""The oracle and the players of each game."""


def create_kind(key: str) -> Kind:
    """Return a game with all its seats and options; in 'Round the Bases, dice may decide who begins."""
    game = rules.find_game(key)
    return Kind(
        key,
        game.seats,
        {**game.options, **SHORT_OPTIONS.get(key, {})},
        FACTORIES[key],
        (None,) if key == "bases" else (),
    )


KINDS = {key: create_kind(key) for key in FACTORIES}
