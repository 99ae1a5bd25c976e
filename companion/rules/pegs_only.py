"""Only pegs and totals: the players deal and count by themselves, the companion keeps the score. Pure.

For a table without cards to read. Moving a peg is the claim; any points can be pegged that a hand can have
(docs/reference/games/pegs-only.md).
"""

from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import say
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, Setup, Step
from companion.rules.match_terms import DEFAULT, Scores, Terms, adjusted, settle, terms
from companion.rules.moves import Adjust, Move, Next, Peg
from companion.rules.scoring import is_possible


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The scores, and who has won."""

    terms: Terms = DEFAULT
    scores: Scores = (0, 0)
    winner: int | None = None

    @property
    def phase(self) -> str:
        """`play`, or `over` when a side has won."""
        return "play" if self.winner is None else "over"


def start(setup: Setup) -> State:
    """All at 0. Nobody is known to deal."""
    sides = GAME.sides(setup.seats)
    return State(terms=terms(setup, sides), scores=(0,) * sides)


def _peg(state: State, move: Peg) -> Step[State]:
    state.terms.side(move.seat)
    if move.points < 1:
        raise IllegalMove("A peg goes at least 1 forward: to go back, undo or adjust the score.")
    if not is_possible(move.points):
        raise IllegalMove("No hand is worth {points}: if it is meant, adjust the score.", points=move.points)
    scores, awards, winner = settle(state.terms, state.scores, [(Award(move.seat, move.points, "pegged"),)])
    return Step(replace(state, scores=scores, winner=winner), awards)


def _adjust(state: State, move: Adjust) -> Step[State]:
    """A score put right. A winner adjusted to below the target has not won after all."""
    scores = adjusted(state.terms, state.scores, move.seat, move.points)
    there = [side for side, score in enumerate(scores) if score == state.terms.target]
    winner = state.winner if state.winner in there else there[0] if there else None
    return Step(replace(state, scores=scores, winner=winner), (Award(move.seat, move.points, "adjust"),))


def _new_game(state: State, _: Next) -> Step[State]:
    return Step(State(terms=state.terms, scores=(0,) * state.terms.sides))


def view(state: State) -> dict[str, Any]:
    """What everybody may know. There are no cards, no turns and no dealer: what tells of them is empty."""
    return {
        "phase": state.phase, "dealer": None, "turn": None, "count": 0, "series": (), "starter": None, "gone": (),
        "played": ((),) * state.terms.seats, "crib": (), "scores": state.scores, "winner": state.winner,
    }  # fmt: skip


def scan(state: State, lying: tuple[Card, ...], card: Card) -> Move:  # noqa: ARG001 - as every game
    """Raises IllegalMove for every card."""
    raise IllegalMove("No cards are read in this game: only the pegs count.")


GAME = Game(
    key="pegs-only",
    title=say("Pegs only"),
    seats=(2, 3, 4),
    options={"target": ("121", "61")},
    say=say("No cards: the board reads the pegs, keeps the score and says who has won."),
    says={"target": say("How many points win.")},
    pegs="score",
    start=start,
    table={
        "play": {Peg: _peg, Adjust: _adjust},
        "over": {Next: _new_game, Adjust: _adjust},
    },
    view=view,
    scan=scan,
)
