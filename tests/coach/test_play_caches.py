"""The search of the play: its graph is that of the rules, and the size of its caches changes no answer."""

import tracemalloc
from random import Random

import pytest

from companion.coach.advise import answer_question
from companion.coach.cribbage import best_response, rollout
from companion.coach.cribbage.ranks import HAND_NUMBERS, HANDS, HANDS_WITHOUT, OPTIONS, START, state_after
from companion.plugins.arena.game import DuplicateGame
from companion.rules.cards import PACK
from companion.rules.scoring import itemize_play, sum_points
from tests.support.play_positions import ask_play


def test_every_card_earns_what_the_rules_say():
    chance = Random(15)
    for _ in range(3000):
        laid, count, at = [], 0, START
        for card in chance.sample(PACK, 10):
            step = at.step(card.rank)
            assert (step is None) == (count + card.value > 31)
            if step is None:
                break
            laid.append(card)
            count += card.value
            earned, at = step
            assert earned == sum_points(itemize_play(laid, count))
            assert (at is START) == (count == 31)
            assert count == 31 or at.count == count == state_after(tuple(c.rank for c in laid)).count
            if count == 31:
                break


@pytest.fixture(autouse=True)
def clear_caches():
    rollout.CHOICES.clear()
    best_response.PLAYS.clear()


def draw_questions():
    chance = Random(22)
    dealt = [chance.sample([str(card) for card in PACK], 9) for _ in range(6)]
    return [
        ask_play(" ".join(hand), led, other=led, discarded=f"{one} {other}", starter=starter, scores=(80, 90))
        for *hand, led, starter, one, other, _ in dealt
    ]


def test_hands_without_a_card_are_known():
    for number, hand in enumerate(HANDS):
        assert [rank for rank, _ in OPTIONS[number]] == sorted(set(hand))
        for rank, rest in OPTIONS[number]:
            assert HANDS_WITHOUT[number][rank] == rest
            assert tuple(sorted((*HANDS[rest], rank))) == hand
            assert HAND_NUMBERS[HANDS[rest]] == rest


def test_small_caches_give_the_same_answers(monkeypatch):
    """What is stored depends on nothing but position and hand, so the coach plays as well with any size."""
    questions = draw_questions()
    expected = [answer_question(each) for each in questions]
    monkeypatch.setattr(rollout, "MAX_CHOICE_BYTES", 5_000)
    monkeypatch.setattr(best_response, "MAX_PLAY_BYTES", 5_000)
    rollout.CHOICES.clear()
    best_response.PLAYS.clear()
    for question, answer in zip(questions, expected, strict=True):
        assert answer_question(question) == answer
        assert rollout.CHOICES.size <= 5_000


def test_known_answers_take_no_more_room():
    sizes = []
    for _ in range(2):
        for question in draw_questions():
            answer_question(question)
        sizes.append((rollout.CHOICES.size, best_response.PLAYS.size))
    assert sizes[0] == sizes[1]


def test_rows_in_use_stay_when_others_are_dropped(monkeypatch):
    """Of two rows, the one that is used between two clearances stays."""
    monkeypatch.setattr(best_response, "MAX_PLAY_BYTES", 100)
    plays = best_response.PLAYS
    used, unused = (plays.find_end_row(1, at, 0, 0, 2) for at in (1, 2))
    plays.make_room()
    assert plays.find_end_row(1, 1, 0, 0, 2) is used
    plays.make_room()
    assert plays.find_end_row(1, 1, 0, 0, 2) is used
    assert plays.find_end_row(1, 2, 0, 0, 2) is not unused


def test_the_caches_hold_at_most_13_mib():
    files = [module.__file__ for module in (rollout, best_response)]
    wanted = [tracemalloc.Filter(inclusive=True, filename_pattern=file) for file in files]
    sizes = []
    tracemalloc.start()
    try:
        for seed in range(2):
            DuplicateGame((answer_question, answer_question), seed).play()
            traces = tracemalloc.take_snapshot().filter_traces(wanted).traces
            told = rollout.CHOICES.size + best_response.PLAYS.size
            sizes.append((sum(trace.size for trace in traces), told))
    finally:
        tracemalloc.stop()
    # The rows estimate their own size, and are dropped beyond the limits.
    assert all(measured <= told for measured, told in sizes)
    assert rollout.MAX_CHOICE_BYTES + best_response.MAX_PLAY_BYTES <= 13 * 2**20
