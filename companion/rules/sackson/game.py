"""Sackson swap for two, or four as two sides: docs/reference/games/swap.md. Pure.

A turn takes chips until its side holds two, exchanges a marker of each of the two colours, scores the figures that
makes, and gives one chip back. Geometry is in `companion.rules.sackson.grid`; here are chips, turns, stones and points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import Sentence, capital, joined, say
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, Setup, Step, plus, put
from companion.rules.match_terms import Scores, Terms, terms
from companion.rules.moves import Adjust, Cell, Exchange, Lay, Move, Next, Return, Take
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS, FIGURES, SIZE, Display

STONES = (5, 3, 2, 1)
"""What a figure of a colour is worth the first, the second, the third time, and ever after."""

TARGET = 61
DOUBLE = 11
"""A winner ahead by so many has won double."""

TERMS = Terms(target=TARGET)
"""Two players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The table as it stands. `seat` moves, or will; `held` are the chips of each side, in the order taken.

    `stones[figure][colour]` is the place of the point stone in `STONES`. `laid` is None until the markers lie.
    `zigzag`, `diagonals` and `dealt` (start=random) are the options.
    """

    terms: Terms = TERMS
    phase: str = "take"
    seat: int = 0
    scores: Scores = (0, 0)
    laid: Display | None = grid.FIXED
    held: tuple[tuple[str, ...], ...] = ((), ())
    stones: tuple[tuple[int, ...], ...] = ((0,) * len(COLOURS),) * len(FIGURES)
    winner: int | None = None
    zigzag: str = "alternating"
    diagonals: bool = True
    dealt: bool = False

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is, else None."""
        return self.seat if self.phase in ("take", "exchange", "return") else None

    @property
    def bank(self) -> tuple[str, ...]:
        """The chips nobody holds."""
        return tuple(colour for colour in COLOURS if not any(colour in chips for chips in self.held))


def start(setup: Setup) -> State:
    """The first turn, or with start=random the display to be laid."""
    get = setup.options.get
    first = State(
        terms=terms(setup, 2),
        seat=setup.dealer or 0,
        zigzag=get("zigzag", "alternating"),
        diagonals=get("diagonals", "on") == "on",
        dealt=get("start", "fixed") == "random",
    )
    return _begun(first, first.seat)


def _begun(state: State, seat: int) -> State:
    """A new game on the same terms, begun by `seat`."""
    fresh = State(terms=state.terms, seat=seat, zigzag=state.zigzag, diagonals=state.diagonals, dealt=state.dealt)
    return replace(fresh, phase="lay", laid=None) if state.dealt else fresh


def _lay(state: State, move: Lay) -> Step[State]:
    if sorted(move.colours) != sorted(COLOURS * SIZE):
        raise IllegalMove("The display has 25 markers, five each of {join}.", join=joined(map(say, COLOURS)))
    laid = grid.laid(move.colours)
    figures = _figures(state)
    for colour, bits in zip(COLOURS, laid, strict=True):
        if bits in figures:
            raise IllegalMove(
                "The five {colour} markers lie as a {figures} at the start: lay them differently.",
                colour=say(colour),
                figures=say(figures[bits]),
            )
    for one, other in grid.pairs():
        for a, b in grid.exchanges(laid, one, other):
            after = grid.exchanged(laid, a, b)
            made = next((colour for colour in (one, other) if after[colour] in figures), None)
            if made is not None:
                name = say("{colour} {figure}", colour=say(COLOURS[made]), figure=say(figures[after[made]]))
                raise IllegalMove("A first exchange could make a {name}: lay the markers differently.", name=name)
    return Step(replace(state, phase="take", laid=laid))


def _take(state: State, move: Take) -> Step[State]:
    side = _asked(state, move.seat)
    held = state.held[side]
    due = 2 - len(held)
    if len(move.chips) != due or len(set(move.chips)) != due:
        if due == 2:
            raise IllegalMove("The first turn takes two different chips.")
        raise IllegalMove("Take one chip to the {colour} one held.", colour=say(held[0]))
    for chip in move.chips:
        if chip not in state.bank:
            raise IllegalMove("The {chip} chip is not in the bank.", chip=say(chip))
    after = replace(state, held=put(state.held, side, (*held, *move.chips)))
    one, other = _two(after, side)
    possible = next(grid.exchanges(_display(state), one, other), None)
    return Step(replace(after, phase="return" if possible is None else "exchange"))


def _exchange(state: State, move: Exchange) -> Step[State]:
    side = _asked(state, move.seat)
    _allowed(state, side, move.a, move.b)
    laid = grid.exchanged(_display(state), move.a, move.b)
    figures = _figures(state)
    moved = [grid.colour_at(_display(state), cell) for cell in (move.a, move.b)]
    made = [(figures[laid[colour]], colour) for colour in moved if laid[colour] in figures]
    stones, awards = state.stones, list[Award]()
    for name, colour in made:
        row = FIGURES.index(name)
        place = stones[row][colour]
        awards.append(Award(move.seat, STONES[place], name))
        stones = put(stones, row, put(stones[row], colour, min(place + 1, len(STONES) - 1)))
    scores = plus(state.scores, side, sum(award.points for award in awards))
    after = replace(state, phase="return", laid=laid, stones=stones, scores=scores)
    if len(made) == 1:
        after = _turn_ended(after, side, COLOURS[made[0][1]])
    return Step(after, tuple(awards))


def _return(state: State, move: Return) -> Step[State]:
    side = _asked(state, move.seat)
    if move.chip not in state.held[side]:
        raise IllegalMove(
            "The {chip} chip is not held: return the {join} one.",
            chip=say(move.chip),
            join=_or(state.held[side]),
        )
    return Step(_turn_ended(state, side, move.chip))


def _no_return(state: State, _: Return) -> Step[State]:
    one, other = state.held[state.seat % 2]
    raise IllegalMove(
        "A {one} and a {other} marker can be exchanged, so they must be before a chip goes back.",
        one=say(one),
        other=say(other),
    )


def _or(held: tuple[str, ...]) -> Sentence:
    one, *others = map(say, held)
    return say("{one} or the {other}", one=one, other=others[0]) if others else one


def _turn_ended(state: State, side: int, chip: str) -> State:
    """The chip goes back, and it is the next seat's turn, unless the side has won with this turn."""
    held = put(state.held, side, tuple(c for c in state.held[side] if c != chip))
    after = replace(state, held=held, phase="take", seat=(state.seat + 1) % state.terms.seats)
    return _won(after, side) if after.scores[side] >= after.terms.target else after


def _won(state: State, side: int) -> State:
    return replace(state, phase="over", winner=side)


def _adjust(state: State, move: Adjust) -> Step[State]:
    """A score put right. Reaching the target so ends the game at once; in a finished game the winner stays."""
    side = state.terms.side(move.seat)
    score = state.scores[side] + move.points
    if score < 0:
        raise IllegalMove(
            "{who} has only {scores}: no score can be below 0.", who=state.terms.names[side], scores=state.scores[side]
        )
    reached = state.scores[side] < state.terms.target <= score
    after = replace(state, scores=put(state.scores, side, score))
    if reached and state.winner is None:
        after = _won(after, side)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def _new_game(state: State, _: Next) -> Step[State]:
    """The loser begins: of four, the loser whose turn it is next or, if it is the winner's, who sits to the left."""
    assert state.winner is not None
    losers_turn = state.seat % 2 != state.winner
    return Step(_begun(state, state.seat if losers_turn else (state.seat + 1) % state.terms.seats))


def _asked(state: State, seat: int) -> int:
    """The side of the seat, if it is its turn; else raises IllegalMove."""
    side = state.terms.side(seat)
    if seat != state.seat:
        raise IllegalMove("It is {who}'s turn.", who=state.terms.names[state.seat])
    return side


def _allowed(state: State, side: int, a: Cell, b: Cell) -> None:
    """Raise IllegalMove for an exchange that the chips or the contact of the markers forbid."""
    laid = _display(state)
    if not all(0 <= n < SIZE for n in (*a, *b)):
        raise IllegalMove("There is no such cell: rows and columns are 0 to {word}.", word=SIZE - 1)
    one, other = (COLOURS[colour] for colour in _two(state, side))
    found = {COLOURS[grid.colour_at(laid, cell)] for cell in (a, b)}
    if found != {one, other}:
        raise IllegalMove(
            "Exchange a {one} marker with a {other} one: these are the chips held.", one=say(one), other=say(other)
        )
    faults = grid.faults(laid, a, b)
    if faults:
        raise IllegalMove("{faults}.", faults=capital(joined([_fault(fault) for fault in faults], "; ")))


def _fault(fault: grid.Fault) -> Sentence:
    return say(
        "the {one} marker would be isolated, and the five {others} ones would not be connected",
        one=say(COLOURS[fault.isolated]),
        others=say(COLOURS[fault.parted]),
    )


def _two(state: State, side: int) -> tuple[int, int]:
    one, other = state.held[side]
    return COLOURS.index(one), COLOURS.index(other)


def _display(state: State) -> Display:
    assert state.laid is not None
    return state.laid


def _figures(state: State) -> Mapping[int, str]:
    return grid.figures(state.zigzag, state.diagonals)


def view(state: State) -> dict[str, Any]:
    """What everybody may know (docs/reference/games/swap.md#for-other-programs).

    `legal`, while an exchange is due, is each pair of cells allowed.
    """
    told: dict[str, Any] = {
        "phase": state.phase, "turn": state.turn, "scores": state.scores, "winner": state.winner,
        "double": _is_double(state), "display": _BARE if state.laid is None else grid.rows(state.laid),
        "bank": state.bank, "held": state.held, "stones": _stones(state.stones),
    }  # fmt: skip
    if state.phase == "exchange":
        told["legal"] = tuple(grid.exchanges(_display(state), *_two(state, state.seat % 2)))
    return told


_BARE = ((None,) * SIZE,) * SIZE


def _is_double(state: State) -> bool:
    winner = state.winner
    return winner is not None and state.scores[winner] - state.scores[1 - winner] >= DOUBLE


def _stones(stones: Sequence[Sequence[int]]) -> dict[str, dict[str, int]]:
    return {
        figure: {colour: STONES[place] for colour, place in zip(COLOURS, row, strict=True)}
        for figure, row in zip(FIGURES, stones, strict=True)
    }


def scan(state: State, lying: tuple[Card, ...], card: Card) -> Move:  # noqa: ARG001 - as every game
    """Raises IllegalMove for every card."""
    raise IllegalMove("No cards are read in this game: it is played with markers and chips.")


GAME = Game(
    key="swap",
    title=say("Sackson swap"),
    seats=(2, 4),
    options={
        "target": (str(TARGET),),
        "zigzag": ("alternating", "stairs"),
        "diagonals": ("on", "off"),
        "start": ("fixed", "random"),
    },
    say=say("Exchange markers on a display of 25 to make figures; the points are pegged, to 61."),
    says={
        "target": say("How many points win."),
        "zigzag": say("What a zig-zag looks like: two rows in turn, or a flight of stairs."),
        "diagonals": say("Whether the two long diagonals are lines too."),
        "start": say("The markers lie as they always do, or as you lay them."),
    },
    start=start,
    table={
        "lay": {Lay: _lay, Adjust: _adjust},
        "take": {Take: _take, Adjust: _adjust},
        "exchange": {Exchange: _exchange, Return: _no_return, Adjust: _adjust},
        "return": {Return: _return, Adjust: _adjust},
        "over": {Next: _new_game, Adjust: _adjust},
    },
    view=view,
    scan=scan,
)
