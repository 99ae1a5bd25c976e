"""Families of unseen or impossible actions: pegs moved while the cable is out, and boards taken as they stand."""

from tests.perception.acts import Family, peg_between, peg_points, peg_some, with_room_for
from tests.perception.model import DOUBT_MS, MAX_POINTS, Hand, Scene, Span
from tests.perception.sensors import REPORT_INTERVAL_MS
from tests.perception.truth import Intent, Place

CABLE_OUT: Span = (30_000, 70_000)
"""Time for which the cable is out."""


def move_unseen(scene: Scene) -> None:
    """Unplug the cable for a minute while people peg: one claim of each side is read after it is back.

    Several claims of a side cause a question, and the board is taken as it stands. Then play continues.
    """
    rng, lost_ms = scene.rng, peg_some(scene)
    back_ms = (lost_ms + rng.randint(*CABLE_OUT)) // REPORT_INTERVAL_MS * REPORT_INTERVAL_MS
    scene.blind.append((lost_ms, back_ms))
    scene.lines += [(lost_ms, {"device": "sensors", "ok": False}), (back_ms, {"device": "sensors", "ok": True})]
    seats = [seat for seat in scene.seats if scene.places[seat].front_points + MAX_POINTS < scene.ground.target]
    if scene.ground.is_shared:  # the holes identify the pegs only if one side alone moved both
        seats = rng.sample(seats, min(1, len(seats)))
    claims = [seat for seat in seats for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    rng.shuffle(claims)
    before, ms = list(scene.places), lost_ms + 500
    for seat in claims:
        hand = scene.add_hand(seat, ms)
        points = hand.pick_points(1, 9) or 0
        if claims.count(seat) == 1:
            peg_points(hand, points)
        else:
            hand.lift(hand.place.back).carry().put(hand.hole_ahead(points)).move_placement(points)
        ms = hand.wait(100, 1000).ms
    several = [seat for seat in seats if claims.count(seat) > 1]
    ms = back_ms + rng.randint(DOUBT_MS + 300, DOUBT_MS + 5000)
    if several:
        of = several[0] if len(several) == 1 else None
        scene.intents.append(Intent(0, "asked", of, by_ms=back_ms + DOUBT_MS + 100))
        scene.take_board(ms)
    for seat in several:
        scene.add_hand(seat, ms).expect_board_taken(scene.places[seat].front_points - before[seat].front_points, ms)
    peg_between(scene, ms + 500, ms + 5000)


def take_board(scene: Scene) -> None:
    """Put pegs into impossible holes, which are asked about and taken as they stand; then play continues."""
    hand = scene.add_hand(scene.pick_seat(), peg_some(scene))
    before = hand.place
    if scene.rng.choice((_move_impossible, _move_backwards, _move_front_back))(hand):
        hand.expect_question(DOUBT_MS + 100, of=hand.seat)
        ms = hand.wait(DOUBT_MS + 300, DOUBT_MS + 5000).ms
        scene.take_board(ms)
        hand.expect_board_taken(hand.place.front_points - before.front_points, ms)
        peg_between(scene, ms + 500, ms + 5000)


def _move_impossible(hand: Hand) -> bool:
    """Make a claim that no hand can have."""
    room = (
        hand.pick_points(30, 34)
        if hand.is_chance(0.5) and not hand.scene.ground.is_shared
        else hand.pick_points(impossible=True)
    )
    if room:
        hand.lift(hand.place.back).carry().put(hand.hole_ahead(room)).move_placement(room)
    return bool(room)


def _move_backwards(hand: Hand) -> bool:
    place, to = hand.place, _move_behind(hand)
    if to:
        hand.lift(place.back).carry().put(hand.hole_at(to))
        hand.place = Place(hand.hole_at(to), place.front, to, place.front_points)
    return bool(to)


def _move_front_back(hand: Hand) -> bool:
    place, to = hand.place, _move_behind(hand)
    if to:
        hand.lift(place.front).carry().put(hand.hole_at(to))
        hand.place = Place(hand.hole_at(to), place.back, to, place.back_points)
    return bool(to)


def _move_behind(hand: Hand) -> int | None:
    """Return a score behind the back peg whose free hole is not a claim on a loop; None if there is none."""
    back, front = hand.place.back_points, hand.place.front_points
    claims = {hand.hole_at(points) for points in range(front + 1, front + MAX_POINTS + 1)}
    free = hand.scene.free_holes([hand.hole_at(points) for points in range(max(1, back - 6), back)])
    found = [points for points in range(max(1, back - 6), back) if hand.hole_at(points) in {*free} - claims]
    return hand.rng.choice(found) if found else None


@with_room_for()
def take_undue_board(hand: Hand, points: int) -> None:
    """Peg without a due, which is asked about and taken as it stands; then add the points on a phone."""
    hand.lift(hand.place.back).carry().put(hand.hole_ahead(points)).move_placement(points)
    hand.expect_question(DOUBT_MS + 100, of=hand.seat)
    hand.scene.take_board(hand.wait(DOUBT_MS + 300, DOUBT_MS + 5000).ms)
    hand.scene.make_move(hand.wait(300, 3000).ms, type="adjust", seat=hand.seat, points=points)
    if more := hand.pick_points():
        hand.scene.make_move(hand.wait(300, 2000).ms, type="adjust", seat=hand.seat, points=more)
        peg_points(hand.wait(300, 2000), more)


@with_room_for()
def take_board_back(hand: Hand, points: int) -> None:
    """Put a pegged due back, which is asked about and taken as it stands; it becomes due and is pegged again."""
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    before, to = hand.wait(300, 2000).place, hand.hole_ahead(points)
    peg_points(hand, points)
    hand.wait(600, 3000).lift(to).carry().put(before.back).expect_question(DOUBT_MS + 100, of=hand.seat)
    hand.place = before
    hand.scene.take_board(hand.wait(DOUBT_MS + 300, DOUBT_MS + 5000).ms)
    peg_points(hand.wait(300, 3000), points)


UNSEEN: dict[str, Family] = {"unseen": move_unseen, "taken": take_board}
"""Families of boards taken as they stand in pegs-only."""
UNSEEN_DUES: dict[str, Family] = {"taken, undue": take_undue_board, "taken, put back": take_board_back}
"""Families of boards taken as they stand in a card game."""
