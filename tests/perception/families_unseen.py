"""Families of what nobody saw or could mean: pegs moved while the cable is out, and boards taken as they stand."""

from acts import Family, claims_between, peg, some_claims, with_room
from model import DOUBT, MOST, Hand, Scene, Span
from sensors import REPEAT
from truth import Meant, Place

OUT: Span = (30_000, 70_000)
"""So long is the cable out, in milliseconds."""


def unseen(scene: Scene) -> None:
    """The cable is out for a minute, and people peg on: one claim a side is read when it is back.

    A side that made several is asked about, and the board is taken as it stands. Then play goes on.
    """
    rng, lost_ms = scene.rng, some_claims(scene)
    back_ms = (lost_ms + rng.randint(*OUT)) // REPEAT * REPEAT
    scene.blind.append((lost_ms, back_ms))
    scene.lines += [(lost_ms, {"device": "sensors", "ok": False}), (back_ms, {"device": "sensors", "ok": True})]
    seats = [seat for seat in scene.seats if scene.places[seat].front_points + MOST < scene.ground.target]
    if scene.ground.shared:  # the holes tell whose pegs are whose only where one side alone moved both
        seats = rng.sample(seats, min(1, len(seats)))
    claims = [seat for seat in seats for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    rng.shuffle(claims)
    before, ms = list(scene.places), lost_ms + 500
    for seat in claims:
        hand = scene.hand(seat, ms)
        points = hand.room(1, 9) or 0
        if claims.count(seat) == 1:
            peg(hand, points)
        else:
            hand.lift(hand.place.back).carry().put(hand.ahead(points)).moved(points)
        ms = hand.wait(100, 1000).ms
    several = [seat for seat in seats if claims.count(seat) > 1]
    ms = back_ms + rng.randint(DOUBT + 300, DOUBT + 5000)
    if several:
        of = several[0] if len(several) == 1 else None
        scene.meant.append(Meant(0, "asked", of, by_ms=back_ms + DOUBT + 100))
        scene.take_board(ms)
    for seat in several:
        scene.hand(seat, ms).taken(scene.places[seat].front_points - before[seat].front_points, ms)
    claims_between(scene, ms + 500, ms + 5000)


def taken(scene: Scene) -> None:
    """Pegs are put where no claim can be, asked about, and taken as they stand; then play goes on."""
    hand = scene.hand(scene.any_seat(), some_claims(scene))
    before = hand.place
    if scene.rng.choice((_impossible, _backwards, _front_back))(hand):
        hand.asked(DOUBT + 100, of=hand.seat)
        ms = hand.wait(DOUBT + 300, DOUBT + 5000).ms
        scene.take_board(ms)
        hand.taken(hand.place.front_points - before.front_points, ms)
        claims_between(scene, ms + 500, ms + 5000)


def _impossible(hand: Hand) -> bool:
    """A claim that no hand has."""
    room = hand.room(30, 34) if hand.chance(0.5) and not hand.scene.ground.shared else hand.room(impossible=True)
    if room:
        hand.lift(hand.place.back).carry().put(hand.ahead(room)).moved(room)
    return bool(room)


def _backwards(hand: Hand) -> bool:
    """The back peg, moved back."""
    place, to = hand.place, _behind(hand)
    if to:
        hand.lift(place.back).carry().put(hand.way(to))
        hand.place = Place(hand.way(to), place.front, to, place.front_points)
    return bool(to)


def _front_back(hand: Hand) -> bool:
    """The front peg, put behind the back one."""
    place, to = hand.place, _behind(hand)
    if to:
        hand.lift(place.front).carry().put(hand.way(to))
        hand.place = Place(hand.way(to), place.back, to, place.back_points)
    return bool(to)


def _behind(hand: Hand) -> int | None:
    """A score behind the back peg, in a free hole that no claim ahead could be, on a loop; None where there is none."""
    back, front = hand.place.back_points, hand.place.front_points
    claims = {hand.way(points) for points in range(front + 1, front + MOST + 1)}
    free = hand.scene.free([hand.way(points) for points in range(max(1, back - 6), back)])
    found = [points for points in range(max(1, back - 6), back) if hand.way(points) in {*free} - claims]
    return hand.rng.choice(found) if found else None


@with_room()
def taken_undue(hand: Hand, points: int) -> None:
    """Pegged though nothing is due, asked about and taken as it stands; then the points are given by phone."""
    hand.lift(hand.place.back).carry().put(hand.ahead(points)).moved(points)
    hand.asked(DOUBT + 100, of=hand.seat)
    hand.scene.take_board(hand.wait(DOUBT + 300, DOUBT + 5000).ms)
    hand.scene.phone(hand.wait(300, 3000).ms, type="adjust", seat=hand.seat, points=points)
    if more := hand.room():
        hand.scene.phone(hand.wait(300, 2000).ms, type="adjust", seat=hand.seat, points=more)
        peg(hand.wait(300, 2000), more)


@with_room()
def taken_back(hand: Hand, points: int) -> None:
    """What was due and pegged is put back, asked about and taken as it stands: it is due again, and pegged again."""
    hand.scene.phone(hand.ms, type="adjust", seat=hand.seat, points=points)
    before, to = hand.wait(300, 2000).place, hand.ahead(points)
    peg(hand, points)
    hand.wait(600, 3000).lift(to).carry().put(before.back).asked(DOUBT + 100, of=hand.seat)
    hand.place = before
    hand.scene.take_board(hand.wait(DOUBT + 300, DOUBT + 5000).ms)
    peg(hand.wait(300, 3000), points)


UNSEEN: dict[str, Family] = {"unseen": unseen, "taken": taken}
"""Families of boards taken as they stand in pegs-only."""
UNSEEN_DUES: dict[str, Family] = {"taken, undue": taken_undue, "taken, put back": taken_back}
"""Families of boards taken as they stand in a card game."""
