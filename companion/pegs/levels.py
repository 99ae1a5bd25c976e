"""What every reading of a race's pegs starts from: the levels with their history, and where the pegs were known to be.

Levels, not edges: every report carries all holes, and a report lost costs a moment, never the truth. Pure values.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from companion.boards.board import PegDue, Placement, RaceBoard, bits_of, holes_of
from companion.common.frozen import replace
from companion.pegs.thresholds import (
    BOUNCE_MS,
    CHANGES_REMEMBERED,
    FORGET_AFTER_MS,
    LONG_AGO_MS,
    MAX_TOUCH_MS,
    PegTimings,
)


class HoleChanges(NamedTuple):
    """When a hole was last filled and last emptied.

    A change and those within 120 ms after it are a burst, the contact's chatter: it counts as one change, made when
    the burst began.

    `put_ms`: when the peg that was last in it was put there; a peg that only rattled was not put anew. `changed_ms`:
    the last change of all, chatter too; the hole has been quiet since. `began_ms`: when the last burst began, and
    `was`: the level before it. `flips`: when each of the latest bursts began. `own`: the times of the latest changes,
    chatter too, at which no hand can have been there.
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
        """How long the last peg was in the hole that is empty now, in ms; 0 if for longer than any touch takes."""
        held_ms = self.emptied_ms - self.put_ms
        return held_ms if held_ms <= MAX_TOUCH_MS else 0


class ChangeHistory(dict[int, HoleChanges]):
    """The changes of each hole that changed of late."""

    def __missing__(self, hole: int) -> HoleChanges:
        """The history of a hole that has not changed."""
        return NO_CHANGES


NO_CHANGES = HoleChanges()


@dataclass(frozen=True, slots=True)
class LevelHistory:
    """The levels last reported, as bits, and the history of the holes that changed of late."""

    bits: int = 0
    changes: ChangeHistory = field(default_factory=ChangeHistory)

    def with_explained_holes(self, holes: Iterable[int]) -> "LevelHistory":
        """These levels, where a hand made the changes of these holes: they count neither as flapping nor as touches."""
        calm = {
            h: c._replace(flip_times=(), unattended_times=()) for h in holes if (c := self.changes.get(h)) is not None
        }
        left = {h: c._replace(filled_ms=LONG_AGO_MS) for h, c in calm.items() if not self.bits >> h & 1}
        return LevelHistory(self.bits, ChangeHistory(self.changes | calm | left)) if calm else self

    def with_report(self, bits: int, now_ms: int, handled: int) -> "LevelHistory":
        """The levels after a report. `handled`: the holes where a hand may be at work, as bits."""
        changes = ChangeHistory(self.changes)
        if len(changes) > 64:
            changes = ChangeHistory({h: c for h, c in changes.items() if c.changed_ms > now_ms - FORGET_AFTER_MS})
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


@dataclass(frozen=True, kw_only=True, eq=False)
class PegFacts:
    """What is known of the pegs. Frozen. `placing` changes where pegs are known to stand, `pegs` all the rest.

    `claims`: the pegs alone are the score (pegs-only). `counted`: the players count, so that the pegs may say more or
    less than the score (pegs-only, too). `placements`: where each seat's pegs were last known to stand;
    None before they were first set up. `past`: each seat's earlier placements, oldest first. `calm_ms`: by seat, the
    last time at which it was certain where its pegs stood. `left`: by seat and home, when a peg first left it after
    that. `paces`: by seat, the longest touch of a hole in each of its latest moves, in ms. `dues`: what is due.
    `counting`: the seats that may claim points now. `doubts`: the holes whose sensors are not trusted, each with the
    time since when. `sight_ms`: when the holes were first seen again after the sensors were lost. `input_ms`: when a
    card was last scanned or a button pressed. `knocked`: the board was knocked over, and not all homes are filled yet.
    """

    race_board: RaceBoard
    settings: PegTimings
    pegs_are_score: bool
    players_count: bool
    placements: tuple[Placement, ...] | None
    past_placements: tuple[tuple[Placement, ...], ...]
    certain_ms: tuple[int, ...]
    longest_touches_ms: tuple[tuple[int, ...], ...]
    left_home_ms: Mapping[tuple[int, int], int] = field(default_factory=dict)
    dues: tuple[PegDue, ...] = ()
    claiming_seats: frozenset[int] = frozenset()
    levels: LevelHistory = field(default_factory=LevelHistory)
    quarantine: Mapping[int, int] = field(default_factory=dict)
    now_ms: int = 0
    sensors_back_ms: int = LONG_AGO_MS
    input_ms: int = LONG_AGO_MS
    is_knocked_over: bool = False

    def replace(self, **changes: Any) -> "PegFacts":
        """These facts with some fields changed."""
        changed = replace(self, **changes)
        for computed, of in (
            ("home_bits", "placements"),
            ("lane_groups", "placements"),
            ("is_won", "placements"),
            ("quarantined_bits", "quarantine"),
        ):
            if of in changes:
                changed.__dict__.pop(computed, None)
        return changed

    @cached_property
    def home_bits(self) -> int:
        """All pegs' homes, as bits. A peg's home is the hole where it was last known to stand.

        Before the pegs were first set up: the start holes.
        """
        if self.placements is None:
            return self.race_board.start_bits
        return bits_of([h for placement in self.placements for h in (placement.back, placement.front)])

    @cached_property
    def lane_groups(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """The seats that share a lane, with its holes as bits.

        A peg's home counts to its own seat's group, even if a person's word has put the peg on another's lane.
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
    def quarantined_bits(self) -> int:
        """The holes whose sensors are not trusted, as bits."""
        return bits_of(self.quarantine)

    @cached_property
    def is_won(self) -> bool:
        """A seat has reached the target: nobody claims any more, and the pegs go back to the start in any order."""
        target = self.race_board.lanes[0].target
        return any(placement.front_points >= target for placement in self.placements or ())

    def due_of(self, seat: int) -> PegDue | None:
        """What is due of this seat; None where nothing is."""
        for due in self.dues:
            if due.seat == seat:
                return due
        return None
