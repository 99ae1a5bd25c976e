"""Six-card cribbage as short stories."""

from dataclasses import replace
from typing import Any

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Award, Setup, Step, advance, apply, cribbage, play
from companion.rules.cards import parse_card, parse_cards
from companion.rules.moves import Adjust, Crib, Go, Hand, Misdeal, Move, Next, Peg, Play, Starter, Undo
from tests.support.move_notation import parse_story

GAME = cribbage.SIX_CARD
DEAL = "cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 1 JS; 0 QC; 1 4D"
"""Seat 0 deals and makes 15 and 31 in the play; seat 1 has the last card and 8 in its hand, seat 0 has 3."""


def after(story: str, **setup: Any) -> Step[cribbage.CribbageState]:
    """Return the last step of a story told from the start."""
    past = rules.begin_game(GAME, Setup(**setup))
    step: Step[cribbage.CribbageState] = Step(past.state)
    for move in parse_story(story):
        past, step = advance(GAME, past, move)
    return step


def award_tuples(step: Step[cribbage.CribbageState]) -> list[tuple[int, int, str]]:
    return [(award.seat, award.points, award.reason) for award in step.awards]


def test_a_jack_cut_gives_the_dealer_two():
    step = after("cut JD", dealer=1)
    assert step.awards == (Award(1, 2, "his heels", parse_cards("JD")),)
    assert (step.state.phase, step.state.turn, step.state.scores) == ("play", 0, (0, 2))


def test_his_heels_can_win():
    step = after("0 adjusts 120; 1 adjusts 91; cut JD")
    assert (step.state.phase, step.state.winner, step.state.scores) == ("over", 0, (121, 91))
    assert GAME.view(step.state)["turn"] is None


def test_the_dealers_left_leads_and_fifteen_is_two():
    step = after("cut 8S; 1 5H; 0 TD")
    assert step.awards == (Award(0, 2, "fifteen", parse_cards("5HTD")),)
    assert (step.state.turn, GAME.view(step.state)["count"]) == (1, 15)


def test_thirty_one_is_two_never_three_and_the_next_player_leads():
    step = after("cut 8S; 1 TD; 0 JH; 1 AC; 0 QC")
    assert award_tuples(step) == [(0, 2, "thirty-one")]
    view = GAME.view(step.state)
    assert (view["count"], view["series"], view["gone"], view["turn"]) == (0, (), (), 1)


def test_after_a_go_the_other_plays_on_alone_and_takes_the_last_card():
    story = "cut 8S; 1 TD; 0 JH; 1 5C; go 0; 1 3C; go 1"
    assert GAME.view(after(story.removesuffix("; go 1")).state)["turn"] == 1
    step = after(story)
    assert step.awards == (Award(1, 1, "last card", parse_cards("3C")),)
    assert (step.state.turn, step.state.scores) == (0, (0, 1))


def test_a_go_does_not_break_a_run_or_a_pair():
    step = after("cut 8S; 1 TD; 0 JH; 1 2C; go 0; 1 2D")
    assert award_tuples(step) == [(1, 2, "pair")]


def test_nothing_reaches_back_past_a_reset():
    step = after("cut 8S; 1 TD; 0 JH; 1 AC; 0 TC; 1 TH")
    assert award_tuples(step) == []


def test_the_last_card_of_a_series_scores_on_its_own_line_when_no_other_seat_can_play():
    # Seat 1 has said go and seat 0 lays its fourth card: nobody is left to ask.
    step = after("cut 8S; 1 TD; 0 JH; 1 5C; 0 2H; go 1; 0 AH; 0 2C")
    assert award_tuples(step) == [(0, 1, "last card")]
    assert step.state.turn == 1


def test_who_still_has_cards_plays_on_alone():
    step = after("cut 8S; 1 TD; 0 JH; 1 5C; 0 2H; go 1; 0 AH; 0 2C; 1 KD; 1 QD")
    assert step.state.phase == "crib"
    assert award_tuples(step)[0] == (1, 1, "last card")


def test_the_hands_are_counted_on_the_line_of_the_last_card_pone_first():
    step = after(DEAL)
    assert award_tuples(step) == [
        (1, 1, "last card"),
        (1, 2, "fifteen"), (1, 2, "fifteen"), (1, 3, "run"), (1, 1, "his nobs"),
        (0, 3, "run"),
    ]  # fmt: skip
    assert step.state.phase == "crib"


def test_the_crib_is_the_dealers_and_the_deal_passes():
    step = after(f"{DEAL}; crib 8C8D7H2S")
    assert {award.seat for award in step.awards} == {0}
    assert sum(award.points for award in step.awards) == 12
    assert (step.state.phase, step.state.dealer, step.state.turn) == ("between", 1, None)


def test_a_crib_needs_five_for_its_flush():
    assert award_tuples(after(f"{DEAL}; crib 2H4HTHKH")) == []


def test_next_and_a_starter_both_begin_the_next_hand():
    for story in ("next; cut 2D", "cut 2D"):
        step = after(f"{DEAL}; crib 2H4HTHKH; {story}")
        assert (step.state.phase, step.state.dealer, step.state.turn) == ("play", 1, 0)
        assert GAME.view(step.state)["played"] == ((), ())


def test_the_game_ends_in_pones_hand_and_the_dealer_does_not_count():
    step = after(f"1 adjusts 118; 0 adjusts 115; {DEAL}")
    assert step.state.winner == 1
    assert step.state.scores == (119, 121)
    assert {award.seat for award in step.awards} == {1}
    assert sum(award.points for award in step.awards) == 9, "the hand is counted whole, the score stops"


def test_a_card_is_counted_whole_and_what_comes_after_the_win_is_not():
    step = after("0 adjusts 119; cut 8S; 1 5H; 0 TD")
    assert (step.state.phase, step.state.winner, award_tuples(step)) == ("over", 0, [(0, 2, "fifteen")])
    with pytest.raises(IllegalMove, match="The game is over"):
        apply(GAME, step.state, Play(1, parse_card("9C")))


def test_no_series_goes_on_when_a_card_has_won():
    view = GAME.view(after("0 adjusts 119; cut 8S; 1 5H; 0 TD").state)
    assert (view["phase"], view["count"], view["series"], view["gone"]) == ("over", 0, (), ())
    assert view["played"] == (parse_cards("TD"), parse_cards("5H"))


@pytest.mark.parametrize(
    ("target", "loser", "skunk", "game_points"),
    [
        ("121", 91, None, 1), ("121", 90, "skunk", 2), ("121", 61, "skunk", 2), ("121", 60, "double skunk", 4),
        ("61", 31, None, 1), ("61", 30, "skunk", 2), ("61", 0, "skunk", 2),
    ],
)  # fmt: skip
def test_skunks(target: str, loser: int, skunk: str | None, game_points: int):
    lost = f"0 adjusts {loser}; " if loser else ""
    step = after(f"{lost}1 adjusts {target}", options={"target": target})
    view = GAME.view(step.state)
    assert (view["winner"], view["skunk"], view["game_points"]) == (1, skunk, game_points)


def test_tournaments_give_three_game_points_for_both_skunks():
    options = {"game_points": "2,3,3"}
    found = [
        GAME.view(after(f"0 adjusts {n}; 1 adjusts 121", options=options).state)["game_points"] for n in (91, 61, 60)
    ]
    assert found == [2, 3, 3]


def test_three_players_have_skunks_by_side():
    view = GAME.view(after("0 adjusts 90; 1 adjusts 121; 2 adjusts 91", seats=3).state)
    assert view["skunks"] == ["skunk", None, None]
    assert "game_points" not in view


def test_three_players_play_round_the_table():
    step = after("cut 8S; 1 TD; 2 JH; 0 5C; 1 4H; go 2; 0 AS; go 1", seats=3)
    assert award_tuples(step) == []
    assert step.state.turn == 0, "seat 0 laid the latest card and goes on alone"
    step = after("cut 8S; 1 TD; 2 JH; 0 5C; 1 4H; go 2; 0 AS; go 1; go 0", seats=3)
    assert award_tuples(step) == [(0, 1, "last card")]
    assert step.state.turn == 1, "the next clockwise leads"


def test_four_players_are_partners_who_share_a_score():
    step = after("cut JD; 2 5H; 3 TD; 0 5C", seats=4, dealer=1)
    assert step.state.scores == (0, 4)
    step = after("cut 8D; 2 5H; 3 TD; 0 JC; 1 6D", seats=4, dealer=1)
    assert (step.state.scores, step.state.turn) == ((0, 4), 2)
    assert award_tuples(step) == [(1, 2, "thirty-one")]


def test_four_hands_are_shown_clockwise_the_dealers_last():
    story = (
        "cut 5S; 1 TC; 2 JD; 3 QH; go 0; go 1; go 2; go 3; 0 TS; 1 JC; 2 QD; go 3; go 0; go 1; go 2;"
        "3 KH; 0 JS; 1 QC; go 2; go 3; go 0; go 1; 2 KD; 3 TH; 0 QS; go 1; go 2; go 3; go 0;"
        "1 KC; 2 TD; 3 JH; go 0; 0 KS"
    )
    step = after(story, seats=4)
    hand = [(2, "fifteen")] * 4 + [(4, "run")]
    assert award_tuples(step) == [
        (0, 1, "last card"),
        *[(seat, *item) for seat in (1, 2, 3) for item in [*hand, (4, "flush")]],
        *[(0, *item) for item in [*hand, (5, "flush"), (1, "his nobs")]],
    ]
    assert step.state.phase == "crib"


def test_with_a_winner_among_two_the_loser_deals_or_by_option_the_winner():
    story = "1 adjusts 121; next"
    assert after(story).state.dealer == 0
    assert after(story, options={"first_deal": "winner"}).state.dealer == 1
    assert after(story).state.scores == (0, 0)


@pytest.mark.parametrize("seats", [3, 4])
def test_with_three_or_four_the_deal_goes_on_clockwise(seats: int):
    assert after("cut 5D; 2 adjusts 121; next", seats=seats, dealer=1).state.dealer == 2


def test_a_game_adjusted_to_its_end_between_hands_goes_on_after_who_dealt_last():
    state = after("2 adjusts 120", seats=3, dealer=2).state
    state = replace(state, deal=replace(state.deal, phase="counted"))
    assert (state.phase, state.dealer) == ("between", 0)
    over = apply(GAME, state, Adjust(2, 1)).state
    assert (over.dealer, apply(GAME, over, Next()).state.dealer) == (2, 0)


def test_a_go_that_was_none_is_named_when_the_hand_is_known():
    story = "cut 8S; 1 TD; 0 JH; 1 2D; go 0; go 1; 0 3C; 1 KD; 0 6H; 1 9D; go 0"
    assert "reneges" not in after(story).notes
    step = after(f"{story}; 0 4H")
    assert step.notes["reneges"] == tuple(play.Renege(0, 22, c) for c in parse_cards("3C6H4H"))
    assert "renege" not in {award.reason for award in step.awards}


RENEGE = "cut 8S; 1 TD; 0 JH; 1 6D; go 0; go 1; 0 3C; 1 9D; 0 KH; 1 8D; go 0; 0 5H"
"""Seat 0 says go at 26 and holds 3C, KH and 5H: two of them fit."""


def test_tournaments_give_two_for_each_card_that_could_have_been_played():
    step = after(RENEGE, options={"policy": "tournament"})
    assert award_tuples(step)[:3] == [(0, 1, "last card"), (1, 2, "renege"), (1, 2, "renege")]
    assert [award.cards for award in step.awards[1:3]] == [parse_cards("3C"), parse_cards("5H")]
    assert step.state.phase == "crib"


def test_a_penalty_comes_before_any_hand_and_may_win():
    step = after(f"1 adjusts 115; {RENEGE}", options={"policy": "tournament"})
    assert award_tuples(step) == [(0, 1, "last card"), (1, 2, "renege"), (1, 2, "renege")]
    assert (step.state.winner, step.state.scores) == (1, (1, 121))


def test_an_honest_go_is_not_a_renege():
    step = after("cut 8S; 1 TD; 0 JH; 1 6D; go 0; go 1; 0 9C; 1 KD; 0 8H; go 1; go 0; 1 KS; 0 7H")
    assert step.state.phase == "crib"
    assert "reneges" not in step.notes


def test_a_misdeal_undoes_every_point_since_the_deal_but_adjustments_stay():
    step = after("0 adjusts 7; cut JD; 1 5H; 0 TC; 1 adjusts 3; misdeal")
    assert (step.state.phase, step.state.dealer, step.state.scores, step.awards) == ("cut", 0, (7, 3), ())
    assert GAME.view(step.state)["starter"] is None


def test_a_misdeal_does_not_leave_a_score_below_nothing():
    assert after("0 adjusts 5; cut JD; 0 adjusts -6; misdeal").state.scores == (0, 0)


def test_all_adjustments_stay_through_a_misdeal_even_where_one_alone_would_be_below_nothing():
    assert after("0 adjusts 5; cut JD; 0 adjusts -7; 0 adjusts 3; misdeal").state.scores == (1, 0)


def test_a_misdeal_after_the_play_undoes_the_hands_too():
    assert after(f"{DEAL}; misdeal").state.scores == (0, 0)


def test_after_a_misdeal_the_same_cards_may_come_again():
    assert after("cut 5D; 1 5H; misdeal; cut 5H; 1 5D").state.phase == "play"


def test_an_adjustment_is_one_award_in_every_phase():
    for story in ("", "cut 5D;", f"{DEAL};", f"{DEAL}; crib 2H4HTHKH;", "0 adjusts 121;"):
        assert award_tuples(after(f"{story} 1 adjusts 20")) == [(1, 20, "adjust")]


def test_an_adjusted_winner_stays_the_winner():
    step = after("0 adjusts 121; 0 adjusts -21; 1 adjusts 121")
    assert (step.state.phase, step.state.winner, step.state.scores) == ("over", 0, (100, 121))


def test_undo_goes_back_to_the_very_start_across_games():
    past = rules.begin_game(GAME, Setup())
    states = [past.state]
    for move in parse_story(f"{DEAL}; crib 2H4HTHKH; cut JC; 0 adjusts 121; next; cut 2D; 0 5S; misdeal"):
        past, step = advance(GAME, past, move)
        states.append(step.state)
    for state in reversed(states[:-1]):
        past, step = advance(GAME, past, Undo())
        assert (step.state, step.awards) == (state, ())
    with pytest.raises(IllegalMove, match="nothing left to undo"):
        advance(GAME, past, Undo())


@pytest.mark.parametrize(
    ("story", "move", "says"),
    [
        ("", Play(1, parse_card("5H")), "Cut the starter first."),
        ("", Misdeal(), "Cut the starter first"),
        ("", Next(), "Cut the starter first"),
        ("", Hand(0, parse_cards("5H5S5C5D")), "Six-card cribbage has no hand."),
        ("", Hand(0, parse_cards("5H5S5CJD")), "Six-card cribbage has no hand."),
        ("", Peg(0, 2), "Six-card cribbage has no peg."),
        ("cut 5D", Starter(parse_card("6D")), "The play is still on."),
        ("cut 5D", Play(0, parse_card("5H")), "It is Blue's turn."),
        ("cut 5D", Play(2, parse_card("5H")), "There is no such seat"),
        ("cut 5D", Go(7), "There is no such seat"),
        ("cut 5D", Go(1), "You cannot say go at 0: any card fits."),
        ("cut 5D", Play(1, parse_card("5D")), "The 5 of diamonds has already been seen in this deal."),
        ("cut 5D; 1 TD; 0 AC", Play(1, parse_card("TD")), "The 10 of diamonds has already been seen"),
        ("cut 5D; 1 TD; 0 AC; 1 TC", Go(0), "You cannot say go at 21"),
        ("cut 5D; 1 TD; 0 JC; 1 2C", Play(0, parse_card("KH")), "The king of hearts would make 32: the count"),
        ("cut 5D; 1 TD; 0 JC; 1 2C; go 0", Go(0), "It is Blue's turn."),
        ("cut 5D; 1 TD; 0 JC; 1 2C", Crib(parse_cards("2H4HTHKH")), "The play is still on"),
        (DEAL, Crib(parse_cards("2H4HTH")), "The crib has four cards, not 3."),
        (DEAL, Crib(parse_cards("2H4HTH2H")), "The 2 of hearts has already been seen"),
        (DEAL, Crib(parse_cards("2H4HTH8S")), "The 8 of spades has already been seen"),
        (DEAL, Crib(parse_cards("2H4HTHJS")), "The jack of spades has already been seen"),
        (DEAL, Next(), "Turn up the crib first."),
        (f"{DEAL}; crib 2H4HTHKH", Misdeal(), "The hand is over."),
        ("0 adjusts 121", Starter(parse_card("5D")), "The game is over."),
        ("0 adjusts 5", Adjust(0, -6), "Red has only 5: a score cannot go below 0."),
        ("", Adjust(2, 1), "the seats are 0 to 1"),
    ],
)
def test_every_refusal_is_a_sentence_and_changes_nothing(story: str, move: Move, says: str):
    state = after(story).state if story else GAME.start(Setup())
    before = replace(state)
    with pytest.raises(IllegalMove) as refusal:
        apply(GAME, state, move)
    assert says in str(refusal.value)
    assert state == before


def test_partners_are_named_after_the_side_whose_pegs_they_share():
    state = after("cut 5D; 2 TD", seats=4, dealer=1).state
    with pytest.raises(IllegalMove, match="It is Blue's partner's turn"):
        apply(GAME, state, Play(0, parse_card("5H")))


def test_a_scanned_card_is_what_the_phase_awaits():
    assert GAME.interpret_scan(GAME.start(Setup()), (), parse_card("5D")) == Starter(parse_card("5D"))
    assert GAME.interpret_scan(after("cut 5D").state, (), parse_card("6D")) == Play(1, parse_card("6D"))
    counted = after(DEAL).state
    assert GAME.interpret_scan(counted, parse_cards("2H4H"), parse_card("TH")) is None
    assert GAME.interpret_scan(counted, parse_cards("2H4HTH"), parse_card("KH")) == Crib(parse_cards("2H4HTHKH"))
    assert GAME.interpret_scan(after(f"{DEAL}; crib 2H4HTHKH").state, (), parse_card("6D")) == Starter(parse_card("6D"))


@pytest.mark.parametrize(
    ("story", "lying", "text", "says"),
    [
        (DEAL, "2H", "2H", "The 2 of hearts has already been seen"),
        (DEAL, "", "JS", "The jack of spades has already been seen"),
        ("0 adjusts 121", "", "2H", "The game is over"),
    ],
)
def test_a_scanned_card_that_can_be_nothing_is_refused(story: str, lying: str, text: str, says: str):
    with pytest.raises(IllegalMove, match=says):
        GAME.interpret_scan(after(story).state, parse_cards(lying), parse_card(text))
