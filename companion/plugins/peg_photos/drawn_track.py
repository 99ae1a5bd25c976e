"""The holes of a lane under a line that a finger drew, in the order of play, with holes that were not seen filled in.

Everything is in millimetres on the board. A finger strays into the next lane, so the whole way counts: it follows the
line, goes in its direction and leaves out few holes.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards import UnusablePhoto

Points = NDArray[np.float64]

START_HOLES = 2
_REACH_MM = 9.0
"""Largest distance of a hole from the line."""
_STRAY_MM = 4.0
_BEND_RAD = 0.4
"""Usual errors of a drawn line: its distance from a hole, and its direction."""
_SHIFT_MM = 3.0
"""Usual change of the line's distance from the holes, from one hole to the next."""
_BEND_COSTS = (0.12, 0.3, 0.6)
"""Cost of such a turn and shift; a hole under the line gains 1. The larger ones are for lines that stray farther."""
_MIN_STEP_MM, _MAX_STEP_MM = 3.2, 120.0
"""A lane may jump to a row beside it."""
_MIN_END_STEP = 0.6
"""Shortest step at either end, in usual steps: nearer to the outermost hole there may be a letter."""
_SAME_HOLE_MM = 1.5
_ROW_MM = 1.2
"""Largest distance of a hole from where the two before it, or behind it, continue."""
_MAX_FILLED = 3.6
"""Longest step, against its neighbours, in which holes may be missing; a longer one is a jump."""
_NEIGHBOURS = 4
"""Steps before and after a step that it is compared with."""
_MAX_LINE_MM = 4000.0
_MAX_OUTSIDE_MM = 5.0
"""By how much a line may be too short at either end."""
_LINE_STEP_MM = 1.0
_DIRECTION_MM = 6
"""Length of the line before and after a place that gives its direction there."""
_GROUP = 5
"""Holes between the gaps of boards whose holes stand in groups."""
_GROUP_GAP = 1.2
"""Shortest gap between two groups, against the other steps."""
_MAX_ADDED = 2
"""Holes that may be missing beside one another."""
_MAX_WRONG = 0.35
"""By how much a step may differ from what it should be, in usual steps."""
_MIN_LEAD = 0.5
"""By how much a filling must fit better than another, in usual steps."""


def trace_track(holes: Points, line: Points, count: int) -> Points:
    """Return the two start holes, the farther first, and `count` holes of a lane under a line. Raises UnusablePhoto."""
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    if not 2 * _DIRECTION_MM < length < _MAX_LINE_MM:
        raise UnusablePhoto("Draw a line over the holes of a lane, from its start to its last hole.")
    line = _resample(line)
    heading = _measure_headings(line)
    near, at, offset = _find_near(holes, line, heading)
    needed = count + START_HOLES
    ways = [
        _trim_ends(near[_find_way(near, line, at, offset, heading, cost)]) if len(near) else near
        for cost in _BEND_COSTS
    ]
    whole = [each for each in ways if len(each) == needed]
    way = whole[0] if whole else ways[0]
    if any(np.abs(card - way).max() > _SAME_HOLE_MM for card in whole[1:]) or _leaves_row(way, near):
        raise UnusablePhoto("The line strays into the next lane. Draw it again.")
    if len(way) > needed or needed - len(way) > needed // 10:
        raise UnusablePhoto(
            "There are {found} holes under the line instead of {needed}: two at the start and {count}. "
            "Begin at the farther start hole, end at the last hole, and keep to the lane.",
            found=len(way),
            needed=needed,
            count=count,
        )
    return fill_gaps(way, needed)


def _leaves_row(way: Points, near: Points) -> bool:
    """Return whether a hole is left out that continues a row better than the one in its place."""
    if len(way) <= 2:
        return False
    ahead, back = 2 * way[1:-1] - way[:-2], 2 * way[1:-1] - way[2:]
    for place, other in [*zip(ahead, way[2:], strict=True), *zip(back, way[:-2], strict=True)]:
        away = np.linalg.norm(near - place, axis=1)
        is_beside = np.linalg.norm(other - place) < _MIN_STEP_MM * 2
        if is_beside and np.linalg.norm(other - place) > 2 * _ROW_MM and away.min() < _ROW_MM:
            return True
    return False


def _trim_ends(way: Points) -> Points:
    """Return the way without spots beside its first and its last hole that are too near to be holes."""
    if len(way) <= START_HOLES:
        return way
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    least = _MIN_END_STEP * np.median(steps)
    return way[int(steps[0] < least) : len(way) - int(steps[-1] < least)]


class _Filling(NamedTuple):
    """Where holes are missing if the gaps between groups are at one place: `added` holes in each step."""

    error: float
    added: tuple[int, ...]
    lengths: tuple[tuple[float, ...], ...]
    """The steps that take the place of each step, in usual steps."""


def fill_gaps(way: Points, needed: int) -> Points:
    """Return the way with holes filled in where its steps are too long. Raises UnusablePhoto if that is not certain.

    Holes may stand in groups of five. The place of a gap shows whether it parts two groups or lacks a hole.
    """
    missing = needed - len(way)
    if not missing:
        return way
    steps, is_free = _compare_steps(np.linalg.norm(np.diff(way, axis=0), axis=1))
    gap = float(np.median(steps[(steps > _GROUP_GAP) & ~is_free])) if np.any(steps > _GROUP_GAP) else 1.0
    fillings = [_fill_steps(steps, is_free, place, gap) for place in (None, *range(_GROUP))]
    fitting = sorted(filling for filling in fillings if sum(filling.added) == missing and filling.error < math.inf)
    if not fitting or any(
        other.added != fitting[0].added and other.error < fitting[0].error + _MIN_LEAD for other in fitting
    ):
        raise UnusablePhoto("Some holes cannot be seen, and it is not certain where they are. Take another photo.")
    holes = [way[0]]
    for start, end, lengths in zip(way[:-1], way[1:], fitting[0].lengths, strict=True):
        shares = np.cumsum(lengths) / sum(lengths)
        holes += [start + share * (end - start) for share in shares]
    return np.array(holes)


def _fill_steps(steps: NDArray[np.float64], is_free: NDArray[np.bool_], place: int | None, gap: float) -> _Filling:
    """Return how many holes are missing in each step if the gaps between groups are at this place, or at none."""
    number, error = 0, 0.0
    chosen: list[tuple[float, ...]] = []
    for step, free in zip(steps.tolist(), is_free.tolist(), strict=True):
        lengths = [gap if place is not None and (number + n) % _GROUP == place else 1.0 for n in range(_MAX_ADDED + 1)]
        choices = [tuple(lengths[: n + 1]) for n in range(1 if free else _MAX_ADDED + 1)]
        best = min(choices, key=lambda each: abs(sum(each) - step))
        wrong = 0.0 if free else abs(sum(best) - step)
        error += wrong if wrong < _MAX_WRONG else math.inf
        number += len(best)
        chosen.append(best)
    return _Filling(error, tuple(len(each) - 1 for each in chosen), tuple(chosen))


def _compare_steps(lengths: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each step in usual steps around it, and which have any length: jumps, those at the start, and the last.

    A line that begins late misses a start hole: the step to the first hole would then be the one between start holes.
    """
    around = [np.median(np.delete(lengths, n)[max(n - _NEIGHBOURS, 0) : n + _NEIGHBOURS]) for n in range(len(lengths))]
    steps = np.asarray(lengths / np.array(around))
    is_free = steps > _MAX_FILLED
    is_free[:START_HOLES] = is_free[-1] = True
    return steps, is_free


def _resample(line: Points) -> Points:
    lengths = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    places = np.arange(0.0, lengths[-1], _LINE_STEP_MM)
    return np.column_stack([np.interp(places, lengths, line[:, axis]) for axis in (0, 1)])


def _measure_headings(line: Points) -> NDArray[np.float64]:
    """Return the direction of the line at each of its points, in radians."""
    n = np.arange(len(line))
    along = line[np.minimum(n + _DIRECTION_MM, len(line) - 1)] - line[np.maximum(n - _DIRECTION_MM, 0)]
    return np.arctan2(along[:, 1], along[:, 0])


def _find_near(
    holes: Points, line: Points, heading: NDArray[np.float64]
) -> tuple[Points, NDArray[np.int_], NDArray[np.float64]]:
    """Return holes near the line, how far along it they are, and how far from it.

    A hole is listed once for each part of the line that passes it: a line may come back in the next lane. Holes
    before its first point and behind its last are left out.
    """
    ends = [(line[n], np.array([np.cos(heading[n]), np.sin(heading[n])])) for n in (0, -1)]
    ahead = [(holes - place) @ direction for place, direction in ends]
    rows = []
    for hole, behind, beyond in zip(holes, -ahead[0], ahead[1], strict=True):
        away = np.linalg.norm(line - hole, axis=1)
        is_near = away < _REACH_MM
        edges = np.flatnonzero(np.diff(np.concatenate(([0], is_near.astype(int), [0]))))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            nearest = first + int(np.argmin(away[first:last]))
            outside = behind if nearest == 0 else beyond if nearest == len(line) - 1 else 0.0
            if outside < _MAX_OUTSIDE_MM:
                rows.append((*hole, nearest, away[nearest]))
    table = np.array(sorted(rows, key=lambda each: each[2])).reshape(-1, 4)
    return table[:, :2], table[:, 2].astype(int), table[:, 3]


def _turn_between(one: NDArray[np.float64], other: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray((one - other + np.pi) % (2 * np.pi) - np.pi)


def _find_way(
    near: Points,
    line: Points,
    at: NDArray[np.int_],
    offset: NDArray[np.float64],
    heading: NDArray[np.float64],
    bend_cost: float,
) -> list[int]:
    """Return the way along the line from hole to hole that passes the most holes with the fewest turns and shifts."""
    normal = np.column_stack((-np.sin(heading[at]), np.cos(heading[at])))
    shift = ((near - line[at]) * normal).sum(axis=1)
    gain = np.exp(-((offset / _STRAY_MM) ** 2))
    best, before = gain.copy(), np.full(len(near), -1)
    for n in range(1, len(near)):
        ways = near[n] - near[:n]
        steps = np.linalg.norm(ways, axis=1)
        turns = _turn_between(np.arctan2(ways[:, 1], ways[:, 0]), heading[(at[:n] + at[n]) // 2])
        is_before = (at[:n] < at[n]) & (steps < _MAX_STEP_MM) & (steps > _MIN_STEP_MM) & (np.abs(turns) < np.pi / 2)
        costs = (turns / _BEND_RAD) ** 2 + ((shift[:n] - shift[n]) / _SHIFT_MM) ** 2
        gains = np.where(is_before, best[:n] - bend_cost * costs, 0.0)
        if gains.max() > 0:
            before[n] = int(np.argmax(gains))
            best[n] += gains[before[n]]
    way = [int(np.argmax(best))]
    while before[way[-1]] >= 0:
        way.append(int(before[way[-1]]))
    return way[::-1]
