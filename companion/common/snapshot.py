"""What the board and the server may know of the table: one immutable, numbered Snapshot. Pure values.

The JSON form is in docs/reference/http.md; `companion.protocol.json_codec.snapshot_json` writes it. Holes are named by
their id here ("red-2"), seats stand for sides in `pegs`, `dues` and `advice` where partners play.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Pegs:
    """Where a side's two pegs are known to stand."""

    seat: int
    front: str
    back: str


@dataclass(frozen=True, slots=True)
class Due:
    """The sum not yet pegged: lift the peg in `lift`, place it in `place`. Negative: points to take back."""

    seat: int
    points: int
    lift: str
    place: str


AdviceKind = Literal[
    "peg_forward", "peg_back", "over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged", "put_back",
    "set_up", "take_off", "waiting", "ask",
]  # fmt: skip
"""The kinds of advice: docs/reference/http.md says what each is."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Rules and pegs compared. `kind` is one of those in docs/reference/http.md; fields that do not apply are None."""

    kind: AdviceKind
    seat: int | None
    say: str
    points: int | None = None
    by: int | None = None
    hole: str | None = None
    lift: str | None = None
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A likely answer: a sentence and the JSON move it makes (None: only put the pegs right)."""

    say: str
    move: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Question:
    """What could not be read from the pegs alone. `holes` are ids; `seat` is None where nobody's."""

    why: str
    choices: tuple[Choice, ...]
    seat: int | None = None
    holes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Device:
    """A device as the page shows it. `say` is empty while it is well."""

    url: str
    ok: bool
    say: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something said once to everybody, such as a refused card. `source` is `from` in JSON."""

    id: int
    kind: str
    source: str
    say: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A light effect that ends by itself, for the lights only.

    `kind` is `right` (a peg just put right), `place` (where a peg goes on a board that nobody reads), `won`, or `run`
    and `out`: from `from_ms` a light runs along `way` (ids).
    """

    kind: str
    hole: str
    until_ms: int
    from_ms: int = 0
    way: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Marker:
    """A hole where a peg of a game that is no race is known to stand; `seat` is the side whose hole it is, or None."""

    hole: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice that were rolled: those from number `fresh` on tumble until `stop_ms`, all are lit until `until_ms`."""

    faces: tuple[int, ...]
    fresh: int
    stop_ms: int
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All an outsider may know, of one moment. `view` holds the game's own fields, ready for JSON.

    `markers` are the pegs of a game that is no race; None in all others, which have `pegs`. `lit` are the holes up to
    the score of a game that nobody pegs, `green` the dues' own holes in which a peg has been for a moment: both for
    the lights only. `trouble` is why no move can be kept now, a sentence; empty while they can.
    `remark` is what the companion has to say where it is a player itself; empty while that is nothing.
    """

    number: int
    run: str
    moves: int
    game: Mapping[str, Any]
    board: str
    settings: Mapping[str, Any]
    players: tuple[Mapping[str, Any], ...]
    view: Mapping[str, Any]
    last: Mapping[str, Any] | None = None
    pegs: tuple[Pegs, ...] = ()
    dues: tuple[Due, ...] = ()
    advice: tuple[Advice, ...] = ()
    question: Question | None = None
    devices: Mapping[str, Device] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    trouble: str = ""
    remark: str = ""
    marks: tuple[Mark, ...] = ()
    dice: Dice | None = None
    markers: tuple[Marker, ...] | None = None
    quarantined: tuple[str, ...] = ()
    lit: tuple[str, ...] = ()
    green: tuple[str, ...] = ()
