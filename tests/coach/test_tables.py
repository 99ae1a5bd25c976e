"""Precomputed tables against published values and against what must hold."""

import csv
import math
from pathlib import Path

import pytest

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import RANK_PAIRS
from companion.common.constants import CARDS_DEALT
from companion.rules.cards import RANKS

HESSEL = Path(__file__).parents[1] / "data/hessel_cribs.csv"


@pytest.mark.parametrize(("who", "column"), [(tables.DEALER, "own"), (tables.PONE, "other")])
def test_cribs_agree_with_those_that_hessel_published(who, column):
    published = list(csv.DictReader(line for line in HESSEL.read_text("utf-8").splitlines() if line[0] != "#"))
    assert [row["pair"] for row in published] == [RANKS[a] + RANKS[b] for a, b in RANK_PAIRS]

    apart = [
        ours - float(row[column])
        for ours, row in zip(tables.load_tables("six-card").mean_cribs[who], published, strict=True)
    ]

    assert math.sqrt(sum(each**2 for each in apart) / len(apart)) <= 0.15


@pytest.mark.parametrize("game", CARDS_DEALT)
def test_the_probabilities_of_the_tables_add_up_to_1(game):
    known = tables.load_tables(game)
    for who in (tables.DEALER, tables.PONE):
        assert sum(known.discard_shares[who]) == pytest.approx(1, abs=1e-12)
        assert sum(known.hand_point_shares[who]) == pytest.approx(1, abs=1e-12)
        assert len(known.mean_cribs[who]) == len(RANK_PAIRS)
        assert len(known.keep_rates[who]) == len(known.net_pegging[who]) == len(known.hands)
    assert sum(known.crib_point_shares) == pytest.approx(1, abs=1e-12)
    assert sum(known.pegging_shares.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("game", CARDS_DEALT)
def test_the_chance_to_win_rises_with_the_own_score_and_falls_with_the_opponents(game):
    wins = tables.load_tables(game).win_chances(121)
    apart = 0.004  # these are chances counted from deals, so they waver a little
    for own in range(120):
        for other in range(120):
            assert wins[own + 1][other] >= wins[own][other] - apart
            assert wins[own][other + 1] <= wins[own][other] + apart


def test_dealing_first_is_worth_what_players_say():
    assert 0.555 <= tables.load_tables("six-card").win_chances(121)[0][0] <= 0.57


def test_a_short_game_is_the_end_of_a_long_one():
    known = tables.load_tables("six-card")
    assert known.win_chances(61)[0][0] == known.win_chances(121)[60][60]
