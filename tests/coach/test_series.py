"""The net of places against the rules: what each card earns in each series."""

from random import Random

from companion.coach import series
from companion.coach.series import START, reached
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
    series.forget()
    monkeypatch.setattr(series, "_MOST", 50)
    test_every_card_earns_what_the_rules_say()
    assert len(series._PLACES) <= 50
