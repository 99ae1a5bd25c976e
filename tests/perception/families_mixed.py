"""The family that mixes everything: each player performs actions with individual habits and timing.

Every scene draws its own parameters, so that no two benches of hands are alike: how long a peg rests while it
counts, how far it slides, how often it is taken up again, how slow each sensor is.
"""

from tests.perception.acts import Family, peg_points, put_back, take_turns_until
from tests.perception.model import IMPOSSIBLE_POINTS, MAX_DELAY_MS, MAX_POINTS, Hand, Scene
from tests.perception.sensors import randomize_sensors
from tests.perception.ways import pick_way

MAX_DURATION_MS = 8000
"""Time after which hands begin no further action."""


def mix_acts(scene: Scene) -> None:
    """Let each player perform actions in its own time; on a shared lane they take turns."""
    randomize_sensors(scene)
    scene.alone = scene.ground.is_shared
    still = MAX_DELAY_MS + scene.lag + 60
    if scene.ground.is_shared:
        for hand in take_turns_until(scene, MAX_DURATION_MS, (still, 2500), ms=900):
            _do_something(hand)
        return
    for seat in scene.seats:
        hand = scene.add_hand(seat, 900 + scene.rng.randint(0, 4000))
        while hand.ms < MAX_DURATION_MS:
            _do_something(hand)
            hand.wait(still, 3000)


def _do_something(hand: Hand) -> None:
    """Perform one action of a hand, usually a claim, and rest."""
    habits = (_claim_points, _look_at_peg, _correct_claim, _take_back_claim, _knock_peg)
    hand.rng.choices(habits, (6, 2, 2, 2, 1))[0](hand)


def _claim_points(hand: Hand) -> None:
    if points := hand.pick_points():
        hand.before.append(hand.place)
        peg_points(hand, points, front=hand.is_chance(0.15), way=pick_way(hand))


def _look_at_peg(hand: Hand) -> None:
    """Lift one or both pegs and put them back."""
    pegs = list(hand.place.pegs)
    hand.rng.shuffle(pegs)
    for hole in pegs[: hand.rng.randint(1, 2)]:
        hand.lift(hole).wait(60, 3000).put(hole).wait(60, 600)


def _correct_claim(hand: Hand) -> None:
    """Move the front peg a little forward or back after it was read."""
    front, free = hand.place.front_points, hand.scene.free_holes
    most = min(front + 6, hand.scene.ground.target)
    found = [
        p for p in range(max(1, hand.place.back_points + 1), most) if p != front and p - front not in IMPOSSIBLE_POINTS
    ]
    # On a loop a hole behind may also be ahead, and then it means that claim (docs/reference/trace.md).
    ahead = {hand.hole_ahead(points) for points in range(1, MAX_POINTS + 1)}
    found = [p for p in found if free([hand.hole_at(p)]) and (p > front or hand.hole_at(p) not in ahead)]
    if not found or hand.scene.is_won:
        return
    score = hand.rng.choice(found)
    if score > front:
        hand.before.append(hand.place)
    else:
        hand.before[:] = [place for place in hand.before if place.front_points < score]
    hand.correct_score(score)


def _take_back_claim(hand: Hand) -> None:
    """Put the pegs back to where they were before the last claim."""
    if hand.before:
        put_back(hand, hand.before.pop())


def _knock_peg(hand: Hand) -> None:
    """Lift a resting peg or two for a moment, as a sleeve does, perhaps on the way to a claim."""
    for hole in hand.rng.sample(hand.place.pegs, hand.rng.randint(1, 2)):
        hand.lift(hole).wait(25, 350).put(hole).wait(0, 40)
    if hand.is_chance(0.5):
        hand.wait(0, 200)
        _claim_points(hand)


MIXED: dict[str, Family] = {"mixed": mix_acts}
"""The family in pegs-only that mixes everything."""
