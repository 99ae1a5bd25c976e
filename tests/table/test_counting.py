"""Manual counting: moving the peg is the claim."""

import pytest

from companion.rules.engine import Award
from companion.rules.moves import Adjust, Claim, Muggins
from tests.support.table_driver import Hands

FIFTEEN = ("8S", "TD", "5H")
"""Blue leads a ten, Red makes fifteen with a five."""


def seat_two(**options: str) -> Hands:
    """Two at a table where they count by themselves, after Red has made fifteen."""
    hands = Hands("six-card", options={"counting": "manual", **options})
    for code in FIFTEEN:
        hands.scan(code)
    return hands


def test_points_are_not_due_until_they_are_claimed_and_the_peg_is_the_claim():
    hands = seat_two()
    assert not hands.snapshot.dues
    hands.peg("red-start-2", "red-2")
    hands.rest()
    assert hands.snapshot.last == {
        "move": {"type": "claim", "seat": 0, "points": 2},
        "by": "board",
        "awards": [{"seat": 0, "points": 2, "reason": "claim", "cards": []}],
        "said": ["Red claimed 2."],
        "counts": [{"seat": 0, "points": 2, "cards": [], "say": "Red: claims two."}],
    }
    assert hands.snapshot.view["scores"] == [2, 0]
    assert not hands.snapshot.dues


@pytest.mark.parametrize("then", ["card", "tap", "button"])
def test_a_claim_that_rests_is_made_before_the_card_or_the_button_that_follows(then):
    hands = seat_two()
    hands.carry("red-start-2", "red-1")
    hands.rest(250)
    hands.carry("red-1", "red-2")  # a peg that touched another hole is waited for longer
    hands.rest(450)
    assert hands.snapshot.view["scores"] == [0, 0]
    if then == "card":
        hands.scan("9S")
    elif then == "tap":
        hands.tap("9S")
    else:
        hands.press("go:1")  # it is refused, and the claim stands all the same
    assert hands.snapshot.view["scores"] == [2, 0]
    claim = next(told for told in hands.events if isinstance(told, Award))
    assert (claim.seat, claim.points) == (0, 2)


def test_a_peg_that_claims_too_much_is_sent_back_to_the_truth():
    hands = seat_two()
    hands.peg("red-start-2", "red-6")
    hands.rest()
    assert hands.snapshot.view["scores"] == [2, 0]
    assert [(d.points, d.lift, d.place) for d in hands.snapshot.dues] == [(-4, "red-6", "red-2")]
    hands.peg("red-6", "red-2")
    hands.rest()
    assert not hands.snapshot.dues


def test_a_claim_by_phone_is_due_on_the_board():
    hands = seat_two()
    hands.move(Claim(0, 2))
    assert [(d.points, d.place) for d in hands.snapshot.dues] == [(2, "red-2")]


def test_who_has_nothing_to_claim_is_asked():
    hands = Hands("six-card", options={"counting": "manual"})
    hands.scan("8S")
    hands.peg("blue-start-2", "blue-3")
    hands.rest(3000)
    assert hands.snapshot.question is not None
    assert hands.snapshot.view["scores"] == [0, 0]


def test_a_partner_claims_with_the_pegs_of_the_side():
    hands = Hands("six-card", seats=4, options={"counting": "manual"})
    for code in ("8S", "TD", "5H"):
        hands.scan(code)
    hands.peg("red-start-2", "red-2")
    hands.rest()
    assert hands.snapshot.last is not None
    assert hands.snapshot.last["move"] == {"type": "claim", "seat": 2, "points": 2}


def test_a_short_claim_and_a_full_one_look_alike_while_muggins_may_be_called():
    looks = []
    for hole in ("red-1", "red-2"):
        hands = seat_two(muggins="on")
        hands.peg("red-start-2", hole)
        hands.rest()
        shown = hands.snapshot
        assert shown.view["window"] == 0
        looks.append(
            (shown.dues, shown.advice, shown.question, shown.view["counted"], [m.kind for m in shown.light_effects])
        )
    assert looks[0] == looks[1]


def test_missed_points_are_shown_when_the_window_has_closed():
    hands = seat_two(muggins="on")
    hands.peg("red-start-2", "red-1")
    hands.rest()
    hands.move(Muggins(1, 1))
    assert hands.snapshot.view["counted"]["missed"] == 1
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == [(1, 1)]


def claim_in_two_steps(first: str, then: str, between: str = "", **options: str) -> Hands:
    """Red rests a peg in the first hole until that is taken for the claim, and goes on to another one."""
    hands = seat_two(**options)
    hands.carry("red-start-2", first)
    hands.rest(450)
    assert isinstance(hands.core.past.move, Claim)
    if between == "card":
        hands.scan("9S")
    elif between == "muggins":
        hands.move(Muggins(1, 1))
    elif between == "adjust":
        hands.move(Adjust(1, 3))
    hands.rest(200)
    hands.carry(first, then)
    hands.rest(1200)
    return hands


@pytest.mark.parametrize("between", ["", "card", "muggins", "adjust"])
def test_a_claim_that_was_only_a_touch_becomes_what_its_peg_goes_on_to(between):
    hands = claim_in_two_steps("red-1", "red-2", between, muggins="on")
    assert hands.snapshot.view["scores"] == [2, 3 if between == "adjust" else 0]
    assert sum(map(len, hands.snapshot.view["played"])) == 2 + (between == "card")
    assert hands.snapshot.question is None
    assert [due.seat for due in hands.snapshot.dues] == ([1] if between == "adjust" else [])


@pytest.mark.parametrize("overclaim", ["correct", "two", "excess"])
def test_a_touch_beyond_the_truth_costs_nothing_when_the_peg_goes_back_to_it(overclaim):
    hands = claim_in_two_steps("red-4", "red-2", overclaim=overclaim)
    assert hands.snapshot.view["scores"] == [2, 0]
    assert (hands.snapshot.dues, hands.snapshot.question) == ((), None)


def test_a_touch_that_is_taken_back_claims_nothing():
    hands = claim_in_two_steps("red-2", "red-start-2")
    assert hands.snapshot.view["scores"] == [0, 0]
    assert (hands.snapshot.dues, hands.snapshot.question) == ((), None)
    hands.peg("red-start-2", "red-2")
    hands.rest(1200)
    assert hands.snapshot.view["scores"] == [2, 0]


def test_a_claim_goes_on_by_several_touches():
    hands = claim_in_two_steps("red-1", "red-3")
    hands.rest(100)
    assert hands.snapshot.view["scores"] == [2, 0]
    hands.peg("red-3", "red-2")
    hands.rest(1200)
    assert (hands.snapshot.view["scores"], hands.snapshot.dues) == ([2, 0], ())


def test_points_that_were_due_are_no_part_of_a_claim_that_goes_on():
    hands = seat_two()
    hands.move(Adjust(0, 4))
    hands.peg("red-start-2", "red-4")
    hands.rest(450)
    hands.carry("red-4", "red-6")
    hands.rest(1200)
    assert hands.snapshot.view["scores"] == [6, 0]
    assert hands.core.past.move == Claim(0, 2)
