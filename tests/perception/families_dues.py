"""Families of stories in a card game: the rules say what is due, and pegs confirm it. None knows the watcher.

Dues are made by `adjust` moves from a phone, which every game takes in every phase.
"""

from families import Family, counting, peg, slide
from model import MOST, Edge, Hand, Meant, Scene


def _owe(scene: Scene, hand: Hand, points: int) -> None:
    """The rules award points to the hand's seat; a moment later the hand comes."""
    scene.lines.append((hand.ms, {"move": {"type": "adjust", "seat": hand.seat, "points": points}}))
    hand.wait(300, 2500)


def due(scene: Scene) -> None:
    """What is due is pegged, however long the peg touches other holes on its way."""
    ms = 800
    for _ in range(scene.rng.randint(1, 2)):
        hand = scene.hand(scene.any_seat(), ms)
        points = hand.room(1, 40)
        if points:
            _owe(scene, hand, points)
            way = scene.rng.choice((None, None, counting_long, slide))
            peg(hand, points, front=scene.rng.random() < 0.1, touch=way)
        ms = hand.ms + scene.rng.randint(600, 2500)


def counting_long(hand: Hand, points: int) -> None:
    """A slow counter: every touch may be longer than the quiet time."""
    holes = [hand.way(hand.place.front_points + n) for n in range(1, points)]
    for hole in [h for h in holes if h not in hand.scene.busy][:8]:
        hand.touch(hole, 50, 700)


def over_or_under(scene: Scene) -> None:
    """Put down wrong, seen to be wrong, and put right where the light shows."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room(2)
    wrong = hand.room(1, MOST)
    if not points or not wrong or wrong == points:
        return
    _owe(scene, hand, points)
    origin, over = hand.place.back, hand.way(hand.place.front_points + wrong)
    hand.lift(origin).carry().put(over).wait(600, 5000).lift(over).carry()
    to = hand.way(hand.place.front_points + points)
    hand.put(to)
    hand.touched = True
    hand.moved(points, front=False)
    hand.meant("pegged", points, origin=origin, to=to)


def dues_at_once(scene: Scene) -> None:
    """Two or three players are due and peg at overlapping times."""
    scene.overlap = True
    seats = scene.rng.sample(range(len(scene.places)), min(len(scene.places), scene.rng.randint(2, 3)))
    hands = []
    for seat in seats:
        hand = scene.hand(seat, 700)
        points = hand.room()
        if points:
            scene.busy.add(hand.way(hand.place.front_points + points))
            scene.lines.append((700, {"move": {"type": "adjust", "seat": seat, "points": points}}))
            hands.append((hand.wait(100, 1500), points))
    for hand, points in hands:
        peg(hand, points, touch=scene.rng.choice((None, None, counting)))


def put_back(scene: Scene) -> None:
    """What was pegged is put back: offered as undo, taken by phone."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if not points:
        return
    _owe(scene, hand, points)
    origin, to = hand.place.back, hand.way(hand.place.front_points + points)
    peg(hand, points)
    hand.wait(600, 3000).lift(to).carry().put(origin)
    scene.meant.append(Meant(hand.act, "asked", hand.seat, by_ms=hand.ms + 1600))
    hand.wait(2500, 5000)
    scene.lines.append((hand.ms, {"move": {"type": "undo"}}))


def others_peg(scene: Scene) -> None:
    """The wrong player's peg is moved, seen, put back, and the right one moved."""
    hand = scene.hand(scene.any_seat(), 800)
    other = scene.hand((hand.seat + 1) % len(scene.places), 800)
    points = hand.room(1, 20)
    if not points:
        return
    to = hand.way(hand.place.front_points + points)
    wrong = other.way(other.place.front_points + points)
    target = scene.ground.target
    if other.place.front_points + points > target or wrong in scene.busy or wrong == to:
        return
    _owe(scene, hand, points)
    other.ms, origin = hand.ms, other.place.back
    other.lift(origin).carry().put(wrong).wait(600, 1300).lift(wrong).carry().put(origin)
    hand.ms = other.ms + scene.rng.randint(600, 2000)
    peg(hand, points)


def taken_back(scene: Scene) -> None:
    """An undo by phone: the pegs go back to where they were."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if not points:
        return
    _owe(scene, hand, points)
    origin, to = hand.place.back, hand.way(hand.place.front_points + points)
    before = (hand.place.back, hand.place.front)
    peg(hand, points)
    hand.wait(700, 3000)
    scene.lines.append((hand.ms, {"move": {"type": "undo"}}))
    hand.wait(300, 2000).lift(to).carry().put(origin)
    hand.meant("undone", points, origin=to, to=origin)
    hand.place.back, hand.place.front = before


def cable(scene: Scene) -> None:
    """The sensors are lost; a peg is moved meanwhile, or half moved before; read when they are back."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if not points:
        return
    _owe(scene, hand, points)
    low, high = hand.ms - 200, hand.ms + 900
    lost = scene.rng.randint(low, high)
    wrong = hand.way(hand.place.front_points + points + 1)
    peg(hand, points, touch=lambda h, _: h.touch(wrong, 60, 300) and None if wrong not in scene.busy else None)
    back = hand.ms + scene.rng.randint(300, 4000)
    scene.blind.append((lost, back))
    scene.lines += [(lost, {"device": "sensors", "ok": False}), (back, {"device": "sensors", "ok": True})]


def waiting(scene: Scene) -> None:
    """The hole of a due is another seat's: the peg waits in a start hole, and the next score is pegged from there."""
    if not scene.ground.shared:
        return due(scene)
    seat = scene.any_seat()
    hand, ground = scene.hand(seat, 800), scene.ground
    place = hand.place
    others = {h for s, p in enumerate(scene.places) if s != seat for h in (p.back, p.front)}
    score = [
        p for p in range(place.front_points + 1, min(place.front_points + 31, ground.target)) if hand.way(p) in others
    ]
    free = [h for h in ground.routes[seat].start if h not in scene.busy]
    if not score or not free:
        return due(scene)
    points = score[0] - place.front_points
    _owe(scene, hand, points)
    origin = place.back
    hand.lift(origin).carry().put(free[0])
    place.back, place.back_points = place.front, place.front_points
    place.front, place.front_points = free[0], score[0]
    hand.meant("pegged", points, origin=origin, to=free[0])
    hand.wait(600, 2500)
    more = hand.room(1, 20)
    if more:
        _owe(scene, hand, more)
        to = hand.way(place.front_points + more)
        hand.lift(free[0]).carry().put(to)
        place.front, place.front_points = to, place.front_points + more
        hand.meant("pegged", more, origin=free[0], to=to)
    return None


def adjusted(scene: Scene) -> None:
    """A phone takes points off: the front peg goes back, behind the back one in two steps."""
    hand = scene.hand(scene.any_seat(), 800)
    place = hand.place
    points = scene.rng.randint(1, 12)
    score = place.front_points - points
    if score <= place.back_points or score <= 0 or hand.way(score) in scene.busy:
        return due(scene)
    scene.lines.append((hand.ms, {"move": {"type": "adjust", "seat": hand.seat, "points": -points}}))
    hand.wait(300, 2500)
    origin, to = place.front, hand.way(score)
    hand.lift(origin).carry().put(to)
    place.front, place.front_points = to, score
    hand.meant("undone", points, origin=origin, to=to)
    return None


def early(scene: Scene) -> None:
    """Pegged a moment before the rules have said so: confirmed when they say it."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if not points:
        return
    origin, to = hand.place.back, hand.way(hand.place.front_points + points)
    hand.lift(origin).carry().put(to).wait(200, 1300)
    scene.lines.append((hand.ms, {"move": {"type": "adjust", "seat": hand.seat, "points": points}}))
    scene.edges.append(Edge(hand.ms, to, True, hand.act))
    hand.moved(points, front=False)
    hand.meant("pegged", points, origin=origin, to=to, by_ms=hand.ms + 500)


DUES: dict[str, Family] = {
    "due": due, "over or under": over_or_under, "dues at once": dues_at_once, "due put back": put_back,
    "other's peg": others_peg, "taken back": taken_back, "cable": cable,
    "waiting": waiting, "adjusted": adjusted, "early": early,
}  # fmt: skip
"""Families in a card game."""
