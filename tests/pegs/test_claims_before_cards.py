"""A claim whose player's other peg is not seen: the next card may end the time in which the points can be claimed."""

import pytest


@pytest.fixture
def counting_table(table):
    """Return a table of six-card in which Blue may claim, and whose front peg's sensor in Blue 22 has died."""
    t = table(pegs_are_score=False, players_count=True, stands={0: (10, 20), 1: (20, 22)})
    t.play("wait 3000, let_claim 1, lift blue-22")
    return t


def test_a_claim_is_read_at_the_next_card_though_the_other_peg_is_not_seen(counting_table):
    t = counting_table
    t.play("lift blue-20 @1200, place blue-23 @600, scan_card @300")
    assert t.short_events == [("pegged", 1, 1)]
    assert t.wait(300) == []
    t.wait(10_000)  # the missing peg is still asked about
    assert t.short_events == [("pegged", 1, 1), ("unclear", 1)]
    t.play("take_board, let_claim 1, lift blue-23 @2000, place blue-27 @600, wait 1500")
    assert t.short_events[2:] == ["resolved", ("pegged", 1, 4)]


def test_without_a_card_the_claim_waits_for_the_answer(counting_table):
    t = counting_table
    t.play("lift blue-20 @1200, place blue-23 @600, wait 9000")
    assert t.short_events == []
    t.wait(2000)
    assert t.short_events == [("unclear", 1)]


def test_a_peg_that_has_only_just_been_put_down_when_a_card_is_scanned_is_no_claim(counting_table):
    t = counting_table
    t.play("lift blue-20 @1200, place blue-23 @600, scan_card @150, wait 2000")
    assert t.short_events == []


@pytest.mark.parametrize(("hole", "then"), [("blue-20", "blue-27"), ("blue-22", "blue-27")])
def test_the_other_peg_may_come_back_to_either_hole_after_the_card(counting_table, hole, then):
    """Both pegs were in the hand: the claim is made by the back peg, or by the front peg."""
    t = counting_table
    t.play("lift blue-20 @500, place blue-23 @600, scan_card @300")
    t.place(hole, after=700)
    t.wait(1500)
    assert t.short_events == [("pegged", 1, 1)]
    t.let_claim(1)
    t.lift(hole, after=500)
    t.place(then, after=600)
    t.wait(1500)
    assert t.short_events == [("pegged", 1, 1), ("pegged", 1, 4)]
