"""Sackson swap in the arena: two turns ahead against one, each beginning once with the same chance."""

from collections.abc import Iterator, Sequence
from random import Random
from types import ModuleType

from companion.coach import sackson
from companion.rules import begin, game
from companion.rules.engine import Setup, apply
from companion.rules.moves import Exchange, Return, Take

MOST = 1500
"""So many moves no game takes."""


def play(sides: tuple[ModuleType, ModuleType], seed: int) -> tuple[int, tuple[int, ...]]:
    """One game: the seat that won, and the scores."""
    swap = game("swap")
    chance = (Random(seed).random, Random(seed + 1).random)
    state = begin(swap, Setup(2, 0, {})).state
    for _ in range(MOST):
        if state.winner is not None:
            return state.winner, state.scores
        view = swap.view(state)
        seat = view["turn"]
        seen = sackson.sight(view, {})
        if view["phase"] == "take":
            move = Take(seat, sides[seat].take(seen, chance[seat]))
        elif view["phase"] == "exchange":
            move = Exchange(seat, *sides[seat].exchange(seen, chance[seat]))
        else:
            move = Return(seat, sides[seat].give_back(seen, chance[seat]))
        state = apply(swap, state, move).state
    raise AssertionError("the game does not end")


def pairs(seeds: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Games won of each two by the player who looks two turns ahead, and points ahead in both."""
    for seed in seeds:
        first, scores = play((sackson, sackson), seed)
        second, others = play((sackson, sackson), seed)
        yield (first == 0) + (second == 1), scores[0] - scores[1] + others[1] - others[0]
