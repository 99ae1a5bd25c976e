"""Families of stories in a card game: the rules determine the dues, and pegs confirm them.

Dues are created by `adjust` moves from a phone, which every game accepts in every phase.
"""

from tests.perception.acts import Family, peg_points, plan_together, take_turns, with_room_for
from tests.perception.families_sensors import flicker_hole
from tests.perception.model import CARRY, DOUBT_MS, Hand, Scene, Span
from tests.perception.truth import Edge, Place
from tests.perception.ways import count_slowly, slide_through, touch_along, touch_first


def peg_due(scene: Scene) -> None:
    """Peg a due with touches of any length on the way and with worn contacts."""
    scene.chatter = 0.3 if scene.rng.random() < 0.1 else 0.0
    for hand in take_turns(scene, scene.rng.randint(1, 2), (600, 2500)):
        if points := hand.pick_points(1, 40):
            _make_due(hand, points)
            way = scene.rng.choice((None, None, count_slowly, slide_through))
            peg_points(hand, points, front=hand.is_chance(0.1), way=way)


@with_room_for(1, 40)
def fail_due_hole(hand: Hand, points: int) -> None:
    """Let the hole of a later due flicker until it is quarantined."""
    hand.ms = flicker_hole(hand.scene, hand.hole_ahead(points), hand.rng.randint(4, 9)) + hand.rng.randint(300, 6000)
    _make_due(hand, points)
    peg_points(hand, points, way=hand.rng.choice((None, None, count_slowly, slide_through)))


@with_room_for(2)
def peg_over_or_under(hand: Hand, points: int) -> None:
    """Put a peg into a wrong hole, see the mistake, and put it into the hole with the light."""
    wrong = hand.pick_points()
    if wrong and wrong != points:
        over = hand.hole_ahead(wrong)
        _make_due(hand, points)
        peg_points(hand, points, way=lambda hand, _: hand.touch(over, (600, 5000), air=CARRY))


@with_room_for(2)
def peg_in_two_steps(hand: Hand, points: int) -> None:
    """Award two scores, together or one after the other, and peg them one by one with the back peg."""
    place, first = hand.place, hand.rng.randint(1, points - 1)
    if not hand.scene.free_holes([hand.hole_ahead(first)]):
        return
    middle, to = hand.hole_ahead(first), hand.hole_ahead(points)
    _make_due(hand, first).lift(place.back).carry().put(middle)
    _make_due(hand, points - first, (100, 3000)).lift(place.front).carry().put(to)
    hand.place = Place(middle, to, place.front_points + first, place.front_points + points)
    hand.record_meaning("pegged", points, origin=place.front, to=to)


def dues_at_once(scene: Scene) -> None:
    """Let two or three players peg their dues at overlapping times."""
    scene.overlap = True
    seats = scene.rng.sample(scene.seats, min(len(scene.seats), scene.rng.randint(2, 3)))
    hands = plan_together(scene.add_hand(seat, 700) for seat in seats)
    for hand, points in [(_make_due(hand, points, (100, 1500)), points) for hand, points in hands]:
        peg_points(hand, points, way=scene.rng.choice((None, None, touch_along)))


@with_room_for()
def put_due_back(hand: Hand, points: int) -> None:
    """Put a pegged score back, which is offered as undo, and accept it on a phone."""
    _make_due(hand, points)
    before, to = hand.place, hand.hole_ahead(points)
    peg_points(hand, points)
    hand.wait(600, 3000).lift(to).carry().put(before.back).expect_question(DOUBT_MS + 100, of=hand.seat)
    hand.place = before
    hand.scene.make_move(hand.wait(2500, 5000).ms, type="undo")


@with_room_for()
def take_points_back(hand: Hand, points: int) -> None:
    """Undo on a phone and put the pegs back to where they were."""
    _make_due(hand, points)
    before, to = hand.place, hand.hole_ahead(points)
    peg_points(hand, points)
    hand.scene.make_move(hand.wait(700, 3000).ms, type="undo")
    hand.wait(300, 2000).lift(to).carry().put(before.back)
    hand.place = before
    hand.record_meaning("undone", points, origin=to, to=before.back)


@with_room_for(1, 20)
def put_others_peg(hand: Hand, points: int) -> None:
    """Move the wrong player's peg, see the mistake, put it back, and move the right one."""
    scene = hand.scene
    other = scene.add_hand((hand.seat + 1) % len(scene.places))
    origin, score = other.place.back, other.place.front_points + points
    if (
        score > scene.ground.target
        or not scene.free_holes([other.hole_at(score)])
        or other.hole_at(score) == hand.hole_ahead(points)
    ):
        return
    other.ms = _make_due(hand, points).ms
    other.lift(origin).carry().touch(other.hole_at(score), (600, 1300), air=CARRY).put(origin)
    hand.ms = other.wait(600, 2000).ms
    peg_points(hand, points)


@with_room_for()
def unplug_cable(hand: Hand, points: int) -> None:
    """Disconnect the sensors, and move a peg meanwhile, or lift it before; it is read after the reconnection."""
    scene, wrong = hand.scene, hand.hole_ahead(points + 1)
    _make_due(hand, points)
    lost_ms = hand.ms + scene.rng.randint(-200, 900)
    peg_points(hand, points, way=touch_first(wrong, (60, 300)) if scene.free_holes([wrong]) else None)
    back_ms = hand.ms + scene.rng.randint(300, 4000)
    scene.blind.append((lost_ms, back_ms))
    scene.lines += [(lost_ms, {"device": "sensors", "ok": False}), (back_ms, {"device": "sensors", "ok": True})]


def wait_in_start(scene: Scene) -> None:
    """Occupy the hole of a due with another seat's peg: the peg waits in a start hole and continues from there."""
    if not scene.ground.is_shared:
        return peg_due(scene)
    hand = scene.add_hand(scene.pick_seat())
    taken = [p for p in range(1, 31) if _is_taken(hand, p)]
    free = scene.free_holes(scene.ground.routes[hand.seat].start)
    if not taken or not free:
        return peg_due(scene)
    _make_due(hand, taken[0]).lift(hand.place.back).carry().put(free[0]).record_claim(taken[0], to=free[0])
    hand.wait(600, 2500)
    if more := hand.pick_points(1, 20):
        _make_due(hand, more).correct_score(hand.place.front_points + more)
    return None


def _is_taken(hand: Hand, points: int) -> bool:
    """Return whether another seat's peg is in the hole of these points, and they do not win."""
    wins = hand.place.front_points + points >= hand.scene.ground.target
    return not wins and hand.hole_ahead(points) in hand.scene.other_pegs(hand.seat)


def adjust_score(scene: Scene) -> None:
    """Subtract points on a phone: the front peg goes back, in two steps if it passes the back one."""
    hand = scene.add_hand(scene.pick_seat())
    points = scene.rng.randint(1, 12)
    score = hand.place.front_points - points
    if score <= max(0, hand.place.back_points) or not scene.free_holes([hand.hole_at(score)]):
        return peg_due(scene)
    return _make_due(hand, -points).correct_score(score)


@with_room_for()
def peg_early(hand: Hand, points: int) -> None:
    """Peg a score shortly before it is due: the due confirms it."""
    to = hand.hole_ahead(points)
    hand.lift(hand.place.back).carry().put(to).wait(200, 1300)
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.scene.edges.append(Edge(hand.ms, to, True, hand.act))  # the act is finished only now
    hand.record_claim(points, by_ms=hand.ms + 500)


def _make_due(hand: Hand, points: int, wait: Span = (300, 2500)) -> Hand:
    """Add or subtract points of the hand's seat, and let the hand come a moment later."""
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    return hand.wait(*wait)


DUES: dict[str, Family] = {
    "due": peg_due, "over or under": peg_over_or_under, "two steps": peg_in_two_steps, "dues at once": dues_at_once,
    "due put back": put_due_back, "other's peg": put_others_peg, "taken back": take_points_back, "cable": unplug_cable,
    "waiting": wait_in_start, "adjusted": adjust_score, "early": peg_early, "failing hole": fail_due_hole,
}  # fmt: skip
"""Families in a card game."""
