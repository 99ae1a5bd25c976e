"""Whole random games of every kind, with illegal moves mixed in, compared with a second implementation of the rules.

`tests/oracles` predicts each answer of the referee from the pages of the games alone: scores, turns, awards and
refusals are all compared. Then each game is replayed, and undone to its start.
"""

import json
import random
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from companion import rules
from companion.protocol import json_codec
from companion.rules import Game, Setup, apply, cribbage, pursuit
from companion.rules.cards import PACK, Card
from companion.rules.claims import AwardGroup
from companion.rules.deal_moves import Deal
from companion.rules.moves import Claim, Crib, Go, Hand, Move, Next, Play, Starter
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


class Deck:
    """A seeded deck that deals the same cards to both tables."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def deal(self, seats: int, size: int) -> tuple[list[list[Card]], tuple[Card, ...], Card]:
        pack = self._chance.sample(PACK, 52)
        return [pack[size * n : size * n + size] for n in range(seats)], tuple(pack[40:44]), pack[44]


def claim(deal: Deal) -> Claim | None:
    """Return the claim that is possible now, or None."""
    if deal.claims.pending is not None:
        return Claim(deal.claims.pending.seat, worth(deal.claims.pending.truth))
    return next((Claim(seat, worth(truth)) for seat, truth in enumerate(deal.claims.unclaimed) if truth), None)


def worth(truth: AwardGroup) -> int:
    return sum(award.points for award in truth)


def scores(game: Game[Any], setup: Setup, seed: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return phase and scores after each move except claims, to the end of the game."""
    state, deck, told = rules.begin_game(game, setup).state, Deck(seed), []
    hands: list[list[Card]] = []
    crib: tuple[Card, ...] = ()
    while state.winner is None:
        move: Move | None = claim(state.deal) if state.phase in ("play", "claim") else None
        if move is None and state.phase == "cut":
            hands, crib, starter = deck.deal(setup.seats, state.terms.hand_size)
            move = Starter(starter)
        elif move is None and state.phase == "play":
            laid = state.deal.play
            held = [c for c in hands[laid.turn] if not laid.has_played(c) and c.value + laid.count <= 31]
            move = Play(laid.turn, held[0]) if held else Go(laid.turn)
        elif move is None:
            move = {"show": Hand(state.turn or 0, tuple(hands[state.turn or 0])), "crib": Crib(crib)}.get(
                state.phase, Next()
            )
        state = apply(game, state, move).state
        if state.phase in ("cut", "over"):
            told.append((state.phase, state.scores))
    return told


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("game", [cribbage.SIX_CARD, cribbage.FIVE_CARD, pursuit.GAME], ids=lambda game: game.key)
def test_honest_claims_give_what_the_companion_counts(game: Game[Any], seed: int):
    seats = game.seats[seed % len(game.seats)]
    by_hand, by_itself = (scores(game, Setup(seats, 0, {"counting": how}), seed) for how in ("manual", "auto"))
    assert by_hand == by_itself
    assert by_hand[-1][0] == "over"
