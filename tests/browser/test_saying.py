"""The page counts in the same words as the rules do."""

import random

import pytest

from companion.rules import scoring
from companion.rules.cards import PACK
from companion.rules.engine import Award
from companion.rules.saying import count, told

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


GIVEN = [
    ("claim", 8), ("muggins", 2), ("overclaim", 2), ("false claim", -11), ("false claim", 4), ("three for last", 3),
    ("adjust", -40), ("adjust", 5), ("pegged", 6), ("his heels", 2), ("last card", 1), ("zigzag", 5), ("line", 3),
]  # fmt: skip


def test_what_is_just_given_is_said_in_the_same_words(stage, phone):
    page = phone.open(stage.url)
    awards = [{"seat": 0, "points": points, "reason": reason, "cards": []} for reason, points in GIVEN]
    said = page.evaluate(
        "async awards => { const {told} = await import('/web/saying.js'); return awards.map(a => told([a])[0].say); }",
        awards,
    )
    assert [f"Red: {each}." for each in said] == [told((Award(0, n, why),), ("Red",))[0] for why, n in GIVEN]
