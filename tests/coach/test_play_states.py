"""The graph of play states against the rules: points of each card in each series."""

import gc
import tracemalloc
from random import Random

from companion.arena.game import DuplicateGame
from companion.coach.advise import answer_question
from companion.coach.cribbage import best_response, play_states, rollout
from companion.coach.cribbage.play_states import START, state_after
from companion.coach.cribbage.rollout import choose_card
from companion.rules.cards import PACK, parse_card
from companion.rules.scoring import itemize_play, sum_points


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


def test_what_is_remembered_does_not_grow_without_end(monkeypatch):
    play_states.clear_states()
    monkeypatch.setattr(play_states, "_MAX_STATES", 50)
    test_every_card_earns_what_the_rules_say()
    assert len(play_states._STATES) <= 50


def test_a_small_cache_gives_the_same_answers(monkeypatch):
    """The choices depend on nothing but their state and hand, so the coach plays as well with any size."""
    chance = Random(22)
    dealt = [chance.sample([str(card) for card in PACK], 9) for _ in range(6)]
    questions = [
        {
            "ask": "play", "game": "six-card", "hand": hand, "kept": hand, "discarded": two, "starter": starter,
            "dealer": True, "series": [led], "count": parse_card(led).value,
            "played": [[], [led]], "gone": [False, False], "scores": [80, 90], "target": 121,
        }
        for *hand, led, starter, one, other, _ in dealt for two in [[one, other]]
    ]  # fmt: skip
    play_states.clear_states()
    expected = [answer_question(each) for each in questions]
    monkeypatch.setattr(play_states, "_MAX_CHOICES", 300)
    play_states.clear_states()
    for question, answer in zip(questions, expected, strict=True):
        assert answer_question(question) == answer
        assert play_states._choice_count <= 300
        assert sum(len(each) for state in play_states._STATES.values() for each in state.choices) <= 300


def test_a_choice_that_is_stored_again_takes_no_more_room():
    """Otherwise a full cache would be searched in vain for something to drop."""
    play_states.clear_states()
    for _ in range(3):
        choose_card(START, (4, 5), 4)
    assert play_states._choice_count == 1


def test_what_is_forgotten_is_gone_without_a_search_for_cycles():
    """`companion advise` runs without garbage collection, so nothing may keep a reference to cleared states."""
    hand = ["4H", "5D", "JD", "6H"]
    asked = {
        "ask": "play", "game": "six-card", "hand": hand, "kept": hand, "discarded": None, "starter": "9C",
        "dealer": True, "series": ["8C"], "count": 8,
        "played": [[], ["8C"]], "gone": [False, False], "scores": [0, 0], "target": 121,
    }  # fmt: skip
    gc.collect()
    gc.disable()
    try:
        answer_question(asked)
        assert len(play_states._STATES) > 100
        play_states.clear_states()
        left = [each for each in gc.get_objects() if isinstance(each, play_states.PlayState)]
    finally:
        gc.enable()
    assert left == [START]


def test_the_cache_holds_at_most_24_mib():
    play_states.clear_states()
    files = [module.__file__ for module in (play_states, rollout, best_response)]
    wanted = [tracemalloc.Filter(inclusive=True, filename_pattern=file) for file in files]
    sizes, stored = [], []
    tracemalloc.start()
    try:
        for seed in range(2):
            DuplicateGame((answer_question, answer_question), seed).play()
            traces = tracemalloc.take_snapshot().filter_traces(wanted).traces
            sizes.append(sum(trace.size for trace in traces))
            stored.append(play_states._choice_count)
    finally:
        tracemalloc.stop()
    assert max(stored) > play_states._MAX_CHOICES * 2 // 3
    assert max(sizes) <= 24 * 2**20
