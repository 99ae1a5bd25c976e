"""Stage 1, sensor trust: which holes hold a peg, which pegs are out, which sensors fail. Pure.

A hole that flaps, or that is taken although no peg can be there, is quarantined (event `Quarantined`). Its level is
ignored: a peg whose home it is counts as present, and the game goes on with the other holes. The hole is trusted again
(event `Trusted`) when a peg that was out rests in it, or when it has not changed for `STEADY_RELEASE_MS`.

Lanes of a race use `TrustedLevels`, marker pegs use `MarkerQuarantine` at the end of this module.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from companion.boards.board import Placement, bits_of, holes_of
from companion.boards.catalog import Board
from companion.i18n import Message, format_message, join_messages
from companion.pegs.events import PegEvent, Quarantined, Trusted
from companion.pegs.interpretation import is_likely_hole, known_seat
from companion.pegs.levels import HoleChanges, PegFacts
from companion.pegs.thresholds import (
    BOUNCE_MS,
    CALM_SENSOR_MS,
    CHANGES_REMEMBERED,
    FAULTY_FLIPS,
    FAULTY_HOME_FLIPS,
    FLAPPING_WINDOW_MS,
    LONG_AGO_MS,
    OVERRULE_SENSOR_MS,
    SENSOR_LAG_MS,
    STEADY_RELEASE_MS,
)


class TrustedLevels:
    """The levels with quarantined sensors replaced by what must be true. Immutable by convention.

    `home_bits`: the homes of all pegs (`PegFacts.home_bits`). `taken_bits`: the holes that hold a peg. `empty_homes`:
    by seat, the homes that its pegs have left, in ascending order. (`LaneGroup.away_seats` lists the seats that do not
    have both pegs at home.)
    """

    def __init__(self, facts: PegFacts) -> None:
        self.facts = facts
        self.home_bits = facts.home_bits
        quarantined = facts.quarantined_bits
        self.taken_bits = facts.levels.bits & ~quarantined | quarantined & self.home_bits
        if quarantined and facts.placements is not None:
            self.taken_bits ^= self._infer_unseen_moves()
        self.empty_homes = () if facts.placements is None else self._find_empty_homes(facts.placements)

    def _infer_unseen_moves(self) -> int:
        """Return the quarantined holes that a peg must have left or reached, judging by the other holes, as bits."""
        facts, quarantined, taken, moved = self.facts, self.facts.quarantined_bits, self.taken_bits, 0
        missing = self.home_bits & ~taken
        for seats, lane in facts.lane_groups:
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
        if self.facts.quarantined_bits >> hole & 1 and not (self.taken_bits & ~self.home_bits) >> hole & 1:
            return LONG_AGO_MS
        return self.facts.levels.changes[hole].changed_ms

    def last_change_ms(self, holes: Iterable[int]) -> int:
        """Return the time of the last change of these holes, or of the first report of the sensors if that is later."""
        return max([self.facts.sensors_back_ms, *map(self.unchanged_since_ms, holes)])

    def left_ms(self, seat: int, hole: int) -> int:
        """Return when a seat's peg left its home. The home may have been filled again since by another peg.

        For a quarantined home: at the latest when the first new peg came to the lane.
        """
        facts = self.facts
        left_ms = facts.left_home_ms.get((seat, hole), facts.levels.changes[hole].emptied_ms)
        if not facts.quarantined_bits >> hole & 1:
            return left_ms
        new = facts.levels.bits & facts.race_board.lanes[seat].bits & ~self.home_bits & ~facts.quarantined_bits
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
        others = facts.levels.bits | self.home_bits | facts.quarantined_bits
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
                found.append((lane.bits, bits_of(flickered)))
        return tuple(found)

    def _find_doubtful_homes(self, placement: Placement) -> tuple[int, ...]:
        """Return the quarantined homes of a seat whose sensors report no peg."""
        doubtful = self.facts.quarantined_bits & ~self.facts.levels.bits
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


def find_overtaken_homes(placements: tuple[Placement, ...], calm_ms: tuple[int, ...], seat: int) -> frozenset[int]:
    """Return the homes of a seat that another seat's peg has since taken."""
    if max(calm_ms) == calm_ms[seat]:
        return frozenset()
    later = (s.holes for other, s in enumerate(placements) if other != seat and calm_ms[other] > calm_ms[seat])
    return placements[seat].holes & frozenset[int]().union(*later)


class TrustChange(NamedTuple):
    """A hole that will be quarantined at `at_ms`; if `why` is empty, a hole that will be trusted again."""

    at_ms: int
    hole: int
    why: str


def quarantine_flapping_holes(
    facts: PegFacts, before: TrustedLevels, changed: int
) -> tuple[PegFacts, tuple[PegEvent, ...]]:
    """Quarantine those of the `changed` holes (bits) that have changed too often. Returns the new facts and the events.

    `before`: the trusted levels until now. At a home and where a hand was at work more changes are allowed.
    """
    handled, events = before.handled_bits, list[PegEvent]()
    for hole in holes_of(changed & ~facts.quarantined_bits):
        changes, home = facts.levels.changes[hole], before.home_bits >> hole & 1
        if home or handled >> hole & 1:
            window_ms = FLAPPING_WINDOW_MS if home else FLAPPING_WINDOW_MS // 2
            is_faulty = is_flapping(changes.flip_times, facts.now_ms, FAULTY_HOME_FLIPS, window_ms)
        else:
            flips = [ms for ms in changes.flip_times if ms in changes.unattended_times]
            is_faulty = is_flapping(flips, facts.now_ms, FAULTY_FLIPS)
        if is_faulty:
            facts = facts.replace(quarantine={**facts.quarantine, hole: facts.now_ms})
            events.append(Quarantined(hole, flapping_sentence(facts.race_board.board, hole)))
    return facts, tuple(events)


def is_flapping(flips: Iterable[int], now_ms: int, least: int, window_ms: int = FLAPPING_WINDOW_MS) -> bool:
    """Return whether a hole that changed at these times, bounce excluded, changed too often for a hand.

    `least`: minimum number of changes within `window_ms` that show a fault.
    """
    return sum(now_ms - ms <= window_ms for ms in flips) >= least


def _hole_label(board: Board, hole: int) -> Message:
    """Return the id of the hole with its words translated, as the page shows it."""
    return join_messages(
        [part if part.isdecimal() else format_message(part) for part in board.holes[hole].id.split("-")], "-"
    )


def flapping_sentence(board: Board, hole: int) -> str:
    """Return the sentence for players about a hole that flaps."""
    return format_message("The sensor of {hole} flickers.", hole=_hole_label(board, hole))


def stray_sentence(board: Board, hole: int) -> str:
    """Return the sentence for players about a hole that is taken although every peg is elsewhere."""
    return format_message("{hole} reports a peg, but all pegs are elsewhere.", hole=_hole_label(board, hole))


def find_trust_changes(trusted: TrustedLevels, strays: Iterable[tuple[int, int]]) -> list[TrustChange]:
    """Return the holes that will be quarantined or trusted again if nothing changes.

    `strays`: taken holes that belong to no seat, each with the time of its last change.
    """
    facts = trusted.facts
    board, quarantined = facts.race_board.board, facts.quarantined_bits
    found = []
    for hole, ms in strays:
        if (stuck := _find_stuck_home(trusted, hole)) is not None:
            # If a peg of another seat is out, it may be that one, unless the points were given because of this peg.
            is_sure = facts.players_count or not any(trusted.empty_homes)
            wait_ms = facts.settings.doubt_ms if is_sure else facts.settings.missing_ms
            found.append(TrustChange(ms + wait_ms, stuck, stray_sentence(board, stuck)))
        elif not quarantined >> hole & 1 and not _is_claimed_from_quarantine(facts, hole):
            found.append(TrustChange(ms + OVERRULE_SENSOR_MS, hole, stray_sentence(board, hole)))
    for hole, quarantined_ms in facts.quarantine.items():
        is_stray = quarantined_ms > facts.levels.changes[hole].changed_ms and facts.levels.bits >> hole & 1
        if is_stray and (_find_stuck_home(trusted, hole) is not None or _is_claimed_from_quarantine(facts, hole)):
            found.append(TrustChange(quarantined_ms, hole, ""))  # a peg has become due there, so it was one
        elif (rested_ms := _trusted_again_ms(trusted, hole)) is not None:
            found.append(TrustChange(rested_ms, hole, ""))
        # A hole stays quarantined while only its own level contradicts the known placement.
        elif not (facts.levels.bits ^ trusted.home_bits) >> hole & 1:
            since_ms = max(facts.quarantine[hole], facts.levels.changes[hole].changed_ms)
            found.append(TrustChange(since_ms + STEADY_RELEASE_MS, hole, ""))
    return found


def _find_stuck_home(trusted: TrustedLevels, stray: int) -> int | None:
    """Return the home whose sensor must be stuck if its due peg is in this hole; None if no such peg is due there.

    Neither may the due's peg be out, nor can a peg have come from a quarantined home.
    """
    facts = trusted.facts
    for due in facts.dues:
        if due.place == stray and due.lift != stray:
            lane = next(bits for seats, bits in facts.lane_groups if due.seat in seats)
            is_home = trusted.taken_bits >> due.lift & 1
            return due.lift if is_home and not facts.quarantined_bits & trusted.home_bits & lane else None
    return None


def _is_claimed_from_quarantine(facts: PegFacts, hole: int) -> bool:
    """Return whether a player was given the points of a peg in this hole that comes from a quarantined home."""
    return facts.players_count and any(
        due.place == hole and facts.quarantined_bits >> due.lift & 1 for due in facts.dues
    )


def _trusted_again_ms(trusted: TrustedLevels, hole: int) -> int | None:
    """Return when a peg will have rested in a quarantined hole for long enough to trust the hole again.

    None if no peg is out that could be in the hole.
    """
    facts, levels = trusted.facts, trusted.facts.levels
    if facts.placements is None or trusted.home_bits >> hole & 1 or not levels.bits >> hole & 1:
        return None
    filled_ms = levels.changes[hole].filled_ms
    if filled_ms < facts.quarantine[hole]:
        return None  # the hole was taken before its quarantine, so its level is not a peg that came since
    for seats, lane in facts.lane_groups:
        if lane >> hole & 1:
            gone = [(seat, home) for seat in seats for home in trusted.empty_homes[seat]]
            if (trusted.taken_bits & ~trusted.home_bits & lane).bit_count() < len(gone) and any(
                trusted.left_ms(seat, home) <= filled_ms + SENSOR_LAG_MS
                and is_likely_hole(known_seat(facts, seat), hole)
                for seat, home in gone
            ):
                return filled_ms + _required_rest_ms(
                    facts, levels.changes[hole].unattended_times, min(trusted.left_ms(*each) for each in gone)
                )
    return None


def _required_rest_ms(facts: PegFacts, own: tuple[int, ...], left_ms: int) -> int:
    """Return how long a peg must rest in a quarantined hole, in ms. `own`: when the hole changed without a hand.

    The quiet time if the sensor had stopped failing before a hand touched it, else twice its longest pause.
    """
    late = [ms for ms in own if left_ms - FLAPPING_WINDOW_MS <= ms]
    before = [ms for ms in late if ms < left_ms]
    touched_ms = next((ms for ms in own if ms >= left_ms), left_ms)
    stopped = not before or touched_ms - before[-1] > max(CALM_SENSOR_MS, 2 * _longest_pause(before))
    return facts.settings.quiet_ms if stopped else max(facts.settings.quiet_ms, 2 * _longest_pause(late))


def _longest_pause(changes: list[int]) -> int:
    return max([after - ms for ms, after in pairwise(changes)], default=0)


def apply_trust_change(facts: PegFacts, trust: TrustChange) -> tuple[PegFacts, tuple[PegEvent, ...]]:
    """Quarantine a hole or trust it again. Returns the new facts and the event."""
    if trust.why:
        # A due may make a peg that has rested for minutes evidence: the time until the release begins now.
        since_ms = max(trust.at_ms, facts.now_ms)
        return facts.replace(quarantine={**facts.quarantine, trust.hole: since_ms}), (
            Quarantined(trust.hole, trust.why),
        )
    levels = facts.levels.with_explained_holes((trust.hole,))
    quarantine = {hole: ms for hole, ms in facts.quarantine.items() if hole != trust.hole}
    return facts.replace(quarantine=quarantine, levels=levels), (Trusted(trust.hole),)


@dataclass(frozen=True, slots=True)
class MarkerQuarantine:
    """The sensor trust of a board with marker pegs. Frozen.

    `holes`: the quarantined holes, each with the time of its last change. `flips`: the times of each hole's latest
    changes. `strays`: the holes that report a peg although every peg is elsewhere, each with the time of the first
    such report.
    """

    holes: Mapping[int, int] = field(default_factory=dict)
    flips: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    strays: Mapping[int, int] = field(default_factory=dict)

    @property
    def quarantined_bits(self) -> int:
        """The quarantined holes, as bits."""
        return bits_of(self.holes)


def record_marker_changes(
    quarantine: MarkerQuarantine, board: Board, holes: int, now_ms: int, calm: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """Record that these holes (bits) have changed, and quarantine those that have changed too often.

    `calm`: the holes where no hand can be at work, as bits. There, fewer changes show a fault.
    """
    flips, quarantined, events = dict(quarantine.flips), dict(quarantine.holes), list[PegEvent]()
    for hole in holes_of(holes):
        before = flips.get(hole, ())
        if not before or now_ms - before[-1] > BOUNCE_MS:
            flips[hole] = (*before[1 - CHANGES_REMEMBERED :], now_ms)
        if hole in quarantined:
            quarantined[hole] = now_ms
        elif is_flapping(flips[hole], now_ms, FAULTY_FLIPS if calm >> hole & 1 else FAULTY_HOME_FLIPS):
            quarantined[hole] = now_ms
            events.append(Quarantined(hole, flapping_sentence(board, hole)))
    return replace(quarantine, holes=quarantined, flips=flips), tuple(events)


def clear_marker_changes(quarantine: MarkerQuarantine, holes: int) -> MarkerQuarantine:
    """Forget the changes of these holes (bits): a hand made them as the game required."""
    return replace(quarantine, flips={hole: late for hole, late in quarantine.flips.items() if not holes >> hole & 1})


def quarantine_strays(
    quarantine: MarkerQuarantine, board: Board, extra: Iterable[int], now_ms: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """Quarantine those of the `extra` holes that have reported a surplus peg for `OVERRULE_SENSOR_MS`."""
    since = {hole: quarantine.strays.get(hole, now_ms) for hole in extra}
    stuck = [hole for hole, since_ms in since.items() if since_ms + OVERRULE_SENSOR_MS <= now_ms]
    events = tuple(Quarantined(h, stray_sentence(board, h)) for h in stuck)
    left = {hole: since_ms for hole, since_ms in since.items() if hole not in stuck}
    return replace(quarantine, strays=left, holes={**quarantine.holes, **dict.fromkeys(stuck, now_ms)}), events


def release_steady_holes(
    quarantine: MarkerQuarantine, stuck: int, now_ms: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """Trust the holes again that have not changed for `STEADY_RELEASE_MS`, except those of `stuck` (bits)."""
    good = [h for h, ms in quarantine.holes.items() if ms + STEADY_RELEASE_MS <= now_ms and not stuck >> h & 1]
    if not good:
        return quarantine, ()
    holes = {hole: ms for hole, ms in quarantine.holes.items() if hole not in good}
    return replace(quarantine, holes=holes), tuple(Trusted(hole) for hole in good)


def quarantine_deadlines(quarantine: MarkerQuarantine, stuck: int) -> list[int]:
    """Return the times at which `quarantine_strays` or `release_steady_holes` may have an effect."""
    waits = [ms + STEADY_RELEASE_MS for hole, ms in quarantine.holes.items() if not stuck >> hole & 1]
    return waits + [since_ms + OVERRULE_SENSOR_MS for since_ms in quarantine.strays.values()]
