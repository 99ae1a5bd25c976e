"""One row of the table of rulings, and the move that it judges. Pure.

`companion.rules.rulings` has the rows for moves of the game, `infringements.toml` those that are called.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.common.constants import MAX_HAND_POINTS
from companion.rules.engine import Game, History, apply
from companion.rules.match_terms import MatchTerms
from companion.rules.moves import Claim, Move
from companion.rules.scoring import is_possible_score

THE_OPPONENT = "the opponent"
"""`caller` of a row that only the other side may call; the column of the documentation."""


class Case(NamedTuple):
    """A move to be judged: the states before and after it, the history that ends with it, and `seen` as in `Rule`."""

    game: Game[Any]
    past: History[Any]
    before: Any
    state: Any
    move: Any
    seen: str = ""

    @property
    def terms(self) -> MatchTerms:
        terms: MatchTerms = self.state.terms
        return terms

    @property
    def holes_left(self) -> int:
        """How many holes the side that moved had to go before the move."""
        score: int = self.before.scores[self.terms.side_of(self.move.seat)]
        return self.terms.target - score

    def opponent_of(self, seat: int) -> int:
        """Return the seat that gains by a fault of `seat`."""
        return (seat + 1) % self.terms.seats

    def true_points(self) -> int:
        """Return the points that the claim should have named."""
        claimed = self.before.deal.claims
        truth = claimed.pending.truth if claimed.pending is not None else claimed.unclaimed[self.move.seat]
        return sum(award.points for award in truth or ())

    def replay_friendly(self) -> Any:
        """Return the state as it would be without the penalties of a tournament."""
        terms = self.terms
        friendly = replace(terms, policy=replace(terms.policy, is_tournament=False))
        pending, move = self.before.deal.claims.pending, self.move
        is_hand = isinstance(move, Claim) and pending is not None and pending.kind != "play"
        if is_hand and not is_possible_score(move.points):  # a peg in the game hole, which a friendly game refuses
            move = replace(move, points=MAX_HAND_POINTS)
        return replace(apply(self.game, replace(self.before, terms=friendly), move).state, terms=terms)


class Finding(NamedTuple):
    """What a row finds: the seat that broke the rule, points and holes back for its sentence, what carries it out.

    `accepted` and `waived` are as in `Ruling`.
    """

    seat: int
    points: int
    moves: tuple[Move, ...] = ()
    waived: Any = None
    back: int = 0
    accepted: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingRow:
    """A row of the table; docs/reference/rulings.md says of each what is seen, until when, and what follows.

    `find` returns the finding for a move of one of these `kinds`, or None. In `say`, {who} broke the rule, {other} is
    the opponent and {points} the points of the finding. A row with `what` is for the `Infringement` of that name, and
    `offer` is its text in the list of what can be called; empty if a refused move calls it. `offered_points` are the
    points with which it is offered.
    """

    rule: str
    caller: str = THE_OPPONENT
    say: str
    kinds: tuple[type[Move], ...]
    find: Callable[[Case], Finding | None]
    what: str = ""
    offer: str = ""
    offered_points: tuple[int | None, ...] = (None,)
