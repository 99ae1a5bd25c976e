"""Whole random games of every kind, with illegal moves mixed in, against a second reading of the rules.

`tests/oracles` says beforehand what each line said to the referee must be answered, from rules.md and interfaces.md
alone; scores, turns, awards, refusals: all of it is compared. Then each game is replayed, and undone to its start.
"""

import json
import subprocess
import sys
from functools import partial
from random import Random

import pytest
from oracles.alone import Peggers, Pegs, Shuffle, Solitaire
from oracles.bases import Bases
from oracles.card_players import Baseball, CardPlayers, Pursuers
from oracles.cribbage import Cribbage
from oracles.driver import Kind, Oracle, Players, played, whole_game
from oracles.pursuit import Pursuit
from oracles.swap import Swap, SwapPlayers

from companion import codec, rules
from companion.rules import Setup

SHORT = {
    "six-card": {"target": ("61", "61", "61", "121")},
    "bases": {"innings": ("1",) * 20 + ("2", "3", "4", "9")},
}
"""Mostly short games: long ones say nothing more."""


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
"""The oracle of each game, and who plays it."""


def kind(key: str) -> Kind:
    """A game with all its seats and options; in 'Round the Bases the dice may say who begins."""
    game = rules.game(key)
    return Kind(key, game.seats, {**game.options, **SHORT.get(key, {})}, SAT[key], (None,) if key == "bases" else ())


KINDS = {key: kind(key) for key in SAT}
EVERY = pytest.mark.parametrize("key", KINDS)


@EVERY
@pytest.mark.parametrize("ten", range(20))
def test_ten_random_games_go_by_the_rules(key: str, ten: int):
    for seed in range(10 * ten, 10 * ten + 10):
        whole_game(KINDS[key], seed)


@EVERY
def test_the_command_gives_the_same_answers_line_by_line(key: str):
    setup, accepted, past = played(KINDS[key], seed=3)
    words = ["referee", "--game", key, "--seats", str(setup.seats)]
    words += [] if setup.dealer is None else ["--dealer", str(setup.dealer)]
    words += [word for pair in setup.options.items() for word in ("--option", "=".join(pair))]
    lines = [line for move in accepted for line in (json.dumps(move), '{"type":"nothing"}')] + ['{"type":"undo"}'] * 3
    done = subprocess.run(
        [sys.executable, "-m", "companion", *words], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False] * len(accepted) + [True] * 3
    assert answers[-5]["scores"] == list(past.state.scores)
    assert answers[-1] == {"ok": True, "awards": []} | codec.plain(
        rules.game(key).view(past.before.before.before.state)
    )


@pytest.mark.long
@EVERY
@pytest.mark.parametrize("hundred", range(2, 102))
def test_ten_thousand_random_games_go_by_the_rules(key: str, hundred: int):
    for seed in range(100 * hundred, 100 * hundred + 100):
        whole_game(KINDS[key], seed)
