"""A score that nobody pegs: the way to it is lit. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.board.shape.layout import Route
from companion.errors import BoardError
from companion.rules.engine import History
from companion.settings import Settings
from companion.table.course import Counted, Course, Heard, Shown
from companion.table.plan import Plan, check_way


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
