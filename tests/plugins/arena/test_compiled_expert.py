"""The expert in C is the coach: every choice of whole games, and the results of the arena."""

import sys

import pytest

from companion.coach import advise
from companion.plugins.arena import match
from companion.plugins.arena.game import DuplicateGame
from tests.plugins.arena import compiled_expert
from tests.plugins.arena.compiled_expert import CompiledPlayer, load_tables, make_coach

pytestmark = pytest.mark.skipif(not compiled_expert.has_compiler(), reason="no C compiler")


def test_its_choices_are_those_of_the_coach():
    player = CompiledPlayer(make_coach(load_tables()))
    asked = []

    def ask(question):
        answer = advise.answer_question(question)
        key = question["ask"]
        asked.append(key)
        coach, compiled = (each["choices"][0][key] for each in (answer, player(question)))
        if key == "discard":
            coach, compiled = sorted(coach), sorted(compiled)
        assert compiled == coach
        return answer

    for seed in range(2):
        DuplicateGame((ask, ask), 2700 + seed).play()
    assert asked.count("discard") > 20
    assert asked.count("play") > 100


def test_a_pair_has_the_results_of_the_arena():
    one, other = make_coach(load_tables()), make_coach(load_tables(), hands=5)
    for seed in range(3):
        pair = match._play_pair(match.ArenaTerms("", ""), (CompiledPlayer(one), CompiledPlayer(other)), seed)
        assert compiled_expert.play_pair(one, other, seed) == pair


def test_a_program_of_it_plays_in_the_arena():
    program = f"{sys.executable} -m {compiled_expert.__name__}"
    (pair,) = match.play_pairs(match.ArenaTerms(program, "heuristic"), [7])
    assert list(match.play_pairs(match.ArenaTerms("expert", "heuristic"), [7])) == [pair]
