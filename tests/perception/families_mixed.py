"""The family that mixes everything: each player does one thing after another, with habits and a time of its own.

Every scene draws its own parameters, so that no two benches of hands are alike: how long a peg rests while it
counts, how far it slides, how often it is taken up again, how slow each sensor is.
"""

from acts import Family, peg, put_back, turns_until
from model import MOST, NO_HAND, PATIENCE, Hand, Scene
from sensors import any_sensors
from ways import any_way

LAST = 8000
"""Hands begin nothing more after this many milliseconds."""


def mixed(scene: Scene) -> None:
    """Each player does one thing after another in a time of its own; on one lane they take turns."""
    any_sensors(scene)
    scene.alone = scene.ground.shared
    still = PATIENCE + scene.lag + 60
    if scene.ground.shared:
        for hand in turns_until(scene, LAST, (still, 2500), ms=900):
            _something(hand)
        return
    for seat in scene.seats:
        hand = scene.hand(seat, 900 + scene.rng.randint(0, 4000))
        while hand.ms < LAST:
            _something(hand)
            hand.wait(still, 3000)


def _something(hand: Hand) -> None:
    """One thing that a hand does, after which it rests: most often a claim."""
    habits = (_claims, _looks, _corrects, _takes_back, _knocks)
    hand.rng.choices(habits, (6, 2, 2, 2, 1))[0](hand)


def _claims(hand: Hand) -> None:
    """Points pegged, by any way."""
    if points := hand.room():
        hand.before.append(hand.place)
        peg(hand, points, front=hand.chance(0.15), way=any_way(hand))


def _looks(hand: Hand) -> None:
    """A peg or both lifted, looked at and put back where they were."""
    pegs = list(hand.place.pegs)
    hand.rng.shuffle(pegs)
    for hole in pegs[: hand.rng.randint(1, 2)]:
        hand.lift(hole).wait(60, 3000).put(hole).wait(60, 600)


def _corrects(hand: Hand) -> None:
    """The front peg moved on or back a little, after it was read."""
    front, free = hand.place.front_points, hand.scene.free
    most = min(front + 6, hand.scene.ground.target)
    found = [p for p in range(max(1, hand.place.back_points + 1), most) if p != front and p - front not in NO_HAND]
    # On a loop a hole behind may also be ahead, and then it means that claim (docs/reference/trace.md).
    ahead = {hand.ahead(points) for points in range(1, MOST + 1)}
    found = [p for p in found if free([hand.way(p)]) and (p > front or hand.way(p) not in ahead)]
    if not found or hand.scene.is_won:
        return
    score = hand.rng.choice(found)
    if score > front:
        hand.before.append(hand.place)
    else:
        hand.before[:] = [place for place in hand.before if place.front_points < score]
    hand.correct(score)


def _takes_back(hand: Hand) -> None:
    """The pegs put back to where they were before the last claim."""
    if hand.before:
        put_back(hand, hand.before.pop())


def _knocks(hand: Hand) -> None:
    """The sleeve lifts a resting peg or two for a moment, perhaps on the way to a claim."""
    for hole in hand.rng.sample(hand.place.pegs, hand.rng.randint(1, 2)):
        hand.lift(hole).wait(25, 350).put(hole).wait(0, 40)
    if hand.chance(0.5):
        hand.wait(0, 200)
        _claims(hand)


MIXED: dict[str, Family] = {"mixed": mixed}
"""The family in pegs-only that mixes everything."""
