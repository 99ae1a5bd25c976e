"""The net of places against the rules: what each card earns in each series."""

from random import Random

from companion.coach.series import START, reached
from companion.rules.cards import PACK
from companion.rules.scoring import play_items, total


def test_every_card_earns_what_the_rules_say():
    chance = Random(15)
    for _ in range(3000):
        series, count, at = [], 0, START
        for card in chance.sample(PACK, 10):
            step = at.after[card.rank]
            assert (step is None) == (count + card.value > 31)
            if step is None:
                break
            series.append(card)
            count += card.value
            earned, at = step
            assert earned == total(play_items(series, count))
            assert at is (START if count == 31 else reached(tuple(c.rank for c in series)))
            if count == 31:
                break
