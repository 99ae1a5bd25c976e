"""Families of several players' hands: at the same time, in quick succession, past each other's pegs."""

from tests.perception.acts import Family, peg_points, plan_together, take_turns
from tests.perception.families_one import peg_straight
from tests.perception.model import MAX_DELAY_MS, Scene
from tests.perception.sensors import randomize_sensors
from tests.perception.truth import Place
from tests.perception.ways import pick_way, touch_along


def peg_at_once(scene: Scene) -> None:
    """Let two or more players peg at overlapping times."""
    scene.overlap = True
    rng, seats = scene.rng, list(scene.seats)
    rng.shuffle(seats)
    seats = seats[: rng.randint(2, 3)]
    for hand, points in list(plan_together(scene.add_hand(seat, 800 + rng.randint(0, 1500)) for seat in seats)):
        peg_points(hand, points, way=touch_along if hand.is_chance(0.25) else None)


def crowd_lane(scene: Scene) -> None:
    """Let all players peg at once with any habits; on a shared lane the holes may not identify the pegs."""
    scene.overlap, scene.alone = True, False
    randomize_sensors(scene)
    for hand, points in list(
        plan_together(scene.add_hand(seat, 900 + scene.rng.randint(0, 2500)) for seat in scene.seats)
    ):
        peg_points(hand, points, front=hand.is_chance(0.1), way=pick_way(hand))


def hand_over_peg(scene: Scene) -> None:
    """Let each player begin as soon as the previous peg is down: quiet times overlap, hands do not."""
    scene.overlap, ms = True, 800
    for seat in scene.rng.sample(scene.seats, len(scene.seats)):
        hand = scene.add_hand(seat, ms)
        if points := hand.pick_points():
            peg_points(hand, points, way=touch_along if hand.is_chance(0.2) else None)
        ms = hand.wait(230, 500).ms


def cross_hands(scene: Scene) -> None:
    """Let close pegs on a shared lane pass each other; on other boards make plain claims."""
    if not scene.ground.is_shared:
        return peg_straight(scene)
    _gather_pegs(scene)
    for hand in take_turns(scene, scene.rng.randint(2, 5), (MAX_DELAY_MS + scene.lag + 60, 2200), ms=900):
        if points := hand.pick_points():
            peg_points(hand, points, front=hand.is_chance(0.2), way=pick_way(hand))
    return None


def _gather_pegs(scene: Scene) -> None:
    """Begin the story with all pegs close together on the shared lane, if such a placement is found soon."""
    way = scene.ground.routes[0].way
    spot = scene.rng.randrange(len(way))
    near = [way[(spot + n) % len(way)] for n in range(30)]
    for _ in range(50):
        places: list[Place] = []
        for seat in scene.seats:
            place = _place_near(scene, seat, near, {hole for p in places for hole in p.pegs})
            if place is None:
                break
            places.append(place)
        else:
            return scene.begin_with(places)
    return None


def _place_near(scene: Scene, seat: int, near: list[int], taken: set[int]) -> Place | None:
    """Return a seat's placement with the front peg in one of these holes; None if there is none with free holes."""
    rng, ground = scene.rng, scene.ground
    options = [p for hole in near if hole not in taken for p in ground.points(seat, hole)]
    options = [p for p in options if 1 < p < ground.target - 40]
    if not options:
        return None
    front = rng.choice(options)
    no_back = taken | {ground.hole(seat, front)}
    backs = [p for p in range(max(1, front - 20), front) if ground.hole(seat, p) not in no_back]
    if not backs:
        return None
    back = rng.choice(backs)
    return Place(ground.hole(seat, back), ground.hole(seat, front), back, front)


SEVERAL: dict[str, Family] = {
    "at once": peg_at_once, "crowd": crowd_lane, "handed over": hand_over_peg, "crossing": cross_hands,
}  # fmt: skip
"""Families of several hands in pegs-only."""
