"""Every combination of at most two faults at every step of a recorded deal: no false claim, no lost move, all told.

Each pair is played from the first card to the last, in simulated milliseconds. `make test` plays all single faults and
every 80th pair; `make test-all` plays all pairs.
"""

import logging
from itertools import combinations

import pytest

from tests.support.faulty_table import FAULTS, FaultyDeal, Step, list_faults, play_deal, record_deal

SLICE = 80


@pytest.fixture(autouse=True)
def silent_log():
    """Do not collect the thousands of warnings about the full disk."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def every_pair():
    return combinations(list_faults(), 2)


def test_the_recorded_deal_has_all_kinds_of_steps_and_faults():
    assert play_deal() == []
    assert {step.kind for step in record_deal()} == {"scan", "lift", "place"}
    assert {fault for _, fault in list_faults()} == set(FAULTS)
    assert len(list(list_faults())) == 5 * len(record_deal()) + sum(step.kind == "scan" for step in record_deal())


def test_one_fault_at_any_step():
    assert {fault: found for fault in list_faults() if (found := play_deal(fault))} == {}


def test_two_dead_sensors_of_one_player_between_a_question_and_its_answer():
    assert play_deal((4, "stuck"), (14, "stuck")) == []


@pytest.mark.parametrize("dead", [(4, 5), (8, 13), (8, 18), (14, 17), (18, 23)])
def test_a_claim_by_phone_is_what_the_peg_in_the_hand_goes_to(dead):
    """The sensor of its hole is dead, and later so is that of the peg that is left: no second claim is read."""
    assert play_deal(*((step, "stuck") for step in dead)) == []


def test_some_pairs_of_faults():
    pairs = [pair for n, pair in enumerate(every_pair()) if n % SLICE == 7]
    assert {pair: found for pair in pairs if (found := play_deal(*pair))} == {}


@pytest.mark.long
@pytest.mark.parametrize("part", range(SLICE))
def test_every_pair_of_faults(part):
    pairs = [pair for n, pair in enumerate(every_pair()) if n % SLICE == part]
    assert {pair: found for pair in pairs if (found := play_deal(*pair))} == {}


def test_the_check_finds_a_move_that_is_lost_and_one_that_is_false(monkeypatch):
    """A table that forgets at a kill what it has promised, and a peg that nobody has put."""
    kill = FaultyDeal.kill

    def forget(deal):
        del deal.journal.entries[-1:]
        kill(deal)  # the players scan the card again, which must not hide the loss

    monkeypatch.setattr(FaultyDeal, "kill", forget)
    assert "lost" in play_deal((5, "kill"))[-1]
    monkeypatch.undo()
    do_action = FaultyDeal.do_action

    def claim_too_much(deal, step, **how):
        do_action(deal, Step("place", "red-3", 0) if step.what == "red-2" and step.kind == "place" else step, **how)

    monkeypatch.setattr(FaultyDeal, "do_action", claim_too_much)
    assert "false move" in play_deal((0, "kill"))[-1]
