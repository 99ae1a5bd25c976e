"""Whole evenings, a few of each kind; `python -m tests.perception.evenings` plays many."""

from argparse import Namespace

import pytest

from tests.perception.evenings import play_evening
from tests.perception.paces import PACES
from tests.perception.true_pegs import TruePegs


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize(("game", "manual"), [("pegs-only", False), ("six-card", False), ("six-card", True)])
def test_an_evening_is_read_without_a_fault(game, manual, pace):
    args = Namespace(game=game, seats=2, manual=manual, pace=pace, dead=0, clumsy=0.0, mistakes=False, seed=20261123)
    evening = play_evening(args, 1)
    assert evening.acts > 15
    assert_no_fault(evening)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("pace", ["quick", "counting"])
def test_mistakes_of_players_are_read_and_put_right(seats, pace):
    """Wrong claims, muggins and every correction are read or asked about, and the evening goes on."""
    args = Namespace(
        game="six-card", seats=seats, manual=True, pace=pace, dead=0, clumsy=0.0, mistakes=True, seed=20261128
    )
    evening = play_evening(args, 1)
    assert evening.counts["right"] > 5
    faults = ("wrong", "missed", "stuck", "late")
    assert {kind: evening.counts[kind] for kind in faults} == dict.fromkeys(faults, 0), evening.notes


def assert_no_fault(evening):
    assert evening.counts["right"] > 5
    faults = ("wrong", "missed", "asked", "stuck", "false green")
    assert {kind: evening.counts[kind] for kind in faults} == dict.fromkeys(faults, 0), evening.notes


def test_a_match_of_pursuit_is_read_over_all_its_loops_also_where_a_hole_is_taken(monkeypatch):
    args = Namespace(
        game="pursuit", seats=3, manual=False, pace="usual", dead=0, clumsy=0.0, mistakes=False, seed=2026112330
    )
    moves, next_move = [], TruePegs.next_move

    def keep_move(pegs, side, points):
        moves.append((pegs.lanes[side].route.start, next_move(pegs, side, points)))
        return moves[-1][1]

    monkeypatch.setattr(TruePegs, "next_move", keep_move)
    evening = play_evening(args, 9)
    assert evening.counts["loops"] == 1
    assert evening.past.state.winner is not None
    assert any(move is not None and move.put in start for start, move in moves)
    assert_no_fault(evening)
