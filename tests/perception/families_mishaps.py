"""Families of mishaps: pegs knocked, looked at, kept in the hand, put where they cannot be meant."""

from acts import Family, peg, turns, with_room
from model import DOUBT, MISSING, Hand, Scene
from sensors import any_sensors
from ways import Way, any_way, by


@with_room(ms=1500)
def bumped(hand: Hand, points: int) -> None:
    """Other pegs are knocked while one is moved: each is out of its hole for a moment, or is put back."""
    scene, own = hand.scene, hand.place.front
    for hole in scene.rng.sample([own, *scene.others(hand.seat)], scene.rng.randint(1, 2)):
        knock = scene.hand(hand.seat, hand.ms + scene.rng.randint(-400, 100))
        knock.act = hand.act if hole == own else knock.act
        knock.lift(hole).wait(30, 900).put(hole)
    peg(hand, points)


def storm(scene: Scene) -> None:
    """The table is bumped: many pegs are out for a moment, just before, while or after somebody pegs."""
    any_sensors(scene)
    hand = scene.hand(scene.any_seat(), 1500)
    points = hand.room()
    if not points:
        return
    at_ms, lifted = hand.ms + scene.rng.randint(-700, 1800), hand.place.back
    peg(hand, points, way=any_way(hand))
    for place in scene.places:
        for hole in {place.back, place.front} - {lifted} - {hand.place.front}:
            if hand.chance(0.6):
                out_ms = at_ms + scene.rng.randint(0, 60)
                scene.change(out_ms, hole, False)
                scene.change(out_ms + scene.rng.randint(25, 400), hole, True)


def knocked(scene: Scene) -> None:
    """The board is knocked over: all pegs are out at once, the first is put back wrong; then play goes on."""
    scene.may_ask = True
    ms = 1000
    for hole in scene.pegs:
        scene.change(ms + scene.rng.randint(0, 400), hole, False)
    helper = scene.hand(scene.any_seat(), ms).wait(1500, 4000)
    wrong = helper.room()
    if wrong and helper.chance(0.5):
        helper.put(helper.ahead(wrong)).wait(600, 3000).lift(helper.ahead(wrong)).carry()
    for hole in scene.rng.sample(scene.pegs, len(scene.pegs)):
        helper.put(hole).carry()
    hand = scene.hand(scene.any_seat(), helper.wait(600, 2500).ms)
    if points := hand.room():
        peg(hand, points)


def nothing(scene: Scene) -> None:
    """Pegs lifted and put back, looked at, knocked: it means nothing."""
    for hand in turns(scene, scene.rng.randint(1, 3), (100, 1500)):
        pegs = list(hand.place.pegs)
        if hand.chance(0.6):
            pegs = pegs[:1] if hand.chance(0.5) else pegs[1:]
        for hole in pegs:
            hand.lift(hole).wait(40, 400)
        hand.wait(0, 4000)
        for hole in pegs:
            hand.put(hole).wait(40, 400)


@with_room()
def missing(hand: Hand, points: int) -> None:
    """A peg out for longer than anybody holds one: asked about once, then put down after all."""
    home = hand.place.back
    hand.lift(home).asked(MISSING + 120, of=hand.seat)
    hand.wait(11_000, 16_000)
    if hand.chance(0.4):
        hand.put(home)
    else:
        hand.put(hand.ahead(points)).claimed(points)


def impossible(scene: Scene) -> None:
    """A claim no hand can have is asked about, then put right."""
    hand = scene.hand(scene.any_seat())
    room = hand.room(30, 34) if hand.chance(0.5) else hand.room(impossible=True)
    points = hand.room()
    if room and points:
        peg(hand, points, way=_until_asked(hand.ahead(room)))


@with_room()
def wrong_lane(hand: Hand, points: int) -> None:
    """The peg put into another player's lane, for a moment or until it is asked about; on one lane the front peg."""
    ground, neighbour = hand.scene.ground, (hand.seat + 1) % len(hand.scene.places)
    if ground.shared:
        return peg(hand, points, front=True)
    wrong = ground.hole(neighbour, min(hand.place.front_points + points, ground.target))
    if not hand.scene.free([wrong]):
        return None
    return peg(hand, points, way=_until_asked(wrong) if hand.chance(0.5) else by(wrong, (60, 1300)))


def _until_asked(wrong: int) -> Way:
    """By way of a wrong hole, where the peg rests until it is asked about; putting it right is another act."""

    def way(hand: Hand, _points: int) -> None:
        hand.put(wrong).asked(DOUBT + 100, of=None)
        hand.wait(1800, 4000)
        hand.act = hand.scene.new_act()
        hand.touched = DOUBT
        hand.lift(wrong).carry()

    return way


MISHAPS: dict[str, Family] = {
    "bumped": bumped, "storm": storm, "knocked": knocked, "nothing": nothing, "missing": missing,
    "impossible": impossible, "wrong lane": wrong_lane,
}  # fmt: skip
"""Families of mishaps in pegs-only."""
