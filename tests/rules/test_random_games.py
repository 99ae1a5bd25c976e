"""Whole random games of every kind, with illegal moves mixed in, against a second reading of the rules.

`tests/oracles` says beforehand what each line said to the referee must be answered, from rules.md and interfaces.md
alone; scores, turns, awards, refusals: all of it is compared. Then each game is replayed, and undone to its start.
"""

from random import Random

import pytest
from oracles.alone import Peggers, Pegs, Shuffle, Solitaire
from oracles.bases import Bases
from oracles.card_players import Baseball, CardPlayers, Pursuers
from oracles.cribbage import Cribbage
from oracles.driver import Kind, Oracle, Players, whole_game
from oracles.pursuit import Pursuit
from oracles.swap import Swap, SwapPlayers

from companion import rules
from companion.rules import Setup

SHORT = {
    "six-card": {"target": ("61", "61", "61", "121")},
    "bases": {"innings": ("1",) * 20 + ("2", "3", "4", "9")},
}
"""Mostly short games: long ones say nothing more."""


def sit(key: str, setup: Setup, chance: Random) -> tuple[Oracle, Players]:
    """The oracle of a game, and who plays it."""
    seats, dealer, options = setup.seats, setup.dealer, dict(setup.options)
    match key:
        case "pursuit":
            match_of = Pursuit(seats, dealer, options)
            return match_of, Pursuers(match_of, chance)
        case "bases":
            innings = Bases(seats, dealer, options)
            return innings, Baseball(innings, chance)
        case "swap":
            display = Swap(seats, dealer, options)
            return display, SwapPlayers(display, chance)
        case "shuffle":
            grid = Shuffle(options)
            return grid, Solitaire(grid, chance)
        case "pegs-only":
            pegs = Pegs(seats, options)
            return pegs, Peggers(pegs, chance)
    cards = Cribbage(key, seats, dealer, options)
    return cards, CardPlayers(cards, chance)


KINDS = {
    game.key: Kind(
        game.key,
        game.seats,
        {**game.options, **SHORT.get(game.key, {})},
        lambda setup, chance, key=game.key: sit(key, setup, chance),
        (None,) if game.key == "bases" else (),
    )
    for game in rules.GAMES
}
EVERY = pytest.mark.parametrize("key", KINDS)


@EVERY
@pytest.mark.parametrize("ten", range(20))
def test_ten_random_games_go_by_the_rules(key: str, ten: int):
    for seed in range(10 * ten, 10 * ten + 10):
        whole_game(KINDS[key], seed)


@pytest.mark.long
@EVERY
@pytest.mark.parametrize("hundred", range(2, 102))
def test_ten_thousand_random_games_go_by_the_rules(key: str, hundred: int):
    for seed in range(100 * hundred, 100 * hundred + 100):
        whole_game(KINDS[key], seed)
