"""Cribbage shuffle at the table: cards laid at the reader, swaps, the score in lights."""

import pytest

from companion.common.errors import BoardError, IllegalMove
from companion.display.lights import OFF, paint_frame
from companion.display.theme import DEFAULT_THEME
from companion.rules.cards import parse_cards
from companion.rules.moves import Adjust, Lay, Place, Swap, Undo
from companion.settings import Settings
from companion.table import inputs
from companion.table.setup import create_plan
from companion.table.state import apply_entry, create_core
from tests.support.table_driver import Hands

SIXTEEN = parse_cards("2C4C6H8D TSQSKC3D 7S9HJCAD 9CJH6CQD")
VECTOR = parse_cards("5H5S6D7C JDQCKHTS 4C4D6H6S 2C4S6C8C")
"""Worth 92 with the 5 of diamonds."""


def lay_cards(every=SIXTEEN, starter="KD") -> Hands:
    hands = Hands("shuffle")
    for each in every:
        hands.scan(str(each))
    hands.scan(starter)
    return hands


def lit_holes(hands: Hands) -> list[str]:
    """The holes that are lit, once nothing celebrates any more."""
    frame = paint_frame(hands.core.plan.board, hands.snapshot, hands.ms + 60_000)
    return [hole.id for hole in hands.core.plan.board.holes if frame[hole.pixel] != OFF]


def test_sixteen_cards_are_scanned_row_by_row_and_the_starter_last():
    hands = Hands("shuffle")
    for each in SIXTEEN:
        hands.scan(str(each))
    assert (hands.snapshot.view["phase"], hands.snapshot.view["lying"]) == ("lay", [str(each) for each in SIXTEEN])
    hands.scan("KD")
    shown = hands.snapshot
    assert (shown.view["phase"], shown.view["starter"]) == ("swap", "KD")
    assert [text for row in shown.view["grid"] for text in row] == [str(each) for each in SIXTEEN]
    assert "lying" not in shown.view


def test_while_cards_are_laid_undo_takes_up_the_newest_and_another_takes_its_place():
    hands = Hands("shuffle").play("scan 5H 5S, undo, scan 6D")
    assert hands.snapshot.view["lying"] == ["5H", "6D"]
    assert hands.snapshot.last is None


def test_a_card_that_lies_already_is_a_notice():
    hands = Hands("shuffle").play("scan 5H, rest 2000, scan 5H")
    assert hands.snapshot.view["lying"] == ["5H"]
    assert "5 of hearts" in hands.snapshot.notices[-1].say


def test_cards_half_laid_are_there_after_a_restart():
    core = create_core(create_plan("shuffle"), Settings())
    again = core
    for code in ("5H", "5S", "6D"):
        happened = inputs.on_scan(core, code, None, 1000)
        core = happened.core
        for entry in happened.entries:
            again = apply_entry(again, entry, None)
    assert again.pending_cards == core.pending_cards == parse_cards("5H5S6D")


def test_the_board_lights_the_way_to_61_as_far_as_the_total():
    hands = lay_cards()
    total = hands.snapshot.view["total"]
    assert 0 < total < 61
    assert lit_holes(hands) == [f"red-{points}" for points in range(1, total + 1)]
    hands.move(Adjust(0, 3))
    assert len(lit_holes(hands)) == total + 3
    hands.move(Undo())
    assert len(lit_holes(hands)) == total
    frame = paint_frame(hands.core.plan.board, hands.snapshot, 0)
    assert frame[hands.core.plan.board.by_id["red-1"].pixel] == DEFAULT_THEME.way


def test_on_a_deal_of_61_or_more_the_whole_way_is_lit_and_celebrates():
    hands = lay_cards(VECTOR, "5D")
    assert (hands.snapshot.view["winner"], hands.snapshot.view["total"]) == (0, 92)
    assert lit_holes(hands) == [f"red-{points}" for points in range(1, 62)]
    assert [mark.kind for mark in hands.snapshot.light_effects] == ["won"]


def test_a_swap_back_darkens_the_lights_and_what_is_won_stays_won():
    hands = lay_cards(VECTOR, "5D").play("next")
    assert (hands.snapshot.view["phase"], lit_holes(hands)) == ("lay", [])
    hands.move(Undo())
    grid = VECTOR
    worst = min(((a, b) for a in range(16) for b in range(a)), key=lambda cells: _after(grid, cells))
    hands.move(Swap(divmod(worst[0], 4), divmod(worst[1], 4)))
    assert hands.snapshot.view["winner"] == 0
    assert len(lit_holes(hands)) == min(61, hands.snapshot.view["total"])


def _after(grid, cells):
    hands = Hands("shuffle")
    hands.move(Lay(grid, parse_cards("5D")[0]))
    hands.move(Swap(divmod(cells[0], 4), divmod(cells[1], 4)))
    return hands.snapshot.view["total"]


def test_no_seat_pegs_and_pegs_on_the_board_mean_nothing():
    hands = lay_cards()
    before = hands.snapshot
    hands.play("carry - red-start-1, rest 70000, carry - red-5, rest 70000, carry - red-61, rest 70000")
    hands.play("carry - blue-30, rest 70000")
    assert (before.pegs, before.dues, hands.snapshot) == ((), (), before)


def test_in_square_a_scanned_card_waits_for_its_cell():
    hands = Hands("shuffle", options={"variant": "square"}).play("scan 5H")
    assert hands.snapshot.view["lying"] == ["5H"]
    hands.scan("6H")
    assert "5 of hearts" in hands.snapshot.notices[-1].say
    hands.move(Place(parse_cards("5H")[0], (1, 2)))
    assert hands.snapshot.view["grid"][1][2] == "5H"
    assert "lying" not in hands.snapshot.view


def test_it_is_lit_on_every_board_that_is_long_enough_and_on_no_other():
    for board in ("classic", "classic-61", "loop-60", "pursuit-square"):
        hands = Hands("shuffle", board=board)
        hands.move(Lay(VECTOR, parse_cards("5D")[0]))
        assert (board, len(lit_holes(hands))) == (board, 61)
    with pytest.raises(BoardError, match="no route on which to light a score of 61"):
        create_core(create_plan("shuffle", board="bases"), Settings())


def test_a_refused_swap_changes_nothing():
    hands = lay_cards()
    before = hands.core
    with pytest.raises(IllegalMove, match="itself"):
        hands.move(Swap((0, 0), (0, 0)))
    assert hands.core is before


def test_no_seat_has_the_turn():
    assert not any(
        "turn" in hands.snapshot.view
        for hands in (Hands("shuffle"), lay_cards(), Hands("shuffle", options={"variant": "square"}))
    )
