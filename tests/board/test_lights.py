"""Lights: where each peg should be, what is wrong and what is right; every sign ends or is followed."""

from companion.board import layout, lights
from companion.snapshot import Advice, Due, Mark, Pegs, Question, Snapshot

BOARD = layout.load("classic")
PEGS = (Pegs(0, "red-2", "red-start-1"), Pegs(1, "blue-start-1", "blue-start-2"))
DUE = Due(0, 2, "red-start-1", "red-4")


def shown(**more):
    game = {"key": "six-card"}
    base = {"number": 1, "run": "r", "moves": 0, "game": game, "board": "classic", "settings": {}, "players": ()}
    return Snapshot(**{**base, "view": {}, "pegs": PEGS, **more})


def frame(now_ms=0, **more):
    painted = lights.paint(BOARD, shown(**more), now_ms)
    return {hole.id: painted[hole.pixel] for hole in BOARD.holes if painted[hole.pixel] != lights.OFF}


def test_pegs_that_belong_glow_dimly_in_their_colour():
    assert set(frame()) == {"red-2", "red-start-1", "blue-start-1", "blue-start-2"}
    assert all(sum(colour) < 60 for colour in frame().values())


def test_a_due_hole_is_lit_in_every_frame_as_no_other_hole_is():
    for now_ms in range(0, 2000, 37):
        lit = frame(now_ms, dues=(DUE,))
        assert lit["red-4"] not in [colour for hole, colour in lit.items() if hole != "red-4"]
        assert set(lit) - {"red-4"} == {"red-2", "red-start-1", "blue-start-1", "blue-start-2"}


def test_a_due_hole_pulses():
    assert len({frame(now_ms, dues=(DUE,))["red-4"] for now_ms in range(0, 1000, 100)}) > 3


def test_the_wrong_hole_is_red_and_where_it_belongs_pulses_on():
    advice = Advice("over_pegged", 0, "", by=1, hole="red-5", place="red-4")
    for now_ms in range(0, 1000, 50):
        lit = frame(now_ms, dues=(DUE,), advice=(advice,))
        assert lit["red-5"][0] >= 128
        assert lit["red-5"][1:] == (0, 0)
        assert lit["red-4"] != lit["red-5"]


def test_right_is_green_and_ends_by_itself():
    marks = (Mark("right", "red-2", 1500),)
    assert frame(1499, marks=marks)["red-2"] == lights.RIGHT
    assert frame(1500, marks=marks) == frame()


def test_what_is_unclear_is_amber():
    question = Question("", (), 0, ("red-7", "red-8"))
    assert frame(100, question=question)["red-7"] == lights.UNCLEAR


def test_a_won_game_runs_up_the_lane_for_a_while():
    marks = (Mark("won", "blue-121", 8000),)
    first, later = frame(0, marks=marks), frame(1000, marks=marks)
    assert first != later
    assert {BOARD.by_id[hole].track for hole in set(later) - set(frame())} == {"blue"}
    assert frame(8000, marks=marks) == frame()
