"""'Round the Bases: hands become runs and outs, dice decide, sides are retired, games end."""

import random
from dataclasses import replace
from typing import Any

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Award, Setup, apply
from companion.rules.baseball import game
from companion.rules.baseball.diamond import BaseballState, Diamond
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.moves import (  # fmt: skip
    Adjust,
    Claim,
    Crib,
    Go,
    Misdeal,
    Move,
    Muggins,
    Next,
    Play,
    Roll,
    Starter,
    Steal,
)

GAME = game.GAME
NO_JACK, JACK = parse_card("2D"), parse_card("JD")


def new_game(dealer: int | None = 0, seats: int = 2, **options: str) -> BaseballState:
    return rules.begin_game(GAME, Setup(seats, dealer, options)).state


def in_last_inning(state: BaseballState, *, inning: int = 3, bottom: bool = True, **changes: Any) -> BaseballState:
    """Return the state in a late inning, with side 1 at bat in the bottom half."""
    dealer = 1 if bottom else 0
    return replace(state, inning=inning, bottom=bottom, dealer=dealer, hand_dealer=dealer, **changes)


def runners(*taken: int, outs: int = 0) -> Diamond:
    return Diamond((1 in taken, 2 in taken, 3 in taken), outs)


def do(state: BaseballState, *moves: Move) -> BaseballState:
    for move in moves:
        state = apply(GAME, state, move).state
    return state


def refusal_text(state: BaseballState, move: Move) -> str:
    with pytest.raises(IllegalMove) as refusal:
        apply(GAME, state, move)
    return str(refusal.value)


def a_hand(chance: random.Random, state: BaseballState) -> list[Move]:
    """Return the moves of a random hand, each playing the first card that fits; the starter is no jack."""
    pack = [c for c in chance.sample(PACK, 52) if c.rank != 10][:21]
    seats = state.terms.seats
    held = [pack[4 * seat : 4 * seat + 4] for seat in range(seats)]
    moves: list[Move] = [Starter(pack[20])]
    state = do(state, *moves)
    while state.phase == "play":
        turn, count = state.turn, GAME.view(state)["count"]
        assert turn is not None
        fits = [c for c in held[turn] if count + c.value <= 31]
        move = Play(turn, fits[0]) if fits else Go(turn)
        if fits:
            held[turn].remove(fits[0])
        moves.append(move)
        state = do(state, move)
    return [*moves, Crib(tuple(pack[16:20]))]


def hand(state: BaseballState, net: int) -> list[Move]:
    """Return the moves of a hand whose batter scores `net` points more than the fielder."""
    chance = random.Random(net)
    side = state.batting
    assert side is not None
    while True:
        moves = a_hand(chance, state)
        points = do(replace(state, field=Diamond()), *moves).hand.scores
        if points[side] - points[1 - side] == net:
            return moves


def after(state: BaseballState, net: int) -> BaseballState:
    return do(state, *hand(state, net))


def view_fields(state: BaseballState, *names: str) -> list[Any]:
    view = GAME.view(state)
    return [view[name] for name in names]


def test_dice_say_who_bats_first_and_equal_dice_are_rolled_again():
    state = new_game(None)
    assert view_fields(state, "phase", "turn", "dealer", "batting") == ["roll", 0, None, None]
    assert view_fields(state, "due") == [{"for": "bat", "number": None, "dice": 1, "from": None}]
    state = do(state, Roll(0, (4,)), Roll(1, (4,)))
    assert view_fields(state, "phase", "turn", "rolled") == ["roll", 0, ()]
    assert view_fields(do(state, Roll(0, (5,)), Roll(1, (2,))), "phase", "dealer", "batting") == ["cut", 0, 0]
    assert view_fields(do(state, Roll(0, (1,)), Roll(1, (2,))), "phase", "dealer", "batting") == ["cut", 1, 1]


def test_with_four_too_seat_0_and_seat_1_roll_for_the_bat():
    state = do(new_game(None, 4), Roll(0, (1,)))
    assert state.turn == 1
    assert do(state, Roll(1, (6,))).dealer == 1


def test_a_named_dealer_bats_in_the_top_of_the_first():
    view = GAME.view(new_game(1))
    told = ("phase", "dealer", "batting", "inning", "half", "outs", "bases", "scores", "points", "due", "plays")
    expected = ["cut", 1, 1, 1, "top", 0, (False, False, False), (0, 0), (0, 0), None, []]
    assert [view[name] for name in told] == expected


def test_a_jack_cut_is_a_home_run_and_no_hand():
    state = replace(new_game(), field=runners(1, 3, outs=2))
    step = apply(GAME, state, Starter(JACK))
    assert step.awards == ()
    assert view_fields(step.state, "phase", "scores", "outs", "bases", "dealer") == ["cut", (3, 0), 2, (False,) * 3, 0]
    assert [play["from"] for play in GAME.view(step.state)["plays"]] == [3, 1, 0]
    assert {play["result"] for play in GAME.view(step.state)["plays"]} == {"run"}
    assert view_fields(step.state, "starter", "points") == [None, (0, 0)]


def test_the_points_of_a_hand_are_by_side_and_stay_until_the_next_starter():
    state = new_game()
    moves = hand(state, 6)
    done = do(state, *moves)
    points = GAME.view(done)["points"]
    assert points[0] - points[1] == 6
    assert view_fields(done, "scores", "phase") == [(0, 0), "between"]
    awards = [a for i, m in enumerate(moves) for a in apply(GAME, do(state, *moves[:i]), m).awards]
    assert [sum(a.points for a in awards if a.seat == side) for side in (0, 1)] == list(points)
    assert view_fields(do(done, Next()), "points", "phase") == [points, "cut"]
    assert view_fields(do(done, Next(), Starter(NO_JACK)), "points", "phase") == [(0, 0), "play"]
    assert view_fields(do(done, Starter(NO_JACK)), "points", "phase") == [(0, 0), "play"]


def test_a_hit_of_six_puts_the_batter_on_first():
    state = after(new_game(), 6)
    assert view_fields(state, "phase", "bases", "outs", "dealer") == ["between", (True, False, False), 0, 0]
    assert view_fields(state, "plays") == [[{"from": 0, "to": 1, "result": "safe"}]]


@pytest.mark.parametrize("net", [-5, 0, 3])
def test_a_strike_out_is_one_out(net: int):
    state = after(new_game(), net)
    assert view_fields(state, "phase", "outs", "bases") == ["between", 1, (False,) * 3]


def test_twenty_four_or_more_is_a_home_run():
    state = after(replace(new_game(), field=runners(1)), 24)
    assert view_fields(state, "phase", "scores", "bases") == ["between", (2, 0), (False,) * 3]


def test_a_must_roll_takes_two_dice_of_the_batter_and_either_may_save():
    state = after(new_game(1), 4)
    assert view_fields(state, "phase", "turn") == ["roll", 1]
    assert view_fields(state, "due", "runners") == [{"for": "must", "number": 2, "dice": 2, "from": 0}, [4]]
    assert refusal_text(state, Roll(0, (2, 2))) == "It is Blue's turn to roll."
    assert refusal_text(state, Roll(1, (2,))) == "Roll two dice."
    assert refusal_text(state, Starter(NO_JACK)) == "Roll the dice first."
    assert refusal_text(state, Next()) == "Roll the dice first."
    assert refusal_text(state, Misdeal()) == "Roll the dice first."
    assert view_fields(do(state, Roll(1, (5, 2))), "phase", "bases", "outs") == ["between", (True, False, False), 0]
    assert view_fields(do(state, Roll(1, (5, 3))), "phase", "bases", "outs") == ["between", (False,) * 3, 1]


def test_dice_have_six_sides():
    assert refusal_text(new_game(None), Roll(0, (7,))) == "Roll one die."
    assert refusal_text(new_game(None), Roll(0, (1, 2))) == "Roll one die."
    assert "no such seat" in refusal_text(new_game(None), Roll(5, (1,)))


def test_a_double_play_in_the_must_roll_spaces():
    state = after(replace(new_game(), field=runners(1)), 5)
    state = do(state, Roll(0, (2, 2)))
    assert view_fields(state, "outs", "bases", "plays") == [1, (False,) * 3, [{"from": 1, "to": 2, "result": "out"}]]
    state = do(state, Roll(0, (6, 3)))
    assert view_fields(state, "outs", "phase", "plays") == [2, "between", [{"from": 0, "to": 1, "result": "out"}]]


def test_a_pickle_is_rolled_until_exactly_one_shows_the_three():
    state = after(new_game(), 9)
    assert view_fields(state, "due", "turn") == [{"for": "pickle", "number": 3, "dice": 1, "from": 0}, 0]
    for dice in ((1, 2), (3, 3)):
        state = do(state, Roll(0, (dice[0],)))
        assert view_fields(state, "turn", "rolled", "plays") == [1, (dice[0],), []]
        state = do(state, Roll(1, (dice[1],)))
        assert view_fields(state, "phase", "turn", "rolled") == ["roll", 0, ()]
    assert view_fields(do(state, Roll(0, (3,)), Roll(1, (1,))), "bases", "outs") == [(False, True, False), 0]
    assert view_fields(do(state, Roll(0, (1,)), Roll(1, (3,))), "bases", "outs") == [(False,) * 3, 1]


def test_with_four_the_seat_left_of_the_batter_rolls_for_the_fielders():
    state = do(after(new_game(2, 4), 9), Roll(2, (1,)))
    assert state.turn == 3


def test_the_third_out_retires_the_side():
    state = after(replace(new_game(), field=runners(1, outs=2), steals_tried=frozenset({1})), -1)
    assert view_fields(state, "phase", "dealer", "batting", "inning", "half", "outs") == [
        "between",
        1,
        1,
        1,
        "bottom",
        0,
    ]
    assert view_fields(state, "bases", "plays") == [(False,) * 3, [{"from": 0, "to": 1, "result": "out"}]]
    state = after(replace(state, field=runners(outs=2)), -1)
    assert view_fields(state, "dealer", "batting", "inning", "half") == [0, 0, 2, "top"]


def test_a_steal_is_tried_between_hands_and_a_six_saves():
    state = after(new_game(), 6)
    assert GAME.view(state)["steals"] == [1]
    state = do(state, Steal(0, 1))
    assert view_fields(state, "phase", "turn", "bases") == ["roll", 0, (True, False, False)]
    assert view_fields(state, "due") == [{"for": "steal", "number": 6, "dice": 2, "from": 1}]
    safe, out = do(state, Roll(0, (6, 1))), do(state, Roll(0, (5, 1)))
    assert view_fields(safe, "phase", "bases", "outs", "steals") == ["between", (False, True, False), 0, []]
    assert view_fields(out, "phase", "bases", "outs") == ["between", (False,) * 3, 1]


def test_one_try_a_runner_and_a_fresh_one_after_the_next_starter():
    state = do(after(new_game(), 6), Steal(0, 1), Roll(0, (6, 6)))
    assert (
        refusal_text(state, Steal(0, 2))
        == "The runner on second base has already tried to steal and may try again after the next hand."
    )
    assert GAME.view(after(state, -1))["steals"] == [2]
    assert GAME.view(do(state, Next()))["steals"] == []


def test_another_runner_may_still_try():
    state = replace(after(new_game(), 6), field=runners(1, 3))
    assert GAME.view(state)["steals"] == [3, 1]
    state = do(state, Steal(0, 3), Roll(0, (6, 1)))
    assert view_fields(state, "scores", "steals", "bases") == [(1, 0), [1], (True, False, False)]


def test_a_steal_that_cannot_be_is_refused_in_words():
    state = replace(after(new_game(), 6), field=runners(1, 2))
    assert refusal_text(state, Steal(1, 1)) == "Only the side at bat can steal, and Red bats."
    assert refusal_text(state, Steal(0, 3)) == "There is no runner on that base."
    assert refusal_text(state, Steal(0, 0)) == "There is no runner on that base."
    assert "The runner on first base cannot steal: there is a runner on second base" in refusal_text(state, Steal(0, 1))
    assert "no such seat" in refusal_text(state, Steal(2, 1))
    assert refusal_text(do(state, Next()), Steal(0, 2)) == "Cut the starter first."


def test_any_of_the_side_may_call_a_steal_and_who_deals_next_rolls():
    state = after(new_game(0, 4), 6)
    assert state.dealer == 2
    state = do(state, Steal(0, 1))
    assert (state.phase, state.turn) == ("roll", 2)
    assert do(state, Roll(2, (1, 1))).dealer == 2


def test_with_four_the_deal_passes_to_the_partner_after_a_counted_hand_only():
    state = new_game(1, 4)
    assert do(state, Starter(JACK)).dealer == 1
    state = after(state, 6)
    assert view_fields(state, "dealer", "batting") == [3, 1]
    assert do(state, Starter(JACK)).dealer == 3
    assert after(state, -1).dealer == 1


def test_with_four_a_retired_side_is_followed_by_the_left_of_who_dealt_last():
    state = replace(new_game(1, 4), field=runners(outs=2))
    assert view_fields(after(state, -1), "dealer", "batting") == [2, 0]
    caught = replace(after(new_game(1, 4), 6), field=runners(1, outs=2))
    assert view_fields(do(caught, Steal(1, 1), Roll(3, (1, 1))), "dealer", "batting", "phase") == [2, 0, "between"]


def test_the_side_batting_last_wins_at_once():
    state = in_last_inning(new_game(), scores=(2, 2), field=runners(1, 3))
    state = after(state, 10)
    assert view_fields(state, "phase", "winner", "scores", "due", "turn") == ["over", 1, (2, 3), None, None]
    assert view_fields(do(in_last_inning(new_game(), scores=(0, 0)), Starter(JACK)), "phase", "winner", "scores") == [
        "over",
        1,
        (0, 1),
    ]


def test_by_dice_too_and_by_a_steal_of_home():
    state = after(in_last_inning(new_game(), field=runners(3)), 4)
    assert view_fields(do(state, Roll(1, (2, 1))), "phase", "winner", "bases") == ["over", 1, (False,) * 3]
    state = do(in_last_inning(new_game(), field=runners(3), phase="between"), Steal(1, 3), Roll(1, (6, 6)))
    assert view_fields(state, "phase", "winner", "scores") == ["over", 1, (0, 1)]


def test_who_is_already_ahead_does_not_bat():
    state = in_last_inning(new_game(), bottom=False, scores=(1, 2), field=runners(outs=2))
    assert view_fields(after(state, 0), "phase", "winner", "half", "inning") == ["over", 1, "top", 3]
    tied = in_last_inning(new_game(), bottom=False, scores=(2, 2), field=runners(outs=2))
    assert view_fields(after(tied, 0), "phase", "half", "batting") == ["between", "bottom", 1]


def test_who_is_behind_after_the_last_out_has_lost_and_a_tie_goes_on():
    state = in_last_inning(new_game(), scores=(2, 1), field=runners(outs=2))
    assert view_fields(after(state, 0), "phase", "winner", "half") == ["over", 0, "bottom"]
    tied = in_last_inning(new_game(), scores=(2, 2), field=runners(outs=2))
    assert view_fields(after(tied, 0), "phase", "winner", "inning", "half", "dealer") == ["between", None, 4, "top", 0]


def test_before_the_third_inning_no_side_wins():
    state = in_last_inning(new_game(), inning=2, scores=(0, 5), field=runners(outs=2))
    assert view_fields(after(state, 0), "phase", "inning") == ["between", 3]
    assert do(in_last_inning(new_game(), inning=2), Starter(JACK)).winner is None


def test_an_option_says_how_many_innings():
    assert do(in_last_inning(new_game(innings="1"), inning=1), Starter(JACK)).winner == 1
    assert do(in_last_inning(new_game(innings="9"), inning=8), Starter(JACK)).winner is None


def test_the_next_game_begins_with_the_dice():
    state = do(in_last_inning(new_game(preset="harsh", innings="2"), inning=2), Starter(JACK), Next())
    assert view_fields(state, "phase", "dealer", "scores", "inning", "half") == ["roll", None, (0, 0), 1, "top"]
    assert (state.innings, state.spaces) == (2, new_game(preset="harsh").spaces)


def test_the_harsh_table_is_an_option():
    state = after(new_game(preset="harsh"), 7)
    assert view_fields(state, "outs", "bases") == [1, (False,) * 3]


def test_a_misdeal_takes_the_points_back_until_the_crib_is_counted():
    state = new_game()
    moves = hand(state, 6)
    for n in range(1, len(moves)):
        back = do(state, *moves[:n], Misdeal())
        assert view_fields(back, "phase", "points", "dealer", "scores") == ["cut", (0, 0), 0, (0, 0)]
    assert refusal_text(state, Misdeal()) == "Cut the starter first."
    assert refusal_text(do(state, *moves), Misdeal()) == "The hand is over."


def test_an_adjustment_is_of_runs_stays_and_may_win():
    state = new_game()
    for before in (state, do(state, Starter(NO_JACK)), after(state, 4), after(state, 6), new_game(None)):
        step = apply(GAME, before, Adjust(1, 2))
        assert (step.state.scores, step.awards) == ((0, 2), (Award(1, 2, "adjust"),))
        assert step.state.phase == before.phase
    assert do(state, Starter(NO_JACK), Adjust(1, 2), Misdeal()).scores == (0, 2)
    assert refusal_text(state, Adjust(0, -1)) == "Red has only 0 runs: a score cannot go below 0."
    won = do(in_last_inning(new_game()), Adjust(1, 1))
    assert (won.phase, won.winner) == ("over", 1)
    assert do(won, Adjust(0, 5)).winner == 1
    assert do(in_last_inning(new_game(), bottom=False), Adjust(1, 1)).winner is None


def test_a_renege_is_named_and_in_a_tournament_costs_two():
    state = do(
        new_game(policy="tournament"), Starter(parse_card("2D")), Play(1, parse_card("TH")), Play(0, parse_card("TS"))
    )
    state = do(
        state,
        Play(1, parse_card("8H")),
        Go(0),
        Go(1),
        Play(0, parse_card("3C")),
        Play(1, parse_card("9H")),
        Play(0, parse_card("9S")),
    )
    state = do(state, Play(1, parse_card("KC")))
    step = apply(GAME, state, Play(0, parse_card("QC")))
    assert [award.seat for award in step.awards if award.reason == "renege"] == [1]
    assert [renege.card for renege in step.notes["reneges"]] == [parse_card("3C")]


def test_cards_are_scanned_as_in_six_card_and_not_while_dice_are_due():
    state = new_game()
    assert GAME.interpret_scan(state, (), NO_JACK) == Starter(NO_JACK)
    playing = do(state, Starter(NO_JACK))
    assert GAME.interpret_scan(playing, (), parse_card("9C")) == Play(1, parse_card("9C"))
    with pytest.raises(IllegalMove, match="Roll the dice first"):
        GAME.interpret_scan(new_game(None), (), NO_JACK)
    with pytest.raises(IllegalMove, match="game is over"):
        GAME.interpret_scan(do(in_last_inning(state), Starter(JACK)), (), NO_JACK)
    moves = hand(state, 6)
    crib = moves[-1]
    assert isinstance(crib, Crib)
    ready = do(state, *moves[:-1])
    assert GAME.interpret_scan(ready, crib.cards[:2], crib.cards[2]) is None
    assert GAME.interpret_scan(ready, crib.cards[:3], crib.cards[3]) == crib
    assert GAME.interpret_scan(do(ready, crib), (), NO_JACK) == Starter(NO_JACK)


def test_where_players_count_the_runners_move_by_what_was_claimed():
    state = do(new_game(counting="manual"), Starter(parse_card("2D")))
    assert refusal_text(new_game(), Claim(0, 1)) == "Cut the starter first."
    assert "nothing to claim" in refusal_text(do(new_game(), Starter(NO_JACK)), Claim(1, 2))
    state = claim_all(state, {0: 6, 1: 2}, crib=2)
    points = GAME.view(state)["points"]
    assert points[0] - points[1] == 6
    assert view_fields(state, "phase", "bases") == ["between", (True, False, False)]


def claim_all(state: BaseballState, worth: dict[int, int], crib: int) -> BaseballState:
    """Return the state after a hand in which only hands and crib are claimed, with these points."""
    held = [[*parse_cards("5STSQSKS")], [*parse_cards("7S8S9H2C")]]
    while state.phase == "play":
        turn, count = state.turn, GAME.view(state)["count"]
        assert turn is not None
        fits = [c for c in held[turn] if count + c.value <= 31]
        state = do(state, Play(turn, held[turn].pop(held[turn].index(fits[0]))) if fits else Go(turn))
    assert state.turn is not None
    state = do(state, Claim(state.turn, 0), Claim(1, worth[1]), Claim(0, worth[0]))
    return do(state, Crib(parse_cards("5C5D5HQC")), Claim(0, crib))


def test_muggins_on_the_crib_moves_the_runners_again():
    state = do(new_game(counting="manual", muggins="on"), Starter(parse_card("2D")))
    state = claim_all(state, {0: 6, 1: 2}, crib=2)
    assert GAME.view(state)["window"] == 0
    called = do(state, Muggins(1, 2))
    points = GAME.view(called)["points"]
    assert points[0] - points[1] == 4
    assert view_fields(called, "phase", "bases", "due")[:2] == ["roll", (False,) * 3]
    late_call = do(state, Steal(0, 1), Roll(0, (6, 6)))
    assert GAME.view(late_call)["window"] is None
    assert "nothing to call" in refusal_text(late_call, Muggins(1, 2))
