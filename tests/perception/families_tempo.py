"""Families of hands in a tempo of their own: slow counters, quick players, and whoever begins the next act at once."""

from tests.perception.acts import Family, peg_points, take_turns
from tests.perception.model import FIRST_MS, QUIET, Hand, Scene, Span
from tests.perception.ways import Way, touch_along

MAX_TOUCH_MS = 900
"""The longest touch of a slow counter, in milliseconds."""
BOLD = 0.03
"""So often does a hand that is not known for it begin with a touch longer than the quiet time."""
SURELY_MS = 20
"""A hand is known by a first touch that is so much longer than the quiet time, after which it has counted on."""
MIN_REST_MS = 200
"""Of two acts of one side the first has rested so long when the second begins, at least, in milliseconds."""
PLAYED = ("2D", "KS", "9H", "7C", "4S")
"""A starter and a series of cards that score nothing."""
SCORED = (("KS", 0), ("5H", 2), ("5C", 2), ("5D", 6), ("6S", 2))
"""A series of cards, and what each scores in the play."""


def count_slowly_on(scene: Scene) -> None:
    """One or two players count with long touches, each in a tempo of its own, claim after claim."""
    tempo = {seat: scene.rng.randint(300, 760) for seat in scene.rng.sample(scene.seats, scene.rng.randint(1, 2))}
    known = set[int]()
    for hand in take_turns(scene, scene.rng.randint(2, 4), (1300, 2500), seats=tempo):
        if points := hand.pick_points():
            peg_points(hand, points, way=_count_into(tempo[hand.seat], known))


def peg_quickly(scene: Scene) -> None:
    """A hand pegs twice or more in a row: it lifts the other peg as soon as the first has rested for a moment."""
    for hand in take_turns(scene, scene.rng.randint(1, 2), (QUIET + 500, 2500)):
        for _ in range(scene.rng.randint(2, 4)):
            if points := hand.pick_points(1, 15):
                peg_points(hand, points, way=touch_along if hand.is_chance(0.2) else None, air=(120, 600))
                hand.wait(*_next_after(hand, MIN_REST_MS, MIN_REST_MS + 200))


def keep_tempo(scene: Scene) -> None:
    """All players peg at once, each in a tempo of its own; on one lane a quick one alone."""
    if scene.ground.shared:
        return peg_quickly(scene)
    for seat in scene.seats:
        hand = scene.add_hand(seat, FIRST_MS + scene.rng.randint(0, 2500))
        tempo, known = hand.rng.choice((None, hand.rng.randint(150, 760))), set[int]()
        for _ in range(hand.rng.randint(1, 3)):
            if points := hand.pick_points():
                _peg_and_continue(hand, points, _count_into(tempo, known) if tempo else None)
    return None


def begin_next_act(scene: Scene) -> None:
    """The next act begins before the last claim was believed: the side's other peg is lifted, or a button pressed."""
    for hand in take_turns(scene, scene.rng.randint(1, 2), (QUIET + 500, 2000)):
        for _ in range(scene.rng.randint(1, 3)):
            if points := hand.pick_points():
                _peg_and_continue(hand, points, hand.rng.choice((None, touch_along)))
                if hand.is_chance(0.35):
                    scene.press_button(hand.ms)
                    hand.wait(QUIET, 900)


def scan_next_card(scene: Scene) -> None:
    """What is due is pegged, and the next card is put to the reader before that was believed."""
    for hand, card in zip(take_turns(scene, scene.rng.randint(1, 3), (QUIET, 1500)), PLAYED, strict=False):
        if points := hand.pick_points(1, 40):
            scene.make_move(hand.ms, type="adjust", seat=hand.seat, points=points)
            _peg_and_continue(hand.wait(300, 1500), points, hand.rng.choice((None, touch_along)))
        scene.scan_card(hand.ms, card)


def count_by_hand(scene: Scene) -> None:
    """Players count the play by pegging it, each card put to the reader before the last claim was believed."""
    scene.options["counting"] = "manual"
    scene.scan_card(200, "2D")
    hand = scene.add_hand(0, 1000)
    for number, (card, points) in enumerate(SCORED):
        hand = scene.add_hand((number + 1) % len(scene.places), hand.ms)
        scene.scan_card(hand.ms, card)
        if points and not scene.free_holes([hand.hole_ahead(points)]):
            return
        hand.wait(100, 1500)
        if points:
            _peg_and_continue(hand, points, hand.rng.choice((None, touch_along)))


def _peg_and_continue(hand: Hand, points: int, way: Way | None = None) -> None:
    """Peg this way, and be ready for the next act a moment after."""
    peg_points(hand, points, way=way)
    hand.wait(*((550, 850) if hand.scene.meant[-1].touched else _next_after(hand, MIN_REST_MS, 550)))


def _next_after(hand: Hand, low: int, high: int) -> Span:
    """A pause that is so long as the sensors see it, too."""
    return low + hand.scene.lag + 10, high


def _count_into(tempo: int, known: set[int]) -> Way:
    """Some holes on the way, each touched about so long. Until a hand is `known` to begin slowly it begins less so."""

    def way(hand: Hand, points: int) -> None:
        bold = hand.seat in known or hand.is_chance(BOLD)
        holes = hand.holes_between(points)
        some = sorted(hand.rng.sample(range(len(holes)), min(len(holes), hand.rng.randint(1, 4))))
        for number, index in enumerate(some):
            longest = MAX_TOUCH_MS if bold or number > 1 else (QUIET - 60 - hand.scene.lag, QUIET + 340)[number]
            hand.touch(holes[index], (min(tempo * 4 // 5, longest - 100), min(tempo * 6 // 5, longest)))
            if number == 0 and len(some) > 1 and hand.touched > QUIET + SURELY_MS:
                known.add(hand.seat)

    return way


TEMPO: dict[str, Family] = {
    "slow counter": count_slowly_on, "quick": peg_quickly, "own tempo": keep_tempo, "next act": begin_next_act,
}  # fmt: skip
"""Families of tempo in pegs-only."""
TEMPO_DUES: dict[str, Family] = {"next card": scan_next_card, "counted by hand": count_by_hand}
"""Families of tempo in a card game."""
