"""Six-card cribbage as short stories."""

from dataclasses import replace
from functools import partial

import pytest

from companion.rules import play
from companion.rules.cards import parse_card, parse_cards
from companion.rules.moves import Adjust, Crib, Next, Play, Starter, Undo
from tests.support.stories import Story, refuse_each, story, tell_each

tell = partial(Story, "six-card")
DEAL = "cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 1 JS; 0 QC; 1 4D"
"""Seat 0 deals and makes 15 and 31 in the play; seat 1 has the last card and 8 in its hand, seat 0 has 3."""
HANDS = f"{DEAL}; crib 2H4HTHKH"
RENEGE = "cut 8S; 1 TD; 0 JH; 1 6D; go 0; go 1; 0 3C; 1 9D; 0 KH; 1 8D; go 0; 0 5H"
"""Seat 0 says go at 26 and holds 3C, KH and 5H: two of them fit."""
THREE = "cut 8S; 1 TD; 2 JH; 0 5C; 1 4H; go 2; 0 AS; go 1"
FOURS = (
    "cut 5S; 1 TC; 2 JD; 3 QH; go 0; go 1; go 2; go 3; 0 TS; 1 JC; 2 QD; go 3; go 0; go 1; go 2;"
    "3 KH; 0 JS; 1 QC; go 2; go 3; go 0; go 1; 2 KD; 3 TH; 0 QS; go 1; go 2; go 3; go 0; 1 KC; 2 TD; 3 JH; go 0; 0 KS"
)
FOUR_HANDS = ", ".join(
    f"{seat}+{item}"
    for seat, flush in ((1, "4 flush"), (2, "4 flush"), (3, "4 flush"), (0, "5 flush"))
    for item in [*["2 fifteen"] * 4, "4 run", flush]
)


@tell_each(
    story("a jack cut gives the dealer two", "cut JD", "dealer=1", awards="1+2 his heels", scored="JD", phase="play",
          turn=0, scores=(0, 2)),
    story("his heels can win", "0 adjusts 120; 1 adjusts 91; cut JD", phase="over", winner=0, scores=(121, 91),
          turn=None),
    story("the dealer's left leads and fifteen is two", "cut 8S; 1 5H; 0 TD", awards="0+2 fifteen", scored="5HTD",
          turn=1, count=15),
    story("thirty-one is two, never three, and the next player leads", "cut 8S; 1 TD; 0 JH; 1 AC; 0 QC",
          awards="0+2 thirty-one", count=0, series=(), gone=(), turn=1),
    story("after a go the other plays on alone", "cut 8S; 1 TD; 0 JH; 1 5C; go 0; 1 3C", turn=1),
    story("and takes the last card", "cut 8S; 1 TD; 0 JH; 1 5C; go 0; 1 3C; go 1", awards="1+1 last card",
          scored="3C", turn=0, scores=(0, 1)),
    story("a go does not break a pair", "cut 8S; 1 TD; 0 JH; 1 2C; go 0; 1 2D", awards="1+2 pair"),
    story("nothing reaches back past a reset", "cut 8S; 1 TD; 0 JH; 1 AC; 0 TC; 1 TH", awards=""),
    story("the last card scores on its own line when no other seat can play",
          "cut 8S; 1 TD; 0 JH; 1 5C; 0 2H; go 1; 0 AH; 0 2C", awards="0+1 last card", turn=1),
    story("who still has cards plays on alone", "cut 8S; 1 TD; 0 JH; 1 5C; 0 2H; go 1; 0 AH; 0 2C; 1 KD; 1 QD",
          phase="crib", awards="1+1 last card, 1+2 fifteen, 1+2 fifteen, 1+2 fifteen, 0+2 fifteen, 0+2 pair"),
    story("the hands are counted on the line of the last card, pone first", DEAL, phase="crib",
          awards="1+1 last card, 1+2 fifteen, 1+2 fifteen, 1+3 run, 1+1 his nobs, 0+3 run"),
    story("the crib is the dealer's and the deal passes", f"{DEAL}; crib 8C8D7H2S", phase="between", dealer=1,
          turn=None, awards=", ".join(3 * ["0+2 fifteen"] + 3 * ["0+2 pair"])),
    story("the crib may be told as a number", f"{DEAL}; count_crib 5", phase="between", dealer=1, awards="0+5 claim"),
    story("a crib needs five for its flush", HANDS, awards=""),
    story("next begins the next hand", f"{HANDS}; next; cut 2D", phase="play", dealer=1, turn=0, played=((), ())),
    story("a starter begins it too", f"{HANDS}; cut 2D", phase="play", dealer=1, turn=0, played=((), ())),
    story("the game ends in pone's hand, counted whole, and the dealer does not count",
          f"1 adjusts 118; 0 adjusts 115; {DEAL}", winner=1, scores=(119, 121),
          awards="1+1 last card, 1+2 fifteen, 1+2 fifteen, 1+3 run, 1+1 his nobs"),
    story("a card is counted whole and no series goes on when it has won", "0 adjusts 119; cut 8S; 1 5H; 0 TD",
          phase="over", winner=0, awards="0+2 fifteen", count=0, series=(), gone=(),
          played=(parse_cards("TD"), parse_cards("5H"))),
    story("tournaments give three game points for a skunk", "0 adjusts 61; 1 adjusts 121", "game_points=2,3,3",
          game_points=3),
    story("and for a double one", "0 adjusts 60; 1 adjusts 121", "game_points=2,3,3", game_points=3),
    story("two for a game", "0 adjusts 91; 1 adjusts 121", "game_points=2,3,3", game_points=2),
    story("three players play round the table, and who laid the latest card goes on", THREE, "seats=3", awards="",
          turn=0),
    story("and the next clockwise leads", f"{THREE}; go 0", "seats=3", awards="0+1 last card", turn=1),
    story("partners share a score", "cut JD; 2 5H; 3 TD; 0 5C", "seats=4 dealer=1", scores=(0, 4)),
    story("partners play round the table", "cut 8D; 2 5H; 3 TD; 0 JC; 1 6D", "seats=4 dealer=1", scores=(0, 4), turn=2,
          awards="1+2 thirty-one"),
    story("four hands are shown clockwise, the dealer's last", FOURS, "seats=4", phase="crib",
          awards=f"0+1 last card, {FOUR_HANDS}, 0+1 his nobs"),
    story("the loser of two deals", "1 adjusts 121; next", dealer=0, scores=(0, 0)),
    story("by option the winner", "1 adjusts 121; next", "first_deal=winner", dealer=1),
    story("with three the deal goes on", "cut 5D; 2 adjusts 121; next", "seats=3 dealer=1", dealer=2),
    story("with four too", "cut 5D; 2 adjusts 121; next", "seats=4 dealer=1", dealer=2),
    story("a go that was none is not named early",
          "cut 8S; 1 TD; 0 JH; 1 2D; go 0; go 1; 0 3C; 1 KD; 0 6H; 1 9D; go 0", notes={}),
    story("but when the hand is known",
          "cut 8S; 1 TD; 0 JH; 1 2D; go 0; go 1; 0 3C; 1 KD; 0 6H; 1 9D; go 0; 0 4H",
          awards="0+1 last card, 1+3 run, 1+4 flush, 0+2 fifteen",
          reneges=tuple(play.Renege(0, 22, c) for c in parse_cards("3C6H4H"))),
    story("a penalty comes before any hand and may win", f"1 adjusts 115; {RENEGE}", "policy=tournament", winner=1,
          awards="0+1 last card, 1+2 renege, 1+2 renege", scores=(1, 121)),
    story("an honest go is not a renege",
          "cut 8S; 1 TD; 0 JH; 1 6D; go 0; go 1; 0 9C; 1 KD; 0 8H; go 1; go 0; 1 KS; 0 7H", phase="crib", notes={}),
    story("a misdeal undoes every point but adjustments", "0 adjusts 7; cut JD; 1 5H; 0 TC; 1 adjusts 3; misdeal",
          phase="cut", dealer=0, scores=(7, 3), awards="", starter=None),
    story("it leaves no score below nothing", "0 adjusts 5; cut JD; 0 adjusts -6; misdeal", scores=(0, 0)),
    story("all adjustments stay, even where one alone would be below nothing",
          "0 adjusts 5; cut JD; 0 adjusts -7; 0 adjusts 3; misdeal", scores=(1, 0)),
    story("after the play it undoes the hands too", f"{DEAL}; misdeal", scores=(0, 0)),
    story("then the same cards may come again", "cut 5D; 1 5H; misdeal; cut 5H; 1 5D", phase="play"),
    *[story(f"an adjustment is one award: {n}", f"{before}; 1 adjusts 20", awards="1+20 adjust")
      for n, before in enumerate(("", "cut 5D", DEAL, HANDS, "0 adjusts 121"))],
    story("an adjusted winner stays the winner", "0 adjusts 121; 0 adjusts -21; 1 adjusts 121", phase="over", winner=0,
          scores=(100, 121)),
)  # fmt: skip
def test_six_card_is_played_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


@pytest.mark.parametrize(
    ("target", "loser", "skunk", "game_points"),
    [
        ("121", 91, None, 1), ("121", 90, "skunk", 2), ("121", 61, "skunk", 2), ("121", 60, "double skunk", 4),
        ("61", 31, None, 1), ("61", 30, "skunk", 2), ("61", 0, "skunk", 2),
    ],
)  # fmt: skip
def test_skunks(target, loser, skunk, game_points):
    lost = f"0 adjusts {loser}; " if loser else ""
    tell(f"{lost}1 adjusts {target}", f"target={target}").check(winner=1, skunk=skunk, game_points=game_points)


def test_three_players_have_skunks_by_side():
    view = tell("0 adjusts 90; 1 adjusts 121; 2 adjusts 91", "seats=3").view
    assert view["skunks"] == ["skunk", None, None]
    assert "game_points" not in view


def test_an_adjusted_end_keeps_the_dealer():
    state = tell("2 adjusts 120", "seats=3 dealer=2").state
    between = tell(start=replace(state, deal=replace(state.deal, phase="counted")))
    between.check(phase="between", dealer=0)
    between.make(Adjust(2, 1)).check(dealer=2)
    between.make(Next()).check(dealer=0)


def test_tournaments_give_two_for_each_card_that_fitted():
    told = tell(RENEGE, "policy=tournament")
    assert told.awards.startswith("0+1 last card, 1+2 renege, 1+2 renege, ")
    assert [award.cards for award in told.step.awards[1:3]] == [parse_cards("3C"), parse_cards("5H")]
    told.check(phase="crib")


def test_undo_goes_back_across_games():
    told, states = tell(), []
    for moves in f"{HANDS}; cut JC; 0 adjusts 121; next; cut 2D; 0 5S; misdeal".split(";"):
        states.append(told.state)
        told.tell(moves)
    for state in reversed(states):
        told.make(Undo())
        assert (told.state, told.awards) == (state, "")
    assert "nothing left to undo" in told.refuse(Undo())


@refuse_each(f"""
| 1 5H | Cut the starter first.
| misdeal | Cut the starter first
| next | Cut the starter first
| 0 shows 5H5S5C5D | Six-card cribbage has no hand.
| 0 shows 5H5S5CJD | Six-card cribbage has no hand.
| 0 pegs 2 | Six-card cribbage has no peg.
| cut 5D; cut 6D | The play is still on.
| cut 5D; 0 5H | It is Blue's turn.
| cut 5D; 2 5H | There is no such seat
| cut 5D; go 7 | There is no such seat
| cut 5D; go 1 | You cannot say go at 0: any card fits.
| cut 5D; 1 5D | The 5 of diamonds has already been seen in this deal.
| cut 5D; 1 TD; 0 AC; 1 TD | The 10 of diamonds has already been seen
| cut 5D; 1 TD; 0 AC; 1 TC; go 0 | You cannot say go at 21
| cut 5D; 1 TD; 0 JC; 1 2C; 0 KH | The king of hearts would make 32: the count
| cut 5D; 1 TD; 0 JC; 1 2C; go 0; go 0 | It is Blue's turn.
| cut 5D; 1 TD; 0 JC; 1 2C; crib 2H4HTHKH | The play is still on
| {DEAL}; crib 2H4HTH | The crib has four cards, not 3.
| {DEAL}; crib 2H4HTH2H | The 2 of hearts has already been seen
| {DEAL}; crib 2H4HTH8S | The 8 of spades has already been seen
| {DEAL}; crib 2H4HTHJS | The jack of spades has already been seen
| {DEAL}; count_crib 19 | No hand is worth 19.
| {DEAL}; count_crib -1 | No hand is worth -1.
| {DEAL}; next | Turn up the crib first.
| {HANDS}; misdeal | The hand is over.
| 0 adjusts 121; cut 5D | The game is over.
| 0 adjusts 119; cut 8S; 1 5H; 0 TD; 1 9C | The game is over
| 0 adjusts 5; 0 adjusts -6 | Red has only 5: a score cannot go below 0.
| 2 adjusts 1 | the seats are 0 to 1
seats=4 dealer=1 | cut 5D; 2 TD; 0 5H | It is Blue's partner's turn
""")
def test_every_refusal_is_a_sentence_and_changes_nothing(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


@pytest.mark.parametrize(
    ("moves", "lying", "card", "expected"),
    [
        ("", "", "5D", Starter(parse_card("5D"))),
        ("cut 5D", "", "6D", Play(1, parse_card("6D"))),
        (DEAL, "2H4H", "TH", None),
        (DEAL, "2H4HTH", "KH", Crib(parse_cards("2H4HTHKH"))),
        (HANDS, "", "6D", Starter(parse_card("6D"))),
        (DEAL, "2H", "2H", "The 2 of hearts has already been seen"),
        (DEAL, "", "JS", "The jack of spades has already been seen"),
        ("0 adjusts 121", "", "2H", "The game is over"),
    ],
)
def test_a_scanned_card_is_what_the_phase_awaits(moves, lying, card, expected):
    tell(moves).check_scan(card, expected, lying)
