"""Cribbage shuffle, a solitaire: docs/reference/games/shuffle.md. Pure.

Sixteen cards lie in a 4×4 grid round one starter, and each row and each column is a hand. In the grid any two cards
may change places as often as liked; in the variant `square` the cards come one by one and stay where they are put.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import say
from companion.rules import recount
from companion.rules.cards import JACK, Card
from companion.rules.engine import Award, Game, Setup, Step, put
from companion.rules.moves import Adjust, Cell, Lay, Move, Next, Place, Starter, Swap
from companion.rules.scoring import points

SIZE = 4
CELLS = SIZE * SIZE
TARGET = 61
HEELS = 2
"""A jack as the starter, once for the whole layout."""


Grid = tuple[Card | None, ...]
"""The cards row by row; None is an empty cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The layout as it stands. `won` stays once the total has been 61; `adjusted` is what was put right by hand."""

    square: bool = False
    phase: str = "lay"
    grid: Grid = (None,) * CELLS
    starter: Card | None = None
    adjusted: int = 0
    won: bool = False

    @property
    def rows(self) -> tuple[int, ...]:
        """The points of each row, the top one first; 0 until it has its four cards and the starter."""
        return tuple(_worth(self.grid[n * SIZE : n * SIZE + SIZE], self.starter) for n in range(SIZE))

    @property
    def columns(self) -> tuple[int, ...]:
        """The points of each column, the left one first."""
        return tuple(_worth(self.grid[n::SIZE], self.starter) for n in range(SIZE))

    @property
    def heels(self) -> int:
        """2 where the starter is a jack."""
        return HEELS if self.starter is not None and self.starter.rank == JACK else 0

    @property
    def counted(self) -> int:
        """What the eight hands and his heels are worth."""
        return sum(self.rows) + sum(self.columns) + self.heels

    @property
    def total(self) -> int:
        """What is counted and what was adjusted; not below 0."""
        return max(0, self.counted + self.adjusted)

    @property
    def scores(self) -> tuple[int, ...]:
        """The total: there is one side."""
        return (self.total,)

    @property
    def winner(self) -> int | None:
        """0 from the first time the total was 61 or more."""
        return 0 if self.won else None


def _worth(hand: Sequence[Card | None], starter: Card | None) -> int:
    cards = [card for card in hand if card is not None]
    return points(cards, starter) if starter is not None and len(cards) == SIZE else 0


def start(setup: Setup) -> State:
    """An empty grid."""
    return _empty(square=setup.options.get("variant", "grid") == "square")


def _empty(*, square: bool) -> State:
    return State(square=square, phase="place" if square else "lay")


def _lay(state: State, move: Lay) -> Step[State]:
    if len(move.cards) != CELLS:
        raise IllegalMove("The grid has sixteen cards, not {len}.", len=len(move.cards))
    if move.starter is None:
        raise IllegalMove("The layout needs its starter, the seventeenth card.")
    every = (*move.cards, move.starter)
    for n, card in enumerate(every):
        if card in every[:n]:
            raise IllegalMove("The {name} is there twice.", name=card.name)
    return _counted(replace(state, phase="swap", grid=move.cards, starter=move.starter))


def _swap(state: State, move: Swap) -> Step[State]:
    a, b = _cell(move.a), _cell(move.b)
    if a == b:
        raise IllegalMove("A card cannot be swapped with itself: choose two cells.")
    grid = list(state.grid)
    grid[a], grid[b] = grid[b], grid[a]
    return _counted(replace(state, grid=tuple(grid)))


def _place(state: State, move: Place) -> Step[State]:
    cell = _cell(move.cell)
    taken = state.grid[cell]
    if taken is not None:
        raise IllegalMove("The {name} already lies there, for good: choose an empty cell.", name=taken.name)
    _unseen(state, move.card)
    grid = put(state.grid, cell, move.card)
    return Step(replace(state, grid=grid, phase="place" if None in grid else "cut"))


def _starter(state: State, move: Starter) -> Step[State]:
    _unseen(state, move.card)
    return _counted(replace(state, phase="over", starter=move.card))


def _adjust(state: State, move: Adjust) -> Step[State]:
    """The total put right, until the next layout. It can win, and what is won stays won."""
    if move.seat != 0:
        raise IllegalMove("There is no such seat: this table has seat 0 alone.")
    if state.total + move.points < 0:
        raise IllegalMove("The total is only {total}: it cannot be below 0.", total=state.total)
    step = _counted(replace(state, adjusted=state.total + move.points - state.counted))
    return Step(step.state, (Award(0, move.points, "adjust"),))


def _next(state: State, _: Next) -> Step[State]:
    return Step(_empty(square=state.square))


def _counted(state: State) -> Step[State]:
    return Step(replace(state, won=True) if not state.won and state.total >= TARGET else state)


def _cell(cell: Cell) -> int:
    row, column = cell
    if not (0 <= row < SIZE and 0 <= column < SIZE):
        raise IllegalMove("There is no such cell: rows and columns are 0 to {word}.", word=SIZE - 1)
    return row * SIZE + column


def _unseen(state: State, card: Card, lying: tuple[Card, ...] = ()) -> None:
    if card in state.grid or card in lying:
        raise IllegalMove("The {name} has already been seen in this layout.", name=card.name)


def view(state: State) -> dict[str, Any]:
    """What everybody may know: docs/reference/games/shuffle.md#for-other-programs."""
    return {
        "phase": state.phase, "scores": state.scores, "winner": state.winner,
        "grid": tuple(state.grid[n : n + SIZE] for n in range(0, CELLS, SIZE)), "starter": state.starter,
        "rows": state.rows, "columns": state.columns, "heels": state.heels, "total": state.total,
    }  # fmt: skip


def scan(state: State, lying: tuple[Card, ...], card: Card) -> Move | None:
    """What a scanned card is now: the next of the layout, row by row and the starter last; or one to be placed.

    Raises IllegalMove where it can be nothing.
    """
    if state.phase == "swap":
        raise IllegalMove("The cards are laid: swap two of them, or say next for another layout.")
    if state.phase == "over":
        raise IllegalMove("The game is over: no card is awaited.")
    _unseen(state, card, lying)
    if state.phase == "cut":
        return Starter(card)
    if state.phase == "place":
        if lying:
            raise IllegalMove("The {name} is to be placed first: tap its cell.", name=lying[-1].name)
        return None
    return Lay(lying, card) if len(lying) == CELLS else None


GAME = Game(
    key="shuffle",
    title=say("Cribbage shuffle"),
    seats=(1,),
    target=TARGET,
    options={"variant": ("grid", "square")},
    say=say("Alone: sixteen cards in a square, swapped until the eight hands make 61."),
    says={"variant": say("Cards are swapped as often as you like, or stay where they are put.")},
    pegs="none",
    start=start,
    table={
        "lay": {Lay: _lay, Adjust: _adjust},
        "swap": {Swap: _swap, Next: _next, Adjust: _adjust},
        "place": {Place: _place, Adjust: _adjust},
        "cut": {Starter: _starter, Adjust: _adjust},
        "over": {Next: _next, Adjust: _adjust},
    },
    view=view,
    scan=scan,
    correct=recount.of_layout,
)
