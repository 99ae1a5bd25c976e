"""Families of one hand at work, as it meant to be: it pegs this way or that, corrects itself, takes claims back."""

from acts import Family, peg, put_back, turns, with_room
from model import MOST, NO_HAND, PATIENCE, QUIET, Hand, Scene
from truth import Place
from ways import by, count, drop, hover, slide


def plain(scene: Scene) -> None:
    """One to three claims, one after the other, seldom with the front peg."""
    for hand in turns(scene, scene.rng.randint(1, 3), (QUIET + 80, 3000)):
        if points := hand.room():
            peg(hand, points, front=hand.chance(0.1))


@with_room()
def front_peg(hand: Hand, points: int) -> None:
    """The front peg is moved instead of the back one."""
    peg(hand, points, front=True)


@with_room()
def slides(hand: Hand, points: int) -> None:
    """A peg slides to its new hole."""
    peg(hand, points, front=hand.chance(0.1), way=slide)


@with_room()
def counts(hand: Hand, points: int) -> None:
    """A peg counts its way hole by hole."""
    peg(hand, points, front=hand.chance(0.1), way=count)


@with_room()
def hovering(hand: Hand, points: int) -> None:
    """A peg rests in its new hole only after some tries."""
    peg(hand, points, way=hover)


@with_room()
def dropped(hand: Hand, points: int) -> None:
    """A peg falls from the board on its way."""
    peg(hand, points, way=drop)


@with_room()
def both_out(hand: Hand, points: int) -> None:
    """Both pegs in the hand: one claim, whichever is put down first."""
    ups, downs = list(hand.place.pegs), [hand.place.front, hand.ahead(points)]
    hand.rng.shuffle(ups)
    hand.lift(ups[0]).wait(40, 900).lift(ups[1]).carry()
    hand.rng.shuffle(downs)
    hand.put(downs[0]).wait(100, 2500).put(downs[1]).claimed(points)


@with_room()
def corrected_before(hand: Hand, points: int) -> None:
    """Put down wrong, and put right before anything was read."""
    wrong = hand.room()
    if wrong and wrong != points:
        peg(hand, points, way=by(hand.ahead(wrong), (50, 360)))


@with_room(2)
def corrected_after(hand: Hand, points: int) -> None:
    """Put down wrong, read, and put right once or twice: forward is another claim, back is taken back."""
    behind, scene = hand.place.front_points, hand.scene
    peg(hand, points)
    for number in range(scene.rng.randint(1, 2)):
        # Who moves a peg on that has just rested may be counting slowly: the next claim is waited for.
        hand.wait(PATIENCE + 60 if number else QUIET + 60, 2500)
        right = behind + scene.rng.randint(1, MOST)
        if right > scene.ground.target or not scene.free([hand.way(right)]):
            return
        if right <= hand.place.back_points or right - hand.place.front_points in NO_HAND:
            return
        hand.correct(right)


def undone(scene: Scene) -> None:
    """One to three claims of one seat, then the pegs put back: the last one, or all of them at once."""
    hand = scene.hand(scene.any_seat())
    before: list[Place] = []
    again = False  # who moves a peg on that has just rested may be counting slowly, and is waited for
    for _ in range(scene.rng.randint(1, 3)):
        points = hand.room(1, 15)
        if not points:
            return
        before.append(hand.place)
        front = hand.chance(0.15)
        again = again or front
        peg(hand, points, front=front)
        hand.wait(PATIENCE + 60 if again else QUIET + 60, 2000)
    while before:
        one = hand.chance(0.6) or _is_ahead(hand, before[0])
        earlier = before.pop() if one else before[0]
        before = [p for p in before if p.front_points < earlier.front_points]
        put_back(hand, earlier)
        hand.wait(PATIENCE + 60, 2000)
        if hand.chance(0.5):
            return


def _is_ahead(hand: Hand, earlier: Place) -> bool:
    """On a loop the pegs of an earlier placement may also be a claim: then they mean that claim."""
    holes, ahead = set(earlier.pegs), {hand.ahead(points) for points in range(1, MOST + 1)}
    return bool(holes & set(hand.place.pegs) and holes & ahead)


ONE: dict[str, Family] = {
    "plain": plain, "front peg": front_peg, "slides": slides, "counts": counts, "hovering": hovering,
    "dropped": dropped, "both out": both_out, "corrected before": corrected_before,
    "corrected after": corrected_after, "undone": undone,
}  # fmt: skip
"""Families of one hand in pegs-only."""
