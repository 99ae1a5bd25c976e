"""Pursuit: what knocks a player out, which scores then stand, and who begins the smaller loop."""

from dataclasses import replace
from typing import Any

import pytest

from companion import rules
from companion.common.errors import IllegalMove, SettingsError
from companion.rules import Award, Setup, Step, apply, play
from companion.rules.cards import parse_card, parse_cards
from companion.rules.moves import Adjust, Crib, Go, Misdeal, Move, Next, Play, Starter
from companion.rules.pursuit import GAME, PursuitState


def table(seats: int = 4, dealer: int = 0, **options: str) -> PursuitState:
    return rules.begin_game(GAME, Setup(seats, dealer, options)).state


def at(state: PursuitState, scores: tuple[int, ...], back: tuple[int, ...] | None = None) -> PursuitState:
    """Return the state with the pegs at these scores."""
    return replace(state, scores=scores, back=back or scores)


def with_deal(state: PursuitState, **changes: Any) -> PursuitState:
    """Return the state in the middle of a deal."""
    return replace(state, deal=replace(state.deal, **{"hands": (None,) * state.terms.seats, **changes}))


def last_step(state: PursuitState, *moves: Move) -> Step[PursuitState]:
    for move in moves:
        step = apply(GAME, state, move)
        state = step.state
    return step


FIFTEEN = (Starter(parse_card("2D")), Play(1, parse_card("5H")), Play(2, parse_card("TH")))
"""With dealer 0 seat 2 makes fifteen."""


def test_a_lap_has_thirty_holes_a_player_and_everybody_starts_at_0():
    for seats in (2, 3, 4, 5):
        shown = GAME.view(table(seats))
        assert shown["lap"] == 30 * seats
        assert shown["scores"] == shown["back"] == (0,) * seats
        assert shown["alive"] == tuple(range(seats))


@pytest.mark.parametrize(("back", "out"), [(0, True), (1, False)])
def test_landing_on_the_next_players_back_peg_is_enough_and_one_hole_short_is_not(back: int, out: bool):
    state = at(table(), (0, 0, 28, 9), (0, 0, 20, back))
    step = last_step(state, *FIFTEEN)
    assert step.state.scores == (0, 0, 30, 9)
    assert step.state.back == (0, 0, 28, back)
    assert (step.notes.get("knocked_out") == [3]) is out
    assert (step.state.phase == "between") is out


def test_the_distance_counts_the_living_seats_clockwise_between():
    three = replace(table(), alive=(0, 2, 3))
    step = last_step(
        at(replace(three, dealer=3), (28, 0, 40, 90)), Starter(parse_card("2D")), Play(0, parse_card("5H"))
    )
    assert step.state.turn == 2
    far = last_step(at(replace(three, dealer=0), (30, 0, 88, 31)), Starter(parse_card("2D")), Play(2, parse_card("5H")))
    step = last_step(far.state, Play(3, parse_card("TH")))
    assert "knocked_out" not in step.notes  # seat 0 is one side ahead of seat 3: 60 would reach it
    step = last_step(at(far.state, (30, 0, 88, 58)), Play(3, parse_card("TH")))
    assert step.notes["knocked_out"] == [0]


def test_one_score_may_knock_out_several_and_the_loop_shrinks_by_as_many():
    state = at(table(5), (4, 5, 88, 12, 30), (1, 5, 0, 10, 29))
    step = last_step(state, *FIFTEEN)
    assert step.notes["knocked_out"] == [3, 4]
    assert step.state.alive == (0, 1, 2)
    assert GAME.view(step.state)["lap"] == 90
    assert step.state.winner is None


def test_knocked_out_are_named_by_seat_and_the_first_clockwise_deals_the_next_match():
    state = at(table(3), (30, 0, 88))
    step = last_step(state, *FIFTEEN)
    assert step.notes["knocked_out"] == [0, 1]
    assert (step.state.phase, step.state.winner, step.state.dealer) == ("over", 2, 2)
    assert step.state.turn is None
    again = last_step(step.state, Next()).state
    assert again == replace(table(3, dealer=0), loops=1)


def test_after_a_knock_out_the_scores_stand_until_the_next_deal_begins_at_0():
    step = last_step(at(table(), (7, 3, 28, 9), (7, 3, 20, 0)), *FIFTEEN)
    out = step.state
    assert (out.scores, out.dealer, out.phase) == ((7, 3, 30, 9), 2, "between")
    shown = GAME.view(out)
    assert (shown["count"], shown["series"], shown["gone"], shown["turn"]) == (0, (), (), None)
    assert shown["played"] == ((), (parse_card("5H"),), (parse_card("TH"),), ())
    assert last_step(out, Next()).state.scores == (0, 0, 0, 0)
    step = last_step(out, Starter(parse_card("JD")))
    assert (step.state.scores, step.state.back) == ((0, 0, 2, 0), (0, 0, 0, 0))
    assert step.state.turn == 0
    assert [a.reason for a in step.awards] == ["his heels"]


def test_heels_can_knock_out():
    step = last_step(at(table(2), (28, 0)), Starter(parse_card("JD")))
    assert step.notes["knocked_out"] == [1]
    assert (step.state.phase, step.state.winner, step.state.scores) == ("over", 0, (30, 0))


def test_the_last_card_and_its_1_are_one_movement_and_the_1_after_a_go_is_its_own():
    start = last_step(table(2), Starter(parse_card("2D"))).state
    first = [Play(1, parse_card("KH")), Play(0, parse_card("QH")), Play(1, parse_card("9H")), Go(0), Go(1)]
    step = last_step(at(start, (0, 7), (0, 3)), *first)
    assert step.awards == (Award(1, 1, "last card", (parse_card("9H"),)),)
    assert (step.state.scores, step.state.back) == ((0, 8), (0, 7))

    second = [
        Play(0, parse_card("8D")),
        Play(1, parse_card("TC")),
        Play(0, parse_card("KD")),
        Go(1),
        Go(0),
        Play(1, parse_card("5D")),
    ]
    before = last_step(step.state, *second).state
    step = last_step(before, Play(0, parse_card("TH")))
    assert [(a.seat, a.reason) for a in step.awards[:2]] == [(0, "fifteen"), (0, "last card")]
    assert (before.scores[0], step.state.back[0], step.state.scores[0]) == (1, 1, 4)  # its hand is worth nothing


def test_a_hand_that_knocks_out_leaves_the_later_hands_uncounted():
    laid = play.begin_play(2, 0)
    hands = (parse_cards("2C4D9H"), parse_cards("6C7D7S8H"))
    laid = replace(laid, played=hands, series=parse_cards("8H"), count=8, last_seat=1)
    state = with_deal(table(2), phase="play", starter=parse_card("KD"), play=laid, hands=(None, hands[1]))
    step = last_step(at(state, (0, 18), (0, 12)), Play(0, parse_card("8S")))
    assert step.notes["knocked_out"] == [0]
    assert (step.state.winner, step.state.scores, step.state.back) == (1, (3, 30), (0, 18))
    assert [a.reason for a in step.awards if a.seat == 0] == ["pair", "last card"]  # and no hand
    assert sum(a.points for a in step.awards if a.seat == 1) == 12


def test_the_crib_can_knock_out_and_the_dealer_who_did_it_deals_again():
    state = with_deal(table(3, dealer=2), phase="crib", starter=parse_card("5D"), play=play.begin_play(3, 1))
    step = last_step(at(state, (0, 5, 10)), Crib(parse_cards("5H5S5CJD")))
    assert (step.state.scores, step.state.back) == ((0, 5, 39), (0, 5, 10))
    assert step.notes["knocked_out"] == [0]
    assert (step.state.dealer, step.state.phase, step.state.alive) == (2, "between", (1, 2))
    step = last_step(at(state, (0, 5, 10), (1, 5, 10)), Crib(parse_cards("2H4S6C8D")))
    assert (step.state.dealer, step.state.phase) == (0, "between")


def test_no_points_move_no_peg():
    state = at(table(2), (9, 14), (4, 8))
    step = last_step(state, Starter(parse_card("2D")), Play(1, parse_card("KH")))
    assert (step.state.scores, step.state.back, step.awards) == ((9, 14), (4, 8), ())


def test_by_option_it_is_the_front_peg_that_is_caught():
    state = at(table(capture_peg="front"), (0, 0, 28, 9), (0, 0, 20, 0))
    assert last_step(state, *FIFTEEN).state.phase == "play"
    state = at(table(capture_peg="front"), (0, 0, 37, 9), (0, 0, 20, 0))
    assert last_step(state, *FIFTEEN).notes["knocked_out"] == [3]


def test_scores_go_on_over_the_laps():
    state = at(table(2), (250, 240), (245, 236))
    step = last_step(state, Starter(parse_card("JD")))
    assert step.state.scores == (252, 240)
    assert last_step(at(table(2), (264, 240), (245, 236)), Starter(parse_card("JD"))).state.winner == 0


def test_an_adjustment_moves_no_back_peg_and_knocks_no_player_out():
    state = at(table(2), (9, 14), (4, 8))
    step = last_step(state, Adjust(0, 100))
    assert (step.state.scores, step.state.back, step.state.phase) == ((109, 14), (4, 8), "cut")
    assert step.awards == (Award(0, 100, "adjust"),)
    assert last_step(step.state, Starter(parse_card("JD"))).state.winner == 0  # the next score is a pursuit again
    with pytest.raises(IllegalMove, match="Blue has only 14"):
        apply(GAME, state, Adjust(1, -15))


def test_a_misdeal_takes_the_pegs_back_and_leaves_adjustments():
    state = at(table(2), (9, 14), (4, 8))
    step = last_step(
        state, Starter(parse_card("JD")), Play(1, parse_card("5H")), Adjust(1, 3), Play(0, parse_card("TH")), Misdeal()
    )
    assert (step.state.scores, step.state.back) == ((9, 17), (4, 8))
    assert (step.state.phase, step.state.dealer, step.state.deal.starter) == ("cut", 0, None)


def test_a_misdeal_leaves_all_adjustments_and_no_score_below_nothing():
    state = at(table(2), (1, 14), (1, 8))
    up = last_step(state, Starter(parse_card("JD")), Adjust(0, -3), Adjust(0, 4), Misdeal()).state
    assert (up.scores, up.back) == ((2, 14), (1, 8))
    assert last_step(state, Starter(parse_card("JD")), Adjust(0, -3), Misdeal()).state.scores == (0, 14)


def test_who_is_out_is_asked_nothing_and_refused_in_words():
    out = last_step(at(table(), (7, 3, 28, 9), (7, 3, 20, 0)), *FIFTEEN).state
    after = last_step(out, Starter(parse_card("2D"))).state
    for move in (Play(3, parse_card("5H")), Go(3), Adjust(3, 1)):
        with pytest.raises(IllegalMove, match="Yellow is out until the next match"):
            apply(GAME, after, move)
    with pytest.raises(IllegalMove, match="no such seat"):
        apply(GAME, after, Go(4))
    turns = [after.turn]
    for seat, code in ((0, "AC"), (1, "AD"), (2, "AH")):
        after = last_step(after, Play(seat, parse_card(code))).state
        turns.append(after.turn)
    assert turns == [0, 1, 2, 0]
    # While the scores of the last loop still stand, they can all be put right.
    assert last_step(out, Adjust(3, -2)).state.scores == (7, 3, 30, 7)


def test_the_deal_passes_among_the_living():
    state = table(5)
    for alive, dealer, following in (((0, 2, 4), 4, 0), ((0, 2, 4), 0, 2), ((1, 3), 1, 3), ((1, 3), 3, 1)):
        state = with_deal(
            replace(state, alive=alive, dealer=dealer), dealer=dealer, phase="crib", starter=parse_card("KD")
        )
        step = last_step(state, Crib(parse_cards("2H4S6C8D")))
        assert step.state.dealer == following
        assert last_step(step.state, Starter(parse_card("2D"))).state.turn == next(
            seat % 5 for seat in range(following + 1, following + 6) if seat % 5 in alive
        )


def test_a_renege_is_named_and_in_a_tournament_given_to_the_next_of_the_living():
    for policy, gained in (("friendly", 0), ("tournament", 2)):
        state = replace(table(3, policy=policy), alive=(0, 2), dealer=0)
        played = [Play(seat, parse_card(code)) for seat, code in ((2, "TH"), (0, "9H"), (2, "4S"), (0, "3C"))]
        said = last_step(state, Starter(parse_card("2D")), *played, Go(2), Go(0)).state
        step = last_step(said, Play(2, parse_card("KC")), Play(0, parse_card("QC")), Play(2, parse_card("5C")))
        assert [(r.seat, r.count, r.card) for r in step.notes["reneges"]] == [(2, 26, parse_card("5C"))]
        assert sum(a.points for a in step.awards if a.reason == "renege" and a.seat == 0) == gained


@pytest.mark.parametrize("option", ["target", "first_deal", "game_points"])
def test_options_of_other_games_are_not_options_of_pursuit(option: str):
    with pytest.raises(SettingsError, match=f"has no option {option}"):
        rules.complete_options(GAME, {option: "61"})
