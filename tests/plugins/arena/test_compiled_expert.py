"""The expert in C is the coach: every choice of whole games, and the results of the arena."""

from contextlib import suppress
from random import Random

import pytest

from companion.coach import advise
from companion.plugins.arena import match
from companion.plugins.arena.game import DuplicateGame
from companion.rules.cards import PACK, parse_card
from tests.plugins.arena import compiled_expert, compiled_match
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
    one, other = make_coach(load_tables()), make_coach(load_tables(), searches=False)
    for seed in range(3):
        pair = match._play_pair((CompiledPlayer(one), CompiledPlayer(other)), seed, 121)
        assert compiled_expert.play_pair(one, other, seed) == pair


def test_a_compiled_match_has_the_arenas_results(tmp_path):
    results = compiled_match.play_match(
        tmp_path / "match", "heuristic", range(3), compiled_match.choose_play("heuristic")
    )
    assert results == list(match.play_pairs(match.ArenaTerms("expert", "heuristic"), range(3)))
    again = compiled_match.play_match(tmp_path / "match", "heuristic", range(3), pytest.fail)
    assert again == results


class OtherLead(Exception):
    """Pone does not lead a queen."""


def win_after_queen(expert, card, seed):
    """Return whether the dealer, who plays `card` on a queen at 118-115, wins. Raises OtherLead."""
    kept, random = ["3H", "6H", "4C", "4S"], Random(seed)
    rest = [each for each in PACK if str(each) not in kept]
    packs = [[*map(parse_card, kept), *random.sample(rest, 9)], *(random.sample(PACK, 13) for _ in range(3))]

    def play_dealer(question):
        held = question["hand"]
        if question["ask"] == "discard" and held[:4] == kept:
            return {"choices": [{"discard": held[4:]}]}
        return {"choices": [{"play": card}]} if held == kept else expert(question)

    def play_pone(question):
        answer = expert(question)
        if question.get("played") == [[], []] and question["scores"] == [115, 120]:
            raise OtherLead  # the starter is a jack
        if question.get("played") == [[], []] and answer["choices"][0]["play"][0] != "Q":
            raise OtherLead
        return answer

    game = DuplicateGame((play_dealer, play_pone), 0, draw_pack=packs.__getitem__)
    game.scores = [118, 115]
    return game.play() == 0


@pytest.mark.long
def test_on_a_queen_a_three_wins_more():
    expert = CompiledPlayer(make_coach(load_tables()))
    won = {"3H": 0, "4C": 0}
    played = 0
    for seed in range(20_000):
        with suppress(OtherLead):
            results = {card: win_after_queen(expert, card, seed) for card in won}
            won = {card: won[card] + results[card] for card in won}
            played += 1
    assert played > 900
    assert won["3H"] / played > 0.84
    assert won["4C"] / played < 0.77
