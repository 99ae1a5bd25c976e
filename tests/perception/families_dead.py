"""Families of sensors that fail permanently under due pegs, while the game continues."""

from tests.perception.acts import Family, take_turns, with_room_for
from tests.perception.model import DIRECT_DELAY_MS, DOUBT_MS, FIRST_MS, MISSING_MS, Hand, Scene
from tests.perception.truth import Edge

PAUSE = (DIRECT_DELAY_MS + 200, 2500)
"""Pause between two hands, in milliseconds."""


@with_room_for(1, 40)
def stick_due_home(hand: Hand, points: int) -> None:
    """Let the old hole of a due peg fail as occupied: the peg is seen in its new hole, its old hole does not change."""
    _die_at_home(hand)
    _peg_due(hand, points, by_ms=DOUBT_MS + 200)
    _go_on(hand)


@with_room_for(1, 40)
def lose_due_hole(hand: Hand, points: int) -> None:
    """Let the hole of a due fail as empty: the peg seems to be missing, and a phone says that it is there."""
    scene, to = hand.scene, hand.hole_ahead(points)
    scene.fail_sensor(to, 100, on=False)
    scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.wait(300, 2500).lift(hand.place.back).expect_question(MISSING_MS + 300, of=hand.seat)
    hand.carry().put(to).move_placement(points)
    scene.take_board(hand.wait(MISSING_MS + 500, MISSING_MS + 4000).ms)
    _go_on(hand)


@with_room_for(1, 40)
def lose_other_home(hand: Hand, points: int) -> None:
    """Let the hole of the peg that stays fail as empty, and peg the due with the other peg: the rest is asked."""
    scene = hand.scene
    scene.fail_sensor(hand.place.front, hand.ms, on=False)
    hand.wait(200, 1500)
    scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    to = hand.hole_ahead(points)
    hand.wait(300, 2500).lift(hand.place.back).carry().put(to)
    hand.expect_question(MISSING_MS + 300, of=hand.seat)
    ms = hand.wait(MISSING_MS + 500, MISSING_MS + 4000).ms
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
    """Let both sides peg their dues."""
    scene: Scene = hand.scene
    for other in take_turns(scene, 3, PAUSE, ms=hand.wait(3500, 6000).ms):
        if points := other.pick_points(1, 20):
            _peg_due(other, points, by_ms=DOUBT_MS + 200)
            other.wait(1500, 2000)


DEAD: dict[str, Family] = {
    "due's home sticks": stick_due_home, "due's hole dead": lose_due_hole, "other home dead": lose_other_home,
}  # fmt: skip
"""Families of dead sensors in a card game."""
