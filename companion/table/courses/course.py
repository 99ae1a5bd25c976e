"""The interface between the table and the pegs on its board: a course. Pure values; time is an argument.

`race`, `markers` and `unsensed` implement it. The table knows nothing else about pegs.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from companion.common.errors import IllegalMove
from companion.common.snapshot import Advice, Due, LightEffect, MarkerPosition, PegPair, PegQuestion
from companion.pegs.events import PegEvent
from companion.rules.engine import Award, History
from companion.rules.moves import Move, TakeBoard

RecentAwards = Sequence[Sequence[Award]]
"""What the last moves earned, newest last."""


class CourseResult(NamedTuple):
    """The new course, the peg events, and the holes in which a peg was just placed correctly."""

    course: "Course"
    events: tuple[PegEvent, ...] = ()
    correct_holes: tuple[int, ...] = ()


class SnapshotPegs(NamedTuple):
    """The fields of a snapshot about pegs, by the names that `Snapshot` uses. Fields that do not apply stay empty."""

    pegs: tuple[PegPair, ...] = ()
    dues: tuple[Due, ...] = ()
    question: PegQuestion | None = None
    markers: tuple[MarkerPosition, ...] | None = None
    quarantined: tuple[str, ...] = ()
    lit_holes: tuple[str, ...] = ()
    green_holes: tuple[str, ...] = ()


class Course(Protocol):
    """What is known about the pegs of a game, an immutable value. The default of a method is to do nothing.

    A hole is a number, a set of holes an integer of bits. Times are whole milliseconds. `state` is the game's state.
    """

    @property
    def placement(self) -> object:
        """The known positions of the pegs, None before they are known. While it stays equal, so does `dump()`."""
        return None

    def on_levels(self, bits: int, now_ms: int) -> CourseResult:  # noqa: ARG002
        """Apply a sensor report: the level of every hole as a bit."""
        return CourseResult(self)

    def on_tick(self, now_ms: int) -> CourseResult:  # noqa: ARG002
        """Draw all conclusions that are due by now."""
        return CourseResult(self)

    def next_deadline_ms(self) -> int | None:
        """Return when `on_tick` will next draw a conclusion; None for never."""
        return None

    def on_sensors_back(self, now_ms: int) -> "Course":  # noqa: ARG002
        return self

    def expect_state(self, past: History[Any], recent_awards: RecentAwards, now_ms: int) -> CourseResult:
        """Compare the pegs with the game's state after a move. The result has this same course if nothing changed."""
        ...

    def adopt_pegs(self, state: Any, now_ms: int) -> CourseResult:  # noqa: ARG002
        """Accept the pegs of an open question as they stand, because a player has answered it by a move."""
        return CourseResult(self)

    def on_input(self, now_ms: int) -> CourseResult:  # noqa: ARG002
        """Accept pegs that have rested for the quiet time at once, because a card or button follows."""
        return CourseResult(self)

    def take_board(self, now_ms: int) -> CourseResult:  # noqa: ARG002
        """Accept all pegs as they stand. Raises IllegalMove if that would change nothing."""
        raise IllegalMove("In this game, the pegs do not change the score.")

    def derive_moves(
        self,
        event: PegEvent | TakeBoard,  # noqa: ARG002
        past: History[Any],  # noqa: ARG002
        later: Sequence[PegEvent] = (),  # noqa: ARG002
    ) -> tuple[Move, ...]:
        """Return the moves that an event, or an accepted board, implies. The rules may still refuse them.

        `later` are the following events of the same moment.
        """
        return ()

    def light_runs(self, state: Any, from_ms: int) -> tuple[LightEffect, ...]:  # noqa: ARG002
        """Return running lights that show the move which led to `state`, starting at `from_ms`."""
        return ()

    def winning_hole(self, state: Any) -> int | None:  # noqa: ARG002
        """Return the hole that celebrates a won game; None if the winner's peg is not known."""
        return None

    def advice(self) -> tuple[Advice, ...]:
        """Return what players should do with the pegs."""
        return ()

    def describe_pegs(self) -> SnapshotPegs:
        return SnapshotPegs()

    def resting_holes(self) -> int:
        """Return the last known holes of the pegs as bits; before they are known, those at the start of the game."""
        return 0

    def dump(self) -> dict[str, Any]:
        """Return the peg positions that a restart needs, ready for JSON."""
        return {}

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> "Course":
        """Return the course of the game `past` with the pegs that `dump` saved; None if nothing was saved.

        `saved` may come from an untrusted recording. Raises BadMove if it is invalid.
        """
        ...
