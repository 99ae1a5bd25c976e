"""First stage of a reading: which holes are trusted to be taken, whose pegs are out, which sensors fail. Pure.

A hole that flaps, or is taken though no peg can be there, is not trusted any more (event `Quarantined`). What it shows
is overlooked: a peg whose home it is counts as being there, and play goes on by what the other holes show. The hole is
trusted again when a peg that was out rests in it, or when it has not changed for a minute.
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
from companion.pegs.levels import PegFacts
from companion.pegs.thresholds import (
    BOUNCE_MS,
    CALM_SENSOR_MS,
    CHANGES_REMEMBERED,
    FAULTY_FLIPS,
    FAULTY_HOME_FLIPS,
    FAULTY_RATTLES,
    FAULTY_TOUCHES,
    FLAPPING_WINDOW_MS,
    LONG_AGO_MS,
    RATTLE_WINDOW_MS,
    SENSOR_LAG_MS,
    STEADY_RELEASE_MS,
    STRAY_QUARANTINE_MS,
)


class TrustedLevels:
    """What is trusted of the levels. Never changed once made.

    `homes`: all pegs' homes (see `Facts.homes`), `taken`: the holes that hold a peg; both as bits. `gone`: by seat, the
    homes that its pegs have left and are not in, rising. (`Group.away` are the
    seats that do not have both pegs at home.)
    """

    def __init__(self, facts: PegFacts) -> None:
        self.facts = facts
        self.home_bits = facts.home_bits
        doubted = facts.quarantined_bits
        self.taken_bits = facts.levels.bits & ~doubted | doubted & self.home_bits
        if doubted and facts.placements is not None:
            self.taken_bits ^= self._infer_unseen_moves()
        self.empty_homes = () if facts.placements is None else self._find_empty_homes(facts.placements)

    def _infer_unseen_moves(self) -> int:
        """The holes not trusted that a peg must have left, or come to, by what the other holes show: as bits."""
        facts, doubted, taken, moved = self.facts, self.facts.quarantined_bits, self.taken_bits, 0
        missing = self.home_bits & ~taken
        for seats, lane in facts.lane_groups:
            home, new = doubted & self.home_bits & lane, taken & ~self.home_bits & lane
            # One more peg came on this lane than is out, and no other lane lacks one: it left the home not trusted.
            if home.bit_count() == 1 and not missing & ~lane and new.bit_count() == missing.bit_count() + 1:
                moved |= home
            if not new:
                moved |= self._find_filled_due_holes(seats) & doubted & ~self.home_bits
        return moved

    def _find_filled_due_holes(self, seats: tuple[int, ...]) -> int:
        """The dues' own holes that have filled since the due's peg was lifted, as bits."""
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
        """Since when the hole has been as it is, in ms; NEVER where its sensor is not trusted."""
        if self.facts.quarantined_bits >> hole & 1 and not (self.taken_bits & ~self.home_bits) >> hole & 1:
            return LONG_AGO_MS
        return self.facts.levels.changes[hole].changed_ms

    def last_change_ms(self, holes: Iterable[int]) -> int:
        """The time of the last change among these holes, or of the first sight of them if that is later."""
        return max([self.facts.sensors_back_ms, *map(self.unchanged_since_ms, holes)])

    def left_ms(self, seat: int, hole: int) -> int:
        """When a seat's peg left its home. If the hole has filled again since, that may be another's peg.

        Where the home's sensor is not trusted: at the latest when the first new peg came on the lane.
        """
        facts = self.facts
        left_ms = facts.left_home_ms.get((seat, hole), facts.levels.changes[hole].emptied_ms)
        if not facts.quarantined_bits >> hole & 1:
            return left_ms
        new = facts.levels.bits & facts.race_board.lanes[seat].bits & ~self.home_bits & ~facts.quarantined_bits
        return min([left_ms, *(facts.levels.changes[h].filled_ms for h in holes_of(new))])

    def has_flickered(self, hole: int, left_ms: int) -> bool:
        """Whether a hole came and went of late before any peg was lifted that could be in it: its sensor may fail.

        `left_ms`: when that peg was lifted. What a home does after its own peg was lifted is a hand's doing.
        """
        facts = self.facts
        own = facts.levels.changes[hole].unattended_times
        if not own:
            return False
        until_ms = left_ms - SENSOR_LAG_MS
        if self.home_bits >> hole & 1:
            until_ms = min([until_ms, *(ms for (_, home), ms in facts.left_home_ms.items() if home == hole)])
        return any(facts.now_ms - FLAPPING_WINDOW_MS <= ms < until_ms for ms in own)

    @cached_property
    def hands_at_work(self) -> tuple[tuple[int, int], ...]:
        """For each seat with a peg in the hand: its lane, and the holes that its hand does not explain; both as bits.

        Those are the holes that flickered before the peg was lifted.
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
                found.append((lane.bits, bits_of([h for h in facts.levels.changes if self.has_flickered(h, left_ms)])))
        return tuple(found)

    def _find_doubtful_homes(self, placement: Placement) -> tuple[int, ...]:
        """The homes of a seat that look empty, and whose sensors are not trusted."""
        doubtful = self.facts.quarantined_bits & ~self.facts.levels.bits
        return tuple(h for h in (placement.back, placement.front) if doubtful >> h & 1)

    @property
    def handled_bits(self) -> int:
        """The holes that a peg in the hand of a lane's own player may be touching, as bits."""
        bits = 0
        for lane, failing in self.hands_at_work:
            bits |= lane & ~failing
        return bits & ~self.home_bits

    @property
    def reachable_bits(self) -> int:
        """The holes that a peg in anybody's hand may be touching, by mistake on another's lane too: as bits."""
        bits = 0
        for _, failing in self.hands_at_work:
            bits |= self.facts.race_board.lane_bits & ~failing
        return bits & ~self.home_bits


def find_overtaken_homes(placements: tuple[Placement, ...], calm_ms: tuple[int, ...], seat: int) -> frozenset[int]:
    """The homes of a seat that now hold another's peg: one that came to rest there later."""
    if max(calm_ms) == calm_ms[seat]:
        return frozenset()
    later = (s.holes for other, s in enumerate(placements) if other != seat and calm_ms[other] > calm_ms[seat])
    return placements[seat].holes & frozenset[int]().union(*later)


class TrustChange(NamedTuple):
    """When a hole will be trusted no more, and `why`; or, where `why` is empty, trusted again."""

    at_ms: int
    hole: int
    why: str


def quarantine_flapping_holes(
    facts: PegFacts, before: TrustedLevels, changed: int
) -> tuple[PegFacts, tuple[PegEvent, ...]]:
    """The facts, where those of the `changed` holes that have come and gone too often are trusted no more.

    `before`: what was trusted until now. Where a hand was at work, more changes are needed.
    """
    handled, events = before.handled_bits, list[PegEvent]()
    for hole in holes_of(changed & ~facts.quarantined_bits):
        changes, home = facts.levels.changes[hole], before.home_bits >> hole & 1
        calm = not home and not handled >> hole & 1
        if is_flapping(
            changes.unattended_times if calm else changes.flip_times,
            facts.now_ms,
            FAULTY_FLIPS if calm else FAULTY_HOME_FLIPS if home else FAULTY_TOUCHES,
        ):
            facts = facts.replace(quarantine={**facts.quarantine, hole: facts.now_ms})
            events.append(Quarantined(hole, flapping_sentence(facts.race_board.board, hole)))
    return facts, tuple(events)


def is_flapping(flips: Iterable[int], now_ms: int, most: int) -> bool:
    """Whether a hole that changed at these times, chatter aside, did so too often for a hand.

    `most`: this many changes within 8 s are too many; so are twelve within 4 s.
    """
    late = [ms for ms in flips if now_ms - ms <= FLAPPING_WINDOW_MS]
    return len(late) >= most or sum(now_ms - ms <= RATTLE_WINDOW_MS for ms in late) >= FAULTY_RATTLES


def _hole_label(board: Board, hole: int) -> Message:
    """Its id, which the page shows too; its words are in the catalogue."""
    return join_messages(
        [part if part.isdecimal() else format_message(part) for part in board.holes[hole].id.split("-")], "-"
    )


def flapping_sentence(board: Board, hole: int) -> str:
    """Why a hole that flaps is not trusted, fit to show a player."""
    return format_message("The sensor of {hole} comes and goes.", hole=_hole_label(board, hole))


def stray_sentence(board: Board, hole: int) -> str:
    """Why a hole that stays taken is not trusted, fit to show a player."""
    return format_message("{hole} is taken, and by nobody's peg.", hole=_hole_label(board, hole))


def find_trust_changes(trusted: TrustedLevels, strays: Iterable[tuple[int, int]]) -> list[TrustChange]:
    """The holes that will be trusted no more, or again, and when.

    `strays` are taken holes that are nobody's, each with the time since when.
    """
    facts = trusted.facts
    board, doubted = facts.race_board.board, facts.quarantined_bits
    found = [
        TrustChange(ms + STRAY_QUARANTINE_MS, hole, stray_sentence(board, hole))
        for hole, ms in strays
        if not doubted >> hole & 1
    ]
    for hole in facts.quarantine:
        if (rested_ms := _trusted_again_ms(trusted, hole)) is not None:
            found.append(TrustChange(rested_ms, hole, ""))
        # While its level contradicts what is known, it is not trusted again: nothing else contradicts that.
        elif not (facts.levels.bits ^ trusted.home_bits) >> hole & 1:
            found.append(TrustChange(facts.levels.changes[hole].changed_ms + STEADY_RELEASE_MS, hole, ""))
    return found


def _trusted_again_ms(trusted: TrustedLevels, hole: int) -> int | None:
    """When a peg will have rested long enough in a hole not trusted for that to be trusted again.

    None while no peg is out that could be the one in it.
    """
    facts, levels = trusted.facts, trusted.facts.levels
    if facts.placements is None or trusted.home_bits >> hole & 1 or not levels.bits >> hole & 1:
        return None
    filled_ms = levels.changes[hole].filled_ms
    if filled_ms < facts.quarantine[hole]:
        return None  # it was taken already when it was last trusted: what it shows is no peg that came since
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
    """How long a peg must rest in a hole not trusted, in ms. `own`: when the hole came and went by itself.

    The quiet time if the sensor had stopped failing before a hand touched it; else twice its longest pause.
    """
    late = [ms for ms in own if left_ms - FLAPPING_WINDOW_MS <= ms]
    before = [ms for ms in late if ms < left_ms]
    touched_ms = next((ms for ms in own if ms >= left_ms), left_ms)
    stopped = not before or touched_ms - before[-1] > max(CALM_SENSOR_MS, 2 * _longest_pause(before))
    return facts.settings.quiet_ms if stopped else max(facts.settings.quiet_ms, 2 * _longest_pause(late))


def _longest_pause(changes: list[int]) -> int:
    return max([after - ms for ms, after in pairwise(changes)], default=0)


def apply_trust_change(facts: PegFacts, trust: TrustChange) -> tuple[PegFacts, tuple[PegEvent, ...]]:
    """The facts once a hole is trusted no more, or again, and the event that says so."""
    if trust.why:
        return facts.replace(quarantine={**facts.quarantine, trust.hole: trust.at_ms}), (
            Quarantined(trust.hole, trust.why),
        )
    levels = facts.levels.with_explained_holes((trust.hole,))
    doubts = {hole: ms for hole, ms in facts.quarantine.items() if hole != trust.hole}
    return facts.replace(quarantine=doubts, levels=levels), (Trusted(trust.hole),)


@dataclass(frozen=True, slots=True)
class MarkerQuarantine:
    """`holes` are not trusted; each with the time of its last change.

    `flips` are the times of each hole's latest changes. `strays` are holes that show a peg although every peg placements
    elsewhere, each with the time since when.
    """

    holes: Mapping[int, int] = field(default_factory=dict)
    flips: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    strays: Mapping[int, int] = field(default_factory=dict)

    @property
    def quarantined_bits(self) -> int:
        """The holes that are not trusted, as bits."""
        return bits_of(self.holes)


def record_marker_changes(
    doubts: MarkerQuarantine, board: Board, holes: int, now_ms: int, calm: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """These holes have changed. Those that came and went too often are not trusted any more.

    `calm`: the holes where no hand can be at work. There, fewer changes show that the sensor fails.
    """
    flips, doubted, events = dict(doubts.flips), dict(doubts.holes), list[PegEvent]()
    for hole in holes_of(holes):
        before = flips.get(hole, ())
        if not before or now_ms - before[-1] > BOUNCE_MS:
            flips[hole] = (*before[1 - CHANGES_REMEMBERED :], now_ms)
        if hole in doubted:
            doubted[hole] = now_ms
        elif is_flapping(flips[hole], now_ms, FAULTY_FLIPS if calm >> hole & 1 else FAULTY_HOME_FLIPS):
            doubted[hole] = now_ms
            events.append(Quarantined(hole, flapping_sentence(board, hole)))
    return replace(doubts, holes=doubted, flips=flips), tuple(events)


def clear_marker_changes(doubts: MarkerQuarantine, holes: int) -> MarkerQuarantine:
    """A hand has put pegs into these holes, or taken them out, as the game wanted: that explains their changes."""
    return replace(doubts, flips={hole: late for hole, late in doubts.flips.items() if not holes >> hole & 1})


def quarantine_strays(
    doubts: MarkerQuarantine, board: Board, extra: Iterable[int], now_ms: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """The holes of `extra` show a peg although every peg stands elsewhere. After a while they are not trusted."""
    since = {hole: doubts.strays.get(hole, now_ms) for hole in extra}
    stuck = [hole for hole, since_ms in since.items() if since_ms + STRAY_QUARANTINE_MS <= now_ms]
    events = tuple(Quarantined(h, stray_sentence(board, h)) for h in stuck)
    left = {hole: since_ms for hole, since_ms in since.items() if hole not in stuck}
    return replace(doubts, strays=left, holes={**doubts.holes, **dict.fromkeys(stuck, now_ms)}), events


def release_steady_holes(
    doubts: MarkerQuarantine, stuck: int, now_ms: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """Holes that have not changed for a minute are trusted again, except those of `stuck`."""
    good = [h for h, ms in doubts.holes.items() if ms + STEADY_RELEASE_MS <= now_ms and not stuck >> h & 1]
    if not good:
        return doubts, ()
    holes = {hole: ms for hole, ms in doubts.holes.items() if hole not in good}
    return replace(doubts, holes=holes), tuple(Trusted(hole) for hole in good)


def quarantine_deadlines(doubts: MarkerQuarantine, stuck: int) -> list[int]:
    """When `stray` or `steady` would conclude something."""
    waits = [ms + STEADY_RELEASE_MS for hole, ms in doubts.holes.items() if not stuck >> hole & 1]
    return waits + [since_ms + STRAY_QUARANTINE_MS for since_ms in doubts.strays.values()]
