"""Sackson swap in the arena: two turns ahead against one, each beginning once with the same chance."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from companion.coach import sackson
from companion.rules import begin_game, find_game
from companion.rules.engine import Setup, apply
from companion.rules.moves import Exchange, Return, Take

MAX_MOVES = 1500
"""More moves than any game takes."""


class SwapPlayer(NamedTuple):
    """The three decisions of a player."""

    choose_chips: Any
    choose_exchange: Any
    choose_return: Any


ONE_TURN = SwapPlayer(sackson.choose_chips_one_ply, sackson.choose_exchange_one_ply, sackson.choose_return_one_ply)
TWO_TURNS = SwapPlayer(sackson.choose_chips, sackson.choose_exchange, sackson.choose_return)


def play_game(sides: tuple[SwapPlayer, SwapPlayer], seed: int) -> tuple[int, tuple[int, ...]]:
    """Play one game. Return the seat that won and the scores."""
    swap = find_game("swap")
    chance = (Random(seed).random, Random(seed + 1).random)
    state = begin_game(swap, Setup(2, 0, {})).state
    for _ in range(MAX_MOVES):
        if state.winner is not None:
            return state.winner, state.scores
        view = swap.view(state)
        seat = view["turn"]
        seen = sackson.build_table_view(view, {})
        if view["phase"] == "take":
            move = Take(seat, sides[seat].choose_chips(seen, chance[seat]))
        elif view["phase"] == "exchange":
            move = Exchange(seat, *sides[seat].choose_exchange(seen, chance[seat]))
        else:
            move = Return(seat, sides[seat].choose_return(seen, chance[seat]))
        state = apply(swap, state, move).state
    raise AssertionError("the game does not end")


def play_pairs(seeds: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield, for each seed, games won of two by the player who looks two turns ahead, and the lead in both."""
    for seed in seeds:
        first, scores = play_game((TWO_TURNS, ONE_TURN), seed)
        second, others = play_game((ONE_TURN, TWO_TURNS), seed)
        yield (first == 0) + (second == 1), scores[0] - scores[1] + others[1] - others[0]
