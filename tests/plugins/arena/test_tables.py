"""The stored tables are those that the script makes."""

import json

import pytest

from companion.coach.cribbage.ranks import HANDS_OF_THREE
from tests.plugins.arena import make_tables
from tests.plugins.arena.generators import deals, play_graph, play_worths


@pytest.mark.long
def test_the_script_makes_the_five_card_tables(tmp_path):
    make_tables.make_tables("five-card", HANDS_OF_THREE, 500, tmp_path)
    for name in ("cribs", "keeps", "pegging"):
        made, kept = (
            json.loads((folder / f"five-card-{name}.json").read_text("utf-8"))
            for folder in (tmp_path, make_tables.TABLES)
        )
        assert made.keys() == kept.keys()
        for part in made.keys() - {"made", "about"}:
            for ours, theirs in zip(made[part], kept[part], strict=True):
                assert ours == pytest.approx(theirs, abs=0.011)


def test_the_script_makes_the_play_graph():
    graph = play_graph.build_graph()
    assert graph + play_worths.build_worths(graph) == (make_tables.TABLES / "play-states.bin").read_bytes()


def test_who_is_out_first_has_won():
    """Two kinds of deals: the dealer pegs 3 before pone's 2, or pone has 5 before the dealer's 4."""
    wins = deals.compute_win_chances(deals.count_deals([[(0, 3), (1, 2)], [(1, 5), (0, 4)]]), target=10)
    assert wins[7][8] == 0.5  # the first deal wins for the dealer, the second for pone
    assert wins[7][5] == 0.5
    assert wins[6][9] == 0  # the dealer needs 4, and pone is out before, either way
    assert wins[9][9] == 0.5


def test_the_quick_play_ends_with_last_card():
    events = deals.play_hands(((9, 10, 11, 12), (9, 10, 11, 12)))
    assert sum(scored for _, scored in events) >= 3
    assert events[-1][1] >= 1


def test_hands_of_three_play_one_series():
    assert deals.play_hands(((9, 9, 12), (4, 4, 12)))[-1][1] in (1, 2)


def test_a_loser_far_behind_is_skunked():
    """The same two deals: in the first the dealer wins against 0, in the second against 5."""
    skunks = deals.compute_skunk_chances(deals.count_deals([[(0, 3), (1, 2)], [(1, 5), (0, 4)]]), limit=3, target=10)
    assert skunks[7][0] == 0.5
    assert skunks[2][5] == -0.5  # pone wins the second deal against 2; the first leads to scores without skunks
    assert skunks[7][4] == skunks[4][7] == 0
