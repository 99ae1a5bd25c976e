"""Families of mishaps, of pegs moved unseen and boards taken as they stand, and of games set up, won and abandoned."""

from tests.perception.acts import Family, peg_between, peg_points, peg_some, take_turns, with_room_for
from tests.perception.model import (
    DIRECT_DELAY_MS,
    DOUBT_MS,
    IMPOSSIBLE_POINTS,
    MAX_POINTS,
    MISSING_MS,
    Hand,
    Scene,
    Span,
)
from tests.perception.sensors import REPORT_INTERVAL_MS, randomize_sensors
from tests.perception.truth import Intent, Place
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


def set_up_board(scene: Scene) -> None:
    """Set up the pegs in any order, with a mistake or two, and make the first claims."""
    ms = _move_to_start(scene, 300, [])
    peg_between(scene, ms + DIRECT_DELAY_MS + 100, ms + 3000)


def begin_new_game(scene: Scene) -> None:
    """Let a seat win, put all pegs back to the start, and begin a new game. A seat too far behind makes a claim."""
    hand, target = scene.add_hand(scene.pick_seat()), scene.ground.target
    missing = target - hand.place.front_points
    points = hand.pick_points() if missing > MAX_POINTS else missing
    if not points or points in IMPOSSIBLE_POINTS or not scene.free_holes([hand.hole_ahead(points)]):
        return
    peg_points(hand, points)
    if scene.is_won:
        ms = hand.ms + scene.rng.randint(DIRECT_DELAY_MS + 200, 3000)
        if _may_go_home(scene):
            _restart_game(scene, ms)


def abandon_game(scene: Scene) -> None:
    """Make a claim or two, then abandon the game and put all pegs back to the start. Questions are allowed."""
    peg_between(scene, 800, 2500)
    near = any(place.front_points + MAX_POINTS >= scene.ground.target for place in scene.places)
    if scene.intents and not near and _may_go_home(scene):  # near the end the start may be a claim to win
        scene.may_ask = True
        last_ms = max(edge.ms for edge in scene.edges)
        _restart_game(scene, last_ms + scene.rng.randint(DIRECT_DELAY_MS + 200, 3000), slips=0.0)


def _may_go_home(scene: Scene) -> bool:
    """Return whether no peg has reached a start hole yet."""
    return not set(scene.ground.starts) & set(scene.pegs)


def _restart_game(scene: Scene, ms: int, slips: float = 0.1) -> None:
    """Put all pegs back to the start, and make the first claims of the next game."""
    ms = _move_to_start(scene, ms, scene.pegs, slips)
    peg_between(scene, ms + DIRECT_DELAY_MS + 100, ms + 2000)


def _move_to_start(scene: Scene, ms: int, lifted: list[int], slips: float = 0.1) -> int:
    """Lift pegs and put every peg into a start hole. Return the time of the last one."""
    starts, still = scene.ground.starts, list(lifted)
    scene.rng.shuffle(starts)
    hand = scene.add_hand(0, ms)
    for number, hole in enumerate(starts):
        if still:
            hand.lift(still.pop()).wait(100, 900)
        hand.wait(100, 900)
        if number and hand.is_chance(slips):  # a first peg put elsewhere might still be a claim or its undoing
            wrong = scene.rng.choice([free for free in scene.free_holes() if free not in starts])
            hand.put(wrong).wait(100, 900).lift(wrong).wait(100, 600)
        hand.put(hole)
    scene.places = [Place(route.start[1], route.start[0], -1, 0) for route in scene.ground.routes]
    scene.busy = set(starts)
    scene.intents.append(Intent(hand.act, "started", None))
    return hand.ms


GAMES: dict[str, Family] = {"set up": set_up_board, "new game": begin_new_game, "abandoned": abandon_game}
"""Families of whole games in pegs-only."""
