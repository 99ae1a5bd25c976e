"""The graph of play states against the rules: points of each card in each series."""

from random import Random

from companion.coach.cribbage.ranks import START, state_after
from companion.rules.cards import PACK
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
