"""Manual counting (counting=manual): claims, muggins, overclaims and false claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Setup, Step, advance, cribbage
from companion.rules.cards import parse_card
from companion.rules.claims import resolve_claim
from companion.rules.cribbage import CribbageState
from companion.rules.match_terms import PenaltyPolicy
from companion.rules.moves import Claim, Starter
from tests.support.move_notation import parse_story

GAME = cribbage.SIX_CARD
TOURNAMENT = PenaltyPolicy(is_tournament=True)


def after(story: str, **options: str) -> Step[CribbageState]:
    past = rules.begin_game(GAME, Setup(options={"counting": "manual", **options}))
    step: Step[CribbageState] = Step(past.state)
    for move in parse_story(story):
        past, step = advance(GAME, past, move)
    return step


def award_tuples(step: Step[CribbageState]) -> list[tuple[int, int, str]]:
    return [(award.seat, award.points, award.reason) for award in step.awards]


PLAY = "cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 1 JS; 0 QC; 1 4D"
"""Seat 0 makes 15 and 31 in the play, seat 1 has the last card; seat 1's hand is worth 8, seat 0's 3."""


def test_nothing_is_given_that_is_not_claimed():
    step = after("cut 8S; 1 5H; 0 TD; 1 6C")
    assert (step.awards, step.state.scores, step.state.phase) == ((), (0, 0), "play")


def test_his_heels_need_no_claim():
    assert award_tuples(after("cut JS")) == [(0, 2, "his heels")]


def test_a_claim_is_for_the_latest_card_until_that_seat_plays_again():
    assert award_tuples(after("cut 8S; 1 5H; 0 TD; 1 6C; 0 claims 2")) == [(0, 2, "claim")]
    with pytest.raises(IllegalMove, match="Red has nothing to claim now"):
        after("cut 8S; 1 5H; 0 TD; 0 claims 2; 0 claims 2")
    assert after("cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; 0 claims 2").state.scores == (0, 0)


def test_the_card_that_ends_the_play_must_be_claimed_with_the_last_card_point():
    step = after(PLAY)
    assert (step.state.phase, step.state.turn) == ("claim", 1)
    with pytest.raises(IllegalMove, match="It is Blue's turn to claim"):
        after(f"{PLAY}; 0 claims 2")
    assert award_tuples(after(f"{PLAY}; 1 claims 1")) == [(1, 1, "claim")]


def test_then_the_hands_and_the_crib_are_claimed_in_show_order():
    turns = [after(story).state for story in (f"{PLAY}; 1 claims 1", f"{PLAY}; 1 claims 1; 1 claims 8")]
    assert [(state.phase, state.turn) for state in turns] == [("claim", 1), ("claim", 0)]
    step = after(f"{PLAY}; 1 claims 1; 1 claims 8; 0 claims 0")
    assert (step.awards, step.state.phase) == ((), "crib")
    crib = after(f"{PLAY}; 1 claims 1; 1 claims 8; 0 claims 0; crib 2H2D3S3H")
    assert (crib.awards, crib.state.phase, crib.state.turn) == ((), "claim", 0)
    assert after(f"{PLAY}; 1 claims 1; 1 claims 8; 0 claims 0; crib 2H2D3S3H; 0 claims 4").state.phase == "between"


@pytest.mark.parametrize("points", [19, 25, 26, 27, 30, -1])
def test_an_impossible_hand_is_not_a_claim(points: int):
    with pytest.raises(IllegalMove, match=f"No hand is worth {points}|cannot be below 0"):
        after(f"{PLAY}; 1 claims 1; 1 claims {points}")


@pytest.mark.parametrize(("policy", "expected"), [("correct", (2, 0)), ("two", (2, 2)), ("excess", (2, 3))])
def test_an_overclaim_costs_what_the_table_agreed(policy: str, expected: tuple[int, int]):
    assert after("cut 8S; 1 5H; 0 TD; 0 claims 5", overclaim=policy).state.scores == expected


def test_what_was_missed_can_be_called_at_once_and_only_then():
    story = f"{PLAY}; 1 claims 1; 1 claims 6"
    step = after(f"{story}; 0 calls 2", muggins="on")
    assert award_tuples(step) == [(0, 2, "muggins")]
    with pytest.raises(IllegalMove, match="nothing to call"):
        after(f"{story}; 0 calls 2; 0 calls 1", muggins="on")
    with pytest.raises(IllegalMove, match="nothing to call"):
        after(f"{story}; 0 adjusts 1; 0 calls 2", muggins="on")
    with pytest.raises(IllegalMove, match="not played"):
        after(f"{story}; 0 calls 2")


def test_a_wrong_call_gives_the_points_to_the_other_side():
    assert award_tuples(after(f"{PLAY}; 1 claims 1; 1 claims 8; 0 calls 2", muggins="on")) == [(1, 2, "muggins")]


def test_points_not_claimed_can_be_called_directly_after_the_card():
    story = "cut 8S; 1 5H; 0 TD"
    step = after(f"{story}; 1 calls 2", muggins="on")
    assert award_tuples(step) == [(1, 2, "muggins")]
    with pytest.raises(IllegalMove, match="Red has nothing to claim now"):
        after(f"{story}; 1 calls 2; 0 claims 2", muggins="on")
    with pytest.raises(IllegalMove, match="own side"):
        after(f"{story}; 0 calls 2", muggins="on")
    with pytest.raises(IllegalMove, match="nothing to call"):
        after("cut 8S; 1 5H; 0 9D; 1 calls 2", muggins="on")


def test_a_call_on_the_card_that_ended_the_play_settles_its_claim():
    step = after(f"{PLAY}; 0 calls 1", muggins="on")
    assert award_tuples(step) == [(0, 1, "muggins")]
    assert (step.state.phase, step.state.turn, step.state.deal.hands_counted) == ("claim", 1, 1)


def test_the_point_that_anothers_go_brings_joins_a_claim_that_is_open():
    story = "cut 9S; 1 KH; 0 KD; 1 KC; go 0; go 1; 0 QD; 1 JH; 0 2D; 1 2C"
    assert award_tuples(after(f"{story}; go 0; 1 claims 3")) == [(1, 3, "claim")]
    assert award_tuples(after(f"{story}; 1 claims 2; go 0; 1 claims 2")) == [(1, 1, "claim")]


def test_no_truth_is_shown_before_the_window_has_closed():
    short, full = (after(f"{PLAY}; 1 claims 1; 1 claims {points}", muggins="on").state for points in (6, 8))
    views = [GAME.view(state) | {"scores": None} for state in (short, full)]
    assert views[0] == views[1]
    assert views[0]["window"] == 1
    shut = GAME.view(after(f"{PLAY}; 1 claims 1; 1 claims 6; 0 claims 3", muggins="on").state)
    assert (shut["counted"]["claimed"], shut["counted"]["missed"]) == (6, 2)


def test_without_muggins_the_true_count_is_shown_with_the_claim():
    counted = GAME.view(after(f"{PLAY}; 1 claims 1; 1 claims 6").state)["counted"]
    assert (counted["seat"], counted["claimed"], counted["missed"]) == (1, 6, 2)
    assert sum(award.points for award in counted["awards"]) == 8
    assert counted["say"].startswith("Blue claimed 6, 2 missed: fifteen two, ")


def test_a_false_claim_of_the_game_goes_fifteen_back():
    step = after(f"1 adjusts 115; {PLAY}; 1 claims 0; 1 claims 12", policy="tournament")
    assert step.state.winner == 1  # 8 are there: the claim was no false one of the game
    step = after(f"0 adjusts 116; {PLAY}; 1 claims 0; 1 claims 8; 0 claims 6", policy="tournament")
    assert award_tuples(step) == [(0, -12, "false claim"), (1, 2, "overclaim")]
    assert step.state.scores == (104, 10)


def test_a_misdeal_takes_back_what_was_claimed():
    assert after(f"0 adjusts 5; {PLAY}; 1 claims 1; misdeal").state.scores == (5, 0)


def test_auto_counting_takes_no_claims():
    past = rules.begin_game(GAME, Setup())
    past, _ = advance(GAME, past, Starter(parse_card("5D")))
    with pytest.raises(IllegalMove, match="The companion counts"):
        advance(GAME, past, Claim(0, 2))


POINTS = some.integers(0, 29)
SCORES = some.integers(0, 120)
POLICIES = some.builds(PenaltyPolicy, some.sampled_from(["correct", "two", "excess"]), some.booleans())


@given(POINTS, POINTS, SCORES, POLICIES)
def test_a_claim_earns_never_more_than_the_truth(claim: int, truth: int, score: int, policy: PenaltyPolicy):
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
def test_resolve(claim: int, truth: int, score: int, policy: PenaltyPolicy, expected: tuple[int, int, bool]):
    assert resolve_claim(claim, truth, score, 121, policy) == expected
