"""'Round the Bases: which cards to lay away and to play, by what the hand's net does to the runners. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from companion.coach.cribbage import discard, play, tables
from companion.coach.cribbage.expected_values import shown
from companion.coach.cribbage.play import Turn
from companion.coach.cribbage.ranks import of
from companion.coach.cribbage.win_chance import convolved, crib_shares, crib_spread, mean, mean_net, moved, pegged
from companion.coach.questions import Dealt
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import OUTS, Bases, Diamond
from companion.rules.baseball.spaces import HOME, Spaces
from companion.rules.cards import PACK, Card

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
    known = chances_for(at.spaces)
    now = (at.later, at.outs, at.bases, at.ahead)
    tries = {base: won for base, won in known.steals(*now).items() if base in bases}
    best = max(tries, key=lambda base: tries[base], default=None)
    return best if best is not None and tries[best] > known.before(*now) else None


def expected(spaces: Spaces) -> dict[tuple[int, Bases], float]:
    """Run expectancy: the runs of the half-inning that are to come, by outs and runners, where nobody steals."""
    known = chances_for(spaces)
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
def chances_for(spaces: Spaces) -> Chances:
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


GAME = "six-card"
"""Hands are dealt, played and counted as there."""


class Choice(NamedTuple):
    """Two cards to throw; the mean net, the mean runs of the half-inning, one's own chance to win.

    Net and runs are the batting side's, whoever asks.
    """

    thrown: tuple[Card, ...]
    kept: tuple[Card, ...]
    net: float
    runs: float
    win: float


def discards(held: tuple[Card, ...], at: Field, *, batting: bool) -> list[Choice]:
    """All discards of six cards, the best first."""
    known, who = tables.of(GAME), tables.DEALER if batting else tables.PONE
    sign = 1 if batting else -1
    rest = _rest(known, who)
    chances = chances_for(at.spaces)
    wins = _spread(chances.by_net(at), rest, sign)
    runs = _spread(chances.runs_by_net(at, runs_to_come(at.spaces)), rest, sign)
    starters = [card for card in PACK if card not in held and card.rank != 10]  # a jack would void the hand
    found = []
    for each in discard.choices(Dealt(GAME, held, batting, (0, 0), 121)):
        by_starter = shown(each.kept)
        hand = [0.0] * 30
        for card in starters:
            hand[by_starter[card]] += 1 / len(starters)
        usual = crib_shares(known, of(each.thrown), who)
        crib = moved(usual, each.crib - mean(usual))
        more = sign * (each.pegging - mean_net(known, who))
        if batting:
            nets = moved([0.0, *convolved(hand, crib)], more)
            worth = [_over(nets, rows[_OFF - 1 :]) for rows in (runs, wins)]
        else:
            nets = [0.0] * 60
            for h, p in enumerate(hand):
                for c, q in enumerate(crib):
                    nets[30 + c - h] += p * q
            nets = moved(nets, more)
            worth = [_over(nets, rows[_OFF - 30 :]) for rows in (runs, wins)]
        net = sign * each.points + sum(n * p for n, p in rest.items())
        found.append(Choice(each.thrown, each.kept, net, worth[0], worth[1] if batting else 1 - worth[1]))
    return sorted(found, key=lambda choice: (-choice.win, -sign * choice.net))


_OFF = 70


def _rest(known: tables.Book, who: int) -> dict[int, float]:
    """By points: how likely the batter has so many more from the play, less or with the other side's hand."""
    found: dict[int, float] = {}
    for (own, other), share in pegged(known, who).items():
        for points, likely in enumerate(known.shown[1 - who]):
            net = own - other - points if who == tables.DEALER else other - own + points
            found[net] = found.get(net, 0.0) + share * likely
    return found


def _spread(worth: Sequence[float], rest: dict[int, float], sign: int) -> list[float]:
    """By what one's own cards bring the batter, from -70: the mean worth, the rest being as it may."""
    del sign
    return [
        sum(share * worth[max(0, min(HOME, own + more))] for more, share in rest.items()) for own in range(-_OFF, _OFF)
    ]


def _over(nets: Sequence[float], worth: Sequence[float]) -> float:
    return sum(share * each for share, each in zip(nets, worth, strict=False))


def plays(turn: Turn, at: Field) -> list[play.Choice]:
    """Every card that fits, the best first. `turn.scores` are the points of this hand so far; no score wins."""
    return play.choices(turn, _Ending(turn, chances_for(at.spaces).by_net(at)))


class _Ending:
    """What the points after the play are worth to one side."""

    def __init__(self, turn: Turn, by_net: Sequence[float]) -> None:
        thrown = of(turn.discarded) if turn.discarded else None
        known = of((*turn.kept, *(turn.discarded or ()), turn.starter))
        self._crib = crib_spread(GAME, thrown, turn.starter.rank, known, tables.DEALER if turn.dealer else tables.PONE)
        self._hand, self._batting, self._by_net = shown(turn.kept)[turn.starter], turn.dealer, by_net
        self._known: dict[int, float] = {}

    def win(self, own: int, other: int, theirs: int) -> float:
        """One's chance to win, with these points after the play and `theirs` in the other hand."""
        ahead = own + self._hand - other - theirs
        if ahead not in self._known:
            net = ahead if self._batting else -ahead
            won = sum(share * self._by_net[max(0, min(HOME, net + crib))] for crib, share in self._crib)
            self._known[ahead] = won if self._batting else 1 - won
        return self._known[ahead]
