"""Families of sensors that die for ever under pegs that are due, while the game goes on."""

from tests.perception.acts import Family, take_turns, with_room_for
from tests.perception.model import DOUBT, FIRST_MS, MISSING, Hand, Scene
from tests.perception.truth import Edge

PAUSE = (600, 2500)
"""Between two hands, in milliseconds."""


@with_room_for(1, 40)
def stick_due_home(hand: Hand, points: int) -> None:
    """The home of a peg that is due dies lit: the peg is seen in its new hole, and nothing else is known of it."""
    _die_at_home(hand)
    _peg_due(hand, points, by_ms=DOUBT + 200)
    _go_on(hand)


@with_room_for(1, 40)
def lose_due_hole(hand: Hand, points: int) -> None:
    """The hole of a due dies dark: the peg seems to be out, and is said to be there."""
    scene, to = hand.scene, hand.hole_ahead(points)
    scene.fail_sensor(to, 100, on=False)
    scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.wait(300, 2500).lift(hand.place.back).expect_question(MISSING + 300, of=hand.seat)
    hand.carry().put(to).move_placement(points)
    scene.take_board(hand.wait(MISSING + 500, MISSING + 4000).ms)
    _go_on(hand)


@with_room_for(1, 40)
def lose_other_home(hand: Hand, points: int) -> None:
    """The home of the peg that stays dies dark; the other peg is put where it is due, and the rest is asked."""
    scene = hand.scene
    scene.fail_sensor(hand.place.front, hand.ms, on=False)
    hand.wait(200, 1500)
    scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    to = hand.hole_ahead(points)
    hand.wait(300, 2500).lift(hand.place.back).carry().put(to)
    hand.expect_question(MISSING + 300, of=hand.seat)
    ms = hand.wait(MISSING + 500, MISSING + 4000).ms
    scene.take_board(ms)
    scene.edges.append(Edge(ms, to, True, hand.act))  # only then is the act known
    hand.record_claim(points, by_ms=ms + 1000)
    _go_on(hand)


def _die_at_home(hand: Hand) -> None:
    hand.scene.fail_sensor(hand.place.back, hand.rng.randint(100, FIRST_MS), on=True)


def _peg_due(hand: Hand, points: int, by_ms: int) -> None:
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.wait(300, 2500).lift(hand.place.back).carry().put(hand.hole_ahead(points))
    hand.record_claim(points, by_ms=hand.ms + by_ms)


def _go_on(hand: Hand) -> None:
    """Both sides peg what is due to them."""
    scene: Scene = hand.scene
    for other in take_turns(scene, 3, PAUSE, ms=hand.wait(3500, 6000).ms):
        if points := other.pick_points(1, 20):
            _peg_due(other, points, by_ms=DOUBT + 200)
            other.wait(1500, 2000)


DEAD: dict[str, Family] = {
    "due's home sticks": stick_due_home, "due's hole dead": lose_due_hole, "other home dead": lose_other_home,
}  # fmt: skip
"""Families of dead sensors in a card game."""
