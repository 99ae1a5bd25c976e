"""Actions of hands, one after the other or together: the building blocks of the families' stories."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps

from tests.perception.model import CARRY, DIRECT_DELAY_MS, FIRST_MS, MAX_POINTS, Hand, Scene, Span
from tests.perception.truth import Place
from tests.perception.ways import Way

Family = Callable[[Scene], None]
"""Builds one scene, which is one of many stories of its kind. It does not use a peg reader."""
Story = Callable[[Hand, int], None]
"""The actions of a hand with points to peg."""


def with_room_for(low: int = 1, high: int = MAX_POINTS, ms: int = FIRST_MS) -> Callable[[Story], Family]:
    """Return a decorator that makes a family of the story of one hand, of any player.

    The story is empty if the hand has no free hole for `low` to `high` points.
    """

    def family_of(story: Story) -> Family:
        @wraps(story)
        def family(scene: Scene) -> None:
            hand = scene.add_hand(scene.pick_seat(), ms)
            if points := hand.pick_points(low, high):
                story(hand, points)

        return family

    return family_of


def take_turns(
    scene: Scene, times: int, pause: Span, *, ms: int = FIRST_MS, seats: Iterable[int] | None = None
) -> Iterator[Hand]:
    """Yield `times` hands of these seats (default: all), each after the previous one has gone and a pause."""
    of = list(scene.seats if seats is None else seats)
    for _ in range(times):
        hand = scene.add_hand(scene.rng.choice(of), ms)
        yield hand
        ms = hand.wait(*pause).ms


def take_turns_until(
    scene: Scene, end_ms: int, pause: Span, *, ms: int, seats: Iterable[int] | None = None
) -> Iterator[Hand]:
    """Yield hands of these seats (default: all), one after the other until `end_ms`."""
    of = list(scene.seats if seats is None else seats)
    while ms < end_ms:
        hand = scene.add_hand(scene.rng.choice(of), ms)
        yield hand
        ms = hand.wait(*pause).ms


def plan_together(hands: Iterable[Hand]) -> Iterator[tuple[Hand, int]]:
    """Yield each hand with the points that it will peg. No two hands use the same hole."""
    for hand in hands:
        if points := hand.pick_points():
            hand.scene.busy.add(hand.hole_ahead(points))
            yield hand, points


def peg_points(
    hand: Hand, points: int, *, front: bool = False, way: Way | None = None, air: Span = CARRY, perhaps: bool = False
) -> None:
    """Lift the back peg (or the front peg), carry it along a way, put it down, and record the claim.

    :param perhaps: whether the holes do not show the claim.
    """
    hand.lift(hand.place.front if front else hand.place.back).wait(*air)
    if way:
        way(hand, points)
    hand.put(hand.hole_ahead(points)).record_claim(points, front=front, perhaps=perhaps)


def peg_between(scene: Scene, ms: int, end_ms: int) -> None:
    """Let random players make claims, one after the other."""
    for hand in take_turns_until(scene, end_ms, (DIRECT_DELAY_MS + 80, 3000), ms=ms):
        if points := hand.pick_points():
            peg_points(hand, points)


def peg_some(scene: Scene) -> int:
    """Make at most one claim, before something else happens. Return the time when all pegs have rested for a while."""
    ms = FIRST_MS
    for hand in take_turns(scene, scene.rng.randint(0, 1), (DIRECT_DELAY_MS + 200, 1500)):
        if points := hand.pick_points():
            peg_points(hand, points)
        ms = hand.ms
    return ms + scene.rng.randint(DIRECT_DELAY_MS + 300, 2000)


def put_back(hand: Hand, earlier: Place) -> None:
    """Put the pegs back into an earlier placement, which undoes all claims since then."""
    now, then = set(hand.place.pegs), set(earlier.pegs)
    gone, new = sorted(now - then), sorted(then - now)
    hand.rng.shuffle(gone)
    for hole in gone:
        hand.lift(hole).wait(50, 500)
    hand.wait(50, 1200)
    for hole in new:
        hand.put(hole).wait(60, 350)
    points = hand.place.front_points - earlier.front_points
    hand.place = earlier
    origin, to = (gone[0], new[0]) if len(new) == 1 else (-1, -1)
    hand.record_meaning("undone", points, origin=origin, to=to)
