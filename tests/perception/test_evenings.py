"""Whole evenings, a few of each kind; `python -m tests.perception.evenings` plays many."""

from argparse import Namespace

import pytest

from tests.perception.evenings import PACES, play_evening


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize(("game", "manual"), [("pegs-only", False), ("six-card", False), ("six-card", True)])
def test_an_evening_is_read_without_a_fault(game, manual, pace):
    args = Namespace(game=game, seats=2, manual=manual, pace=pace, dead=0, clumsy=0.0, seed=20261123)
    evening = play_evening(args, 1)
    assert evening.acts > 15
    assert evening.counts["right"] > 5
    assert {
        kind: evening.counts[kind] for kind in ("wrong", "missed", "asked", "stuck", "false green")
    } == dict.fromkeys(("wrong", "missed", "asked", "stuck", "false green"), 0), evening.notes
