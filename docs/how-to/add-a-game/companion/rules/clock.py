"""Round the clock: each turn is a roll of two dice, and each player's peg goes from hour to hour. Pure.

An old dice game; the first player at twelve o'clock wins.
"""

from dataclasses import dataclass, replace
from typing import Any, NoReturn

from companion.common.constants import SEAT_NAMES
from companion.common.errors import IllegalMove
from companion.i18n import format_message
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, HoleName, HoleNumbers, MarkerKind, MarkerLayout, Setup, Step, replace_at
from companion.rules.match_terms import MatchTerms, adjust_score
from companion.rules.moves import Adjust, Next, Roll

HOURS = 12
TERMS = MatchTerms(target=HOURS)
TRACKS = ("red", "blue")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The seat whose turn it is, or would be next, and the hours reached as scores."""

    seat: int
    scores: tuple[int, ...] = (0, 0)
    winner: int | None = None

    @property
    def phase(self) -> str:
        """`roll`, or `over` when somebody has won."""
        return "roll" if self.winner is None else "over"


def start(setup: Setup) -> State:
    """Return the first state: both pegs are at the start, and the dealer rolls first."""
    return State(seat=setup.dealer or 0)


def _roll(state: State, move: Roll) -> Step[State]:
    if move.seat != state.seat:
        raise IllegalMove("It is {name}'s turn.", name=SEAT_NAMES[state.seat])
    if len(move.dice) != 2:
        raise IllegalMove("Two dice are rolled at a time.")
    hour, dice = state.scores[move.seat], list(move.dice)
    while hour + 1 in dice:
        hour += 1
        dice.remove(hour)
    if hour + 1 == sum(dice):
        hour += 1
    return Step(replace(_at(state, move.seat, hour), seat=1 - state.seat))


def _adjust(state: State, move: Adjust) -> Step[State]:
    scores = adjust_score(TERMS, state.scores, move.seat, move.points)
    return Step(_at(state, move.seat, scores[move.seat]), (Award(move.seat, move.points, "adjust"),))


def _next(state: State, _: Next) -> Step[State]:
    return Step(State(seat=state.seat))


def _at(state: State, seat: int, hour: int) -> State:
    """Return the state with the peg of a seat at this hour."""
    winner = seat if hour == HOURS and state.winner is None else state.winner
    return replace(state, scores=replace_at(state.scores, seat, hour), winner=winner)


def view(state: State) -> dict[str, Any]:
    """Return the public view. `due` is the number of dice that the dice button rolls."""
    rolling = state.winner is None
    return {
        "phase": state.phase,
        "turn": state.seat if rolling else None,
        "due": {"dice": 2} if rolling else None,
        "scores": state.scores,
        "winner": state.winner,
    }


def interpret_scan(state: State, lying: tuple[Card, ...], card: Card) -> NoReturn:  # noqa: ARG001 - as every game
    """Refuse every card."""
    raise IllegalMove("Round the clock is played without cards.")


def _marker_kinds(state: State, _: HoleNumbers) -> tuple[MarkerKind, ...]:
    """Return one peg for each player, at its hour."""
    hours = enumerate(zip(TRACKS, state.scores, strict=True))
    return tuple(MarkerKind(track, (track,), ((track, hour),), side=seat) for seat, (track, hour) in hours)


def _name_hole(_track: str, number: int, _kind: str) -> HoleName:
    return HoleName("at", format_message("{n} o'clock", n=number) if number else format_message("the start"))


GAME = Game(
    key="clock",
    title=format_message("Round the clock"),
    seats=(2,),
    options={},
    description=format_message("Round the clock from 1 to 12, an hour for each die."),
    target=HOURS,
    board="clock",
    peg_role="mark",
    marker_layout=MarkerLayout(
        holes={track: range(HOURS + 1) for track in TRACKS}, marker_kinds=_marker_kinds, hole_name=_name_hole
    ),
    start=start,
    moves_by_phase={
        "roll": {Roll: _roll, Adjust: _adjust},
        "over": {Next: _next, Adjust: _adjust},
    },
    view=view,
    interpret_scan=interpret_scan,
)
