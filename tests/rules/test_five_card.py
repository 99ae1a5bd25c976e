"""Five-card cribbage as short stories."""

from functools import partial

import pytest

from companion.rules.cards import parse_cards
from companion.rules.moves import Hand
from tests.support.stories import Story, refuse_each, story, tell_each

tell = partial(Story, "five-card")
STOPPED = "cut 2C; 1 TH; 0 KD; 1 9C; go 0; go 1"
"""At 29 nobody can play: the play is over, and both hold a card that nobody has seen."""
SHOWN = f"{STOPPED}; 1 shows TH9C8D; 0 shows KDKC4S"
ENDED = "cut 2C; 1 9H; 0 2D; 1 9D; 0 5C; 1 5D; go 0"
"""Seat 1's pair was never claimed: the play has ended, so that is 0."""
MANUAL = "counting=manual muggins=on"


@tell_each(
    story("the pone has three before the first move", "", scores=(0, 3)),
    story("whoever it is", "", "dealer=1", scores=(3, 0)),
    story("a misdeal keeps them", "cut JC; misdeal", scores=(0, 3)),
    story("next says three for last", "0 adjusts 61; next", awards="0+3 three for last", dealer=1, scores=(3, 0)),
    story("the play ends when no player can continue", STOPPED, awards="1+1 last card", phase="show", turn=1),
    story("the play ends for good at 31", "cut 2C; 1 TH; 0 KD; 1 AC; 0 JC", awards="0+2 thirty-one", phase="show",
          turn=1, count=0),
    story("hands may be entered early", f"{STOPPED}; 0 shows KDKCKS", awards="", phase="show", turn=1),
    story("and are counted in show order", f"{STOPPED}; 0 shows KDKCKS; 1 shows TH9C8D", phase="crib", scores=(6, 7),
          awards="1+3 run, 0+2 pair, 0+2 pair, 0+2 pair"),
    story("a hand that the play showed whole is not entered", "cut 2C; 1 7H; 0 7D; 1 8C; 0 6C; 1 3S", phase="show",
          turn=0, awards="1+2 thirty-one, 1+2 fifteen"),
    story("a go that was none is named with the hand", f"{STOPPED}; 0 shows KDAC2H", "policy=tournament",
          awards="1+2 renege, 1+2 renege", scored="AC 2H"),
    story("a go that ends the play leaves its point", ENDED, MANUAL, phase="claim", turn=1),
    story("to claim", f"{ENDED}; 1 claims 3", MANUAL, awards="1+1 claim"),
    story("to call", f"{ENDED}; 0 calls 1", MANUAL, awards="0+1 muggins"),
    story("and no more", f"{ENDED}; 0 calls 2", MANUAL, awards="1+2 muggins"),
    story("a crib of four in a suit is no flush", f"{SHOWN}; crib 4C6CQCAD", awards="0+2 fifteen"),
    story("of five it is", f"{SHOWN}; crib 4C6CQCAC", awards="0+2 fifteen, 0+5 flush"),
)  # fmt: skip
def test_five_card_is_played_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


def test_a_renege_is_noted_with_its_count():
    notes = tell(f"{STOPPED}; 0 shows KDAC2H").step.notes
    assert [(renege.count, str(renege.card)) for renege in notes["reneges"]] == [(29, "AC"), (29, "2H")]


@refuse_each(f"""
| {STOPPED}; 1 shows TH9C | A hand has 3 cards, not 2.
| {STOPPED}; 1 shows TH8C8D | The 9 of clubs was played from that hand, but is not among these cards.
| {STOPPED}; 1 shows TH9C2C | The 2 of clubs has already been seen in this deal.
| {STOPPED}; 1 shows TH9CKD | The king of diamonds has already been seen in this deal.
| {STOPPED}; 1 shows TH9C9C | That hand has the same card twice.
""")
def test_a_hand_that_cannot_be_is_refused(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


@pytest.mark.parametrize(
    ("moves", "card", "expected"),
    [
        (STOPPED, "8D", Hand(1, parse_cards("TH9C8D"))),
        ("cut 2C; 1 TH; 0 KD; 1 AC; 0 JC", "8D", Hand(1, parse_cards("THAC8D"))),
        (STOPPED, "KD", "already been seen"),
    ],
)
def test_scanned_cards_make_the_next_hand(moves, card, expected):
    tell(moves).check_scan(card, expected)
