"""Families of mishaps: pegs that are knocked, lifted without a move, kept in the hand, or put into impossible holes."""

from tests.perception.acts import Family, peg_points, take_turns, with_room_for
from tests.perception.model import DOUBT_MS, MISSING_MS, Hand, Scene
from tests.perception.sensors import randomize_sensors
from tests.perception.ways import Way, pick_way, touch_first


@with_room_for(ms=1500)
def bump_peg(hand: Hand, points: int) -> None:
    """Knock other pegs while one is moved: each is out of its hole for a moment, or is put back."""
    scene, own = hand.scene, hand.place.front
    for hole in scene.rng.sample([own, *scene.other_pegs(hand.seat)], scene.rng.randint(1, 2)):
        knock = scene.add_hand(hand.seat, hand.ms + scene.rng.randint(-400, 100))
        knock.act = hand.act if hole == own else knock.act
        knock.lift(hole).wait(30, 900).put(hole)
    peg_points(hand, points)


def shake_board(scene: Scene) -> None:
    """Bump the table: many pegs are out for a moment, just before, during or after a claim."""
    randomize_sensors(scene)
    hand = scene.add_hand(scene.pick_seat(), 1500)
    points = hand.pick_points()
    if not points:
        return
    at_ms, lifted = hand.ms + scene.rng.randint(-700, 1800), hand.place.back
    peg_points(hand, points, way=pick_way(hand))
    for place in scene.places:
        for hole in {place.back, place.front} - {lifted} - {hand.place.front}:
            if hand.is_chance(0.6):
                out_ms = at_ms + scene.rng.randint(0, 60)
                scene.change_level(out_ms, hole, False)
                scene.change_level(out_ms + scene.rng.randint(25, 400), hole, True)


def knock_over(scene: Scene) -> None:
    """Knock over the board: all pegs are out at once, the first is put back into a wrong hole; then play continues."""
    scene.may_ask = True
    ms = 1000
    for hole in scene.pegs:
        scene.change_level(ms + scene.rng.randint(0, 400), hole, False)
    helper = scene.add_hand(scene.pick_seat(), ms).wait(1500, 4000)
    wrong = helper.pick_points()
    if wrong and helper.is_chance(0.5):
        helper.put(helper.hole_ahead(wrong)).wait(600, 3000).lift(helper.hole_ahead(wrong)).carry()
    for hole in scene.rng.sample(scene.pegs, len(scene.pegs)):
        helper.put(hole).carry()
    hand = scene.add_hand(scene.pick_seat(), helper.wait(600, 2500).ms)
    if points := hand.pick_points():
        peg_points(hand, points)


def do_nothing(scene: Scene) -> None:
    """Lift pegs and put them back, or knock them, which means nothing."""
    for hand in take_turns(scene, scene.rng.randint(1, 3), (100, 1500)):
        pegs = list(hand.place.pegs)
        if hand.is_chance(0.6):
            pegs = pegs[:1] if hand.is_chance(0.5) else pegs[1:]
        for hole in pegs:
            hand.lift(hole).wait(40, 400)
        hand.wait(0, 4000)
        for hole in pegs:
            hand.put(hole).wait(40, 400)


@with_room_for()
def lose_peg(hand: Hand, points: int) -> None:
    """Hold a peg for so much time that it is asked about once, then put it down."""
    home = hand.place.back
    hand.lift(home).expect_question(MISSING_MS + 120, of=hand.seat)
    hand.wait(11_000, 16_000)
    if hand.is_chance(0.4):
        hand.put(home)
    else:
        hand.put(hand.hole_ahead(points)).record_claim(points)


def claim_impossible(scene: Scene) -> None:
    """Claim points that no hand can have, which is asked about, then correct them."""
    hand = scene.add_hand(scene.pick_seat())
    room = hand.pick_points(30, 34) if hand.is_chance(0.5) else hand.pick_points(impossible=True)
    points = hand.pick_points()
    if room and points:
        peg_points(hand, points, way=_wait_for_question(hand.hole_ahead(room)))


@with_room_for()
def use_wrong_lane(hand: Hand, points: int) -> None:
    """Put the peg into another player's lane, for a moment or until a question; on a shared lane the front peg."""
    ground, neighbour = hand.scene.ground, (hand.seat + 1) % len(hand.scene.places)
    if ground.is_shared:
        return peg_points(hand, points, front=True)
    wrong = ground.hole(neighbour, min(hand.place.front_points + points, ground.target))
    if not hand.scene.free_holes([wrong]):
        return None
    return peg_points(
        hand, points, way=_wait_for_question(wrong) if hand.is_chance(0.5) else touch_first(wrong, (60, 1300))
    )


def _wait_for_question(wrong: int) -> Way:
    """Rest the peg in a wrong hole until a question comes; the correction is another action."""

    def way(hand: Hand, _points: int) -> None:
        hand.put(wrong).expect_question(DOUBT_MS + 100, of=None)
        hand.wait(1800, 4000)
        hand.act = hand.scene.new_act()
        hand.touched = DOUBT_MS
        hand.lift(wrong).carry()

    return way


MISHAPS: dict[str, Family] = {
    "bumped": bump_peg, "storm": shake_board, "knocked": knock_over, "nothing": do_nothing, "missing": lose_peg,
    "impossible": claim_impossible, "wrong lane": use_wrong_lane,
}  # fmt: skip
"""Families of mishaps in pegs-only."""
