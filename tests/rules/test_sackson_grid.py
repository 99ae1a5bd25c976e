"""The display of Sackson swap: figures, contact, legal exchanges."""

from collections import Counter
from itertools import product

import pytest

from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS, ExchangeFault

STEPS = [(r, c) for r, c in product((-1, 0, 1), repeat=2) if r or c]


def parse_picture(picture: str) -> grid.MarkerGrid:
    """Return the display of these rows of letters: R, Y, G, B, and N for brown; a dot is a cell of no interest."""
    letters = "".join(picture.split())
    return tuple(sum(1 << n for n, each in enumerate(letters) if each == letter) for letter in "RYGBN")


@pytest.mark.parametrize(
    ("zigzag", "diagonals", "counted"),
    [
        ("alternating", True, {"plus": 9, "cross": 9, "line": 12, "zigzag": 16}),
        ("alternating", False, {"plus": 9, "cross": 9, "line": 10, "zigzag": 16}),
        ("stairs", True, {"plus": 9, "cross": 9, "line": 12, "zigzag": 36}),
    ],
)
def test_each_figure_has_all_its_placements(zigzag: str, diagonals: bool, counted: dict[str, int]):
    figures = grid.find_figures(zigzag, diagonals)
    assert Counter(figures.values()) == counted
    assert all(bits.bit_count() == 5 and grid.is_connected(bits) for bits in figures)


@pytest.mark.parametrize(
    ("picture", "figure"),
    [
        ("..... ..R.. .RRR. ..R.. .....", "plus"),
        ("R.R.. .R... R.R.. ..... .....", "cross"),
        ("..... ..... ..... ..... RRRRR", "line"),
        ("R.... .R... ..R.. ...R. ....R", "line"),
        ("R.R.R .R.R. ..... ..... .....", "zigzag"),
        ("...R. ....R ...R. ....R ...R.", "zigzag"),
        ("RR... .RR.. ..R.. ..... .....", None),
        ("RRRR. R.... ..... ..... .....", None),
    ],
)
def test_a_figure_is_seen_where_it_lies(picture: str, figure: str | None):
    assert grid.find_figures().get(parse_picture(picture)[0]) == figure


def test_stairs_replace_the_alternation():
    figures = grid.find_figures("stairs")
    assert figures[parse_picture("RR... .RR.. ..R.. ..... .....")[0]] == "zigzag"
    assert parse_picture("R.R.R .R.R. ..... ..... .....")[0] not in figures


def cells(laid: grid.MarkerGrid, colour: int) -> list[tuple[int, int]]:
    return [cell for cell in product(range(5), repeat=2) if grid.colour_at(laid, cell) == colour]


def test_the_fixed_start_has_exchanges_without_figures():
    start = grid.FIXED_START
    assert grid.colour_rows(start)[0] == COLOURS
    assert [grid.colour_at(start, (r, 0)) for r in range(5)] == [0, 2, 4, 1, 3]
    for zigzag in ("alternating", "stairs"):
        figures = grid.find_figures(zigzag)
        for one, other in grid.colour_pairs():
            legal = list(grid.find_exchanges(start, one, other))
            assert 16 <= len(legal) <= 21
            for a, b in product(cells(start, one), cells(start, other)):
                assert not figures.keys() & set(grid.exchange_markers(start, a, b))


def test_two_markers_change_places_and_nothing_else_moves():
    after = grid.exchange_markers(grid.FIXED_START, (0, 0), (3, 1))
    before, now = grid.colour_rows(grid.FIXED_START), grid.colour_rows(after)
    changed = {(r, c) for r, c in product(range(5), repeat=2) if before[r][c] != now[r][c]}
    assert changed == {(0, 0), (3, 1)}
    assert (now[0][0], now[3][1]) == (before[3][1], before[0][0])
    assert grid.exchange_markers(after, (0, 0), (3, 1)) == grid.FIXED_START


def test_an_isolated_marker_forbids_most_exchanges():
    parted = parse_picture("BB..B R.... ...RR ...RR BB...")
    assert grid.find_faults(parted, (1, 0), (0, 4)) == (ExchangeFault(0, 3),)
    assert grid.find_faults(parted, (0, 4), (1, 0)) == (ExchangeFault(0, 3),)
    joined = parse_picture("....B ..... R.... BB.RR BB.RR")
    assert grid.find_faults(joined, (2, 0), (0, 4)) == ()
    both = parse_picture("....B R.... ..... BB.RR BB.RR")
    assert set(grid.find_faults(both, (1, 0), (0, 4))) == {ExchangeFault(0, 3), ExchangeFault(3, 0)}


def connects(cells: set[tuple[int, int]]) -> bool:
    """Return whether all the cells are connected, walked step by step."""
    walk, reached = [min(cells)], {min(cells)}
    while walk:
        r, c = walk.pop()
        near = {(r + x, c + y) for x, y in STEPS} & cells - reached
        reached |= near
        walk += near
    return reached == cells


def test_every_exchange_agrees_with_the_plain_rule():
    rows = [list(row) for row in grid.colour_rows(grid.FIXED_START)]
    for a, b in product(product(range(5), repeat=2), repeat=2):
        one, other = rows[a[0]][a[1]], rows[b[0]][b[1]]
        if one == other:
            continue
        now = {cell: rows[cell[0]][cell[1]] for cell in product(range(5), repeat=2)} | {a: other, b: one}
        five = {name: {cell for cell, there in now.items() if there == name} for name in (one, other)}
        a_alone = not any((b[0] + x, b[1] + y) in five[one] for x, y in STEPS)
        b_alone = not any((a[0] + x, a[1] + y) in five[other] for x, y in STEPS)
        legal = (not a_alone or connects(five[other])) and (not b_alone or connects(five[one]))
        assert legal is not bool(grid.find_faults(grid.FIXED_START, a, b))
