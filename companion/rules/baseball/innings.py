"""The course of a half-inning: from a counted hand to runs, outs, the other side, the end of the game. Pure.

Holds the state of 'Round the Bases (docs/reference/games/bases.md); `companion.rules.baseball.game` makes its moves.
"""

from dataclasses import dataclass, replace

from companion.rules import cribbage
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import EMPTY_DIAMOND, OUTS_PER_HALF_INNING, Diamond
from companion.rules.baseball.spaces import Spaces
from companion.rules.engine import add_at
from companion.rules.match_terms import MatchTerms, Scores


@dataclass(frozen=True, slots=True)
class DiceDue:
    """Dice to be rolled. `why` is bat, must, pickle or steal; `number` saves the runner from base `origin` (0: the
    box).

    A roll for the bat has neither number nor origin.
    """

    why: str
    dice: int
    number: int | None = None
    origin: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseballState:
    """The state of a game. `scores` are runs; the points of the hand are `hand.scores`.

    `dealer` is the batter; None until dice decide who bats first. `hand_dealer` dealt the latest hand. `rolled` are
    dice that wait for the other side's; `steals_tried` are the bases whose runners tried to steal. `before_run` is the
    state before the runners moved, kept as long as muggins may change how far they move.
    """

    terms: MatchTerms
    spaces: Spaces
    innings: int
    hand: cribbage.CribbageState
    phase: str = "cut"
    dealer: int | None = None
    hand_dealer: int = 0
    scores: Scores = (0, 0)
    inning: int = 1
    bottom: bool = False
    field: Diamond = EMPTY_DIAMOND
    steals_tried: frozenset[int] = frozenset()
    rolled: tuple[int, ...] = ()
    winner: int | None = None
    before_run: "BaseballState | None" = None

    @property
    def turn(self) -> int | None:
        """The seat that must play a card, say go or roll; None if no seat must."""
        if self.phase != "roll":
            return self.hand.turn if self.phase == self.hand.phase else None
        if self.dealer is None:
            return len(self.rolled)
        return (self.dealer + len(self.rolled)) % self.terms.seats

    @property
    def batting(self) -> int | None:
        """The side at bat."""
        return None if self.dealer is None else self.dealer % self.terms.sides

    @property
    def due(self) -> DiceDue | None:
        """The dice that must be rolled now."""
        if self.phase != "roll":
            return None
        runner = self.field.due_runner
        if runner is None:
            return DiceDue("bat", 1)
        if runner.space.kind == "pickle":
            return DiceDue("pickle", 1, runner.space.number, runner.origin)
        return DiceDue("steal" if runner.is_stealing else "must", 2, runner.space.number, runner.origin)

    @property
    def runs_needed(self) -> int | None:
        """Runs that win the game at once, for the side batting last. None: no number does."""
        if not self.bottom or self.inning < self.innings or self.batting is None:
            return None
        return self.scores[1 - self.batting] - self.scores[self.batting] + 1


def move_runners(state: BaseballState) -> BaseballState:
    """Move batter and runners, once the hand is counted, by the batter's points minus the fielder's."""
    side = state.batting
    assert side is not None
    points = state.hand.scores
    field = diamond.advance_runners(state.field, state.spaces, points[side] - points[1 - side], state.runs_needed)
    return score_runs(state, field, "between")


def score_runs(state: BaseballState, field: Diamond, phase: str) -> BaseballState:
    """Count the runs and outs of a move. The game continues in `phase` or with dice, or it is over."""
    side, needed = state.batting, state.runs_needed
    assert side is not None
    assert state.dealer is not None
    state = replace(state, scores=add_at(state.scores, side, field.runs), field=field)
    if needed is not None and field.runs >= needed:
        return replace(close_window(state), phase="over", winner=side)
    if field.outs == OUTS_PER_HALF_INNING:
        return _retire_side(state)
    if field.waiting:
        return replace(state, phase="roll")
    partners = state.terms.seats > state.terms.sides and phase == "between"
    dealer = (state.hand_dealer + 2) % state.terms.seats if partners else state.dealer
    return replace(state, phase=phase, dealer=dealer)


def _retire_side(state: BaseballState) -> BaseballState:
    """End the half-inning after three outs: the other side bats, or the game is over."""
    side = state.batting
    assert side is not None
    state = replace(state, field=Diamond(plays=state.field.plays), steals_tried=frozenset())
    ahead = state.scores[side] - state.scores[1 - side]
    late = state.inning >= state.innings
    if late and (ahead < 0 or (ahead and state.bottom)):
        return replace(close_window(state), phase="over", winner=side if ahead > 0 else 1 - side)
    dealer = (state.hand_dealer + 1) % state.terms.seats
    inning = state.inning + state.bottom
    return replace(state, phase="between", dealer=dealer, inning=inning, bottom=not state.bottom)


def close_window(state: BaseballState) -> BaseballState:
    """Close the muggins window of the hand, after a move that is not part of the hand."""
    if not state.terms.has_muggins:
        return state
    return replace(state, before_run=None, hand=replace(state.hand, deal=state.hand.deal.close_window()))
