"""The public state of the table as one immutable, numbered `Snapshot`. Pure values.

docs/reference/http.md describes the JSON form, which `companion.protocol.json_codec.encode_snapshot` writes. Holes are
named by their ids ("red-2"). Where partners play, the seats in `pegs`, `dues` and `advice` stand for sides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class PegPair:
    """The known holes of a side's two pegs."""

    seat: int
    front: str
    back: str


@dataclass(frozen=True, slots=True)
class Due:
    """Points that a side has not pegged yet: move the peg in `lift` to `place`. Negative: points to take back."""

    seat: int
    points: int
    lift: str
    place: str


AdviceKind = Literal[
    "peg_forward", "peg_back", "over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged", "put_back",
    "set_up", "take_off", "waiting", "ask",
]  # fmt: skip
"""The kinds of advice that docs/reference/http.md describes."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A difference between scores and pegs, and how to resolve it. Fields that do not apply are None."""

    kind: AdviceKind
    seat: int | None
    say: str
    points: int | None = None
    by: int | None = None
    hole: str | None = None
    lift: str | None = None
    place: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """A suggested answer: its text and the JSON move that it makes; None if it only asks to put pegs right."""

    say: str
    move: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class PegQuestion:
    """A question about pegs that could not be interpreted. `holes` are ids; `seat` is None if no seat is concerned."""

    why: str
    choices: tuple[AnswerChoice, ...]
    seat: int | None = None
    holes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """The state of a device. `say` is empty while the device works."""

    url: str
    ok: bool
    say: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A one-time message to everyone, such as a refused card. `source` is `from` in JSON."""

    id: int
    kind: str
    source: str
    say: str


EffectKind = Literal["right", "place", "won", "run", "out"]
"""A peg was just put right; the hole for a peg on a board without sensors; a won game; a runner who is safe, or out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSign:
    """How a kind of light effect looks, and what ends it before its time.

    - `shape`: a steady hole, a pulsing one, a comet up the lane of the hole, or a light that runs along a path.
    - `colour`: the name of a field of the light theme.
    - `ended_by`: the move that ends it: none, an undo, a new run or an undo, or one that takes the win back.
    - `is_heard`: whether the buzzer of the board sounds as for a peg put right.
    """

    shape: Literal["steady", "pulse", "comet", "run"]
    colour: str
    ended_by: Literal["", "undo", "run", "no winner"] = ""
    is_heard: bool = False


LIGHT_EFFECTS: Mapping[EffectKind, EffectSign] = {
    "right": EffectSign(shape="steady", colour="right", is_heard=True),
    "place": EffectSign(shape="pulse", colour="due", ended_by="undo"),
    "won": EffectSign(shape="comet", colour="won", ended_by="no winner"),
    "run": EffectSign(shape="run", colour="right", ended_by="run"),
    "out": EffectSign(shape="run", colour="out", ended_by="run"),
}
"""All light effects: a new one is a row here, the place where it begins, and a row in docs/reference/lights.md."""


@dataclass(frozen=True, slots=True)
class LightEffect:
    """A light effect that ends by itself; used by the lights only. A run goes along the hole ids in `path`."""

    kind: EffectKind
    hole: str
    until_ms: int
    from_ms: int = 0
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkerPosition:
    """A hole that holds a marker peg. `seat` is the side that owns the hole, or None."""

    hole: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class RolledDice:
    """Rolled dice. Those from index `first_new` on tumble until `stop_ms`; all are lit until `until_ms`."""

    faces: tuple[int, ...]
    first_new: int
    stop_ms: int
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The public state of the table at one moment. `view` holds the game's own fields, ready for JSON.

    `markers` are the pegs of a marker game; None in all other games, which have `pegs`. For the lights only:
    `lit_holes` are the holes up to the score in a game without pegs, `green_holes` the holes of dues in which a peg has
    just been placed. `trouble` says why no move can be saved now; empty while moves can be saved. `remark` is what the
    companion says when it is a player; empty while it says nothing.
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
    pegs: tuple[PegPair, ...] = ()
    dues: tuple[Due, ...] = ()
    advice: tuple[Advice, ...] = ()
    question: PegQuestion | None = None
    devices: Mapping[str, DeviceStatus] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    trouble: str = ""
    remark: str = ""
    light_effects: tuple[LightEffect, ...] = ()
    dice: RolledDice | None = None
    markers: tuple[MarkerPosition, ...] | None = None
    quarantined: tuple[str, ...] = ()
    lit_holes: tuple[str, ...] = ()
    green_holes: tuple[str, ...] = ()
