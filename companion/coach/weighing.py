"""What a discard is worth in games won: how both may score in the deal, in the order of scoring. Pure.

Points beyond the last hole win nothing, and who counts first wins first: near the end, the discard with the most
points is not always the one that wins most often.
"""

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Protocol

from companion.coach import book
from companion.coach.ranks import PAIRS, Ranks, counted, of, ways, with_starters
from companion.rules.cards import JACK, Card
from companion.rules.scoring import by_starter

Shares = list[float]
"""How likely each number of points is, from 0 on."""

NEAR = 14
"""Who needs so many or fewer may be out in the play: then who pegs first matters."""


class Thrown(Protocol):
    """What is weighed."""

    @property
    def thrown(self) -> tuple[Card, Card]: ...  # noqa: D102
    @property
    def kept(self) -> tuple[Card, ...]: ...  # noqa: D102
    @property
    def crib(self) -> float: ...  # noqa: D102
    @property
    def pegging(self) -> float: ...  # noqa: D102


class Weighing:
    """The discards of one hand at one score."""

    def __init__(self, scores: tuple[int, int], target: int, held: Sequence[Card], *, dealer: bool) -> None:
        self._own, self._other = scores
        self._target, self._held, self._dealer = target, held, dealer
        self._who = book.DEALER if dealer else book.PONE
        self._rows = _padded(target)
        heels = 2 * (4 - sum(card.rank == JACK for card in held)) / 46
        self._theirs = list(book.shown(1 - self._who))
        if not dealer:
            self._theirs = moved(self._theirs, heels)
        self._heels = heels if dealer else 0.0
        near = min(target - self._own, target - self._other) <= NEAR
        self._pegged = _pegged(self._who) if near else None

    def win(self, choice: Thrown) -> float:
        """The chance to win with this discard."""
        more = choice.pegging - _mean_net(self._who)
        leaf = by_starter(choice.kept)
        own = _shares([leaf[card] for card in range(52) if card not in self._held])
        crib = moved(_crib(of(choice.thrown), self._who), choice.crib - _mean(_crib(of(choice.thrown), self._who)))
        theirs = self._theirs
        if self._dealer:
            own = moved(convolved(own, crib), self._heels)
        else:
            theirs = convolved(theirs, crib)
        if self._pegged is None:
            mine, others = _pegging_alone(self._who)
            return self._counted(
                convolved(moved(mine, more / 2), own), convolved(moved(others, -more / 2), theirs), 0, 0
            )
        return self._near(own, theirs, more / 2)

    def _near(self, own: Shares, theirs: Shares, more: float) -> float:
        """The chance to win where one may be out in the play, `more` being pegged, and so much less by the other."""
        known: dict[tuple[int, int], float] = {}

        def won(mine: int, others: int) -> float:
            if self._own + mine >= self._target:
                return 1.0
            if self._other + others >= self._target:
                return 0.0
            if (mine, others) not in known:
                known[mine, others] = self._counted(own, theirs, mine, others)
            return known[mine, others]

        assert self._pegged is not None
        step, part = (1 if more > 0 else -1), min(1.0, abs(more))
        total = 0.0
        for (mine, others), share in self._pegged.items():
            then = won(mine, others)
            total += share * then
            total += share * part * (won(max(0, mine + step), others) - then)
            total += share * part * (won(mine, max(0, others - step)) - then)
        return total

    def _counted(self, own: Shares, theirs: Shares, pegged: int, lost: int) -> float:
        """The chance to win when hands and crib are counted from these scores: pone's first, then the dealer's."""
        mine, other = self._own + pegged, self._other + lost
        first, second = (theirs, own) if self._dealer else (own, theirs)
        start, after = (other, mine) if self._dealer else (mine, other)
        length = len(second)
        kept = 0.0  # how likely nobody is out before the second counts, and the next dealer then wins
        out = 0.0
        for points, share in enumerate(first):
            if start + points >= self._target:
                out += share
            else:
                kept += share * sum(map(mul, second, self._rows[start + points][after : after + length]))
        return 1 - out - kept if self._dealer else out + kept


def moved(shares: Shares, by: float) -> Shares:
    """Shares whose mean is moved a little: a part of each goes one point up or down."""
    by = max(-1.0, min(1.0, by))
    part = abs(by)
    stay = 1 - part
    if by >= 0:
        return [stay * a + part * b for a, b in zip([*shares, 0.0], [0.0, *shares], strict=True)]
    down = [stay * a + part * b for a, b in zip(shares, [*shares[1:], 0.0], strict=True)]
    down[0] += part * shares[0]
    return down


def convolved(one: Shares, other: Shares) -> Shares:
    """How likely each sum of the two is."""
    found = [0.0] * (len(one) + len(other) - 1)
    for points, share in enumerate(one):
        if share:
            for more, likely in enumerate(other, points):
                found[more] += share * likely
    return found


def _shares(points: Sequence[int]) -> Shares:
    found = [0.0] * (max(points) + 1)
    for each in points:
        found[each] += 1 / len(points)
    return found


def _mean(shares: Shares) -> float:
    return sum(points * share for points, share in enumerate(shares))


@cache
def _padded(target: int) -> list[list[float]]:
    """The next dealer's chance by both scores; beyond the last hole the other has won."""
    return [[*row, *[0.0] * 120] for row in book.wins(target)]


@cache
def _crib(pair: Ranks, who: int) -> Shares:
    """How likely each crib is in which these two ranks lie."""
    left = [4 - n for n in counted(pair)]
    found = [0.0] * 30
    total = 0.0
    for other, likely in zip(PAIRS, book.throws(1 - who), strict=True):
        often = likely * ways(other, left) / ways(other, _FULL)
        if often:
            points = with_starters(tuple(sorted((*pair, *other))))
            for each, n, out in zip(points, left, counted(other), strict=True):
                if n > out:
                    found[each] += often * (n - out)
                    total += often * (n - out)
    return _cut([share / total for share in found])


_FULL = [4] * 13


def _cut(shares: Shares) -> Shares:
    while not shares[-1]:
        shares.pop()
    return shares


@cache
def _mean_net(who: int) -> float:
    net = sum((d - p) * share for (d, p), share in book.pegged().items())
    return net if who == book.DEALER else -net


@cache
def _pegged(who: int) -> dict[tuple[int, int], float]:
    """How likely one and the other peg so many points."""
    total = sum(book.pegged().values())
    return {(d, p) if who == book.DEALER else (p, d): share / total for (d, p), share in book.pegged().items()}


@cache
def _pegging_alone(who: int) -> tuple[Shares, Shares]:
    """The same, each for itself."""
    mine, others = [0.0] * 32, [0.0] * 32
    for (own, other), share in _pegged(who).items():
        mine[own] += share
        others[other] += share
    return _cut(mine), _cut(others)
