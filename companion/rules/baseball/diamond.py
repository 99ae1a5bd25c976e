"""The field of 'Round the Bases: its spaces, the runners on the bases, and the course of a half-inning. Pure.

The effects of the 24 spaces are board data (`[spaces.…]` of a board file, docs/reference/games/bases.md). A space is a
leg and an offset from 1 to 6; offset 6 is the next base. Runners are resolved nearest to home first, the batter last.
The third out ends the half-inning, and the winning run ends the game.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import BoardError
from companion.common.files import read_toml
from companion.common.paths import resource_folder
from companion.rules import cribbage
from companion.rules.engine import add_at
from companion.rules.match_terms import MatchTerms, Scores

LEGS = ("home-first", "first-second", "second-third", "third-home")
"""The legs in running order."""
LEG_LENGTH = 6
"""Spaces from one base to the next."""
HOME_SPACE = LEG_LENGTH * len(LEGS)
"""The space of home plate; a runner at or past it scores."""


class Space(NamedTuple):
    """The effect of a space: `out`, `safe` at the last base, on a `base`, or `roll` or `pickle` with a number."""

    kind: str
    number: int = 0


Spaces = tuple[tuple[Space, ...], ...]
"""The four legs, each with its six spaces."""


def find_space(spaces: Spaces, space: int) -> Space:
    """Return the space at a distance from home of 1 to 23."""
    leg, offset = divmod(space - 1, LEG_LENGTH)
    return spaces[leg][offset]


@cache
def load_preset(name: str, board: str = "") -> Spaces:
    """Return the table `standard` or `harsh` from the board file with this path; empty: from the shipped board.

    Raises BoardError.
    """
    path = Path(board) if board else resource_folder("hardware/boards") / "bases.toml"
    try:
        tables = read_toml(path)["spaces"]
        return parse_spaces(tables[name])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise BoardError(f"The board file {path.name} has no table of spaces named {name}.") from error
    except BoardError as error:
        raise BoardError(f"The spaces named {name} in the board file {path.name}: {error}") from None


def parse_spaces(table: Mapping[str, Any]) -> Spaces:
    """Return the spaces of a board file's table. Raises BoardError if no game can be played with it."""
    missing = next((leg for leg in LEGS if leg not in table), None)
    if missing:
        raise BoardError(f"the leg {missing} is missing.")
    spaces = tuple(_parse_leg(leg, table[leg]) for leg in LEGS)
    if any(space.kind == "safe" for space in spaces[0]):
        raise BoardError("no space between home and first can be safe, because a runner cannot stay at home.")
    for behind, ahead, leg in zip(spaces, spaces[1:], LEGS[1:], strict=False):
        for offset, (one, other) in enumerate(zip(behind, ahead, strict=True), 1):
            if other.kind == "safe" and one.kind not in ("safe", "out"):
                raise BoardError(f"space {offset} of {leg} cannot be safe: the runner behind could reach that base.")
    return spaces


def format_spaces(spaces: Spaces) -> dict[str, list[str]]:
    """Return a table in the form that `parse_spaces` reads."""
    return {
        leg: [f"{space.kind} {space.number or ''}".strip() for space in row]
        for leg, row in zip(LEGS, spaces, strict=True)
    }


def _parse_leg(name: str, value: Any) -> tuple[Space, ...]:
    if not isinstance(value, list) or len(value) != LEG_LENGTH:
        raise BoardError(f"the leg {name} must have {LEG_LENGTH} spaces.")
    leg = tuple(_parse_space(name, space) for space in value)
    if leg[-1].kind != "base" or any(space.kind == "base" for space in leg[:-1]):
        raise BoardError(f'the last space of {name}, and no other, must be "base".')
    return leg


def _parse_space(leg: str, value: Any) -> Space:
    kind, _, number = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if kind in ("out", "safe", "base") and not number:
        return Space(kind)
    if kind in ("roll", "pickle") and number in ("1", "2", "3", "4", "5", "6"):
        return Space(kind, int(number))
    raise BoardError(f'a space of {leg} must be "out", "safe", "base", or "roll" or "pickle" with a number of 1 to 6.')


Bases = tuple[bool, bool, bool]

EMPTY_BASES: Bases = (False, False, False)
OUTS_PER_HALF_INNING = 3
"""Outs that end a half-inning."""
STEAL_SPACE = Space("roll", 6)
"""What a stolen base needs: this number on either die."""

_OUT_SPACE, _BASE_SPACE = Space("out"), Space("base")


@dataclass(frozen=True, slots=True)
class RunnerResult:
    """The result of a runner's move from a base (0: the batter's box) to a base (4: home): safe, out or run."""

    origin: int
    to: int
    result: str


@dataclass(frozen=True, slots=True)
class Runner:
    """A runner whose move is not resolved yet: the base of origin, the base ahead, and the position, counted from home.

    `space` is the space where the runner is. A stealing runner waits on the base of origin.
    """

    origin: int
    to: int
    position: int
    space: Space

    @property
    def is_stealing(self) -> bool:
        return self.position == self.origin * LEG_LENGTH


@dataclass(frozen=True, slots=True)
class Diamond:
    """One half-inning: the occupied bases, the outs, and the runners waiting to be resolved; the first waits for dice.

    `plays` and `runs` are those of the latest step only. A waiting runner still occupies the base of origin.
    """

    bases: Bases = EMPTY_BASES
    outs: int = 0
    waiting: tuple[Runner, ...] = ()
    plays: tuple[RunnerResult, ...] = ()

    @property
    def due_runner(self) -> Runner | None:
        """The runner for whom dice must be rolled now."""
        return self.waiting[0] if self.waiting else None

    @property
    def runs(self) -> int:
        return sum(play.result == "run" for play in self.plays)


EMPTY_DIAMOND = Diamond()
"""A half-inning before its first hand."""


def advance_runners(diamond: Diamond, spaces: Spaces, net: int, needed: int | None = None) -> Diamond:
    """Move batter and runners by `net` spaces. `needed` runs end the game at once; None: no number does."""
    if net <= 0 or (net < LEG_LENGTH and find_space(spaces, net).kind == "out"):
        return _resolve_until_dice(replace(diamond, plays=(), waiting=(Runner(0, 1, 1, _OUT_SPACE),)))
    if net >= HOME_SPACE:
        return score_home_run(diamond)
    running = _occupied_bases(diamond.bases)
    short = [origin for origin in running if origin * LEG_LENGTH + net < HOME_SPACE]
    scored = _score_together(diamond, running[: -len(short)])
    if needed is not None and scored.runs >= needed:
        return scored
    return _resolve_until_dice(replace(scored, waiting=tuple(_find_runners(spaces, short, net))), needed)


def score_home_run(diamond: Diamond) -> Diamond:
    return _score_together(diamond, _occupied_bases(diamond.bases))


def start_steal(diamond: Diamond, base: int) -> Diamond:
    """Let the runner on `base` try to steal the next base: dice are due."""
    return replace(diamond, plays=(), waiting=(Runner(base, base + 1, base * LEG_LENGTH, STEAL_SPACE),))


def resolve_due_runner(diamond: Diamond, *, safe: bool, needed: int | None = None) -> Diamond:
    """Resolve the runner for whom dice were rolled, and those behind until dice are due again."""
    first = replace(diamond.waiting[0], space=_BASE_SPACE if safe else _OUT_SPACE)
    return _resolve_until_dice(replace(diamond, plays=(), waiting=(first, *diamond.waiting[1:])), needed)


def _find_runners(spaces: Spaces, origins: Iterable[int], net: int) -> Iterator[Runner]:
    """Yield what each runner short of home meets. Only the lead runner is in a pickle; others take the next base."""
    pickled = False
    for origin in origins:
        space = origin * LEG_LENGTH + net
        says, passed = find_space(spaces, space), space // LEG_LENGTH
        if says.kind == "pickle":
            says, pickled = (_BASE_SPACE if pickled else says), True
        stays = says.kind == "safe" or space % LEG_LENGTH == 0
        yield Runner(origin, passed if stays else passed + 1, space, says)


def _occupied_bases(bases: Bases) -> list[int]:
    """Return the occupied bases, nearest to home first, and the batter's box last."""
    return [base for base in (3, 2, 1) if bases[base - 1]] + [0]


def _score_together(diamond: Diamond, origins: Iterable[int]) -> Diamond:
    for_home = tuple(RunnerResult(origin, 4, "run") for origin in origins)
    bases = _clear_bases(diamond.bases, (play.origin for play in for_home))
    return replace(diamond, bases=bases, plays=for_home, waiting=())


def _resolve_until_dice(diamond: Diamond, needed: int | None = None) -> Diamond:
    """Resolve the waiting runners in order, up to the next dice, the third out or the winning run."""
    while diamond.waiting and diamond.waiting[0].space.kind not in ("roll", "pickle"):
        diamond = _resolve_runner(diamond, diamond.waiting[0])
        if diamond.outs == OUTS_PER_HALF_INNING or (needed is not None and diamond.runs >= needed):
            return replace(diamond, waiting=())
    return diamond


def _resolve_runner(diamond: Diamond, runner: Runner) -> Diamond:
    out = runner.space.kind == "out"
    result = "out" if out else "run" if runner.to == 4 else "safe"
    bases = _clear_bases(diamond.bases, (runner.origin,))
    if result == "safe":
        bases = tuple(taken or base == runner.to for base, taken in enumerate(bases, 1))  # type: ignore[assignment]
    return Diamond(
        bases, diamond.outs + out, diamond.waiting[1:], (*diamond.plays, RunnerResult(runner.origin, runner.to, result))
    )


def _clear_bases(bases: Bases, gone: Iterable[int]) -> Bases:
    left = set(gone)
    first, second, third = (taken and base not in left for base, taken in enumerate(bases, 1))
    return first, second, third


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
        return None if self.dealer is None else self.dealer % self.terms.sides

    @property
    def due(self) -> DiceDue | None:
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
    field = advance_runners(state.field, state.spaces, points[side] - points[1 - side], state.runs_needed)
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
