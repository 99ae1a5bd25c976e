"""Debouncing, under CPython and under MicroPython: plain asserts, nothing imported but the firmware."""

from firmware.debounce import MAX_SETTLING_SCANS, SCANS_TO_CHANGE, Debouncer


def settle(levels):
    debouncer = Debouncer()
    for _ in range(SCANS_TO_CHANGE):
        debouncer.scan(levels)
    assert debouncer.settled
    return debouncer


def test_nothing_is_settled_before_four_scans_agree():
    debouncer = Debouncer()
    for scan in range(SCANS_TO_CHANGE):
        assert not debouncer.settled, scan
        debouncer.scan(0b101)
    assert debouncer.settled
    assert debouncer.levels == 0b101


def test_bouncing_at_the_start_is_waited_for():
    debouncer = Debouncer()
    for sample in (1, 0, 0, 0, 0, 0, 0, 0):
        debouncer.scan(sample)
        assert not debouncer.settled
    debouncer.scan(0)
    assert debouncer.settled
    assert debouncer.levels == 0


def test_a_hole_that_never_rests_silences_no_board():
    debouncer = Debouncer()
    for scan in range(MAX_SETTLING_SCANS):
        assert not debouncer.settled, scan
        debouncer.scan(0b100 | scan % 2)
    assert debouncer.settled
    assert debouncer.levels & 0b100


def test_a_change_needs_four_agreeing_scans():
    debouncer = settle(0)
    assert [debouncer.scan(1) for _ in range(5)] == [0, 0, 0, 1, 0]
    assert debouncer.levels == 1
    assert [debouncer.scan(0) for _ in range(5)] == [0, 0, 0, 1, 0]
    assert debouncer.levels == 0


def test_one_bounce_starts_the_count_afresh():
    debouncer = settle(0)
    assert [debouncer.scan(sample) for sample in (1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1)] == [0] * 11 + [1]


def test_every_hole_counts_for_itself():
    # Against one hole debounced alone in the plainest way, on contacts that bounce without any pattern.
    holes = 125
    debouncer = settle(0)
    levels = [0] * holes
    differ = [0] * holes
    chance = 12345
    sample = 0
    changes = 0
    for _ in range(1500):
        flips = 0
        for hole in range(holes):
            chance = chance * 1103515245 + 12345 & 0x7FFFFFFF
            flips |= (chance >> 16) % 7 // 6 << hole
        sample ^= flips
        changed = debouncer.scan(sample)
        for hole in range(holes):
            differ[hole] = 0 if sample >> hole & 1 == levels[hole] else differ[hole] + 1
            if differ[hole] == SCANS_TO_CHANGE:
                levels[hole] ^= 1
                differ[hole] = 0
                changes += 1
                assert changed >> hole & 1
            else:
                assert not changed >> hole & 1
            assert debouncer.levels >> hole & 1 == levels[hole]
    assert changes > 1000


def test_it_rests_when_the_last_scan_agreed():
    debouncer = settle(2)
    assert debouncer.is_at_rest()
    debouncer.scan(3)
    assert not debouncer.is_at_rest()
    debouncer.scan(2)
    assert debouncer.is_at_rest()
