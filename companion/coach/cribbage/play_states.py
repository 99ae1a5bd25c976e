"""Graph of the states of the play, with the points of each rank in each state (cached). Pure.

A state is what still matters of a series: the count, and the last cards as far as they can form pairs or runs. States
are created when they are first reached, and store what the rollout policy chose in them.
"""

from functools import lru_cache
from typing import Any

from companion.coach.cribbage.ranks import RANK_VALUES, Ranks
from companion.rules.play import MAX_COUNT

_PAIR_POINTS = (0, 0, 2, 6, 12)
_MAX_RUN = 7

Step = tuple[int, "PlayState"]


class PlayState:
    """A series as far as it matters: its count and its last cards."""

    __slots__ = ("_steps", "choices", "count", "expected", "tail")

    def __init__(self, count: int, tail: Ranks) -> None:
        self.count = count
        self.tail = tail
        self.reset()

    def reset(self) -> None:
        """Clear everything computed for this state."""
        self._steps: dict[int, Step | None] = {}
        self.choices: list[dict[Ranks, Any]] = [NO_CHOICES] * 5
        self.expected: list[Any] = [None] * 5

    def step(self, rank: int) -> Step | None:
        """Return the points of a card of this rank and the next state; None if it would take the count over 31."""
        try:
            return self._steps[rank]
        except KeyError:
            found = self._steps[rank] = self._compute_step(rank)
            return found

    def _compute_step(self, rank: int) -> Step | None:
        count = self.count + RANK_VALUES[rank]
        if count > MAX_COUNT:
            return None
        points = points_earned(self.tail, count, rank)
        return points, START if count == MAX_COUNT else get_state(count, tail_after(self.tail, rank, MAX_COUNT - count))


NO_CHOICES: dict[Ranks, Any] = {}
"""Initial value of a state's choices. Never written to."""

_STATES: dict[tuple[int, Ranks], PlayState] = {}
_HANDS: dict[Ranks, Ranks] = {}
_choice_count = 0
_MAX_CHOICES = 50_000
"""Choices in the cache. Beyond that, a third are dropped, and computed again when they are needed."""
_MAX_STATES = 5_000
"""States in the cache, reached within minutes. Beyond that, all but the start are dropped and created again."""


def get_state(count: int, tail: Ranks) -> PlayState:
    """Return the state with this count and these last cards."""
    found = _STATES.get((count, tail))
    if found is None:
        if len(_STATES) >= _MAX_STATES:
            clear_states()
        found = _STATES[count, tail] = PlayState(count, tail)
    return found


def share_hand(hand: Ranks) -> Ranks:
    """Return the one tuple of these ranks that all choices share, to save memory."""
    return _HANDS.setdefault(hand, hand)


def store_choice(at: PlayState, hand: Ranks, others: int, choice: Any) -> None:
    """Store a choice of the rollout policy in a state, after making room for it if necessary."""
    global _choice_count  # noqa: PLW0603 - the size of the cache above
    if hand not in at.choices[others]:
        if _choice_count >= _MAX_CHOICES:
            _drop_choices()
        _choice_count += 1
    if at.choices[others] is NO_CHOICES:
        at.choices[others] = {}
    at.choices[others][hand] = choice


START = get_state(0, ())
"""State before the first card of a series."""


def _drop_choices() -> None:
    """Drop a third of the choices: those of the states that were created last. The first ones are used most."""
    global _choice_count  # noqa: PLW0603
    for state in reversed(_STATES.values()):
        if _choice_count <= _MAX_CHOICES * 2 // 3:
            break
        _choice_count -= sum(map(len, state.choices))
        state.choices = [NO_CHOICES] * 5


def clear_states() -> None:
    """Empty the cache. States that are still referenced stay valid."""
    global _choice_count  # noqa: PLW0603
    _choice_count = 0
    _STATES.clear()
    START.reset()
    _STATES[0, ()] = START


def state_after(series: Ranks) -> PlayState:
    """Return the state after these ranks in the order played. Raises ValueError if they exceed 31."""
    at = START
    for rank in series:
        step = at.step(rank)
        if step is None:
            raise ValueError("No card may take the count over 31.")
        at = step[1]
    return at


def points_earned(tail: Ranks, count: int, rank: int) -> int:
    """Return the points of a card of this rank after these last cards, if it makes the count `count`."""
    return _pairs_and_runs(tail)[rank] + (2 if count in (15, MAX_COUNT) else 0)


def tail_after(tail: Ranks, rank: int, room: int) -> Ranks:
    """Return the last cards that still matter after one more card, with `room` left to 31."""
    if tail and tail[-1] == rank:
        return (*tail[-3:], rank) if len(set(tail)) == 1 else (rank, rank)
    fresh, keep = [rank], 1
    low = high = rank
    for before in reversed(tail):
        if before in fresh:
            break
        fresh.append(before)
        low, high = min(low, before), max(high, before)
        missing = sum(RANK_VALUES[each] for each in range(low, high) if each not in fresh)
        if missing <= room and high - low < _MAX_RUN:  # otherwise no run can include this card
            keep = len(fresh)
    return tuple(reversed(fresh[:keep]))


@lru_cache(maxsize=4_096)
def _pairs_and_runs(tail: Ranks) -> tuple[int, ...]:
    """Return the points of each rank after these last cards, without those for fifteen and thirty-one."""
    return tuple(_pair_or_run(tail, rank) for rank in range(13))


def _pair_or_run(tail: Ranks, rank: int) -> int:
    alike = 1
    while alike < min(4, len(tail) + 1) and tail[-alike] == rank:
        alike += 1
    if alike > 1:
        return _PAIR_POINTS[alike]
    fresh, run = {rank}, 0
    for before in reversed(tail):
        if before in fresh:
            break
        fresh.add(before)
        if len(fresh) >= 3 and max(fresh) - min(fresh) == len(fresh) - 1:
            run = len(fresh)
    return run
