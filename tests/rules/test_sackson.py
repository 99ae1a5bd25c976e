"""Sackson swap as short stories."""

from typing import Any

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Award, Setup, apply
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Exchange, Lay, Misdeal, Move, Next, Return, Take
from companion.rules.sackson import game, grid
from companion.rules.sackson.grid import COLOURS

GAME = game.GAME
LETTERS = dict(zip("RYGBN", COLOURS, strict=True))

ONE_TO_A_LINE = "RRRRB YYGGR YGYBN GBYBN NGNBN"
"""Red and blue exchanged in the upper corner make red a line, and nothing else."""
TWO_LINES = "RRRRB BBBBR YGYGN GNYYN NGNGY"
"""Red and blue exchanged at the right make two lines."""
ONE_TO_A_DIAGONAL = "RBGNN GRYNY NGRBB NBGRY GYYRB"
"""Red and blue exchanged in the lower right corner put the red ones on a long diagonal."""
ALONE = "RRRRY BYYYB BGGGG NNNNG NYBRB"
"""Red and blue have legal exchanges; some would leave a marker alone."""


def parse_picture(picture: str) -> grid.MarkerGrid:
    """Return the display of these rows of letters; N is brown."""
    return grid.parse_grid([LETTERS[letter] for letter in "".join(picture.split())])


def state_with_chips(picture: str, *chips: str, **more: Any) -> game.SacksonState:
    """Return a state in which seat 0 holds these chips and must exchange."""
    return game.SacksonState(**{"phase": "exchange", "grid": parse_picture(picture), "chips_held": (chips, ()), **more})


def after(*moves: Move, **setup: Any) -> game.SacksonState:
    """Return the state after these moves from the start."""
    state = rules.begin_game(GAME, Setup(**setup)).state
    for move in moves:
        state = apply(GAME, state, move).state
    return state


def test_a_turn_takes_two_exchanges_one_of_each_and_returns_one():
    state = after(Take(0, ("red", "blue")))
    assert (state.phase, state.turn, state.bank) == ("exchange", 0, ("yellow", "green", "brown"))
    a, b = next(grid.find_exchanges(state.grid, 0, 3))
    state = apply(GAME, state, Exchange(0, a, b)).state
    assert (state.phase, state.turn) == ("return", 0)
    state = apply(GAME, state, Return(0, "red")).state
    assert (state.phase, state.turn, state.chips_held) == ("take", 1, (("blue",), ()))
    assert state.bank == ("red", "yellow", "green", "brown")


def test_each_side_takes_two_first_and_one_to_the_one_held_later():
    state = game.SacksonState(chips_held=(("blue",), ()), seat=1)
    assert apply(GAME, state, Take(1, ("red", "green"))).state.chips_held == (("blue",), ("red", "green"))
    state = game.SacksonState(chips_held=(("blue",), ("red",)), seat=0)
    assert apply(GAME, state, Take(0, ("green",))).state.chips_held == (("blue", "green"), ("red",))
    for chips, says in [
        (("green", "brown"), "Take one chip: you already hold the blue one"),
        (("red",), "not in the bank"),
    ]:
        with pytest.raises(IllegalMove, match=says):
            apply(GAME, state, Take(0, chips))
    for chips in (("green",), ("green", "green")):
        with pytest.raises(IllegalMove, match="The first turn takes two different chips"):
            apply(GAME, game.SacksonState(), Take(0, chips))


def test_partners_hand_on_the_chip_they_keep():
    state = game.SacksonState(terms=after(seats=4).terms, chips_held=(("blue",), ("red",)), seat=2)
    assert apply(GAME, state, Take(2, ("green",))).state.chips_held == (("blue", "green"), ("red",))


def test_four_move_in_turn_around_the_table():
    state = after(seats=4, dealer=3)
    turns = []
    for chips in [("red", "blue"), ("yellow", "green"), ("red",), ("yellow",)]:
        turns.append(state.turn)
        state = apply(GAME, state, Take(state.turn, chips)).state
        one, other = (COLOURS.index(c) for c in state.chips_held[state.turn % 2])
        a, b = next(grid.find_exchanges(state.grid, one, other))
        state = apply(GAME, state, Exchange(state.turn, a, b)).state
        state = apply(GAME, state, Return(state.turn, chips[0])).state
    assert turns == [3, 0, 1, 2]
    assert state.chips_held == (("green",), ("blue",))


def test_one_figure_scores_and_its_chip_goes_back_by_itself():
    step = apply(GAME, state_with_chips(ONE_TO_A_LINE, "red", "blue"), Exchange(0, (0, 4), (1, 4)))
    assert step.awards == (Award(0, 5, "line"),)
    assert (step.state.phase, step.state.turn, step.state.chips_held) == ("take", 1, (("blue",), ()))
    assert step.state.scores == (5, 0)
    stones = GAME.view(step.state)["stones"]
    assert (stones["line"]["red"], stones["line"]["blue"], stones["plus"]["red"]) == (3, 5, 5)


def test_two_figures_score_both_and_the_player_chooses_the_chip():
    step = apply(GAME, state_with_chips(TWO_LINES, "red", "blue"), Exchange(0, (1, 4), (0, 4)))
    assert [(a.points, a.reason) for a in step.awards] == [(5, "line"), (5, "line")]
    assert (step.state.phase, step.state.scores) == ("return", (10, 0))
    assert apply(GAME, step.state, Return(0, "blue")).state.chips_held == (("red",), ())


def test_a_figure_is_worth_less_each_time_for_any_seat_down_to_one():
    state, gained = state_with_chips(ONE_TO_A_LINE, "red", "blue"), []
    for _ in range(5):
        step = apply(GAME, state, Exchange(0, (1, 4), (0, 4)))
        gained.append(step.awards[0].points)
        state = state_with_chips(ONE_TO_A_LINE, "red", "blue", stones=step.state.stones)
    assert gained == [5, 3, 2, 1, 1]


def test_a_figure_that_was_there_before_does_not_score_again():
    there = "RRRRR YYGGB YGYBN GBYBN NGNBN"
    a, b = next(grid.find_exchanges(parse_picture(there), 1, 2))
    assert apply(GAME, state_with_chips(there, "yellow", "green"), Exchange(0, a, b)).awards == ()


def test_an_illegal_exchange_says_which_marker_would_be_isolated():
    with pytest.raises(IllegalMove) as refusal:
        apply(GAME, state_with_chips(ALONE, "red", "blue"), Exchange(0, (0, 1), (1, 0)))
    assert str(refusal.value) == ("The blue tile would be isolated, and the five red ones no longer connected.")


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (Exchange(0, (0, 0), (0, 1)), "Exchange a red tile with a blue one: those are your chips"),
        (Exchange(0, (0, 0), (0, 4)), "Exchange a red tile with a blue one"),
        (Exchange(0, (0, 0), (5, 0)), "rows and columns are 0 to 4"),
        (Exchange(1, (0, 0), (1, 0)), "It is Red's turn"),
        (Exchange(2, (0, 0), (1, 0)), "seats are 0 to 1"),
        (Return(0, "red"), "before you return a chip"),
        (Take(0, ("green",)), "Exchange two tiles first"),
        (Misdeal(), "has no misdeal"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(move: Move, says: str):
    with pytest.raises(IllegalMove, match=says):
        apply(GAME, state_with_chips(ALONE, "red", "blue"), move)


def test_where_nothing_can_be_exchanged_either_chip_goes_back_and_the_turn_is_over():
    apart = "BYRRG BGBGR YYBGN BNYNR GNYNR"
    assert list(grid.find_exchanges(parse_picture(apart), 0, 3)) == []
    state = game.SacksonState(grid=parse_picture(apart))
    state = apply(GAME, state, Take(0, ("red", "blue"))).state
    assert (state.phase, state.turn) == ("return", 0)
    with pytest.raises(IllegalMove, match="return the red or the blue one"):
        apply(GAME, state, Return(0, "green"))
    assert apply(GAME, state, Return(0, "blue")).state.turn == 1


def test_the_game_ends_with_the_turn_and_a_lead_of_eleven_is_a_double_victory():
    state = state_with_chips(TWO_LINES, "red", "blue", scores=(55, 54))
    state = apply(GAME, state, Exchange(0, (1, 4), (0, 4))).state
    assert (state.phase, state.scores, state.winner) == ("return", (65, 54), None)
    state = apply(GAME, state, Return(0, "blue")).state
    assert (state.phase, state.turn, state.winner, GAME.view(state)["double"]) == ("over", None, 0, True)
    assert GAME.view(apply(GAME, state, Adjust(1, 1)).state)["double"] is False


def test_with_one_figure_the_game_is_over_at_once():
    state = state_with_chips(ONE_TO_A_LINE, "red", "blue", scores=(56, 60))
    state = apply(GAME, state, Exchange(0, (1, 4), (0, 4))).state
    assert (state.phase, state.winner, GAME.view(state)["double"]) == ("over", 0, False)


def test_the_loser_begins_the_next_game_and_all_is_as_at_the_start():
    state = after(Adjust(1, 61), Next())
    assert state == after()
    assert after(Adjust(0, 61), Next()) == after(dealer=1)
    assert after(Adjust(0, 61), Next(), seats=4, dealer=2).turn == 3


def test_an_adjustment_may_go_beyond_the_target_and_not_below_zero():
    step = apply(GAME, after(), Adjust(1, 70))
    assert (step.awards, step.state.winner) == ((Award(1, 70, "adjust"),), 1)
    assert (step.state.scores, GAME.view(step.state)["double"]) == ((0, 70), True)
    with pytest.raises(IllegalMove, match="Red has only 0"):
        apply(GAME, after(), Adjust(0, -1))


def test_a_random_start_is_laid_by_the_players():
    options = {"start": "random"}
    state = after(options=options)
    assert (state.phase, state.turn, GAME.view(state)["display"]) == ("lay", None, ((None,) * 5,) * 5)
    turned = tuple(name for column in zip(*grid.colour_rows(grid.FIXED_START), strict=True) for name in column)
    state = apply(GAME, state, Lay(colours=turned)).state
    assert (state.phase, state.turn, sum(GAME.view(state)["display"], ())) == ("take", 0, turned)
    state = apply(GAME, apply(GAME, state, Adjust(0, 61)).state, Next()).state
    assert (state.phase, state.seat) == ("lay", 1)


@pytest.mark.parametrize(
    ("colours", "says"),
    [
        ((), "five each of red, yellow, green, blue, brown"),
        (("red",) * 25, "five each of"),
        (tuple(c for c in COLOURS for _ in range(5)), "The five red tiles already form a line"),
        (tuple(LETTERS[x] for x in "".join(ONE_TO_A_LINE.split())), "A first exchange could make a red line"),
    ],
)
def test_a_display_that_would_give_a_figure_away_is_refused(colours: tuple[str, ...], says: str):
    with pytest.raises(IllegalMove, match=says):
        apply(GAME, after(options={"start": "random"}), Lay(colours=colours))


def test_the_options_change_what_is_a_figure():
    corner = Exchange(0, (4, 3), (4, 4))
    assert apply(GAME, state_with_chips(ONE_TO_A_DIAGONAL, "red", "blue"), corner).awards == (Award(0, 5, "line"),)
    assert apply(GAME, state_with_chips(ONE_TO_A_DIAGONAL, "red", "blue", diagonals=False), corner).awards == ()
    stairs = after(options={"zigzag": "stairs", "diagonals": "off"})
    assert (stairs.zigzag, stairs.diagonals) == ("stairs", False)


def test_the_view_has_what_everybody_may_know_and_no_more():
    view = GAME.view(after(Take(0, ("red", "blue"))))
    assert not {"count", "dealer", "starter"} & set(view)
    assert len(view["legal"]) == 16
    assert view["stones"]["zigzag"] == dict.fromkeys(COLOURS, 5)
    with pytest.raises(IllegalMove, match="This game has no cards"):
        GAME.interpret_scan(after(), (), parse_card("5H"))
