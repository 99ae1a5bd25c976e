"""Infringements: what players call, and what a refused move is. Each story names its rule and its scores."""

import contextlib
import random

import pytest

from companion.common.errors import IllegalMove
from companion.protocol.json_codec import read_move, write_move
from companion.rules import rulings
from companion.rules.cards import parse_card, parse_cards
from companion.rules.moves import Correct, Infringement, Rule, Undo
from tests.rules import infringement_stories
from tests.rules.test_rulings import HARMLESS, STORIES, Told, choose_move, numbers, split_lines

CALLED, REFUSED = split_lines(infringement_stories.INFRINGEMENTS), split_lines(infringement_stories.REFUSED)


def test_there_are_more_than_150_stories_and_every_row_has_some():
    assert len(STORIES) + len(HARMLESS) + len(CALLED) + len(REFUSED) >= 250
    assert len(STORIES) + len(CALLED) >= 150
    assert {rule for rule, *_ in CALLED} == {row.rule for row in rulings.RULINGS if row.what}


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), CALLED)
def test_a_ruling_names_its_rule_and_the_score_that_follows(rule, options, story, accepted, waived):
    for accept, expected in ((True, accepted), (False, waived)):
        told = Told(options, story)
        before, ruling = told.past, told.ruling
        assert ruling is not None
        assert ruling.rule == rule
        assert told.scores == numbers(waived)  # nothing happens by itself
        assert read_move(write_move(told.past.move)) == told.past.move
        told.make(Rule(accept))
        assert told.scores == numbers(expected)
        assert told.ruling is None  # 11.3: no penalty on a penalty
        told.make(Undo())
        assert (told.past.state, told.ruling) == (before.state, ruling)
        told.make(Undo())
        assert told.past.state == before.parent.state


@pytest.mark.parametrize(("_", "options", "story"), REFUSED)
def test_what_is_no_infringement_is_refused(_, options, story):
    *moves, last = story.split("; ")
    told = Told(options, "; ".join(moves))
    before = told.past
    with pytest.raises(IllegalMove):
        told.tell(last)
    assert told.past == before


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), CALLED)
def test_what_can_be_called_is_listed_and_each_of_it_gives_a_ruling(rule, options, story, accepted, waived):
    *moves, last = story.split("; ")
    told = Told(options, "; ".join(moves))
    before = told.past
    listed = list(told.game.list_calls(told.game, before))
    assert len({move for *_, move in listed}) == len(listed)
    for number, say, move in listed:
        told.make(move)
        assert (told.ruling.rule, "{" in say + told.ruling.say) == (number, False)
        told.make(Undo())
    if last.startswith("judge"):
        told.tell(last)
        assert told.past.move in [move for _, _, move in listed]


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), CALLED)
def test_in_a_friendly_game_nothing_can_be_called(rule, options, story, accepted, waived):
    moves = [each for each in story.split("; ") if not each.startswith(("judge", "accept"))]
    told = Told(options, "", policy="friendly")
    for each in moves:
        with contextlib.suppress(IllegalMove):
            told.tell(each)
        assert (told.ruling, list(told.game.list_calls(told.game, told.past))) == (None, [])
    before = told.past
    for call in [each for each in story.split("; ") if each.startswith("judge")]:
        with pytest.raises(IllegalMove):
            told.tell(call)
    assert told.past == before


def test_a_player_cannot_call_the_own_side_for_what_only_the_opponent_may_call():
    told = Told("seats=4", "cut 8S; 1 5H")

    def offered(caller):
        return {(move.seat, move.what) for *_, move in told.game.list_calls(told.game, told.past, caller)}

    assert {(0, "opponent-peg"), (2, "opponent-peg")} <= offered(None)
    assert {(0, "opponent-peg"), (2, "opponent-peg")} <= offered(3)
    assert {(0, "opponent-peg"), (2, "opponent-peg")} & offered(2) == set()
    assert (0, "claimed-game") in offered(0)  # either player may call that


def test_a_game_that_heels_had_won_goes_on_without_them():
    told = Told("", "0 adjusts 119; cut JS; judge 0 late-heels; accept; 1 5H; 0 TD; 0 claims 2")
    assert (told.scores, told.past.state.winner) == ([121, 0], 0)


def test_the_companion_follows_a_wrong_lead_that_was_played_on():
    told = Told("", "cut 8S; judge 0 dealer-led-on; accept; 0 5H; 1 5C; 1 claims 2; 0 6D")
    assert (told.past.state.turn, told.past.state.deal.play.count, told.scores) == (1, 16, [0, 2])


def test_a_cut_that_was_wrong_is_cut_again():
    told = Told("", "cut JS; judge 0 starter-early; accept")
    assert (told.past.state.phase, told.past.state.deal.starter) == ("cut", None)
    told.tell("cut 8S; 1 5H")
    assert told.past.state.phase == "play"


def test_a_go_that_was_said_by_mistake_is_taken_back():
    told = Told("", "cut 8S; 1 KH; 0 QD; 1 5C; go 0; judge 0 wrong-go; accept")
    assert told.past.state.turn == 0
    told.tell("0 2D")
    assert told.past.state.turn == 1


RENEGE_SHOWN = "cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 0 2C"


def test_a_renege_takes_the_play_back_to_before_the_go():
    told = Told("", f"{RENEGE_SHOWN}; judge 0 renege 2; accept")
    assert (told.past.state.turn, told.past.state.deal.play.count, told.past.state.deal.play.goes) == (0, 25, ())
    told.tell("0 2C; go 1; 0 3D; 0 claims 4; go 0; judge 0 wrong-go; waive")
    assert told.ruling is None


def test_a_dead_card_is_not_played_but_counts_in_the_hand():
    told = Told("", f"{RENEGE_SHOWN}; judge 0 renege-dead 2; accept")
    progress = told.past.state.deal.play
    assert (told.past.state.turn, progress.count, progress.series) == (1, 25, parse_cards("KHQD5C"))
    told.tell("go 1; 1 claims 1; 0 3D; 1 8H; 0 TS; 1 TC; 1 claims 2; 1 claims 2")
    pending = told.past.state.deal.claims.pending
    assert (pending.seat, told.past.state.deal.hands[0]) == (0, parse_cards("QD2C3DTS"))
    assert sum(award.points for award in pending.truth) == 4  # fifteen with each ten-card, the 2 and the 3


def test_the_rest_of_the_hand_is_still_judged_after_a_dead_card():
    told = Told("", f"{RENEGE_SHOWN}; judge 0 renege-dead 2; accept; go 1; 1 claims 1; 0 3D; 1 TC; 0 6S")
    assert (told.ruling.rule, told.ruling.say) == ("7.3", "Red said go although a card fitted: 4 points for Blue.")
    assert told.scores == [0, 7]


def test_a_crib_on_the_wrong_side_changes_hands_with_the_next_deal():
    told = Told("", "PLAY; 1 claims 1; judge 0 crib-side; accept")
    assert (told.past.state.deal.dealer, told.past.state.turn) == (1, 0)
    told.tell("0 claims 3; 1 claims 8; crib 2H2D3S3H; 1 claims 8")
    assert (told.scores, told.past.state.phase, told.past.state.dealer) == ([3, 17], "between", 0)


def test_a_corrected_starter_drops_the_call_on_it():
    told = Told("", "cut JS; 1 5H; 0 6D; judge 0 late-heels; accept")
    told.make(Correct(parse_card("JS"), parse_card("9S")))
    assert told.scores == [0, 0]


def test_a_call_belongs_to_the_last_move():
    told = Told("", "cut 8S; judge 0 crib-seen; 1 5H")
    assert told.ruling is None
    with pytest.raises(IllegalMove):
        told.make(Rule(True))


def test_a_call_names_the_players_and_the_points():
    told = Told("", "1 adjusts 110; cut 8S; judge 1 claimed-game")
    assert (
        told.ruling.say == "Blue claimed the game without the points: 11 points for Red, and Blue goes 15 holes back."
    )
    assert isinstance(told.past.move, Infringement)


@pytest.mark.parametrize("seed", range(8))
def test_random_calls_in_random_games_keep_every_score_and_are_undone(seed: int):
    chance = random.Random(seed)
    told = Told(f"muggins={chance.choice(['on', 'off'])} counting={chance.choice(['auto', 'manual'])} target=61", "")
    called = 0
    for _ in range(150):
        calls = list(told.game.list_calls(told.game, told.past)) if chance.random() < 0.3 else []
        if not calls:
            with contextlib.suppress(IllegalMove):
                told.make(choose_move(chance, told))
            continue
        told.make(chance.choice(calls)[2])
        before = told.past
        told.make(Rule(True))
        called += 1
        assert all(0 <= score <= 61 for score in told.scores), f"seed {seed}"
        assert (told.past.state.winner is not None) == (61 in told.scores), f"seed {seed}"
        if chance.random() < 0.5:
            told.make(Undo())
            assert told.past.state == before.state, f"seed {seed}"
    assert called
