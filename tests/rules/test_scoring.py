"""Show and play scoring compared with published vectors, and every hand with the published frequencies."""

import random
from itertools import combinations

import pytest

from companion.common.errors import BadCard
from companion.rules import scoring
from companion.rules.cards import PACK, Card, parse_card, parse_cards
from tests.support.hand_census import count_hands_by_points
from tests.support.published_data import read_rows

SHOW = """
5H5S5CJD|5D 29 29 · 5H5S5C5D|JD 28 28 · 2C4C6C8C|TC 5 5 · 2C4C6C8C|TD 4 0 · 2D4C6C8C|TC 0 0 · 6C7D7S8H|KD 12 12
· 6C7D7S8H|8D 24 24 · AC2D3S4H|5C 7 7 · 4C5D5S6H|6D 24 24 · TDJHQCKS|9H 6 6 · QSKDAC2H|3D 7 7 · JH2C4D6S|8H 1 1
· 3C3D3H9S|3S 24 24
"""  # counted by two independent scorers
FIVE = "5H5SJD|5D 15 · 2C4C8C|TC 4 · 2C4C8C|TD 3 · 2C4C8D|TC 0 · 4C5D6S|6H 12 · QHKH9H|JH 7 · 5C5D5H|5S 20"
PLAY = """
5T 0 2 · 5555 0 2 8 12 · 465 0 0 5 · 789 0 2 3 · 3A2 0 0 3 · A234567 0 0 3 4 7 6 7 · 42353 0 0 3 4 0 · 2324 0 0 0 3
· 77A 0 2 2
"""


def vectors(text: str) -> list[list[str]]:
    return [part.split() for part in text.split("·")]


@pytest.mark.parametrize("vector", vectors(SHOW), ids=" ".join)
def test_the_show_of_a_published_vector(vector: list[str]):
    hand, starter = (parse_cards(part) for part in vector[0].split("|"))
    for crib in (False, True):
        expected = int(vector[1 + crib])
        assert scoring.points(hand, starter[0], crib) == expected
        assert scoring.sum_points(scoring.itemize_hand(hand, starter[0], crib)) == expected


@pytest.mark.parametrize("vector", vectors(FIVE), ids=" ".join)
def test_the_five_card_show_of_a_published_vector(vector: list[str]):
    hand, starter = (parse_cards(part) for part in vector[0].split("|"))
    assert scoring.sum_points(scoring.itemize_hand(hand, starter[0], is_five_card=True)) == int(vector[1])


@pytest.mark.parametrize("vector", vectors(PLAY), ids=" ".join)
def test_the_play_of_a_published_vector(vector: list[str]):
    series = [parse_card(rank + "CDHS"[i % 4]) for i, rank in enumerate(vector[0])]
    told = [play_total(series[: n + 1]) for n in range(len(series))]
    assert told == [int(points) for points in vector[1:]]


def play_total(series: list[Card]) -> int:
    return scoring.sum_points(scoring.itemize_play(series, sum(c.value for c in series)))


def test_items_come_in_the_order_of_counting():
    told = scoring.itemize_hand(parse_cards("4H5H6HJH"), parse_card("5D"))
    assert [(item.reason, item.points, " ".join(map(str, item.cards))) for item in told] == [
        ("fifteen", 2, "4H 5H 6H"), ("fifteen", 2, "5H JH"), ("fifteen", 2, "4H 6H 5D"), ("fifteen", 2, "JH 5D"),
        ("pair", 2, "5H 5D"), ("run", 3, "4H 5D 6H"), ("run", 3, "4H 5H 6H"), ("flush", 4, "4H 5H 6H JH"),
    ]  # fmt: skip


def test_a_jack_of_the_suit_is_nobs():
    assert scoring.itemize_hand(parse_cards("JH2C4D6S"), parse_card("8H"))[-1] == scoring.ScoringItem(
        "his nobs", 1, (parse_card("JH"),)
    )


def test_a_hand_counts_without_a_starter():
    told = scoring.itemize_hand(parse_cards("4H5H6HJH"), None)
    assert [(item.reason, item.points) for item in told] == [("fifteen", 2), ("fifteen", 2), ("run", 3), ("flush", 4)]
    assert [item.reason for item in scoring.itemize_hand(parse_cards("4H5H6HJH"), None, crib=True)][-1] == "run"


@pytest.mark.parametrize("crib", [False, True])
def test_every_hand_agrees_with_the_published_census(crib: bool):
    rows = read_rows("every_hand.csv")
    column = "cribs" if crib else "hands"
    assert count_hands_by_points(crib) == tuple(int(row[column]) for row in rows)
    assert sum(count_hands_by_points(crib)) == 12_994_800


def test_items_and_points_agree_on_random_shows():
    chance = random.Random(61)
    for _ in range(5000):
        *hand, starter = chance.sample(PACK, 5)
        for crib in (False, True):
            assert scoring.sum_points(scoring.itemize_hand(hand, starter, crib)) == scoring.points(hand, starter, crib)


def test_the_play_agrees_with_exhaustive_scoring():
    chance = random.Random(31)
    for _ in range(20_000):
        ranks = chance.sample(range(13), chance.choice((3, 5, 13)))
        series = chance.sample([c for c in PACK if c.rank in ranks], chance.randint(1, 8))
        assert play_total(series) == slow_play_total(series)


def slow_play_total(series: list[Card]) -> int:
    """Return the points of the last card by checking all endings of the series."""
    lasts = [[c.rank for c in series[start:]] for start in range(len(series))]
    points = 2 * (sum(min(c.rank + 1, 10) for c in series) in (15, 31))
    points += 2 * max(len(list(combinations(last, 2))) if len(set(last)) == 1 else 0 for last in lasts)
    return points + max(
        len(last) if len(last) > 2 and sorted(last) == list(range(min(last), min(last) + len(last))) else 0
        for last in lasts
    )


def test_an_impossible_hand_is_refused_in_words():
    with pytest.raises(BadCard, match="has 4 cards here, not 3"):
        scoring.itemize_hand(parse_cards("5H5S5C"), parse_card("5D"))
    with pytest.raises(BadCard, match="The 5 of hearts appears twice"):
        scoring.itemize_hand(parse_cards("5H5S5C5H"), parse_card("5D"))


def test_the_tables_have_the_states_they_should():
    hands, cribs = scoring.build_trees()
    leaves = {id(d): d for a in hands for b in filter(None, a) for c in filter(None, b) for d in filter(None, c)}
    assert len(leaves) == 6198
    assert {len(leaf) for leaf in leaves.values()} == {52}
    assert cribs[0][4][8][13] is hands[0][4][8][13], "only a flush makes a difference"
