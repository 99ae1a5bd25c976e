"""Input of the peg reader, and stage 1: which holes hold a peg and which pegs are out. Pure values.

`PegFacts` has the levels with their history, the known placement and what is due. The reader works on levels, not on
edges: every report carries all holes, so a lost report only delays it. A hole that flaps, or that is taken although no
peg can be there, is quarantined (event `Quarantined`). `TrustedLevels` ignores its level: a peg whose home it is counts
as present, and the game goes on with the other holes. It is trusted again (event `Trusted`) when a peg that was out
rests in it, or when it has not changed for `STEADY_RELEASE_MS`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import is_, or_
from typing import TYPE_CHECKING, NamedTuple

from companion.boards.board import PegDue, Placement, RaceBoard, bits_of, holes_of
from companion.common.values import replace
from companion.pegs.events import PegEvent, Quarantined, flapping_sentence
from companion.pegs.interpretation import SeatContext
from companion.pegs.thresholds import (
    BOUNCE_MS,
    CHANGES_REMEMBERED,
    FAULTY_FLIPS,
    FAULTY_HOME_FLIPS,
    FLAPPING_WINDOW_MS,
    LONG_AGO_MS,
    MAX_TOUCH_MS,
    REACTION_MS,
    SENSOR_LAG_MS,
    STEADY_RELEASE_MS,
    PegTimings,
)

if TYPE_CHECKING:  # stage 3 fills a cache here
    from companion.pegs.assignment import Assignment


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


MAX_PAST_PLACEMENTS = 500
"""Maximum number of earlier placements kept for each seat, more than any game has."""


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

    def with_placement(
        self,
        seat: int,
        placement: Placement,
        past: tuple[Placement, ...],
        certain_ms: int,
        hand_paces: tuple[HandPace, ...] | None = None,
    ) -> "PegFacts":
        """Return the facts with another placement of a seat. Its due was computed from the former one, so it goes."""
        assert self.placements is not None
        before, after = slice(seat), slice(seat + 1, None)
        paces = self.hand_paces[seat] if hand_paces is None else hand_paces
        return replace(
            self,
            placements=(*self.placements[before], placement, *self.placements[after]),
            past_placements=(*self.past_placements[before], past, *self.past_placements[after]),
            certain_ms=(*self.certain_ms[before], certain_ms, *self.certain_ms[after]),
            hand_paces=(*self.hand_paces[before], paces, *self.hand_paces[after]),
            dues=tuple([due for due in self.dues if due.seat != seat]),
        )

    def due_of(self, seat: int) -> PegDue | None:
        for due in self.dues:
            if due.seat == seat:
                return due
        return None


class PlacementContext:
    """What follows from the known placements and from what is due alone. Readings share it until these change.

    - `home_bits`: the homes of all pegs, as bits. A peg's home is the hole where it was last known to stand; before the
      set-up, the start holes are homes.
    - `lane_groups`: the groups of seats that share a lane, each with the holes of the lane as bits. A home belongs to
      the group of its own seat, even if a player has confirmed a peg on another seat's lane.
    - `is_won`: a seat has reached the target. Then no claim is read, and pegs return to the start in any order.
    - `assignments`: a cache of the likely assignments, which stage 3 fills.
    """

    def __init__(self, facts: PegFacts) -> None:
        board, placements = facts.race_board, facts.placements
        self._source = _context_source(facts)
        self._seats: dict[tuple[int, bool, bool], SeatContext] = {}
        self.assignments: dict[tuple[object, ...], tuple[tuple[Assignment, ...], bool]] = {}
        self.home_bits, self.lane_groups, self.is_won = board.start_bits, board.groups, False
        if placements is not None:
            own = [1 << one.back | 1 << one.front for one in placements]
            self.home_bits = reduce(or_, own)
            self.lane_groups = tuple(
                [
                    (seats, bits & ~self.home_bits | reduce(or_, [own[seat] for seat in seats]))
                    for seats, bits in board.groups
                ]
            )
            self.is_won = any(one.front_points >= board.lanes[0].target for one in placements)

    def fits(self, facts: PegFacts) -> bool:
        """Return whether the placements and what is due are still the same."""
        return all(map(is_, self._source, _context_source(facts)))

    def create_seat_contexts(self, facts: PegFacts) -> tuple[SeatContext, ...]:
        """Return the context of each seat, a kept one if it is the same; none before the set-up is complete."""
        return tuple([self._seat_context(facts, *each) for each in enumerate(facts.placements or ())])

    def _seat_context(self, facts: PegFacts, seat: int, placement: Placement) -> SeatContext:
        is_hasty = placement.front in facts.levels.changes and facts.levels.changes[placement.front].held_ms > 0
        is_claiming = seat in facts.claiming_seats and _is_claiming(facts, seat)
        context = self._seats.get((seat, is_hasty, is_claiming))
        if context is None:
            context = self._seats[seat, is_hasty, is_claiming] = SeatContext(
                lane=facts.race_board.lanes[seat],
                placement=placement,
                past_placements=facts.past_placements[seat],
                due=facts.due_of(seat),
                pegs_are_score=facts.pegs_are_score,
                is_won=self.is_won,
                may_claim=seat in facts.claiming_seats,
                is_claiming=is_claiming,
                is_hasty=is_hasty,
                players_count=facts.players_count,
            )
        return context


def _context_source(facts: PegFacts) -> tuple[object, ...]:
    return facts.placements, facts.past_placements, facts.dues, facts.claiming_seats


def _is_claiming(facts: PegFacts, seat: int) -> bool:
    """Return whether a seat, which may claim points, lifted its peg before it could answer what is due now."""
    if facts.pegs_are_score or facts.placements is None:
        return False
    if seat not in facts.due_since_ms or facts.due_of(seat) is None:
        return True
    answer_ms, homes = facts.due_since_ms[seat] + REACTION_MS, facts.placements[seat].holes
    lifted = (facts.left_home_ms.get((seat, home), answer_ms) for home in homes if not facts.levels.bits >> home & 1)
    return any(ms < answer_ms for ms in lifted)


class TrustedLevels:
    """The levels with quarantined sensors replaced by what must be true. Immutable by convention.

    `home_bits`: the homes of all pegs . `taken_bits`: the holes that hold a peg. `empty_homes`:
    by seat, the homes that its pegs have left, in ascending order. (`LaneGroup.away_seats` lists the seats that do not
    have both pegs at home.)
    """

    def __init__(self, facts: PegFacts, before: "TrustedLevels | None" = None) -> None:
        self.facts = facts
        is_same = before is not None and before.context.fits(facts)
        self.context: PlacementContext = before.context if before is not None and is_same else PlacementContext(facts)
        self.home_bits, self.lane_groups = self.context.home_bits, self.context.lane_groups
        self.is_won, self.seat_contexts = self.context.is_won, self.context.create_seat_contexts(facts)
        self.quarantined_bits = quarantined = bits_of(facts.quarantine) if facts.quarantine else 0
        self.taken_bits = facts.levels.bits & ~quarantined | quarantined & self.home_bits
        if quarantined and facts.placements is not None:
            self.taken_bits ^= self._infer_unseen_moves()
        self.empty_homes = () if facts.placements is None else self._find_empty_homes(facts.placements)

    def _infer_unseen_moves(self) -> int:
        """Return the quarantined holes that a peg must have left or reached, judging by the other holes, as bits."""
        facts, quarantined, taken, moved = self.facts, self.quarantined_bits, self.taken_bits, 0
        missing = self.home_bits & ~taken
        for seats, lane in self.lane_groups:
            home, new = quarantined & self.home_bits & lane, taken & ~self.home_bits & lane
            # The lane has one more new peg than pegs out: it left the quarantined home whose due it pegs, else the only
            # one, unless it may be a peg that another lane misses.
            if home and new.bit_count() == (missing & lane).bit_count() + 1:
                lifts = [due.lift for due in facts.dues if home >> due.lift & 1 and new >> due.place & 1]
                if len(lifts) == 1:
                    moved |= 1 << lifts[0]
                elif home.bit_count() == 1 and not missing & ~lane:
                    moved |= home
            if not new:
                moved |= self._find_filled_due_holes(seats) & quarantined & ~self.home_bits
        return moved

    def _find_filled_due_holes(self, seats: tuple[int, ...]) -> int:
        """Return the holes of dues that have filled since the due's peg was lifted, as bits."""
        facts = self.facts
        return bits_of(
            due.place
            for due in facts.dues
            if due.seat in seats
            and not self.taken_bits >> due.lift & 1
            and facts.levels.changes[due.place].filled_ms + SENSOR_LAG_MS >= self.left_ms(due.seat, due.lift)
        )

    def _find_empty_homes(self, placements: tuple[Placement, ...]) -> tuple[tuple[int, ...], ...]:
        shared = self.facts.race_board.has_shared_lanes
        if self.taken_bits & self.home_bits == self.home_bits and not shared:
            return ((),) * len(placements)
        lost = [
            find_overtaken_homes(placements, self.facts.certain_ms, seat) if shared else ()
            for seat in range(len(placements))
        ]
        return tuple(
            [
                tuple(
                    [
                        h
                        for h in sorted((placement.back, placement.front))
                        if not self.taken_bits >> h & 1 or h in lost[seat]
                    ]
                )
                for seat, placement in enumerate(placements)
            ]
        )

    def unchanged_since_ms(self, hole: int) -> int:
        """Return when the hole last changed; `LONG_AGO_MS` if it is quarantined and no peg has come to it."""
        if self.quarantined_bits >> hole & 1 and not (self.taken_bits & ~self.home_bits) >> hole & 1:
            return LONG_AGO_MS
        return self.facts.levels.changes[hole].changed_ms

    def last_change_ms(self, holes: Iterable[int]) -> int:
        """Return the time of the last change of these holes, or of the first report of the sensors if that is later."""
        return max([self.facts.sensors_back_ms, *map(self.unchanged_since_ms, holes)])

    def left_times(self, seat: int) -> dict[int, int]:
        """Return when a seat's pegs left their homes, by home."""
        return {hole: self.left_ms(seat, hole) for hole in self.seat_contexts[seat].placement.holes}

    def left_ms(self, seat: int, hole: int) -> int:
        """Return when a seat's peg left its home. The home may have been filled again since by another peg.

        For a quarantined home: at the latest when the first new peg came to the lane.
        """
        facts = self.facts
        left_ms = facts.left_home_ms.get((seat, hole), facts.levels.changes[hole].emptied_ms)
        if not self.quarantined_bits >> hole & 1:
            return left_ms
        new = facts.levels.bits & facts.race_board.lanes[seat].bits & ~self.home_bits & ~self.quarantined_bits
        return min([left_ms, *(facts.levels.changes[h].filled_ms for h in holes_of(new))])

    def has_flickered(self, hole: int, left_ms: int) -> bool:
        """Return whether the hole changed recently before the peg that could be in it was lifted at `left_ms`.

        Its sensor may fail then. Changes of a home after its own peg was lifted are made by a hand.
        """
        facts = self.facts
        own = facts.levels.changes[hole].unattended_times
        until_ms = left_ms - SENSOR_LAG_MS
        if not own or own[0] >= until_ms:
            return False
        if self.home_bits >> hole & 1:
            until_ms = min([until_ms, *(ms for (_, home), ms in facts.left_home_ms.items() if home == hole)])
        return any(facts.now_ms - FLAPPING_WINDOW_MS <= ms < until_ms for ms in own)

    @cached_property
    def left_holes(self) -> list[tuple[int, HoleChanges]]:
        """The empty holes, without homes and quarantined ones, that a peg has filled and left, with their changes."""
        facts = self.facts
        others = facts.levels.bits | self.home_bits | self.quarantined_bits
        return [
            (hole, of)
            for hole, of in facts.levels.changes.items()
            if of.filled_ms != LONG_AGO_MS and not others >> hole & 1
        ]

    @cached_property
    def unattended_holes(self) -> frozenset[int]:
        """The holes that have changed recently although no hand can have been there."""
        return frozenset([hole for hole, of in self.facts.levels.changes.items() if of.unattended_times])

    @cached_property
    def hands_at_work(self) -> tuple[tuple[int, int], ...]:
        """For each seat with a peg in the hand: its lane and the holes that flickered before it was lifted, as bits.

        The hand does not explain the changes of the latter.
        """
        facts = self.facts
        if facts.placements is None:
            return tuple(
                (one.bits, 0) for one in facts.race_board.lanes if self.taken_bits & one.start_bits != one.start_bits
            )
        found = []
        for seat, lane in enumerate(facts.race_board.lanes):
            if out := self.empty_homes[seat] or self._find_doubtful_homes(facts.placements[seat]):
                left_ms = min(self.left_ms(seat, h) for h in out)
                flickered = [h for h in self.unattended_holes if self.has_flickered(h, left_ms)]
                found.append((lane.bits, bits_of(flickered) if flickered else 0))
        return tuple(found)

    def _find_doubtful_homes(self, placement: Placement) -> tuple[int, ...]:
        """Return the quarantined homes of a seat whose sensors report no peg."""
        doubtful = self.quarantined_bits & ~self.facts.levels.bits
        return tuple(h for h in (placement.back, placement.front) if doubtful >> h & 1)

    @property
    def handled_bits(self) -> int:
        """The holes that a hand may touch with a peg of the hole's own lane, as bits."""
        bits = 0
        for lane, failing in self.hands_at_work:
            bits |= lane & ~failing
        return bits & ~self.home_bits

    @property
    def reachable_bits(self) -> int:
        """The holes that any hand may touch, also by mistake on another lane, as bits."""
        bits = 0
        for _, failing in self.hands_at_work:
            bits |= self.facts.race_board.lane_bits & ~failing
        return bits & ~self.home_bits


def find_overtaken_homes(placements: tuple[Placement, ...], certain_ms: tuple[int, ...], seat: int) -> frozenset[int]:
    """Return the homes of a seat that another seat's peg has since taken."""
    if max(certain_ms) == certain_ms[seat]:
        return frozenset()
    later = (s.holes for other, s in enumerate(placements) if other != seat and certain_ms[other] > certain_ms[seat])
    return placements[seat].holes & frozenset[int]().union(*later)


def apply_report(
    facts: PegFacts, before: TrustedLevels, bits: int, now_ms: int
) -> tuple[PegFacts, tuple[PegEvent, ...]]:
    """Return the facts after a report with these levels, and the events. `before`: the trusted levels until now."""
    changed = bits ^ facts.levels.bits
    facts = replace(
        facts,
        levels=facts.levels.with_report(bits, now_ms, before.reachable_bits),
        left_home_ms=_record_left_homes(before, changed & ~bits, now_ms),
        now_ms=max(facts.now_ms, now_ms),
    )
    return _quarantine_flapping_holes(facts, before, changed)


def _quarantine_flapping_holes(
    facts: PegFacts, before: TrustedLevels, changed: int
) -> tuple[PegFacts, tuple[PegEvent, ...]]:
    """Quarantine those of the `changed` holes (bits) that have changed too often. Returns the new facts and the events.

    At a home and where a hand was at work more changes are allowed.
    """
    handled, events = before.handled_bits, list[PegEvent]()
    for hole in holes_of(changed & ~before.quarantined_bits):
        changes, home = facts.levels.changes[hole], before.home_bits >> hole & 1
        if home or handled >> hole & 1:
            window_ms = FLAPPING_WINDOW_MS if home else FLAPPING_WINDOW_MS // 2
            is_faulty = is_flapping(changes.flip_times, facts.now_ms, FAULTY_HOME_FLIPS, window_ms)
        else:
            flips = [ms for ms in changes.flip_times if ms in changes.unattended_times]
            is_faulty = is_flapping(flips, facts.now_ms, FAULTY_FLIPS)
        if is_faulty:
            facts = replace(facts, quarantine={**facts.quarantine, hole: facts.now_ms})
            events.append(Quarantined(hole, flapping_sentence(facts.race_board.board, hole)))
    return facts, tuple(events)


def is_flapping(flips: Iterable[int], now_ms: int, least: int, window_ms: int = FLAPPING_WINDOW_MS) -> bool:
    """Return whether a hole that changed at these times, bounce excluded, changed too often for a hand.

    `least`: minimum number of changes within `window_ms` that show a fault.
    """
    return sum(now_ms - ms <= window_ms for ms in flips) >= least


def _record_left_homes(trusted: TrustedLevels, emptied: int, now_ms: int) -> Mapping[tuple[int, int], int]:
    """Return `PegFacts.left_home_ms` after these holes (bits) have emptied.

    The first leaving of a home counts, because the home may have been touched again on the way. If a peg has rested
    there for the quiet time, its own peg came back, and the last leaving counts. On a shared lane it may be another's.
    """
    facts = trusted.facts
    emptied &= trusted.home_bits & ~trusted.quarantined_bits
    if facts.placements is None or not emptied:
        return facts.left_home_ms
    own = {seat for seats, _ in trusted.lane_groups if len(seats) == 1 for seat in seats}
    rested_ms = now_ms - facts.settings.quiet_ms
    return {
        **facts.left_home_ms,
        **{
            (seat, hole): now_ms
            for seat, placement in enumerate(facts.placements)
            for hole in placement.holes
            if emptied >> hole & 1
            and (
                (seat, hole) not in facts.left_home_ms
                or (seat in own and trusted.unchanged_since_ms(hole) <= rested_ms)
            )
        },
    }


def record_certain_lanes(trusted: TrustedLevels) -> PegFacts:
    """Record that the placements on lanes with all pegs at home, and no others, are certain now.

    A seat alone on its lane needs this only after a peg has left its home.
    """
    facts = trusted.facts
    if facts.placements is None or not facts.left_home_ms:
        return facts
    certain_ms, gone = list(facts.certain_ms), facts.left_home_ms
    for seats, bits in trusted.lane_groups:
        if len(seats) == 1 and not any(seat == seats[0] for seat, _ in gone):
            continue
        home = trusted.home_bits & bits
        if trusted.taken_bits & bits == home and home.bit_count() == 2 * len(seats):
            for seat in seats:
                certain_ms[seat] = facts.now_ms
            gone = {key: ms for key, ms in gone.items() if key[0] not in seats}
    return facts if gone is facts.left_home_ms else replace(facts, certain_ms=tuple(certain_ms), left_home_ms=gone)


def past_before(past: tuple[Placement, ...], placement: Placement) -> tuple[Placement, ...]:
    """Return the earlier placements that remain when pegs go back to this one; if it is new, those of lower score."""
    for index in range(len(past) - 1, -1, -1):
        if past[index].holes == placement.holes:
            return past[:index]
    return tuple(s for s in past if s.front_points < placement.front_points)
