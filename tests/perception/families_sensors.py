"""Families of sensors that fail, stick, flicker or lag, of worn boards, and of sensors that are dead for good."""

from itertools import accumulate, cycle

from tests.perception.acts import Family, peg_between, peg_points, peg_some, take_turns, take_turns_until, with_room_for
from tests.perception.model import DIRECT_DELAY_MS, DOUBT_MS, FIRST_MS, MISSING_MS, TOUCHED_DELAY_MS, Hand, Scene
from tests.perception.sensors import MAX_CHATTER_MS
from tests.perception.truth import Edge, Intent
from tests.perception.ways import pick_way, slide_through


def stick_sensor(scene: Scene) -> None:
    """Let a sensor stick at occupied from some time on, while claims continue."""
    hole = scene.pick_free_hole()
    at_ms = scene.rng.randint(100, 400)
    scene.fail_sensor(hole, at_ms, on=True)
    quarantine_hole(scene, hole, at_ms + 5000)
    peg_between(scene, 1000, 7000)


def flap_sensor(scene: Scene) -> None:
    rng, hole = scene.rng, scene.pick_free_hole()
    times, pace = [rng.randint(100, 300)], rng.choice((120, 300, 550))
    end_ms = times[0] + rng.randint(8000, 12_000)
    while times[-1] < end_ms:
        times.append(times[-1] + rng.randint(pace // 3, 2 * pace))
    _add_flapping(scene, hole, times[: len(times) // 2 * 2], on=True)
    if times[7] - times[0] <= 7900:
        quarantine_hole(scene, hole, times[0] + 8000)
    peg_between(scene, rng.randint(700, 5000), 12_000)


def fail_sensor(scene: Scene) -> None:
    """Let any hole flicker or stick for a while, also under a peg, while claims continue. No question is allowed."""
    rng = scene.rng
    if rng.random() < 0.3:
        hole = scene.pick_free_hole()
        scene.fail_sensor(hole, 200, on=True)
    else:
        hole = rng.choice((rng.choice(scene.free_holes()), rng.choice(scene.pegs)))
        scene.busy.add(hole)
        many, pace = 2 * rng.randint(20, 60), rng.choice((40, 90, 200))
        times = list(accumulate((rng.randint(pace // 2, 2 * pace) for _ in range(many)), initial=150))
        _add_flapping(scene, hole, times[1:], on=hole not in scene.pegs)
    seats = [seat for seat in scene.seats if hole not in scene.places[seat].pegs]
    for hand in take_turns_until(scene, 16_000, (TOUCHED_DELAY_MS + 60, 3000), ms=9000, seats=seats):
        if points := hand.pick_points():
            peg_points(hand, points, way=pick_way(hand))


def fail_home_sensor(scene: Scene) -> None:
    """Let a peg's hole flicker until it is quarantined; then claims continue, also with that peg."""
    hole = scene.rng.choice(scene.pegs)
    ms = flicker_hole(scene, hole, scene.rng.randint(13, 18))
    for hand in take_turns_until(scene, ms + 5000, (TOUCHED_DELAY_MS + 60, 3000), ms=ms + scene.rng.randint(300, 3000)):
        if points := hand.pick_points():
            peg_points(hand, points, way=pick_way(hand))


def flicker_hole(scene: Scene, hole: int, times: int) -> int:
    """Change the hole's level `times` times, there and back. Return the time of the last change."""
    pace = scene.rng.choice((90, 150))
    moments = list(accumulate((scene.rng.randint(pace // 2, 2 * pace) for _ in range(2 * times)), initial=150))
    _add_flapping(scene, hole, moments[1:], on=hole not in scene.pegs)
    return moments[-1]


def lose_reports(scene: Scene) -> None:
    """Lose every fifth report; the levels are repeated each second."""
    scene.lost = 0.2
    for hand in take_turns(scene, 2, (DIRECT_DELAY_MS + 1200, 4000)):
        if points := hand.pick_points():
            peg_points(hand, points)


@with_room_for()
def delay_sensors(hand: Hand, points: int) -> None:
    """Give each sensor an individual lag of up to 185 ms."""
    hand.scene.lag, hand.scene.bounce = 185, 0.0
    peg_points(hand, points, front=hand.is_chance(0.2), way=slide_through if hand.is_chance(0.2) else None)


def quarantine_hole(scene: Scene, hole: int, by_ms: int) -> None:
    """Expect that the hole is quarantined by this time."""
    scene.intents.append(Intent(0, "quarantined", None, to=hole, by_ms=by_ms))


def _add_flapping(scene: Scene, hole: int, times: list[int], *, on: bool) -> None:
    """Change a hole's level at these times, to `on` at the first one."""
    scene.faulty.add(hole)
    for ms, level in zip(times, cycle((on, not on)), strict=False):
        scene.change_level(ms, hole, level)


SENSORS: dict[str, Family] = {
    "stuck": stick_sensor, "flapping": flap_sensor, "failing": fail_sensor, "failing home": fail_home_sensor,
    "lost reports": lose_reports, "late": delay_sensors,
}  # fmt: skip
"""Families of sensors that fail in pegs-only."""


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


DUE_PAUSE = (DIRECT_DELAY_MS + 200, 2500)
"""Pause between two hands, in milliseconds."""


@with_room_for(1, 40)
def stick_due_home(hand: Hand, points: int) -> None:
    """Let the old hole of a due peg fail as occupied: the peg is seen in its new hole, its old hole does not change."""
    _die_at_home(hand)
    _peg_due(hand, points, by_ms=DOUBT_MS + 200)
    _go_on(hand)


@with_room_for(1, 40)
def lose_due_hole(hand: Hand, points: int) -> None:
    """Let the hole of a due fail as empty: the peg seems to be missing, and a phone says that it is there."""
    scene, to = hand.scene, hand.hole_ahead(points)
    scene.fail_sensor(to, 100, on=False)
    scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.wait(300, 2500).lift(hand.place.back).expect_question(MISSING_MS + 300, of=hand.seat)
    hand.carry().put(to).move_placement(points)
    scene.take_board(hand.wait(MISSING_MS + 500, MISSING_MS + 4000).ms)
    _go_on(hand)


@with_room_for(1, 40)
def lose_other_home(hand: Hand, points: int) -> None:
    """Let the hole of the peg that stays fail as empty, and peg the due with the other peg: the rest is asked."""
    scene = hand.scene
    scene.fail_sensor(hand.place.front, hand.ms, on=False)
    hand.wait(200, 1500)
    scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    to = hand.hole_ahead(points)
    hand.wait(300, 2500).lift(hand.place.back).carry().put(to)
    hand.expect_question(MISSING_MS + 300, of=hand.seat)
    ms = hand.wait(MISSING_MS + 500, MISSING_MS + 4000).ms
    scene.take_board(ms)
    scene.edges.append(Edge(ms, to, True, hand.act))  # only then is the act known
    hand.record_claim(points, by_ms=ms + 1000)
    _go_on(hand)


def _die_at_home(hand: Hand) -> None:
    hand.scene.fail_sensor(hand.place.back, hand.rng.randint(100, FIRST_MS), on=True)


def _peg_due(hand: Hand, points: int, by_ms: int) -> None:
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.wait(300, 2500).lift(hand.place.back).carry().put(hand.hole_ahead(points))
    hand.record_claim(points, by_ms=hand.ms + by_ms)


def _go_on(hand: Hand) -> None:
    """Let both sides peg their dues."""
    scene: Scene = hand.scene
    for other in take_turns(scene, 3, DUE_PAUSE, ms=hand.wait(3500, 6000).ms):
        if points := other.pick_points(1, 20):
            _peg_due(other, points, by_ms=DOUBT_MS + 200)
            other.wait(1500, 2000)


DEAD: dict[str, Family] = {
    "due's home sticks": stick_due_home, "due's hole dead": lose_due_hole, "other home dead": lose_other_home,
}  # fmt: skip
"""Families of dead sensors in a card game."""
