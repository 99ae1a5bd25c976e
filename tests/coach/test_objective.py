"""What a player plays for: games, points or game points of a match; and how choices are ranked by that."""

from itertools import pairwise
from random import Random

import pytest

from companion.coach.advise import answer_question
from companion.coach.cribbage import tables
from companion.coach.cribbage.play import PlayChoice
from companion.coach.cribbage.tables import GAME_POINTS, expected_game_points, load_values, question_fields
from companion.coach.cribbage.win_chance import sort_choices
from companion.common.constants import CARDS_DEALT
from companion.common.errors import BadMove
from companion.rules.cards import PACK
from companion.rules.match_terms import MatchTerms, describe_outcome
from tests.support.play_positions import ask_discard, draw_play_question

DISCARD = ask_discard("5S 4D JD 4C 5C 5H")


def draw_questions(seed):
    """Return discards and plays, some of them near the skunk line or the end."""
    chance = Random(seed)
    for scores in ((0, 120), (80, 120), (110, 120)):
        yield draw_play_question(chance, scores)
        hand = " ".join(map(str, chance.sample(PACK, 6)))
        drawn = chance.randint(*scores), chance.randint(*scores)
        yield ask_discard(hand, dealer=chance.random() < 0.5, scores=drawn)


@pytest.mark.parametrize("seed", range(3))
def test_each_objective_ranks_by_its_own_value(seed):
    for question in draw_questions(seed):
        win, points, match = (
            answer_question(question | {"for": name})["choices"] for name in ("win", "points", "match")
        )
        assert answer_question(question)["choices"] == win
        assert [each["points"] for each in points] == sorted((each["points"] for each in points), reverse=True)
        assert [each["game_points"] for each in match] == sorted((each["game_points"] for each in match), reverse=True)
        assert all(0 <= each["win"] <= 1 and -4 <= each.get("game_points", 0) <= 4 for each in (*win, *points, *match))
        assert not any("game_points" in each for each in (*win, *points))
        if question["ask"] == "discard":  # in the play, points depend on how the player plays on
            names = ("discard", "hand", "crib", "pegging", "points")
            rows = [{str([each[name] for name in names]) for each in found} for found in (win, points, match)]
            assert rows[0] == rows[1] == rows[2]


@pytest.mark.parametrize("level", ["novice", "club"])
def test_every_level_plays_for_every_objective(level):
    for question in draw_questions(5):
        for name in ("win", "points", "match"):
            assert all(0 <= each["win"] <= 1 for each in answer_question(question | {"for": name}, level)["choices"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"for": "fun"}, {"for": None}, {"for": ["win"]}, {"for": "match", "game_points": "1,2"},
        {"for": "match", "game_points": [1, 2, 4]},
    ],
)  # fmt: skip
def test_an_unknown_objective_is_refused(wrong):
    with pytest.raises(BadMove, match=r"must be (win, points or match|1,2,4 or 2,3,3)\."):
        answer_question(DISCARD | wrong)


def test_a_lost_game_saves_the_skunk():
    """Pone at 88 counts before a dealer who needs 3: a sure 3 points in hand avoid the skunk."""
    question = DISCARD | {"hand": ["2C", "2D", "2H", "9S", "TD", "KC"], "dealer": False, "scores": [88, 118]}
    save = answer_question(question | {"for": "match"})["choices"]
    assert set(save[0]["discard"]) <= {"9S", "TD", "KC"}
    assert save[0]["game_points"] > -2
    assert save[-1]["game_points"] < save[0]["game_points"] - 0.1


@pytest.mark.parametrize("name", GAME_POINTS)
@pytest.mark.parametrize("target", [121, 61])
def test_an_end_is_worth_what_rules_say(name, target):
    points = GAME_POINTS[name]
    terms = MatchTerms(target=target, game_points=points)
    won = load_values("six-card", target, points).won
    for loser, value in enumerate(won):
        outcome = describe_outcome(terms, (target, loser), 0)
        assert expected_game_points(value, points) == pytest.approx(outcome["game_points"])


@pytest.mark.parametrize("game", CARDS_DEALT)
def test_skunk_chances_are_probabilities(game):
    skunks, doubles = tables.load_skunk_chances(game, 121)
    wins = tables.load_tables(game).win_chances(121)
    for own in range(121):
        for other in range(121):
            chance = wins[own][other]
            assert chance - 1 - 0.02 <= skunks[own][other] <= chance + 0.02
            assert abs(doubles[own][other]) <= 1
            if min(own, other) > 90:
                assert skunks[own][other] == doubles[own][other] == 0
    assert 0 < skunks[0][0] < 0.1


def test_a_tournament_is_played_for_game_points():
    assert question_fields((1, 2, 4)) == {}
    assert question_fields((2, 3, 3)) == {"for": "match", "game_points": "2,3,3"}


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


def test_near_chances_are_decided_by_points():
    near, best, far = PlayChoice(None, 3, 0.4996), PlayChoice(None, 1, 0.5), PlayChoice(None, 9, 0.4)
    assert sort_choices([far, best, near]) == [PlayChoice(None, 3, 0.5), best, far]
    certain, likely = PlayChoice(None, 1, 1.0), PlayChoice(None, 9, 0.9999)
    assert sort_choices([likely, certain]) == [certain, likely]
