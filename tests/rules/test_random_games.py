"""Whole random games of every kind, with illegal moves mixed in, compared with a second implementation of the rules.

`tests/oracles` predicts each answer of the referee from the pages of the games alone: scores, turns, awards and
refusals are all compared. Then each game is replayed, and undone to its start.
"""

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from companion import rules
from companion.protocol import json_codec
from companion.rules.deal_moves import Deal
from tests.oracles.driver import check_whole_game, play_game
from tests.oracles.kinds import KINDS

EVERY = pytest.mark.parametrize("key", KINDS)


@EVERY
@pytest.mark.parametrize("ten", [*range(3), *(pytest.param(ten, marks=pytest.mark.long) for ten in range(3, 10))])
def test_ten_random_games_go_by_the_rules(key: str, ten: int):
    for seed in range(10 * ten, 10 * ten + 10):
        check_whole_game(KINDS[key], seed)


@EVERY
def test_the_command_gives_the_same_answers(key: str):
    setup, accepted, past = play_game(KINDS[key], seed=3)
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
    assert answers[-1] == {"ok": True, "awards": []} | json_codec.to_json_value(
        rules.find_game(key).view(past.parent.parent.parent.state)
    )


def blank_deal(deal: Deal) -> Deal:
    """Return the deal with all unclaimed points removed."""
    claims = deal.claims
    return replace(
        deal,
        claims=replace(
            claims,
            unclaimed=tuple(truth and () for truth in claims.unclaimed),
            pending=claims.pending and claims.pending._replace(truth=()),
            window=claims.window and claims.window._replace(truth=()),
        ),
    )


def blank_state(state: Any) -> Any:
    if hasattr(state, "hand"):
        return replace(state, hand=replace(state.hand, deal=blank_deal(state.hand.deal)))
    return replace(state, deal=blank_deal(state.deal))


@pytest.mark.parametrize("key", ["six-card", "five-card", "pursuit", "bases"])
@pytest.mark.parametrize("seed", range(2, 5))
def test_unclaimed_points_are_not_seen(key: str, seed: int):
    setup, _, past = play_game(KINDS[key], seed=seed * 2 * len(KINDS[key].seats) - 1)
    assert setup.options["counting"] == "manual"
    game, hidden = rules.find_game(key), 0
    while past is not None:
        empty = blank_state(past.state)
        hidden += empty != past.state
        assert game.view(empty) == game.view(past.state)
        past = past.parent
    assert hidden


@pytest.mark.long
@EVERY
@pytest.mark.parametrize("hundred", range(1, 101))
def test_ten_thousand_random_games_go_by_the_rules(key: str, hundred: int):
    for seed in range(100 * hundred, 100 * hundred + 100):
        check_whole_game(KINDS[key], seed)
