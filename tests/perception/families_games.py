"""Families of whole games: the pegs set up, a game won or given up, and the claims before and after."""

from tests.perception.acts import Family, peg_between, peg_points
from tests.perception.model import IMPOSSIBLE_POINTS, MAX_POINTS, QUIET, Scene
from tests.perception.truth import Meant, Place


def set_up_board(scene: Scene) -> None:
    """The pegs are set up in any order, with a mistake or two, and the first claims made."""
    ms = _move_to_start(scene, 300, [])
    peg_between(scene, ms + QUIET + 100, ms + 3000)


def begin_new_game(scene: Scene) -> None:
    """A seat wins, all pegs go back to the start, and a new game begins; a seat too far from the end makes a claim."""
    hand, target = scene.add_hand(scene.any_seat()), scene.ground.target
    missing = target - hand.place.front_points
    points = hand.pick_points() if missing > MAX_POINTS else missing
    if not points or points in IMPOSSIBLE_POINTS or not scene.free_holes([hand.hole_ahead(points)]):
        return
    peg_points(hand, points)
    if scene.is_won:
        ms = hand.ms + scene.rng.randint(600, 3000)
        if _may_go_home(scene):
            _restart_game(scene, ms)


def abandon_game(scene: Scene) -> None:
    """A claim or two, and then the game is given up: all pegs go back to the start. It may be asked about meanwhile."""
    peg_between(scene, 800, 2500)
    near = any(place.front_points + MAX_POINTS >= scene.ground.target for place in scene.places)
    if scene.meant and not near and _may_go_home(scene):  # near the end the start may be a claim to win
        scene.may_ask = True
        last_ms = max(edge.ms for edge in scene.edges)
        _restart_game(scene, last_ms + scene.rng.randint(600, 3000), slips=0.0)


def _may_go_home(scene: Scene) -> bool:
    """No peg is in a start hole yet."""
    return not set(scene.ground.starts) & set(scene.pegs)


def _restart_game(scene: Scene, ms: int, slips: float = 0.1) -> None:
    """All pegs go back to the start, and the next game's first claims are made."""
    ms = _move_to_start(scene, ms, scene.pegs, slips)
    peg_between(scene, ms + QUIET + 100, ms + 2000)


def _move_to_start(scene: Scene, ms: int, lifted: list[int], slips: float = 0.1) -> int:
    """Hands put every peg in its start hole, the lifted ones first taken up as they go. Gives when it was done."""
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
    scene.meant.append(Meant(hand.act, "started", None))
    return hand.ms


GAMES: dict[str, Family] = {"set up": set_up_board, "new game": begin_new_game, "abandoned": abandon_game}
"""Families of whole games in pegs-only."""
