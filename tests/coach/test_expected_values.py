"""Means of hand and crib, against a known value and against full enumeration."""

from itertools import combinations
from random import Random

import pytest

from companion.coach.cribbage.expected_values import compute_discard_values
from companion.common.errors import BadCard
from companion.rules.cards import PACK, parse_cards
from companion.rules.scoring import points


def test_the_known_vector():
    held = parse_cards("5S 4D JD 4C 5C 5H")
    found = next(d for d in compute_discard_values(held) if set(d.discard) == set(parse_cards("4D 4C")))
    assert found.hand == pytest.approx(16.6304347826, abs=5e-11)
    assert found.crib == pytest.approx(5.7592446201, abs=5e-11)


@pytest.mark.parametrize("text", ["JC 2C 3D JD 9S KH", "5H JH 7H 8H AC QH", "TS JS QS KS 9S 8D"])
def test_equal_to_counting_every_starter_and_every_pair(text):
    held = parse_cards(text)
    unseen = [c for c in PACK if c not in held]
    chosen = Random(text).choice(compute_discard_values(held))
    hand = sum(points(chosen.kept, s) for s in unseen) / 46
    crib = sum(
        points((*chosen.discard, a, b), s, True)
        + points((*chosen.discard, a, s), b, True)
        + points((*chosen.discard, b, s), a, True)
        for a, b, s in combinations(unseen, 3)
    ) / (46 * 990)
    assert chosen.hand == pytest.approx(hand, abs=1e-12)
    assert chosen.crib == pytest.approx(crib, abs=1e-12)


def test_six_different_cards_are_wanted():
    with pytest.raises(BadCard, match="six different"):
        compute_discard_values(parse_cards("5S 5S 4D JD 4C 5C"))
