"""Input of the peg reader: levels with their history, the known placement and what is due. Pure values.

The reader works on levels, not on edges: every report carries all holes, so a lost report only delays it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from companion.boards.board import PegDue, Placement, RaceBoard, bits_of, holes_of
from companion.common.values import replace
from companion.pegs.thresholds import (
    BOUNCE_MS,
    CHANGES_REMEMBERED,
    LONG_AGO_MS,
    MAX_TOUCH_MS,
    STEADY_RELEASE_MS,
    PegTimings,
)


class HoleChanges(NamedTuple):
    """The latest changes of a hole.

    A change and all changes within `BOUNCE_MS` after it form a burst (contact bounce). A burst counts as one change,
    made when it began.

    - `filled_ms`, `emptied_ms`: when the hole was last filled and last emptied.
    - `put_ms`: when the last peg was put in. Bounce does not change it.
    - `changed_ms`: the last change, bounce included; the hole has been quiet since.
    - `burst_ms`: when the last burst began. `level_before`: the level before that burst.
    - `flip_times`: when each of the latest bursts began.
    - `unattended_times`: the latest changes, bounce included, at which no hand can have been at the hole.
    """

    filled_ms: int = LONG_AGO_MS
    emptied_ms: int = LONG_AGO_MS
    put_ms: int = LONG_AGO_MS
    changed_ms: int = LONG_AGO_MS
    burst_ms: int = LONG_AGO_MS
    level_before: int = 0
    flip_times: tuple[int, ...] = ()
    unattended_times: tuple[int, ...] = ()

    @property
    def held_ms(self) -> int:
        """How long the last peg touched the hole, which is empty now, in ms; 0 if longer than `MAX_TOUCH_MS`."""
        held_ms = self.emptied_ms - self.put_ms
        return held_ms if held_ms <= MAX_TOUCH_MS else 0


class ChangeHistory(dict[int, HoleChanges]):
    """The changes of each hole that changed recently; `NO_CHANGES` for all others."""

    def __missing__(self, hole: int) -> HoleChanges:
        """Return the history of a hole that has not changed."""
        return NO_CHANGES


NO_CHANGES = HoleChanges()


@dataclass(frozen=True, slots=True)
class LevelHistory:
    """The levels last reported, as bits, and the history of the holes that changed recently."""

    bits: int = 0
    changes: ChangeHistory = field(default_factory=ChangeHistory)

    def with_explained_holes(self, holes: Iterable[int]) -> "LevelHistory":
        """Return these levels with the changes of these holes explained by a hand.

        The changes count neither as flapping nor as touches any more.
        """
        calm = {
            h: c._replace(flip_times=(), unattended_times=()) for h in holes if (c := self.changes.get(h)) is not None
        }
        left = {h: c._replace(filled_ms=LONG_AGO_MS) for h, c in calm.items() if not self.bits >> h & 1}
        return LevelHistory(self.bits, ChangeHistory(self.changes | calm | left)) if calm else self

    def with_report(self, bits: int, now_ms: int, handled: int) -> "LevelHistory":
        """Return the levels after a report. `handled`: the holes where a hand may be at work, as bits."""
        changes = ChangeHistory(self.changes)
        if len(changes) > 64:
            changes = ChangeHistory({h: c for h, c in changes.items() if c.changed_ms > now_ms - 2 * STEADY_RELEASE_MS})
        for hole in holes_of(self.bits ^ bits):
            level = bits >> hole & 1
            filled_ms, emptied_ms, put_ms, _, began_ms, was, flips, own = changes[hole]
            if now_ms - began_ms > BOUNCE_MS:
                began_ms, was, flips = now_ms, 1 - level, (*flips[1 - CHANGES_REMEMBERED :], now_ms)
            if not handled >> hole & 1:
                own = (*own[1 - CHANGES_REMEMBERED :], now_ms)
            at_ms = now_ms if level == was else began_ms
            if not level:
                emptied_ms = at_ms
            else:
                filled_ms, put_ms = at_ms, put_ms if was else at_ms
            changes[hole] = HoleChanges(filled_ms, emptied_ms, put_ms, now_ms, began_ms, was, flips, own)
        return LevelHistory(bits, changes)


class HandPace(NamedTuple):
    """How long a hand touched other holes with a peg in one act, in ms: the first hole, and the longest time.

    Both are 0 if it touched none. `moved_on_ms`: how long a front peg had rested that was moved straight on, else 0.
    """

    first_ms: int
    longest_ms: int
    moved_on_ms: int = 0


NO_TOUCH = HandPace(0, 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class PegFacts:
    """Everything that is known about the pegs of a race. Frozen.

    `companion.pegs.placement` changes the known placements, `companion.pegs.reader` all other fields.

    - `pegs_are_score`: the pegs alone are the score (pegs-only).
    - `players_count`: the players count, so the pegs may show more or less than the score (also in pegs-only).
    - `placements`: by seat, where its pegs were last known to stand; None before the set-up is complete.
    - `past_placements`: by seat, its earlier placements, oldest first.
    - `certain_ms`: by seat, the last time at which its placement was certain.
    - `left_home_ms`: by seat and home, when a peg first left the home after that time.
    - `hand_paces`: by seat, the pace of its hand in each of its latest acts.
    - `due_since_ms`: by seat, since when its present points are due.
    - `claiming_seats`: the seats that may claim points now.
    - `quarantine`: the holes whose sensors are not trusted, each with the time of its quarantine.
    - `sensors_back_ms`: when the first report arrives after the sensors were lost.
    - `input_ms`: when a card was last scanned or a button last pressed.
    - `is_knocked_over`: the board was knocked over, and not all homes are filled again.
    """

    race_board: RaceBoard
    settings: PegTimings
    pegs_are_score: bool
    players_count: bool
    placements: tuple[Placement, ...] | None
    past_placements: tuple[tuple[Placement, ...], ...]
    certain_ms: tuple[int, ...]
    hand_paces: tuple[tuple[HandPace, ...], ...]
    left_home_ms: Mapping[tuple[int, int], int] = field(default_factory=dict)
    dues: tuple[PegDue, ...] = ()
    due_since_ms: Mapping[int, int] = field(default_factory=dict)
    claiming_seats: frozenset[int] = frozenset()
    levels: LevelHistory = field(default_factory=LevelHistory)
    quarantine: Mapping[int, int] = field(default_factory=dict)
    now_ms: int = 0
    sensors_back_ms: int = LONG_AGO_MS
    input_ms: int = LONG_AGO_MS
    is_knocked_over: bool = False

    def replace(self, **changes: Any) -> "PegFacts":
        """Return these facts with some fields changed. Drops the cached values that depend on them."""
        changed = replace(self, **changes)
        for name, value in changes.items():
            if name in _COMPUTED_FROM and value is not getattr(self, name):
                for computed in _COMPUTED_FROM[name]:
                    changed.__dict__.pop(computed, None)
        return changed

    @cached_property
    def home_bits(self) -> int:
        """The homes of all pegs, as bits.

        A peg's home is the hole where it was last known to stand; before the set-up, the start holes are homes.
        """
        if self.placements is None:
            return self.race_board.start_bits
        return bits_of([h for placement in self.placements for h in (placement.back, placement.front)])

    @cached_property
    def lane_groups(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """The groups of seats that share a lane, each with the holes of the lane as bits.

        A home belongs to the group of its own seat, even if a player has confirmed a peg on another seat's lane.
        """
        if self.placements is None:
            return self.race_board.groups
        found = []
        for seats, bits in self.race_board.groups:
            own = 0
            for placement in [self.placements[seat] for seat in seats]:
                own |= 1 << placement.back | 1 << placement.front
            found.append((seats, bits & ~self.home_bits | own))
        return tuple(found)

    @cached_property
    def known_seats(self) -> dict[tuple[int, bool, bool], Any]:
        """The cache of `companion.pegs.interpretation.known_seat`."""
        return {}

    @cached_property
    def assignments(self) -> dict[tuple[Any, ...], Any]:
        """The cache of `companion.pegs.assignment.LaneGroup.likely_assignments`."""
        return {}

    @cached_property
    def quarantined_bits(self) -> int:
        """The quarantined holes, as bits."""
        return bits_of(self.quarantine)

    @cached_property
    def is_won(self) -> bool:
        """Whether a seat has reached the target. Then no claim is read, and pegs return to the start in any order."""
        target = self.race_board.lanes[0].target
        return any(placement.front_points >= target for placement in self.placements or ())

    def due_of(self, seat: int) -> PegDue | None:
        """Return the due of this seat, or None."""
        for due in self.dues:
            if due.seat == seat:
                return due
        return None


_COMPUTED_FROM: Mapping[str, tuple[str, ...]] = {
    "placements": ("home_bits", "lane_groups", "is_won", "known_seats", "assignments"),
    "certain_ms": ("assignments",),
    "left_home_ms": ("assignments",),
    "past_placements": ("known_seats",),
    "dues": ("known_seats",),
    "claiming_seats": ("known_seats",),
    "quarantine": ("quarantined_bits", "assignments"),
}
"""The cached properties of `PegFacts` that depend on a field."""
