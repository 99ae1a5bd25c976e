"""Cribbage shuffle as short stories."""

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Award, Setup, apply, shuffle
from companion.rules.cards import parse_card, parse_cards
from companion.rules.moves import Adjust, Lay, Misdeal, Move, Next, Place, Play, Starter, Swap

GAME = shuffle.GAME
LAYOUT = "5H5S6D7C JDQCKHTS 4C4D6H6S 2C4S6C8C"
LAID = Lay(parse_cards(LAYOUT), parse_card("5D"))


def after(*moves: Move, **options: str) -> shuffle.ShuffleState:
    """Return the state after these moves from the start."""
    state = rules.begin_game(GAME, Setup(1, 0, options)).state
    for move in moves:
        state = apply(GAME, state, move).state
    return state


def place_moves(count: int = 16) -> list[Move]:
    """Return the moves that place the first `count` cards of the layout row by row."""
    return [Place(c, divmod(n, 4)) for n, c in enumerate(LAID.cards[:count])]


def test_a_layout_is_eight_hands_with_one_starter():
    step = apply(GAME, after(), LAID)
    view = GAME.view(step.state)
    assert (view["rows"], view["columns"]) == ((17, 13, 24, 7), (7, 8, 8, 8))
    assert (view["heels"], view["total"], view["scores"], view["winner"]) == (0, 92, (92,), 0)
    assert (step.awards, step.state.phase) == ((), "swap")


def test_a_jack_as_the_starter_is_two_once():
    swapped = parse_cards(LAYOUT.replace("JD", "5D"))
    view = GAME.view(after(Lay(swapped, parse_card("JD"))))
    assert (view["rows"], view["columns"]) == ((12, 12, 4, 0), (6, 6, 6, 5))
    assert (view["heels"], view["total"], view["winner"]) == (2, 53, None)


def test_two_cards_change_places_and_what_is_won_stays_won():
    state = after(LAID, Swap((0, 0), (1, 1)))
    assert (state.grid[0], state.grid[5]) == parse_cards("QC5H")
    assert after(LAID, Swap((0, 0), (1, 1)), Swap((1, 1), (0, 0))) == after(LAID)
    apart = after(LAID, Swap((1, 0), (0, 3)), Swap((2, 2), (0, 3)))
    assert (apart.total < 61, apart.winner, apart.phase) == (True, 0, "swap")


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (Swap((0, 0), (0, 0)), "cannot be swapped with itself"),
        (Swap((0, 0), (0, 4)), "rows and columns are 0 to 3"),
        (Swap((-1, 0), (0, 3)), "rows and columns are 0 to 3"),
        (LAID, "All sixteen cards are on the table"),
        (Starter(parse_card("AC")), "All sixteen cards are on the table"),
        (Play(0, parse_card("AC")), "has no play"),
        (Misdeal(), "has no misdeal"),
        (Adjust(1, 1), "this table has only seat 0"),
        (Adjust(0, -93), "The total is only 92"),
    ],
)
def test_what_cannot_be_done_with_a_layout_is_refused_in_words(move: Move, says: str):
    with pytest.raises(IllegalMove, match=says):
        apply(GAME, after(LAID), move)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (Lay(LAID.cards[:15], LAID.starter), "sixteen cards, not 15"),
        (Lay(LAID.cards), "needs a starter"),
        (Lay(LAID.cards, parse_card("2C")), "The 2 of clubs appears twice"),
        (Lay((*LAID.cards[:15], parse_card("5H")), LAID.starter), "The 5 of hearts appears twice"),
        (Swap((0, 0), (0, 1)), "Finish the layout first"),
        (Next(), "Finish the layout first"),
    ],
)
def test_a_layout_that_is_none_is_refused(move: Move, says: str):
    with pytest.raises(IllegalMove, match=says):
        apply(GAME, after(), move)


def test_next_gathers_the_cards_at_any_total():
    assert after(LAID, Next()) == after()
    assert after(Lay(parse_cards(LAYOUT.replace("JD", "5D")), parse_card("JD")), Next()) == after()


def test_an_adjustment_counts_until_the_next_layout():
    step = apply(GAME, after(LAID), Adjust(0, -40))
    assert (step.awards, step.state.total, step.state.winner) == ((Award(0, -40, "adjust"),), 52, 0)
    assert after(Adjust(0, 61)).winner == 0
    assert after(Adjust(0, 5), LAID).scores == (97,)
    low = after(LAID, Adjust(0, -92), Swap((1, 0), (0, 3)), Swap((2, 2), (0, 3)))
    assert low.total == 0
    assert apply(GAME, low, Adjust(0, 7)).state.total == 7
    assert after(LAID, Adjust(0, -40), Next(), LAID).total == 92


def test_in_the_square_each_card_is_placed_for_good_and_the_starter_comes_last():
    state = after(*place_moves(), variant="square")
    assert (state.phase, state.total) == ("cut", 0)
    state = apply(GAME, state, Starter(parse_card("5D"))).state
    assert (state.phase, state.total, state.winner) == ("over", 92, 0)
    assert apply(GAME, state, Next()).state == after(variant="square")


def test_a_square_below_61_ends_without_a_winner():
    moves = [Place(c, divmod(n, 4)) for n, c in enumerate(parse_cards(LAYOUT.replace("JD", "5D")))]
    state = after(*moves, Starter(parse_card("JD")), variant="square")
    assert (state.phase, state.total, state.winner) == ("over", 53, None)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (Place(parse_card("AC"), (0, 0)), "The 5 of hearts is there for good"),
        (Place(parse_card("5H"), (3, 3)), "The 5 of hearts has already been seen"),
        (Place(parse_card("AC"), (4, 0)), "rows and columns are 0 to 3"),
        (Swap((0, 0), (0, 1)), "Place a card first"),
        (Starter(parse_card("AC")), "Place a card first"),
        (Next(), "Place a card first"),
    ],
)
def test_what_cannot_be_done_in_the_square_is_refused(move: Move, says: str):
    with pytest.raises(IllegalMove, match=says):
        apply(GAME, after(*place_moves(5), variant="square"), move)
    with pytest.raises(IllegalMove, match="The 5 of hearts has already been seen"):
        apply(GAME, after(*place_moves(), variant="square"), Starter(parse_card("5H")))


def test_scanned_cards_make_the_layout_row_by_row_and_the_starter_last():
    state, lying = after(), ()
    for c in LAID.cards:
        assert GAME.interpret_scan(state, lying, c) is None
        lying = (*lying, c)
    with pytest.raises(IllegalMove, match="The 5 of hearts has already been seen"):
        GAME.interpret_scan(state, lying, parse_card("5H"))
    assert GAME.interpret_scan(state, lying, parse_card("5D")) == LAID
    with pytest.raises(IllegalMove, match="swap two cards"):
        GAME.interpret_scan(after(LAID), (), parse_card("AC"))


def test_in_the_square_a_scanned_card_waits_for_its_cell():
    state = after(*place_moves(5), variant="square")
    assert GAME.interpret_scan(state, (), parse_card("AC")) is None
    for lying, shown, says in [
        ((parse_card("AC"),), "2H", "Place the ace of clubs first"),
        ((), "5H", "seen"),
    ]:
        with pytest.raises(IllegalMove, match=says):
            GAME.interpret_scan(state, lying, parse_card(shown))
    assert GAME.interpret_scan(after(*place_moves(), variant="square"), (), parse_card("5D")) == Starter(
        parse_card("5D")
    )
    over = after(*place_moves(), Starter(parse_card("5D")), variant="square")
    with pytest.raises(IllegalMove, match="no card is needed"):
        GAME.interpret_scan(over, (), parse_card("AC"))


def test_one_plays_alone():
    view = GAME.view(after(LAID))
    assert not {"turn", "count", "dealer"} & set(view)
    assert (view["starter"], view["grid"][1]) == (parse_card("5D"), parse_cards("JDQCKHTS"))
