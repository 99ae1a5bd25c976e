"""Players: each level discards in its own way; heuristics keep good hands, take points and play swap to its end."""

import subprocess
import sys
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from companion.coach import heuristics, skill_levels
from companion.coach.heuristics import choose_card, choose_hand
from companion.coach.skill_levels import GameTerms
from companion.common.constants import SKILL_LEVELS
from companion.rules import Setup, apply, begin_game, find_game
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.moves import Exchange, Return, Take
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS
from tests.support.swap_player import choose_swap_move

SWAP = find_game("swap")
SWAP_OPTIONS = [
    {"zigzag": zigzag, "diagonals": diagonals}
    for zigzag, diagonals in product(("alternating", "stairs"), ("on", "off"))
]


def test_the_dealer_keeps_the_fives():
    kept = choose_hand(parse_cards("5S 5D JD 5H 2C 9H"), own_crib=True)
    assert set(parse_cards("5S 5D 5H JD")) == set(kept)


def test_of_five_cards_one_is_laid_away():
    assert set(choose_hand(parse_cards("4S 5D 6D 6H KC"), own_crib=False)) == set(parse_cards("4S 5D 6D 6H"))


def test_points_are_taken():
    assert choose_card(parse_cards("KH 5C 2D"), parse_cards("TH"), 10) == parse_card("5C")


def test_no_five_is_led_nor_twenty_one_made():
    assert choose_card(parse_cards("5C 4D"), (), 0) == parse_card("4D")
    assert choose_card(parse_cards("AC 3D"), parse_cards("TH QH"), 20) == parse_card("3D")


@pytest.mark.parametrize("seed", range(24))
def test_whole_games_of_swap_are_legal(seed):
    check_swap_game(seed, SWAP_OPTIONS[seed % 4], 2 + seed % 2 * 2)


@pytest.mark.long
def test_hundreds_of_games_of_swap_are_legal():
    for seed in range(400):
        check_swap_game(1000 + seed, SWAP_OPTIONS[seed % 4], 2 + seed % 2 * 2)


def check_swap_game(seed, options, seats):
    """Check what is true in every state of a game, and that it ends."""
    scored, scores, chance = [0, 0], (0, 0), Random(seed).random
    state = begin_game(SWAP, Setup(seats, seed % seats, options)).state
    for _ in range(1500):
        chips = [chip for held in state.chips_held for chip in held] + list(state.bank)
        assert sorted(chips) == sorted(COLOURS)
        assert [bits.bit_count() for bits in state.grid] == [5] * 5
        assert sum(state.grid) == (1 << 25) - 1
        assert (state.phase == "over") == (max(state.scores) >= 61 and state.phase not in ("exchange", "return"))
        if state.phase == "over":
            break
        step = apply(SWAP, state, choose_swap_move(SWAP.view(state), options, chance))
        state = step.state
        for award in step.awards:
            scored[award.seat % 2] += award.points
        assert state.scores == tuple(scored) >= scores
        scores = state.scores
    assert state.scores[state.winner] >= 61


def at_exchange(*rows):
    """Return a state in which seat 0 holds red and yellow and is to exchange."""
    state = apply(SWAP, begin_game(SWAP, Setup(2, 0, {})).state, Take(0, ("red", "yellow"))).state
    return replace(state, grid=grid.parse_grid([COLOURS["ryglb".index(letter)] for row in rows for letter in row]))


def test_a_figure_that_can_be_made_is_made():
    state = at_exchange("rrrry", "yrygg", "ygyll", "gglll", "bbbbb")
    step = apply(SWAP, state, Exchange(0, *heuristics.choose_exchange(SWAP.view(state), {}, Random(1).random)))
    assert [(award.reason, award.points) for award in step.awards] == [("line", 5)]


def test_the_chip_that_promises_less_is_returned():
    state = at_exchange("rrrrg", "rylgg", "gyglb", "ylylb", "ylbbb")
    state = replace(state, phase="return")
    assert heuristics.choose_return(SWAP.view(state), {}, Random(1).random) == "yellow"
    assert apply(SWAP, state, Return(0, "yellow")).state.chips_held[0] == ("red",)


ASKED = """
import sys
from companion.coach import skill_levels
from companion.coach.skill_levels import GameTerms
from companion.rules import Setup, find_game
from companion.rules.cards import parse_cards
key = "{key}"
game = find_game(key)
terms = GameTerms(key, 2, game.target, {{}})
skill_levels.warm_up(terms)
opened = []
sys.addaudithook(lambda event, given: event == "open" and opened.append(str(given[0])))
skill_levels.choose_hand(terms, game.view(game.start(Setup(2, 0, {{}}))), 0, parse_cards("{cards}"))
print([path for path in opened if path.endswith(".json")])
"""


@pytest.mark.parametrize(("key", "cards"), [("six-card", "2C 4D 7H 9S TC KD"), ("five-card", "2C 4D 7H 9S TC")])
def test_a_first_decision_reads_no_table(key, cards):
    """Runs in a process of its own, because other tests have filled the caches of this one."""
    script = ASKED.format(key=key, cards=cards)
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_each_level_discards_in_its_own_way():
    six = find_game("six-card")
    view = six.view(six.start(Setup(2, 0, {})))
    kept = {}
    for level in SKILL_LEVELS:
        terms = GameTerms("six-card", 2, 121, {}, level)
        kept[level] = [skill_levels.choose_hand(terms, view, 0, PACK[n : n + 41 : 8]) for n in range(9)]
    assert kept["novice"] != kept["club"] != kept["expert"] != kept["novice"]


@pytest.mark.parametrize(("key", "seats"), [("pursuit", 2), ("bases", 2), ("six-card", 3), ("five-card", 4)])
def test_other_games_have_no_coach(key, seats):
    game = find_game(key)
    terms = GameTerms(key, seats, game.target, {})
    view = game.view(game.start(Setup(seats, 0, {"innings": "3", "preset": "standard"})))
    skill_levels.warm_up(terms)
    assert skill_levels.choose_hand(terms, view, 0, parse_cards("2C 4D 7H 9S TC")) is None
    assert skill_levels.choose_card(terms, view, 0, parse_cards("2C 4D"), ()) is None
