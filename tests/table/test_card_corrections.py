"""Correcting a misread card: what snapshots show, pending cards, pegs, journal."""

import contextlib

import pytest

from companion.common.errors import IllegalMove
from companion.journal.journal import Journal, JournalEntry
from companion.protocol.json_codec import write_move
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Correct, Play, Starter, Undo
from companion.settings import Settings
from companion.table import resume
from companion.table.resume import resume_game
from companion.table.state import create_snapshot
from tests.support.move_notation import parse_story
from tests.support.table_driver import Hands


def play_story(story, key="six-card", **plan_of):
    hands = Hands(key, **plan_of)
    for move in parse_story(story):
        hands.move(move)
    return hands


def correct(wrong, right):
    return Correct(parse_card(wrong), parse_card(right))


HAND = "cut KD; 1 5H; 0 TH; 1 3D; 0 2C; 1 6S; 0 4H; 1 AC; 0 8H"


def test_everybody_sees_the_deal_as_it_should_have_been():
    hands, right = play_story("cut KD; 1 5H; 0 TH; 1 7C"), play_story("cut KD; 1 6H; 0 TH; 1 7C")
    hands.move(correct("5H", "6H"))
    shown = hands.snapshot
    assert shown.view == right.snapshot.view
    assert shown.last["move"] == {"type": "correct", "card": "5H", "to": "6H"}
    assert shown.last["said"] == [
        "The 5 of hearts was really the 6 of hearts: the deal was counted again.",
        "Red: 2 points taken back.",
    ]


def test_points_that_were_pegged_are_taken_back_and_new_ones_are_due():
    hands = play_story("cut KD; 1 5H; 0 TH").play("peg red-start-2 red-2, rest")
    hands.move(correct("5H", "6H"))
    assert [(d.seat, d.points, d.lift, d.place) for d in hands.snapshot.dues] == [(0, -2, "red-2", "red-start-2")]
    hands.play("undo, dues none")
    hands.move(correct("5H", "TS"))
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == []


def test_cards_of_an_unfinished_crib_stay_and_one_of_them_is_exchanged_where_it_lies():
    hands = play_story(HAND).play("scan 2H 3H 7C")
    hands.move(correct("5H", "5S"))
    assert hands.snapshot.view["crib"] == ["2H", "3H", "7C"]
    entries = hands.make_move_entries(correct("3H", "9D"))
    assert hands.snapshot.view["crib"] == ["2H", "9D", "7C"]
    assert [(e.kind, e.body) for e in entries] == [("uncard", None), ("uncard", None), ("card", "9D"), ("card", "7C")]
    hands.scan("QS")
    assert hands.snapshot.view["phase"] == "between"
    assert hands.core.past.move.cards == tuple(map(parse_card, ("2H", "9D", "7C", "QS")))


@pytest.mark.parametrize(("wrong", "right"), [("5H", "3H"), ("3H", "2H"), ("3H", "KD"), ("9S", "9H")])
def test_a_card_that_lies_has_been_seen(wrong, right):
    hands = play_story(HAND).play("scan 2H 3H")
    with pytest.raises(IllegalMove):
        hands.move(correct(wrong, right))
    assert hands.snapshot.view["crib"] == ["2H", "3H"]


def test_in_pursuit_another_is_out_than_it_seemed():
    hands = Hands("pursuit", seats=3, dealer=2)
    for move in (
        Adjust(1, 28),
        Adjust(0, 30),
        Starter(parse_card("2D")),
        Play(0, parse_card("5H")),
        Play(1, parse_card("TH")),
    ):
        hands.move(move)
    assert hands.core.past.state.knocked_out == (2,)
    assert hands.core.course.loop.seats == (0, 1)
    hands.move(correct("TH", "9H"))
    assert hands.core.past.state.knocked_out == ()
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == [(0, 30), (1, 28)]
    hands.move(correct("9H", "TH"))
    hands.play("next, scores 0 0 0")


def test_the_loop_has_those_who_are_left_also_where_a_correction_throws_out_one_more():
    hands = Hands("pursuit", seats=4, dealer=2)
    for move in (Adjust(1, 55), *parse_story("cut 2D; 3 7H; 0 7D; 1 AC")):
        hands.move(move)
    assert hands.core.past.state.knocked_out == (2,)
    assert hands.core.course.loop.seats == (0, 1, 3)
    hands.move(correct("AC", "7S"))
    assert hands.core.past.state.knocked_out == (2, 3)
    assert hands.core.course.loop.seats == (0, 1)
    hands.move(Undo())
    assert hands.core.course.loop.seats == (0, 1, 3)


def test_the_journal_leads_to_the_same_also_from_a_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(resume, "CHECKPOINT_INTERVAL", 4)
    hands = play_story(HAND)
    moves = [
        *parse_story(HAND),
        correct("5H", "5S"),
        *parse_story("crib 2H3H7CQS"),
        correct("QS", "KS"),
        correct("5S", "5C"),
    ]
    for move in moves[len(parse_story(HAND)) :]:
        hands.move(move)
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(hands.core.plan.journal_json)
        journal.write(tuple(JournalEntry("move", "phone", write_move(move)) for move in moves), None)
        for _ in range(2):  # the second time from its checkpoints
            again = resume_game(journal.last_game(), Settings())
            assert again.past.state == hands.core.past.state
            assert create_snapshot(again, number=1, run="test", moves=0).last == hands.snapshot.last
