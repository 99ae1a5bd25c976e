"""The dice button: the roll that is due, or two dice just shown; recordings keep the faces."""

import json

import pytest

from companion.common.errors import BadMove
from companion.display.lights import is_roll_due, is_tumbling
from companion.rules.moves import Roll
from companion.table.recording import run_recording
from companion.table.state import SHOWN_MS, TUMBLE_MS, parse_recorded_dice
from tests.support.table_driver import Hands

HIT = "AD 5C KH AH TC AC 2D go:1 go:0 3D 8S TD 8H 6S 6C"
"""A hand of Red's that is a must roll."""
STRIKE_OUT = "2H 5S 7C 8H KD AH AC 5C 4D QC QS TC 7S"
HOME_RUN = "6C 4C KC QH 7C 7D 8H AS 7H 7S 8C AH 9D"


def table(dealer=None, words="", **plan_of):
    hands = Hands("bases", dealer=dealer, **plan_of)
    for word in words.split():
        if word.startswith("go"):
            hands.press(word)
        else:
            hands.scan(word)
    return hands


def test_a_press_where_one_die_is_due_rolls_the_first_of_the_two():
    hands = table().play("press dice 4 6")
    assert hands.snapshot.last["move"] == {"type": "roll", "seat": 0, "dice": [4]}
    assert hands.snapshot.last["by"] == "buttons"
    assert (hands.snapshot.dice.faces, hands.snapshot.view["turn"]) == ((4,), 1)
    hands.press("dice", (2, 6))
    assert (hands.snapshot.dice.faces, hands.snapshot.dice.first_new) == ((4, 2), 1)
    assert hands.snapshot.view["dealer"] == 0


def test_a_press_where_two_are_due_rolls_both():
    hands = table(0, HIT).play("press dice 2 5")
    assert hands.snapshot.last["move"] == {"type": "roll", "seat": 0, "dice": [2, 5]}
    assert hands.snapshot.view["bases"] == [True, False, False]


def test_the_dice_tumble_first_and_go_dark_in_time():
    hands = table(0, HIT).play("press dice 2 5")
    dice = hands.snapshot.dice
    assert (dice.stop_ms - hands.ms, dice.until_ms - dice.stop_ms) == (TUMBLE_MS, SHOWN_MS)
    assert is_tumbling(hands.snapshot, dice.stop_ms - 1)
    assert not is_tumbling(hands.snapshot, dice.stop_ms)


def test_own_dice_entered_on_a_phone_lie_there_at_once():
    hands = table(0, HIT)
    hands.move(Roll(0, (2, 5)))
    assert (hands.snapshot.dice.faces, hands.snapshot.dice.stop_ms) == ((2, 5), hands.ms)
    assert hands.snapshot.last["by"] == "phone"


def test_where_no_dice_are_due_the_button_is_a_plain_dice_cup():
    hands = table(0)
    before = hands.core.past
    hands.press("dice", (3, 4))
    assert (hands.snapshot.dice.faces, hands.snapshot.notices, hands.core.past) == ((3, 4), (), before)


def test_the_dice_go_dark_when_play_goes_on_or_is_taken_back():
    hands = table(0, HIT).play("press dice 2 5, press undo")
    assert (hands.snapshot.dice, hands.snapshot.view["phase"]) == (None, "roll")
    hands.play("press dice 1 1, next")
    assert hands.snapshot.dice is None


def test_the_button_is_lit_while_dice_are_due_and_none_tumble():
    hands = table(0, HIT)
    assert is_roll_due(hands.snapshot, hands.ms)
    hands.press("dice", (2, 5))
    assert not is_roll_due(hands.snapshot, hands.ms + 10**6)
    hands = table().play("press dice 4 4")
    assert not is_roll_due(hands.snapshot, hands.ms)
    assert is_roll_due(hands.snapshot, hands.ms + TUMBLE_MS)


def light_runs(hands):
    return [(m.kind, m.path[0], m.hole, m.from_ms - hands.ms) for m in hands.core.light_effects if m.path]


def test_a_hit_is_lit_round_the_bases():
    hands = table(0, HOME_RUN)
    assert light_runs(hands) == [("run", "bases-1", "bases-24", 0)]
    assert len(hands.core.light_effects[-1].path) == 24


def test_what_dice_decide_is_lit_when_they_have_stopped():
    hands = table(0, HIT).play("press dice 2 5")
    assert light_runs(hands) == [("run", "bases-1", "bases-6", TUMBLE_MS)]


def test_an_out_is_lit_half_the_way():
    hands = table(0, HIT).play("press dice 3 5")
    assert light_runs(hands) == [("out", "bases-1", "bases-3", TUMBLE_MS)]


def test_what_is_undone_is_lit_no_longer():
    hands = table(0, HOME_RUN).play("undo")
    assert light_runs(hands) == []


def test_a_game_that_is_won_is_lit_round_the_bases():
    hands = Hands("bases", dealer=0, options={"innings": "1"})
    for _ in range(3):
        strike_out(hands)
    hands.scan("JH")
    assert hands.snapshot.view["phase"] == "over"
    (mark,) = [m for m in hands.core.light_effects if m.kind == "won"]
    assert mark.hole == "bases-24"


def strike_out(hands):
    """A hand in which the batter does not score more than the fielder."""
    hands.rest(2000)
    for word in STRIKE_OUT.split():
        hands.scan(word)


@pytest.mark.parametrize("given", [[1], [1, 7], [0, 1], [1, 2, 3], "12", {"a": 1}, [True, 1], [1.0, 2]])
def test_recorded_dice_are_two_whole_numbers(given):
    with pytest.raises(BadMove, match="two whole numbers from 1 to 6"):
        parse_recorded_dice(given, 0)


def test_dice_of_a_recording_that_does_not_tell_them_follow_from_its_time():
    throws = [parse_recorded_dice(None, ms) for ms in range(3000)]
    assert throws == [parse_recorded_dice(None, ms) for ms in range(3000)]
    assert set(throws) == {(one, other) for one in range(1, 7) for other in range(1, 7)}


def test_a_recorded_press_carries_its_dice():
    said = []
    begun = {"ms": 0, "table": {"game": "bases", "seats": 2, "board": "bases", "options": {}}}
    presses = [{"ms": 9, "press": "dice", "dice": [6, 1]}, {"ms": 10, "press": "dice", "dice": [1, 1]}]
    wrong = {"ms": 11, "press": "dice", "dice": [9, 9]}
    lines = [begun, *presses, wrong, {"ms": 12, "scan": "JD"}, {"ms": 13, "tick": True}]
    run_recording([json.dumps(line).encode() for line in lines], said.append)
    assert [line["ms"] for line in said if "error" in line] == [11]
