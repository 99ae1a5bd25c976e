"""The expert in C is the coach: every choice of whole games, and the results of the arena."""

import pytest

from companion.arena import match
from companion.arena.game import DuplicateGame
from companion.coach import advise
from tests.arena import compiled_expert, compiled_match
from tests.arena.compiled_expert import CompiledPlayer, load_tables, make_coach

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
    one, other = make_coach(load_tables()), make_coach(load_tables(), searches=False)
    for seed in range(3):
        pair = match._play_pair((CompiledPlayer(one), CompiledPlayer(other)), seed, 121)
        assert compiled_expert.play_pair(one, other, seed) == pair


def test_a_match_against_a_player_of_the_arena_has_its_results_and_goes_on_later(tmp_path):
    results = compiled_match.play_match(
        tmp_path / "match", "heuristic", range(3), compiled_match.choose_play("heuristic")
    )
    assert results == list(match.play_pairs(match.ArenaTerms("expert", "heuristic"), range(3)))
    again = compiled_match.play_match(tmp_path / "match", "heuristic", range(3), pytest.fail)
    assert again == results
