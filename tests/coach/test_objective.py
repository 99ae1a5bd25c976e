"""What a player plays for: games, points or game points of a match."""

from random import Random

import pytest

from companion.coach.advise import answer_question
from companion.coach.cribbage import tables
from companion.coach.cribbage.objective import GAME_POINTS, expected_game_points, load_values, question_fields
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
def test_an_unknown_objective_is_refused_with_the_known_ones(wrong):
    with pytest.raises(BadMove, match=r"must be (win, points or match|1,2,4 or 2,3,3)\."):
        answer_question(DISCARD | wrong)


def test_a_lost_game_is_played_to_save_the_skunk():
    """Pone at 88 counts before a dealer who needs 3: a sure 3 points in hand avoid the skunk."""
    question = DISCARD | {"hand": ["2C", "2D", "2H", "9S", "TD", "KC"], "dealer": False, "scores": [88, 118]}
    save = answer_question(question | {"for": "match"})["choices"]
    assert set(save[0]["discard"]) <= {"9S", "TD", "KC"}
    assert save[0]["game_points"] > -2
    assert save[-1]["game_points"] < save[0]["game_points"] - 0.1


@pytest.mark.parametrize("name", GAME_POINTS)
@pytest.mark.parametrize("target", [121, 61])
def test_the_value_of_an_end_is_that_of_the_rules(name, target):
    points = GAME_POINTS[name]
    terms = MatchTerms(target=target, game_points=points)
    won = load_values("six-card", target, points).won
    for loser, value in enumerate(won):
        outcome = describe_outcome(terms, (target, loser), 0)
        assert expected_game_points(value, points) == pytest.approx(outcome["game_points"])


@pytest.mark.parametrize("game", CARDS_DEALT)
def test_skunk_chances_are_probabilities_and_zero_where_no_skunk_is_possible(game):
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


def test_a_table_plays_for_game_points_if_they_are_those_of_a_tournament():
    assert question_fields((1, 2, 4)) == {}
    assert question_fields((2, 3, 3)) == {"for": "match", "game_points": "2,3,3"}
