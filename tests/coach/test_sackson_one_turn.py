"""The one-turn player of Sackson swap: never breaks a rule, completes figures and finishes games."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from companion.coach import sackson
from companion.rules import apply, begin_game, find_game
from companion.rules.engine import Setup
from companion.rules.moves import Exchange, Return, Take
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS

SWAP = find_game("swap")
OPTIONS = [
    {"zigzag": zigzag, "diagonals": diagonals}
    for zigzag, diagonals in product(("alternating", "stairs"), ("on", "off"))
]


def choose_move(view, options, chance):
    """Return the player's move."""
    seen, seat = sackson.build_table_view(view, options), view["turn"]
    if view["phase"] == "take":
        return Take(seat, sackson.choose_chips_one_ply(seen, chance))
    if view["phase"] == "exchange":
        return Exchange(seat, *sackson.choose_exchange_one_ply(seen, chance))
    return Return(seat, sackson.choose_return_one_ply(seen, chance))


def choose_careless_move(view, chance):
    """Return a random move, or an exchange that scores."""
    seat, held, bank = view["turn"], view["held"][view["turn"] % 2], sorted(view["bank"], key=lambda _: chance())
    if view["phase"] == "take":
        return Take(seat, tuple(bank[: 2 - len(held)]))
    if view["phase"] == "return":
        return Return(seat, min(held, key=lambda _: chance()))
    laid = grid.parse_grid([name for row in view["display"] for name in row])
    legal = sorted(view["legal"], key=lambda _: chance())
    return Exchange(
        seat, *max(legal, key=lambda cells: count_figures(grid.exchange_markers(laid, *cells)) - count_figures(laid))
    )


def count_figures(laid):
    return sum(bits in grid.find_figures() for bits in laid)


def play_game(seed, options, seats=2):
    """Yield state by state of a whole game, with the awards of the move that led there."""
    chance = Random(seed).random
    state = begin_game(SWAP, Setup(seats, seed % seats, options)).state
    for _ in range(1500):
        yield state, ()
        if state.phase == "over":
            return
        step = apply(SWAP, state, choose_move(SWAP.view(state), options, chance))
        yield step.state, step.awards
        state = step.state
    raise AssertionError("the game does not end")


def check(seed, options, seats):
    """Check what is true in every state of every game."""
    scored, scores = [0, 0], (0, 0)
    for state, awards in play_game(seed, options, seats):
        for award in awards:
            scored[award.seat % 2] += award.points
        assert state.scores == tuple(scored) >= scores
        scores = state.scores
        chips = [chip for held in state.chips_held for chip in held] + list(state.bank)
        assert sorted(chips) == sorted(COLOURS)
        assert [bits.bit_count() for bits in state.grid] == [5] * 5
        assert sum(state.grid) == (1 << 25) - 1
        assert (state.phase == "over") == (max(state.scores) >= 61 and state.phase not in ("exchange", "return"))
    assert state.scores[state.winner] >= 61


@pytest.mark.parametrize("seed", range(24))
def test_he_plays_whole_games_and_is_never_refused(seed):
    check(seed, OPTIONS[seed % 4], 2 + seed % 2 * 2)


@pytest.mark.long
def test_he_plays_hundreds_of_games():
    for seed in range(400):
        check(1000 + seed, OPTIONS[seed % 4], 2 + seed % 2 * 2)


def test_he_beats_one_who_only_takes_what_comes():
    for seed in range(4):
        chance = Random(seed).random
        state = begin_game(SWAP, Setup(2, seed % 2, {})).state
        while state.phase != "over":
            view = SWAP.view(state)
            move = choose_move(view, {}, chance) if view["turn"] == 0 else choose_careless_move(view, chance)
            state = apply(SWAP, state, move).state
        assert state.winner == 0


def mid_game(*rows):
    """Return a state in which seat 0 holds red and yellow and is to exchange."""
    state = begin_game(SWAP, Setup(2, 0, {})).state
    state = apply(SWAP, state, Take(0, ("red", "yellow"))).state
    return replace(state, grid=grid.parse_grid([COLOURS["ryglb".index(letter)] for row in rows for letter in row]))


def test_a_figure_that_can_be_made_is_made():
    state = mid_game("rrrry", "yrygg", "ygyll", "gglll", "bbbbb")
    a, b = sackson.choose_exchange_one_ply(sackson.build_table_view(SWAP.view(state), {}), Random(1).random)
    step = apply(SWAP, state, Exchange(0, a, b))
    assert [(award.reason, award.points) for award in step.awards] == [("line", 5)]


def test_the_chip_of_the_more_promising_colour_is_kept():
    state = mid_game("rrrrg", "rylgg", "gyglb", "ylylb", "ylbbb")
    seen = sackson.build_table_view(SWAP.view(state), {})
    assert sackson.choose_return_one_ply(seen, Random(1).random) == "yellow"
