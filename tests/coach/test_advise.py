"""`companion advise` and the daily deal: each number is computed in another way, and pinned dates never change."""

from collections import Counter
from datetime import date, timedelta
from random import Random

import pytest

from companion.coach import advise
from companion.coach.advise import answer_question, deal_daily_cards, describe_daily_deal
from companion.common.errors import BadCard, BadMove, SettingsError
from companion.rules import scoring
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.scoring import itemize_hand, points, sum_points
from tests.support.play_positions import ask_discard, ask_play

HAND = ["5S", "4D", "JD", "4C", "5C", "5H"]
DISCARD = ask_discard(" ".join(HAND))
PLAY = ask_play("AH 2D", "8C 7D", own="7D 7H", other="8C", discarded="KD QS", starter="9C", scores=(50, 50))
FIVE = ask_discard("5S 4D JD 4C 5C", dealer=False, scores=(3, 0)) | {"game": "five-card", "target": 61}


def dealt(seed: int, **more: object) -> dict[str, object]:
    chance = Random(seed)
    six = [str(c) for c in chance.sample(PACK, 6)]
    scores = [chance.randrange(121), chance.randrange(121)]
    return DISCARD | {"hand": six, "dealer": chance.random() < 0.5, "scores": scores} | more


@pytest.mark.parametrize("seed", range(12))
def test_all_fifteen_discards_come_best_first(seed):
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
def test_the_hand_is_its_mean_over_starters(seed):
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


def test_every_card_that_fits_is_listed():
    asked = ask_play("AH 2D", "8C 7D JS", own="7D 7H", other="8C JS", discarded="KD QS", starter="9C", scores=(50, 50))
    choices = answer_question(asked)["choices"]
    assert {choice["play"] for choice in choices} == {"AH", "2D"}
    assert choices[0]["win"] >= choices[1]["win"]


def test_where_nothing_fits_the_answer_is_go():
    asked = ask_play("7H 7C", "TS TD 8C", own="TD TH", other="TS 8C", starter="9D", scores=(50, 50))
    assert [choice["play"] for choice in answer_question(asked)["choices"]] == [None]


def test_who_can_go_out_with_a_pair_does():
    asked = ask_play("7D AH", "7H", own="KS KC", other="7H", starter="2C", scores=(119, 120))
    best = answer_question(asked)["choices"][0]
    assert (best["play"], best["win"]) == ("7D", 1.0)


WRONG_DISCARDS = [
    {"ask": "why"}, {"game": "bases"}, {"hand": HAND[:5]}, {"hand": [*HAND[:5], "4C"]}, {"hand": "5S"},
    {"hand": [5, *HAND[:5]]}, {"dealer": 1}, {"scores": [0]}, {"scores": [0, 121]}, {"scores": [True, 0]},
    {"target": 100}, {"target": 61.0},
]  # fmt: skip
WRONG_PLAYS = [
    {"hand": ["AH", "3D"]}, {"hand": []}, {"kept": ["AH", "2D", "7D"]}, {"discarded": ["KD"]}, {"starter": "2D"},
    {"starter": None}, {"series": ["8C", "7D", "6D"]}, {"count": 14}, {"count": True}, {"played": [["7D", "7H"]]},
    {"gone": [0, 1]}, {"dealer": None},
]  # fmt: skip


@pytest.mark.parametrize("question", [*(DISCARD | wrong for wrong in WRONG_DISCARDS), *(PLAY | w for w in WRONG_PLAYS)])
def test_a_senseless_question_is_refused_with_a_sentence(question):
    with pytest.raises(BadMove) as refusal:
        answer_question(question)
    assert str(refusal.value).endswith(".")


def test_an_unknown_card_or_level_is_refused():
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


def test_five_cards_have_ten_discards():
    choices = answer_question(FIVE)["choices"]
    assert len({frozenset(choice["discard"]) for choice in choices}) == 10
    held = parse_cards(" ".join(FIVE["hand"]))
    for choice in choices:
        kept = [c for c in held if str(c) not in choice["discard"]]
        starters = [starter for starter in PACK if starter not in held]
        mean = sum(sum_points(itemize_hand(kept, starter, is_five_card=True)) for starter in starters) / 47
        assert choice["hand"] == pytest.approx(mean, abs=1e-8)
        assert choice["points"] == pytest.approx(choice["hand"] - choice["crib"] + choice["pegging"], abs=1e-8)


def test_in_five_card_thirty_one_ends_the_play():
    asked = ask_play("6H 5D", "8C TD 7C", own="TD", other="8C 7C", discarded="KD QS", starter="9C", scores=(30, 30))
    asked |= {"game": "five-card", "target": 61}
    found = {choice["play"]: choice["points"] for choice in answer_question(asked)["choices"]}
    assert found["6H"] == 2  # and nobody plays on


@pytest.mark.parametrize("level", ["novice", "club"])
def test_every_level_plays_five_card(level):
    assert len(answer_question(FIVE, level)["choices"]) == 10


JUNK = [None, True, -1, 3, 1.5, "", "5H", "zz", [], {}, ["5H"], [None], [[], []], ["5H", "5H"], 10**30, [120, 120]]


def test_any_question_is_answered_or_refused():
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


PINNED = {
    "2026-01-01": ("2H 4D 4S JC QC QH", "6H", False),
    "2026-11-23": ("3D 3H 5D 9D TS JS", "9H", False),
    "2028-02-29": ("AD 2C 5D 8D JD JH", "AC", False),
    "2099-12-31": ("4D 6H 7H 9H TH QD", "TD", False),
}  # fmt: skip


@pytest.mark.parametrize("day", PINNED)
def test_the_deal_of_a_date_never_changes(day):
    hand, starter, is_dealer = deal_daily_cards(day)
    assert (" ".join(map(str, hand)), str(starter), is_dealer) == PINNED[day]


def test_ten_years_deal_every_card_as_often():
    days = [(date(2026, 1, 1) + timedelta(n)).isoformat() for n in range(3650)]
    deals = [deal_daily_cards(day) for day in days]
    assert all(len({*hand, starter}) == 7 for hand, starter, _ in deals)
    counts = Counter(card for hand, starter, _ in deals for card in (*hand, starter))
    assert len(counts) == 52
    assert all(400 < n < 580 for n in counts.values())  # 491 expected, standard deviation 21
    assert 1700 < sum(is_dealer for *_, is_dealer in deals) < 1950


def test_the_answer_counts_each_discard():
    told = describe_daily_deal("2026-11-23")
    hand, starter = map(parse_card, told["asked"]["hand"]), parse_card(told["starter"])
    held = set(hand)
    assert [{name: value for name, value in each.items() if name != "count"} for each in told["ranked"]] == (
        advise.answer_question(told["asked"])["choices"]
    )
    for each in told["ranked"]:
        kept = held - set(map(parse_card, each["discard"]))
        assert each["count"]["points"] == scoring.points(sorted(kept), starter)
    assert len(told["ranked"]) == 15
