"""Cribbage shuffle as short stories."""

import pytest

from companion.rules.cards import parse_card, parse_cards
from companion.rules.moves import Lay, Starter
from tests.support.stories import Story, refuse_each, story, tell_each

CARDS = "5H5S6D7CJDQCKHTS4C4D6H6S2C4S6C8C"
LAID, POOR = f"lay {CARDS} 5D", f"lay {CARDS.replace('JD', '5D')} JD"
"""Worth 92 and 53 points."""
APART = "swap 10 03; swap 22 03"
"""These swaps take the layout below 61."""


def place(count=16, cards=CARDS):
    """Return the moves that place the first cards of a layout row by row."""
    return "; ".join(f"place {cards[2 * n : 2 * n + 2]} {n // 4}{n % 4}" for n in range(count))


def tell(moves="", setup=""):
    return Story("shuffle", moves, f"seats=1 {setup}")


@tell_each(
    story("a layout is eight hands with one starter", LAID, rows=(17, 13, 24, 7), columns=(7, 8, 8, 8), heels=0,
          total=92, scores=(92,), winner=0, awards="", phase="swap"),
    story("a jack as the starter is two once", POOR, rows=(12, 12, 4, 0), columns=(6, 6, 6, 5), heels=2, total=53,
          winner=None),
    story("what is won stays won", f"{LAID}; {APART}", winner=0, phase="swap"),
    story("an adjustment counts", f"{LAID}; 0 adjusts -40", awards="0-40 adjust", total=52, winner=0),
    story("before a layout too", "0 adjusts 5; " + LAID, scores=(97,)),
    story("and may win", "0 adjusts 61", winner=0),
    story("no total is below 0", f"{LAID}; 0 adjusts -92; {APART}", total=0),
    story("from which an adjustment counts", f"{LAID}; 0 adjusts -92; {APART}; 0 adjusts 7", total=7),
    story("it ends with the layout", f"{LAID}; 0 adjusts -40; next; {LAID}", total=92),
    story("in the square the starter comes last", place(), "variant=square", phase="cut", total=0),
    story("then the square is over", f"{place()}; cut 5D", "variant=square", phase="over", total=92, winner=0),
    story("a square below 61 ends without a winner", place(cards=CARDS.replace("JD", "5D")) + "; cut JD",
          "variant=square", phase="over", total=53, winner=None),
)  # fmt: skip
def test_shuffle_is_played_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


def test_two_cards_change_places_and_back():
    told = tell(f"{LAID}; swap 00 11")
    assert (told.state.grid[0], told.state.grid[5]) == parse_cards("QC5H")
    assert told.tell("swap 11 00").state == tell(LAID).state
    assert tell(f"{LAID}; {APART}").state.total < 61


@pytest.mark.parametrize(("moves", "setup"), [(LAID, ""), (POOR, ""), (f"{place()}; cut 5D", "variant=square")])
def test_next_gathers_the_cards_at_any_total(moves, setup):
    assert tell(f"{moves}; next", setup).state == tell("", setup).state


@refuse_each(f"""
| {LAID}; swap 00 00 | cannot be swapped with itself
| {LAID}; swap 00 04 | rows and columns are 0 to 3
| {LAID}; swap -10 03 | rows and columns are 0 to 3
| {LAID}; {LAID} | All sixteen cards are on the table
| {LAID}; cut AC | All sixteen cards are on the table
| {LAID}; 0 AC | has no play
| {LAID}; misdeal | has no misdeal
| {LAID}; 1 adjusts 1 | this table has only seat 0
| {LAID}; 0 adjusts -93 | The total is only 92
| lay {CARDS[:30]} 5D | sixteen cards, not 15
| lay {CARDS} | needs a starter
| lay {CARDS} 2C | The 2 of clubs appears twice
| lay {CARDS[:30]}5H 5D | The 5 of hearts appears twice
| swap 00 01 | Finish the layout first
| next | Finish the layout first
variant=square | {place(5)}; place AC 00 | The 5 of hearts is there for good
variant=square | {place(5)}; place 5H 33 | The 5 of hearts has already been seen
variant=square | {place(5)}; place AC 40 | rows and columns are 0 to 3
variant=square | {place(5)}; swap 00 01 | Place a card first
variant=square | {place(5)}; cut AC | Place a card first
variant=square | {place(5)}; next | Place a card first
variant=square | {place()}; cut 5H | The 5 of hearts has already been seen
""")
def test_what_cannot_be_done_is_refused_in_words(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


@pytest.mark.parametrize(
    ("moves", "setup", "lying", "card", "expected"),
    [
        *[("", "", CARDS[: 2 * n], CARDS[2 * n : 2 * n + 2], None) for n in range(16)],
        ("", "", CARDS, "5H", "The 5 of hearts has already been seen"),
        ("", "", CARDS, "5D", Lay(parse_cards(CARDS), parse_card("5D"))),
        (LAID, "", "", "AC", "swap two cards"),
        (place(5), "variant=square", "", "AC", None),
        (place(5), "variant=square", "AC", "2H", "Place the ace of clubs first"),
        (place(5), "variant=square", "", "5H", "seen"),
        (place(), "variant=square", "", "5D", Starter(parse_card("5D"))),
        (f"{place()}; cut 5D", "variant=square", "", "AC", "no card is needed"),
    ],
)
def test_a_scanned_card_joins_the_layout(moves, setup, lying, card, expected):
    tell(moves, setup).check_scan(card, expected, lying)


def test_one_plays_alone():
    view = tell(LAID).view
    assert not {"turn", "count", "dealer"} & set(view)
    assert (view["starter"], view["grid"][1]) == (parse_card("5D"), parse_cards("JDQCKHTS"))
