"""What the buzzer says: once for each thing that has just become known, and nothing of what was known before."""

from dataclasses import replace

from companion.common.snapshot import Advice, LightEffect, Snapshot
from companion.display.panel import choose_sound

QUIET = Snapshot(number=1, run="r", moves=0, game={}, board="classic", settings={}, players=(), view={})
OVER = replace(QUIET, advice=(Advice("over_pegged", 0, "Two too far.", by=2, hole="red-9"),))
WON = replace(QUIET, view={"winner": 0})


def test_a_peg_in_the_dues_own_hole_is_right():
    assert choose_sound(QUIET, replace(QUIET, green_holes=("red-7",))) == "right"
    assert choose_sound(QUIET, replace(QUIET, light_effects=(LightEffect("right", "red-7", 900),))) == "right"


def test_a_peg_that_is_lit_red_is_wrong_once():
    assert choose_sound(QUIET, OVER) == "wrong"
    assert choose_sound(OVER, replace(OVER, number=2)) is None
    assert choose_sound(OVER, QUIET) is None


def test_a_game_won_sounds_before_all_else():
    assert choose_sound(QUIET, replace(WON, green_holes=("red-121",), advice=OVER.advice)) == "win"
    assert choose_sound(WON, replace(WON, number=2)) is None


def test_what_is_only_asked_or_due_is_silent():
    asked = Advice("ask", None, "Where is red's peg?")
    assert choose_sound(QUIET, replace(QUIET, advice=(asked, Advice("peg_forward", 0, "Peg 8.", points=8)))) is None


def test_the_first_snapshot_and_that_of_another_run_are_silent():
    assert choose_sound(None, WON) is None
    assert choose_sound(QUIET, replace(WON, run="s")) is None
