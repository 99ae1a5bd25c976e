"""Families of sensors that fail, stick, flap or are late, and of reports that are lost, while hands go on as ever."""

from itertools import accumulate, cycle

from acts import Family, claims_between, peg, turns, turns_until, with_room
from model import QUIET, Hand, Scene
from truth import Meant
from ways import any_way, slide


def stuck(scene: Scene) -> None:
    """A sensor is stuck on from some moment, and claims go on."""
    hole = scene.any_free()
    at_ms = scene.rng.randint(100, 400)
    scene.fail(hole, at_ms, on=True)
    doubted(scene, hole, at_ms + 5000)
    claims_between(scene, 1000, 7000)


def flapping(scene: Scene) -> None:
    """A sensor comes and goes, and claims go on."""
    rng, hole = scene.rng, scene.any_free()
    times, pace = [rng.randint(100, 300)], rng.choice((120, 300, 550))
    end_ms = times[0] + rng.randint(8000, 12_000)
    while times[-1] < end_ms:
        times.append(times[-1] + rng.randint(pace // 3, 2 * pace))
    _flap(scene, hole, times[: len(times) // 2 * 2], on=True)
    if times[7] - times[0] <= 7900:
        doubted(scene, hole, times[0] + 8000)
    claims_between(scene, rng.randint(700, 5000), 12_000)


def failing(scene: Scene) -> None:
    """One hole flaps or sticks for a while, anywhere, also under a peg, while claims go on; no questions asked."""
    rng = scene.rng
    if rng.random() < 0.3:
        hole = scene.any_free()
        scene.fail(hole, 200, on=True)
    else:
        hole = rng.choice((rng.choice(scene.free()), rng.choice(scene.pegs)))
        scene.busy.add(hole)
        many, pace = 2 * rng.randint(20, 60), rng.choice((40, 90, 200))
        times = list(accumulate((rng.randint(pace // 2, 2 * pace) for _ in range(many)), initial=150))
        _flap(scene, hole, times[1:], on=hole not in scene.pegs)
    seats = [seat for seat in scene.seats if hole not in scene.places[seat].pegs]
    for hand in turns_until(scene, 16_000, (QUIET + 460, 3000), ms=9000, seats=seats):
        if points := hand.room():
            peg(hand, points, way=any_way(hand))


def failing_home(scene: Scene) -> None:
    """A peg's hole comes and goes until it is not believed any more; then claims go on, with that peg too."""
    hole = scene.rng.choice(scene.pegs)
    ms = comes_and_goes(scene, hole, scene.rng.randint(13, 18))
    for hand in turns_until(scene, ms + 5000, (QUIET + 460, 3000), ms=ms + scene.rng.randint(300, 3000)):
        if points := hand.room():
            peg(hand, points, way=any_way(hand))


def comes_and_goes(scene: Scene, hole: int, times: int) -> int:
    """The hole changes so many times, there and back, and is as it was. Gives the time when that has ended."""
    pace = scene.rng.choice((90, 150))
    moments = list(accumulate((scene.rng.randint(pace // 2, 2 * pace) for _ in range(2 * times)), initial=150))
    _flap(scene, hole, moments[1:], on=hole not in scene.pegs)
    return moments[-1]


def lost_reports(scene: Scene) -> None:
    """Every fifth report is lost; the levels are repeated each second."""
    scene.lost = 0.2
    for hand in turns(scene, 2, (QUIET + 1200, 4000)):
        if points := hand.room():
            peg(hand, points)


@with_room()
def late(hand: Hand, points: int) -> None:
    """Each sensor has a lag of its own, up to 185 ms."""
    hand.scene.lag, hand.scene.bounce = 185, 0.0
    peg(hand, points, front=hand.chance(0.2), way=slide if hand.chance(0.2) else None)


def doubted(scene: Scene, hole: int, by_ms: int) -> None:
    """The hole must be quarantined by then."""
    scene.meant.append(Meant(0, "quarantined", None, to=hole, by_ms=by_ms))


def _flap(scene: Scene, hole: int, times: list[int], *, on: bool) -> None:
    """A hole comes and goes at these moments, `on` at the first."""
    scene.faulty.add(hole)
    for ms, level in zip(times, cycle((on, not on)), strict=False):
        scene.change(ms, hole, level)


SENSORS: dict[str, Family] = {
    "stuck": stuck, "flapping": flapping, "failing": failing, "failing home": failing_home,
    "lost reports": lost_reports, "late": late,
}  # fmt: skip
"""Families of sensors that fail in pegs-only."""
