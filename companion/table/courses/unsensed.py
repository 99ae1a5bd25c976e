"""Courses without sensors: pegs are taken to stand at the scores, without dues. Pure.

A snapshot shows the pegs as careful players would have moved them (docs/reference/devices.md#no-device).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.boards.board import Lane, Placement, Route, bits_of, build_lane
from companion.common.errors import BoardError, IllegalMove
from companion.common.snapshot import LightEffect, MarkerPosition, PegPair
from companion.common.values import replace
from companion.rules.engine import History
from companion.rules.moves import Next
from companion.settings import Settings
from companion.table.courses import markers, pursuit_loops, race
from companion.table.courses.course import Course, CourseResult, RecentAwards, SnapshotPegs
from companion.table.setup import TablePlan, check_route_length

PLACE_LIT_MS = 5000
"""How long the hole of a new score is lit."""


@dataclass(frozen=True, kw_only=True)
class UnsensedRaceCourse(Course):
    """The course of a race on a plain board: the pegs of the racing `seats` are taken to stand at the scores."""

    plan: TablePlan
    state: Any
    seats: tuple[int, ...]
    placements: tuple[Placement, ...]

    @property
    def placement(self) -> object:
        return self.seats, self.placements, self.plan.game.race_status(self.state).loops

    def expect_state(self, past: History[Any], recent_awards: RecentAwards, now_ms: int) -> CourseResult:  # noqa: ARG002 - as every course
        if past.state is self.state:
            return CourseResult(self)
        return CourseResult(_follow_scores(self, past))

    def take_board(self, now_ms: int) -> CourseResult:  # noqa: ARG002 - as every course
        raise IllegalMove("This board has no sensors. Correct the score instead.")

    def light_runs(self, state: Any, from_ms: int) -> tuple[LightEffect, ...]:
        """Return a light for the hole of each new score."""
        if self.plan.game.race_status(state).loops != self.plan.game.race_status(self.state).loops:
            return ()
        scored = [seat for seat in self.seats if state.scores[seat] != self.state.scores[seat]]
        holes = [self._lane_of_seat(seat).hole_at(_peg_points(self.plan, state, seat)) for seat in scored]
        return tuple(
            LightEffect("place", self.plan.board.holes[hole].id, from_ms + PLACE_LIT_MS, from_ms) for hole in holes
        )

    def winning_hole(self, state: Any) -> int | None:
        """Return the hole of the winner's score."""
        if state.winner not in self.seats:
            return None
        return self._lane_of_seat(state.winner).hole_at(_peg_points(self.plan, state, state.winner))

    def describe_pegs(self) -> SnapshotPegs:
        holes, standing = self.plan.board.holes, zip(self.seats, self.placements, strict=True)
        return SnapshotPegs(
            tuple(PegPair(seat, holes[placement.front].id, holes[placement.back].id) for seat, placement in standing)
        )

    def resting_holes(self) -> int:
        return bits_of(hole for placement in self.placements for hole in placement.holes)

    def dump(self) -> dict[str, Any]:
        """Return a dump of a race with sensors, since a restart may have them. Between two loops no peg is known."""
        seats, number = race.racing_seats(self.plan, self.state), self.plan.game.race_status(self.state).loops
        placements = [[s.back, s.front, s.back_points, s.front_points] for s in self.placements]
        dump: dict[str, Any] = {"stands": None if self._is_between_loops() else placements, "past": [[] for _ in seats]}
        return dump | ({"loop": [number, [], []]} if number else {})

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:  # noqa: ARG002 - as every course
        return _follow_scores(replace(self, state=None), past)

    def _is_between_loops(self) -> bool:
        return bool(self.plan.game.race_status(self.state).knocked_out)

    def _lane_of_seat(self, seat: int) -> Lane:
        return _build_lanes(self.plan, self.seats)[self.seats.index(seat)]


@dataclass(frozen=True, kw_only=True)
class UnsensedMarkerCourse(Course):
    """The course of a game with marker pegs on a plain board: each peg is taken to be where it belongs."""

    inner: markers.MarkerCourse

    @property
    def placement(self) -> object:
        """The holes of all pegs, as bits."""
        return self.inner.resting_holes()

    def expect_state(self, past: History[Any], recent_awards: RecentAwards, now_ms: int) -> CourseResult:  # noqa: ARG002 - as every course
        return CourseResult(self if past.state is self.inner.state else self._course_at(past.state))

    def light_runs(self, state: Any, from_ms: int) -> tuple[LightEffect, ...]:
        return self.inner.light_runs(state, from_ms)

    def winning_hole(self, state: Any) -> int | None:
        return self.inner.winning_hole(state)

    def describe_pegs(self) -> SnapshotPegs:
        standing = self.inner.resting_holes()
        holes = [hole for hole in self.inner.plan.board.holes if standing >> hole.bit & 1]
        return SnapshotPegs(markers=tuple(MarkerPosition(hole.id, hole.seat) for hole in holes))

    def resting_holes(self) -> int:
        return self.inner.resting_holes()

    def dump(self) -> dict[str, Any]:
        return {"taken": f"{self.inner.resting_holes():x}", "started": True}

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:  # noqa: ARG002 - as every course
        return self._course_at(past.state)

    def _course_at(self, state: Any) -> "UnsensedMarkerCourse":
        return UnsensedMarkerCourse(inner=markers.create_marker_course(self.inner.plan, self.inner.settings, state))


def create_unsensed_race(plan: TablePlan, settings: Settings, state: Any) -> Course:
    """Create the course of a new race. Raises BoardError if the board lacks a route for a side."""
    race.create_race_course(plan, settings, state)  # raises the same errors as with sensors
    return _follow_scores(UnsensedRaceCourse(plan=plan, state=None, seats=(), placements=()), History(state))


def create_unsensed_markers(plan: TablePlan, settings: Settings, state: Any) -> Course:
    """Create the course of a new game with marker pegs. Raises BoardError if the board lacks a track."""
    return UnsensedMarkerCourse(inner=markers.create_marker_course(plan, settings, state))


def _follow_scores(course: UnsensedRaceCourse, past: History[Any]) -> UnsensedRaceCourse:
    """Return the course with its pegs at the scores of this history. An ended loop stays until the next begins."""
    plan, state = course.plan, past.state
    status = plan.game.race_status(state)
    on_loop = tuple(sorted((*(status.alive or ()), *status.knocked_out)))
    seats = on_loop if status.alive is not None else tuple(range(plan.sides))
    return replace(course, state=state, seats=seats, placements=_compute_placements(plan, past, seats))


def _compute_placements(plan: TablePlan, past: History[Any], seats: Sequence[int]) -> tuple[Placement, ...]:
    """Return where the pegs stand. A peg whose hole was occupied when it came waits in a start hole."""
    lanes = dict(zip(seats, _build_lanes(plan, seats), strict=True))
    points = {seat: (_back_peg_points(plan, past, seat), _peg_points(plan, past.state, seat)) for seat in seats}
    came = [(_count_moves_since(plan, past, seat, each), seat, each) for seat in seats for each in points[seat]]
    at: dict[tuple[int, int], int] = {}
    for _, seat, each in sorted(came, key=lambda one: -one[0]):
        others = {hole for (other, _), hole in at.items() if other != seat}
        own = {hole for (other, _), hole in at.items() if other == seat}
        hole = lanes[seat].hole_at(each)
        free = [start for start in lanes[seat].route.start if start not in own]
        at[seat, each] = free[0] if hole in others and free else hole
    return tuple(Placement(at[s, back], at[s, front], back, front) for s, (back, front) in points.items())


def _back_peg_points(plan: TablePlan, past: History[Any], seat: int) -> int:
    """Return the points of a seat's back peg; −1 is the farther start hole.

    That is the last score below the present one; pursuit's rules define the back peg themselves.
    """
    points = _peg_points(plan, past.state, seat)
    if points == 0:
        return -1
    if plan.game.holes_per_player:
        return int(min(past.state.back[seat], points - 1))
    now = past
    while now.parent is not None and not _is_first_move(now):
        now = now.parent
        if (earlier := _peg_points(plan, now.state, seat)) < points:
            return earlier
    return 0


def _count_moves_since(plan: TablePlan, past: History[Any], seat: int, points: int) -> int:
    """Return how many moves ago a peg of this seat came to these points, `_MOVES_SINCE_START` for the start."""
    holes = [hole for route in plan.routes for hole in route.way]
    if points <= 0 or len(set(holes)) == len(holes):  # at the start, or no hole is shared
        return _MOVES_SINCE_START
    ago, now, reached = 0, past, False
    while now.parent is not None and not _is_first_move(now):
        score = _peg_points(plan, now.state, seat)
        if reached and score != points:
            break
        reached = score == points
        ago, now = ago + 1, now.parent
    return ago


_MOVES_SINCE_START = 10**9


def _is_first_move(now: History[Any]) -> bool:
    """Return whether this move began a game or a loop, so that earlier scores do not concern these pegs."""
    assert now.parent is not None
    return isinstance(now.move, Next) and now.parent.state.phase == "over"


def _peg_points(plan: TablePlan, state: Any, seat: int) -> int:
    return int(min(state.scores[seat], plan.target))


def _build_lanes(plan: TablePlan, seats: Sequence[int]) -> tuple[Lane, ...]:
    return tuple(build_lane(route, plan.target) for route in pursuit_loops.routes_for_seats(plan, tuple(seats)))


@dataclass(frozen=True, kw_only=True)
class LitScoreCourse(Course):
    """A course without pegs, which shows the score by lights. Pegs on the board are ignored."""

    plan: TablePlan
    route: Route
    score: int

    def expect_state(self, past: History[Any], recent_awards: RecentAwards, now_ms: int) -> CourseResult:  # noqa: ARG002 - as every course
        score = min(past.state.scores[0], self.plan.target)
        return CourseResult(self if score == self.score else replace(self, score=score))

    def winning_hole(self, state: Any) -> int:  # noqa: ARG002 - as every course
        """Return the last hole of the route."""
        return self.route.hole_at(self.plan.target, self.plan.target)

    def describe_pegs(self) -> SnapshotPegs:
        """Return the lit holes, up to the score."""
        holes, target = self.plan.board.holes, self.plan.target
        return SnapshotPegs(
            lit_holes=tuple(holes[self.route.hole_at(points, target)].id for points in range(1, self.score + 1))
        )

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:  # noqa: ARG002
        return self


def create_lit_score(plan: TablePlan, settings: Settings, state: Any) -> Course:  # noqa: ARG001 - as every course
    """Create the course of a new game. Raises BoardError if the board has no route that is long enough."""
    if not plan.board.routes:
        raise BoardError(
            "The board {board_name} has no route on which to light a score of {target}.",
            board_name=plan.board_name,
            target=plan.target,
        )
    route = min(plan.board.routes.items())[1][0]
    check_route_length(plan, route)
    return LitScoreCourse(plan=plan, route=route, score=min(state.scores[0], plan.target))
