"""Lights: where each peg should be, what is wrong and what is right; the display of Sackson swap; every sign ends."""

from dataclasses import fields
from itertools import pairwise
from typing import get_args

import pytest

from companion.boards import catalog
from companion.common.errors import BoardError
from companion.common.paths import resource_folder
from companion.common.snapshot import (
    LIGHT_EFFECTS,
    Advice,
    Due,
    EffectKind,
    LightEffect,
    MarkerPosition,
    PegPair,
    PegQuestion,
    RolledDice,
    Snapshot,
)
from companion.display import lights
from companion.display.lights import MARKER_COLOURS, OFF, paint_frame
from companion.display.theme import DEFAULT_THEME, LightTheme
from companion.rules.moves import Exchange, Take
from companion.settings import Settings
from companion.table import inputs, state
from companion.table.setup import create_plan
from companion.table.state import create_snapshot
from tests.support.light_current import estimate_current_ma

BOARD = catalog.load_board("classic")
PEGS = (PegPair(0, "red-2", "red-start-1"), PegPair(1, "blue-start-1", "blue-start-2"))
DUE = Due(0, 2, "red-start-1", "red-4")


def shown(**more):
    game = {"key": "six-card"}
    base = {"number": 1, "run": "r", "moves": 0, "game": game, "board": "classic", "settings": {}, "players": ()}
    return Snapshot(**{**base, "view": {}, "pegs": PEGS, **more})


def frame(now_ms=0, **more):
    painted = lights.paint_frame(BOARD, shown(**more), now_ms)
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
    marks = (LightEffect("right", "red-2", 1500),)
    assert frame(1499, light_effects=marks)["red-2"] == DEFAULT_THEME.right
    assert frame(1500, light_effects=marks) == frame()


def test_what_is_unclear_is_amber():
    question = PegQuestion("", (), 0, ("red-7", "red-8"))
    assert frame(100, question=question)["red-7"] == DEFAULT_THEME.unclear


def test_a_won_game_runs_up_the_lane_for_a_while():
    marks = (LightEffect("won", "blue-121", 8000),)
    first, later = frame(0, light_effects=marks), frame(1000, light_effects=marks)
    assert first != later
    assert {BOARD.by_id[hole].track for hole in set(later) - set(frame())} == {"blue"}
    assert frame(8000, light_effects=marks) == frame()


BASES = catalog.load_board("bases")
BAT = {"for": "bat", "number": None, "dice": 1, "from": None}
MUST = {"for": "must", "number": 2, "dice": 2, "from": 0}


def diamond(now_ms=0, due=None, rolled=(), **more):
    """The frame of a board of 'Round the Bases."""
    more = {"pegs": (), "markers": (), "view": {"due": due, "rolled": list(rolled)}, **more}
    return lights.paint_frame(BASES, shown(**more), now_ms)


def pips(painted):
    """Which of the seven pips of each die are lit, and how brightly."""
    return [
        {n: painted[pip.pixel] for n, pip in enumerate(die) if painted[pip.pixel] != lights.OFF} for die in BASES.dice
    ]


def holes(painted):
    return {hole.id: painted[hole.pixel] for hole in BASES.holes if painted[hole.pixel] != lights.OFF}


def roll_dice(*faces, fresh=0, stop_ms=1400):
    return RolledDice(faces, fresh, stop_ms, stop_ms + 20_000)


def test_dice_that_have_stopped_show_their_faces_for_a_while():
    lit = pips(diamond(1400, dice=roll_dice(3, 6)))
    assert [set(die) for die in lit] == [{0, 3, 6}, {0, 1, 2, 4, 5, 6}]
    assert pips(diamond(21_399, dice=roll_dice(3, 6))) == lit
    assert pips(diamond(21_400, dice=roll_dice(3, 6))) == [{}, {}]


def test_each_face_has_as_many_pips():
    for face in range(1, 7):
        assert [len(die) for die in pips(diamond(1400, dice=roll_dice(face, 7 - face)))] == [face, 7 - face]


def test_dice_tumble_slower_and_slower_and_stop_at_what_they_show():
    frames = [pips(diamond(ms, dice=roll_dice(3, 6))) for ms in range(0, 1401, 20)]
    changes = [i for i, (one, other) in enumerate(pairwise(frames)) if one != other]
    waits = [later - earlier for earlier, later in pairwise(changes)]
    assert len(changes) > 12
    assert waits[-1] > waits[0]
    assert frames[-2] == frames[-1] == pips(diamond(1400, dice=roll_dice(3, 6)))
    assert len({tuple(sorted(one)) for one, _ in frames}) == 6


def test_of_a_pickle_the_first_die_lies_still_while_the_second_tumbles():
    frames = [pips(diamond(ms, rolled=(5,), dice=roll_dice(5, 2, fresh=1))) for ms in range(0, 1400, 20)]
    assert {tuple(one) for one, _ in frames} == {(0, 1, 3, 5, 6)}
    assert len({tuple(other) for _, other in frames}) > 4


def test_a_die_that_waits_for_the_others_lies_there_as_long_as_it_takes():
    lit = pips(diamond(10**6, due=BAT, rolled=(5,), dice=roll_dice(5)))
    assert set(lit[0]) == {0, 1, 3, 5, 6}
    assert set(lit[0].values()) == {DEFAULT_THEME.die}


def test_dice_that_are_due_pulse_those_and_no_others():
    for due, rolled, asked in ((BAT, (), [True, False]), (BAT, (4,), [False, True]), (MUST, (), [True, True])):
        seen = [pips(diamond(ms, due=due, rolled=rolled)) for ms in range(0, 1000, 100)]
        assert [len({tuple(frame[n].values()) for frame in seen}) > 3 for n in (0, 1)] == asked
    assert pips(diamond()) == [{}, {}]


def test_dice_tumble_even_while_others_are_due_next():
    assert set(pips(diamond(200, due=MUST, dice=roll_dice(1, 1)))[0].values()) == {DEFAULT_THEME.die}
    after = pips(diamond(1400, due=MUST, dice=roll_dice(1, 1)))
    assert set(after[0]) == {3}
    assert DEFAULT_THEME.die not in after[0].values()


def test_while_dice_roll_nothing_reveals_the_result():
    shown_advice = {"advice": (Advice("peg_forward", None, "", lift="bases-4", place="bases-6"),)}
    run = LightEffect("run", "bases-6", 4000, 1400, ("bases-5", "bases-6"))
    assert holes(diamond(1399, dice=roll_dice(2, 5), light_effects=(run,), **shown_advice)) == {}
    assert set(holes(diamond(1400, dice=roll_dice(2, 5), light_effects=(run,), **shown_advice))) == {
        "bases-4",
        "bases-5",
        "bases-6",
    }


def test_the_pegs_of_a_board_without_a_race_glow_dimly():
    lit = holes(diamond(markers=(MarkerPosition("red-units-4", 0), MarkerPosition("outs-1", None))))
    assert set(lit) == {"red-units-4", "outs-1"}
    assert all(0 < sum(colour) < 60 for colour in lit.values())


def test_a_run_is_a_light_on_its_way_that_stays_at_its_end_and_ends():
    way = tuple(f"bases-{n}" for n in range(1, 7))
    mark = LightEffect("run", "bases-6", 1620, 0, way)
    heads = [
        max(holes(diamond(ms, light_effects=(mark,))).items(), key=lambda lit: lit[1][1])[0] for ms in range(0, 420, 70)
    ]
    assert heads == list(way)
    assert holes(diamond(1619, light_effects=(mark,))) == {"bases-6": DEFAULT_THEME.right}
    assert holes(diamond(1620, light_effects=(mark,))) == {}


def test_an_out_looks_otherwise_by_its_colour_and_its_place():
    way = ("bases-1", "bases-2", "bases-3")
    assert holes(diamond(1000, light_effects=(LightEffect("out", "bases-3", 1400, 0, way),))) == {
        "bases-3": DEFAULT_THEME.out
    }
    assert DEFAULT_THEME.out not in (DEFAULT_THEME.right, DEFAULT_THEME.wrong, DEFAULT_THEME.unclear)


def test_a_frame_says_how_long_it_stays_as_it_is():
    quiet = {"pegs": (), "markers": (), "view": {"due": None}}
    assert lights.still_ms(shown(**quiet), 0) is None
    assert lights.still_ms(shown(**quiet, light_effects=(LightEffect("run", "bases-6", 99),)), 98) == 0
    assert lights.still_ms(shown(**quiet, light_effects=(LightEffect("run", "bases-6", 99),)), 99) is None
    assert lights.still_ms(shown(**quiet, dice=roll_dice(1, 2)), 0) == 0
    assert lights.still_ms(shown(**quiet, dice=roll_dice(1, 2)), 1400) == 20_000
    assert lights.still_ms(shown(**quiet, dice=roll_dice(1, 2)), 21_400) is None
    assert lights.still_ms(shown(**{**quiet, "view": {"due": BAT}}), 0) == 0
    assert lights.still_ms(shown(dues=(DUE,)), 0) == 0


def test_the_fullest_board_of_the_bases_is_within_the_limit():
    pegs = [hole for hole in BASES.holes if hole.track != "bases"][:16]
    advice = tuple(
        Advice("put_back", 0, "", hole=pegs[n].id, lift=pegs[n].id, place=f"bases-{n + 1}") for n in range(16)
    )
    run = LightEffect("run", "bases-24", 10**6, 0, tuple(f"bases-{n}" for n in range(1, 25)))
    painted = diamond(500, due=MUST, dice=roll_dice(6, 6, stop_ms=0), advice=advice, light_effects=(run,))
    assert estimate_current_ma(painted) < 2000


def test_each_light_effect_has_its_row():
    assert set(LIGHT_EFFECTS) == set(get_args(EffectKind))
    assert {sign.colour for sign in LIGHT_EFFECTS.values()} <= {field.name for field in fields(LightTheme)}


DISPLAY = "\n[display]\ncentre = [52, 150]\npitch = 10\n"


def board_file(tmp_path, more):
    path = tmp_path / "mine.toml"
    path.write_text((resource_folder("hardware/boards") / "classic-61.toml").read_text() + more)
    return str(path)


def read_display(now):
    """What the display's pixels show, row by row."""
    board = now.plan.board
    frame = paint_frame(board, create_snapshot(now, number=1, run="test", moves=0), 0)
    names = {colour: name for name, colour in MARKER_COLOURS.items()} | {OFF: None}
    lit = [names[frame[pip.pixel]] for pip in board.display]
    return tuple(tuple(lit[n : n + 5]) for n in range(0, 25, 5))


def test_its_pixels_follow_the_holes_row_by_row(tmp_path):
    board = catalog.load_board(board_file(tmp_path, DISPLAY))
    first, last = board.display[0], board.display[-1]
    assert (len(board.display), first.pixel, last.pixel) == (25, len(board.holes), board.pixel_count - 1)
    assert (first.x_mm, first.y_mm, last.x_mm, last.y_mm) == (32, 130, 72, 170)
    assert (board.display[1].x_mm, board.display[5].y_mm) == (42, 140)
    assert catalog.encode_board(board)["display"][0] == {"pixel": first.pixel, "x_mm": 32, "y_mm": 130}
    assert "a display of 25 pixels" in catalog.describe_board(board)


def test_it_shows_the_markers_and_what_an_exchange_makes_of_them(tmp_path):
    now = state.create_core(create_plan("swap", board=board_file(tmp_path, DISPLAY)), Settings())
    assert read_display(now) == now.plan.game.view(now.past.state)["display"]
    before = read_display(now)
    now = inputs.on_move(now, Take(0, ("red", "yellow")), "phone", 0).core
    a, b = now.plan.game.view(now.past.state)["legal"][0]
    now = inputs.on_move(now, Exchange(0, a, b), "phone", 0).core
    after = read_display(now)
    assert (after[a[0]][a[1]], after[b[0]][b[1]]) == (before[b[0]][b[1]], before[a[0]][a[1]])
    assert after == now.plan.game.view(now.past.state)["display"]


def test_before_the_markers_are_laid_and_in_other_games_it_is_dark(tmp_path):
    name = board_file(tmp_path, DISPLAY)
    for made in (create_plan("swap", board=name, options={"start": "random"}), create_plan("five-card", board=name)):
        assert {lit for row in read_display(state.create_core(made, Settings())) for lit in row} == {None}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (DISPLAY + "pixel = 3\n", "display has a pixel that is used elsewhere"),
        ("\n[display]\ncentre = [1, 2]\n", "pitch must be a number"),
        ("\n[display]\ncenter = [1, 2]\n", "nearest is 'centre'"),
        (DISPLAY + "\n[[dice]]\ncentre = [0, 0]\npitch = 5\npixel = 200\n", "pixel that is used elsewhere"),
    ],
)
def test_a_display_that_cannot_be_is_refused_in_a_sentence(tmp_path, more, words):
    with pytest.raises(BoardError, match=words):
        catalog.load_board(board_file(tmp_path, more))
