"""What a recording says of a race's pegs when it begins mid-game: checked, for anybody may have written it. Pure."""

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from companion.boards.board import Lane, lane
from companion.boards.catalog import Route
from companion.common.errors import BadMove
from companion.rules.engine import History
from companion.table.setup import Plan

MOST = 100_000
"""Nobody ever has more points, or runs more loops."""


def check(saved: Any, holes: int) -> None:
    """Raise BadMove for what `Race.dump` never kept of a board with so many holes."""
    try:
        found, numbers = _all_of(saved)
    except (LookupError, TypeError, ValueError, AttributeError):
        found, numbers = [-1], []
    if not (_are_whole(found, 0, holes - 1) and _are_whole(numbers, -1, MOST)):
        raise BadMove("What is known of the pegs is not as a recording has it.")


def _all_of(saved: Any) -> tuple[list[Any], list[Any]]:
    """All the holes in what was kept, and all its other numbers. Raises what Python raises for another shape."""
    number, left, ended = saved.get("loop", (0, (), ()))
    found, numbers = [hole for _, hole in left], [number, *(seat for seat, _ in left)]
    for ended_number, seats, kept in (*ended, (0, range(len(saved["past"])), saved)):
        stands, past = kept["stands"], kept["past"]
        if len(past) != len(seats) or (stands is not None and len(stands) != len(seats)):
            raise ValueError
        numbers += [ended_number, *seats]
        found += [hole for hole, _ in kept.get("doubted", ())]
        for back, front, back_points, front_points in chain(stands or (), *past):
            found += [back, front]
            numbers += [back_points, front_points]
    return found, numbers


def _are_whole(numbers: Collection[object], low: int, high: int) -> bool:
    return all(type(number) is int and low <= number <= high for number in numbers)


def placed(plan: Plan, pairs: Any, ways: Sequence[Route], scores: Sequence[int], past: History[Any]) -> dict[str, Any]:
    """As `Race.dump`: the pegs of those who race stand in these pairs of holes, back and front. Raises BadMove.

    `pairs` has one for each side; who is out may have null. `ways` and `scores` are of those who race. In a game in
    which the pegs are the score its claims tell where they stood before.
    """
    holes = len(plan.board.holes)
    listed = [pair for pair in pairs if pair is not None] if isinstance(pairs, list) else []
    racing: list[Any] = [pairs[way.seat] for way in ways] if listed and len(pairs) == plan.sides else [None]
    if not all(
        isinstance(pair, list) and len(pair) == 2 and _are_whole(pair, 0, holes - 1) for pair in racing + listed
    ):
        raise BadMove("The pegs of a table are a pair of hole bits, back and front, for each side.")
    taken = {hole for pair in racing for hole in pair}
    stands = [
        _placement(lane(way, plan.target), pair, score, taken - set(pair))
        for way, pair, score in zip(ways, racing, scores, strict=True)
    ]
    claimed = plan.game.pegs == "score"
    return {"stands": stands, "past": [_earlier(plan, way, stands[way.seat], past) if claimed else [] for way in ways]}


def _placement(of: Lane, pair: Sequence[int], score: int, others: Collection[int]) -> list[int]:
    """Two holes with the points they stand for: on a loop those of the lap nearest to the score.

    A front peg in its start hole waits there with the score, if the score's own hole is another's.
    """
    back, front = pair
    last = score + len(of.route.way) if of.route.loop else of.target
    ahead, behind = (of.points(hole, -1, last) for hole in (front, back))
    if not ahead or not behind:
        raise BadMove("A peg of the recording stands in a hole that is not on its side's way.")
    front_points = min(ahead, key=lambda points: abs(points - score))
    if front in of.route.start and score > 0 and of.hole(score) in others:
        front_points = score
    return [back, front, max([points for points in behind if points < front_points] or behind), front_points]


def _earlier(plan: Plan, way: Route, stand: Sequence[int], past: History[Any]) -> list[list[int]]:
    """The earlier placements of a side, oldest first, where each of its claims lifted the back peg.

    None where its score has been anything but claimed, or its pegs would stand elsewhere by its claims.
    """
    scores: list[int] = []
    now: History[Any] | None = past
    while now is not None:
        if now.state.scores[way.seat] not in scores[-1:]:
            scores.append(now.state.scores[way.seat])
        now = now.before
    fronts = scores[::-1]
    places = list(zip([-1, *fronts], fronts, strict=False))
    if fronts != sorted(fronts) or places[-1] != tuple(stand[2:]):
        return []
    return [[way.hole(back, plan.target), way.hole(front, plan.target), back, front] for back, front in places[:-1]]
