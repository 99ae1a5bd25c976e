"""Runners round the bases: who moves, who must roll, who is out, who scores. Pure; knows no cards and no seats.

Nearest home first, the batter last; the third out stops everything, and so does the run that wins
(docs/reference/games/bases.md).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.rules.baseball.spaces import HOME, LEG, Space, Spaces, at

Bases = tuple[bool, bool, bool]

EMPTY: Bases = (False, False, False)
OUTS = 3
"""So many retire the side."""
STEAL = Space("roll", 6)
"""What a stolen base needs on either die."""

_OUT, _NEXT = Space("out"), Space("base")


@dataclass(frozen=True, slots=True)
class Run:
    """What became of a runner: from a base (0 the batter's box) towards a base (4 is home): safe, out or run."""

    origin: int
    to: int
    result: str


@dataclass(frozen=True, slots=True)
class Runner:
    """A runner not yet judged: where he stood, the base he would reach, and where he is, `at` so far from home.

    `says` is what the space does where he is. A stealing runner waits on his base.
    """

    origin: int
    to: int
    at: int
    says: Space

    @property
    def steals(self) -> bool:
        """Whether he runs of his own will."""
        return self.at == self.origin * LEG


@dataclass(frozen=True, slots=True)
class Diamond:
    """One half-inning: who is on base, how many are out, who is still to be judged, the first of them by dice.

    `runs` (what was scored) and `plays` are those of the latest step only. Who is not judged stands where he stood.
    """

    bases: Bases = EMPTY
    outs: int = 0
    waiting: tuple[Runner, ...] = ()
    plays: tuple[Run, ...] = ()

    @property
    def due(self) -> Runner | None:
        """The runner for whom dice are to be rolled now."""
        return self.waiting[0] if self.waiting else None

    @property
    def runs(self) -> int:
        """The runs of the latest step."""
        return sum(play.result == "run" for play in self.plays)


NOBODY = Diamond()
"""A half-inning before its first hand."""


def hit(diamond: Diamond, spaces: Spaces, net: int, needed: int | None = None) -> Diamond:
    """Batter and runners move `net` spaces . `needed` runs end the game at once; None: they never do."""
    if net <= 0 or (net < LEG and at(spaces, net).kind == "out"):
        return _on(replace(diamond, plays=(), waiting=(Runner(0, 1, 1, _OUT),)))
    if net >= HOME:
        return homer(diamond)
    running = _from_home(diamond.bases)
    short = [origin for origin in running if origin * LEG + net < HOME]
    scored = _scored(diamond, running[: -len(short)])
    if needed is not None and scored.runs >= needed:
        return scored
    return _on(replace(scored, waiting=tuple(_movers(spaces, short, net))), needed)


def homer(diamond: Diamond) -> Diamond:
    """A home run: every runner and the batter score."""
    return _scored(diamond, _from_home(diamond.bases))


def steal(diamond: Diamond, base: int) -> Diamond:
    """The runner on `base` sets out for the next: dice are due."""
    return replace(diamond, plays=(), waiting=(Runner(base, base + 1, base * LEG, STEAL),))


def judged(diamond: Diamond, *, safe: bool, needed: int | None = None) -> Diamond:
    """The dice have fallen for the runner who was due; those after him follow until dice are due again."""
    first = replace(diamond.waiting[0], says=_NEXT if safe else _OUT)
    return _on(replace(diamond, plays=(), waiting=(first, *diamond.waiting[1:])), needed)


def _movers(spaces: Spaces, origins: Iterable[int], net: int) -> Iterator[Runner]:
    """What each runner short of home meets. One pickle a hand, the lead runner's: others there take the next base."""
    pickled = False
    for origin in origins:
        space = origin * LEG + net
        says, passed = at(spaces, space), space // LEG
        if says.kind == "pickle":
            says, pickled = (_NEXT if pickled else says), True
        stays = says.kind == "safe" or space % LEG == 0
        yield Runner(origin, passed if stays else passed + 1, space, says)


def _from_home(bases: Bases) -> list[int]:
    """The bases that are taken, nearest home first, and the batter's box last."""
    return [base for base in (3, 2, 1) if bases[base - 1]] + [0]


def _scored(diamond: Diamond, origins: Iterable[int]) -> Diamond:
    """These come home together."""
    for_home = tuple(Run(origin, 4, "run") for origin in origins)
    bases = _without(diamond.bases, (play.origin for play in for_home))
    return replace(diamond, bases=bases, plays=for_home, waiting=())


def _on(diamond: Diamond, needed: int | None = None) -> Diamond:
    """Everybody is judged in order, up to the next dice, the third out or the run that wins."""
    while diamond.waiting and diamond.waiting[0].says.kind not in ("roll", "pickle"):
        diamond = _settled(diamond, diamond.waiting[0])
        if diamond.outs == OUTS or (needed is not None and diamond.runs >= needed):
            return replace(diamond, waiting=())
    return diamond


def _settled(diamond: Diamond, runner: Runner) -> Diamond:
    out = runner.says.kind == "out"
    result = "out" if out else "run" if runner.to == 4 else "safe"
    bases = _without(diamond.bases, (runner.origin,))
    if result == "safe":
        bases = tuple(taken or base == runner.to for base, taken in enumerate(bases, 1))  # type: ignore[assignment]
    return Diamond(
        bases, diamond.outs + out, diamond.waiting[1:], (*diamond.plays, Run(runner.origin, runner.to, result))
    )


def _without(bases: Bases, gone: Iterable[int]) -> Bases:
    left = set(gone)
    first, second, third = (taken and base not in left for base, taken in enumerate(bases, 1))
    return first, second, third
