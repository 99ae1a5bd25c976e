"""Five-card cribbage as short stories."""

from typing import Any

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Award, Setup, Step, advance, cribbage
from companion.rules.cards import parse_card, parse_cards
from companion.rules.cribbage import CribbageState
from companion.rules.moves import Adjust, Claim, Crib, Go, Hand, Misdeal, Move, Muggins, Next, Play, Starter

GAME = cribbage.FIVE_CARD


def after(*moves: Move, **setup: Any) -> Step[CribbageState]:
    past = rules.begin_game(GAME, Setup(**setup))
    step: Step[CribbageState] = Step(past.state)
    for move in moves:
        past, step = advance(GAME, past, move)
    return step


def plays(text: str) -> list[Move]:
    """Return the moves of the play written as `1 TH, 0 KD, go 1`."""
    words = [part.split() for part in text.split(",")]
    return [Go(int(w[1])) if w[0] == "go" else Play(int(w[0]), parse_card(w[1])) for w in words]


STOPPED = [Starter(parse_card("2C")), *plays("1 TH, 0 KD, 1 9C, go 0, go 1")]
"""At 29 nobody can play: the play is over, and both hold a card that nobody has seen."""


def test_the_pone_has_three_before_the_first_move_and_a_misdeal_keeps_them():
    assert after().state.scores == (0, 3)
    assert after(dealer=1).state.scores == (3, 0)
    assert after(Starter(parse_card("JC")), Misdeal()).state.scores == (0, 3)


def test_three_for_last_is_said_by_the_next_that_begins_a_later_game():
    step = after(Adjust(0, 61), Next())
    assert step.awards == (Award(0, 3, "three for last"),)
    assert (step.state.dealer, step.state.scores) == (1, (3, 0))


def test_the_play_ends_when_no_player_can_continue():
    step = after(*STOPPED)
    assert [(a.seat, a.points, a.reason) for a in step.awards] == [(1, 1, "last card")]
    assert (step.state.phase, step.state.turn) == ("show", 1)


def test_the_play_ends_for_good_at_31():
    step = after(Starter(parse_card("2C")), *plays("1 TH, 0 KD, 1 AC, 0 JC"))
    assert [(a.points, a.reason) for a in step.awards] == [(2, "thirty-one")]
    assert (step.state.phase, step.state.turn, step.state.deal.play.count) == ("show", 1, 0)  # type: ignore[union-attr]


def test_hands_may_be_entered_in_either_order_and_are_counted_in_show_order():
    early = after(*STOPPED, Hand(0, parse_cards("KDKCKS")))
    assert (early.awards, early.state.phase, early.state.turn) == ((), "show", 1)
    step = after(*STOPPED, Hand(0, parse_cards("KDKCKS")), Hand(1, parse_cards("TH9C8D")))
    assert [(a.seat, a.reason) for a in step.awards] == [(1, "run"), (0, "pair"), (0, "pair"), (0, "pair")]
    assert (step.state.phase, step.state.scores) == ("crib", (6, 7))


def test_a_hand_that_the_play_showed_whole_is_counted_without_being_entered():
    step = after(Starter(parse_card("2C")), *plays("1 7H, 0 7D, 1 8C, 0 6C, 1 3S"))
    assert step.state.phase == "show"
    assert (step.state.turn, {a.seat for a in step.awards}) == (0, {1})


@pytest.mark.parametrize(
    ("seat", "text", "why"),
    [
        (1, "TH9C", "A hand has 3 cards, not 2."),
        (1, "TH8C8D", "The 9 of clubs was played from that hand, but is not among these cards."),
        (1, "TH9C2C", "The 2 of clubs has already been seen in this deal."),
        (1, "TH9CKD", "The king of diamonds has already been seen in this deal."),
        (1, "TH9C9C", "That hand has the same card twice."),
    ],
)
def test_a_hand_that_cannot_be_is_refused(seat: int, text: str, why: str):
    with pytest.raises(IllegalMove, match=why):
        after(*STOPPED, Hand(seat, parse_cards(text)))


def test_a_go_that_was_none_is_named_when_the_hand_is_entered():
    step = after(*STOPPED, Hand(0, parse_cards("KDAC2H")), options={"policy": "tournament"})
    assert [(r.count, str(r.card)) for r in step.notes["reneges"]] == [(29, "AC"), (29, "2H")]
    assert step.awards == (Award(1, 2, "renege", parse_cards("AC")), Award(1, 2, "renege", parse_cards("2H")))


def test_when_a_go_ends_the_play_only_its_point_is_left_to_claim_or_to_call():
    # Seat 1's pair was never claimed: the play has ended, so that is 0.
    manual = {"counting": "manual", "muggins": "on"}
    ended = [Starter(parse_card("2C")), *plays("1 9H, 0 2D, 1 9D, 0 5C, 1 5D, go 0")]
    step = after(*ended, options=manual)
    assert (step.state.phase, step.state.turn) == ("claim", 1)
    assert after(*ended, Claim(1, 3), options=manual).awards == (Award(1, 1, "claim"),)
    assert after(*ended, Muggins(0, 1), options=manual).awards == (Award(0, 1, "muggins"),)
    assert after(*ended, Muggins(0, 2), options=manual).awards == (Award(1, 2, "muggins"),)


def test_a_crib_counts_a_flush_of_all_five_only():
    hands = [Hand(1, parse_cards("TH9C8D")), Hand(0, parse_cards("KDKC4S"))]
    four, five = (after(*STOPPED, *hands, Crib(parse_cards(text))) for text in ("4C6CQCAD", "4C6CQCAC"))
    assert "flush" not in [a.reason for a in four.awards]
    assert ("flush", 5) in [(a.reason, a.points) for a in five.awards]


def test_scanned_cards_of_the_show_make_the_hand_of_who_is_asked():
    state = after(*STOPPED).state
    assert GAME.interpret_scan(state, (), parse_card("8D")) == Hand(1, parse_cards("TH9C8D"))
    longer = after(Starter(parse_card("2C")), *plays("1 TH, 0 KD, 1 AC, 0 JC")).state
    assert GAME.interpret_scan(longer, (), parse_card("8D")) == Hand(1, parse_cards("THAC8D"))
    with pytest.raises(IllegalMove, match="already been seen"):
        GAME.interpret_scan(state, (), parse_card("KD"))
