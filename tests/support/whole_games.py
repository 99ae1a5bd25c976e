"""Whole games of every kind, move by move, played by the players of `tests/oracles`."""

from collections.abc import Iterator
from typing import Any

from companion.protocol.json_codec import read_move
from companion.rules import GAMES
from companion.rules.engine import Game
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import TableCore, apply_move, create_core
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS

PLAYED_GAMES = [game for game in GAMES if game.key in KINDS]
"""Games with players in `tests/oracles`."""


def play_whole_games(game: Game[Any]) -> Iterator[TableCore]:
    """Yield the table after each move of a few whole games. Players count themselves in every second one, if they can.

    Yields nothing for a game without players in `tests/oracles`.
    """
    seeds = range(2 * len(game.seats)) if game.key in KINDS else ()
    for seed in seeds:
        setup, moves, _ = play_game(KINDS[game.key], seed)
        core = create_core(create_plan(game.key, setup.seats, setup.dealer, dict(setup.options)), Settings())
        for move in moves:
            core = apply_move(core, read_move(move), "phone")
            yield core
