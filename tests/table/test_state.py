"""The state of the table: how cards, pegs, buttons and phones change it."""

import pytest

from companion.common.errors import IllegalMove
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Next, Play, Undo
from tests.support.table_driver import QUIET_MS, Hands


def deal_with_two_due() -> Hands:
    """Six-card, seat 1 has led a ten and seat 0 made fifteen with a five: Red is due 2."""
    return Hands().play("scan JD TH 5H")


def test_a_jack_cut_scores_heels_for_the_dealer_and_lights_the_hole():
    hands = Hands().play("scan JD")
    assert hands.snapshot.view["scores"] == [2, 0]
    assert [(d.seat, d.points, d.lift, d.place) for d in hands.snapshot.dues] == [(0, 2, "red-start-2", "red-2")]
    assert hands.snapshot.advice[0].kind == "peg_forward"
    assert hands.snapshot.advice[0].say == "Red: back peg to 2."


def test_a_due_ends_when_its_peg_has_rested_in_its_hole():
    hands = Hands().play("scan JD, peg red-start-2 red-2")
    hands.rest(QUIET_MS - 1)
    assert hands.snapshot.dues
    hands.play("rest 1, dues none, stands 0 red-2 red-start-1")
    assert hands.core.light_effects[-1].kind == "right"


def test_a_peg_one_too_far_is_named_with_the_count():
    hands = deal_with_two_due().play("peg red-start-2 red-5, rest")
    over = next(a for a in hands.snapshot.advice if a.kind == "over_pegged")
    assert (over.seat, over.by, over.hole) == (0, 1, "red-5")
    assert over.say == "Red pegged 5, the count is 4 (fifteen two, and his heels is four)."
    assert [d.place for d in hands.snapshot.dues] == ["red-4"]


def test_the_reason_of_the_count_is_said_where_it_is_the_whole_due():
    hands = Hands().play("scan 5D TH 5H, peg red-start-2 red-3, rest")
    assert hands.snapshot.advice[0].say == "Red pegged 3, the count is 2 (fifteen two)."
    hands.play("peg red-3 red-2, rest")
    assert not hands.snapshot.advice


def test_what_is_owed_of_several_cards_and_hands_is_counted_too():
    hands = Hands().play("scan 2D 5S 5C 9H 5H 7D 9S 8C KC")  # a pair in the play, and one in the hand
    hands.play("peg red-start-2 red-10, rest")
    over = next(a for a in hands.snapshot.advice if a.kind == "over_pegged")
    count = "fifteen two, fifteen four, a pair is six, a pair is eight, and last card is nine"
    assert over.say == f"Red pegged 10, the count is 9 ({count})."


def test_the_reason_is_remembered_until_the_peg_is_right():
    hands = Hands().play("scan 5D TH 5H JC, peg red-start-2 red-3, rest")
    assert hands.snapshot.advice[0].say == "Red pegged 3, the count is 2 (fifteen two)."
    hands.play("undo, undo, dues none")


def test_the_reason_of_what_is_left_is_told_after_an_undo_too():
    hands = deal_with_two_due().play("peg red-start-2 red-4, rest, scan 5S 9C")  # Blue's pair, and nothing
    hands.play("undo, peg blue-start-2 blue-3, rest")
    assert hands.snapshot.advice[0].say == "Blue pegged 3, the count is 2 (a pair is two)."


def test_a_game_that_was_won_celebrates_no_longer_once_that_is_undone():
    hands = Hands("pegs-only").play("0 adjusts 120, 0 pegs 1")
    assert [mark.kind for mark in hands.snapshot.light_effects] == ["won"]
    hands.move(Undo())
    assert hands.snapshot.light_effects == ()


def test_a_game_that_is_won_celebrates_until_the_next_begins():
    hands = Hands("pegs-only").play("0 adjusts 121, rest 1000, 1 adjusts 5")
    assert [mark.kind for mark in hands.snapshot.light_effects] == ["won"]
    hands.move(Next())
    assert hands.snapshot.light_effects == ()


def test_undo_lights_the_way_back():
    hands = Hands().play("scan JD, peg red-start-2 red-2, rest, press undo")
    due = hands.snapshot.dues[0]
    assert (due.points, due.lift, due.place) == (-2, "red-2", "red-start-2")
    assert hands.snapshot.advice[0].kind == "peg_back"
    hands.play("peg red-2 red-start-2, rest, dues none")


def test_a_large_correction_back_moves_the_back_peg_first():
    hands = Hands("pegs-only")
    for points, lift, place in ((6, "red-start-2", "red-6"), (4, "red-start-1", "red-10")):
        hands.peg(lift, place)
        hands.rest()
        assert hands.snapshot.last["move"] == {"type": "peg", "seat": 0, "points": points}
    hands.move(Adjust(0, -5))
    assert [(d.lift, d.place) for d in hands.snapshot.dues] == [("red-6", "red-4")]
    hands.play("peg red-6 red-4, rest")
    assert [(d.lift, d.place) for d in hands.snapshot.dues] == [("red-10", "red-5")]
    hands.play("peg red-10 red-5, rest, dues none")


def test_pegs_only_takes_a_peg_for_a_claim_and_its_return_for_undo():
    hands = Hands("pegs-only").play("peg blue-start-2 blue-8, rest")
    hands.play("scores 0 8, peg blue-8 blue-start-2, rest, scores 0 0")
    assert hands.snapshot.last["move"] == {"type": "undo"}


def test_a_peg_from_the_phone_is_due_on_the_board():
    hands = Hands("pegs-only").play("1 pegs 6")
    assert hands.snapshot.dues[0].place == "blue-6"
    hands.play("peg blue-start-2 blue-6, rest, dues none, scores 0 6")


def test_a_card_left_on_the_reader_counts_once():
    hands = Hands().play("scan 5D, rest 1400, scan 5D, rest 1400, scan 5D")
    assert hands.core.past.state.phase == "play"
    assert not hands.snapshot.notices


def test_a_refused_card_is_a_notice_and_changes_nothing():
    hands = Hands().play("scan 5D")
    before = hands.core.past
    hands.play("rest 2000, scan 5D")
    assert hands.core.past is before
    assert "5 of diamonds" in hands.snapshot.notices[-1].say
    hands.scan("ZZ")
    assert hands.snapshot.notices[-1].kind == "refused"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("]Q3XX", "The reader sent ]Q3XX, which is not a card of this deck."),
        ("5Y", "The reader sent 5Y, which is not a card of this deck."),
        ("x" * 25, "The reader sent a code that is not a card of this deck."),
        ("5\N{REPLACEMENT CHARACTER}", "The reader sent a code that is not a card of this deck."),
    ],
)
def test_the_next_card_ends_an_unknown_codes_notice(code, says):
    """The notice quotes what the reader sent, and stays until a card is accepted."""
    hands = Hands().play("scan 5D")
    hands.scan(code)
    assert [notice.say for notice in hands.snapshot.notices] == [says]
    hands.play("press go:9, scan TH")
    assert [notice.source for notice in hands.snapshot.notices] == ["buttons"]


def test_the_other_seats_reader_implies_the_go():
    hands = Hands()
    for code, reader in (("2D", None), ("KH", 1), ("KC", 0), ("4S", 1)):
        hands.scan(code, reader)
    assert hands.snapshot.view["count"] == 24
    hands.scan("7H", 1)
    assert hands.snapshot.last["move"] == {"type": "play", "seat": 1, "card": "7H"}
    assert hands.snapshot.view["played"] == [["KC"], ["KH", "4S", "7H"]]


def test_the_second_next_seats_reader_implies_each_go_between():
    hands = Hands("six-card", seats=4).play("scan 2D KH KC 4S 3S")  # seats 1, 2, 3 and 0: 27
    assert (hands.snapshot.view["turn"], hands.snapshot.view["count"]) == (1, 27)
    hands.scan("AC", reader=3)
    assert hands.snapshot.last["move"] == {"type": "play", "seat": 3, "card": "AC"}
    assert hands.snapshot.view["gone"] == [1, 2]


def test_a_card_on_the_reader_of_a_seat_to_which_the_turn_cannot_come_is_refused():
    hands = Hands("six-card", seats=3).play("scan 2D KH")
    before = hands.core.past
    hands.scan("5C", reader=0)
    assert hands.core.past is before
    assert hands.snapshot.notices[-1].say == (
        "It is Green's turn, and Green cannot say go. The card on Red's reader does not count."
    )
    hands.scan("5D", reader=2)
    assert hands.snapshot.last["move"] == {"type": "play", "seat": 2, "card": "5D"}


def test_a_card_on_the_reader_of_somebody_knocked_out_is_refused():
    hands = Hands("pursuit", seats=3, dealer=2).play("1 adjusts 28, scan 2D 5H TH")  # Blue's fifteen: Green is out
    assert hands.snapshot.view["knocked_out"] == [2]
    hands.play("scan 2S KH KC")
    before = hands.core.past
    hands.scan("9D", reader=2)
    assert (hands.core.past is before, "Green" in hands.snapshot.notices[-1].say) == (True, True)


def test_cards_of_the_crib_lie_until_the_fourth_and_undo_takes_up_the_newest():
    hands = Hands()
    for code in ("2D", "KH", "KC", "QH", "QC", "JH", "JC", "TH", "TC"):
        while hands.snapshot.view["phase"] == "play" and hands.snapshot.view["count"] + parse_card(code).value > 31:
            hands.press(f"go:{hands.snapshot.view['turn']}")
        hands.scan(code)
    assert hands.snapshot.view["phase"] == "crib"
    hands.play("scan AC AD AH")
    assert hands.snapshot.view["crib"] == ["AC", "AD", "AH"]
    hands.move(Undo())
    assert hands.snapshot.view["crib"] == ["AC", "AD"]
    hands.play("scan 3H AS")
    assert hands.snapshot.view["phase"] == "between"
    assert hands.snapshot.view["dealer"] == hands.snapshot.view["turn"] == 1


def test_a_button_that_means_nothing_is_answered_in_words():
    hands = Hands().play("press go:0, press undo, press go:9, press ?")
    assert len(hands.snapshot.notices) == 4
    assert all(n.source == "buttons" and n.say.endswith(".") for n in hands.snapshot.notices)


def test_an_illegal_move_changes_nothing():
    hands = Hands()
    before = hands.core
    with pytest.raises(IllegalMove):
        hands.move(Play(0, parse_card("5H")))
    assert hands.core is before


def test_a_new_game_lights_every_peg_home():
    hands = Hands("pegs-only", options={"target": "61"}, board="classic-61")
    score = 0
    for front, back, points in ((28, "red-start-2", 28), (56, "red-start-1", 28), (61, "red-28", 5)):
        hands.peg(back, f"red-{front}")
        hands.rest(1499)  # longer than any rest before a claim
        score += points
        assert hands.snapshot.view["scores"][0] == score
    assert hands.snapshot.view["winner"] == 0
    hands.move(Next())
    for _ in range(2):
        due = hands.snapshot.dues[0]
        hands.peg(due.lift, due.place)
        hands.rest()
    assert not hands.snapshot.dues
    assert {hands.snapshot.pegs[0].front, hands.snapshot.pegs[0].back} == {"red-start-1", "red-start-2"}


def test_a_starter_from_the_phone_and_its_undo_leave_no_trace():
    hands = Hands().play("cut JH, undo")
    assert hands.core.past.state == Hands().core.past.state
    assert not hands.snapshot.dues


def test_pegs_put_back_offer_undo_as_what_it_is_the_last_move_whoever_made_it():
    # the last move is Blue's, the pegs put back are Red's
    hands = Hands().play("scan 5D TH 5H, peg red-start-2 red-2, rest, scan 5S")
    hands.play("peg red-2 red-start-2, rest 3000")
    first, second, _, take = hands.snapshot.question.choices
    assert (first.say, first.move) == ("Undo the last move.", {"type": "undo"})
    assert (second.say, second.move) == ("Take 2 from Red's score.", {"type": "adjust", "seat": 0, "points": -2})
    assert (take.say, take.move) == ("Take the board as it stands.", {"type": "take_board"})
