"""'Round the Bases: what outs, runners and hands are worth, in runs and in games won. Pure.

A half-inning is a chain: a hand's net moves runners by the rules' own `diamond`, dice fall as dice do, and what comes
of it is the next hand's start. Nets of hands were counted in deals of good players (`tables/bases-nets.json`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from companion.rules import diamond
from companion.rules.diamond import OUTS, Bases, Diamond
from companion.rules.spaces import HOME, Spaces

JACK = 1 / 13
"""How often a jack is cut: a home run."""
HIT = 11 / 36
"""How often either of two dice shows a number."""
EVEN = 0.5
"""A pickle, in which both roll for the same number; and the chances of both sides before an extra inning."""
FAR = 20
"""A lead of so many runs is not told from a greater one."""

Outcome = tuple[float, int, Bases, int]
"""How likely, and then outs, runners, runs."""


class Field(NamedTuple):
    """How it stands for the side at bat. `later`: half-innings still to come; with none left, a lead has won."""

    spaces: Spaces
    outs: int = 0
    bases: Bases = diamond.EMPTY
    ahead: int = 0
    later: int = 5


def field(view: Mapping[str, Any], spaces: Spaces, innings: int) -> Field:
    """The field of the game's public view."""
    batting = view["batting"]
    later = 2 * max(0, innings - view["inning"]) + (view["half"] == "top")
    ahead = view["scores"][batting] - view["scores"][1 - batting]
    return Field(spaces, view["outs"], tuple(view["bases"]), ahead, later)


class Chances:
    """Runs to come and games won, by what the spaces do. Whatever was worked out once is remembered."""

    def __init__(self, spaces: Spaces) -> None:
        self._spaces = spaces
        self._won: dict[tuple[int, int, Bases, int], float] = {}
        self._moved: dict[tuple[int, Bases], list[list[Outcome]]] = {}
        self._hands: dict[tuple[int, Bases], list[Outcome]] = {}

    def by_net(self, at: Field) -> list[float]:
        """The batting side's chance to win after a hand whose net is 0, 1, ... 24 or more."""
        return [sum(p * self.between(at.later, outs, on, at.ahead + runs) for p, outs, on, runs in some)
                for some in self.outcomes(at.outs, at.bases)]  # fmt: skip

    def runs_by_net(self, at: Field, expected: Mapping[tuple[int, Bases], float]) -> list[float]:
        """The same in runs to the end of the half-inning."""
        return [sum(p * (runs + expected.get((outs, bases), 0.0)) for p, outs, bases, runs in some)
                for some in self.outcomes(at.outs, at.bases)]  # fmt: skip

    def outcomes(self, outs: int, bases: Bases) -> list[list[Outcome]]:
        """By net: all that the dice may make of it."""
        key = (outs, bases)
        if key not in self._moved:
            start = Diamond(bases, outs)
            nets = range(HOME + 1)
            self._moved[key] = [list(_rolled(diamond.hit(start, self._spaces, net), 1.0, 0)) for net in nets]
        return self._moved[key]

    def hand(self, outs: int, bases: Bases) -> list[Outcome]:
        """All that a hand may make of it, alike ones together: a jack too."""
        key = (outs, bases)
        if key not in self._hands:
            found: dict[tuple[int, Bases, int], float] = {}
            home = (outs, diamond.EMPTY, 1 + sum(bases))
            found[home] = JACK
            for share, some in zip(nets(), self.outcomes(outs, bases), strict=True):
                for p, out, on, runs in some:
                    found[out, on, runs] = found.get((out, on, runs), 0.0) + (1 - JACK) * share * p
            self._hands[key] = [(p, *then) for then, p in found.items()]
        return self._hands[key]

    def between(self, later: int, outs: int, bases: Bases, ahead: int) -> float:
        """The chance of the side at bat between two hands, with a steal where that is better; after three outs too."""
        if later == 0 and ahead > 0:
            return 1.0
        if outs < OUTS:
            return max(self.before(later, outs, bases, ahead), *self.steals(later, outs, bases, ahead).values(), 0.0)
        if later:
            return 1 - self.between(later - 1, 0, diamond.EMPTY, -ahead)
        return EVEN if ahead == 0 else 0.0

    def before(self, later: int, outs: int, bases: Bases, ahead: int) -> float:
        """The chance before a hand."""
        if later == 0 and ahead > 0:
            return 1.0
        if abs(ahead) > FAR:
            return float(ahead > 0)
        key = (later, outs, bases, ahead)
        if key not in self._won:
            self._won[key] = sum(
                p * self.between(later, out, on, ahead + runs) for p, out, on, runs in self.hand(outs, bases)
            )
        return self._won[key]

    def steals(self, later: int, outs: int, bases: Bases, ahead: int) -> dict[int, float]:
        """By base whose runner may steal: the chance if he tries, and nobody after him."""
        found = {}
        for base in (1, 2, 3):
            if bases[base - 1] and (base == 3 or not bases[base]):
                left = tuple(taken and n != base for n, taken in enumerate(bases, 1))
                on = tuple(taken or n == base + 1 for n, taken in enumerate(left, 1))
                safe = self.before(later, outs, on, ahead + (base == 3))  # type: ignore[arg-type]
                out = (
                    self.before(later, outs + 1, left, ahead)  # type: ignore[arg-type]
                    if outs + 1 < OUTS else self.between(later, OUTS, left, ahead)  # type: ignore[arg-type]
                )  # fmt: skip
                found[base] = HIT * safe + (1 - HIT) * out
        return found


def steal(at: Field, bases: Sequence[int]) -> int | None:
    """The base whose runner should set out, of those who may; None where they should all stay."""
    known = of(at.spaces)
    now = (at.later, at.outs, at.bases, at.ahead)
    tries = {base: won for base, won in known.steals(*now).items() if base in bases}
    best = max(tries, key=lambda base: tries[base], default=None)
    return best if best is not None and tries[best] > known.before(*now) else None


def expected(spaces: Spaces) -> dict[tuple[int, Bases], float]:
    """Run expectancy: the runs of the half-inning that are to come, by outs and runners, where nobody steals."""
    known = of(spaces)
    places = [(outs, runners(n)) for outs in range(OUTS) for n in range(8)]
    found = dict.fromkeys(places, 0.0)
    for _ in range(200):  # each round is one hand more; three outs come long before
        found = {
            place: sum(p * (runs + found.get((outs, bases), 0.0)) for p, outs, bases, runs in known.hand(*place))
            for place in places
        }
    return found


def runners(bits: int) -> Bases:
    """Runners by number: first 1, second 2, third 4, added."""
    return bool(bits & 1), bool(bits & 2), bool(bits & 4)


def _rolled(at: Diamond, likely: float, runs: int) -> Iterator[Outcome]:
    """What becomes of the runners, whatever the dice say."""
    runs += at.runs
    if at.due is None:
        yield likely, at.outs, at.bases, runs
        return
    chance = EVEN if at.due.says.kind == "pickle" else HIT
    yield from _rolled(diamond.judged(at, safe=True), likely * chance, runs)
    yield from _rolled(diamond.judged(at, safe=False), likely * (1 - chance), runs)


@cache
def of(spaces: Spaces) -> Chances:
    """The chances with these spaces."""
    return Chances(spaces)


@cache
def nets() -> tuple[float, ...]:
    """How likely a counted hand's net is 0 or less, 1, 2, ... 24 or more."""
    text = files("companion.coach").joinpath("tables", "bases-nets.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)["nets"])


@cache
def runs_to_come(spaces: Spaces) -> dict[tuple[int, Bases], float]:
    """The run expectancy, worked out once."""
    return expected(spaces)
