"""Families of worn boards: contacts that chatter, sensors that die while the game goes on, holes not believed."""

from tests.perception.acts import Family, peg_between, peg_points, peg_some, take_turns, take_turns_until, with_room_for
from tests.perception.families_sensors import flicker_hole, quarantine_hole
from tests.perception.model import MISSING, QUIET, Hand, Scene
from tests.perception.ways import pick_way

PAUSE = (QUIET + 460, 2500)
"""Between two hands, in milliseconds."""
TRUST = 60_000
"""A hole that is steady for so long may be believed again, in milliseconds."""


def chatter_contacts(scene: Scene) -> None:
    """Worn contacts: a peg that is put in or lifted makes its hole come and go many times within 120 ms."""
    scene.chatter = scene.rng.choice((0.2, 0.5, 1.0))
    for hand in take_turns(scene, scene.rng.randint(1, 3), PAUSE):
        if hand.is_chance(0.3):
            for _ in range(hand.rng.randint(1, 3)):
                home = hand.rng.choice(hand.place.pegs)
                hand.lift(home).wait(150, 1500).put(home).wait(150, 700)
        elif points := hand.pick_points():
            peg_points(hand, points, front=hand.is_chance(0.1), way=pick_way(hand))


@with_room_for()
def use_quarantined_hole(hand: Hand, points: int) -> None:
    """A peg is put in a hole that came and went before and is not believed, and moved on from there later."""
    scene = hand.scene
    hand.ms = flicker_hole(scene, hand.hole_ahead(points), hand.rng.randint(5, 9)) + hand.rng.randint(300, 6000)
    peg_points(hand, points, way=pick_way(hand))
    ms = hand.wait(*PAUSE).ms
    peg_between(scene, ms, ms + 4000)


def stick_at_level(scene: Scene) -> None:
    """A sensor sticks at taken between two claims."""
    ms = peg_some(scene)
    hole = scene.pick_free_hole()
    scene.fail_sensor(hole, ms, on=True)
    quarantine_hole(scene, hole, ms + 5000)
    peg_between(scene, ms + 300, ms + 7000)


def stick_at_home(scene: Scene) -> None:
    """The sensor under a peg at home sticks at taken; when the peg is moved the holes do not tell from where."""
    scene.may_ask = True
    ms = peg_some(scene)
    hand = scene.add_hand(scene.any_seat(), ms + scene.rng.randint(300, 1500))
    if points := hand.pick_points():
        scene.fail_sensor(hand.place.back, ms, on=True)
        scene.faulty.add(hand.hole_ahead(points))  # it is as likely as the other
        peg_points(hand, points, perhaps=True)
    others = [seat for seat in scene.seats if seat != hand.seat]
    for other in take_turns_until(scene, hand.ms + 6000, PAUSE, ms=hand.wait(5500, 7000).ms, seats=others):
        if more := other.pick_points():
            peg_points(other, more)


def die_at_home(scene: Scene) -> None:
    """The sensor under a peg at home dies, and tells for ever that it is empty; later that peg is moved."""
    ms = peg_some(scene)
    hand = scene.add_hand(scene.any_seat(), ms)
    points = hand.pick_points()
    if not points:
        return
    home = hand.place.back
    scene.fail_sensor(home, ms, on=False)
    waits = hand.is_chance(0.5)
    end_ms = ms + (hand.rng.randint(MISSING + 1500, MISSING + 6000) if waits else hand.rng.randint(800, 7500))
    if waits:
        hand.expect_question(MISSING + 200, of=hand.seat)
    others = [seat for seat in scene.seats if seat != hand.seat]
    if not scene.ground.shared:  # on one lane a peg that seems to be out may be in any new hole
        for other in take_turns_until(scene, end_ms - 4000, PAUSE, ms=ms + 300, seats=others):
            if more := other.pick_points():
                peg_points(other, more)
    hand.ms = end_ms
    peg_points(hand, points)
    peg_between(scene, hand.wait(*PAUSE).ms, hand.ms + 2500)


def die_flapping(scene: Scene) -> None:
    """The sensor under a peg at home comes and goes, then dies at the wrong level; it is a nuisance to nobody.

    Sometimes for longer than a hole must be steady to be believed again.
    """
    seat = scene.any_seat()
    home = scene.rng.choice(scene.places[seat].pegs)
    ms = flicker_hole(scene, home, scene.rng.randint(12, 15)) + scene.rng.randint(40, 150)
    scene.fail_sensor(home, ms, on=False)
    end_ms = ms + (TRUST if scene.rng.random() < 0.15 else 0) + scene.rng.randint(2500, 14_000)
    others = [other for other in scene.seats if other != seat]
    for other in take_turns_until(scene, min(end_ms, ms + 9000) - 2500, PAUSE, ms=ms + 500, seats=others):
        if more := other.pick_points():
            peg_points(other, more, way=pick_way(other))
    hand = scene.add_hand(seat, end_ms + 1500)
    if points := hand.pick_points():
        peg_points(hand, points, front=home == hand.place.front)


def die_empty(scene: Scene) -> None:
    """A hole comes and goes, then dies at taken with no peg in it; nobody is told anything of it but that it fails."""
    hole = scene.pick_free_hole()
    ms = flicker_hole(scene, hole, scene.rng.randint(5, 9)) + scene.rng.randint(40, 150)
    scene.fail_sensor(hole, ms, on=True)
    end_ms = ms + 6000
    peg_between(scene, ms + scene.rng.randint(300, 2000), end_ms)
    if scene.rng.random() < 0.15:
        peg_between(scene, end_ms + TRUST, end_ms + TRUST + 3000)


@with_room_for(2)
def use_dead_hole(hand: Hand, points: int) -> None:
    """A peg is put in a hole whose sensor is dead: it seems to be out, is asked about, and put one hole back."""
    scene, dead = hand.scene, hand.hole_ahead(points)
    if not scene.free_holes([hand.hole_ahead(points - 1)]) or points - 1 in (19, 25, 26, 27):
        return
    scene.fail_sensor(dead, 100, on=False)
    lifted_ms = hand.ms
    hand.lift(hand.place.back).expect_question(MISSING + 200, of=hand.seat)
    hand.carry().put(dead)
    hand.ms = lifted_ms + hand.rng.randint(MISSING + 1000, MISSING + 5000)
    hand.lift(dead).carry().put(hand.hole_ahead(points - 1)).record_claim(points - 1)


WORN: dict[str, Family] = {
    "chatter": chatter_contacts, "doubted hole": use_quarantined_hole, "sticks": stick_at_level,
    "sticks at home": stick_at_home, "dies at home": die_at_home,
    "dies flapping": die_flapping, "dies empty": die_empty, "dead hole": use_dead_hole,
}  # fmt: skip
"""Families of worn boards in pegs-only."""
