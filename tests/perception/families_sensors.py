"""Families of sensors that fail, stick, flicker or lag, and of lost reports, while hands play normally."""

from itertools import accumulate, cycle

from tests.perception.acts import Family, peg_between, peg_points, take_turns, take_turns_until, with_room_for
from tests.perception.model import DIRECT_DELAY_MS, TOUCHED_DELAY_MS, Hand, Scene
from tests.perception.truth import Intent
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
