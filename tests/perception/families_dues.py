"""Families of stories in a card game: the rules say what is due, and pegs confirm it.

Dues are made by `adjust` moves from a phone, which every game takes in every phase.
"""

from acts import Family, peg, together, turns, with_room
from families_sensors import comes_and_goes
from model import CARRY, DOUBT, Hand, Scene, Span
from truth import Edge, Place
from ways import by, count, count_slowly, slide


def due(scene: Scene) -> None:
    """What is due is pegged, however long the peg touches other holes on its way, and however worn the contacts."""
    scene.chatter = 0.3 if scene.rng.random() < 0.1 else 0.0
    for hand in turns(scene, scene.rng.randint(1, 2), (600, 2500)):
        if points := hand.room(1, 40):
            _owe(hand, points)
            way = scene.rng.choice((None, None, count_slowly, slide))
            peg(hand, points, front=hand.chance(0.1), way=way)


@with_room(1, 40)
def failing_hole(hand: Hand, points: int) -> None:
    """The hole where a peg will be due comes and goes until it is not believed any more."""
    hand.ms = comes_and_goes(hand.scene, hand.ahead(points), hand.rng.randint(4, 9)) + hand.rng.randint(300, 6000)
    _owe(hand, points)
    peg(hand, points, way=hand.rng.choice((None, None, count_slowly, slide)))


@with_room(2)
def over_or_under(hand: Hand, points: int) -> None:
    """Put down wrong, seen to be wrong, and put right where the light shows."""
    wrong = hand.room()
    if wrong and wrong != points:
        over = hand.ahead(wrong)
        _owe(hand, points)
        peg(hand, points, way=lambda hand, _: hand.touch(over, (600, 5000), air=CARRY))


@with_room(2)
def two_steps(hand: Hand, points: int) -> None:
    """Two scores, together or the second while the first is pegged, pegged one by one with the peg that is behind."""
    place, first = hand.place, hand.rng.randint(1, points - 1)
    if not hand.scene.free([hand.ahead(first)]):
        return
    middle, to = hand.ahead(first), hand.ahead(points)
    _owe(hand, first).lift(place.back).carry().put(middle)
    _owe(hand, points - first, (100, 3000)).lift(place.front).carry().put(to)
    hand.place = Place(middle, to, place.front_points + first, place.front_points + points)
    hand.meant("pegged", points, origin=place.front, to=to)


def dues_at_once(scene: Scene) -> None:
    """Two or three players are due and peg at overlapping times."""
    scene.overlap = True
    seats = scene.rng.sample(scene.seats, min(len(scene.seats), scene.rng.randint(2, 3)))
    hands = together(scene.hand(seat, 700) for seat in seats)
    for hand, points in [(_owe(hand, points, (100, 1500)), points) for hand, points in hands]:
        peg(hand, points, way=scene.rng.choice((None, None, count)))


@with_room()
def put_back(hand: Hand, points: int) -> None:
    """What was pegged is put back: offered as undo, taken by phone."""
    _owe(hand, points)
    before, to = hand.place, hand.ahead(points)
    peg(hand, points)
    hand.wait(600, 3000).lift(to).carry().put(before.back).asked(DOUBT + 100, of=hand.seat)
    hand.place = before
    hand.scene.phone(hand.wait(2500, 5000).ms, type="undo")


@with_room()
def taken_back(hand: Hand, points: int) -> None:
    """An undo by phone: the pegs go back to where they were."""
    _owe(hand, points)
    before, to = hand.place, hand.ahead(points)
    peg(hand, points)
    hand.scene.phone(hand.wait(700, 3000).ms, type="undo")
    hand.wait(300, 2000).lift(to).carry().put(before.back)
    hand.place = before
    hand.meant("undone", points, origin=to, to=before.back)


@with_room(1, 20)
def others_peg(hand: Hand, points: int) -> None:
    """The wrong player's peg is moved, seen, put back, and the right one moved."""
    scene = hand.scene
    other = scene.hand((hand.seat + 1) % len(scene.places))
    origin, score = other.place.back, other.place.front_points + points
    if score > scene.ground.target or not scene.free([other.way(score)]) or other.way(score) == hand.ahead(points):
        return
    other.ms = _owe(hand, points).ms
    other.lift(origin).carry().touch(other.way(score), (600, 1300), air=CARRY).put(origin)
    hand.ms = other.wait(600, 2000).ms
    peg(hand, points)


@with_room()
def cable(hand: Hand, points: int) -> None:
    """The sensors are lost; a peg is moved meanwhile, or half moved before; read when they are back."""
    scene, wrong = hand.scene, hand.ahead(points + 1)
    _owe(hand, points)
    lost_ms = hand.ms + scene.rng.randint(-200, 900)
    peg(hand, points, way=by(wrong, (60, 300)) if scene.free([wrong]) else None)
    back_ms = hand.ms + scene.rng.randint(300, 4000)
    scene.blind.append((lost_ms, back_ms))
    scene.lines += [(lost_ms, {"device": "sensors", "ok": False}), (back_ms, {"device": "sensors", "ok": True})]


def waiting(scene: Scene) -> None:
    """The hole of a due is another seat's: the peg waits in a start hole, and the next score is pegged from there."""
    if not scene.ground.shared:
        return due(scene)
    hand = scene.hand(scene.any_seat())
    taken = [p for p in range(1, 31) if _is_taken(hand, p)]
    free = scene.free(scene.ground.routes[hand.seat].start)
    if not taken or not free:
        return due(scene)
    _owe(hand, taken[0]).lift(hand.place.back).carry().put(free[0]).claimed(taken[0], to=free[0])
    hand.wait(600, 2500)
    if more := hand.room(1, 20):
        _owe(hand, more).correct(hand.place.front_points + more)
    return None


def _is_taken(hand: Hand, points: int) -> bool:
    """Another seat's peg is in the hole of so many points, and they do not win."""
    wins = hand.place.front_points + points >= hand.scene.ground.target
    return not wins and hand.ahead(points) in hand.scene.others(hand.seat)


def adjusted(scene: Scene) -> None:
    """A phone takes points off: the front peg goes back, behind the back one in two steps."""
    hand = scene.hand(scene.any_seat())
    points = scene.rng.randint(1, 12)
    score = hand.place.front_points - points
    if score <= max(0, hand.place.back_points) or not scene.free([hand.way(score)]):
        return due(scene)
    return _owe(hand, -points).correct(score)


@with_room()
def early(hand: Hand, points: int) -> None:
    """Pegged a moment before the rules have said so: confirmed when they say it."""
    to = hand.ahead(points)
    hand.lift(hand.place.back).carry().put(to).wait(200, 1300)
    hand.scene.phone(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.scene.edges.append(Edge(hand.ms, to, True, hand.act))  # the act is finished only now
    hand.claimed(points, by_ms=hand.ms + 500)


def _owe(hand: Hand, points: int, wait: Span = (300, 2500)) -> Hand:
    """The rules award points to the hand's seat, or take them off; a moment later the hand comes."""
    hand.scene.phone(hand.ms, type="adjust", seat=hand.seat, points=points)
    return hand.wait(*wait)


DUES: dict[str, Family] = {
    "due": due, "over or under": over_or_under, "two steps": two_steps, "dues at once": dues_at_once,
    "due put back": put_back, "other's peg": others_peg, "taken back": taken_back, "cable": cable,
    "waiting": waiting, "adjusted": adjusted, "early": early, "failing hole": failing_hole,
}  # fmt: skip
"""Families in a card game."""
