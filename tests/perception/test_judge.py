"""The judge of stories: what it calls wrong, missed, asked, early and late. No watcher is asked here."""

from pathlib import Path
from random import Random

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def model(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    from tests.perception import model  # noqa: PLC0415 - the model's modules are found beside this file, as its scripts find them

    return model


@pytest.fixture
def scene(model):
    """Two players, their pegs at 5 and 9 of lanes of their own; sensors without lag or bounce."""
    from tests.perception.ground import Ground  # noqa: PLC0415 - as above
    from tests.perception.truth import Place  # noqa: PLC0415

    scene = model.Scene(Ground("classic", 2), Random(7), bounce=0.0)
    hole = scene.ground.hole
    scene.begin_with([Place(hole(seat, 5), hole(seat, 9), 5, 9) for seat in (0, 1)])
    return scene


def judge_lines(scene, *said):
    """The verdict on these lines."""
    from tests.perception.judge import judge_events  # noqa: PLC0415 - as above
    from tests.perception.sensors import report_scene  # noqa: PLC0415

    return judge_events(scene, report_scene(scene, scene.edges[-1].ms, scene.edges[-1].ms + 21_000), said)


def pegged_event(scene, ms, seat, points, start, to):
    hole = scene.ground.hole
    return {
        "ms": ms,
        "event": "pegged",
        "seat": seat,
        "points": points,
        "from": hole(seat, start),
        "to": hole(seat, to),
    }


def count_on_the_way(scene, rest_ms):
    """Rest red's peg in 12 for this time on its way to 17, where it stays from 3000 ms on at the latest."""
    hand = scene.add_hand(0, 1000)
    hand.lift(hand.place.back).wait(300, 300).touch(hand.hole_at(12), (rest_ms, rest_ms)).put(
        hand.hole_at(17)
    ).record_claim(8)


def test_a_claim_reported_early_and_then_corrected_is_right_and_counted_apart(scene):
    count_on_the_way(scene, 900)
    found = judge_lines(scene, pegged_event(scene, 1800, 0, 3, 5, 12), pegged_event(scene, 3000, 0, 5, 12, 17))
    assert (found.wrong, found.missed, found.slow, found.early) == ([], [], 1, 1)


def test_a_claim_reported_before_the_peg_has_rested_is_wrong(scene):
    count_on_the_way(scene, 380)
    found = judge_lines(scene, pegged_event(scene, 1670, 0, 3, 5, 12), pegged_event(scene, 3000, 0, 5, 12, 17))
    assert len(found.wrong) == 1


def test_a_claim_reported_early_and_never_corrected_is_missed(scene):
    count_on_the_way(scene, 900)
    found = judge_lines(scene, pegged_event(scene, 1800, 0, 3, 5, 12))
    assert (found.wrong, len(found.missed)) == ([], 1)


def test_the_next_act_ends_the_wait_for_a_claim(scene):
    count_on_the_way(scene, 250)
    hand = scene.add_hand(0, scene.edges[-1].ms + 600)
    lifted_ms = hand.lift(hand.place.back).ms
    hand.wait(500, 500).put(hand.hole_ahead(4)).record_claim(4)
    last = pegged_event(scene, hand.ms + 440, 0, 4, 9, 21)
    at_once = judge_lines(scene, pegged_event(scene, lifted_ms + 25, 0, 8, 5, 17), last)
    late = judge_lines(scene, pegged_event(scene, lifted_ms + 180, 0, 8, 5, 17), last)
    assert (at_once.wrong, at_once.missed) == ([], [])
    assert dict(map(reversed, at_once.delays))["next"] <= 25
    assert dict(map(reversed, late.delays))["next"] >= 150


def test_two_claims_asked_about_instead_are_missed(scene):
    count_on_the_way(scene, 250)
    hand = scene.add_hand(0, scene.edges[-1].ms + 250)
    hand.lift(hand.place.back).wait(500, 500).put(hand.hole_ahead(4)).record_claim(4)
    taken = {"say": "Leave the pegs.", "move": {"type": "take_board"}}
    why = {"ms": 6000, "event": "unclear", "seat": 0, "why": "?", "holes": [], "choices": [taken]}
    found = judge_lines(scene, why, {"ms": 7000, "event": "resolved"})
    assert (len(found.asked), len(found.missed)) == (1, 2)


@pytest.mark.parametrize(("last", "missed"), [({"type": "adjust", "seat": 0, "points": 19}, 0), ({"type": "undo"}, 1)])
def test_a_question_about_resting_pegs_ends_with_taking_the_board(scene, last, missed):
    hand = scene.add_hand(0, 1000)
    hand.lift(hand.place.back).wait(300, 300).put(hand.hole_ahead(19)).expect_question(1600, of=0)
    choices = [{"say": "Put it back.", "move": None}, {"say": "Leave it.", "move": last}]
    why = {"ms": 2850, "event": "unclear", "seat": 0, "why": "?", "holes": [], "choices": choices}
    found = judge_lines(scene, why, {"ms": 9000, "event": "resolved"})
    assert (found.asked, len(found.missed)) == ([], missed)


@pytest.mark.parametrize(("points", "wrong"), [(19, 0), (9, 1)])
def test_the_board_taken_as_it_stands_sets_the_scores_to_what_the_pegs_say(scene, points, wrong):
    hand = scene.add_hand(0, 1000)
    hand.lift(hand.place.back).wait(300, 300).put(hand.hole_ahead(19)).expect_board_taken(19, 5000)
    found = judge_lines(scene, {"ms": 5000, "award": {"seat": 0, "points": points, "reason": "adjust", "cards": []}})
    assert len(found.wrong) == wrong


@pytest.mark.parametrize(("on", "wrong"), [(False, 1), (True, 0)])
def test_a_sensor_that_is_silent_and_wrong_is_not_trusted(scene, on, wrong):
    hole = scene.places[1].front
    scene.fail_sensor(hole, 3000, on=on)
    count_on_the_way(scene, 250)
    trusted = {"ms": 70_000, "event": "trusted", "hole": hole}
    found = judge_lines(scene, pegged_event(scene, scene.edges[-1].ms + 440, 0, 8, 5, 17), trusted)
    assert len(found.wrong) == wrong


@pytest.mark.parametrize(("points", "rightly"), [((4, 18), 1), ((28, 18), 0)])
def test_a_question_whose_peg_is_whose_is_right_if_each_could_have_claimed_the_others_hole(model, points, rightly):
    """Red's peg came from a hole with a dead sensor. Its 4 would be 6 for Blue; its 28 would be 30, no hand."""
    from tests.perception.ground import Ground  # noqa: PLC0415 - as above
    from tests.perception.truth import Place  # noqa: PLC0415

    scene = model.Scene(Ground("loop-60", 2), Random(7), bounce=0.0)
    hole = scene.ground.hole
    scene.begin_with([Place(hole(0, -1), hole(0, 0), -1, 0), Place(hole(1, 72), hole(1, 88), 72, 88)])
    scene.faulty.add(hole(0, 0))
    for seat, many in enumerate(points):
        hand = scene.add_hand(seat, 1000)
        hand.lift(hand.place.back).wait(300, 300).put(hand.hole_ahead(many)).record_claim(many)
    holes = [truth.to for truth in scene.intents]
    asked = {"ms": 3000, "event": "unclear", "seat": None, "why": "?", "holes": holes, "choices": []}
    found = judge_lines(scene, asked)
    assert (found.rightly, len(found.asked)) == (rightly, 1 - rightly)


@pytest.mark.parametrize(("lifts", "wrong"), [(5, 1), (6, 0)])
def test_a_hole_that_a_hand_empties_six_times_in_eight_seconds_may_be_quarantined(scene, lifts, wrong):
    hand = scene.add_hand(0, 1000)
    for _ in range(lifts):
        hand.lift(hand.place.back).wait(400, 400).put(hand.place.back).wait(400, 400)
    quarantined = {"ms": hand.ms, "event": "quarantined", "hole": hand.place.back, "why": "?"}
    assert len(judge_lines(scene, quarantined).wrong) == wrong
