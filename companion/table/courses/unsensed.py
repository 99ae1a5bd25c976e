"""A plain board, which nobody reads: its pegs stand where the scores say, and nothing is owed. Pure.

What a person sees is what careful hands would have done, move by move (docs/reference/devices.md#no-device).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.boards.board import Lane, Stand, bits_of, lane
from companion.boards.catalog import Route
from companion.common.errors import BoardError, IllegalMove
from companion.common.frozen import replace
from companion.common.snapshot import Mark, Marker, Pegs
from companion.rules.engine import History
from companion.rules.moves import Next
from companion.settings import Settings
from companion.table.courses import markers, pursuit_loops, race
from companion.table.courses.course import Counted, Course, Heard, Shown
from companion.table.setup import Plan, check_way

PLACE_MS = 5000
"""The hole where a peg goes is lit for so long."""


@dataclass(frozen=True, kw_only=True)
class Unseen(Course):
    """The course of a race that nobody watches: where the pegs of the `seats` that race stand, by the scores."""

    plan: Plan
    state: Any
    seats: tuple[int, ...]
    stands: tuple[Stand, ...]

    @property
    def placement(self) -> object:
        """Where the pegs stand."""
        return self.seats, self.stands, self.plan.game.racing(self.state).loops

    def expect(self, past: History[Any], counted: Counted, now_ms: int) -> Heard:  # noqa: ARG002 - as every course
        if past.state is self.state:
            return Heard(self)
        return Heard(_follow(self, past))

    def take_board(self, now_ms: int) -> Heard:  # noqa: ARG002 - as every course
        raise IllegalMove("Nobody reads the pegs of this board: put the score right instead.")

    def runs(self, state: Any, from_ms: int) -> tuple[Mark, ...]:
        """The hole of each new score is lit for a moment."""
        if self.plan.game.racing(state).loops != self.plan.game.racing(self.state).loops:
            return ()
        scored = [seat for seat in self.seats if state.scores[seat] != self.state.scores[seat]]
        holes = [self._lane(seat).hole(_points(self.plan, state, seat)) for seat in scored]
        return tuple(Mark("place", self.plan.board.holes[hole].id, from_ms + PLACE_MS, from_ms) for hole in holes)

    def goal(self, state: Any) -> int | None:
        """The hole of the winner's score."""
        if state.winner not in self.seats:
            return None
        return self._lane(state.winner).hole(_points(self.plan, state, state.winner))

    def pegs(self) -> Shown:
        holes, standing = self.plan.board.holes, zip(self.seats, self.stands, strict=True)
        return Shown(tuple(Pegs(seat, holes[stand.front].id, holes[stand.back].id) for seat, stand in standing))

    def resting(self) -> int:
        return bits_of(hole for stand in self.stands for hole in stand.holes)

    def dump(self) -> dict[str, Any]:
        """As a race keeps it: after a restart sensors may be there. Between two loops no peg is known to stand."""
        racing, number = race.racing(self.plan, self.state), self.plan.game.racing(self.state).loops
        stands = [[s.back, s.front, s.back_points, s.front_points] for s in self.stands]
        kept: dict[str, Any] = {"stands": None if self._is_between_loops() else stands, "past": [[] for _ in racing]}
        return kept | ({"loop": [number, [], []]} if number else {})

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:  # noqa: ARG002 - as every course
        return _follow(replace(self, state=None), past)

    def _is_between_loops(self) -> bool:
        return bool(self.plan.game.racing(self.state).fallen)

    def _lane(self, seat: int) -> Lane:
        return _lanes(self.plan, self.seats)[self.seats.index(seat)]


@dataclass(frozen=True, kw_only=True)
class UnseenMarks(Course):
    """The course of a game whose pegs mark its state, on a board that nobody reads: each is where it belongs."""

    course: markers.Marked

    @property
    def placement(self) -> object:
        """Where all pegs stand."""
        return self.course.resting()

    def expect(self, past: History[Any], counted: Counted, now_ms: int) -> Heard:  # noqa: ARG002 - as every course
        return Heard(self if past.state is self.course.state else self._at(past.state))

    def runs(self, state: Any, from_ms: int) -> tuple[Mark, ...]:
        return self.course.runs(state, from_ms)

    def goal(self, state: Any) -> int | None:
        return self.course.goal(state)

    def pegs(self) -> Shown:
        standing = self.course.resting()
        holes = [hole for hole in self.course.plan.board.holes if standing >> hole.bit & 1]
        return Shown(markers=tuple(Marker(hole.id, hole.seat) for hole in holes))

    def resting(self) -> int:
        return self.course.resting()

    def dump(self) -> dict[str, Any]:
        return {"taken": f"{self.course.resting():x}", "started": True}

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:  # noqa: ARG002 - as every course
        return self._at(past.state)

    def _at(self, state: Any) -> "UnseenMarks":
        return UnseenMarks(course=markers.begin(self.course.plan, self.course.settings, state))


def begin_unsensed(plan: Plan, settings: Settings, state: Any) -> Course:
    """The course of a new game that races. Raises BoardError for a board without a way for everybody."""
    race.begin(plan, settings, state)  # to be refused what a board with sensors is refused
    return _follow(Unseen(plan=plan, state=None, seats=(), stands=()), History(state))


def begin_marks(plan: Plan, settings: Settings, state: Any) -> Course:
    """The course of a new game whose pegs mark its state. Raises BoardError for a board that lacks something."""
    return UnseenMarks(course=markers.begin(plan, settings, state))


def _follow(course: Unseen, past: History[Any]) -> Unseen:
    """The course with its pegs where this history has led them. What is over stays until the next loop begins."""
    plan, state = course.plan, past.state
    racing = plan.game.racing(state)
    on_loop = tuple(sorted((*(racing.alive or ()), *racing.fallen)))
    seats = on_loop if racing.alive is not None else tuple(range(plan.sides))
    return replace(course, state=state, seats=seats, stands=_stands(plan, past, seats))


def _stands(plan: Plan, past: History[Any], seats: Sequence[int]) -> tuple[Stand, ...]:
    """Where the pegs stand. One whose hole is another's stays in its start; who came later has found it taken."""
    lanes = dict(zip(seats, _lanes(plan, seats), strict=True))
    points = {seat: (_back(plan, past, seat), _points(plan, past.state, seat)) for seat in seats}
    came = [(_ago(plan, past, seat, each), seat, each) for seat in seats for each in points[seat]]
    at: dict[tuple[int, int], int] = {}
    for _, seat, each in sorted(came, key=lambda one: -one[0]):
        others = {hole for (other, _), hole in at.items() if other != seat}
        own = {hole for (other, _), hole in at.items() if other == seat}
        hole = lanes[seat].hole(each)
        free = [start for start in lanes[seat].route.start if start not in own]
        at[seat, each] = free[0] if hole in others and free else hole
    return tuple(Stand(at[s, back], at[s, front], back, front) for s, (back, front) in points.items())


def _back(plan: Plan, past: History[Any], seat: int) -> int:
    """The points at which a seat's back peg stands; −1 is the farther start hole.

    That is the last score below the present one; in a game with back pegs of its own (pursuit) what its rules say.
    """
    points = _points(plan, past.state, seat)
    if points == 0:
        return -1
    if plan.game.lap:
        return int(min(past.state.back[seat], points - 1))
    now = past
    while now.before is not None and not _begins_anew(now):
        now = now.before
        if (earlier := _points(plan, now.state, seat)) < points:
            return earlier
    return 0


def _ago(plan: Plan, past: History[Any], seat: int, points: int) -> int:
    """How many moves ago a peg of this seat came to these points; for those of the start, long ago."""
    if points <= 0 or len({hole for way in plan.routes for hole in way.way}) == sum(len(w.way) for w in plan.routes):
        return _LONG_AGO  # nobody meets on lanes of one's own
    ago, now, reached = 0, past, False
    while now.before is not None and not _begins_anew(now):
        score = _points(plan, now.state, seat)
        if reached and score != points:
            break
        reached = score == points
        ago, now = ago + 1, now.before
    return ago


_LONG_AGO = 10**9


def _begins_anew(now: History[Any]) -> bool:
    """Whether a game or a loop began with this move: what was scored before it is no matter of these pegs."""
    assert now.before is not None
    return isinstance(now.move, Next) and now.before.state.phase == "over"


def _points(plan: Plan, state: Any, seat: int) -> int:
    return int(min(state.scores[seat], plan.target))


def _lanes(plan: Plan, seats: Sequence[int]) -> tuple[Lane, ...]:
    return tuple(lane(route, plan.target) for route in pursuit_loops.ways(plan, tuple(seats)))


@dataclass(frozen=True, kw_only=True)
class Lit(Course):
    """A course without pegs: what stands on the board means nothing."""

    plan: Plan
    way: Route
    score: int

    def expect(self, past: History[Any], counted: Counted, now_ms: int) -> Heard:  # noqa: ARG002 - as every course
        score = min(past.state.scores[0], self.plan.target)
        return Heard(self if score == self.score else replace(self, score=score))

    def goal(self, state: Any) -> int:  # noqa: ARG002 - as every course
        """The end of the way."""
        return self.way.hole(self.plan.target, self.plan.target)

    def pegs(self) -> Shown:
        """The holes as far as the score goes."""
        holes, target = self.plan.board.holes, self.plan.target
        return Shown(lit=tuple(holes[self.way.hole(points, target)].id for points in range(1, self.score + 1)))

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:  # noqa: ARG002
        return self


def begin_lit_score(plan: Plan, settings: Settings, state: Any) -> Course:  # noqa: ARG001 - as every course
    """The course of a new game. Raises BoardError for a board without a way that is long enough."""
    if not plan.board.routes:
        raise BoardError(
            "The board {board_name} has no way to {target} on which to light the score.",
            board_name=plan.board_name,
            target=plan.target,
        )
    way = min(plan.board.routes.items())[1][0]
    check_way(plan, way)
    return Lit(plan=plan, way=way, score=min(state.scores[0], plan.target))
