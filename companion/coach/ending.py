"""The end of a deal: hands and crib are counted in order, then the next deal is as good as its scores. Pure."""

from collections.abc import Sequence
from functools import cache

from companion.coach import book
from companion.coach.ranks import PAIRS, Ranks, counted, ways, with_starters

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
        return spread(book.of(game).any_crib)
    left = [4 - n for n in counted(known)]
    found: dict[int, float] = {}
    for other, likely in zip(PAIRS, book.of(game).throws[1 - who], strict=True):
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
