"""If all players claim the truth, manual counting gives the same scores as counting by the companion."""

import random
from typing import Any

import pytest

from companion import rules
from companion.rules import Game, Setup, apply, cribbage, pursuit
from companion.rules.cards import PACK, Card
from companion.rules.claims import AwardGroup
from companion.rules.deal_moves import Deal
from companion.rules.moves import Claim, Crib, Go, Hand, Move, Next, Play, Starter


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
