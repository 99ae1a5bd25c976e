"""An answer may put pegs where no rule would put them. The game continues from there and ends."""

from dataclasses import replace

import pytest

from companion.boards.board import holes_of
from companion.common.errors import IllegalMove
from companion.protocol.json_codec import read_move
from companion.rules.moves import Adjust, Peg, TakeBoard, Undo
from companion.settings import Settings
from companion.table.state import create_core, restore_pegs
from tests.support.table_driver import Hands


def test_a_peg_left_on_anothers_track_by_a_persons_word_is_at_home_there():
    hands = Hands()
    hands.scan("5D")
    hands.peg("red-start-2", "blue-42")
    hands.rest(5000)
    hands.move(Adjust(0, 3))
    hands.rest(1000)
    hands.carry("blue-start-2", None)
    hands.rest(9000)
    assert hands.snapshot.quarantined == ()
    assert hands.snapshot.pegs[0].back == "red-start-1"
    assert hands.snapshot.pegs[0].front == "blue-42"


def test_a_peg_confirmed_outside_the_lanes_is_at_home_there():
    hands = Hands("pursuit")
    hands.scan("5D")
    hands.peg(hands.snapshot.pegs[0].front, "square-13")
    hands.rest(5000)
    hands.move(Adjust(0, 3))
    hands.rest(9000)
    assert hands.snapshot.quarantined == ()


def test_undo_also_leads_a_peg_back_outside_the_lanes():
    hands = Hands("pursuit")
    hands.move(Adjust(0, 5))
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
        for lift, place in (("red-start-2", "red-28"), ("red-start-1", "red-56"), ("red-28", "red-61")):
            hands.peg(lift, place)
            hands.rest()
    else:
        hands.scan("5D")
        hands.move(Adjust(0, 61))
        hands.peg("red-start-2", "red-61")
        hands.rest(5000)
    assert hands.snapshot.view["winner"] == 0
    hands.carry(None, "red-start-2")
    hands.rest(60_000)
    assert hands.snapshot.question is None


@pytest.mark.parametrize("place", ["blue-42", "red-1"])
def test_what_was_due_before_a_persons_word_is_due_no_more(place):
    hands = Hands()
    hands.scan("JD")
    hands.peg("red-start-2", "red-2")
    hands.rest()
    hands.move(Adjust(0, -2))
    hands.peg("red-2", place)
    hands.rest(5000)
    hands.move(Adjust(1, 1))
    hands.rest(5000)
    assert [(due.seat, due.points) for due in hands.snapshot.dues if due.seat == 1] == [(1, 1)]


def test_an_answer_while_a_knocked_board_is_half_restored_gives_no_seat_another_seats_pegs():
    hands = Hands("six-card", seats=3)
    hands.scan("JD")
    knocked = [hands.core.plan.board.by_id[f"{who}-start-{n}"].bit for who in ("red", "blue") for n in (1, 2)]
    hands.holes -= set(knocked)
    hands._report_levels()
    hands.rest(15_000)
    assert hands.snapshot.question is not None
    hands.move(Adjust(0, 5))
    holes = [hole for pegs in hands.snapshot.pegs for hole in (pegs.back, pegs.front)]
    assert holes == [f"{who}-start-{n}" for who in ("red", "blue", "green") for n in (2, 1)]


def test_a_home_filled_again_on_anothers_track_stays_its_own_seats_by_a_word():
    hands = Hands("pegs-only")
    hands.peg("blue-start-2", "red-79")
    hands.rest(5000)
    hands.move(Adjust(1, 3))
    hands.rest(3000)
    hands.peg("red-start-1", "green-20")
    hands.rest(5000)
    hands.move(Adjust(0, 19))
    hands.rest(3000)
    hands.carry("green-20", None)
    hands.rest(1000)
    hands.peg("red-start-2", "red-6")
    hands.rest(2000)
    hands.peg("blue-start-1", "blue-42")
    hands.rest(5000)
    hands.carry("red-79", None)
    hands.rest(1000)
    hands.carry(None, "red-79")
    hands.rest(3000)
    hands.carry(None, "green-20")
    hands.rest(3000)
    hands.move(Peg(1, 1))
    holes = [hole for pegs in hands.snapshot.pegs for hole in (pegs.back, pegs.front)]
    assert holes == ["green-20", "red-6", "red-79", "blue-42"]  # as they stand


def test_in_a_card_game_the_board_taken_as_it_stands_is_the_known_one_and_the_difference_is_due():
    hands = Hands()
    hands.scan("JD")
    hands.peg("red-start-2", "red-9")
    hands.rest(3000)
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
    hands = Hands("pegs-only")
    hands.peg("red-start-2", "red-19")
    hands.peg("blue-start-2", "blue-25")
    hands.rest(3000)
    (entry,) = hands.make_move_entries(TakeBoard())
    assert entry.body == {"type": "adjust", "seat": 0, "points": 19, "also": [{"seat": 1, "points": 25}]}
    assert (hands.snapshot.view["scores"], hands.snapshot.dues, hands.snapshot.question) == ([19, 25], (), None)
    hands.move(Undo())
    assert hands.snapshot.view["scores"] == [0, 0]


@pytest.mark.parametrize("code", ["5D", None])
def test_where_the_players_count_the_last_answer_sets_the_score_to_what_the_pegs_say(code):
    hands = Hands(options={"counting": "manual"})
    if code:
        hands.scan(code)
    hands.peg("red-start-2", "red-7")
    hands.rest(3000)
    assert hands.snapshot.question.choices[-1].move == {"type": "adjust", "seat": 0, "points": 7}
    hands.move(TakeBoard())
    assert (hands.snapshot.view["scores"], hands.snapshot.dues, hands.snapshot.question) == ([7, 0], (), None)


def test_a_board_that_was_taken_as_it_stood_stands_so_after_a_restart():
    hands = Hands()
    hands.scan("JD")
    hands.peg("red-start-2", "red-9")
    hands.rest(3000)
    hands.move(TakeBoard())
    again = restore_pegs(
        replace(create_core(hands.core.plan, Settings()), past=hands.core.past), hands.core.course.dump()
    )
    assert again.course.describe_pegs().pegs == hands.snapshot.pegs


def test_a_peg_taken_where_it_stands_on_anothers_track_is_the_back_peg_of_the_next_score():
    hands = Hands()
    hands.scan("5D")
    hands.peg("red-start-2", "blue-42")
    hands.rest(3000)
    hands.move(TakeBoard())
    for code in ("TH", "5H"):  # a fifteen for Red
        hands.scan(code)
    hands.peg("red-start-1", "red-2")
    hands.rest()
    assert (hands.snapshot.dues, hands.snapshot.pegs[0].front, hands.snapshot.pegs[0].back) == ((), "red-2", "blue-42")
    hands.scan("5S")  # a pair for Blue, whose track it is
    hands.peg("blue-start-2", "blue-2")
    hands.rest()
    assert (hands.snapshot.dues, hands.snapshot.pegs[1].front) == ((), "blue-2")
    hands.scan("5C")  # three alike for Red, and 30
    hands.peg("blue-42", "red-8")
    hands.rest(5000)
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
