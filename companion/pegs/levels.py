"""What every reading of a race's pegs starts from: the levels with their history, and where the pegs were known to be.

Levels, not edges: every report carries all holes, and a report lost costs a moment, never the truth. Pure values.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from companion.boards.board import Ground, PegDue, Stand, bits_of, holes_of
from companion.common.frozen import replace
from companion.pegs.thresholds import BOUNCE_MS, FORGET_MS, KEPT, LONGEST_TOUCH_MS, NEVER, Settings


class Changes(NamedTuple):
    """When a hole was last filled and last emptied.

    A change and those within 120 ms after it are a burst, the contact's chatter: it counts as one change, made when
    the burst began.

    `put_ms`: when the peg that was last in it was put there; a peg that only rattled was not put anew. `changed_ms`:
    the last change of all, chatter too; the hole has been quiet since. `began_ms`: when the last burst began, and
    `was`: the level before it. `flips`: when each of the latest bursts began. `own`: the times of the latest changes,
    chatter too, at which no hand can have been there.
    """

    filled_ms: int = NEVER
    emptied_ms: int = NEVER
    put_ms: int = NEVER
    changed_ms: int = NEVER
    began_ms: int = NEVER
    was: int = 0
    flips: tuple[int, ...] = ()
    own: tuple[int, ...] = ()

    @property
    def held_ms(self) -> int:
        """How long the last peg was in the hole that is empty now, in ms; 0 if for longer than any touch takes."""
        held_ms = self.emptied_ms - self.put_ms
        return held_ms if held_ms <= LONGEST_TOUCH_MS else 0


class History(dict[int, Changes]):
    """The changes of each hole that changed of late."""

    def __missing__(self, hole: int) -> Changes:
        """The history of a hole that has not changed."""
        return UNCHANGED


UNCHANGED = Changes()


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels last reported, as bits, and the history of the holes that changed of late."""

    bits: int = 0
    changes: History = field(default_factory=History)

    def explained(self, holes: Iterable[int]) -> "Levels":
        """These levels, where a hand made the changes of these holes: they count neither as flapping nor as touches."""
        calm = {h: c._replace(flips=(), own=()) for h in holes if (c := self.changes.get(h)) is not None}
        left = {h: c._replace(filled_ms=NEVER) for h, c in calm.items() if not self.bits >> h & 1}
        return Levels(self.bits, History(self.changes | calm | left)) if calm else self

    def reported(self, bits: int, now_ms: int, handled: int) -> "Levels":
        """The levels after a report. `handled`: the holes where a hand may be at work, as bits."""
        changes = History(self.changes)
        if len(changes) > 64:
            changes = History({h: c for h, c in changes.items() if c.changed_ms > now_ms - FORGET_MS})
        for hole in holes_of(self.bits ^ bits):
            level = bits >> hole & 1
            filled_ms, emptied_ms, put_ms, _, began_ms, was, flips, own = changes[hole]
            if now_ms - began_ms > BOUNCE_MS:
                began_ms, was, flips = now_ms, 1 - level, (*flips[1 - KEPT :], now_ms)
            if not handled >> hole & 1:
                own = (*own[1 - KEPT :], now_ms)
            at_ms = now_ms if level == was else began_ms
            if not level:
                emptied_ms = at_ms
            else:
                filled_ms, put_ms = at_ms, put_ms if was else at_ms
            changes[hole] = Changes(filled_ms, emptied_ms, put_ms, now_ms, began_ms, was, flips, own)
        return Levels(bits, changes)


@dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What is known of the pegs. Frozen. `placing` changes where pegs are known to stand, `pegs` all the rest.

    `claims`: the pegs alone are the score (pegs-only). `counted`: the players count, so that the pegs may say more or
    less than the score (pegs-only, too). `stands`: where each seat's pegs were last known to stand;
    None before they were first set up. `past`: each seat's earlier placements, oldest first. `calm_ms`: by seat, the
    last time at which it was certain where its pegs stood. `left`: by seat and home, when a peg first left it after
    that. `paces`: by seat, the longest touch of a hole in each of its latest moves, in ms. `dues`: what is due.
    `counting`: the seats that may claim points now. `doubts`: the holes whose sensors are not believed, each with the
    time since when. `sight_ms`: when the holes were first seen again after the sensors were lost. `input_ms`: when a
    card was last scanned or a button pressed. `knocked`: the board was knocked over, and not all homes are filled yet.
    """

    ground: Ground
    settings: Settings
    claims: bool
    counted: bool
    stands: tuple[Stand, ...] | None
    past: tuple[tuple[Stand, ...], ...]
    calm_ms: tuple[int, ...]
    paces: tuple[tuple[int, ...], ...]
    left: Mapping[tuple[int, int], int] = field(default_factory=dict)
    dues: tuple[PegDue, ...] = ()
    counting: frozenset[int] = frozenset()
    levels: Levels = field(default_factory=Levels)
    doubts: Mapping[int, int] = field(default_factory=dict)
    now_ms: int = 0
    sight_ms: int = NEVER
    input_ms: int = NEVER
    knocked: bool = False

    def replace(self, **changes: Any) -> "Facts":
        """These facts with some fields changed."""
        changed = replace(self, **changes)
        for computed, of in (("homes", "stands"), ("groups", "stands"), ("won", "stands"), ("doubted", "doubts")):
            if of in changes:
                changed.__dict__.pop(computed, None)
        return changed

    @cached_property
    def homes(self) -> int:
        """All pegs' homes, as bits. A peg's home is the hole where it was last known to stand.

        Before the pegs were first set up: the start holes.
        """
        if self.stands is None:
            return self.ground.start
        return bits_of([h for stand in self.stands for h in (stand.back, stand.front)])

    @cached_property
    def groups(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """The seats that share a lane, with its holes as bits.

        A peg's home counts to its own seat's group, even if a person's word has put the peg on another's lane.
        """
        if self.stands is None:
            return self.ground.groups
        found = []
        for seats, bits in self.ground.groups:
            own = 0
            for stand in [self.stands[seat] for seat in seats]:
                own |= 1 << stand.back | 1 << stand.front
            found.append((seats, bits & ~self.homes | own))
        return tuple(found)

    @cached_property
    def doubted(self) -> int:
        """The holes whose sensors are not believed, as bits."""
        return bits_of(self.doubts)

    @cached_property
    def won(self) -> bool:
        """A seat has reached the target: nobody claims any more, and the pegs go back to the start in any order."""
        target = self.ground.lanes[0].target
        return any(stand.front_points >= target for stand in self.stands or ())

    def due(self, seat: int) -> PegDue | None:
        """What is due of this seat; None where nothing is."""
        for due in self.dues:
            if due.seat == seat:
                return due
        return None
