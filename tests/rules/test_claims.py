"""Manual counting (counting=manual): claims, muggins, overclaims and false claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.rules.claims import resolve_claim
from companion.rules.match_terms import PenaltyPolicy
from tests.support.stories import Story, refuse_each, story, tell_each

TOURNAMENT = PenaltyPolicy(is_tournament=True)
PLAY = "cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 1 JS; 0 QC; 1 4D"
"""Seat 0 makes 15 and 31 in the play, seat 1 has the last card; seat 1's hand is worth 8, seat 0's 3."""
SHOW = f"{PLAY}; 1 claims 1; 1 claims 8"
SHORT = f"{PLAY}; 1 claims 1; 1 claims 6"
FIFTEEN = "cut 8S; 1 5H; 0 TD"
OPEN = "cut 9S; 1 KH; 0 KD; 1 KC; go 0; go 1; 0 QD; 1 JH; 0 2D; 1 2C"


def tell(moves="", setup=""):
    return Story("six-card", moves, f"counting=manual {setup}")


@tell_each(
    story("nothing is given that is not claimed", f"{FIFTEEN}; 1 6C", awards="", scores=(0, 0), phase="play"),
    story("his heels need no claim", "cut JS", awards="0+2 his heels"),
    story("a claim is for the latest card", f"{FIFTEEN}; 1 6C; 0 claims 2", awards="0+2 claim"),
    story("until that seat plays again", f"{FIFTEEN}; 1 6C; 0 9D; 0 claims 2", scores=(0, 0)),
    story("the card that ends the play must be claimed", PLAY, phase="claim", turn=1),
    story("with the point of the last card", f"{PLAY}; 1 claims 1", awards="1+1 claim", phase="claim", turn=1),
    story("then the hands in show order", SHOW, phase="claim", turn=0),
    story("even 0", f"{SHOW}; 0 claims 0", awards="", phase="crib"),
    story("then the crib", f"{SHOW}; 0 claims 0; crib 2H2D3S3H", awards="", phase="claim", turn=0),
    story("and the hand is over", f"{SHOW}; 0 claims 0; crib 2H2D3S3H; 0 claims 4", phase="between"),
    story("an overclaim is corrected", f"{FIFTEEN}; 0 claims 5", "overclaim=correct", scores=(2, 0)),
    story("or costs two", f"{FIFTEEN}; 0 claims 5", "overclaim=two", scores=(2, 2)),
    story("or the excess", f"{FIFTEEN}; 0 claims 5", "overclaim=excess", scores=(2, 3)),
    story("what was missed is called", f"{SHORT}; 0 calls 2", "muggins=on", awards="0+2 muggins"),
    story("a wrong call gives the points to the other side", f"{SHOW}; 0 calls 2", "muggins=on", awards="1+2 muggins"),
    story("points not claimed are called after the card", f"{FIFTEEN}; 1 calls 2", "muggins=on", awards="1+2 muggins"),
    story("a call on the card that ended the play settles its claim", f"{PLAY}; 0 calls 1", "muggins=on",
          awards="0+1 muggins", phase="claim", turn=1),
    story("the point of another's go joins an open claim", f"{OPEN}; go 0; 1 claims 3", awards="1+3 claim"),
    story("or comes after it", f"{OPEN}; 1 claims 2; go 0; 1 claims 2", awards="1+1 claim"),
    story("who has the points claims the game truly", f"1 adjusts 115; {PLAY}; 1 claims 0; 1 claims 12",
          "policy=tournament", winner=1),
    story("a false claim of the game goes fifteen back",
          f"0 adjusts 116; {PLAY}; 1 claims 0; 1 claims 8; 0 claims 6", "policy=tournament",
          awards="0-12 false claim, 1+2 overclaim", scores=(104, 10)),
    story("a misdeal takes back what was claimed", f"0 adjusts 5; {PLAY}; 1 claims 1; misdeal", scores=(5, 0)),
)  # fmt: skip
def test_claims_are_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


@refuse_each(f"""
| {FIFTEEN}; 0 claims 2; 0 claims 2 | Red has nothing to claim now
| {PLAY}; 0 claims 2 | It is Blue's turn to claim
| {PLAY}; 1 claims 1; 1 claims 19 | No hand is worth 19
| {PLAY}; 1 claims 1; 1 claims 25 | No hand is worth 25
| {PLAY}; 1 claims 1; 1 claims 26 | No hand is worth 26
| {PLAY}; 1 claims 1; 1 claims 27 | No hand is worth 27
| {PLAY}; 1 claims 1; 1 claims 30 | No hand is worth 30
| {PLAY}; 1 claims 1; 1 claims -1 | cannot be below 0
muggins=on | {SHORT}; 0 calls 2; 0 calls 1 | nothing to call
muggins=on | {SHORT}; 0 adjusts 1; 0 calls 2 | nothing to call
| {SHORT}; 0 calls 2 | not played
muggins=on | {FIFTEEN}; 1 calls 2; 0 claims 2 | Red has nothing to claim now
muggins=on | {FIFTEEN}; 0 calls 2 | own side
muggins=on | cut 8S; 1 5H; 0 9D; 1 calls 2 | nothing to call
counting=auto | cut 5D; 0 claims 2 | The companion counts
""")
def test_what_cannot_be_claimed_or_called(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


def test_a_settled_claim_counts_as_a_hand():
    assert tell(f"{PLAY}; 0 calls 1", "muggins=on").state.deal.hands_counted == 1


def test_no_truth_is_shown_before_the_window_closed():
    short, full = (tell(moves, "muggins=on").view | {"scores": None} for moves in (SHORT, SHOW))
    assert short == full
    assert short["window"] == 1
    shut = tell(f"{SHORT}; 0 claims 3", "muggins=on").view["counted"]
    assert (shut["claimed"], shut["missed"]) == (6, 2)


def test_without_muggins_the_true_count_is_shown():
    counted = tell(SHORT).view["counted"]
    assert (counted["seat"], counted["claimed"], counted["missed"]) == (1, 6, 2)
    assert sum(award.points for award in counted["awards"]) == 8
    assert counted["say"].startswith("Blue claimed 6, 2 missed: fifteen two, ")


POINTS, SCORES = some.integers(0, 29), some.integers(0, 120)
POLICIES = some.builds(PenaltyPolicy, some.sampled_from(["correct", "two", "excess"]), some.booleans())


@given(POINTS, POINTS, SCORES, POLICIES)
def test_a_claim_earns_never_more_than_the_truth(claim, truth, score, policy):
    own, opponent, false = resolve_claim(claim, truth, score, 121, policy)
    assert own <= truth
    assert score + own >= 0
    assert 0 <= opponent <= max(claim - truth, 2)
    assert (own, opponent) == (claim, 0) or claim > truth
    assert not false or (policy.is_tournament and score + truth < 121 <= score + claim)


@pytest.mark.parametrize(
    ("claim", "truth", "score", "policy", "expected"),
    [
        (8, 8, 0, PenaltyPolicy(), (8, 0, False)),
        (6, 8, 0, PenaltyPolicy(), (6, 0, False)),
        (9, 8, 0, PenaltyPolicy("correct"), (8, 0, False)),
        (9, 8, 0, PenaltyPolicy("two"), (8, 2, False)),
        (12, 8, 0, PenaltyPolicy("excess"), (8, 4, False)),
        (12, 8, 100, TOURNAMENT, (8, 0, False)),
        (12, 3, 115, TOURNAMENT, (-12, 3, True)),
        (12, 8, 113, TOURNAMENT, (8, 0, False)),
        (29, 0, 100, TOURNAMENT, (-15, 21, True)),
        (119, 1, 3, TOURNAMENT, (-3, 117, True)),
    ],
)
def test_resolve(claim, truth, score, policy, expected):
    assert resolve_claim(claim, truth, score, 121, policy) == expected
