"""Decides from a story whether the holes alone show what several hands did on a shared lane."""

from collections.abc import Collection, Iterator
from itertools import combinations, permutations

from tests.perception.model import IMPOSSIBLE_POINTS, MAX_POINTS, Scene
from tests.perception.sensors import Reports

SENSOR_LAG_MS = 200
"""Maximum difference of two sensors: a hole may hold a peg whose old hole emptied this much later."""


def is_decidable(scene: Scene, reports: Reports) -> bool:
    """Return whether there is exactly one way to assign the new holes to the missing pegs.

    The ways are enumerated from the reported levels, without the reader: each seat's pair must be a claim or
    unchanged, and no hole may be assigned to a peg that left its old hole too late.
    """
    homes = [set(place.pegs) for place in scene.begin]
    last = {edge.hole: edge.on for edge in sorted(scene.edges)}
    taken = {h for home in homes for h in home if last.get(h, True)} | {h for h, on in last.items() if on}
    pegs = [(seat, h) for seat, home in enumerate(homes) for h in home if h not in taken]
    new = taken - set().union(*homes)
    if len(new) != len(pegs):
        return False
    ways = {
        tuple(map(frozenset, pairs))
        for pairs in _iter_pairs(reports, homes, pegs, new)
        if all(_is_claim(scene, seat, pair) for seat, pair in enumerate(pairs))
    }
    return len(ways) == 1


def has_exchangeable_claims(scene: Scene, holes: Collection[int]) -> bool:
    """Return whether two players put pegs into two of these holes that each could have claimed in the other's place."""
    fronts, claims = [place.front_points for place in scene.begin], list[tuple[int, int, int]]()
    for truth in scene.intents:
        if truth.seat is not None and truth.kind in ("pegged", "undone"):
            if truth.to in holes:
                claims.append((truth.seat, fronts[truth.seat], truth.to))
            fronts[truth.seat] += truth.points if truth.kind == "pegged" else -truth.points
    return any(
        one != other and _is_hand_score(scene, one, front, there) and _is_hand_score(scene, other, ahead, here)
        for (one, front, here), (other, ahead, there) in combinations(claims, 2)
    )


def _is_hand_score(scene: Scene, seat: int, front_points: int, hole: int) -> bool:
    """Return whether a hand can score the points from this score of the seat to the hole."""
    ahead = [points - front_points for points in scene.ground.points(seat, hole)]
    return any(1 <= points <= MAX_POINTS and points not in IMPOSSIBLE_POINTS for points in ahead)


def _iter_pairs(
    reports: Reports, homes: list[set[int]], pegs: list[tuple[int, int]], new: set[int]
) -> Iterator[list[set[int]]]:
    """Yield each seat's pair of holes for all ways to put the missing pegs, (seat, old hole), into the new holes."""
    emptied, filled = reports.emptied_ms(), reports.filled_ms()
    for holes in permutations(new):
        moved = [(seat, old, hole) for (seat, old), hole in zip(pegs, holes, strict=True)]
        if all(emptied[old] <= filled[hole] + SENSOR_LAG_MS for _, old, hole in moved):
            pairs = [set(pair) for pair in homes]
            for seat, old, hole in moved:
                pairs[seat] = pairs[seat] - {old} | {hole}
            yield pairs


def _is_claim(scene: Scene, seat: int, pair: set[int]) -> bool:
    """Return whether the pair is unchanged, a claim of 1 to 29 points, or a step back of the front peg."""
    place = scene.begin[seat]
    new = pair - set(place.pegs)
    if len(new) != 1:
        return not new
    behind = any(place.back_points < points < place.front_points for points in scene.ground.points(seat, *new))
    return _is_hand_score(scene, seat, place.front_points, *new) or (place.back in pair and behind)
