"""Families of dues in a card game, which `adjust` moves from a phone create, and of hands with various paces."""

from tests.perception.acts import Family, peg_points, plan_together, take_turns, with_room_for
from tests.perception.families_sensors import flicker_hole
from tests.perception.model import (
    CARRY,
    DOUBT_MS,
    FIRST_MS,
    MAX_DELAY_MS,
    QUIET_MS,
    TOUCHED_DELAY_MS,
    Hand,
    Scene,
    Span,
)
from tests.perception.truth import Edge, Place
from tests.perception.ways import Way, count_slowly, slide_through, touch_along, touch_first


def peg_due(scene: Scene) -> None:
    """Peg a due with touches of any length on the way and with worn contacts."""
    scene.chatter = 0.3 if scene.rng.random() < 0.1 else 0.0
    for hand in take_turns(scene, scene.rng.randint(1, 2), (600, 2500)):
        if points := hand.pick_points(1, 40):
            _make_due(hand, points)
            way = scene.rng.choice((None, None, count_slowly, slide_through))
            peg_points(hand, points, front=hand.is_chance(0.1), way=way)


@with_room_for(1, 40)
def fail_due_hole(hand: Hand, points: int) -> None:
    """Let the hole of a later due flicker until it is quarantined."""
    hand.ms = flicker_hole(hand.scene, hand.hole_ahead(points), hand.rng.randint(4, 9)) + hand.rng.randint(300, 6000)
    _make_due(hand, points)
    peg_points(hand, points, way=hand.rng.choice((None, None, count_slowly, slide_through)))


@with_room_for(2)
def peg_over_or_under(hand: Hand, points: int) -> None:
    """Put a peg into a wrong hole, see the mistake, and put it into the hole with the light."""
    wrong = hand.pick_points()
    if wrong and wrong != points:
        over = hand.hole_ahead(wrong)
        _make_due(hand, points)
        peg_points(hand, points, way=lambda hand, _: hand.touch(over, (600, 5000), air=CARRY))


@with_room_for(2)
def peg_in_two_steps(hand: Hand, points: int) -> None:
    """Award two scores, together or one after the other, and peg them one by one with the back peg."""
    place, first = hand.place, hand.rng.randint(1, points - 1)
    if not hand.scene.free_holes([hand.hole_ahead(first)]):
        return
    middle, to = hand.hole_ahead(first), hand.hole_ahead(points)
    _make_due(hand, first).lift(place.back).carry().put(middle)
    _make_due(hand, points - first, (100, 3000)).lift(place.front).carry().put(to)
    hand.place = Place(middle, to, place.front_points + first, place.front_points + points)
    hand.record_meaning("pegged", points, origin=place.front, to=to)


def dues_at_once(scene: Scene) -> None:
    """Let two or three players peg their dues at overlapping times."""
    scene.overlap = True
    seats = scene.rng.sample(scene.seats, min(len(scene.seats), scene.rng.randint(2, 3)))
    hands = plan_together(scene.add_hand(seat, 700) for seat in seats)
    for hand, points in [(_make_due(hand, points, (100, 1500)), points) for hand, points in hands]:
        peg_points(hand, points, way=scene.rng.choice((None, None, touch_along)))


@with_room_for()
def put_due_back(hand: Hand, points: int) -> None:
    """Put a pegged score back, which is offered as undo, and accept it on a phone."""
    _make_due(hand, points)
    before, to = hand.place, hand.hole_ahead(points)
    peg_points(hand, points)
    hand.wait(600, 3000).lift(to).carry().put(before.back).expect_question(DOUBT_MS + 100, of=hand.seat)
    hand.place = before
    hand.scene.make_move(hand.wait(2500, 5000).ms, type="undo")


@with_room_for()
def take_points_back(hand: Hand, points: int) -> None:
    """Undo on a phone and put the pegs back to where they were."""
    _make_due(hand, points)
    before, to = hand.place, hand.hole_ahead(points)
    peg_points(hand, points)
    hand.scene.make_move(hand.wait(700, 3000).ms, type="undo")
    hand.wait(300, 2000).lift(to).carry().put(before.back)
    hand.place = before
    hand.record_meaning("undone", points, origin=to, to=before.back)


@with_room_for(1, 20)
def put_others_peg(hand: Hand, points: int) -> None:
    """Move the wrong player's peg, see the mistake, put it back, and move the right one."""
    scene = hand.scene
    other = scene.add_hand((hand.seat + 1) % len(scene.places))
    origin, score = other.place.back, other.place.front_points + points
    if (
        score > scene.ground.target
        or not scene.free_holes([other.hole_at(score)])
        or other.hole_at(score) == hand.hole_ahead(points)
    ):
        return
    other.ms = _make_due(hand, points).ms
    other.lift(origin).carry().touch(other.hole_at(score), (600, 1300), air=CARRY).put(origin)
    hand.ms = other.wait(600, 2000).ms
    peg_points(hand, points)


@with_room_for()
def unplug_cable(hand: Hand, points: int) -> None:
    """Disconnect the sensors, and move a peg meanwhile, or lift it before; it is read after the reconnection."""
    scene, wrong = hand.scene, hand.hole_ahead(points + 1)
    _make_due(hand, points)
    lost_ms = hand.ms + scene.rng.randint(-200, 900)
    peg_points(hand, points, way=touch_first(wrong, (60, 300)) if scene.free_holes([wrong]) else None)
    back_ms = hand.ms + scene.rng.randint(300, 4000)
    scene.blind.append((lost_ms, back_ms))
    scene.lines += [(lost_ms, {"device": "sensors", "ok": False}), (back_ms, {"device": "sensors", "ok": True})]


def wait_in_start(scene: Scene) -> None:
    """Occupy the hole of a due with another seat's peg: the peg waits in a start hole and continues from there."""
    if not scene.ground.is_shared:
        return peg_due(scene)
    hand = scene.add_hand(scene.pick_seat())
    taken = [p for p in range(1, 31) if _is_taken(hand, p)]
    free = scene.free_holes(scene.ground.routes[hand.seat].start)
    if not taken or not free:
        return peg_due(scene)
    _make_due(hand, taken[0]).lift(hand.place.back).carry().put(free[0]).record_claim(taken[0], to=free[0])
    hand.wait(600, 2500)
    if more := hand.pick_points(1, 20):
        _make_due(hand, more).correct_score(hand.place.front_points + more)
    return None


def _is_taken(hand: Hand, points: int) -> bool:
    """Return whether another seat's peg is in the hole of these points, and they do not win."""
    wins = hand.place.front_points + points >= hand.scene.ground.target
    return not wins and hand.hole_ahead(points) in hand.scene.other_pegs(hand.seat)


def adjust_score(scene: Scene) -> None:
    """Subtract points on a phone: the front peg goes back, in two steps if it passes the back one."""
    hand = scene.add_hand(scene.pick_seat())
    points = scene.rng.randint(1, 12)
    score = hand.place.front_points - points
    if score <= max(0, hand.place.back_points) or not scene.free_holes([hand.hole_at(score)]):
        return peg_due(scene)
    return _make_due(hand, -points).correct_score(score)


@with_room_for()
def peg_early(hand: Hand, points: int) -> None:
    """Peg a score shortly before it is due: the due confirms it."""
    to = hand.hole_ahead(points)
    hand.lift(hand.place.back).carry().put(to).wait(200, 1300)
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    hand.scene.edges.append(Edge(hand.ms, to, True, hand.act))  # the act is finished only now
    hand.record_claim(points, by_ms=hand.ms + 500)


def _make_due(hand: Hand, points: int, wait: Span = (300, 2500)) -> Hand:
    """Add or subtract points of the hand's seat, and let the hand come a moment later."""
    hand.scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
    return hand.wait(*wait)


DUES: dict[str, Family] = {
    "due": peg_due, "over or under": peg_over_or_under, "two steps": peg_in_two_steps, "dues at once": dues_at_once,
    "due put back": put_due_back, "other's peg": put_others_peg, "taken back": take_points_back, "cable": unplug_cable,
    "waiting": wait_in_start, "adjusted": adjust_score, "early": peg_early, "failing hole": fail_due_hole,
}  # fmt: skip
"""Families in a card game."""


MAX_TOUCH_MS = 900
"""Longest touch of a slow counter."""
LONG_FIRST_TOUCH_SHARE = 0.03
"""Probability that a hand that is not known as slow begins with a touch longer than the quiet time."""
KNOWN_SLOW_MARGIN_MS = 20
"""A first touch that exceeds the quiet time by this margin, with further touches, identifies a slow hand."""
MIN_REST_MS = 200
"""Minimum rest between two actions of one side."""
HARMLESS_SERIES = ("2D", "KS", "9H", "7C", "4S")
"""A starter and a series of cards without points."""
SCORING_SERIES = (("KS", 0), ("5H", 2), ("5C", 2), ("5D", 6), ("6S", 2))
"""A series of cards with the points of each."""


def count_slowly_on(scene: Scene) -> None:
    """Let one or two players count with long touches, each at an individual pace, claim after claim."""
    tempo = {seat: scene.rng.randint(300, 760) for seat in scene.rng.sample(scene.seats, scene.rng.randint(1, 2))}
    known = set[int]()
    for hand in take_turns(scene, scene.rng.randint(2, 4), (MAX_DELAY_MS + 100, 2500), seats=tempo):
        if points := hand.pick_points():
            peg_points(hand, points, way=_count_into(tempo[hand.seat], known))


def peg_quickly(scene: Scene) -> None:
    """Make two or more claims in a row with one hand, which lifts the other peg shortly after the first is down."""
    for hand in take_turns(scene, scene.rng.randint(1, 2), (TOUCHED_DELAY_MS + 100, 2500)):
        for _ in range(scene.rng.randint(2, 4)):
            if points := hand.pick_points(1, 15):
                peg_points(hand, points, way=touch_along if hand.is_chance(0.2) else None, air=(120, 600))
                hand.wait(*_next_after(hand, MIN_REST_MS, MIN_REST_MS + 200))


def keep_tempo(scene: Scene) -> None:
    """Let all players peg at once, each at an individual pace; on a shared lane only one quick player."""
    if scene.ground.is_shared:
        return peg_quickly(scene)
    for seat in scene.seats:
        hand = scene.add_hand(seat, FIRST_MS + scene.rng.randint(0, 2500))
        tempo, known = hand.rng.choice((None, hand.rng.randint(150, 760))), set[int]()
        for _ in range(hand.rng.randint(1, 3)):
            if points := hand.pick_points():
                _peg_and_continue(hand, points, _count_into(tempo, known) if tempo else None)
    return None


def begin_next_act(scene: Scene) -> None:
    """Begin the next action before the last claim is accepted: lift the side's other peg, or press a button."""
    for hand in take_turns(scene, scene.rng.randint(1, 2), (TOUCHED_DELAY_MS + 100, 2000)):
        for _ in range(scene.rng.randint(1, 3)):
            if points := hand.pick_points():
                _peg_and_continue(hand, points, hand.rng.choice((None, touch_along)))
                if hand.is_chance(0.35):
                    scene.press_button(hand.ms)
                    hand.wait(QUIET_MS, 900)


def scan_next_card(scene: Scene) -> None:
    """Peg a due, and scan the next card before it is accepted."""
    for hand, card in zip(take_turns(scene, scene.rng.randint(1, 3), (QUIET_MS, 1500)), HARMLESS_SERIES, strict=False):
        if points := hand.pick_points(1, 40):
            scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
            _peg_and_continue(hand.wait(300, 1500), points, hand.rng.choice((None, touch_along)))
        scene.scan_card(hand.ms, card)


def count_by_hand(scene: Scene) -> None:
    """Let players claim the points of the play by pegging, and scan each card before the last claim is accepted."""
    scene.options["counting"] = "manual"
    scene.scan_card(200, "2D")
    hand = scene.add_hand(0, 1000)
    for number, (card, points) in enumerate(SCORING_SERIES):
        hand = scene.add_hand((number + 1) % len(scene.places), hand.ms)
        scene.scan_card(hand.ms, card)
        if points and not scene.free_holes([hand.hole_ahead(points)]):
            return
        hand.wait(100, 1500)
        if points:
            _peg_and_continue(hand, points, hand.rng.choice((None, touch_along)))


def _peg_and_continue(hand: Hand, points: int, way: Way | None = None) -> None:
    """Peg by this way, and be ready for the next action a moment later."""
    peg_points(hand, points, way=way)
    hand.wait(*((550, 850) if hand.scene.intents[-1].touched else _next_after(hand, MIN_REST_MS, 550)))


def _next_after(hand: Hand, low: int, high: int) -> Span:
    """Return a pause that is also this long as the sensors see it."""
    return low + hand.scene.lag + 10, high


def _count_into(tempo: int, known: set[int]) -> Way:
    """Return a way with some touches of about `tempo` ms. A hand that is not yet `known` as slow begins faster."""

    def way(hand: Hand, points: int) -> None:
        bold = hand.seat in known or hand.is_chance(LONG_FIRST_TOUCH_SHARE)
        holes = hand.holes_between(points)
        some = sorted(hand.rng.sample(range(len(holes)), min(len(holes), hand.rng.randint(1, 4))))
        for number, index in enumerate(some):
            longest = MAX_TOUCH_MS if bold or number > 1 else (QUIET_MS - 60 - hand.scene.lag, QUIET_MS + 340)[number]
            hand.touch(holes[index], (min(tempo * 4 // 5, longest - 100), min(tempo * 6 // 5, longest)))
            if number == 0 and len(some) > 1 and hand.touched > QUIET_MS + KNOWN_SLOW_MARGIN_MS:
                known.add(hand.seat)

    return way


TEMPO: dict[str, Family] = {
    "slow counter": count_slowly_on, "quick": peg_quickly, "own tempo": keep_tempo, "next act": begin_next_act,
}  # fmt: skip
"""Families of tempo in pegs-only."""
TEMPO_DUES: dict[str, Family] = {"next card": scan_next_card, "counted by hand": count_by_hand}
"""Families of tempo in a card game."""
