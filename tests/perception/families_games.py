"""Families of whole games: setting up pegs, winning and abandoning a game, and the claims before and after."""

from tests.perception.acts import Family, peg_between, peg_points
from tests.perception.model import DIRECT_DELAY_MS, IMPOSSIBLE_POINTS, MAX_POINTS, Scene
from tests.perception.truth import Intent, Place


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
