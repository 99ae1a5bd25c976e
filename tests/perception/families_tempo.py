"""Families of hands with various paces: slow counters, quick players, and players who begin the next action at once."""

from tests.perception.acts import Family, peg_points, take_turns
from tests.perception.model import FIRST_MS, MAX_DELAY_MS, QUIET_MS, TOUCHED_DELAY_MS, Hand, Scene, Span
from tests.perception.ways import Way, touch_along

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
