"""What somebody does, imperative, in a game's words. Plain frozen values.

`companion.protocol.json_codec` reads and writes them.

`kind` is the `type` of the JSON form in docs/reference/moves.md. A move says nothing of whether it is legal now.
"""

from dataclasses import dataclass
from typing import ClassVar

from companion.rules.cards import Card

Cell = tuple[int, int]


class Move:
    """The root of all moves."""

    kind: ClassVar[str]
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Starter(Move):
    """The starter is cut."""

    kind: ClassVar[str] = "starter"
    card: Card


@dataclass(frozen=True, slots=True)
class Play(Move):
    """A seat plays a card."""

    kind: ClassVar[str] = "play"
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Go(Move):
    """A seat says go."""

    kind: ClassVar[str] = "go"
    seat: int


@dataclass(frozen=True, slots=True)
class Crib(Move):
    """The four cards of the crib are turned up."""

    kind: ClassVar[str] = "crib"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Hand(Move):
    """A seat's whole hand, where the play did not show it all."""

    kind: ClassVar[str] = "hand"
    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """A seat claims points (counting=manual)."""

    kind: ClassVar[str] = "claim"
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Muggins(Move):
    """A seat calls what the other side missed."""

    kind: ClassVar[str] = "muggins"
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Misdeal(Move):
    """The deal is void; the same dealer deals again."""

    kind: ClassVar[str] = "misdeal"


@dataclass(frozen=True, slots=True)
class Also:
    """Another side's part of an adjustment."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Adjust(Move):
    """A seat's score is put right by so many points; `also` are the other sides put right in the same move."""

    kind: ClassVar[str] = "adjust"
    seat: int
    points: int
    also: tuple[Also, ...] = ()

    @property
    def parts(self) -> tuple[Also, ...]:
        """What is put right, side by side."""
        return (Also(self.seat, self.points), *self.also)


@dataclass(frozen=True, slots=True)
class Correct(Move):
    """A card of the present deal was read wrong: it was the card `to`."""

    kind: ClassVar[str] = "correct"
    card: Card
    to: Card


@dataclass(frozen=True, slots=True)
class Undo(Move):
    """The last accepted move not itself undone is taken back."""

    kind: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Next(Move):
    """On with it: the next hand, or the next game."""

    kind: ClassVar[str] = "next"


@dataclass(frozen=True, slots=True)
class Roll(Move):
    """A seat's dice, as they fell."""

    kind: ClassVar[str] = "roll"
    seat: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Steal(Move):
    """The runner on `base` (1 to 3) tries for the next."""

    kind: ClassVar[str] = "steal"
    seat: int
    base: int


@dataclass(frozen=True, slots=True)
class Take(Move):
    """A seat takes chips from the bank."""

    kind: ClassVar[str] = "take"
    seat: int
    chips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchange(Move):
    """Two markers change places on the display."""

    kind: ClassVar[str] = "exchange"
    seat: int
    a: Cell
    b: Cell


@dataclass(frozen=True, slots=True)
class Return(Move):
    """A seat gives a chip back to the bank."""

    kind: ClassVar[str] = "return"
    seat: int
    chip: str


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A layout: sixteen cards and a starter (shuffle), or 25 colours (swap)."""

    kind: ClassVar[str] = "lay"
    cards: tuple[Card, ...] = ()
    starter: Card | None = None
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Two cards of the grid change places."""

    kind: ClassVar[str] = "swap"
    a: Cell
    b: Cell


@dataclass(frozen=True, slots=True)
class Place(Move):
    """A card is placed for good on an empty cell."""

    kind: ClassVar[str] = "place"
    card: Card
    cell: Cell


@dataclass(frozen=True, slots=True)
class Peg(Move):
    """A seat pegs points (pegs-only)."""

    kind: ClassVar[str] = "peg"
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TakeBoard(Move):
    """The pegs are taken as they stand. The table's own move: no rule of a game knows it."""

    kind: ClassVar[str] = "take_board"


MOVES: tuple[type[Move], ...] = (
    Starter, Play, Go, Crib, Hand, Claim, Muggins, Misdeal, Adjust, Correct, Undo, Next,
    Roll, Steal, Take, Exchange, Return, Lay, Swap, Place, Peg, TakeBoard,
)  # fmt: skip
"""Every kind of move, in the order of docs/reference/moves.md."""
