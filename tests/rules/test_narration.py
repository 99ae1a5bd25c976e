"""Moves in sentences: each kind of move once, what it earned, and its undo."""

import pytest

from companion import rules
from companion.rules import Setup, advance, narration
from companion.rules.cards import parse_card, parse_cards
from companion.rules.engine import Award, History
from companion.rules.moves import (
    MOVES,
    Adjust,
    AdjustmentPart,
    Claim,
    Correct,
    Crib,
    Exchange,
    Go,
    Hand,
    Infringement,
    Lay,
    Misdeal,
    Move,
    Muggins,
    Next,
    Peg,
    Place,
    Play,
    Return,
    Roll,
    Rule,
    Starter,
    Steal,
    Swap,
    Take,
    TakeBoard,
    Undo,
)  # fmt: skip
from tests.support.move_notation import parse_story as story

NAMES = ("Red", "Blue", "Green")

DONE: list[tuple[Move, str, str]] = [
    (Starter(parse_card("KS")), "The king of spades was cut.", "Undone: the cut of the king of spades."),
    (Play(0, parse_card("5H")), "Red played the 5 of hearts.", "Undone: Red's 5 of hearts."),
    (Go(1), "Blue said go.", "Undone: Blue's go."),
    (Crib(parse_cards("5H5S")), "The crib: 5 of hearts, 5 of spades.", "Undone: the crib, 5 of hearts, 5 of spades."),
    (Hand(1, parse_cards("AC2C")), "Blue showed ace of clubs, 2 of clubs.", "Undone: Blue's hand."),
    (Claim(0, 8), "Red claimed 8.", "Undone: Red's claim of 8."),
    (Muggins(1, 2), "Blue called muggins for 2.", "Undone: Blue's call of muggins."),
    (Misdeal(), "Misdeal.", "Undone: the misdeal."),
    (Adjust(0, 5), "Red's score was corrected by +5.", "Undone: the correction of Red's score."),
    (Adjust(1, -2, (AdjustmentPart(0, 3), AdjustmentPart(2, -1))),
     "Blue's score was corrected by −2, Red's by +3 and Green's by −1.",
     "Undone: the correction of Blue's, Red's and Green's scores."),
    (Correct(parse_card("5H"), parse_card("6H")),
     "The 5 of hearts was really the 6 of hearts: the deal was counted again.",
     "Undone: the correction of the 5 of hearts."),
    (Roll(0, (4,)), "Red rolled 4.", "Undone: Red's roll of 4."),
    (Roll(1, (3, 4)), "Blue rolled 3 and 4.", "Undone: Blue's roll of 3 and 4."),
    (Steal(0, 2), "Red let the runner on second steal.", "Undone: Red's steal."),
    (Take(0, ("red", "blue")), "Red took red and blue.", "Undone: Red's choice of red and blue."),
    (Exchange(1, (0, 0), (0, 1)), "Blue exchanged two tiles.", "Undone: Blue's exchange."),
    (Return(0, "red"), "Red returned red.", "Undone: Red's return of red."),
    (Lay(parse_cards("5H5S"), parse_card("5D")), "The cards were laid.", "Undone: the layout."),
    (Lay(colours=("red",)), "The tiles were laid.", "Undone: the layout."),
    (Rule(True), "The ruling was accepted.", "Undone: the answer to the ruling."),
    (Infringement(1, "crib-seen"), "The judge was called.", "Undone: the call for the judge."),
    (Swap((0, 0), (0, 1)), "Two cards were swapped.", "Undone: the swap."),
    (Place(parse_card("TD"), (0, 0)), "The 10 of diamonds was placed.", "Undone: the 10 of diamonds."),
    (Peg(1, 6), "Blue pegged 6.", "Undone: Blue's 6 points."),
    (Peg(0, 1), "Red pegged 1.", "Undone: Red's 1 point."),
    (TakeBoard(), "The pegs were accepted as they stand.", "Undone: accepting the pegs as they stood."),
]  # fmt: skip


def make_history(move: Move, *awards: Award) -> History:
    state = rules.begin_game(rules.find_game("six-card"), Setup()).state
    return History(state, History(state), move, awards)


def after(key: str, text: str = "", *moves: Move, **setup: object) -> History:
    """Return the history after a story and some more moves."""
    game = rules.find_game(key)
    past = rules.begin_game(game, Setup(**setup))
    for move in (*story(text), *moves) if text else moves:
        past, _ = advance(game, past, move)
    return past


@pytest.mark.parametrize(("move", "said", "undone"), DONE, ids=lambda value: getattr(value, "kind", ""))
def test_every_move_is_said_and_has_a_name_when_it_is_taken_back(move: Move, said: str, undone: str):
    assert narration.describe_move(make_history(move), NAMES) == (said,)
    assert narration.describe_undo(make_history(move), NAMES) == (undone,)


def test_every_kind_of_move_is_said_above_or_below():
    assert {type(move) for move, _, _ in DONE} | {Next, Undo} == set(MOVES)


@pytest.mark.parametrize(
    ("past", "said", "undone"),
    [
        (after("pegs-only", "", Adjust(0, 121), Next()), "New game.", "Undone: the new game."),
        (after("shuffle", "", Lay(parse_cards("5H5S6D7CJDQCKHTS4C4D6H6S2C4S6C8C"), parse_card("5D")), Next(), seats=1),
         "New layout.", "Undone: the new layout."),
        (after("six-card", "cut 5D; 1 TH; 0 JS; 1 QC; go 0; go 1; 0 KS; 1 2H; 0 9D; 1 3C; 0 4H; crib AC3S4C6D; next"),
         "Next hand.", "Undone: the next hand."),
    ],
)  # fmt: skip
def test_going_on_is_said_by_where_it_led(past: History, said: str, undone: str):
    assert narration.describe_move(past, NAMES) == (said,)
    assert narration.describe_undo(past, NAMES) == (undone,)


def test_what_a_move_earned_follows_hand_by_hand():
    past = after("six-card", "cut JD; 1 5H; 0 TH")
    assert narration.describe_move(past, NAMES) == ("Red played the 10 of hearts.", "Red: fifteen two.")
    assert narration.describe_move(past.parent.parent, NAMES) == (
        "The jack of diamonds was cut.",
        "Red: two for his heels.",
    )


@pytest.mark.parametrize(
    ("move", "award", "more"),
    [
        (Claim(0, 8), Award(0, 8, "claim"), ()),
        (Claim(0, 8), Award(0, 6, "claim"), ("Red claims six.",)),
        (Peg(1, 6), Award(1, 6, "pegged"), ()),
        (Adjust(0, -2), Award(0, -2, "adjust"), ()),
        (Muggins(1, 2), Award(1, 2, "muggins"), ("Blue: muggins for two.",)),
        (Go(1), Award(1, 1, "last card"), ("Blue: one for last.",)),
    ],
)
def test_what_the_move_says_already_is_not_said_again(move: Move, award: Award, more: tuple[str, ...]):
    assert narration.describe_move(make_history(move, award), NAMES)[1:] == more


def test_a_go_that_was_wrong_is_named_with_its_count_and_card():
    past = after("six-card", "cut 5D; 1 TH; 0 JS; 1 4C; go 0; 1 2H; go 1; 0 QH; 1 3C; 0 4H; 0 5C")
    reneges = [each for each in narration.describe_move(past, NAMES) if "said go" in each]
    assert reneges == [
        "Red said go at 24, but held the 4 of hearts.",
        "Red said go at 24, but held the 5 of clubs. No points are taken off. If that was a wrong tap, undo it.",
    ]


def test_a_go_that_was_wrong_gives_points_in_a_tournament_and_says_so():
    moves = "cut 5D; 1 TH; 0 JS; 1 4C; go 0; 1 2H; go 1; 0 QH; 1 3C; 0 4H; 0 5C"
    said = narration.describe_move(after("six-card", moves, options={"policy": "tournament"}), NAMES)
    assert said[-1] == "Red said go at 24, but held the 5 of clubs."
    assert "Blue: two for the renege, the 5 of clubs." in said


def test_the_point_that_ends_a_series_is_for_the_go_and_that_of_the_hand_for_last():
    deal = "cut 5D; 1 TH; 0 JS; 1 QC; go 0; go 1"
    assert narration.describe_move(after("six-card", deal), NAMES) == ("Blue said go.", "Blue: one for the go.")
    last = narration.describe_move(after("six-card", deal + "; 0 KS; 1 2H; 0 9D; 1 3C; 0 4H"), NAMES)
    assert last[1] == "Red: one for last."


def test_the_count_of_the_crib_says_whose_crib_it_is():
    past = after("six-card", "cut 5D; 1 TH; 0 JS; 1 QC; go 0; go 1; 0 KS; 1 2H; 0 9D; 1 3C; 0 4H; crib AC3S4C6D")
    (said,) = narration.describe_move(past, NAMES)[1:]
    assert said.startswith("Red's crib: fifteen two")
    (count,) = narration.describe_last_move(past.parent, past, NAMES)["counts"]
    assert count.say == said


def test_a_hand_or_a_crib_worth_nothing_is_said_to_have_no_points():
    hands = after("six-card", "cut KH; 1 QD; 0 4D; 1 9S; 0 8C; 1 7S; 0 TD; 1 3D; 0 QH")
    assert narration.describe_move(hands, NAMES)[1:] == ("Red: one for last.", "Blue: no points.", "Red: no points.")
    crib, _ = advance(rules.find_game("six-card"), hands, Crib(parse_cards("2S4H6S8H")))
    assert narration.describe_move(crib, NAMES)[1:] == ("Red's crib: no points.",)
    (count,) = narration.describe_last_move(hands, crib, NAMES)["counts"]
    assert (count.seat, count.points, count.cards) == (0, 0, ())


def test_a_hand_of_no_points_is_said_in_its_turn():
    moves = "cut 8H; 1 4C; 2 KC; 0 AC; 1 6S; 2 QH; 0 QS; 1 AH; 2 AS; 0 6D; 1 6C; 2 2H; 0 4D"
    counted = narration.describe_move(after("six-card", moves, seats=3), NAMES)[2:]
    assert [each.split(":")[0] for each in counted] == ["Blue", "Green", "Red"]
    assert counted[1] == "Green: no points."


def test_after_an_undo_the_undo_is_said_and_the_counts_are_those_that_stand():
    game = rules.find_game("six-card")
    before = after("six-card", "cut JD; 1 5H; 0 TH; 1 KS")
    undone, _ = advance(game, before, Undo())
    told = narration.describe_last_move(before, undone, NAMES)
    assert told["said"] == ("Undone: Blue's king of spades.",)
    assert told["undone"] == Play(1, parse_card("KS"))
    assert [each.say for each in told["counts"]] == ["Red: fifteen two."]
    assert narration.describe_last_move(undone.parent, undone, NAMES)["counts"] == told["counts"]


def test_at_the_very_start_nothing_is_counted():
    game = rules.find_game("six-card")
    before = after("six-card", "cut JD")
    undone, _ = advance(game, before, Undo())
    assert narration.describe_last_move(before, undone, NAMES) == {
        "said": ("Undone: the cut of the jack of diamonds.",), "counts": (), "undone": Starter(parse_card("JD")),
    }  # fmt: skip
