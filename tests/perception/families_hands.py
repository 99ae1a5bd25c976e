"""Families of hands that work: one hand, several at once, and the one that mixes everything."""

from tests.perception.acts import (
    Family,
    peg_points,
    plan_together,
    put_back,
    take_turns,
    take_turns_until,
    with_room_for,
)
from tests.perception.model import DIRECT_DELAY_MS, IMPOSSIBLE_POINTS, MAX_DELAY_MS, MAX_POINTS, Hand, Scene
from tests.perception.sensors import randomize_sensors
from tests.perception.truth import Place
from tests.perception.ways import drop_and_find, hover_over, pick_way, slide_through, touch_along, touch_first


def peg_straight(scene: Scene) -> None:
    """Make one to three claims, one after the other, seldom with the front peg."""
    for hand in take_turns(scene, scene.rng.randint(1, 3), (DIRECT_DELAY_MS + 80, 3000)):
        if points := hand.pick_points():
            peg_points(hand, points, front=hand.is_chance(0.1))


@with_room_for()
def peg_with_front(hand: Hand, points: int) -> None:
    peg_points(hand, points, front=True)


@with_room_for()
def slide_along(hand: Hand, points: int) -> None:
    peg_points(hand, points, front=hand.is_chance(0.1), way=slide_through)


@with_room_for()
def count_along(hand: Hand, points: int) -> None:
    peg_points(hand, points, front=hand.is_chance(0.1), way=touch_along)


@with_room_for()
def hover_over_hole(hand: Hand, points: int) -> None:
    """Put a peg into its new hole in several attempts."""
    peg_points(hand, points, way=hover_over)


@with_room_for()
def drop_peg(hand: Hand, points: int) -> None:
    peg_points(hand, points, way=drop_and_find)


@with_room_for()
def lift_both(hand: Hand, points: int) -> None:
    """Lift both pegs and make one claim, with either of them put down first."""
    ups, downs = list(hand.place.pegs), [hand.place.front, hand.hole_ahead(points)]
    hand.rng.shuffle(ups)
    hand.lift(ups[0]).wait(40, 900).lift(ups[1]).carry()
    hand.rng.shuffle(downs)
    hand.put(downs[0]).wait(100, 2500).put(downs[1]).record_claim(points)


@with_room_for()
def correct_before(hand: Hand, points: int) -> None:
    """Put a peg into a wrong hole, and correct it before it is read."""
    wrong = hand.pick_points()
    if wrong and wrong != points:
        peg_points(hand, points, way=touch_first(hand.hole_ahead(wrong), (50, 360)))


@with_room_for(2)
def correct_after(hand: Hand, points: int) -> None:
    """Put a peg into a wrong hole, correct it once or twice after it is read: forward is a claim, back is an undo."""
    behind, scene = hand.place.front_points, hand.scene
    peg_points(hand, points)
    for number in range(scene.rng.randint(1, 2)):
        # Who moves a peg on that has just rested may be counting slowly: the next claim is waited for.
        hand.wait(MAX_DELAY_MS + 60 if number else DIRECT_DELAY_MS + 60, 2500)
        right = behind + scene.rng.randint(1, MAX_POINTS)
        if right > scene.ground.target or not scene.free_holes([hand.hole_at(right)]):
            return
        if right <= hand.place.back_points or right - hand.place.front_points in IMPOSSIBLE_POINTS:
            return
        hand.correct_score(right)


def undo_claim(scene: Scene) -> None:
    """Make one to three claims of one seat, then undo the last one, or all of them at once."""
    hand = scene.add_hand(scene.pick_seat())
    before: list[Place] = []
    again = False  # who moves a peg on that has just rested may be counting slowly, and is waited for
    for _ in range(scene.rng.randint(1, 3)):
        points = hand.pick_points(1, 15)
        if not points:
            return
        before.append(hand.place)
        front = hand.is_chance(0.15)
        again = again or front
        peg_points(hand, points, front=front)
        hand.wait(MAX_DELAY_MS + 60 if again else DIRECT_DELAY_MS + 60, 2000)
    while before:
        one = hand.is_chance(0.6) or _is_ahead(hand, before[0])
        earlier = before.pop() if one else before[0]
        before = [p for p in before if p.front_points < earlier.front_points]
        put_back(hand, earlier)
        hand.wait(MAX_DELAY_MS + 60, 2000)
        if hand.is_chance(0.5):
            return


def _is_ahead(hand: Hand, earlier: Place) -> bool:
    """Return whether an earlier placement on a loop is also a claim, which it then means."""
    holes, ahead = set(earlier.pegs), {hand.hole_ahead(points) for points in range(1, MAX_POINTS + 1)}
    return bool(holes & set(hand.place.pegs) and holes & ahead)


ONE: dict[str, Family] = {
    "plain": peg_straight, "front peg": peg_with_front, "slides": slide_along, "counts": count_along,
    "hovering": hover_over_hole, "dropped": drop_peg, "both out": lift_both, "corrected before": correct_before,
    "corrected after": correct_after, "undone": undo_claim,
}  # fmt: skip
"""Families of one hand in pegs-only."""


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


MAX_DURATION_MS = 8000
"""Time after which hands begin no further action."""


def mix_acts(scene: Scene) -> None:
    """Let each player perform actions in its own time; on a shared lane they take turns."""
    randomize_sensors(scene)
    scene.alone = scene.ground.is_shared
    still = MAX_DELAY_MS + scene.lag + 60
    if scene.ground.is_shared:
        for hand in take_turns_until(scene, MAX_DURATION_MS, (still, 2500), ms=900):
            _do_something(hand)
        return
    for seat in scene.seats:
        hand = scene.add_hand(seat, 900 + scene.rng.randint(0, 4000))
        while hand.ms < MAX_DURATION_MS:
            _do_something(hand)
            hand.wait(still, 3000)


def _do_something(hand: Hand) -> None:
    """Perform one action of a hand, usually a claim, and rest."""
    habits = (_claim_points, _look_at_peg, _correct_claim, _take_back_claim, _knock_peg)
    hand.rng.choices(habits, (6, 2, 2, 2, 1))[0](hand)


def _claim_points(hand: Hand) -> None:
    if points := hand.pick_points():
        hand.before.append(hand.place)
        peg_points(hand, points, front=hand.is_chance(0.15), way=pick_way(hand))


def _look_at_peg(hand: Hand) -> None:
    """Lift one or both pegs and put them back."""
    pegs = list(hand.place.pegs)
    hand.rng.shuffle(pegs)
    for hole in pegs[: hand.rng.randint(1, 2)]:
        hand.lift(hole).wait(60, 3000).put(hole).wait(60, 600)


def _correct_claim(hand: Hand) -> None:
    """Move the front peg a little forward or back after it was read."""
    front, free = hand.place.front_points, hand.scene.free_holes
    most = min(front + 6, hand.scene.ground.target)
    found = [
        p for p in range(max(1, hand.place.back_points + 1), most) if p != front and p - front not in IMPOSSIBLE_POINTS
    ]
    # On a loop a hole behind may also be ahead, and then it means that claim (docs/reference/trace.md).
    ahead = {hand.hole_ahead(points) for points in range(1, MAX_POINTS + 1)}
    found = [p for p in found if free([hand.hole_at(p)]) and (p > front or hand.hole_at(p) not in ahead)]
    if not found or hand.scene.is_won:
        return
    score = hand.rng.choice(found)
    if score > front:
        hand.before.append(hand.place)
    else:
        hand.before[:] = [place for place in hand.before if place.front_points < score]
    hand.correct_score(score)


def _take_back_claim(hand: Hand) -> None:
    """Put the pegs back to where they were before the last claim."""
    if hand.before:
        put_back(hand, hand.before.pop())


def _knock_peg(hand: Hand) -> None:
    """Lift a resting peg or two for a moment, as a sleeve does, perhaps on the way to a claim."""
    for hole in hand.rng.sample(hand.place.pegs, hand.rng.randint(1, 2)):
        hand.lift(hole).wait(25, 350).put(hole).wait(0, 40)
    if hand.is_chance(0.5):
        hand.wait(0, 200)
        _claim_points(hand)


MIXED: dict[str, Family] = {"mixed": mix_acts}
"""The family in pegs-only that mixes everything."""
