"""Sackson swap for two, or four as two sides: docs/reference/games/swap.md. Pure.

In a turn a side takes chips until it holds two, exchanges a marker of each of the two colours, scores the figures that
this makes, and returns one chip. `companion.rules.sackson.grid` has the geometry; this module has chips, turns, stones
and points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import Message, capitalize_message, format_message, join_messages
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, Option, Setup, Step, add_at, replace_at, target_option
from companion.rules.match_terms import MatchTerms, Scores, create_terms
from companion.rules.moves import Adjust, Cell, Exchange, Lay, Move, Next, Return, Take
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS, FIGURES, GRID_SIZE, MarkerGrid

STONE_POINTS = (5, 3, 2, 1)
"""Points of a figure in a colour: the first, second, third and any later time."""

TARGET_POINTS = 61
DOUBLE_GAME_LEAD = 11
"""Lead with which the winner wins a double game."""

DEFAULT_TERMS = MatchTerms(target=TARGET_POINTS)
"""Two players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SacksonState:
    """The state of a game. `seat` is on turn, or will be; `chips_held` are each side's chips in the order taken.

    `stones[figure][colour]` is the index of the next point stone in `STONE_POINTS`. `grid` is None until the markers
    are laid. `zigzag`, `diagonals` and `has_random_start` are the options.
    """

    terms: MatchTerms = DEFAULT_TERMS
    phase: str = "take"
    seat: int = 0
    scores: Scores = (0, 0)
    grid: MarkerGrid | None = grid.FIXED_START
    chips_held: tuple[tuple[str, ...], ...] = ((), ())
    stones: tuple[tuple[int, ...], ...] = ((0,) * len(COLOURS),) * len(FIGURES)
    winner: int | None = None
    zigzag: str = "alternating"
    diagonals: bool = True
    has_random_start: bool = False

    @property
    def turn(self) -> int | None:
        """The seat on turn; None if there is none."""
        return self.seat if self.phase in ("take", "exchange", "return") else None

    @property
    def bank(self) -> tuple[str, ...]:
        """The chips that no side holds."""
        return tuple(colour for colour in COLOURS if not any(colour in chips for chips in self.chips_held))


def start(setup: Setup) -> SacksonState:
    """Return the state before the first turn; with start=random the display must be laid first."""
    get = setup.options.get
    first = SacksonState(
        terms=create_terms(setup, 2),
        seat=setup.dealer or 0,
        zigzag=get("zigzag", "alternating"),
        diagonals=get("diagonals", "on") == "on",
        has_random_start=get("start", "fixed") == "random",
    )
    return _create_state(first, first.seat)


def _create_state(state: SacksonState, seat: int) -> SacksonState:
    """Return a new game on the same terms, begun by `seat`."""
    fresh = SacksonState(
        terms=state.terms,
        seat=seat,
        zigzag=state.zigzag,
        diagonals=state.diagonals,
        has_random_start=state.has_random_start,
    )
    return replace(fresh, phase="lay", grid=None) if state.has_random_start else fresh


def _lay_markers(state: SacksonState, move: Lay) -> Step[SacksonState]:
    if sorted(move.colours) != sorted(COLOURS * GRID_SIZE):
        raise IllegalMove(
            "The display needs 25 tiles, five each of {colours}.", colours=join_messages(map(format_message, COLOURS))
        )
    markers = grid.parse_grid(move.colours)
    figures = _figure_names(state)
    for colour, bits in zip(COLOURS, markers, strict=True):
        if bits in figures:
            raise IllegalMove(
                "The five {colour} tiles already form a {figure}: lay them differently.",
                colour=format_message(colour),
                figure=format_message(figures[bits]),
            )
    for one, other in grid.colour_pairs():
        for a, b in grid.find_exchanges(markers, one, other):
            after = grid.exchange_markers(markers, a, b)
            made = next((colour for colour in (one, other) if after[colour] in figures), None)
            if made is not None:
                name = format_message(
                    "{colour} {figure}",
                    colour=format_message(COLOURS[made]),
                    figure=format_message(figures[after[made]]),
                )
                raise IllegalMove("A first exchange could make a {name}: lay the tiles differently.", name=name)
    return Step(replace(state, phase="take", grid=markers))


def _take_chips(state: SacksonState, move: Take) -> Step[SacksonState]:
    side = _require_turn(state, move.seat)
    held = state.chips_held[side]
    due = 2 - len(held)
    if len(move.chips) != due or len(set(move.chips)) != due:
        if due == 2:
            raise IllegalMove("The first turn takes two different chips.")
        raise IllegalMove("Take one chip: you already hold the {colour} one.", colour=format_message(held[0]))
    for chip in move.chips:
        if chip not in state.bank:
            raise IllegalMove("The {chip} chip is not in the bank.", chip=format_message(chip))
    after = replace(state, chips_held=replace_at(state.chips_held, side, (*held, *move.chips)))
    one, other = _held_colours(after, side)
    possible = next(grid.find_exchanges(_require_grid(state), one, other), None)
    return Step(replace(after, phase="return" if possible is None else "exchange"))


def _exchange_markers(state: SacksonState, move: Exchange) -> Step[SacksonState]:
    side = _require_turn(state, move.seat)
    _require_legal_exchange(state, side, move.a, move.b)
    markers = grid.exchange_markers(_require_grid(state), move.a, move.b)
    figures = _figure_names(state)
    moved = [grid.colour_at(_require_grid(state), cell) for cell in (move.a, move.b)]
    made = [(figures[markers[colour]], colour) for colour in moved if markers[colour] in figures]
    stones, awards = state.stones, list[Award]()
    for name, colour in made:
        row = FIGURES.index(name)
        place = stones[row][colour]
        awards.append(Award(move.seat, STONE_POINTS[place], name))
        stones = replace_at(stones, row, replace_at(stones[row], colour, min(place + 1, len(STONE_POINTS) - 1)))
    scores = add_at(state.scores, side, sum(award.points for award in awards))
    after = replace(state, phase="return", grid=markers, stones=stones, scores=scores)
    if len(made) == 1:
        after = _end_turn(after, side, COLOURS[made[0][1]])
    return Step(after, tuple(awards))


def _return_chip(state: SacksonState, move: Return) -> Step[SacksonState]:
    side = _require_turn(state, move.seat)
    if move.chip not in state.chips_held[side]:
        raise IllegalMove(
            "You do not hold the {chip} chip: return the {held} one.",
            chip=format_message(move.chip),
            held=_join_with_or(state.chips_held[side]),
        )
    return Step(_end_turn(state, side, move.chip))


def _refuse_return(state: SacksonState, _: Return) -> Step[SacksonState]:
    one, other = state.chips_held[state.seat % 2]
    raise IllegalMove(
        "Exchange a {one} and a {other} tile before you return a chip.",
        one=format_message(one),
        other=format_message(other),
    )


def _join_with_or(held: tuple[str, ...]) -> Message:
    one, *others = map(format_message, held)
    return format_message("{one} or the {other}", one=one, other=others[0]) if others else one


def _end_turn(state: SacksonState, side: int, chip: str) -> SacksonState:
    """Return the chip and pass the turn to the next seat, unless the side has won."""
    held = replace_at(state.chips_held, side, tuple(c for c in state.chips_held[side] if c != chip))
    after = replace(state, chips_held=held, phase="take", seat=(state.seat + 1) % state.terms.seats)
    return _end_game(after, side) if after.scores[side] >= after.terms.target else after


def _end_game(state: SacksonState, side: int) -> SacksonState:
    return replace(state, phase="over", winner=side)


def _adjust_score(state: SacksonState, move: Adjust) -> Step[SacksonState]:
    """Correct a score. Reaching the target ends the game at once; a finished game keeps its winner."""
    side = state.terms.side_of(move.seat)
    score = state.scores[side] + move.points
    if score < 0:
        raise IllegalMove(
            "{who} has only {score}: a score cannot go below 0.",
            who=state.terms.seat_names[side],
            score=state.scores[side],
        )
    reached = state.scores[side] < state.terms.target <= score
    after = replace(state, scores=replace_at(state.scores, side, score))
    if reached and state.winner is None:
        after = _end_game(after, side)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def _begin_new_game(state: SacksonState, _: Next) -> Step[SacksonState]:
    """Begin a new game by the loser; of four, by the loser on turn next or to the left of the winner on turn."""
    assert state.winner is not None
    losers_turn = state.seat % 2 != state.winner
    return Step(_create_state(state, state.seat if losers_turn else (state.seat + 1) % state.terms.seats))


def _require_turn(state: SacksonState, seat: int) -> int:
    """Return the side of the seat. Raises IllegalMove unless it is its turn."""
    side = state.terms.side_of(seat)
    if seat != state.seat:
        raise IllegalMove("It is {who}'s turn.", who=state.terms.seat_names[state.seat])
    return side


def _require_legal_exchange(state: SacksonState, side: int, a: Cell, b: Cell) -> None:
    """Raise IllegalMove for an exchange that the chips or the contact of the markers forbid."""
    markers = _require_grid(state)
    if not all(0 <= n < GRID_SIZE for n in (*a, *b)):
        raise IllegalMove("There is no such cell: rows and columns are 0 to {last}.", last=GRID_SIZE - 1)
    one, other = (COLOURS[colour] for colour in _held_colours(state, side))
    found = {COLOURS[grid.colour_at(markers, cell)] for cell in (a, b)}
    if found != {one, other}:
        raise IllegalMove(
            "Exchange a {one} tile with a {other} one: those are your chips.",
            one=format_message(one),
            other=format_message(other),
        )
    faults = grid.find_faults(markers, a, b)
    if faults:
        raise IllegalMove(
            "{faults}.", faults=capitalize_message(join_messages([_describe_fault(fault) for fault in faults], "; "))
        )


def _describe_fault(fault: grid.ExchangeFault) -> Message:
    return format_message(
        "the {one} tile would be isolated, and the five {others} ones no longer connected",
        one=format_message(COLOURS[fault.isolated]),
        others=format_message(COLOURS[fault.disconnected]),
    )


def _held_colours(state: SacksonState, side: int) -> tuple[int, int]:
    one, other = state.chips_held[side]
    return COLOURS.index(one), COLOURS.index(other)


def _require_grid(state: SacksonState) -> MarkerGrid:
    assert state.grid is not None
    return state.grid


def _figure_names(state: SacksonState) -> Mapping[int, str]:
    return grid.find_figures(state.zigzag, state.diagonals)


def view(state: SacksonState) -> dict[str, Any]:
    """Return the public fields (docs/reference/games/swap.md#for-other-programs).

    While an exchange is due, `legal` lists every legal pair of cells.
    """
    fields: dict[str, Any] = {
        "phase": state.phase,
        "turn": state.turn,
        "scores": state.scores,
        "winner": state.winner,
        "double": _is_double_game(state),
        "display": _EMPTY_DISPLAY if state.grid is None else grid.colour_rows(state.grid),
        "bank": state.bank,
        "held": state.chips_held,
        "stones": _stones_view(state.stones),
    }
    if state.phase == "exchange":
        fields["legal"] = tuple(grid.find_exchanges(_require_grid(state), *_held_colours(state, state.seat % 2)))
    return fields


_EMPTY_DISPLAY = ((None,) * GRID_SIZE,) * GRID_SIZE


def _is_double_game(state: SacksonState) -> bool:
    winner = state.winner
    return winner is not None and state.scores[winner] - state.scores[1 - winner] >= DOUBLE_GAME_LEAD


def _stones_view(stones: Sequence[Sequence[int]]) -> dict[str, dict[str, int]]:
    return {
        figure: {colour: STONE_POINTS[place] for colour, place in zip(COLOURS, row, strict=True)}
        for figure, row in zip(FIGURES, stones, strict=True)
    }


def interpret_scan(state: SacksonState, lying: tuple[Card, ...], card: Card) -> Move:  # noqa: ARG001 - as every game
    """Raise IllegalMove, because this game has no cards."""
    raise IllegalMove("This game has no cards: play it with tiles and chips.")


GAME = Game(
    key="swap",
    title=format_message("Sackson swap"),
    seats=(2, 4),
    options={
        "target": target_option(str(TARGET_POINTS)),
        "zigzag": Option(
            format_message("Zig-zags"),
            format_message("The shape of a zig-zag: alternating between two rows, or a flight of stairs."),
            {"alternating": format_message("alternating rows"), "stairs": format_message("stairs")},
            has_unclear_values=True,
        ),
        "diagonals": Option(
            format_message("Diagonals"),
            format_message("Whether the two long diagonals count as lines."),
            {"on": format_message("count as lines"), "off": format_message("don't count")},
            has_unclear_values=True,
        ),
        "start": Option(
            format_message("Tiles"),
            format_message("The tiles start in the usual layout, or as you lay them."),
            {"fixed": format_message("fixed"), "random": format_message("your choice")},
            has_unclear_values=True,
        ),
    },
    description=format_message("Swap coloured tiles to make patterns, and peg the points, to 61."),
    start=start,
    moves_by_phase={
        "lay": {Lay: _lay_markers, Adjust: _adjust_score},
        "take": {Take: _take_chips, Adjust: _adjust_score},
        "exchange": {Exchange: _exchange_markers, Return: _refuse_return, Adjust: _adjust_score},
        "return": {Return: _return_chip, Adjust: _adjust_score},
        "over": {Next: _begin_new_game, Adjust: _adjust_score},
    },
    view=view,
    interpret_scan=interpret_scan,
)
