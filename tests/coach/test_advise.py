"""Questions and answers of `companion advise`: each number is computed again in another way."""

from random import Random

import pytest

from companion.coach.advise import answer_question
from companion.common.errors import BadCard, BadMove, SettingsError
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.scoring import itemize_hand, points, sum_points

HAND = ["5S", "4D", "JD", "4C", "5C", "5H"]
DISCARD = {"ask": "discard", "game": "six-card", "hand": HAND, "dealer": True, "scores": [0, 0], "target": 121}
PLAY = {
    "ask": "play", "game": "six-card", "hand": ["AH", "2D"], "kept": ["AH", "2D", "7D", "7H"],
    "discarded": ["KD", "QS"], "starter": "9C", "dealer": True, "series": ["8C", "7D"], "count": 15,
    "played": [["7D", "7H"], ["8C"]], "gone": [False, False], "scores": [50, 50], "target": 121,
}  # fmt: skip


def dealt(seed: int, **more: object) -> dict[str, object]:
    chance = Random(seed)
    six = [str(c) for c in chance.sample(PACK, 6)]
    scores = [chance.randrange(121), chance.randrange(121)]
    return DISCARD | {"hand": six, "dealer": chance.random() < 0.5, "scores": scores} | more


@pytest.mark.parametrize("seed", range(12))
def test_all_fifteen_discards_are_listed_best_first_and_their_parts_add_up(seed):
    asked = dealt(seed)
    choices = answer_question(asked)["choices"]
    sign = 1 if asked["dealer"] else -1

    assert len({frozenset(choice["discard"]) for choice in choices}) == 15
    assert [choice["win"] for choice in choices] == sorted((choice["win"] for choice in choices), reverse=True)
    for choice in choices:
        assert choice["points"] == pytest.approx(choice["hand"] + sign * choice["crib"] + choice["pegging"], abs=1e-8)
        assert choice["crib"] >= 0
        assert 0 <= choice["win"] <= 1


@pytest.mark.parametrize("seed", range(3))
def test_the_hand_is_the_exact_mean_over_all_starters(seed):
    asked = dealt(seed)
    held = parse_cards(" ".join(asked["hand"]))
    for choice in answer_question(asked)["choices"]:
        kept = [c for c in held if str(c) not in choice["discard"]]
        mean = sum(points(kept, starter) for starter in PACK if starter not in held) / 46
        assert choice["hand"] == pytest.approx(mean, abs=1e-8)


@pytest.mark.parametrize("level", ["novice", "club", "expert"])
def test_the_same_question_has_the_same_answer(level):
    asked = dealt(5)
    assert answer_question(asked, level, 7) == answer_question(asked, level, 7)
    assert answer_question(PLAY, level, 7) == answer_question(PLAY, level, 7)


def test_another_seed_makes_other_errors():
    answers = [str(answer_question(dealt(5), "novice", seed)) for seed in range(5)]
    assert len(set(answers)) == 5


def test_a_play_lists_every_card_that_fits_the_best_first():
    asked = PLAY | {
        "series": ["8C", "7D", "JS"],
        "count": 25,
        "played": [["7D", "7H"], ["8C", "JS"]],
        "hand": ["AH", "2D"],
    }
    choices = answer_question(asked)["choices"]
    assert {choice["play"] for choice in choices} == {"AH", "2D"}
    assert choices[0]["win"] >= choices[1]["win"]


def test_where_nothing_fits_the_answer_is_go():
    asked = PLAY | {"hand": ["7H", "7C"], "kept": ["7H", "7C", "TD", "TH"], "starter": "9D", "discarded": None}
    asked |= {"series": ["TS", "TD", "8C"], "count": 28, "played": [["TD", "TH"], ["TS", "8C"]]}
    assert [choice["play"] for choice in answer_question(asked)["choices"]] == [None]


def test_who_can_go_out_with_a_pair_does():
    asked = PLAY | {"hand": ["7D", "AH"], "kept": ["7D", "AH", "KS", "KC"], "scores": [119, 120], "discarded": None}
    asked |= {"series": ["7H"], "count": 7, "played": [["KS", "KC"], ["7H"]], "starter": "2C"}
    best = answer_question(asked)["choices"][0]
    assert (best["play"], best["win"]) == ("7D", 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ask": "why"},
        {"game": "bases"},
        {"hand": HAND[:5]},
        {"hand": [*HAND[:5], "4C"]},
        {"hand": "5S"},
        {"hand": [5, *HAND[:5]]},
        {"dealer": 1},
        {"scores": [0]},
        {"scores": [0, 121]},
        {"scores": [True, 0]},
        {"target": 100},
        {"target": 61.0},
    ],
)
def test_a_hand_that_makes_no_sense_is_refused_with_a_sentence(wrong):
    with pytest.raises(BadMove) as refusal:
        answer_question(DISCARD | wrong)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    "wrong",
    [
        {"hand": ["AH", "3D"]},
        {"hand": []},
        {"kept": ["AH", "2D", "7D"]},
        {"discarded": ["KD"]},
        {"starter": "2D"},
        {"starter": None},
        {"series": ["8C", "7D", "6D"]},
        {"count": 14},
        {"count": True},
        {"played": [["7D", "7H"]]},
        {"gone": [0, 1]},
        {"dealer": None},
    ],
)
def test_a_play_that_makes_no_sense_is_refused_with_a_sentence(wrong):
    with pytest.raises(BadMove) as refusal:
        answer_question(PLAY | wrong)
    assert str(refusal.value).endswith(".")


def test_a_card_that_is_none_and_a_level_that_is_none():
    with pytest.raises(BadCard):
        answer_question(DISCARD | {"hand": ["1S", *HAND[:5]]})
    with pytest.raises(SettingsError, match="novice, club, expert"):
        answer_question(DISCARD, "master")


def test_the_scores_change_the_choice():
    """Pone needs two and counts first: a sure pair is kept, whatever the fatter hand is worth."""
    asked = DISCARD | {"hand": ["2C", "2D", "6H", "7S", "KD", "9C"], "dealer": False, "scores": [119, 119]}
    best = answer_question(asked)["choices"][0]
    kept = [parse_card(text) for text in asked["hand"] if text not in best["discard"]]
    assert min(points(kept, starter) for starter in PACK if str(starter) not in asked["hand"]) >= 2


FIVE = {
    "ask": "discard",
    "game": "five-card",
    "hand": ["5S", "4D", "JD", "5C", "5H"],
    "dealer": False,
    "scores": [3, 0],
}


def test_five_cards_have_ten_discards_and_hands_of_three():
    choices = answer_question(FIVE)["choices"]
    assert len({frozenset(choice["discard"]) for choice in choices}) == 10
    held = parse_cards(" ".join(FIVE["hand"]))
    for choice in choices:
        kept = [c for c in held if str(c) not in choice["discard"]]
        starters = [starter for starter in PACK if starter not in held]
        mean = sum(sum_points(itemize_hand(kept, starter, is_five_card=True)) for starter in starters) / 47
        assert choice["hand"] == pytest.approx(mean, abs=1e-8)
        assert choice["points"] == pytest.approx(choice["hand"] - choice["crib"] + choice["pegging"], abs=1e-8)


def test_in_five_card_the_first_thirty_one_ends_the_play():
    asked = {
        "ask": "play", "game": "five-card", "hand": ["6H", "5D"], "kept": ["TD", "6H", "5D"], "discarded": ["KD", "QS"],
        "starter": "9C", "dealer": True, "series": ["8C", "TD", "7C"], "count": 25, "played": [["TD"], ["8C", "7C"]],
        "gone": [False, False], "scores": [30, 30], "target": 61,
    }  # fmt: skip
    found = {choice["play"]: choice["points"] for choice in answer_question(asked)["choices"]}
    assert found["6H"] == 2  # and nobody plays on


@pytest.mark.parametrize("level", ["novice", "club"])
def test_every_level_plays_five_card(level):
    assert len(answer_question(FIVE, level)["choices"]) == 10


JUNK = [None, True, -1, 3, 1.5, "", "5H", "zz", [], {}, ["5H"], [None], [[], []], ["5H", "5H"], 10**30, [120, 120]]


def test_whatever_is_asked_is_answered_or_refused_with_a_sentence():
    chance, refused = Random(14), []
    for _ in range(400):
        asked = dict(chance.choice([DISCARD, PLAY, FIVE]))
        field = chance.choice(list(asked))
        if chance.random() < 0.2:
            del asked[field]
        elif isinstance(asked[field], list) and asked[field] and chance.random() < 0.6:
            asked[field] = list(asked[field])
            asked[field][chance.randrange(len(asked[field]))] = chance.choice([*map(str, PACK), *JUNK])
        else:
            asked[field] = chance.choice(JUNK)
        try:
            assert answer_question(asked, chance.choice(["novice", "club", "expert"]))["choices"]
        except (BadMove, BadCard) as refusal:
            refused.append(str(refusal))
    assert len(refused) > 100
    assert all(len(said) <= 400 and said.endswith(".") for said in refused)
