"""The last cards of a game are played exactly: against every possible hand, with the best own continuation."""

from random import Random

import pytest

from companion.coach.advise import answer_question
from companion.coach.cribbage import play
from companion.coach.questions import parse_play_question
from tests.support.exact_play import ExactPlay
from tests.support.play_positions import ask_play, draw_position

LAST = ask_play("3H 6H 4C 4S", "QD", other="QD", discarded="KD JS", starter="9C", scores=(118, 115))


def test_the_last_three_points_are_planned():
    """The 3 leaves the pair of 4s for later."""
    best = answer_question(LAST)["choices"][0]
    assert best["play"] == "3H"
    assert best["win"] > 0.9


def measure_regret(chance, scores, most=4):
    while True:
        question, laid = draw_position(chance, scores)
        turn = parse_play_question(question)
        if len(turn.held) <= most:
            break
    exact = ExactPlay(turn, laid).evaluate_cards()
    return max(exact.values()) - exact[play.rank_plays(turn)[0].card]


@pytest.mark.parametrize("seed", range(4))
def test_few_cards_near_the_end_are_played_best(seed):
    chance = Random(seed)
    assert max(measure_regret(chance, (108, 120), most=3) for _ in range(4)) <= 0.0005 + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_the_values_of_three_cards_are_exact(seed):
    """Every card of a drawn position has the exact chance, but for differences that count as equal."""
    chance = Random(seed + 100)
    while True:
        question, laid = draw_position(chance, (108, 120))
        turn = parse_play_question(question)
        if len(turn.held) == 3:
            break
    exact = ExactPlay(turn, laid).evaluate_cards()
    for choice in play.rank_plays(turn):
        assert choice.win == pytest.approx(exact[choice.card], abs=0.0005 + 1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("scores", "worst"), [((112, 120), 0.01), ((108, 120), 0.01), ((101, 106), 0.02)])
def test_decisions_near_the_end_lose_nearly_nothing(scores, worst):
    """Three times 200 decisions with any number of cards: 0.02 % of a game on average, never much more than 1 %."""
    chance = Random(scores[0])
    regrets = [measure_regret(chance, scores) for _ in range(200)]
    assert sum(regrets) / len(regrets) <= 0.0002
    assert max(regrets) <= worst
