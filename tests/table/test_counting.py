"""Manual counting: moving the peg is the claim."""

import pytest

from companion.rules.engine import Award
from companion.rules.moves import Adjust, Claim
from tests.support.table_driver import Hands

CLAIM_MS = 1250
"""A claim is told within this time after its peg came to rest."""
FIFTEEN = ("8S", "TD", "5H")
"""Blue leads a ten, Red makes fifteen with a five."""


def seat_two(**options: str) -> Hands:
    """Two at a table where they count by themselves, after Red has made fifteen."""
    hands = Hands("six-card", options={"counting": "manual", **options})
    for code in FIFTEEN:
        hands.scan(code)
    return hands


def test_points_are_not_due_until_they_are_claimed_and_the_peg_is_the_claim():
    hands = seat_two().play("dues none, peg red-start-2 red-2, rest 1250")
    assert hands.snapshot.last == {
        "move": {"type": "claim", "seat": 0, "points": 2},
        "by": "board",
        "awards": [{"seat": 0, "points": 2, "reason": "claim", "cards": []}],
        "said": ["Red claimed 2."],
        "counts": [{"seat": 0, "points": 2, "cards": [], "say": "Red claims two."}],
    }
    hands.play("scores 2 0, dues none")


def test_a_peg_that_claims_too_much_is_sent_back_to_the_truth():
    hands = seat_two().play("peg red-start-2 red-6, rest 1250")
    assert hands.snapshot.view["scores"] == [2, 0]
    assert [(d.points, d.lift, d.place) for d in hands.snapshot.dues] == [(-4, "red-6", "red-2")]
    hands.play("peg red-6 red-2, rest 1250, dues none")


def test_a_claim_by_phone_is_due_on_the_board():
    hands = seat_two().play("0 claims 2")
    assert [(d.points, d.place) for d in hands.snapshot.dues] == [(2, "red-2")]


def test_who_has_nothing_to_claim_is_asked():
    hands = Hands("six-card", options={"counting": "manual"}).play("scan 8S, peg blue-start-2 blue-3, rest 3000")
    assert hands.snapshot.question is not None
    assert hands.snapshot.view["scores"] == [0, 0]


def test_a_partner_claims_with_the_pegs_of_the_side():
    hands = Hands("six-card", seats=4, options={"counting": "manual"}).play("scan 8S TD 5H, peg red-start-2 red-2")
    hands.play("rest 1250")
    assert hands.snapshot.last is not None
    assert hands.snapshot.last["move"] == {"type": "claim", "seat": 2, "points": 2}


def test_a_short_claim_and_a_full_one_look_alike_while_muggins_may_be_called():
    looks = []
    for hole in ("red-1", "red-2"):
        hands = seat_two(muggins="on")
        hands.peg("red-start-2", hole)
        hands.rest(CLAIM_MS)
        shown = hands.snapshot
        assert shown.view["window"] == 0
        looks.append(
            (shown.dues, shown.advice, shown.question, shown.view["counted"], [m.kind for m in shown.light_effects])
        )
    assert looks[0] == looks[1]


def test_missed_points_are_shown_when_the_window_has_closed():
    hands = seat_two(muggins="on").play("peg red-start-2 red-1, rest 1250, 1 calls 1")
    assert hands.snapshot.view["counted"]["missed"] == 1
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == [(1, 1)]


@pytest.mark.parametrize("gone_on", ["red-1", "red-4", "red-start-2"])
def test_a_hand_that_thinks_again_claims_once(gone_on):
    """Until a claim is told, its peg may go on, go back or be taken back; only where it rests counts."""
    hands = seat_two(overclaim="two")
    hands.carry("red-start-2", gone_on if gone_on != "red-start-2" else "red-3")
    hands.rest(950)
    if gone_on == "red-start-2":
        hands.play("carry red-3 red-start-2, rest 1300, carry red-start-2 red-2")
    else:
        hands.carry(gone_on, "red-2")
    hands.rest(CLAIM_MS)
    claims = [award for award in hands.events if isinstance(award, Award)]
    assert [(award.seat, award.points, award.reason) for award in claims] == [(0, 2, "claim")]
    assert (hands.snapshot.dues, hands.snapshot.question) == ((), None)


@pytest.mark.parametrize("follows", ["card", "tap", "button", "phone", "next act", "another hand"])
def test_a_claim_is_told_when_something_follows(follows):
    """A claim whose peg has rested for the quiet time is told at once when anybody goes on."""
    hands = seat_two().play("peg red-start-2 red-2, rest 450")
    assert hands.snapshot.view["scores"] == [0, 0]
    {
        "card": lambda: hands.scan("9S"),
        "tap": lambda: hands.tap("9S"),
        "button": lambda: hands.press("go:1"),  # it is refused, and the claim stands all the same
        "phone": lambda: hands.move(Adjust(1, 3)),
        "next act": lambda: hands.carry("red-start-1", None),
        "another hand": lambda: hands.carry("blue-start-2", None),
    }[follows]()
    assert hands.snapshot.view["scores"][0] == 2


@pytest.mark.parametrize("overclaim", ["two", "excess"])
@pytest.mark.parametrize("peg", ["red-start-2", "red-start-1"])
def test_a_told_overclaim_stands_and_the_light_is_answered(overclaim, peg):
    """The peg put back where the light asks is the correction; the other side keeps its points, with either peg."""
    hands = seat_two(overclaim=overclaim).play("peg red-start-2 red-6, rest 1250")
    penalty = 2 if overclaim == "two" else 4
    assert hands.snapshot.view["scores"] == [2, penalty]
    hands.play("carry red-6 red-2, rest 300")
    hands.carry(peg.replace("red", "blue"), f"blue-{penalty}")
    hands.rest(CLAIM_MS)
    assert hands.snapshot.view["scores"] == [2, penalty]
    assert (hands.snapshot.dues, hands.snapshot.question) == ((), None)
    assert sum(isinstance(award, Award) and award.reason == "claim" for award in hands.events) == 1


def test_a_wrong_peg_may_go_back_by_its_old_hole():
    """An overclaim corrected over the hole where the peg came from, with the other peg, is the same correction."""
    # claims 5, and 2 are true
    hands = seat_two().play("0 adjusts 4, peg red-start-2 red-4, rest, carry red-start-1 red-9")
    hands.rest(CLAIM_MS)
    assert [(due.points, due.lift, due.place) for due in hands.snapshot.dues] == [(-3, "red-9", "red-6")]
    hands.play("carry red-9 red-start-1, rest 500, carry red-4 red-6, rest 1250, scores 6 0")
    assert (hands.snapshot.dues, hands.snapshot.question) == ((), None)


def muggins_for_blue() -> Hands:
    """Red has claimed 1 of 2, Blue has called muggins and plays a pair: Blue owes a peg of 1 and may claim 2."""
    return seat_two(muggins="on").play("peg red-start-2 red-1, rest 1250")


def test_a_claim_lifted_before_a_due_counts_beside_it():
    """A peg that was in the hand when points became due claims; the points that are due stay due."""
    hands = muggins_for_blue().play("scan 5C, carry blue-start-2 -, 1 adjusts 1, rest 300, carry - blue-2, rest 1250")
    assert hands.snapshot.view["scores"] == [1, 3]
    assert [(due.seat, due.points) for due in hands.snapshot.dues] == [(1, 1)]


def test_a_claim_beside_a_lit_due_is_asked_about():
    """A peg that was lifted after the light and goes elsewhere may claim; the next card asks before it lapses."""
    hands = muggins_for_blue().play("scan 5C, 1 adjusts 1, rest 300, carry blue-start-2 blue-3, rest 450")
    assert hands.snapshot.question is None
    hands.play("scan 9S, scores 1 1")
    assert [choice.move for choice in hands.snapshot.question.choices[:2]] == [
        {"type": "claim", "seat": 1, "points": 2}, {"type": "claim", "seat": 1, "points": 3}
    ]  # fmt: skip


def test_partners_claim_for_the_card_that_scored():
    """Of two partners with open claims, a peg claims for the one who has earned these points."""
    hands = Hands("six-card", seats=4, options={"counting": "manual"})
    hands.play("scan 8S TD 5H 9C 2D")  # seat 2 makes fifteen; after it seat 3 and seat 0 play
    hands.play("peg red-start-2 red-2, rest 1250")
    assert hands.core.past.move == Claim(2, 2)
    assert hands.snapshot.view["scores"] == [2, 0]


def test_points_that_were_due_are_no_part_of_a_claim():
    """A due pegged first and a claim made with the front peg are two things."""
    hands = seat_two().play("0 adjusts 4, rest 300")  # no hand answers a light sooner
    hands.play("peg red-start-2 red-4, rest 450, carry red-4 red-6, rest 1250, scores 6 0")
    assert hands.core.past.move == Claim(0, 2)
