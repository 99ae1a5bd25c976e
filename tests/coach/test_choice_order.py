"""Chances to win are probabilities, and choices are ranked by them, then by points, in any position."""

from itertools import pairwise
from random import Random

import pytest

from companion.coach.advise import answer_question
from companion.coach.cribbage.play import PlayChoice
from companion.coach.cribbage.win_chance import sort_choices
from companion.common.constants import CARDS_DEALT
from companion.rules.cards import PACK
from tests.support.play_positions import ask_discard, draw_play_question

LOST = ask_discard("9C 9D 7C 8D QS 4H", scores=(40, 112))


def draw_discard_question(chance):
    game = chance.choice(["six-card", "six-card", "five-card"])
    target = chance.choice([121, 61])
    low = chance.choice([0, 0, target - 15])
    return {
        "ask": "discard", "game": game, "hand": [str(c) for c in chance.sample(PACK, CARDS_DEALT[game])],
        "dealer": chance.random() < 0.5, "scores": [chance.randrange(low, target), chance.randrange(low, target)],
        "target": target,
    }  # fmt: skip


def check_order(choices):
    """Check that chances are chances, and that points decide where they differ by less than 0.05 %."""
    assert all(0 <= choice["win"] <= 1 for choice in choices)
    assert choices == sorted(choices, key=lambda choice: (-choice["win"], -choice["points"]))
    assert all(
        one["win"] in (1, other["win"]) or one["win"] - other["win"] > 0.0005 - 1e-8 for one, other in pairwise(choices)
    )


def test_a_hopeless_hand_is_discarded_by_points():
    choices = answer_question(LOST)["choices"]
    assert all(0 <= choice["win"] < 0.001 for choice in choices)
    assert choices[0]["discard"] == ["QS", "4H"]
    assert [choice["points"] for choice in choices] == sorted((choice["points"] for choice in choices), reverse=True)


@pytest.mark.parametrize("seed", range(4))
def test_chances_of_discards_lie_between_0_and_1(seed):
    chance = Random(seed)
    for _ in range(30):
        check_order(answer_question(draw_discard_question(chance))["choices"])


@pytest.mark.parametrize("seed", range(4))
def test_chances_of_plays_lie_between_0_and_1(seed):
    chance = Random(seed)
    for _ in range(30):
        size = chance.choice([4, 4, 3])
        scores = chance.choice([(0, 30), (0, 60), (40, 60)] if size == 3 else [(0, 120), (105, 120)])
        check_order(answer_question(draw_play_question(chance, scores, size))["choices"])


def test_a_small_difference_in_chances_is_decided_by_points_and_a_certain_win_is_not_given_up():
    near, best, far = PlayChoice(None, 3, 0.4996), PlayChoice(None, 1, 0.5), PlayChoice(None, 9, 0.4)
    assert sort_choices([far, best, near]) == [PlayChoice(None, 3, 0.5), best, far]
    certain, likely = PlayChoice(None, 1, 1.0), PlayChoice(None, 9, 0.9999)
    assert sort_choices([likely, certain]) == [certain, likely]
