"""The two-turn player of Sackson swap: never breaks a rule, gives nothing away, and beats the one-turn player."""

from dataclasses import replace
from random import Random

import pytest

from companion.coach import sackson
from companion.rules import apply, begin_game, find_game
from companion.rules.engine import Setup
from companion.rules.moves import Exchange, Return, Take
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS
from tests.arena import swap_games

SWAP = find_game("swap")


@pytest.mark.long
def test_he_is_ahead_of_one_who_looks_one_turn_ahead():
    """A game in which each begins; a refused move would end it with an error."""
    found = list(swap_games.play_pairs(range(100, 102)))
    assert sum(won for won, _ in found) >= 3
    assert sum(ahead for _, ahead in found) > 0


@pytest.mark.long
def test_he_wins_most_games():
    found = list(swap_games.play_pairs(range(200, 240)))
    assert sum(won for won, _ in found) / 80 > 0.75


def at_the_end(*, scores):
    """Red is one exchange from a line, seat 0 holds red and yellow."""
    state = begin_game(SWAP, Setup(2, 0, {})).state
    state = apply(SWAP, state, Take(0, ("red", "yellow"))).state
    rows = ("rrrry", "yrygg", "ygyll", "gglll", "bbbbb")
    laid = grid.parse_grid([COLOURS["ryglb".index(letter)] for row in rows for letter in row])
    return replace(state, grid=laid, scores=scores)


def test_the_game_is_won_where_it_can_be():
    state = at_the_end(scores=(56, 60))
    cells = sackson.choose_exchange(sackson.build_table_view(SWAP.view(state), {}), Random(1).random)
    assert apply(SWAP, state, Exchange(0, *cells)).state.winner == 0


def test_the_chip_that_would_win_for_the_other_side_is_not_given_back():
    """With red and the yellow chip the other side would make the line of red and win."""
    state = at_the_end(scores=(10, 56))
    state = replace(state, phase="return", chips_held=(("red", "green"), ("yellow",)))
    given = sackson.choose_return(sackson.build_table_view(SWAP.view(state), {}), Random(1).random)
    assert given == "green"
    assert apply(SWAP, state, Return(0, given)).state.chips_held[0] == ("red",)
