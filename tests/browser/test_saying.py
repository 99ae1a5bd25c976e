"""The page counts in the same words as the rules do."""

import random

import pytest

from companion.rules import scoring
from companion.rules.cards import PACK
from companion.rules.saying import count

pytestmark = pytest.mark.browser


def test_counts_are_said_in_the_words_of_the_rules(stage, phone):
    pack = random.Random(7)
    dealt = [pack.sample(PACK, 5) for _ in range(300)]
    counted = [scoring.items(tuple(cards[:4]), cards[4]) for cards in dealt]
    rows = [
        [{"reason": i.reason, "points": i.points, "cards": [str(c) for c in i.cards]} for i in row] for row in counted
    ]
    page = phone.open(stage.url)
    said = page.evaluate(
        "async rows => { const {count} = await import('/web/saying.js'); return rows.map(count); }", rows
    )
    assert said == [count(row) for row in counted]
