"""How a half-inning goes on: from a counted hand to runs, outs, the other side, the end of the game. Pure.

The state of 'Round the Bases (docs/reference/games/bases.md); `companion.rules.baseball.game` makes its moves.
"""

from dataclasses import dataclass, replace

from companion.rules import cribbage
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import NOBODY, OUTS, Diamond
from companion.rules.baseball.spaces import Spaces
from companion.rules.engine import plus
from companion.rules.match_terms import Scores, Terms


@dataclass(frozen=True, slots=True)
class Due:
    """Dice that are due. `why` is bat, must, pickle or steal; `number` saves the runner from base `origin` (0 the box).

    Who bats first has neither number nor origin.
    """

    why: str
    dice: int
    number: int | None = None
    origin: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The table as it stands. `scores` are runs; the points of the hand are `hand.scores`.

    `dealer` is the batter, None before the dice have said who bats first; `dealt` is who dealt the latest hand.
    `rolled` are dice that wait for the other side's; `tried` are the bases whose runners have tried to steal. `unrun`
    is the state before the runners moved, as long as muggins may still change how far.
    """

    terms: Terms
    spaces: Spaces
    innings: int
    hand: cribbage.State
    phase: str = "cut"
    dealer: int | None = None
    dealt: int = 0
    scores: Scores = (0, 0)
    inning: int = 1
    bottom: bool = False
    field: Diamond = NOBODY
    tried: frozenset[int] = frozenset()
    rolled: tuple[int, ...] = ()
    winner: int | None = None
    unrun: "State | None" = None

    @property
    def turn(self) -> int | None:
        """The seat asked for a card, a go or dice, else None."""
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
    def due(self) -> Due | None:
        """The dice that are due now."""
        if self.phase != "roll":
            return None
        runner = self.field.due
        if runner is None:
            return Due("bat", 1)
        if runner.says.kind == "pickle":
            return Due("pickle", 1, runner.says.number, runner.origin)
        return Due("steal" if runner.steals else "must", 2, runner.says.number, runner.origin)

    @property
    def needed(self) -> int | None:
        """How many runs would end the game at once: the side batting last goes ahead. None: no number would."""
        if not self.bottom or self.inning < self.innings or self.batting is None:
            return None
        return self.scores[1 - self.batting] - self.scores[self.batting] + 1


def run(state: State) -> State:
    """The hand is counted: batter and runners move what the batter's points are above the fielder's."""
    side = state.batting
    assert side is not None
    points = state.hand.scores
    field = diamond.hit(state.field, state.spaces, points[side] - points[1 - side], state.needed)
    return ran(state, field, "between")


def ran(state: State, field: Diamond, phase: str) -> State:
    """The runners have moved: runs and outs are counted, and the game goes on in `phase`, or with dice, or is over."""
    side, needed = state.batting, state.needed
    assert side is not None
    assert state.dealer is not None
    state = replace(state, scores=plus(state.scores, side, field.runs), field=field)
    if needed is not None and field.runs >= needed:
        return replace(shut(state), phase="over", winner=side)
    if field.outs == OUTS:
        return _retired(state)
    if field.waiting:
        return replace(state, phase="roll")
    partners = state.terms.seats > state.terms.sides and phase == "between"
    dealer = (state.dealt + 2) % state.terms.seats if partners else state.dealer
    return replace(state, phase=phase, dealer=dealer)


def _retired(state: State) -> State:
    """Three are out: the other side bats, or the game is over."""
    side = state.batting
    assert side is not None
    state = replace(state, field=Diamond(plays=state.field.plays), tried=frozenset())
    ahead = state.scores[side] - state.scores[1 - side]
    late = state.inning >= state.innings
    if late and (ahead < 0 or (ahead and state.bottom)):
        return replace(shut(state), phase="over", winner=side if ahead > 0 else 1 - side)
    dealer = (state.dealt + 1) % state.terms.seats
    inning = state.inning + state.bottom
    return replace(state, phase="between", dealer=dealer, inning=inning, bottom=not state.bottom)


def shut(state: State) -> State:
    """The state when a move that is none of the hand's has closed the window of its last claim."""
    if not state.terms.muggins:
        return state
    return replace(state, unrun=None, hand=replace(state.hand, deal=state.hand.deal.shut()))
