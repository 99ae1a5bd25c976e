"""Ways of a peg from its old hole to its new one: the holes that it touches, and the duration of each touch.

The hand already holds the peg and puts it down afterwards. The first touch is shorter than the quiet time, because a
peg that rests longer makes a claim. Only with a pending due may a slow counter rest anywhere.
"""

from collections.abc import Callable

from tests.perception.model import QUIET_MS, Hand, Span

Way = Callable[[Hand, int], object]
"""Called with the hand and the points that it will peg. The result is ignored."""


def touch_along(hand: Hand, points: int) -> None:
    """Touch hole after hole on the way, or only a few of them in any order."""
    holes = hand.holes_between(points)
    if hand.is_chance(0.4):
        holes = hand.rng.sample(holes, min(len(holes), 3))
    for number, hole in enumerate(holes[:8]):
        hand.touch(hole, (50, 360 if number == 0 else 700))
    hand.wait(10, 300)


def count_slowly(hand: Hand, points: int) -> None:
    """Touch hole after hole, each perhaps for longer than the quiet time."""
    for hole in hand.holes_between(points)[:8]:
        hand.touch(hole, (50, 900))


def slide_through(hand: Hand, points: int) -> None:
    """Slide the peg from hole to hole without a pause."""
    for number, hole in enumerate(hand.holes_between(points)):
        hand.touch(hole, (50, 300 if number == 0 else 420), air=(5, 60))


def hover_over(hand: Hand, points: int, *, most: int = 4, longest: int = 330) -> None:
    """Put the peg into its final hole and take it out again. This is not a touch of another hole."""
    to = hand.hole_ahead(points)
    for _ in range(hand.rng.randint(1, most)):
        hand.put(to).wait(40, longest).lift(to).wait(60, 700)


def drop_and_find(hand: Hand, _points: int) -> None:
    """Drop the peg and find it again seconds later."""
    hand.wait(1500, 7000)


def touch_first(hole: int, rest: Span) -> Way:
    return lambda hand, _points: hand.touch(hole, rest)


def pick_way(hand: Hand) -> Way | None:
    """Return a random way, or None for the direct one. The lag of the sensors limits the first touch."""
    return hand.rng.choice(
        (None, None, None, _count_anyhow, _count_anyhow, _wander_past, _hover_briefly, _stray_to_neighbour)
    )


def _count_anyhow(hand: Hand, points: int) -> None:
    """Count hole by hole from the front peg, perhaps from the peg's own hole, perhaps not every hole."""
    back, front = hand.place.back_points, hand.place.front_points
    begin = max(1, back + 1) if hand.is_chance(0.2) else front + 1
    holes = [hand.hole_at(p) for p in range(begin, front + points)]
    every = hand.rng.choice((1, 1, 2, 5))
    holes = hand.scene.free_holes(holes[::every])[-hand.rng.randint(1, 12) :]
    pause = hand.rng.choice((20, 120, 400))
    for number, hole in enumerate(holes):
        hand.touch(hole, _touch_range(hand, number), air=(5, pause))


def _wander_past(hand: Hand, points: int) -> None:
    """Touch holes around the final one, in random order."""
    front, to = hand.place.front_points, hand.hole_ahead(points)
    near = [front + points + by for by in (-3, -2, -1, 1, 2, 3)]
    holes = hand.scene.free_holes(hand.hole_at(p) for p in near if front < p < hand.scene.ground.target)
    holes = [hole for hole in holes if hole != to]
    for number, hole in enumerate(hand.rng.sample(holes, min(len(holes), hand.rng.randint(1, 3)))):
        hand.touch(hole, _touch_range(hand, number), air=(20, 500))


def _hover_briefly(hand: Hand, points: int) -> None:
    """Put the peg into its final hole and take it out again, a few times."""
    hover_over(hand, points, most=3, longest=_max_first_touch_ms(hand))


def _stray_to_neighbour(hand: Hand, points: int) -> None:
    """Put the peg into a neighbour's lane first and take it out at once."""
    scene = hand.scene
    neighbour = (hand.seat + 1) % len(scene.places)
    wrong = scene.ground.hole(neighbour, min(hand.place.front_points + points, scene.ground.target - 1))
    if not scene.ground.is_shared and scene.free_holes([wrong]):
        hand.touch(wrong, (60, 1300 if scene.alone else _max_first_touch_ms(hand)), air=(60, 900))


def _max_first_touch_ms(hand: Hand) -> int:
    """Return how long a first touch may be without making a claim."""
    return QUIET_MS - 60 - hand.scene.lag


def _touch_range(hand: Hand, number: int) -> Span:
    """Return the range of a touch: the first is shorter than the quiet time, later ones may be slow."""
    longest = _max_first_touch_ms(hand) if number == 0 else hand.rng.choice((200, 350, QUIET_MS + 340 - hand.scene.lag))
    return 40, longest
