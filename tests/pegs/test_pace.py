"""How long a peg must rest after earlier touches (docs/explanation/reading-pegs.md#the-pace-of-hands)."""

import pytest

QUIET_MS = 400


def rest_until_read(table, home, hole):
    """Move a peg straight to a hole. Return how long it rests there until it is read."""
    table.lift(home, after=2000)
    table.place(hole)
    before, put_ms = len(table.events), table.now_ms
    table.wait(3000)
    assert len(table.events) == before + 1
    return table.events[-1][0] - put_ms


@pytest.fixture
def table(table):
    return table(stands={0: (10, 15), 1: (20, 30)})


@pytest.mark.parametrize("rest_ms", [550, 625, 700, 775, 850, 900])
def test_a_front_peg_moved_on_after_its_claim_is_no_slow_touch(table, rest_ms):
    table.play("lift red-10, place red-17")
    table.lift("red-17", after=rest_ms)
    table.play("place red-19, wait 2000")
    assert table.short_events == [("pegged", 0, 2), ("pegged", 0, 2)]
    assert rest_until_read(table, "red-15", "red-24") == QUIET_MS


@pytest.mark.parametrize(
    ("touches", "rest_ms"),
    [((350, 500), QUIET_MS), ((399, 499, 450), QUIET_MS), ((100, 501), 800), ((100, 790), 800), ((390, 700, 700), 800)],
)
def test_a_plain_move_waits_only_for_a_hand_that_has_counted_slowly(table, touches, rest_ms):
    table.lift("red-10")
    for hole, ms in enumerate(touches, 16):
        table.touch(f"red-{hole}", ms=ms)
    table.play("place red-21, wait 2000")
    assert table.short_events == [("pegged", 0, 6)]
    assert rest_until_read(table, "red-15", "red-24") == rest_ms


def test_a_hand_that_begins_slowly_is_waited_for_in_its_next_three_moves(table):
    table.play("lift red-10, touch red-16 600, touch red-17 100, place red-21, wait 2000")
    assert table.short_events == [("pegged", 0, 1), ("pegged", 0, 5)]
    holes = ["red-15", "red-21", "red-24", "red-27", "red-30", "red-33"]
    rests = [rest_until_read(table, home, hole) for home, hole in zip(holes, holes[2:], strict=False)]
    assert rests == [900, 900, 900, QUIET_MS]
