"""What the table asks of the pegs on its board, whatever they are: a course. Pure values; time is an argument.

`race`, `markers` and `lit` are the three courses there are. The table knows no more of pegs than is said here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from companion.common.errors import IllegalMove
from companion.common.snapshot import Advice, Due, Mark, Marker, Pegs, Question
from companion.pegs.events import Event
from companion.rules.engine import Award, History
from companion.rules.moves import Move, TakeBoard

Counted = Sequence[Sequence[Award]]
"""What the last moves earned, newest last."""


class Heard(NamedTuple):
    """The course after something has happened, what was concluded, and the holes in which a peg is right since then."""

    course: "Course"
    events: tuple[Event, ...] = ()
    right: tuple[int, ...] = ()


class Shown(NamedTuple):
    """What a snapshot says of the pegs, by its own names. What does not apply to a course stays empty."""

    pegs: tuple[Pegs, ...] = ()
    dues: tuple[Due, ...] = ()
    question: Question | None = None
    markers: tuple[Marker, ...] | None = None
    quarantined: tuple[str, ...] = ()
    lit: tuple[str, ...] = ()
    green: tuple[str, ...] = ()


class Course(Protocol):
    """The pegs of a game, as far as they are known: an immutable value. Where a method says nothing, nothing happens.

    Holes are numbers, sets of holes are bits. Times are whole milliseconds. `state` is the state of the game.
    """

    @property
    def placement(self) -> object:
        """Where the pegs are known to stand: as long as this is equal, so is `dump`. None before it is known."""
        return None

    def see(self, bits: int, now_ms: int) -> Heard:  # noqa: ARG002
        """The sensors report the level of every hole."""
        return Heard(self)

    def tick(self, now_ms: int) -> Heard:  # noqa: ARG002
        """Time has passed: what falls due by now is concluded."""
        return Heard(self)

    def deadline(self) -> int | None:
        """When `tick` would next conclude something; None if never."""
        return None

    def found(self, now_ms: int) -> "Course":  # noqa: ARG002
        """The sensors are back after they were lost."""
        return self

    def expect(self, past: History[Any], counted: Counted, now_ms: int) -> Heard:
        """The rules have spoken: pegs ought to be where the state of `past` says; this very course if no news."""
        ...

    def adopt(self, state: Any, now_ms: int) -> Heard:  # noqa: ARG002
        """A person has answered by a move: the pegs of an open question are right as they stand."""
        return Heard(self)

    def act(self, now_ms: int) -> Heard:  # noqa: ARG002
        """A card is put to the reader or a button pressed: what has rested its quiet time is believed at once."""
        return Heard(self)

    def take_board(self, now_ms: int) -> Heard:  # noqa: ARG002
        """A person takes the pegs as they stand. Raises IllegalMove where that would change nothing."""
        raise IllegalMove("In this game nothing follows from where the pegs stand.")

    def moves(
        self,
        event: Event | TakeBoard,  # noqa: ARG002
        past: History[Any],  # noqa: ARG002
        later: Sequence[Event] = (),  # noqa: ARG002
    ) -> tuple[Move, ...]:
        """The moves that an event is, or the board taken as it stands; the rules may still refuse them.

        `later` are the events of the same moment that come after it.
        """
        return ()

    def runs(self, state: Any, from_ms: int) -> tuple[Mark, ...]:  # noqa: ARG002
        """The lights that run from then on, as somebody ran in the move that led to this state."""
        return ()

    def goal(self, state: Any) -> int | None:  # noqa: ARG002
        """The hole where a game that is won celebrates; None where the winner's peg is not known."""
        return None

    def advice(self) -> tuple[Advice, ...]:
        """Rules and pegs compared: what a person should do."""
        return ()

    def pegs(self) -> Shown:
        """What a snapshot says of the pegs."""
        return Shown()

    def resting(self) -> int:
        """The holes in which the pegs stand, as bits: where they were last known, else where the game begins."""
        return 0

    def dump(self) -> dict[str, Any]:
        """What a restart must know of the pegs, ready for JSON."""
        return {}

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> "Course":
        """The course of the game that `past` leads to, with what `dump` kept of it; None: nothing was kept.

        `saved` may come from a recording that anybody wrote. Raises BadMove for what cannot be.
        """
        ...
