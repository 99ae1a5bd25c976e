"""Score only: the players deal and count, the companion reads the pegs and keeps the score. Pure.

For a table without card readers. Moving a peg is the claim; any points that a hand can have may be pegged
(docs/reference/games/pegs-only.md).
"""

from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import format_message
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, Setup, Step, target_option
from companion.rules.match_terms import (
    DEFAULT_TERMS,
    MatchTerms,
    Scores,
    add_up_awards,
    adjust_score,
    create_terms,
    describe_outcome,
)
from companion.rules.moves import Adjust, Move, Next, Peg
from companion.rules.scoring import is_possible_score


@dataclass(frozen=True, slots=True, kw_only=True)
class PegsOnlyState:
    """The scores and the winner."""

    terms: MatchTerms = DEFAULT_TERMS
    scores: Scores = (0, 0)
    winner: int | None = None

    @property
    def phase(self) -> str:
        """`play`, or `over` once a side has won."""
        return "play" if self.winner is None else "over"


def start(setup: Setup) -> PegsOnlyState:
    """Return the state with all scores 0. The dealer is not known."""
    sides = GAME.count_sides(setup.seats)
    return PegsOnlyState(terms=create_terms(setup, sides), scores=(0,) * sides)


def _peg_points(state: PegsOnlyState, move: Peg) -> Step[PegsOnlyState]:
    state.terms.side_of(move.seat)
    if move.points < 1:
        raise IllegalMove("Peg at least 1 point: to go back, undo or adjust the score.")
    if not is_possible_score(move.points):
        raise IllegalMove("No hand is worth {points}: if you mean it, adjust the score.", points=move.points)
    scores, awards, winner = add_up_awards(state.terms, state.scores, [(Award(move.seat, move.points, "pegged"),)])
    return Step(replace(state, scores=scores, winner=winner), awards)


def _adjust_score(state: PegsOnlyState, move: Adjust) -> Step[PegsOnlyState]:
    """Correct a score. A winner whose score falls below the target has not won."""
    scores = adjust_score(state.terms, state.scores, move.seat, move.points)
    there = [side for side, score in enumerate(scores) if score == state.terms.target]
    winner = state.winner if state.winner in there else there[0] if there else None
    return Step(replace(state, scores=scores, winner=winner), (Award(move.seat, move.points, "adjust"),))


def _begin_new_game(state: PegsOnlyState, _: Next) -> Step[PegsOnlyState]:
    return Step(PegsOnlyState(terms=state.terms, scores=(0,) * state.terms.sides))


def view(state: PegsOnlyState) -> dict[str, Any]:
    """Return the public fields; those of cards, turns and dealer are empty. A finished game has `skunk`."""
    fields = {
        "phase": state.phase, "dealer": None, "turn": None, "count": 0, "series": (), "starter": None, "gone": (),
        "played": ((),) * state.terms.seats, "crib": (), "scores": state.scores, "winner": state.winner,
    }  # fmt: skip
    return fields if state.winner is None else fields | describe_outcome(state.terms, state.scores, state.winner)


def interpret_scan(state: PegsOnlyState, lying: tuple[Card, ...], card: Card) -> Move:  # noqa: ARG001 - as every game
    """Raise IllegalMove, because this game has no cards."""
    raise IllegalMove("This game has no cards: only the pegs count.")


GAME = Game(
    key="pegs-only",
    title=format_message("Score only"),
    seats=(2, 3, 4),
    options={"target": target_option("121", "61")},
    description=format_message("You play and count with your own cards; the companion keeps the score."),
    peg_role="score",
    start=start,
    moves_by_phase={
        "play": {Peg: _peg_points, Adjust: _adjust_score},
        "over": {Next: _begin_new_game, Adjust: _adjust_score},
    },
    view=view,
    interpret_scan=interpret_scan,
)
