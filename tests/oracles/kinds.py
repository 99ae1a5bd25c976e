"""Each game with its oracle and players."""

from collections.abc import Callable
from functools import partial
from random import Random

from companion import rules
from companion.rules import Setup
from tests.oracles.alone import Pegs, PegsOnlyPlayers, Shuffle, SolitairePlayer
from tests.oracles.bases import Bases
from tests.oracles.card_players import BaseballPlayers, CardPlayers, PursuitPlayers
from tests.oracles.cribbage import Cribbage
from tests.oracles.deal import Players
from tests.oracles.driver import Kind, Oracle
from tests.oracles.pursuit import Pursuit
from tests.oracles.swap import Swap, SwapPlayers

SHORT_OPTIONS = {
    "six-card": {"target": ("61", "61", "61", "121")},
    "bases": {"innings": ("1",) * 20 + ("2", "3", "4", "9")},
}
"""Options for mostly short games, because long games find no further errors."""


ORACLES: dict[str, tuple[Callable[..., Oracle], Callable[..., Players]]] = {
    "six-card": (partial(Cribbage, "six-card"), CardPlayers),
    "five-card": (partial(Cribbage, "five-card"), CardPlayers),
    "pursuit": (Pursuit, PursuitPlayers), "bases": (Bases, BaseballPlayers), "swap": (Swap, SwapPlayers),
    "shuffle": (Shuffle, SolitairePlayer), "pegs-only": (Pegs, PegsOnlyPlayers),
}  # fmt: skip
"""The oracle and the players of each game."""


def create_players(key: str, setup: Setup, random: Random) -> tuple[Oracle, Players]:
    create_oracle, players = ORACLES[key]
    oracle = create_oracle(setup.seats, setup.dealer, dict(setup.options))
    return oracle, players(oracle, random)


def create_kind(key: str) -> Kind:
    """Return a game with all its seats and options; in 'Round the Bases, dice may decide who begins."""
    game, dealers = rules.find_game(key), (None,) if key == "bases" else ()
    return Kind(key, game.seats, {**game.options, **SHORT_OPTIONS.get(key, {})}, partial(create_players, key), dealers)


KINDS = {key: create_kind(key) for key in ORACLES}
