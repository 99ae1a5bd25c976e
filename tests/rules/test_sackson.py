"""Sackson swap: its display, and games as short stories."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from companion.rules.moves import Exchange, Lay
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS, ExchangeFault
from tests.support.stories import Story, refuse_each, story, tell_each


def parse_marks(picture: str) -> grid.MarkerGrid:
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
    assert grid.find_figures().get(parse_marks(picture)[0]) == figure


def test_stairs_replace_the_alternation():
    figures = grid.find_figures("stairs")
    assert figures[parse_marks("RR... .RR.. ..R.. ..... .....")[0]] == "zigzag"
    assert parse_marks("R.R.R .R.R. ..... ..... .....")[0] not in figures


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
    parted = parse_marks("BB..B R.... ...RR ...RR BB...")
    assert grid.find_faults(parted, (1, 0), (0, 4)) == (ExchangeFault(0, 3),)
    assert grid.find_faults(parted, (0, 4), (1, 0)) == (ExchangeFault(0, 3),)
    joined = parse_marks("....B ..... R.... BB.RR BB.RR")
    assert grid.find_faults(joined, (2, 0), (0, 4)) == ()
    both = parse_marks("....B R.... ..... BB.RR BB.RR")
    assert set(grid.find_faults(both, (1, 0), (0, 4))) == {ExchangeFault(0, 3), ExchangeFault(3, 0)}


LETTERS = dict(zip("RYGBN", COLOURS, strict=True))

ONE_LINE = "RRRRB-YYGGR-YGYBN-GBYBN-NGNBN"
"""Red and blue exchanged in the upper corner make red a line, and nothing else."""
TWO_LINES = "RRRRB-BBBBR-YGYGN-GNYYN-NGNGY"
"""Red and blue exchanged at the right make two lines."""
DIAGONAL = "RBGNN-GRYNY-NGRBB-NBGRY-GYYRB"
"""Red and blue exchanged in the lower right corner put the red ones on a long diagonal."""
ALONE = "RRRRY-BYYYB-BGGGG-NNNNG-NYBRB"
"""Red and blue have legal exchanges; some would leave a marker alone."""
STUCK = "BYRRG-BGBGR-YYBGN-BNYNR-GNYNR"
"""Red and blue have no legal exchange."""


def parse_picture(picture):
    return grid.parse_grid([LETTERS[letter] for letter in picture.replace("-", "")])


def tell(moves="", setup="", **changes):
    """Tell a story from its start.

    In the setup, `grid=STUCK` is a display, and `at=ALONE` one in which seat 0 holds red and blue and must exchange.
    `held=blue/red` are the chips of both sides.
    """
    words = dict(word.split("=") for word in setup.split())
    if "at" in words:
        changes |= {"grid": parse_picture(words.pop("at")), "phase": "exchange", "chips_held": (("red", "blue"), ())}
    if "grid" in words:
        changes["grid"] = parse_picture(words.pop("grid"))
    if "held" in words:
        changes["chips_held"] = tuple(tuple(chips.split()) for chips in words.pop("held").split("/"))
    if "seat" in words:
        changes["seat"] = int(words.pop("seat"))
    if "scores" in words:
        changes["scores"] = tuple(map(int, words.pop("scores").split(",")))
    start = Story("swap", "", " ".join(map("=".join, words.items()))).state
    return Story("swap", moves, start=replace(start, **changes))


A, B = next(grid.find_exchanges(grid.FIXED_START, 0, 3))
FIRST = f"0 exchanges {A[0]}{A[1]} {B[0]}{B[1]}"


@tell_each(
    story("a turn takes two chips", "0 takes red blue", phase="exchange", turn=0, bank=("yellow", "green", "brown")),
    story("exchanges one of each", f"0 takes red blue; {FIRST}", phase="return", turn=0),
    story("and returns one", f"0 takes red blue; {FIRST}; 0 returns red", phase="take", turn=1,
          chips_held=(("blue",), ()), bank=("red", "yellow", "green", "brown")),
    story("each side takes two first", "1 takes red green", "held=blue/ seat=1",
          chips_held=(("blue",), ("red", "green"))),
    story("and one to the one held later", "0 takes green", "held=blue/red", chips_held=(("blue", "green"), ("red",))),
    story("partners hand on the chip they keep", "2 takes green", "seats=4 held=blue/red seat=2",
          chips_held=(("blue", "green"), ("red",))),
    story("a lead of eleven is a double victory", "0 exchanges 14 04", f"at={TWO_LINES} scores=55,54", phase="return",
          scores=(65, 54), winner=None),
    story("with the end of the turn", "0 exchanges 14 04; 0 returns blue", f"at={TWO_LINES} scores=55,54",
          phase="over", turn=None, winner=0, double=True),
    story("ten are none", "0 exchanges 14 04; 0 returns blue; 1 adjusts 1", f"at={TWO_LINES} scores=55,54",
          double=False),
    story("with one figure the game is over at once", "0 exchanges 14 04", f"at={ONE_LINE} scores=56,60",
          phase="over", winner=0, double=False),
    story("where nothing can be exchanged a chip goes back", "0 takes red blue", f"grid={STUCK}", phase="return",
          turn=0),
    story("either of the two", "0 takes red blue; 0 returns blue", f"grid={STUCK}", turn=1),
    story("one figure scores and its chip goes back by itself", "0 exchanges 04 14", f"at={ONE_LINE}",
          awards="0+5 line", phase="take", turn=1, chips_held=(("blue",), ()), scores=(5, 0)),
    story("two figures score both", "0 exchanges 14 04", f"at={TWO_LINES}", awards="0+5 line, 0+5 line", phase="return",
          scores=(10, 0)),
    story("and the player chooses the chip", "0 exchanges 14 04; 0 returns blue", f"at={TWO_LINES}",
          chips_held=(("red",), ())),
    story("long diagonals are lines", "0 exchanges 43 44", f"at={DIAGONAL}", awards="0+5 line"),
    story("an adjustment may go beyond the target", "1 adjusts 70", awards="1+70 adjust", winner=1, scores=(0, 70),
          double=True),
    story("a random start is laid by the players", "", "start=random", phase="lay", turn=None,
          display=((None,) * 5,) * 5),
)  # fmt: skip
def test_swap_is_played_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


def test_a_figure_has_its_own_stones():
    stones = tell("0 exchanges 04 14", f"at={ONE_LINE}").view["stones"]
    assert (stones["line"]["red"], stones["line"]["blue"], stones["plus"]["red"]) == (3, 5, 5)


def test_four_move_in_turn_around_the_table():
    told, turns = tell("", "seats=4 dealer=3"), []
    for chips in ("red blue", "yellow green", "red", "yellow"):
        turn = told.state.turn
        turns.append(turn)
        told.tell(f"{turn} takes {chips}")
        one, other = (COLOURS.index(chip) for chip in told.state.chips_held[turn % 2])
        told.make(Exchange(turn, *next(grid.find_exchanges(told.state.grid, one, other))))
        told.tell(f"{turn} returns {chips.split()[0]}")
    assert turns == [3, 0, 1, 2]
    assert told.state.chips_held == (("green",), ("blue",))


def test_a_figure_is_worth_less_each_time():
    gained, changes = [], {}
    for _ in range(5):
        told = tell("0 exchanges 14 04", f"at={ONE_LINE}", **changes)
        gained.append(told.awards)
        changes = {"stones": told.state.stones}
    assert gained == [f"0+{points} line" for points in (5, 3, 2, 1, 1)]


def test_an_old_figure_does_not_score_again():
    there = "RRRRR-YYGGB-YGYBN-GBYBN-NGNBN"
    a, b = next(grid.find_exchanges(parse_picture(there), 1, 2))
    told = tell("", f"grid={there}", phase="exchange", chips_held=(("yellow", "green"), ()))
    assert told.make(Exchange(0, a, b)).awards == ""


@refuse_each(f"""
at={ALONE} | 0 exchanges 01 10 | The blue tile would be isolated, and the five red ones no longer connected.
at={ALONE} | 0 exchanges 00 01 | Exchange a red tile with a blue one: those are your chips
at={ALONE} | 0 exchanges 00 04 | Exchange a red tile with a blue one
at={ALONE} | 0 exchanges 00 50 | rows and columns are 0 to 4
at={ALONE} | 1 exchanges 00 10 | It is Red's turn
at={ALONE} | 2 exchanges 00 10 | seats are 0 to 1
at={ALONE} | 0 returns red | before you return a chip
at={ALONE} | 0 takes green | Exchange two tiles first
at={ALONE} | misdeal | has no misdeal
held=blue/red | 0 takes green brown | Take one chip: you already hold the blue one
held=blue/red | 0 takes red | not in the bank
| 0 takes green | The first turn takes two different chips
| 0 takes green green | The first turn takes two different chips
grid={STUCK} | 0 takes red blue; 0 returns green | return the red or the blue one
| 0 adjusts -1 | Red has only 0
""")
def test_what_cannot_be_done_is_refused_in_words(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


def test_nothing_can_be_exchanged_in_the_stuck_display():
    assert list(grid.find_exchanges(parse_picture(STUCK), 0, 3)) == []


def test_the_loser_begins_the_next_game():
    assert tell("1 adjusts 61; next").state == tell().state
    assert tell("0 adjusts 61; next").state == tell("", "dealer=1").state
    assert tell("0 adjusts 61; next", "seats=4 dealer=2").state.turn == 3


def test_a_random_start_is_laid_each_game():
    turned = tuple(name for column in zip(*grid.colour_rows(grid.FIXED_START), strict=True) for name in column)
    told = tell("", "start=random").make(Lay(colours=turned))
    told.check(phase="take", turn=0)
    assert sum(told.view["display"], ()) == turned
    told.tell("0 adjusts 61; next").check(phase="lay", seat=1)


@pytest.mark.parametrize(
    ("colours", "says"),
    [
        ((), "five each of red, yellow, green, blue, brown"),
        (("red",) * 25, "five each of"),
        (tuple(c for c in COLOURS for _ in range(5)), "The five red tiles already form a line"),
        (tuple(LETTERS[x] for x in ONE_LINE.replace("-", "")), "A first exchange could make a red line"),
    ],
)
def test_a_display_with_a_figure_is_refused(colours, says):
    assert says in tell("", "start=random").refuse(Lay(colours=colours))


def test_the_options_change_what_is_a_figure():
    assert tell("0 exchanges 43 44", f"at={DIAGONAL}", diagonals=False).awards == ""
    tell("", "zigzag=stairs diagonals=off").check(zigzag="stairs", diagonals=False)


def test_the_view_has_what_everybody_may_know():
    told = tell("0 takes red blue")
    assert not {"count", "dealer", "starter"} & set(told.view)
    assert len(told.view["legal"]) == 16
    assert told.view["stones"]["zigzag"] == dict.fromkeys(COLOURS, 5)
    told.check_scan("5H", "This game has no cards")
