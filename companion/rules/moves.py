"""The moves of all games, as frozen values. `companion.protocol.json_codec` reads and writes them.

`kind` is the `type` of the JSON form in docs/reference/moves.md. Whether a move is legal is up to the game.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from companion.rules.cards import Card

Cell = tuple[int, int]


class Move:
    """Base class of all moves. `kind` is the name of the class, as in `take_board`."""

    kind: ClassVar[str]
    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


@dataclass(frozen=True, slots=True)
class Starter(Move):
    """Cut the starter."""

    card: Card


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Play a card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Go(Move):
    """Say go."""

    seat: int


@dataclass(frozen=True, slots=True)
class Crib(Move):
    """Turn up the four cards of the crib."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CountCrib(Move):
    """Say the points of a crib whose cards stay untold. They are taken as said."""

    points: int


@dataclass(frozen=True, slots=True)
class Hand(Move):
    """Show a whole hand that the play did not show."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """Claim points (counting=manual)."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Muggins(Move):
    """Call the points that the other side missed."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Misdeal(Move):
    """Void the deal; the same dealer deals again."""


@dataclass(frozen=True, slots=True)
class AdjustmentPart:
    """The part of an adjustment that concerns another side."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Adjust(Move):
    """Correct a seat's score by `points`; `also` corrects other sides in the same move."""

    seat: int
    points: int
    also: tuple[AdjustmentPart, ...] = ()

    @property
    def parts(self) -> tuple[AdjustmentPart, ...]:
        return (AdjustmentPart(self.seat, self.points), *self.also)


@dataclass(frozen=True, slots=True)
class Correct(Move):
    """Correct a misread card of the present deal: `card` was really the card `to`."""

    card: Card
    to: Card


UNPEGGED_HEELS = "heels"
"""What the table has seen if his heels were still to be pegged when a card was played."""


@dataclass(frozen=True, slots=True)
class Rule(Move):
    """Answer the ruling on the last move: carry it out, or waive it (policy=tournament).

    `seen` is what only the table saw of the infringement: UNPEGGED_HEELS, or empty. The table sets it.
    """

    accept: bool
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Infringement(Move):
    """Call the judge: `seat` broke a rule in a way that only the players see (policy=tournament).

    `what` names a row of `infringements.toml`. `points` is what was pegged, or None.
    """

    seat: int
    what: str
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Undo(Move):
    """Take back the last move."""


@dataclass(frozen=True, slots=True)
class Next(Move):
    """Go on to the next hand or the next game."""


@dataclass(frozen=True, slots=True)
class Roll(Move):
    """Enter a seat's dice."""

    seat: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Steal(Move):
    """Let the runner on `base` (1 to 3) try to steal the next base."""

    seat: int
    base: int


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take chips from the bank."""

    seat: int
    chips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchange(Move):
    """Exchange two markers of the display."""

    seat: int
    a: Cell
    b: Cell


@dataclass(frozen=True, slots=True)
class Return(Move):
    """Return a chip to the bank."""

    seat: int
    chip: str


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """Lay out sixteen cards and a starter (shuffle), or 25 colours (Sackson swap)."""

    cards: tuple[Card, ...] = ()
    starter: Card | None = None
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Swap two cards of the grid."""

    a: Cell
    b: Cell


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Place a card on an empty cell, for good."""

    card: Card
    cell: Cell


@dataclass(frozen=True, slots=True)
class Peg(Move):
    """Peg points (pegs-only)."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TakeBoard(Move):
    """Accept the pegs as they stand. The table handles this move itself; games do not know it."""


MOVES: tuple[type[Move], ...] = (
    Starter, Play, Go, Crib, CountCrib, Hand, Claim, Muggins, Misdeal, Adjust, Correct, Rule, Infringement, Undo, Next,
    Roll, Steal, Take, Exchange, Return, Lay, Swap, Place, Peg, TakeBoard,
)  # fmt: skip
"""All kinds of moves, in the order of docs/reference/moves.md."""
