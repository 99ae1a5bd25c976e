"""An answer may put pegs where no rule would put them. The game continues from there and ends."""

from dataclasses import replace

import pytest

from companion.boards.board import holes_of
from companion.common.errors import IllegalMove
from companion.protocol.json_codec import read_move
from companion.rules.moves import Adjust, TakeBoard, Undo
from companion.settings import Settings
from companion.table.state import create_core, restore_pegs
from tests.support.table_driver import Hands


def test_a_peg_left_on_anothers_track_by_a_persons_word_is_at_home_there():
    hands = Hands().play("scan 5D, peg red-start-2 blue-42, rest 5000, 0 adjusts 3, rest 1000, carry blue-start-2 -")
    hands.play("rest 9000")
    assert hands.snapshot.quarantined == ()
    assert hands.snapshot.pegs[0].back == "red-start-1"
    assert hands.snapshot.pegs[0].front == "blue-42"


def test_a_peg_confirmed_outside_the_lanes_is_at_home_there():
    hands = Hands("pursuit").play("scan 5D")
    hands.peg(hands.snapshot.pegs[0].front, "square-13")
    hands.play("rest 5000, 0 adjusts 3, rest 9000")
    assert hands.snapshot.quarantined == ()


def test_undo_also_leads_a_peg_back_outside_the_lanes():
    hands = Hands("pursuit").play("0 adjusts 5")
    bit = {name: hole.bit for name, hole in hands.core.plan.board.by_id.items()}
    stands = [[bit["circle-5"], bit["circle-8"], 5, 8], [*hands.core.plan.routes[1].start[::-1], -1, 0]]
    before = [[bit["square-13"], bit["circle-5"], 3, 5]]  # where a person's word had put it
    hands.core = restore_pegs(hands.core, {"stands": stands, "past": [before, []]})
    hands.holes = set(holes_of(hands.core.course.resting_holes()))
    hands._report_levels()
    assert [(due.points, due.place) for due in hands.snapshot.dues] == [(-3, "square-13")]
    assert hands.snapshot.advice[0].say == "Red: front peg to the lit hole."


@pytest.mark.parametrize("key", ["six-card", "pegs-only"])
def test_a_spare_peg_in_a_start_hole_after_a_win_is_not_asked_about(key):
    hands = Hands(key, options={"target": "61"}, board="classic-61")
    if key == "pegs-only":
        hands.play("peg red-start-2 red-28, rest, peg red-start-1 red-56, rest, peg red-28 red-61, rest")
    else:
        hands.play("scan 5D, 0 adjusts 61, peg red-start-2 red-61, rest 5000")
    assert hands.snapshot.view["winner"] == 0
    hands.play("carry - red-start-2, rest 60000")
    assert hands.snapshot.question is None


@pytest.mark.parametrize("place", ["blue-42", "red-1"])
def test_what_was_due_before_a_persons_word_is_due_no_more(place):
    hands = Hands().play("scan JD, peg red-start-2 red-2, rest, 0 adjusts -2")
    hands.peg("red-2", place)
    hands.play("rest 5000, 1 adjusts 1, rest 5000")
    assert [(due.seat, due.points) for due in hands.snapshot.dues if due.seat == 1] == [(1, 1)]


def test_an_answer_while_a_knocked_board_is_half_restored_gives_no_seat_another_seats_pegs():
    hands = Hands("six-card", seats=3).play("scan JD")
    knocked = [hands.core.plan.board.by_id[f"{who}-start-{n}"].bit for who in ("red", "blue") for n in (1, 2)]
    hands.holes -= set(knocked)
    hands._report_levels()
    hands.rest(15_000)
    assert hands.snapshot.question is not None
    hands.move(Adjust(0, 5))
    holes = [hole for pegs in hands.snapshot.pegs for hole in (pegs.back, pegs.front)]
    assert holes == [f"{who}-start-{n}" for who in ("red", "blue", "green") for n in (2, 1)]


def test_a_home_filled_again_on_anothers_track_stays_its_own_seats_by_a_word():
    hands = Hands("pegs-only").play("peg blue-start-2 red-79, rest 5000, 1 adjusts 3, rest 3000")
    hands.play("peg red-start-1 green-20, rest 5000, 0 adjusts 19, rest 3000, carry green-20 -, rest 1000")
    hands.play("peg red-start-2 red-6, rest 2000, peg blue-start-1 blue-42, rest 5000, carry red-79 -, rest 1000")
    hands.play("carry - red-79, rest 3000, carry - green-20, rest 3000, 1 pegs 1")
    holes = [hole for pegs in hands.snapshot.pegs for hole in (pegs.back, pegs.front)]
    assert holes == ["green-20", "red-6", "red-79", "blue-42"]  # as they stand


def test_in_a_card_game_the_board_taken_as_it_stands_is_the_known_one_and_the_difference_is_due():
    hands = Hands().play("scan JD, peg red-start-2 red-9, rest 3000")
    entries = hands.make_move_entries(TakeBoard())
    assert (entries, hands.snapshot.view["scores"]) == ((), [2, 0])
    assert (hands.snapshot.pegs[0].front, hands.snapshot.pegs[0].back) == ("red-9", "red-start-1")
    assert [(due.points, due.lift, due.place) for due in hands.snapshot.dues] == [(-7, "red-9", "red-2")]
    hands.move(Undo())
    assert [(due.points, due.lift) for due in hands.snapshot.dues] == [(-9, "red-9")]


def test_pegs_that_stand_as_they_are_known_to_are_nothing_to_take():
    hands = Hands()
    before = hands.core
    with pytest.raises(IllegalMove, match="No peg has moved"):
        hands.move(TakeBoard())
    assert hands.core is before
    for key in ("bases", "shuffle"):
        with pytest.raises(IllegalMove, match="the pegs do not change the score"):
            Hands(key).move(TakeBoard())


def test_where_the_pegs_are_the_score_the_board_taken_sets_all_scores_in_one_move():
    hands = Hands("pegs-only").play("peg red-start-2 red-19, peg blue-start-2 blue-25, rest 3000")
    (entry,) = hands.make_move_entries(TakeBoard())
    assert entry.body == {"type": "adjust", "seat": 0, "points": 19, "also": [{"seat": 1, "points": 25}]}
    assert (hands.snapshot.view["scores"], hands.snapshot.dues, hands.snapshot.question) == ([19, 25], (), None)
    hands.play("undo, scores 0 0")


@pytest.mark.parametrize("code", ["5D", None])
def test_where_the_players_count_the_last_answer_sets_the_score_to_what_the_pegs_say(code):
    hands = Hands(options={"counting": "manual"})
    if code:
        hands.scan(code)
    hands.play("peg red-start-2 red-7, rest 3000")
    assert hands.snapshot.question.choices[-1].move == {"type": "adjust", "seat": 0, "points": 7}
    hands.move(TakeBoard())
    assert (hands.snapshot.view["scores"], hands.snapshot.dues, hands.snapshot.question) == ([7, 0], (), None)


def test_a_board_that_was_taken_as_it_stood_stands_so_after_a_restart():
    hands = Hands().play("scan JD, peg red-start-2 red-9, rest 3000, take_board")
    again = restore_pegs(
        replace(create_core(hands.core.plan, Settings()), past=hands.core.past), hands.core.course.dump()
    )
    assert again.course.describe_pegs().pegs == hands.snapshot.pegs


def test_a_peg_taken_where_it_stands_on_anothers_track_is_the_back_peg_of_the_next_score():
    hands = Hands().play("scan 5D, peg red-start-2 blue-42, rest 3000, take_board, scan TH 5H")  # a fifteen for Red
    hands.play("peg red-start-1 red-2, rest")
    assert (hands.snapshot.dues, hands.snapshot.pegs[0].front, hands.snapshot.pegs[0].back) == ((), "red-2", "blue-42")
    hands.scan("5S")  # a pair for Blue, whose track it is
    hands.play("peg blue-start-2 blue-2, rest")
    assert (hands.snapshot.dues, hands.snapshot.pegs[1].front) == ((), "blue-2")
    hands.scan("5C")  # three alike for Red, and 30
    hands.play("peg blue-42 red-8, rest 5000")
    assert (hands.snapshot.dues, hands.snapshot.pegs[0].front, hands.snapshot.question) == ((), "red-8", None)
    hands.rest(70_000)
    assert (hands.snapshot.advice, hands.snapshot.quarantined) == ((), ())


@pytest.mark.parametrize(("game", "scores", "lacking"), [("pegs-only", [5, 0], []), ("six-card", [0, 0], [(0, -5)])])
def test_a_board_that_did_not_begin_at_the_start_is_taken_as_it_stands(game, scores, lacking):
    hands = Hands(game)
    hands.core = create_core(hands.core.plan, Settings())
    by_id = hands.core.plan.board.by_id
    hands.holes = {by_id[hole].bit for hole in ("red-start-1", "red-5", "blue-start-1", "blue-start-2")}
    hands._report_levels()
    hands.rest(3000)
    answer = hands.snapshot.question.choices[-1]
    hands.move(read_move(answer.move))
    assert (answer.say, hands.snapshot.question) == ("Take the board as it stands.", None)
    assert (hands.snapshot.pegs[0].front, hands.snapshot.pegs[0].back) == ("red-5", "red-start-1")
    assert list(hands.snapshot.view["scores"]) == scores
    assert [(due.seat, due.points) for due in hands.snapshot.dues] == lacking
