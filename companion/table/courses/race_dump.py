"""Validate the peg positions with which a recording of a race begins; recordings are untrusted. Pure."""

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from companion.boards.board import Lane, Route, build_lane
from companion.common.errors import BadMove
from companion.rules.engine import History
from companion.table.setup import TablePlan

MAX_NUMBER = 100_000
"""Upper limit for points and loop numbers."""


def validate_dump(saved: Any, holes: int) -> None:
    """Raise BadMove if `saved` is not a valid `RaceCourse.dump` for a board with this number of holes."""
    try:
        found, numbers = _collect_numbers(saved)
    except (LookupError, TypeError, ValueError, AttributeError):
        found, numbers = [-1], []
    if not (_are_integers_in_range(found, 0, holes - 1) and _are_integers_in_range(numbers, -1, MAX_NUMBER)):
        raise BadMove("The known pegs of the recording are invalid.")


def _collect_numbers(saved: Any) -> tuple[list[Any], list[Any]]:
    """Return all holes in the dump, and all its other numbers.

    Raises LookupError, TypeError, ValueError or AttributeError if the dump has another shape.
    """
    number, left, ended = saved.get("loop", (0, (), ()))
    found, numbers = [hole for _, hole in left], [number, *(seat for seat, _ in left)]
    for ended_number, seats, dump in (*ended, (0, range(len(saved["past"])), saved)):
        placements, past = dump["stands"], dump["past"]
        if len(past) != len(seats) or (placements is not None and len(placements) != len(seats)):
            raise ValueError
        numbers += [ended_number, *seats]
        found += [hole for hole, _ in dump.get("doubted", ())]
        for back, front, back_points, front_points in chain(placements or (), *past):
            found += [back, front]
            numbers += [back_points, front_points]
    return found, numbers


def _are_integers_in_range(numbers: Collection[object], low: int, high: int) -> bool:
    return all(type(number) is int and low <= number <= high for number in numbers)


def dump_from_holes(
    plan: TablePlan, pairs: Any, routes: Sequence[Route], scores: Sequence[int], past: History[Any]
) -> dict[str, Any]:
    """Return the `RaceCourse.dump` of pegs that stand in these pairs of holes, back and front. Raises BadMove.

    `pairs` has one pair per side, null allowed for a side that is out. `routes` and `scores` are those of the racing
    seats. Where the pegs are the score, earlier placements are derived from the claims.
    """
    holes = len(plan.board.holes)
    listed = [pair for pair in pairs if pair is not None] if isinstance(pairs, list) else []
    racing: list[Any] = [pairs[route.seat] for route in routes] if listed and len(pairs) == plan.sides else [None]
    if not all(
        isinstance(pair, list) and len(pair) == 2 and _are_integers_in_range(pair, 0, holes - 1)
        for pair in racing + listed
    ):
        raise BadMove("The pegs of a table must be a pair of hole bits, back and front, for each side.")
    taken = {hole for pair in racing for hole in pair}
    placements = [
        _compute_placement(build_lane(route, plan.target), pair, score, taken - set(pair))
        for route, pair, score in zip(routes, racing, scores, strict=True)
    ]
    has_claims = plan.game.peg_role == "score"
    return {
        "stands": placements,
        "past": [
            _earlier_placements(plan, route, placements[route.seat], past) if has_claims else [] for route in routes
        ],
    }


def _compute_placement(lane: Lane, pair: Sequence[int], score: int, others: Collection[int]) -> list[int]:
    """Return two holes and the points they stand for; on a loop, those of the lap nearest to the score.

    A front peg in its start hole counts as waiting there with the score if the score's hole is occupied.
    """
    back, front = pair
    last = score + len(lane.route.way) if lane.route.loop else lane.target
    ahead, behind = (lane.points_at(hole, -1, last) for hole in (front, back))
    if not ahead or not behind:
        raise BadMove("A peg of the recording stands in a hole that is not on its side's route.")
    front_points = min(ahead, key=lambda points: abs(points - score))
    if front in lane.route.start and score > 0 and lane.hole_at(score) in others:
        front_points = score
    return [back, front, max([points for points in behind if points < front_points] or behind), front_points]


def _earlier_placements(plan: TablePlan, route: Route, placement: Sequence[int], past: History[Any]) -> list[list[int]]:
    """Return the earlier placements of a side, oldest first, assuming that each claim moved the back peg.

    Empty if its score ever decreased, or if its claims do not lead to the present placement.
    """
    scores: list[int] = []
    now: History[Any] | None = past
    while now is not None:
        if now.state.scores[route.seat] not in scores[-1:]:
            scores.append(now.state.scores[route.seat])
        now = now.parent
    fronts = scores[::-1]
    places = list(zip([-1, *fronts], fronts, strict=False))
    if fronts != sorted(fronts) or places[-1] != tuple(placement[2:]):
        return []
    return [
        [route.hole_at(back, plan.target), route.hole_at(front, plan.target), back, front]
        for back, front in places[:-1]
    ]
