"""Families of stories in pegs-only, where pegs alone tell the score. Each builds one scene; none knows the watcher."""

from collections.abc import Callable
from copy import deepcopy

from model import MOST, NO_HAND, QUIET, Edge, Hand, Meant, Place, Scene

Family = Callable[[Scene], None]


def peg(hand: Hand, points: int, *, front: bool = False, touch: Callable[[Hand, int], None] | None = None) -> None:
    """Lift a peg, perhaps touch holes with it, set it down so many points ahead, and mean it."""
    origin = hand.place.front if front else hand.place.back
    hand.lift(origin).carry()
    if touch:
        touch(hand, points)
    to = hand.way(hand.place.front_points + points)
    hand.put(to)
    hand.moved(points, front=front)
    hand.meant("pegged", points, origin=origin, to=to)


def plain(scene: Scene) -> None:
    """One to three claims, one after the other, seldom with the front peg."""
    ms = 800
    for _ in range(scene.rng.randint(1, 3)):
        hand = scene.hand(scene.any_seat(), ms)
        points = hand.room()
        if points:
            peg(hand, points, front=scene.rng.random() < 0.1)
        ms = hand.ms + scene.rng.randint(QUIET + 80, 3000)


def front_peg(scene: Scene) -> None:
    """The front peg moved instead of the back one."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if points:
        peg(hand, points, front=True)


def counting(hand: Hand, points: int) -> None:
    """The peg touches holes on its way, hole after hole, the first not as long as the quiet time."""
    first, high = hand.place.front_points + 1, hand.place.front_points + points - 1
    holes = [h for p in range(first, high + 1) for h in [hand.way(p)] if h not in hand.scene.busy]
    if hand.rng.random() < 0.4:
        holes = hand.rng.sample(holes, min(len(holes), 3))
    for number, hole in enumerate(holes[:8]):
        hand.touch(hole, 50, 360 if number == 0 else 700)
    hand.wait(10, 300)


def slide(hand: Hand, points: int) -> None:
    """The peg slides from hole to hole, without a pause between."""
    holes = [hand.way(hand.place.front_points + n) for n in range(1, points)]
    for number, hole in enumerate(h for h in holes if h not in hand.scene.busy):
        hand.put(hole).wait(50, 300 if number == 0 else 420).lift(hole).wait(5, 60)
        hand.touched = True


def slides(scene: Scene) -> None:
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if points:
        peg(hand, points, front=scene.rng.random() < 0.1, touch=slide)


def counts(scene: Scene) -> None:
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if points:
        peg(hand, points, front=scene.rng.random() < 0.1, touch=counting)


def hovering(scene: Scene) -> None:
    """The peg is set down and taken up again in its last hole, and rests there at last."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if not points:
        return

    def hover(hand: Hand, points: int) -> None:
        to = hand.way(hand.place.front_points + points)
        for _ in range(hand.rng.randint(1, 4)):
            hand.put(to).wait(40, 330).lift(to).wait(60, 700)

    peg(hand, points, touch=hover)


def dropped(scene: Scene) -> None:
    """The peg falls from the board and is found again seconds later."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if points:
        peg(hand, points, touch=lambda h, _: h.wait(1500, 7000) and None)


def bumped(scene: Scene) -> None:
    """Other pegs are knocked while one is moved: each is out of its hole for a moment, or is put back."""
    seat = scene.any_seat()
    hand = scene.hand(seat, 1500)
    points = hand.room()
    if not points:
        return
    own, others = hand.place.front, [h for s, p in enumerate(scene.places) if s != seat for h in (p.back, p.front)]
    for hole in scene.rng.sample([own, *others], scene.rng.randint(1, 2)):
        at = 1500 + scene.rng.randint(-400, 100)
        knock = scene.hand(seat, at)
        knock.act = hand.act if hole == own else knock.act
        knock.lift(hole).wait(30, 900).put(hole)
    peg(hand, points)


def nothing(scene: Scene) -> None:
    """Pegs lifted and put back, looked at, knocked: it means nothing."""
    ms = 800
    for _ in range(scene.rng.randint(1, 3)):
        hand = scene.hand(scene.any_seat(), ms)
        pegs = [hand.place.back, hand.place.front]
        if scene.rng.random() < 0.6:
            pegs = pegs[:1] if scene.rng.random() < 0.5 else pegs[1:]
        for hole in pegs:
            hand.lift(hole).wait(40, 400)
        hand.wait(0, 4000)
        for hole in pegs:
            hand.put(hole).wait(40, 400)
        ms = hand.ms + scene.rng.randint(100, 1500)


def corrected_before(scene: Scene) -> None:
    """Put down wrong, and put right before anything was read."""
    hand = scene.hand(scene.any_seat(), 800)
    points, wrong = hand.room(), hand.room()
    if points and wrong and points != wrong:
        front = hand.place.front_points
        peg(hand, points, touch=lambda h, _: h.touch(h.way(front + wrong), 50, 360) and None)


def corrected_after(scene: Scene) -> None:
    """Put down wrong, read, and put right: forward is another claim, back is taken back."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room(2)
    if not points:
        return
    behind = hand.place.front_points
    peg(hand, points)
    for _ in range(scene.rng.randint(1, 2)):
        hand.wait(QUIET + 60, 2500)
        place = hand.place
        right = scene.rng.randint(1, MOST)
        to = hand.way(behind + right) if behind + right <= scene.ground.target else place.front
        by = behind + right - place.front_points
        if to in scene.busy or by in NO_HAND or by == 0 or not place.back_points < behind + right:
            return
        origin = place.front
        hand.lift(origin).carry().put(to)
        place.front, place.front_points = to, behind + right
        hand.meant("pegged" if by > 0 else "undone", abs(by), origin=origin, to=to)


def undone(scene: Scene) -> None:
    """One to three claims of one seat, then the pegs put back: the last one, or all of them at once."""
    hand = scene.hand(scene.any_seat(), 800)
    before: list[Place] = []
    for _ in range(scene.rng.randint(1, 3)):
        points = hand.room(1, 15)
        if not points:
            return
        before.append(deepcopy(hand.place))
        peg(hand, points, front=scene.rng.random() < 0.15)
        hand.wait(QUIET + 60, 2000)
    while before:
        earlier = before.pop() if scene.rng.random() < 0.6 or _is_ahead(hand, before[0]) else before[0]
        before = [p for p in before if p.front_points < earlier.front_points]
        _put_back(hand, earlier)
        hand.wait(QUIET + 60, 1500)
        if scene.rng.random() < 0.5:
            return


def _is_ahead(hand: Hand, earlier: Place) -> bool:
    """On a loop the pegs of an earlier placement may also be a claim: then they mean that claim."""
    place, holes = hand.place, {earlier.back, earlier.front}
    ahead = {hand.way(p) for p in range(place.front_points + 1, place.front_points + MOST + 1)}
    return bool(holes & {place.back, place.front} and holes & ahead)


def _put_back(hand: Hand, earlier: Place) -> None:
    place = hand.place
    now, then = {place.back, place.front}, {earlier.back, earlier.front}
    gone, new = sorted(now - then), sorted(then - now)
    hand.rng.shuffle(gone)
    for hole in gone:
        hand.lift(hole).wait(50, 500)
    hand.wait(50, 1200)
    for hole in new:
        hand.put(hole).wait(60, 350)
    points = place.front_points - earlier.front_points
    hand.scene.places[hand.seat] = deepcopy(earlier)
    origin, to = (gone[0], new[0]) if len(new) == 1 else (-1, -1)
    hand.meant("undone", points, origin=origin, to=to)


def both_out(scene: Scene) -> None:
    """Both pegs in the hand: one claim, whichever is put down first."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if not points:
        return
    place = deepcopy(hand.place)
    pegs = [place.back, place.front]
    scene.rng.shuffle(pegs)
    hand.lift(pegs[0]).wait(40, 900).lift(pegs[1]).carry()
    downs = [place.front, hand.way(place.front_points + points)]
    scene.rng.shuffle(downs)
    hand.put(downs[0]).wait(100, 2500).put(downs[1])
    hand.moved(points, front=False)
    hand.meant("pegged", points, origin=place.back, to=hand.place.front)


def missing(scene: Scene) -> None:
    """A peg out for longer than anybody holds one: asked about once, then put down after all."""
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if points:
        hand.lift(hand.place.back)
        left = hand.ms
        hand.wait(11_000, 16_000)
        scene.meant.append(Meant(hand.act, "asked", hand.seat, by_ms=left + 10_120))
        to, origin = hand.way(hand.place.front_points + points), hand.place.back
        if scene.rng.random() < 0.4:
            hand.put(origin)
        else:
            hand.put(to)
            hand.moved(points, front=False)
            hand.meant("pegged", points, origin=origin, to=to)


def impossible(scene: Scene) -> None:
    """A claim no hand can have is asked about, then put right."""
    hand = scene.hand(scene.any_seat(), 800)
    room = hand.room(30, 34) if scene.rng.random() < 0.5 else hand.room(impossible=True)
    points = hand.room()
    if room and points:
        _asked_about(hand, hand.way(hand.place.front_points + room), points)


def _asked_about(hand: Hand, wrong: int, points: int) -> None:
    """The back peg put in a wrong hole, asked about, then put right."""
    origin = hand.place.back
    hand.lift(origin).carry().put(wrong)
    hand.scene.meant.append(Meant(hand.act, "asked", None, by_ms=hand.ms + 1600))
    hand.wait(1800, 4000)
    hand.act = hand.scene.new_act()
    hand.lift(wrong).carry()
    hand.touched = True
    to = hand.way(hand.place.front_points + points)
    hand.put(to)
    hand.moved(points, front=False)
    hand.meant("pegged", points, origin=origin, to=to)


def wrong_lane(scene: Scene) -> None:
    """The peg put into another player's lane, for a moment or until it is asked about."""
    if scene.ground.shared:
        return front_peg(scene)
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    other = (hand.seat + 1) % len(scene.places)
    if not points:
        return None
    wrong = scene.ground.hole(other, min(hand.place.front_points + points, scene.ground.target))
    if wrong in scene.busy:
        return None
    if scene.rng.random() < 0.5:
        return _asked_about(hand, wrong, points)
    return peg(hand, points, touch=lambda h, _: h.touch(wrong, 60, 1300) and None)


def at_once(scene: Scene) -> None:
    """Two or more players peg at overlapping times."""
    scene.overlap = True
    seats = list(range(len(scene.places)))
    scene.rng.shuffle(seats)
    hands = []
    for seat in seats[: scene.rng.randint(2, 3)]:
        hand = scene.hand(seat, 800 + scene.rng.randint(0, 1500))
        points = hand.room()
        if points:
            scene.busy.add(hand.way(hand.place.front_points + points))
            hands.append((hand, points))
    for hand, points in hands:
        touch = counting if scene.rng.random() < 0.25 else None
        peg(hand, points, touch=touch)


def handed_over(scene: Scene) -> None:
    """One player's pegs are down, the next begins at once: quiet times overlap, hands do not."""
    ms = 800
    for seat in scene.rng.sample(range(len(scene.places)), len(scene.places)):
        hand = scene.hand(seat, ms)
        points = hand.room()
        if points:
            peg(hand, points, touch=counting if scene.rng.random() < 0.2 else None)
        ms = hand.ms + scene.rng.randint(230, 500)
    scene.overlap = True


def stuck(scene: Scene) -> None:
    """A sensor is stuck on from some moment, and claims go on."""
    free = scene.free(range(scene.ground.holes))
    hole = scene.rng.choice(free)
    scene.busy.add(hole)
    at = scene.rng.randint(100, 400)
    scene.stuck.append((at, 10**9, hole))
    scene.meant.append(Meant(0, "quarantined", None, to=hole, by_ms=at + 5000))
    _claims_between(scene, 1000, 7000)


def flapping(scene: Scene) -> None:
    """A sensor comes and goes, and claims go on."""
    hole = scene.rng.choice(scene.free(range(scene.ground.holes)))
    scene.busy.add(hole)
    ms, first = scene.rng.randint(100, 300), 0
    times = []
    slow = scene.rng.choice((120, 300, 550))
    until = ms + scene.rng.randint(8000, 12_000)
    while ms < until:
        times.append(ms)
        ms += scene.rng.randint(slow // 3, 2 * slow)
    for number, at in enumerate(times):
        scene.edges.append(Edge(at, hole, number % 2 == 0, 0))
    if len(times) % 2:
        scene.edges.append(Edge(ms, hole, False, 0))
    first = times[0]
    if times[7] - first <= 7900:
        scene.meant.append(Meant(0, "quarantined", None, to=hole, by_ms=first + 8000))
    _claims_between(scene, scene.rng.randint(700, 5000), 12_000)


def _claims_between(scene: Scene, ms: int, until: int) -> None:
    while ms < until:
        hand = scene.hand(scene.any_seat(), ms)
        points = hand.room()
        if points:
            peg(hand, points)
        ms = hand.ms + scene.rng.randint(QUIET + 80, 3000)


def lost_reports(scene: Scene) -> None:
    """Every fifth report is lost; the levels are repeated each second."""
    scene.lost = 0.2
    ms = 800
    for _ in range(2):
        hand = scene.hand(scene.any_seat(), ms)
        points = hand.room()
        if points:
            peg(hand, points)
        ms = hand.ms + scene.rng.randint(QUIET + 1200, 4000)


def late(scene: Scene) -> None:
    """Each sensor has a lag of its own, up to 190 ms."""
    scene.lag, scene.bounce = 185, 0.0
    hand = scene.hand(scene.any_seat(), 800)
    points = hand.room()
    if points:
        peg(hand, points, front=scene.rng.random() < 0.2, touch=slide if scene.rng.random() < 0.2 else None)


def set_up(scene: Scene) -> None:
    """The pegs are set up in any order, with a mistake or two, and the first claims made."""
    ms = _to_the_start(scene, 300, [])
    _claims_between(scene, ms + QUIET + 100, ms + 3000)


def _to_the_start(scene: Scene, ms: int, lifted: list[int], slips: float = 0.1) -> int:
    """Hands put every peg in its start hole, the lifted ones first taken up as they go."""
    holes = [h for route in scene.ground.routes for h in route.start]
    scene.rng.shuffle(holes)
    hand = scene.hand(0, ms)
    still = list(lifted)
    for n, hole in enumerate(holes):
        if still:
            hand.lift(still.pop()).wait(100, 900)
        hand.wait(100, 900)
        if n and scene.rng.random() < slips:  # a first peg put elsewhere might still be a claim or its undoing
            wrong = scene.rng.choice([h for h in scene.free(range(scene.ground.holes)) if h not in holes])
            hand.put(wrong).wait(100, 900).lift(wrong).wait(100, 600)
        hand.put(hole)
    scene.places = [Place(r.start[1], r.start[0], -1, 0) for r in scene.ground.routes]
    scene.busy = set(holes)
    hand.touched = False
    scene.meant.append(Meant(hand.act, "started", None))
    return hand.ms


def new_game(scene: Scene) -> None:
    """A seat wins, all pegs go back to the start, and a new game begins."""
    hand = scene.hand(scene.any_seat(), 800)
    target = scene.ground.target
    points = hand.room(1, MOST) if target - hand.place.front_points > MOST else target - hand.place.front_points
    if not points or points in NO_HAND:
        return
    to = hand.way(hand.place.front_points + points)
    if to in scene.busy:
        return
    peg(hand, points)
    if hand.place.front_points < target:
        return
    ms = hand.ms + scene.rng.randint(600, 3000)
    pegs = [h for p in scene.places for h in (p.back, p.front)]
    starts = {h for r in scene.ground.routes for h in r.start}
    if starts & set(pegs):
        return
    ms = _to_the_start(scene, ms, pegs)
    _claims_between(scene, ms + QUIET + 100, ms + 2000)


def abandoned(scene: Scene) -> None:
    """A claim or two, and then the game is given up: all pegs go back to the start. It may be asked about meanwhile."""
    _claims_between(scene, 800, 2500)
    pegs = [h for p in scene.places for h in (p.back, p.front)]
    starts = {h for r in scene.ground.routes for h in r.start}
    near = any(p.front_points + MOST >= scene.ground.target for p in scene.places)  # the start may be a claim to win
    if scene.meant and not near and not starts & set(pegs):
        scene.may_ask = True
        ms = _to_the_start(scene, max(e.ms for e in scene.edges) + scene.rng.randint(600, 3000), pegs, slips=0.0)
        _claims_between(scene, ms + QUIET + 100, ms + 2000)


CLAIMS: dict[str, Family] = {
    "plain": plain, "front peg": front_peg, "slides": slides, "counts": counts, "hovering": hovering,
    "dropped": dropped, "bumped": bumped, "nothing": nothing, "corrected before": corrected_before,
    "corrected after": corrected_after, "undone": undone, "both out": both_out, "missing": missing,
    "impossible": impossible, "wrong lane": wrong_lane, "at once": at_once, "handed over": handed_over,
    "stuck": stuck, "flapping": flapping, "lost reports": lost_reports, "late": late, "set up": set_up,
    "new game": new_game, "abandoned": abandoned,
}  # fmt: skip
"""Families in pegs-only."""
