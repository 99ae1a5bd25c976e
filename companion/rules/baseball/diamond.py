"""Runners on the bases: who moves, who must roll, who is out, who scores. Pure; knows no cards and no seats.

Runners are resolved nearest to home first, the batter last. The third out ends the half-inning, and the winning run
ends the game (docs/reference/games/bases.md).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.rules.baseball.spaces import HOME_SPACE, LEG_LENGTH, Space, Spaces, find_space

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
        """Whether the runner is stealing a base."""
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
        """The runs of the latest step."""
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
    """Score a home run: the batter and every runner score."""
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
    """Score the runners from these bases."""
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
