"""The net of places against the rules: what each card earns in each series."""

import gc
from random import Random

from companion.coach.advise import answer
from companion.coach.cribbage import play_states
from companion.coach.cribbage.play_states import START, reached
from companion.rules.cards import PACK
from companion.rules.scoring import play_items, total


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
            assert earned == total(play_items(laid, count))
            assert (at is START) == (count == 31)
            assert count == 31 or at.count == count == reached(tuple(c.rank for c in laid)).count
            if count == 31:
                break


def test_what_is_remembered_does_not_grow_without_end(monkeypatch):
    play_states.forget()
    monkeypatch.setattr(play_states, "_MOST", 50)
    test_every_card_earns_what_the_rules_say()
    assert len(play_states._PLACES) <= 50


def test_what_is_forgotten_is_gone_without_a_search_for_cycles():
    """`companion advise` never looks for cycles, so nothing may hold on to places that are forgotten."""
    hand = ["4H", "5D", "JD", "6H"]
    asked = {
        "ask": "play", "game": "six-card", "hand": hand, "kept": hand, "discarded": None, "starter": "9C",
        "dealer": True, "series": ["8C"], "count": 8,
        "played": [[], ["8C"]], "gone": [False, False], "scores": [0, 0], "target": 121,
    }  # fmt: skip
    gc.collect()
    gc.disable()
    try:
        answer(asked)
        assert len(play_states._PLACES) > 100
        play_states.forget()
        left = [each for each in gc.get_objects() if isinstance(each, play_states.Place)]
    finally:
        gc.enable()
    assert left == [START]
