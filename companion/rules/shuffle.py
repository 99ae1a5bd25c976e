"""Cribbage shuffle, a solitaire: docs/reference/games/shuffle.md. Pure.

Sixteen cards lie in a 4×4 grid with one starter, and each row and column is a hand. In the grid variant any two cards
may be swapped any number of times; in the variant `square` the cards come one by one and stay where they are placed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import format_message
from companion.rules import recount
from companion.rules.cards import JACK, Card
from companion.rules.engine import Award, Game, Option, Setup, Step, replace_at
from companion.rules.moves import Adjust, Cell, Lay, Move, Next, Place, Starter, Swap
from companion.rules.scoring import points

GRID_SIZE = 4
GRID_CELLS = GRID_SIZE * GRID_SIZE
TARGET_POINTS = 61
HEELS_POINTS = 2
"""Points for a jack as the starter, once for the whole layout."""


Grid = tuple[Card | None, ...]
"""The cards row by row; None is an empty cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleState:
    """The state of a layout. `is_won` stays set once the total was 61; `adjusted` is the sum of the adjustments."""

    is_square: bool = False
    phase: str = "lay"
    grid: Grid = (None,) * GRID_CELLS
    starter: Card | None = None
    adjusted: int = 0
    is_won: bool = False

    @property
    def rows(self) -> tuple[int, ...]:
        """The points of each row, the top one first; 0 until it has four cards and the starter."""
        return tuple(
            _score_line(self.grid[n * GRID_SIZE : n * GRID_SIZE + GRID_SIZE], self.starter) for n in range(GRID_SIZE)
        )

    @property
    def columns(self) -> tuple[int, ...]:
        """The points of each column, the left one first."""
        return tuple(_score_line(self.grid[n::GRID_SIZE], self.starter) for n in range(GRID_SIZE))

    @property
    def heels(self) -> int:
        """2 if the starter is a jack, else 0."""
        return HEELS_POINTS if self.starter is not None and self.starter.rank == JACK else 0

    @property
    def counted_points(self) -> int:
        return sum(self.rows) + sum(self.columns) + self.heels

    @property
    def total(self) -> int:
        """The counted points plus adjustments, at least 0."""
        return max(0, self.counted_points + self.adjusted)

    @property
    def scores(self) -> tuple[int, ...]:
        """The total, as the score of the only side."""
        return (self.total,)

    @property
    def winner(self) -> int | None:
        """0 once the total was 61 or more, else None."""
        return 0 if self.is_won else None


def _score_line(hand: Sequence[Card | None], starter: Card | None) -> int:
    cards = [card for card in hand if card is not None]
    return points(cards, starter) if starter is not None and len(cards) == GRID_SIZE else 0


def start(setup: Setup) -> ShuffleState:
    """Return an empty grid."""
    return _create_state(square=setup.options.get("variant", "grid") == "square")


def _create_state(*, square: bool) -> ShuffleState:
    return ShuffleState(is_square=square, phase="place" if square else "lay")


def _lay_cards(state: ShuffleState, move: Lay) -> Step[ShuffleState]:
    if len(move.cards) != GRID_CELLS:
        raise IllegalMove("The grid needs sixteen cards, not {len}.", len=len(move.cards))
    if move.starter is None:
        raise IllegalMove("The layout needs a starter as the seventeenth card.")
    all_cards = (*move.cards, move.starter)
    for n, card in enumerate(all_cards):
        if card in all_cards[:n]:
            raise IllegalMove("The {name} appears twice.", name=card.name)
    return _check_win(replace(state, phase="swap", grid=move.cards, starter=move.starter))


def _swap_cards(state: ShuffleState, move: Swap) -> Step[ShuffleState]:
    a, b = _cell_index(move.a), _cell_index(move.b)
    if a == b:
        raise IllegalMove("A card cannot be swapped with itself: choose two cells.")
    grid = list(state.grid)
    grid[a], grid[b] = grid[b], grid[a]
    return _check_win(replace(state, grid=tuple(grid)))


def _place_card(state: ShuffleState, move: Place) -> Step[ShuffleState]:
    cell = _cell_index(move.cell)
    taken = state.grid[cell]
    if taken is not None:
        raise IllegalMove("The {name} is there for good: choose an empty cell.", name=taken.name)
    _require_unseen(state, move.card)
    grid = replace_at(state.grid, cell, move.card)
    return Step(replace(state, grid=grid, phase="place" if None in grid else "cut"))


def _cut_starter(state: ShuffleState, move: Starter) -> Step[ShuffleState]:
    _require_unseen(state, move.card)
    return _check_win(replace(state, phase="over", starter=move.card))


def _adjust_score(state: ShuffleState, move: Adjust) -> Step[ShuffleState]:
    """Correct the total. The correction applies to this layout only."""
    if move.seat != 0:
        raise IllegalMove("There is no such seat: this table has only seat 0.")
    if state.total + move.points < 0:
        raise IllegalMove("The total is only {total}: it cannot go below 0.", total=state.total)
    step = _check_win(replace(state, adjusted=state.total + move.points - state.counted_points))
    return Step(step.state, (Award(0, move.points, "adjust"),))


def _begin_new_layout(state: ShuffleState, _: Next) -> Step[ShuffleState]:
    return Step(_create_state(square=state.is_square))


def _check_win(state: ShuffleState) -> Step[ShuffleState]:
    return Step(replace(state, is_won=True) if not state.is_won and state.total >= TARGET_POINTS else state)


def _cell_index(cell: Cell) -> int:
    row, column = cell
    if not (0 <= row < GRID_SIZE and 0 <= column < GRID_SIZE):
        raise IllegalMove("There is no such cell: rows and columns are 0 to {last}.", last=GRID_SIZE - 1)
    return row * GRID_SIZE + column


def _require_unseen(state: ShuffleState, card: Card, lying: tuple[Card, ...] = ()) -> None:
    if card in state.grid or card in lying:
        raise IllegalMove("The {name} has already been seen in this layout.", name=card.name)


def view(state: ShuffleState) -> dict[str, Any]:
    """Return the public fields: docs/reference/games/shuffle.md#for-other-programs."""
    return {
        "phase": state.phase, "scores": state.scores, "winner": state.winner,
        "grid": tuple(state.grid[n : n + GRID_SIZE] for n in range(0, GRID_CELLS, GRID_SIZE)), "starter": state.starter,
        "rows": state.rows, "columns": state.columns, "heels": state.heels, "total": state.total,
    }  # fmt: skip


def interpret_scan(state: ShuffleState, lying: tuple[Card, ...], card: Card) -> Move | None:
    """Return the move of a scanned card: the next of the layout, row by row and the starter last, or one to place.

    None while it joins the cards `lying`. Raises IllegalMove if no card is expected.
    """
    if state.phase == "swap":
        raise IllegalMove("The layout is complete: swap two cards, or go on to the next layout.")
    if state.phase == "over":
        raise IllegalMove("The game is over: no card is needed.")
    _require_unseen(state, card, lying)
    if state.phase == "cut":
        return Starter(card)
    if state.phase == "place":
        if lying:
            raise IllegalMove("Place the {name} first: tap a cell.", name=lying[-1].name)
        return None
    return Lay(lying, card) if len(lying) == GRID_CELLS else None


GAME = Game(
    key="shuffle",
    title=format_message("Cribbage shuffle"),
    seats=(1,),
    target=TARGET_POINTS,
    options={
        "variant": Option(
            format_message("Cards"),
            format_message("Swap cards as often as you like, or place each card for good."),
            {"grid": format_message("can be swapped"), "square": format_message("stay in place")},
            has_unclear_values=True,
        )
    },
    description=format_message("A solitaire: sixteen cards in a square, swapped until the eight hands make 61."),
    peg_role="none",
    start=start,
    moves_by_phase={
        "lay": {Lay: _lay_cards, Adjust: _adjust_score},
        "swap": {Swap: _swap_cards, Next: _begin_new_layout, Adjust: _adjust_score},
        "place": {Place: _place_card, Adjust: _adjust_score},
        "cut": {Starter: _cut_starter, Adjust: _adjust_score},
        "over": {Next: _begin_new_layout, Adjust: _adjust_score},
    },
    view=view,
    interpret_scan=interpret_scan,
    recount=recount.recount_layout,
)
