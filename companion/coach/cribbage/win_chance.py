"""Chance to win after a discard or after the play, from the distributions of points in the order of scoring. Pure.

Points beyond the last hole win nothing, and the first to count out wins: near the end, the discard with the most points
is not always the one that wins most often. After the deal, the next deal is worth what the scores are worth.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from operator import mul
from typing import Any, TypeVar

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import RANK_PAIRS, Ranks, count_ranks, points_with_starters, weigh_discards
from companion.coach.cribbage.tables import POINTS, WIN, ScoreValues
from companion.rules.cards import JACK, Card

Shares = list[float]
"""Probability of each number of points, from 0 on."""

RACE_POINTS_TO_GO = 14
"""With this many points to go or fewer, a player may win during the play, so the order of pegging matters."""

NEGLIGIBLE_WIN_CHANCE = 0.0005
"""Smaller differences in the chance to win are below the accuracy of the tables, and would be shown as 0.0 %."""

ROUNDING_ERROR = 1e-9
"""Larger than the error of a sum of probabilities."""


_Choice = TypeVar("_Choice")
"""A `DiscardChoice` or `PlayChoice`."""


class DiscardEvaluator:
    """Chances to win for the discards of one hand at one score."""

    def __init__(
        self,
        game_tables: tables.CribbageTables,
        who: int,
        scores: tuple[int, int],
        values: ScoreValues,
        held: Sequence[Card],
    ) -> None:
        """Prepare for dealer or pone (`who`, as in the tables). `held` are all cards dealt."""
        self._tables, self._who, self._target = game_tables, who, values.target
        target = values.target
        self._own, self._other = scores
        self._dealer = who == tables.DEALER
        heels = 2 * (4 - sum(card.rank == JACK for card in held)) / (52 - len(held))
        self._theirs = list(game_tables.hand_point_shares[1 - who])
        if not self._dealer:
            self._theirs = shift_mean(self._theirs, heels)
        self._heels = heels if self._dealer else 0.0
        self._is_endgame = min(target - self._own, target - self._other) <= RACE_POINTS_TO_GO
        self._rows, self._won = values.rows, values.won

    def win_chance(self, points: Sequence[int], discard: Ranks, crib: float, pegging: float) -> float:
        """Return the chance to win with a hand worth `points` by starter, and mean `crib` and `pegging`."""
        more = pegging - mean_net_pegging(self._tables, self._who)
        usual = crib_shares(self._tables, discard, self._who)
        cribs = shift_mean(usual, crib - mean_points(usual))
        own, theirs = _point_shares(points), self._theirs
        if self._dealer:
            own = shift_mean(convolve(own, cribs), self._heels)
        else:
            theirs = convolve(theirs, cribs)
        if self._is_endgame:
            return clip_chance(self._endgame_win_chance(own, theirs, more / 2))
        mine, others = _separate_pegging_shares(self._tables, self._who)
        own = convolve(shift_mean(mine, more / 2), own)
        return clip_chance(self._counting_win_chance(own, convolve(shift_mean(others, -more / 2), theirs), (0, 0), {}))

    def _endgame_win_chance(self, own: Shares, theirs: Shares, more: float) -> float:
        """Return the chance to win if a player may win during the play; `more` is added to the usual pegging."""
        columns: dict[int, list[float]] = {}

        def win_chance_after(mine: int, others: int) -> float:
            if self._own + mine >= self._target:
                return self._won[min(self._other + others, self._target - 1)]
            if self._other + others >= self._target:
                return 1 - self._won[self._own + mine]
            return self._counting_win_chance(own, theirs, (mine, others), columns)

        shares, pairs, moved = _moved_pegging(self._tables, self._who, 1 if more > 0 else -1)
        values = [win_chance_after(mine, others) for mine, others in pairs]
        then, own_moved, other_moved, both = (_mean_value(shares, [values[place] for place in row]) for row in moved)
        part = min(1.0, abs(more))
        return (1 - part) ** 2 * then + part * (1 - part) * (own_moved + other_moved) + part * part * both

    def _counting_win_chance(
        self, own: Shares, theirs: Shares, pegged: tuple[int, int], columns: dict[int, list[float]]
    ) -> float:
        """Return the chance to win when hands and crib are counted, pone's first.

        `pegged` are the points that the player and the opponent pegged. `columns` caches what does not depend on the
        first hand: by the dealer's score before the second hand, the value for each score of pone after the first.
        """
        mine, other = self._own + pegged[0], self._other + pegged[1]
        first, second = (theirs, own) if self._dealer else (own, theirs)
        start, after = (other, mine) if self._dealer else (mine, other)
        base = self._other if self._dealer else self._own
        column = columns.setdefault(after, [])
        for row in self._rows[base + len(column) : start + len(first)]:
            column.append(_mean_value(second, row[after : after + len(second)]))
        undecided = _mean_value(first, column[start - base :])  # value to the next dealer if the deal has no winner
        first_wins: float = self._won[after] * sum(first[self._target - start :])
        return 1 - first_wins - undecided if self._dealer else first_wins + undecided


def _mean_value(shares: Shares, values: Sequence[float]) -> float:
    """Return the mean of values by points. Points without a value count 0."""
    total: float = sum(map(mul, shares, values))
    return total


def clip_chance(chance: float) -> float:
    """Return the chance without rounding errors below 0 or above 1."""
    return min(1.0, max(0.0, chance))


def sort_choices(choices: Sequence[_Choice], objective: str = WIN) -> list[_Choice]:
    """Return choices, best first: by the value for the objective, and by points where that makes no difference.

    Values that differ by at most `NEGLIGIBLE_WIN_CHANCE` become equal. Only a certain win stays alone.
    """
    if objective == POINTS:
        return sorted(choices, key=lambda choice: (-choice.points, -choice.win))  # type: ignore[attr-defined]
    name = "win" if objective == WIN else "match"
    left: list[Any] = sorted(choices, key=lambda choice: (-getattr(choice, name), -choice.points))
    found: list[Any] = []
    while left:
        best = getattr(left[0], name)
        limit = best - NEGLIGIBLE_WIN_CHANCE
        if best > 1 - ROUNDING_ERROR:
            best, limit = 1.0, 1 - ROUNDING_ERROR
        alike = sum(getattr(choice, name) >= limit for choice in left)
        found += sorted((card._replace(**{name: best}) for card in left[:alike]), key=lambda choice: -choice.points)
        left = left[alike:]
    return found


def shift_mean(shares: Shares, by: float) -> Shares:
    """Return shares with the mean shifted by at most one point: a part of each share moves up or down by one."""
    by = max(-1.0, min(1.0, by))
    part = abs(by)
    stay = 1 - part
    if by >= 0:
        return [stay * a + part * b for a, b in zip([*shares, 0.0], [0.0, *shares], strict=True)]
    down = [stay * a + part * b for a, b in zip(shares, [*shares[1:], 0.0], strict=True)]
    down[0] += part * shares[0]
    return down


def convolve(one: Shares, other: Shares) -> Shares:
    """Return the probability of each sum of two numbers of points."""
    found = [0.0] * (len(one) + len(other) - 1)
    for points, share in enumerate(one):
        if share:
            for more, likely in enumerate(other, points):
                found[more] += share * likely
    return found


def _point_shares(points: Sequence[int]) -> Shares:
    found = [0.0] * (max(points) + 1)
    for point in points:
        found[point] += 1 / len(points)
    return found


def mean_points(shares: Shares) -> float:
    return sum(points * share for points, share in enumerate(shares))


@cache
def crib_shares(game_tables: tables.CribbageTables, pair: Ranks, who: int) -> Shares:
    """Return the distribution of points of cribs that contain these two ranks."""
    left = [4 - n for n in count_ranks(pair)]
    found = [0.0] * 30
    for other, often in zip(RANK_PAIRS, weigh_discards(game_tables.discard_shares[1 - who], left), strict=True):
        if often:
            points = points_with_starters(tuple(sorted((*pair, *other))))
            for score, n, out in zip(points, left, count_ranks(other), strict=True):
                if n > out:
                    found[score] += often * (n - out)
    total = sum(found)
    return _trim_zeros([share / total for share in found])


def _trim_zeros(shares: Shares) -> Shares:
    while not shares[-1]:
        shares.pop()
    return shares


@cache
def mean_net_pegging(game_tables: tables.CribbageTables, who: int) -> float:
    """Return the mean pegging of dealer or pone less the opponent's."""
    return sum((own - other) * share for (own, other), share in pegging_shares_for(game_tables, who).items())


@cache
def pegging_shares_for(game_tables: tables.CribbageTables, who: int) -> dict[tuple[int, int], float]:
    """Return the probability of the points that the player `who` and the opponent peg."""
    return {(d, p) if who == tables.DEALER else (p, d): share for (d, p), share in game_tables.pegging_shares.items()}


@cache
def _moved_pegging(
    game_tables: tables.CribbageTables, who: int, step: int
) -> tuple[list[float], list[tuple[int, int]], list[list[int]]]:
    """Return shares of pegging, all numbers of points that may result if a player pegs `step` more, and their places.

    The places are those of the shares as they are, with the player's points moved, the opponent's, and both.
    """
    places: dict[tuple[int, int], int] = {}
    moved: list[list[int]] = [[], [], [], []]
    pegged = pegging_shares_for(game_tables, who)
    for mine, others in pegged:
        more, less = max(0, mine + step), max(0, others - step)
        for row, pair in zip(moved, ((mine, others), (more, others), (mine, less), (more, less)), strict=True):
            row.append(places.setdefault(pair, len(places)))
    return list(pegged.values()), list(places), moved


@cache
def _separate_pegging_shares(game_tables: tables.CribbageTables, who: int) -> tuple[Shares, Shares]:
    """Return the distribution of the points pegged, for each player alone."""
    mine, others = [0.0] * 40, [0.0] * 40
    for (own, other), share in pegging_shares_for(game_tables, who).items():
        mine[own] += share
        others[other] += share
    return _trim_zeros(mine), _trim_zeros(others)


PointSpread = tuple[tuple[int, float], ...]
"""Points and their probability, without those that never occur."""


@lru_cache(maxsize=64)  # each deal asks for new ones, several times
def crib_spread(game: str, discard: Ranks | None, starter: int, known: Ranks, who: int) -> PointSpread:
    """Return the distribution of the crib's points if `who` discarded `discard`, and the opponent as usual.

    `known` are all ranks that the opponent cannot have discarded, the starter included.
    """
    if discard is None:
        shares = tables.load_tables(game).crib_point_shares
        return tuple((points, share) for points, share in enumerate(shares) if share)
    likely = weigh_discards(tables.load_tables(game).discard_shares[1 - who], [4 - n for n in count_ranks(known)])
    found: dict[int, float] = {}
    for other, often in zip(RANK_PAIRS, likely, strict=True):
        if often:
            points = points_with_starters(tuple(sorted((*discard, *other))))[starter]
            found[points] = found.get(points, 0.0) + often
    total = sum(found.values())
    return tuple((points, share / total) for points, share in found.items() if share)


class RaceEnding:
    """Value of scores after the play in a race to the target: the chance to win, or that of a match.

    Results are cached.
    """

    def __init__(self, values: ScoreValues, hand: int, crib: PointSpread, *, dealer: bool) -> None:
        """Prepare for the values of an objective; `hand` is the points of the player's own hand."""
        self._target, self._hand, self._crib, self._dealer = values.target, hand, crib, dealer
        self._rows, self._won = values.rows, values.won
        self._known: dict[tuple[int, int, int], float] = {}
        self._counted: dict[int, float] = {}

    def win_chance(self, own: int, other: int, theirs: int) -> float:
        """Return the chance to win with these scores after the play, if the opponent's hand counts `theirs`."""
        key = (own, other, theirs)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._compute_win_chance(own, other, theirs)
        return found

    def _compute_win_chance(self, own: int, other: int, theirs: int) -> float:
        target = self._target
        if own >= target:
            return self._won[min(other, target - 1)]
        if other >= target:
            return 1 - self._won[own]
        first, second = (other + theirs, own + self._hand) if self._dealer else (own + self._hand, other + theirs)
        # `first` is pone, who counts first: the dealer wins only if pone does not.
        if first >= target:
            pone_wins = self._won[own if self._dealer else other]
        else:
            place = first << 8 | second
            if place not in self._counted:
                row = self._rows[first]  # beyond the target, the dealer has won
                self._counted[place] = (
                    row[second] if second >= target else sum(share * row[second + crib] for crib, share in self._crib)
                )
            pone_wins = self._counted[place]
        return 1 - pone_wins if self._dealer else pone_wins
