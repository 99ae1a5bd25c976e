"""The daily deal depends on its date alone: pinned dates never change."""

from collections import Counter
from datetime import date, timedelta

import pytest

from companion.coach import advise
from companion.coach.advise import deal_daily_cards, describe_daily_deal
from companion.rules import scoring
from companion.rules.cards import parse_card

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
