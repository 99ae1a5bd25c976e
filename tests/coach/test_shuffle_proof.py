"""The proved layout is the best: against full enumeration where possible, and against long searches."""

from itertools import combinations, permutations, product
from random import Random

import pytest

from companion.coach import shuffle
from companion.rules.cards import PACK


def deal(seed):
    *dealt, starter = Random(seed).sample(PACK, 17)
    return tuple(dealt), starter


def four(bits):
    return sum(1 << bit for bit in bits)


def test_a_poor_layout_leads_to_the_best_as_a_good_one_does():
    dealt, starter = deal(3)
    sweeps = iter(range(shuffle.SWEEPS_PER_ROUND))
    good = shuffle.search_layout(dealt, starter, Random(0).random, lambda: next(sweeps, None) is not None)
    proved = shuffle.find_best_layout(good, starter).grid
    assert sorted(proved) == sorted(dealt)
    from_poor = shuffle.find_best_layout(dealt, starter).grid
    assert shuffle.layout_points(from_poor, starter) == shuffle.layout_points(proved, starter)
    assert shuffle.find_best_layout(proved, starter) == (proved, True)


def test_without_time_what_there_is_is_given_and_not_called_proved():
    dealt, starter = deal(3)
    assert shuffle.find_best_layout(dealt, starter, lambda: False) == (dealt, False)
    asked = iter(range(20))
    found = shuffle.find_best_layout(dealt, starter, lambda: next(asked, None) is not None)
    assert not found.is_proved
    assert sorted(found.grid) == sorted(dealt)
    assert shuffle.layout_points(found.grid, starter) >= shuffle.layout_points(dealt, starter)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_columns_for_some_rows_are_those_of_all_13824(seed):
    dealt, starter = deal(seed)
    worth = shuffle.score_fours(dealt, starter)
    rows = [list(range(n, n + 4)) for n in range(0, 16, 4)]
    most = max(
        sum(worth[four(column)] for column in zip(rows[0], *others, strict=True))
        for others in product(*(permutations(row) for row in rows[1:]))
    )
    columns = shuffle._find_columns(worth, tuple(map(four, rows)), most)
    assert sum(worth[column] for column in columns) == most
    assert all((column & four(row)).bit_count() == 1 for column in columns for row in rows)
    assert shuffle._find_columns(worth, tuple(map(four, rows)), most + 1) is None


@pytest.mark.long
def test_no_rows_worth_enough_are_overlooked():
    """All 2,627,625 ways to part sixteen cards into fours, one by one."""
    worth = shuffle.score_fours(*deal(5))
    values = [worth[a] + worth[b] + worth[c] + worth[d] for a, b, c, d in partitions(range(16))]
    assert len(values) == 2_627_625
    halves = {half: max(worth[f] + worth[half ^ f] for f in fours) for half, fours in shuffle._list_halves()}
    least = max(values) - 8
    listed = list(shuffle._rows_worth_at_least(worth, halves, least))
    assert len({frozenset(rows) for rows in listed}) == len(listed) == sum(value >= least for value in values)


def partitions(cards):
    if not cards:
        yield ()
        return
    first, *others = cards
    for three in combinations(others, 3):
        rest = [n for n in others if n not in three]
        for more in partitions(rest):
            yield (four((first, *three)), *more)


@pytest.mark.long
def test_much_searching_finds_what_is_proved_and_nothing_better():
    for seed in range(8):
        dealt, starter = deal(1000 + seed)
        sweeps = iter(range(12 * shuffle.SWEEPS_PER_ROUND))
        grid = shuffle.search_layout(
            dealt, starter, Random(seed).random, lambda sweeps=sweeps: next(sweeps, None) is not None
        )
        proved = shuffle.layout_points(shuffle.find_best_layout(dealt, starter).grid, starter)
        assert shuffle.layout_points(grid, starter) == proved
