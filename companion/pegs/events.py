"""Events of the peg reader. Pure values; a hole is its bit number.

`encode_event` writes the form of docs/reference/trace.md. The class names are part of that form.
"""

from dataclasses import dataclass
from typing import Any

from companion.boards.board import Board
from companion.common.snapshot import AnswerChoice
from companion.i18n import Message, format_message, join_messages


@dataclass(frozen=True, slots=True)
class Started:
    """All pegs rest in the start holes, so a game may begin."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pegged:
    """A seat pegged `points`: one of its pegs moved from the hole `origin` to the hole `to`.

    `is_claim`: the points are claimed where the players count; those that were due before are still due.
    """

    seat: int
    points: int
    origin: int
    to: int
    is_claim: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """A seat took `points` back: one of its pegs moved from the hole `origin` to the hole `to`."""

    seat: int
    points: int
    origin: int
    to: int


@dataclass(frozen=True, slots=True)
class Unclear:
    """The pegs cannot be interpreted, so the players are asked. `seat` is None if several seats are concerned."""

    seat: int | None
    why: str
    holes: tuple[int, ...]
    choices: tuple[AnswerChoice, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A question has been answered, by pegs or by a move."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """The sensor of a hole is not trusted any more. `why` is a sentence for players."""

    hole: int
    why: str


@dataclass(frozen=True, slots=True)
class Trusted:
    """The sensor of a hole is trusted again."""

    hole: int


PegEvent = Started | Pegged | Undone | Unclear | Resolved | Quarantined | Trusted


def encode_event(event: PegEvent) -> dict[str, Any]:
    """Return the event as a JSON object of a trace, with its name under `event`."""
    name: dict[str, Any] = {"event": type(event).__name__.lower()}
    match event:
        case Started(seats):
            return name | {"seats": list(seats)}
        case Pegged(seat, points, origin, to) | Undone(seat, points, origin, to):
            return name | {"seat": seat, "points": points, "from": origin, "to": to}
        case Unclear(asked, why, holes, choices):
            said = [{"say": c.say, "move": None if c.move is None else dict(c.move)} for c in choices]
            return name | {"seat": asked, "why": why, "holes": list(holes), "choices": said}
        case Quarantined(hole, why):
            return name | {"hole": hole, "why": why}
        case Trusted(hole):
            return name | {"hole": hole}
        case Resolved():
            return name


def _hole_label(board: Board, hole: int) -> Message:
    """Return the id of the hole with its words translated, as the page shows it."""
    return join_messages(
        [part if part.isdecimal() else format_message(part) for part in board.holes[hole].id.split("-")], "-"
    )


def flapping_sentence(board: Board, hole: int) -> str:
    """Return the sentence for players about a hole that flaps."""
    return format_message("The sensor of {hole} flickers.", hole=_hole_label(board, hole))


def stray_sentence(board: Board, hole: int) -> str:
    """Return the sentence for players about a hole that is taken although every peg is elsewhere."""
    return format_message("{hole} reports a peg, but all pegs are elsewhere.", hole=_hole_label(board, hole))
