"""What was worked out beforehand, against what others published and against what must hold."""

import csv
import math
from pathlib import Path

import pytest

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import PAIRS
from companion.rules.cards import RANKS

HESSEL = Path(__file__).parents[1] / "data/hessel_cribs.csv"


@pytest.mark.parametrize(("who", "column"), [(tables.DEALER, "own"), (tables.PONE, "other")])
def test_cribs_agree_with_those_that_hessel_published(who, column):
    published = list(csv.DictReader(line for line in HESSEL.read_text("utf-8").splitlines() if line[0] != "#"))
    assert [row["pair"] for row in published] == [RANKS[a] + RANKS[b] for a, b in PAIRS]

    apart = [ours - float(row[column]) for ours, row in zip(tables.of("six-card").cribs[who], published, strict=True)]

    assert math.sqrt(sum(each**2 for each in apart) / len(apart)) <= 0.15


@pytest.mark.parametrize("game", tables.GAMES)
def test_shares_are_shares(game):
    known = tables.of(game)
    for who in (tables.DEALER, tables.PONE):
        assert sum(known.throws[who]) == pytest.approx(1, abs=1e-3)
        assert sum(known.shown[who]) == pytest.approx(1, abs=1e-3)
        assert len(known.cribs[who]) == len(PAIRS)
        assert len(known.keeps[who]) == len(known.pegging[who]) == len(known.kept)
    assert sum(known.any_crib) == pytest.approx(1, abs=1e-3)
    assert sum(known.pegged.values()) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("game", tables.GAMES)
def test_the_chance_to_win_rises_with_ones_score_and_falls_with_the_others(game):
    wins = tables.of(game).wins(121)
    apart = 0.004  # these are chances counted from deals, so they waver a little
    for own in range(120):
        for other in range(120):
            assert wins[own + 1][other] >= wins[own][other] - apart
            assert wins[own][other + 1] <= wins[own][other] + apart


def test_dealing_first_is_worth_what_players_say():
    assert 0.555 <= tables.of("six-card").wins(121)[0][0] <= 0.57


def test_a_short_game_is_the_end_of_a_long_one():
    known = tables.of("six-card")
    assert known.wins(61)[0][0] == known.wins(121)[60][60]
