"""Families of worn boards: contacts that chatter, sensors that fail during the game, quarantined holes."""

from tests.perception.acts import Family, peg_between, peg_points, peg_some, take_turns, take_turns_until, with_room_for
from tests.perception.families_sensors import flicker_hole, quarantine_hole
from tests.perception.model import MISSING_MS, TOUCHED_DELAY_MS, Hand, Scene
from tests.perception.sensors import MAX_CHATTER_MS
from tests.perception.ways import pick_way

PAUSE = (TOUCHED_DELAY_MS + 60, 2500)
"""Pause between two hands, in milliseconds."""
CHATTER_PAUSE = (TOUCHED_DELAY_MS + MAX_CHATTER_MS + 60, 2500)
"""The same with worn contacts: a peg rests from its last change, and one lifted sooner looks like a slow touch."""
TRUST_AFTER_MS = 60_000
"""Time after which a steady hole may be trusted again."""


def chatter_contacts(scene: Scene) -> None:
    """Wear the contacts: putting in or lifting a peg makes its hole flicker many times within 120 ms."""
    scene.chatter = scene.rng.choice((0.2, 0.5, 1.0))
    for hand in take_turns(scene, scene.rng.randint(1, 3), CHATTER_PAUSE):
        if hand.is_chance(0.3):
            for _ in range(hand.rng.randint(1, 3)):
                home = hand.rng.choice(hand.place.pegs)
                hand.lift(home).wait(150, 1500).put(home).wait(150, 700)
        elif points := hand.pick_points():
            peg_points(hand, points, front=hand.is_chance(0.1), way=pick_way(hand))


@with_room_for()
def use_quarantined_hole(hand: Hand, points: int) -> None:
    """Put a peg into a hole that is quarantined for flickering, and move it on later."""
    scene = hand.scene
    hand.ms = flicker_hole(scene, hand.hole_ahead(points), hand.rng.randint(5, 9)) + hand.rng.randint(300, 6000)
    peg_points(hand, points, way=pick_way(hand))
    ms = hand.wait(*PAUSE).ms
    peg_between(scene, ms, ms + 4000)


def stick_at_level(scene: Scene) -> None:
    """Let a sensor stick at occupied between two claims."""
    ms = peg_some(scene)
    hole = scene.pick_free_hole()
    scene.fail_sensor(hole, ms, on=True)
    quarantine_hole(scene, hole, ms + 5000)
    peg_between(scene, ms + 300, ms + 7000)


def stick_at_home(scene: Scene) -> None:
    """Let the sensor under a resting peg stick at occupied, then move the peg: the holes do not show its origin."""
    scene.may_ask = True
    ms = peg_some(scene)
    hand = scene.add_hand(scene.pick_seat(), ms + scene.rng.randint(300, 1500))
    if points := hand.pick_points():
        scene.fail_sensor(hand.place.back, ms, on=True)
        scene.faulty.add(hand.hole_ahead(points))  # it is as likely as the other
        peg_points(hand, points, perhaps=True)
    others = [seat for seat in scene.seats if seat != hand.seat]
    for other in take_turns_until(scene, hand.ms + 6000, PAUSE, ms=hand.wait(5500, 7000).ms, seats=others):
        if more := other.pick_points():
            peg_points(other, more)


def die_at_home(scene: Scene) -> None:
    """Let the sensor under a resting peg fail as empty, and move that peg later."""
    ms = peg_some(scene)
    hand = scene.add_hand(scene.pick_seat(), ms)
    points = hand.pick_points()
    if not points:
        return
    home = hand.place.back
    scene.fail_sensor(home, ms, on=False)
    waits = hand.is_chance(0.5)
    end_ms = ms + (hand.rng.randint(MISSING_MS + 1500, MISSING_MS + 6000) if waits else hand.rng.randint(800, 7500))
    if waits:
        hand.expect_question(MISSING_MS + 200, of=hand.seat)
    others = [seat for seat in scene.seats if seat != hand.seat]
    if not scene.ground.is_shared:  # on one lane a peg that seems to be out may be in any new hole
        for other in take_turns_until(scene, end_ms - 4000, PAUSE, ms=ms + 300, seats=others):
            if more := other.pick_points():
                peg_points(other, more)
    hand.ms = end_ms
    peg_points(hand, points)
    peg_between(scene, hand.wait(*PAUSE).ms, hand.ms + 2500)


def die_flapping(scene: Scene) -> None:
    """Let the sensor under a resting peg flicker, then fail at the wrong level, without any question.

    The failure may last longer than `TRUST_AFTER_MS`.
    """
    seat = scene.pick_seat()
    home = scene.rng.choice(scene.places[seat].pegs)
    ms = flicker_hole(scene, home, scene.rng.randint(12, 15)) + scene.rng.randint(40, 150)
    scene.fail_sensor(home, ms, on=False)
    end_ms = ms + (TRUST_AFTER_MS if scene.rng.random() < 0.15 else 0) + scene.rng.randint(2500, 14_000)
    others = [other for other in scene.seats if other != seat]
    for other in take_turns_until(scene, min(end_ms, ms + 9000) - 2500, PAUSE, ms=ms + 500, seats=others):
        if more := other.pick_points():
            peg_points(other, more, way=pick_way(other))
    hand = scene.add_hand(seat, end_ms + 1500)
    if points := hand.pick_points():
        peg_points(hand, points, front=home == hand.place.front)


def die_empty(scene: Scene) -> None:
    """Let an empty hole flicker, then fail as occupied. Only the failure is reported."""
    hole = scene.pick_free_hole()
    ms = flicker_hole(scene, hole, scene.rng.randint(5, 9)) + scene.rng.randint(40, 150)
    scene.fail_sensor(hole, ms, on=True)
    end_ms = ms + 6000
    peg_between(scene, ms + scene.rng.randint(300, 2000), end_ms)
    if scene.rng.random() < 0.15:
        peg_between(scene, end_ms + TRUST_AFTER_MS, end_ms + TRUST_AFTER_MS + 3000)


@with_room_for(2)
def use_dead_hole(hand: Hand, points: int) -> None:
    """Put a peg into a hole with a dead sensor: it seems to be missing, is asked about, and is put one hole back."""
    scene, dead = hand.scene, hand.hole_ahead(points)
    if not scene.free_holes([hand.hole_ahead(points - 1)]) or points - 1 in (19, 25, 26, 27):
        return
    scene.fail_sensor(dead, 100, on=False)
    lifted_ms = hand.ms
    hand.lift(hand.place.back).expect_question(MISSING_MS + 200, of=hand.seat)
    hand.carry().put(dead)
    hand.ms = lifted_ms + hand.rng.randint(MISSING_MS + 1000, MISSING_MS + 5000)
    hand.lift(dead).carry().put(hand.hole_ahead(points - 1)).record_claim(points - 1)


WORN: dict[str, Family] = {
    "chatter": chatter_contacts, "doubted hole": use_quarantined_hole, "sticks": stick_at_level,
    "sticks at home": stick_at_home, "dies at home": die_at_home,
    "dies flapping": die_flapping, "dies empty": die_empty, "dead hole": use_dead_hole,
}  # fmt: skip
"""Families of worn boards in pegs-only."""
