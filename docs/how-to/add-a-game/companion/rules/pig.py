"""Pig: roll one die as often as you dare, and stop before a one takes it all. Pure.

As John Scarne described it in 1945, to 100.
"""

from dataclasses import dataclass, replace
from typing import Any, NoReturn

from companion.common.errors import IllegalMove
from companion.i18n import format_message
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, Setup, Step, target_option
from companion.rules.match_terms import MatchTerms, Scores, add_up_awards, adjust_score, create_terms
from companion.rules.moves import Adjust, Go, Next, Roll


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Whose turn it is, and the points rolled in it that are not scored yet."""

    terms: MatchTerms
    scores: Scores
    turn: int
    count: int = 0
    winner: int | None = None

    @property
    def phase(self) -> str:
        """`roll`, or `over` when somebody has won."""
        return "roll" if self.winner is None else "over"


def start(setup: Setup) -> State:
    """Return the first state: all scores are 0, and the dealer rolls first."""
    return State(terms=create_terms(setup, setup.seats), scores=(0,) * setup.seats, turn=setup.dealer or 0)


def _roll(state: State, move: Roll) -> Step[State]:
    _check(state, move.seat)
    if len(move.dice) != 1:
        raise IllegalMove("One die is rolled at a time.")
    if move.dice[0] == 1:
        return Step(replace(state, turn=_left(state), count=0))
    return Step(replace(state, count=state.count + move.dice[0]))


def _go(state: State, move: Go) -> Step[State]:
    """Score the points of this turn and pass the turn on."""
    _check(state, move.seat)
    if not state.count:
        raise IllegalMove("Roll at least once.")
    award = Award(state.turn, state.count, "pegged")
    scores, awards, winner = add_up_awards(state.terms, state.scores, [(award,)])
    return Step(replace(state, scores=scores, turn=_left(state), count=0, winner=winner), awards)


def _adjust(state: State, move: Adjust) -> Step[State]:
    scores = adjust_score(state.terms, state.scores, move.seat, move.points)
    winner = next((seat for seat, score in enumerate(scores) if score == state.terms.target), None)
    return Step(replace(state, scores=scores, winner=winner), (Award(move.seat, move.points, "adjust"),))


def _next(state: State, _: Next) -> Step[State]:
    return Step(replace(state, scores=(0,) * state.terms.seats, count=0, winner=None))


def _check(state: State, seat: int) -> None:
    if seat != state.turn:
        raise IllegalMove("It is {name}'s turn.", name=state.terms.seat_names[state.turn])


def _left(state: State) -> int:
    return (state.turn + 1) % state.terms.seats


def view(state: State) -> dict[str, Any]:
    """Return the public view. `due` is the number of dice that the dice button rolls."""
    rolling = state.winner is None
    return {
        "phase": state.phase,
        "turn": state.turn if rolling else None,
        "count": state.count,
        "due": {"dice": 1} if rolling else None,
        "scores": state.scores,
        "winner": state.winner,
    }


def interpret_scan(state: State, lying: tuple[Card, ...], card: Card) -> NoReturn:  # noqa: ARG001 - as every game
    """Refuse every card."""
    raise IllegalMove("Pig is played without cards.")


GAME = Game(
    key="pig",
    title=format_message("Pig"),
    seats=(2, 3),
    options={"target": target_option("100", "61")},
    description=format_message("Roll as often as you dare: a 1 takes all that this turn has won."),
    start=start,
    moves_by_phase={
        "roll": {Roll: _roll, Go: _go, Adjust: _adjust},
        "over": {Next: _next, Adjust: _adjust},
    },
    view=view,
    interpret_scan=interpret_scan,
    count_sides=lambda seats: seats,
)
