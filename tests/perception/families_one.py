"""Families of one hand that pegs in various ways, corrects itself and undoes claims."""

from tests.perception.acts import Family, peg_points, put_back, take_turns, with_room_for
from tests.perception.model import DIRECT_DELAY_MS, IMPOSSIBLE_POINTS, MAX_DELAY_MS, MAX_POINTS, Hand, Scene
from tests.perception.truth import Place
from tests.perception.ways import drop_and_find, hover_over, slide_through, touch_along, touch_first


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
