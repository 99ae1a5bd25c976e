"""The graph of the states of the play: what still matters of a series, and the points of each card in each state.

The states are found from the rules, and those that give the same points for all further cards are merged.
"""

from array import array
from collections.abc import Set
from typing import NamedTuple

from companion.coach.cribbage.ranks import RANK_VALUES, Ranks
from companion.rules.cards import RANKS
from companion.rules.play import MAX_COUNT

_PAIR_POINTS = (0, 0, 2, 6, 12)
_MAX_RUN = 7
NO_STATE = 0xFFFF
"""Next state of a card that takes the count over 31."""

Tail = tuple[Ranks, ...]
"""The last cards, oldest first, in sorted groups: no run begins within a group, so the order there does not matter."""


class SeriesState(NamedTuple):
    """The count, and the last cards as far as they can form pairs or runs."""

    count: int
    tail: Tail


START = SeriesState(0, ())


def build_graph() -> bytes:
    """Return the file of the graph, as `ranks.PlayGraph` reads it. Little-endian."""
    found = {START}
    left = [START]
    while left:
        for step in map(_make_step, [left.pop()] * len(RANKS), range(len(RANKS))):
            if step is not None and step[1] not in found:
                found.add(step[1])
                left.append(step[1])
    classes: dict[tuple[tuple[int, int] | None, ...], int] = {}
    rows: list[tuple[tuple[int, int] | None, ...]] = []
    class_of = {START: -1}
    for state in sorted(found - {START}, reverse=True):
        row = _make_row(state, class_of)
        class_of[state] = classes.setdefault(row, len(rows))
        if class_of[state] == len(rows):
            rows.append(row)
    rows.append(_make_row(START, class_of))
    rows.reverse()  # the start becomes 0, and a class n becomes len(rows) - 1 - n
    after = array("H", [NO_STATE if step is None else 0 if step[1] < 0 else len(rows) - 1 - step[1]
                        for row in rows for step in row])  # fmt: skip
    points = bytes(0 if step is None else step[0] for row in rows for step in row)
    counts = {START: 0} | {state: len(rows) - 1 - n for state, n in class_of.items() if n >= 0}
    by_number = {number: state.count for state, number in counts.items()}
    return after.tobytes() + points + bytes(by_number[number] for number in range(len(rows)))


def _make_row(state: SeriesState, class_of: dict[SeriesState, int]) -> tuple[tuple[int, int] | None, ...]:
    steps = (_make_step(state, rank) for rank in range(len(RANKS)))
    return tuple(None if step is None else (step[0], class_of[step[1]]) for step in steps)


def _make_step(state: SeriesState, rank: int) -> tuple[int, SeriesState] | None:
    """Return the points of a card and the state after it; None if it does not fit."""
    count = state.count + RANK_VALUES[rank]
    if count > MAX_COUNT:
        return None
    points = _score_pair_or_run(state.tail, rank) + (2 if count in (15, MAX_COUNT) else 0)
    if count == MAX_COUNT:
        return points, START
    return points, SeriesState(count, _tail_after(state.tail, rank, MAX_COUNT - count))


def _tail_after(tail: Tail, rank: int, room: int) -> Tail:
    if tail and tail[-1] == (rank,):
        return (*tail[-3:], (rank,)) if len(set(tail)) == 1 else ((rank,), (rank,))
    kept: list[Ranks] = [(rank,)]
    fresh = {rank}
    group: Ranks = ()
    for before in reversed(tail):
        if not fresh.isdisjoint(before):
            break
        fresh.update(before)
        group += before
        if _can_be_run(fresh, room):  # otherwise no run ends with this card
            kept.append(tuple(sorted(group)))
            group = ()
    return tuple(reversed(kept))


def _can_be_run(ranks: Set[int], room: int) -> bool:
    """Return whether these ranks and at least one more card can make a run with `room` left to 31."""
    low, high = min(ranks), max(ranks)
    if high - low >= _MAX_RUN:
        return False
    missing = [RANK_VALUES[rank] for rank in range(low, high) if rank not in ranks]
    if missing:
        return sum(missing) <= room
    return (low > 0 and RANK_VALUES[low - 1] <= room) or (high < len(RANKS) - 1 and RANK_VALUES[high + 1] <= room)


def _score_pair_or_run(tail: Tail, rank: int) -> int:
    alike = 1
    while alike < min(4, len(tail) + 1) and tail[-alike] == (rank,):
        alike += 1
    if alike > 1:
        return _PAIR_POINTS[alike]
    fresh, run = {rank}, 0
    for before in reversed(tail):
        if not fresh.isdisjoint(before):
            break
        fresh.update(before)
        if len(fresh) >= 3 and max(fresh) - min(fresh) == len(fresh) - 1:
            run = len(fresh)
    return run
