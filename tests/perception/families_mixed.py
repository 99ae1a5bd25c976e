"""Families that mix everything: several hands with habits of their own, knocks, sensors that fail.

Every scene draws its own parameters, so that no two benches of hands are alike: how long a peg rests while it
counts, how far it slides, how often it is taken up again, how slow each sensor is and how many reports are lost.
"""

from collections.abc import Callable
from copy import deepcopy

from families import Family, _put_back, peg, plain
from model import MOST, NO_HAND, QUIET, Edge, Hand, Place, Scene

LAST = 16_000
"""Hands stop beginning anything after this many milliseconds."""


def mixed(scene: Scene) -> None:
    """Each player does one thing after another in a time of its own; on one lane they take turns."""
    _sensors(scene)
    seats = list(range(len(scene.places)))
    scene.alone = scene.ground.shared
    if scene.ground.shared:
        ms = 900
        while ms < LAST // 2:
            hand = scene.hand(scene.rng.choice(seats), ms)
            _something(hand)
            ms = hand.ms + scene.rng.randint(QUIET + scene.lag + 460, 2500)
        return
    for seat in seats:
        hand = scene.hand(seat, 900 + scene.rng.randint(0, 4000))
        while hand.ms < LAST // 2:
            _something(hand)
            hand.wait(QUIET + scene.lag + 460, 3000)


def _sensors(scene: Scene) -> None:
    """Each scene's sensors are slow and noisy in their own way."""
    rng = scene.rng
    scene.lag = rng.choice((5, 20, 60, 120))
    scene.bounce = rng.choice((0.0, 0.1, 0.5)) if scene.lag <= 60 else 0.0


def _something(hand: Hand) -> None:
    """One thing that a hand does, after which it rests."""
    habits: list[tuple[int, Callable[[Hand], None]]] = [
        (6, _claims), (2, _looks), (2, _corrects), (2, _takes_back), (1, _knocks),
    ]  # fmt: skip
    weights = [w for w, _ in habits]
    hand.rng.choices([h for _, h in habits], weights)[0](hand)


def _claims(hand: Hand) -> None:
    points = hand.room()
    if points:
        hand.before.append(deepcopy(hand.place))
        peg(hand, points, front=hand.rng.random() < 0.15, touch=_way(hand))


def _way(hand: Hand) -> Callable[[Hand, int], None] | None:
    return hand.rng.choice((None, None, None, _counts, _counts, _wanders, _hovers, _strays))


def _first(hand: Hand) -> int:
    """So long a first touch may be without being a claim of its own."""
    return QUIET - 60 - hand.scene.lag


def _rest(hand: Hand, number: int) -> tuple[int, int]:
    """How long a touch lasts: the first must be shorter than the quiet time, later ones may be slow."""
    if number == 0:
        return (40, _first(hand))
    return (40, hand.rng.choice((200, 350, QUIET + 340 - hand.scene.lag)))


def _counts(hand: Hand, points: int) -> None:
    """Hole by hole from the front peg, perhaps from the peg's own hole, perhaps not every hole."""
    place = hand.place
    begin = place.front_points + 1
    if hand.rng.random() < 0.2:
        begin = max(1, place.back_points + 1)
    holes = [hand.way(p) for p in range(begin, place.front_points + points)]
    every = hand.rng.choice((1, 1, 2, 5))
    holes = [h for h in holes[::every] if h not in hand.scene.busy][-hand.rng.randint(1, 12) :]
    pause = hand.rng.choice((20, 120, 400))
    for number, hole in enumerate(holes):
        hand.put(hole).wait(*_rest(hand, number)).lift(hole).wait(5, pause)
        hand.touched = True


def _wanders(hand: Hand, points: int) -> None:
    """Beyond the right hole and back again, in no order."""
    front = hand.place.front_points
    near = [front + points + d for d in (-3, -2, -1, 1, 2, 3)]
    holes = [hand.way(p) for p in near if front < p < hand.scene.ground.target]
    holes = [h for h in holes if h not in hand.scene.busy and h != hand.way(front + points)]
    for number, hole in enumerate(hand.rng.sample(holes, min(len(holes), hand.rng.randint(1, 3)))):
        hand.put(hole).wait(*_rest(hand, number)).lift(hole).wait(20, 500)
        hand.touched = True


def _hovers(hand: Hand, points: int) -> None:
    """Down and up again in its last hole."""
    to = hand.way(hand.place.front_points + points)
    for _ in range(hand.rng.randint(1, 3)):
        hand.put(to).wait(40, _first(hand)).lift(to).wait(60, 700)


def _strays(hand: Hand, points: int) -> None:
    """Into a neighbour's lane first, seen at once and taken out."""
    scene = hand.scene
    other = (hand.seat + 1) % len(scene.places)
    wrong = scene.ground.hole(other, min(hand.place.front_points + points, scene.ground.target - 1))
    if not scene.ground.shared and wrong not in scene.busy:
        scene.busy.add(wrong)
        long = 1300 if scene.alone else _first(hand)
        hand.put(wrong).wait(60, long).lift(wrong).wait(60, 900)
        hand.touched = True


def _looks(hand: Hand) -> None:
    """A peg or both lifted, looked at and put back where they were."""
    pegs = [hand.place.back, hand.place.front]
    hand.rng.shuffle(pegs)
    for hole in pegs[: hand.rng.randint(1, 2)]:
        hand.lift(hole).wait(60, 3000).put(hole).wait(60, 600)


def _corrects(hand: Hand) -> None:
    """The front peg moved on or back a little, after it was read."""
    place = hand.place
    low, high = max(1, place.back_points + 1), place.front_points + 6
    found = [p for p in range(low, high) if p != place.front_points and p < hand.scene.ground.target]
    found = [p for p in found if hand.way(p) not in hand.scene.busy and p - place.front_points not in NO_HAND]
    # On a loop a hole behind may also be ahead, and then it means that claim (interfaces.md 5).
    ahead = {hand.way(place.front_points + by) for by in range(1, MOST + 1)}
    found = [p for p in found if p > place.front_points or hand.way(p) not in ahead]
    if not found or any(p.front_points >= hand.scene.ground.target for p in hand.scene.places):
        return
    points = hand.rng.choice(found)
    by, origin, to = points - place.front_points, place.front, hand.way(points)
    if by > 0:
        hand.before.append(deepcopy(place))
    else:
        hand.before[:] = [p for p in hand.before if p.front_points < points]
    hand.lift(origin).carry().put(to)
    place.front, place.front_points = to, points
    hand.meant("pegged" if by > 0 else "undone", abs(by), origin=origin, to=to)


def _takes_back(hand: Hand) -> None:
    """The pegs put back to where they were before the last claim."""
    if hand.before:
        _put_back(hand, hand.before.pop())


def _knocks(hand: Hand) -> None:
    """The sleeve lifts a resting peg or two for a moment."""
    scene = hand.scene
    mine = [hand.place.back, hand.place.front]
    for hole in hand.rng.sample(mine, hand.rng.randint(1, 2)):
        hand.lift(hole).wait(25, 350).put(hole).wait(0, 40)
    if scene.rng.random() < 0.5:
        hand.wait(0, 200)
        _claims(hand)


def storm(scene: Scene) -> None:
    """The table is bumped: many pegs are out for a moment, just before, while or after somebody pegs."""
    _sensors(scene)
    hand = scene.hand(scene.any_seat(), 1500)
    points = hand.room()
    if not points:
        return
    at = 1500 + scene.rng.randint(-700, 1800)
    moving = {hand.place.back}
    peg(hand, points, touch=_way(hand))
    for place in scene.places:
        for hole in {place.back, place.front} - moving - {hand.place.front}:
            if scene.rng.random() < 0.6:
                out = at + scene.rng.randint(0, 60)
                scene.edges += [Edge(out, hole, False, 0), Edge(out + scene.rng.randint(25, 400), hole, True, 0)]


def crowd(scene: Scene) -> None:
    """All players at once, with any habit: on one lane the holes may not tell whose peg is whose."""
    scene.overlap, scene.alone = True, False
    _sensors(scene)
    hands = []
    for seat in range(len(scene.places)):
        hand = scene.hand(seat, 900 + scene.rng.randint(0, 2500))
        points = hand.room()
        if points:
            scene.busy.add(hand.way(hand.place.front_points + points))
            hands.append((hand, points))
    for hand, points in hands:
        peg(hand, points, front=scene.rng.random() < 0.1, touch=_way(hand))


def failing(scene: Scene) -> None:
    """One hole flaps or sticks for a while, anywhere, also under a peg, while claims go on; no questions asked."""
    rng = scene.rng
    free = scene.free(range(scene.ground.holes))
    resting = [h for p in scene.places for h in (p.back, p.front)]
    if rng.random() < 0.3:
        hole = rng.choice(free)
        scene.busy.add(hole)
        scene.stuck.append((200, 10**9, hole))
    else:
        hole = rng.choice((rng.choice(free), rng.choice(resting)))
        scene.busy.add(hole)
        on, ms, steps = hole in resting, 150, rng.randint(20, 60)
        pace = rng.choice((40, 90, 200))
        for _ in range(steps * 2):
            ms += rng.randint(pace // 2, 2 * pace)
            on = not on
            scene.edges.append(Edge(ms, hole, on, 0))
    seats = [s for s, p in enumerate(scene.places) if hole not in (p.back, p.front)]
    ms = 9000
    while ms < LAST:
        hand = scene.hand(rng.choice(seats), ms)
        points = hand.room()
        if points:
            peg(hand, points, touch=_way(hand))
        ms = hand.ms + rng.randint(QUIET + 460, 3000)


def crossing(scene: Scene) -> None:
    """Pegs close together on one lane pass each other's; else plain claims."""
    if not scene.ground.shared:
        return plain(scene)
    _together(scene)
    ms = 900
    for _ in range(scene.rng.randint(2, 5)):
        hand = scene.hand(scene.any_seat(), ms)
        points = hand.room()
        if points:
            peg(hand, points, front=scene.rng.random() < 0.2, touch=_way(hand))
        ms = hand.ms + scene.rng.randint(QUIET + scene.lag + 460, 2000)
    return None


def _together(scene: Scene) -> None:
    """All pegs within a hand's reach on the one lane."""
    rng = scene.rng
    ground, lap = scene.ground, len(scene.ground.routes[0].way)
    spot = rng.randrange(lap)
    near = [ground.routes[0].way[(spot + n) % lap] for n in range(30)]
    for _ in range(50):
        taken: set[int] = set()
        places = []
        for seat in range(len(scene.places)):
            options = [p for h in near for p in ground.points(seat, h) if 1 < p < ground.target - 40]
            fronts = [p for p in options if ground.hole(seat, p) not in taken]
            if not fronts:
                break
            front = rng.choice(fronts)
            backs = [b for b in range(max(1, front - 20), front) if ground.hole(seat, b) not in taken]
            backs = [b for b in backs if ground.hole(seat, b) != ground.hole(seat, front)]
            if not backs:
                break
            back = rng.choice(backs)
            places.append(Place(ground.hole(seat, back), ground.hole(seat, front), back, front))
            taken |= {places[-1].back, places[-1].front}
        if len(places) == len(scene.places):
            scene.places = places
            scene.begin = [(p.back, p.front, p.back_points, p.front_points) for p in places]
            scene.busy = set(taken)
            return


MIXED: dict[str, Family] = {
    "mixed": mixed, "storm": storm, "crowd": crowd, "failing": failing, "crossing": crossing,
}  # fmt: skip
"""Families in pegs-only that mix everything."""

__all__ = ["MIXED", "MOST"]
