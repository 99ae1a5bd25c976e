"""First stage of a reading: which holes are believed to be taken, whose pegs are out, which sensors fail. Pure.

A hole that flaps, or is taken though no peg can be there, is quarantined: it changes nothing, a peg at home in it rests
there, and play goes on by what the other holes show. When a peg is put in it that was out, or when it has behaved for
a minute, it is believed again.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from companion.board.events import Event, Quarantined, Trusted
from companion.board.race.classify import is_likely, known
from companion.board.race.facts import Facts
from companion.board.race.times import (
    CALM_MS,
    FLAPPING_MS,
    FLIPS,
    HOME_FLIPS,
    LATE_MS,
    NEVER,
    RATTLES,
    RATTLING_MS,
    STEADY_MS,
    STRAY_MS,
    TAPS,
)
from companion.board.shape.layout import Board
from companion.board.shape.wood import Stand, bits_of, holes_of


class Believed:
    """What is believed of the levels. Never changed once made.

    `homes`: where pegs should be, `taken`: the holes that hold one, both as bits; `gone`: by seat, the homes that its
    pegs are not in, rising.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.homes = facts.homes
        doubted = facts.doubted
        self.taken = facts.levels.bits & ~doubted | doubted & self.homes
        if doubted and facts.stands is not None:
            self.taken ^= self._moved_unseen()
        self.gone = () if facts.stands is None else self._gone(facts.stands)

    def _moved_unseen(self) -> int:
        """The doubted holes that a peg must have left, or come to, by what the holes around them show."""
        facts, doubted, taken, moved = self.facts, self.facts.doubted, self.taken, 0
        missing = self.homes & ~taken
        for seats, lane in facts.groups:
            home, new = doubted & self.homes & lane, taken & ~self.homes & lane
            # A peg came on this lane and no other one is out: it has left the one home not believed.
            if home.bit_count() == 1 and not missing & ~lane and new.bit_count() == missing.bit_count() + 1:
                moved |= home
            if not new:
                moved |= self._put_where_due(seats) & doubted & ~self.homes
        return moved

    def _put_where_due(self, seats: tuple[int, ...]) -> int:
        """The holes that pegs are due in and were filled since these were lifted."""
        facts = self.facts
        return bits_of(
            due.place
            for due in facts.dues
            if due.seat in seats
            and not self.taken >> due.lift & 1
            and facts.levels.changes[due.place].filled_ms + LATE_MS >= self.left_ms(due.seat, due.lift)
        )

    def _gone(self, stands: tuple[Stand, ...]) -> tuple[tuple[int, ...], ...]:
        shared = self.facts.ground.shared
        if self.taken & self.homes == self.homes and not shared:
            return ((),) * len(stands)
        lost = [overtaken(stands, self.facts.calm_ms, seat) if shared else () for seat in range(len(stands))]
        return tuple(
            [
                tuple([h for h in sorted((stand.back, stand.front)) if not self.taken >> h & 1 or h in lost[seat]])
                for seat, stand in enumerate(stands)
            ]
        )

    def since(self, hole: int) -> int:
        """Since when the hole has been as it is; long ago where its sensor is not believed."""
        if self.facts.doubted >> hole & 1 and not (self.taken & ~self.homes) >> hole & 1:
            return NEVER
        return self.facts.levels.changes[hole].changed_ms

    def latest(self, holes: Iterable[int]) -> int:
        """Since when all these holes have been as they are, and were seen."""
        return max([self.facts.sight_ms, *map(self.since, holes)])

    def left_ms(self, seat: int, hole: int) -> int:
        """When a seat's peg left its home: that it was filled again since may have been another's doing.

        Where the home's sensor is not believed, no later than a peg came on the lane.
        """
        facts = self.facts
        left_ms = facts.left.get((seat, hole), facts.levels.changes[hole].emptied_ms)
        if not facts.doubted >> hole & 1:
            return left_ms
        new = facts.levels.bits & facts.ground.lanes[seat].bits & ~self.homes & ~facts.doubted
        return min([left_ms, *(facts.levels.changes[h].filled_ms for h in holes_of(new))])

    def flickered(self, hole: int, left_ms: int) -> bool:
        """A hole changed of late before any peg was lifted that could be in it: its sensor may be failing.

        What a home does once its peg has been lifted is a hand's doing.
        """
        facts = self.facts
        own = facts.levels.changes[hole].own
        if not own:
            return False
        until_ms = left_ms - LATE_MS
        if self.homes >> hole & 1:
            until_ms = min([until_ms, *(ms for (_, home), ms in facts.left.items() if home == hole)])
        return any(facts.now_ms - FLAPPING_MS <= ms < until_ms for ms in own)

    @cached_property
    def hands(self) -> tuple[tuple[int, int], ...]:
        """The lane of each seat that holds a peg, and where no hand is: what flickered before that was lifted."""
        facts = self.facts
        if facts.stands is None:
            return tuple((one.bits, 0) for one in facts.ground.lanes if self.taken & one.begin != one.begin)
        found = []
        for seat, lane in enumerate(facts.ground.lanes):
            if out := self.gone[seat] or self._doubtful(facts.stands[seat]):
                left_ms = min(self.left_ms(seat, h) for h in out)
                found.append((lane.bits, bits_of([h for h in facts.levels.changes if self.flickered(h, left_ms)])))
        return tuple(found)

    def _doubtful(self, stand: Stand) -> tuple[int, ...]:
        """The homes of a seat that look empty, and whose sensors are not believed."""
        doubtful = self.facts.doubted & ~self.facts.levels.bits
        return tuple(h for h in (stand.back, stand.front) if doubtful >> h & 1)

    @property
    def handled(self) -> int:
        """The holes that a peg in the hand of a lane's own player may be touching."""
        bits = 0
        for lane, failing in self.hands:
            bits |= lane & ~failing
        return bits & ~self.homes

    @property
    def reached(self) -> int:
        """The holes that a peg in anybody's hand may be touching, by mistake on another's lane too."""
        bits = 0
        for _, failing in self.hands:
            bits |= self.facts.ground.holes & ~failing
        return bits & ~self.homes


def overtaken(stands: tuple[Stand, ...], calm_ms: tuple[int, ...], seat: int) -> frozenset[int]:
    """The homes of a seat in which another's peg has come to rest since."""
    if max(calm_ms) == calm_ms[seat]:
        return frozenset()
    later = (s.holes for other, s in enumerate(stands) if other != seat and calm_ms[other] > calm_ms[seat])
    return stands[seat].holes & frozenset[int]().union(*later)


class Trust(NamedTuple):
    """A hole will be quarantined (`why`) or, where `why` is empty, believed again."""

    at_ms: int
    hole: int
    why: str


def flapping(facts: Facts, before: Believed, changed: int) -> tuple[Facts, tuple[Event, ...]]:
    """The facts, with doubts about those of the `changed` holes that have come and gone once too often.

    Where a hand was at work `before` it may have been that.
    """
    handled, events = before.handled, list[Event]()
    for hole in holes_of(changed & ~facts.doubted):
        changes, home = facts.levels.changes[hole], before.homes >> hole & 1
        calm = not home and not handled >> hole & 1
        if flaps(changes.own if calm else changes.flips, facts.now_ms, FLIPS if calm else HOME_FLIPS if home else TAPS):
            facts = facts.replace(doubts={**facts.doubts, hole: facts.now_ms})
            events.append(Quarantined(hole, restless(facts.ground.board, hole)))
    return facts, tuple(events)


def flaps(flips: Iterable[int], now_ms: int, most: int) -> bool:
    """Whether a hole that changed at these times, chatter aside, did so too often for a hand."""
    late = [ms for ms in flips if now_ms - ms <= FLAPPING_MS]
    return len(late) >= most or sum(now_ms - ms <= RATTLING_MS for ms in late) >= RATTLES


def restless(board: Board, hole: int) -> str:
    """Why a hole that flaps is quarantined."""
    return f"The sensor of {board.holes[hole].id} comes and goes."


def unowned(board: Board, hole: int) -> str:
    """Why a hole that stays taken is quarantined."""
    return f"{board.holes[hole].id} is taken, and by nobody's peg."


def trusts(believed: Believed, strays: Iterable[tuple[int, int]]) -> list[Trust]:
    """The holes that will lose or win trust, and when. `strays` are taken holes that are nobody's, and since when."""
    facts = believed.facts
    board, doubted = facts.ground.board, facts.doubted
    found = [Trust(ms + STRAY_MS, hole, unowned(board, hole)) for hole, ms in strays if not doubted >> hole & 1]
    for hole in facts.doubts:
        if (rested_ms := _rested_ms(believed, hole)) is not None:
            found.append(Trust(rested_ms, hole, ""))
        elif not (facts.levels.bits ^ believed.homes) >> hole & 1:  # else only that level speaks against what is known
            found.append(Trust(facts.levels.changes[hole].changed_ms + STEADY_MS, hole, ""))
    return found


def _rested_ms(believed: Believed, hole: int) -> int | None:
    """When a peg will have rested in a doubted hole: one is out that can be in it, and is in no other. Else None."""
    facts, levels = believed.facts, believed.facts.levels
    if facts.stands is None or believed.homes >> hole & 1 or not levels.bits >> hole & 1:
        return None
    filled_ms = levels.changes[hole].filled_ms
    if filled_ms < facts.doubts[hole]:
        return None  # it was taken before: what is in it is no peg that came
    for seats, lane in facts.groups:
        if lane >> hole & 1:
            gone = [(seat, home) for seat in seats for home in believed.gone[seat]]
            if (believed.taken & ~believed.homes & lane).bit_count() < len(gone) and any(
                believed.left_ms(seat, home) <= filled_ms + LATE_MS and is_likely(known(facts, seat), hole)
                for seat, home in gone
            ):
                return filled_ms + _rest_ms(
                    facts, levels.changes[hole].own, min(believed.left_ms(*each) for each in gone)
                )
    return None


def _rest_ms(facts: Facts, own: tuple[int, ...], left_ms: int) -> int:
    """How long a peg must rest in a doubted hole that came and went of its own at these times: it may do so again.

    Where it had stopped before a hand touched it, the quiet time; else twice as long as it ever paused.
    """
    late = [ms for ms in own if left_ms - FLAPPING_MS <= ms]
    before = [ms for ms in late if ms < left_ms]
    touched_ms = next((ms for ms in own if ms >= left_ms), left_ms)
    stopped = not before or touched_ms - before[-1] > max(CALM_MS, 2 * _longest_pause(before))
    return facts.settings.quiet_ms if stopped else max(facts.settings.quiet_ms, 2 * _longest_pause(late))


def _longest_pause(changes: list[int]) -> int:
    return max([after - ms for ms, after in pairwise(changes)], default=0)


def trusted(facts: Facts, trust: Trust) -> tuple[Facts, tuple[Event, ...]]:
    """A hole's trust changes."""
    if trust.why:
        return facts.replace(doubts={**facts.doubts, trust.hole: trust.at_ms}), (Quarantined(trust.hole, trust.why),)
    levels = facts.levels.explained((trust.hole,))
    doubts = {hole: ms for hole, ms in facts.doubts.items() if hole != trust.hole}
    return facts.replace(doubts=doubts, levels=levels), (Trusted(trust.hole),)
