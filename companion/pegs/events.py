"""What the peg watcher concluded, past tense. Pure values; holes are bits.

`event_json` writes the form of docs/reference/trace.md.
"""

from dataclasses import dataclass
from typing import Any

from companion.common.snapshot import Choice


@dataclass(frozen=True, slots=True)
class Started:
    """Every seat's two pegs rest in its start holes: a game may begin."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pegged:
    """A seat pegged `points`: a peg left the hole `origin` and rests in the hole `to`."""

    seat: int
    points: int
    origin: int
    to: int


@dataclass(frozen=True, slots=True)
class Undone:
    """A seat took `points` back: a peg left the hole `origin` and rests in the hole `to`."""

    seat: int
    points: int
    origin: int
    to: int


@dataclass(frozen=True, slots=True)
class Unclear:
    """The pegs fit no one story: a person is asked. `seat` is None where the question is nobody's alone."""

    seat: int | None
    why: str
    holes: tuple[int, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was asked is settled."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A hole's sensor is no longer believed, and why."""

    hole: int
    why: str


@dataclass(frozen=True, slots=True)
class Trusted:
    """A hole's sensor has behaved and is believed again."""

    hole: int


Event = Started | Pegged | Undone | Unclear | Resolved | Quarantined | Trusted


def event_json(event: Event) -> dict[str, Any]:
    """The event as in a trace, its name under `event`."""
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
