"""What a discard is worth in games won: how both may score in the deal, in the order of scoring. Pure.

Points beyond the last hole win nothing, and who counts first wins first: near the end, the discard with the most
points is not always the one that wins most often.
"""

from collections.abc import Sequence
from functools import cache
from operator import mul

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import PAIRS, Ranks, counted, ways, with_starters
from companion.rules.cards import JACK, Card

Shares = list[float]
"""How likely each number of points is, from 0 on."""

NEAR = 14
"""Who needs so many or fewer may be out in the play: then who pegs first matters."""


class Weighing:
    """The discards of one hand at one score."""

    def __init__(
        self, known: tables.Book, who: int, scores: tuple[int, int], target: int, held: Sequence[Card]
    ) -> None:
        """`who`: dealer or pone, as in the book. `held`: all cards dealt."""
        self._known, self._who, self._target = known, who, target
        self._own, self._other = scores
        self._dealer = who == tables.DEALER
        heels = 2 * (4 - sum(card.rank == JACK for card in held)) / (52 - len(held))
        self._theirs = list(known.shown[1 - who])
        if not self._dealer:
            self._theirs = moved(self._theirs, heels)
        self._heels = heels if self._dealer else 0.0
        near = min(target - self._own, target - self._other) <= NEAR
        self._pegged = pegged(known, who) if near else None
        self._rows = _padded(known, target)

    def win(self, points: Sequence[int], thrown: Ranks, crib: float, pegging: float) -> float:
        """The chance to win: a hand worth `points` with each starter, and these the means of crib and pegging."""
        more = pegging - mean_net(self._known, self._who)
        usual = crib_shares(self._known, thrown, self._who)
        cribs = moved(usual, crib - mean(usual))
        own, theirs = _shares(points), self._theirs
        if self._dealer:
            own = moved(convolved(own, cribs), self._heels)
        else:
            theirs = convolved(theirs, cribs)
        if self._pegged is not None:
            return self._near(own, theirs, more / 2)
        mine, others = _pegging_alone(self._known, self._who)
        own = convolved(moved(mine, more / 2), own)
        return self._counted(own, convolved(moved(others, -more / 2), theirs), (0, 0), {})

    def _near(self, own: Shares, theirs: Shares, more: float) -> float:
        """The chance to win where one may be out in the play, `more` being pegged, and so much less by the other."""
        known: dict[tuple[int, int], float] = {}
        sums: dict[tuple[int, int], float] = {}

        def won(mine: int, others: int) -> float:
            if self._own + mine >= self._target:
                return 1.0
            if self._other + others >= self._target:
                return 0.0
            if (mine, others) not in known:
                known[mine, others] = self._counted(own, theirs, (mine, others), sums)
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

    def _counted(
        self, own: Shares, theirs: Shares, pegged: tuple[int, int], sums: dict[tuple[int, int], float]
    ) -> float:
        """The chance to win when hands and crib are counted: pone's first, then the dealer's.

        `pegged`: by oneself, and by the other. `sums` remembers what does not depend on the first hand.
        """
        mine, other = self._own + pegged[0], self._other + pegged[1]
        first, second = (theirs, own) if self._dealer else (own, theirs)
        start, after = (other, mine) if self._dealer else (mine, other)
        length = len(second)
        kept = 0.0  # how likely nobody is out before the second counts, and the next dealer then wins
        out = 0.0
        for points, share in enumerate(first):
            if start + points >= self._target:
                out += share
            else:
                at = (start + points, after)
                if at not in sums:
                    sums[at] = sum(map(mul, second, self._rows[at[0]][after : after + length]))
                kept += share * sums[at]
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


def mean(shares: Shares) -> float:
    """Their mean."""
    return sum(points * share for points, share in enumerate(shares))


@cache
def _padded(known: tables.Book, target: int) -> list[list[float]]:
    """The next dealer's chance by both scores; beyond the last hole the other has won."""
    return [[*row, *[0.0] * 120] for row in known.wins(target)]


@cache
def crib_shares(known: tables.Book, pair: Ranks, who: int) -> Shares:
    """How likely each crib is in which these two ranks lie."""
    left = [4 - n for n in counted(pair)]
    found = [0.0] * 30
    for other, likely in zip(PAIRS, known.throws[1 - who], strict=True):
        often = likely * ways(other, left) / ways(other, _FULL)
        if often:
            points = with_starters(tuple(sorted((*pair, *other))))
            for each, n, out in zip(points, left, counted(other), strict=True):
                if n > out:
                    found[each] += often * (n - out)
    total = sum(found)
    return _cut([share / total for share in found])


_FULL = (4,) * 13


def _cut(shares: Shares) -> Shares:
    while not shares[-1]:
        shares.pop()
    return shares


@cache
def mean_net(known: tables.Book, who: int) -> float:
    """What dealer or pone pegs more than the other, in the mean."""
    return sum((own - other) * share for (own, other), share in pegged(known, who).items())


@cache
def pegged(known: tables.Book, who: int) -> dict[tuple[int, int], float]:
    """How likely one and the other peg so many points."""
    total = sum(known.pegged.values())
    return {(d, p) if who == tables.DEALER else (p, d): share / total for (d, p), share in known.pegged.items()}


@cache
def _pegging_alone(known: tables.Book, who: int) -> tuple[Shares, Shares]:
    """The same, each for itself."""
    mine, others = [0.0] * 40, [0.0] * 40
    for (own, other), share in pegged(known, who).items():
        mine[own] += share
        others[other] += share
    return _cut(mine), _cut(others)


Spread = tuple[tuple[int, float], ...]
"""Points, and how likely each is."""


def spread(shares: Sequence[float]) -> Spread:
    """Shares by points, without what never happens."""
    return tuple((points, share) for points, share in enumerate(shares) if share)


@cache
def crib_spread(game: str, thrown: Ranks | None, starter: int, known: Ranks, who: int) -> Spread:
    """What the crib may be worth: `who` threw these two, the other side what it likes to throw.

    `known` are all the ranks that the other side cannot have thrown, the starter among them.
    """
    if thrown is None:
        return spread(tables.of(game).any_crib)
    left = [4 - n for n in counted(known)]
    found: dict[int, float] = {}
    for other, likely in zip(PAIRS, tables.of(game).throws[1 - who], strict=True):
        if likely:
            often = likely * ways(other, left) / ways(other, _FULL_PACK_COUNTS)
            points = with_starters(tuple(sorted((*thrown, *other))))[starter]
            found[points] = found.get(points, 0.0) + often
    total = sum(found.values())
    return tuple((points, share / total) for points, share in found.items() if share)


_FULL_PACK_COUNTS = [4] * 13


class Ending:
    """What scores after the play are worth to one side; each question is answered once and remembered."""

    def __init__(self, wins: list[list[float]], hand: int, crib: Spread, *, dealer: bool) -> None:
        """`wins` is the book's table, as long as the game; `hand` what one's own hand will be counted for."""
        self._target, self._hand, self._crib, self._dealer = len(wins), hand, crib, dealer
        self._wins = wins
        self._known: dict[tuple[int, int, int], float] = {}

    def win(self, own: int, other: int, theirs: int) -> float:
        """One's chance to win, with these scores after the play and `theirs` points in the other hand."""
        key = (own, other, theirs)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._counted(own, other, theirs)
        return found

    def _counted(self, own: int, other: int, theirs: int) -> float:
        target = self._target
        if own >= target or other >= target:
            return float(own >= target)
        first, second = (other + theirs, own + self._hand) if self._dealer else (own + self._hand, other + theirs)
        # `first` is pone, who counts first: the dealer has won only where pone is not out before.
        if first >= target:
            pone_wins = 1.0
        elif second >= target:
            pone_wins = 0.0
        else:
            row = self._wins[first]
            pone_wins = sum(share * row[second + crib] for crib, share in self._crib if second + crib < target)
        return 1 - pone_wins if self._dealer else pone_wins
