"""Families of stories in a card game: the rules say what is due, and pegs confirm it.

Dues are made by `adjust` moves from a phone, which every game takes in every phase.
"""

from tests.perception.acts import Family, peg_points, plan_together, take_turns, with_room_for
from tests.perception.families_sensors import flicker_hole
from tests.perception.model import CARRY, DOUBT, Hand, Scene, Span
from tests.perception.truth import Edge, Place
from tests.perception.ways import count_slowly, slide_through, touch_along, touch_first


def peg_due(scene: Scene) -> None:
    """What is due is pegged, however long the peg touches other holes on its way, and however worn the contacts."""
    scene.chatter = 0.3 if scene.rng.random() < 0.1 else 0.0
    for hand in take_turns(scene, scene.rng.randint(1, 2), (600, 2500)):
        if points := hand.pick_points(1, 40):
            _make_due(hand, points)
            way = scene.rng.choice((None, None, count_slowly, slide_through))
            peg_points(hand, points, front=hand.is_chance(0.1), way=way)


@with_room_for(1, 40)
def fail_due_hole(hand: Hand, points: int) -> None:
    """The hole where a peg will be due comes and goes until it is not believed any more."""
    hand.ms = flicker_hole(hand.scene, hand.hole_ahead(points), hand.rng.randint(4, 9)) + hand.rng.randint(300, 6000)
    _make_due(hand, points)
    peg_points(hand, points, way=hand.rng.choice((None, None, count_slowly, slide_through)))


@with_room_for(2)
def peg_over_or_under(hand: Hand, points: int) -> None:
    """Put down wrong, seen to be wrong, and put right where the light shows."""
    wrong = hand.pick_points()
    if wrong and wrong != points:
        over = hand.hole_ahead(wrong)
        _make_due(hand, points)
        peg_points(hand, points, way=lambda hand, _: hand.touch(over, (600, 5000), air=CARRY))


@with_room_for(2)
def peg_in_two_steps(hand: Hand, points: int) -> None:
    """Two scores, together or the second while the first is pegged, pegged one by one with the peg that is behind."""
    place, first = hand.place, hand.rng.randint(1, points - 1)
    if not hand.scene.free_holes([hand.hole_ahead(first)]):
        return
    middle, to = hand.hole_ahead(first), hand.hole_ahead(points)
    _make_due(hand, first).lift(place.back).carry().put(middle)
    _make_due(hand, points - first, (100, 3000)).lift(place.front).carry().put(to)
    hand.place = Place(middle, to, place.front_points + first, place.front_points + points)
    hand.record_meaning("pegged", points, origin=place.front, to=to)


def dues_at_once(scene: Scene) -> None:
    """Two or three players are due and peg at overlapping times."""
    scene.overlap = True
    seats = scene.rng.sample(scene.seats, min(len(scene.seats), scene.rng.randint(2, 3)))
    hands = plan_together(scene.add_hand(seat, 700) for seat in seats)
    for hand, points in [(_make_due(hand, points, (100, 1500)), points) for hand, points in hands]:
        peg_points(hand, points, way=scene.rng.choice((None, None, touch_along)))


@with_room_for()
def put_due_back(hand: Hand, points: int) -> None:
    """What was pegged is put back: offered as undo, taken by phone."""
    _make_due(hand, points)
    before, to = hand.place, hand.hole_ahead(points)
    peg_points(hand, points)
    hand.wait(600, 3000).lift(to).carry().put(before.back).expect_question(DOUBT + 100, of=hand.seat)
    hand.place = before
    hand.scene.make_move(hand.wait(2500, 5000).ms, type="undo")


@with_room_for()
def take_points_back(hand: Hand, points: int) -> None:
    """An undo by phone: the pegs go back to where they were."""
    _make_due(hand, points)
    before, to = hand.place, hand.hole_ahead(points)
    peg_points(hand, points)
    hand.scene.make_move(hand.wait(700, 3000).ms, type="undo")
    hand.wait(300, 2000).lift(to).carry().put(before.back)
    hand.place = before
    hand.record_meaning("undone", points, origin=to, to=before.back)


@with_room_for(1, 20)
def put_others_peg(hand: Hand, points: int) -> None:
    """The wrong player's peg is moved, seen, put back, and the right one moved."""
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
    """The sensors are lost; a peg is moved meanwhile, or half moved before; read when they are back."""
    scene, wrong = hand.scene, hand.hole_ahead(points + 1)
    _make_due(hand, points)
    lost_ms = hand.ms + scene.rng.randint(-200, 900)
    peg_points(hand, points, way=touch_first(wrong, (60, 300)) if scene.free_holes([wrong]) else None)
    back_ms = hand.ms + scene.rng.randint(300, 4000)
    scene.blind.append((lost_ms, back_ms))
    scene.lines += [(lost_ms, {"device": "sensors", "ok": False}), (back_ms, {"device": "sensors", "ok": True})]


def wait_in_start(scene: Scene) -> None:
    """The hole of a due is another seat's: the peg waits in a start hole, and the next score is pegged from there."""
    if not scene.ground.shared:
        return peg_due(scene)
    hand = scene.add_hand(scene.any_seat())
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
    """Another seat's peg is in the hole of so many points, and they do not win."""
    wins = hand.place.front_points + points >= hand.scene.ground.target
    return not wins and hand.hole_ahead(points) in hand.scene.others(hand.seat)


def adjust_score(scene: Scene) -> None:
    """A phone takes points off: the front peg goes back, behind the back one in two steps."""
    hand = scene.add_hand(scene.any_seat())
    points = scene.rng.randint(1, 12)
    score = hand.place.front_points - points
    if score <= max(0, hand.place.back_points) or not scene.free_holes([hand.hole_at(score)]):
        return peg_due(scene)
    return _make_due(hand, -points).correct_score(score)


@with_room_for()
def peg_early(hand: Hand, points: int) -> None:
    """Pegged a moment before the rules have said so: confirmed when they say it."""
    to = hand.hole_ahead(points)
    hand.lift(hand.place.back).carry().put(to).wait(200, 1300)
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.scene.edges.append(Edge(hand.ms, to, True, hand.act))  # the act is finished only now
    hand.record_claim(points, by_ms=hand.ms + 500)


def _make_due(hand: Hand, points: int, wait: Span = (300, 2500)) -> Hand:
    """The rules award points to the hand's seat, or take them off; a moment later the hand comes."""
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    return hand.wait(*wait)


DUES: dict[str, Family] = {
    "due": peg_due, "over or under": peg_over_or_under, "two steps": peg_in_two_steps, "dues at once": dues_at_once,
    "due put back": put_due_back, "other's peg": put_others_peg, "taken back": take_points_back, "cable": unplug_cable,
    "waiting": wait_in_start, "adjusted": adjust_score, "early": peg_early, "failing hole": fail_due_hole,
}  # fmt: skip
"""Families in a card game."""
