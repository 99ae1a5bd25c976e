"""Cribbage shuffle: searches, hints, the swaps that lead there, and the layout that is proved to be the best."""

from itertools import combinations, permutations, product
from random import Random

import pytest

from companion.coach import shuffle
from companion.common.errors import BadCard
from companion.rules import apply, find_game
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.engine import Setup
from companion.rules.moves import Lay, Swap
from tests.support.published_data import read_rows

VECTOR = parse_cards("5H5S6D7C JDQCKHTS 4C4D6H6S 2C4S6C8C")
"""With the 5 of diamonds worth 92."""


def rounds(count):
    left = iter(range(count * shuffle.SWEEPS_PER_ROUND - 1))
    return lambda: next(left, None) is not None


def deals():
    rows = read_rows("shuffle_optima.csv")
    return [(parse_cards(deal["cards"]), parse_card(deal["starter"]), int(deal["best"])) for deal in rows]


def find_points(dealt, starter, seed, count):
    return shuffle.layout_points(shuffle.search_layout(dealt, starter, Random(seed).random, rounds(count)), starter)


def test_the_vector_of_the_rules():
    assert shuffle.layout_points(VECTOR, parse_card("5D")) == 92


def test_nineteen_of_twenty_best_layouts_are_found():
    """Six rounds are what 50 ms have time for."""
    right = [find_points(dealt, starter, n, 6) == best for n, (dealt, starter, best) in enumerate(deals()[:20])]
    assert right.count(False) <= 1


@pytest.mark.long
def test_98_percent_of_best_layouts_are_found():
    every = deals()
    right = [find_points(dealt, starter, n, 6) == best for n, (dealt, starter, best) in enumerate(every)]
    assert len(every) == 200
    assert right.count(True) >= 0.98 * len(every)


def test_a_search_moves_cards_and_loses_none():
    grid = shuffle.search_layout(VECTOR, parse_card("5D"), Random(1).random, rounds(1))
    assert sorted(grid) == sorted(VECTOR)
    assert shuffle.layout_points(grid, parse_card("5D")) > 92


def test_the_same_chance_finds_the_same_layout():
    first, again = (shuffle.search_layout(VECTOR, parse_card("5D"), Random(2).random, rounds(1)) for _ in range(2))
    assert first == again


def test_a_search_ends_when_its_time_is_up():
    asked = []
    grid = shuffle.search_layout(VECTOR, parse_card("5D"), Random(3).random, lambda: bool(asked.append(1)))
    assert sorted(grid) == sorted(VECTOR)
    assert len(asked) <= 2


def test_seventeen_different_cards_are_wanted():
    for dealt, starter in ((VECTOR[:15], "5D"), (VECTOR, "5H"), ((*VECTOR[:15], VECTOR[0]), "5D")):
        with pytest.raises(BadCard, match="all different"):
            shuffle.search_layout(dealt, parse_card(starter), Random(0).random, rounds(1))


def test_helpful_swaps_lead_to_the_layout():
    dealt, starter, best = deals()[0]
    played = find_game("shuffle")
    state = apply(played, played.start(Setup(1, 0, {"variant": "grid"})), Lay(dealt, starter)).state
    wanted = shuffle.search_layout(dealt, starter, Random(0).random, rounds(6))
    swaps = 0
    while (found := shuffle.find_helpful_swap(state.grid, wanted, starter)) is not None:
        i, j, gain = found
        after = apply(played, state, Swap(divmod(i, 4), divmod(j, 4))).state
        assert after.total == state.total + gain
        assert sum(map(int.__eq__, after.grid, wanted)) > sum(map(int.__eq__, state.grid, wanted))
        state, swaps = after, swaps + 1
    assert (state.grid, state.total) == (wanted, best)
    assert swaps <= 15


def test_the_better_of_two_swaps_is_named():
    starter = parse_card("5D")
    grid = shuffle.swap_cells(shuffle.swap_cells(VECTOR, 0, 5), 2, 15)
    i, j, gain = shuffle.find_helpful_swap(grid, VECTOR, starter)
    others = [shuffle.layout_points(shuffle.swap_cells(grid, *cells), starter) for cells in ((0, 5), (2, 15))]
    assert (i, j) in ((0, 5), (2, 15))
    assert gain == max(others) - shuffle.layout_points(grid, starter)


def test_turning_shortens_the_way_to_a_layout():
    starter = parse_card("5D")
    turned_over = tuple(VECTOR[4 * column + row] for row in range(4) for column in (2, 0, 1, 3))
    assert shuffle.find_swaps(VECTOR, shuffle.find_nearest_equivalent(VECTOR, turned_over)) == []
    one_swap = list(turned_over)
    one_swap[3], one_swap[9] = one_swap[9], one_swap[3]
    near = shuffle.find_nearest_equivalent(VECTOR, tuple(one_swap))
    assert shuffle.layout_points(near, starter) == shuffle.layout_points(one_swap, starter)
    assert len(shuffle.find_swaps(VECTOR, near)) == 1


def test_the_way_leads_there():
    mixed = list(VECTOR)
    Random(4).shuffle(mixed)
    going = list(VECTOR)
    for i, j in shuffle.find_swaps(VECTOR, tuple(mixed)):
        going[i], going[j] = going[j], going[i]
    assert going == mixed


def deal(seed):
    *dealt, starter = Random(seed).sample(PACK, 17)
    return tuple(dealt), starter


def four(bits):
    return sum(1 << bit for bit in bits)


def test_a_poor_layout_leads_to_the_best():
    dealt, starter = deal(3)
    good = shuffle.search_layout(dealt, starter, Random(0).random, rounds(1))
    proved = shuffle.find_best_layout(good, starter).grid
    assert sorted(proved) == sorted(dealt)
    from_poor = shuffle.find_best_layout(dealt, starter).grid
    assert shuffle.layout_points(from_poor, starter) == shuffle.layout_points(proved, starter)
    assert shuffle.find_best_layout(proved, starter) == (proved, True)


def test_without_time_nothing_is_called_proved():
    dealt, starter = deal(3)
    assert shuffle.find_best_layout(dealt, starter, lambda: False) == (dealt, False)
    asked = iter(range(20))
    found = shuffle.find_best_layout(dealt, starter, lambda: next(asked, None) is not None)
    assert not found.is_proved
    assert sorted(found.grid) == sorted(dealt)
    assert shuffle.layout_points(found.grid, starter) >= shuffle.layout_points(dealt, starter)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_columns_are_those_of_all(seed):
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
def test_searching_finds_nothing_better_than_proved():
    for seed in range(8):
        dealt, starter = deal(1000 + seed)
        grid = shuffle.search_layout(dealt, starter, Random(seed).random, rounds(12))
        proved = shuffle.layout_points(shuffle.find_best_layout(dealt, starter).grid, starter)
        assert shuffle.layout_points(grid, starter) == proved
