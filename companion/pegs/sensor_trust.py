"""First stage of a reading: which holes are believed to be taken, whose pegs are out, which sensors fail. Pure.

A hole that flaps, or is taken though no peg can be there, is not believed any more (event `Quarantined`). What it shows
is overlooked: a peg whose home it is counts as being there, and play goes on by what the other holes show. The hole is
believed again when a peg that was out rests in it, or when it has not changed for a minute.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from companion.boards.board import Stand, bits_of, holes_of
from companion.boards.catalog import Board
from companion.i18n import Sentence, joined, say
from companion.pegs.events import Event, Quarantined, Trusted
from companion.pegs.interpretation import is_likely, known
from companion.pegs.levels import Facts
from companion.pegs.thresholds import (
    BOUNCE_MS,
    CALM_MS,
    FLAPPING_MS,
    FLIPS,
    HOME_FLIPS,
    KEPT,
    LATE_MS,
    NEVER,
    RATTLES,
    RATTLING_MS,
    STEADY_MS,
    STRAY_MS,
    TAPS,
)


class Believed:
    """What is believed of the levels. Never changed once made.

    `homes`: all pegs' homes (see `Facts.homes`), `taken`: the holes that hold a peg; both as bits. `gone`: by seat, the
    homes that its pegs have left and are not in, rising. (`Group.away` are the
    seats that do not have both pegs at home.)
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
        """The holes not believed that a peg must have left, or come to, by what the other holes show: as bits."""
        facts, doubted, taken, moved = self.facts, self.facts.doubted, self.taken, 0
        missing = self.homes & ~taken
        for seats, lane in facts.groups:
            home, new = doubted & self.homes & lane, taken & ~self.homes & lane
            # One more peg came on this lane than is out, and no other lane lacks one: it left the home not believed.
            if home.bit_count() == 1 and not missing & ~lane and new.bit_count() == missing.bit_count() + 1:
                moved |= home
            if not new:
                moved |= self._put_where_due(seats) & doubted & ~self.homes
        return moved

    def _put_where_due(self, seats: tuple[int, ...]) -> int:
        """The dues' own holes that have filled since the due's peg was lifted, as bits."""
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
        """Since when the hole has been as it is, in ms; NEVER where its sensor is not believed."""
        if self.facts.doubted >> hole & 1 and not (self.taken & ~self.homes) >> hole & 1:
            return NEVER
        return self.facts.levels.changes[hole].changed_ms

    def latest(self, holes: Iterable[int]) -> int:
        """The time of the last change among these holes, or of the first sight of them if that is later."""
        return max([self.facts.sight_ms, *map(self.since, holes)])

    def left_ms(self, seat: int, hole: int) -> int:
        """When a seat's peg left its home. If the hole has filled again since, that may be another's peg.

        Where the home's sensor is not believed: at the latest when the first new peg came on the lane.
        """
        facts = self.facts
        left_ms = facts.left.get((seat, hole), facts.levels.changes[hole].emptied_ms)
        if not facts.doubted >> hole & 1:
            return left_ms
        new = facts.levels.bits & facts.ground.lanes[seat].bits & ~self.homes & ~facts.doubted
        return min([left_ms, *(facts.levels.changes[h].filled_ms for h in holes_of(new))])

    def flickered(self, hole: int, left_ms: int) -> bool:
        """Whether a hole came and went of late before any peg was lifted that could be in it: its sensor may fail.

        `left_ms`: when that peg was lifted. What a home does after its own peg was lifted is a hand's doing.
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
        """For each seat with a peg in the hand: its lane, and the holes that its hand does not explain; both as bits.

        Those are the holes that flickered before the peg was lifted.
        """
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
        """The holes that a peg in the hand of a lane's own player may be touching, as bits."""
        bits = 0
        for lane, failing in self.hands:
            bits |= lane & ~failing
        return bits & ~self.homes

    @property
    def reached(self) -> int:
        """The holes that a peg in anybody's hand may be touching, by mistake on another's lane too: as bits."""
        bits = 0
        for _, failing in self.hands:
            bits |= self.facts.ground.holes & ~failing
        return bits & ~self.homes


def overtaken(stands: tuple[Stand, ...], calm_ms: tuple[int, ...], seat: int) -> frozenset[int]:
    """The homes of a seat that now hold another's peg: one that came to rest there later."""
    if max(calm_ms) == calm_ms[seat]:
        return frozenset()
    later = (s.holes for other, s in enumerate(stands) if other != seat and calm_ms[other] > calm_ms[seat])
    return stands[seat].holes & frozenset[int]().union(*later)


class Trust(NamedTuple):
    """When a hole will be believed no more, and `why`; or, where `why` is empty, believed again."""

    at_ms: int
    hole: int
    why: str


def flapping(facts: Facts, before: Believed, changed: int) -> tuple[Facts, tuple[Event, ...]]:
    """The facts, where those of the `changed` holes that have come and gone too often are believed no more.

    `before`: what was believed until now. Where a hand was at work, more changes are needed.
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
    """Whether a hole that changed at these times, chatter aside, did so too often for a hand.

    `most`: this many changes within 8 s are too many; so are twelve within 4 s.
    """
    late = [ms for ms in flips if now_ms - ms <= FLAPPING_MS]
    return len(late) >= most or sum(now_ms - ms <= RATTLING_MS for ms in late) >= RATTLES


def _called(board: Board, hole: int) -> Sentence:
    """Its id, which the page shows too; its words are in the catalogue."""
    return joined([part if part.isdecimal() else say(part) for part in board.holes[hole].id.split("-")], "-")


def restless(board: Board, hole: int) -> str:
    """Why a hole that flaps is not believed, fit to show a player."""
    return say("The sensor of {hole} comes and goes.", hole=_called(board, hole))


def unowned(board: Board, hole: int) -> str:
    """Why a hole that stays taken is not believed, fit to show a player."""
    return say("{hole} is taken, and by nobody's peg.", hole=_called(board, hole))


def trusts(believed: Believed, strays: Iterable[tuple[int, int]]) -> list[Trust]:
    """The holes that will be believed no more, or again, and when.

    `strays` are taken holes that are nobody's, each with the time since when.
    """
    facts = believed.facts
    board, doubted = facts.ground.board, facts.doubted
    found = [Trust(ms + STRAY_MS, hole, unowned(board, hole)) for hole, ms in strays if not doubted >> hole & 1]
    for hole in facts.doubts:
        if (rested_ms := _rested_ms(believed, hole)) is not None:
            found.append(Trust(rested_ms, hole, ""))
        # While its level contradicts what is known, it is not believed again: nothing else contradicts that.
        elif not (facts.levels.bits ^ believed.homes) >> hole & 1:
            found.append(Trust(facts.levels.changes[hole].changed_ms + STEADY_MS, hole, ""))
    return found


def _rested_ms(believed: Believed, hole: int) -> int | None:
    """When a peg will have rested long enough in a hole not believed for that to be believed again.

    None while no peg is out that could be the one in it.
    """
    facts, levels = believed.facts, believed.facts.levels
    if facts.stands is None or believed.homes >> hole & 1 or not levels.bits >> hole & 1:
        return None
    filled_ms = levels.changes[hole].filled_ms
    if filled_ms < facts.doubts[hole]:
        return None  # it was taken already when it was last believed: what it shows is no peg that came since
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
    """How long a peg must rest in a hole not believed, in ms. `own`: when the hole came and went by itself.

    The quiet time if the sensor had stopped failing before a hand touched it; else twice its longest pause.
    """
    late = [ms for ms in own if left_ms - FLAPPING_MS <= ms]
    before = [ms for ms in late if ms < left_ms]
    touched_ms = next((ms for ms in own if ms >= left_ms), left_ms)
    stopped = not before or touched_ms - before[-1] > max(CALM_MS, 2 * _longest_pause(before))
    return facts.settings.quiet_ms if stopped else max(facts.settings.quiet_ms, 2 * _longest_pause(late))


def _longest_pause(changes: list[int]) -> int:
    return max([after - ms for ms, after in pairwise(changes)], default=0)


def trusted(facts: Facts, trust: Trust) -> tuple[Facts, tuple[Event, ...]]:
    """The facts once a hole is believed no more, or again, and the event that says so."""
    if trust.why:
        return facts.replace(doubts={**facts.doubts, trust.hole: trust.at_ms}), (Quarantined(trust.hole, trust.why),)
    levels = facts.levels.explained((trust.hole,))
    doubts = {hole: ms for hole, ms in facts.doubts.items() if hole != trust.hole}
    return facts.replace(doubts=doubts, levels=levels), (Trusted(trust.hole),)


@dataclass(frozen=True, slots=True)
class Doubts:
    """`holes` are not believed; each with the time of its last change.

    `flips` are the times of each hole's latest changes. `strays` are holes that show a peg although every peg stands
    elsewhere, each with the time since when.
    """

    holes: Mapping[int, int] = field(default_factory=dict)
    flips: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    strays: Mapping[int, int] = field(default_factory=dict)

    @property
    def bits(self) -> int:
        """The holes that are not believed, as bits."""
        return bits_of(self.holes)


def changed(doubts: Doubts, board: Board, holes: int, now_ms: int, calm: int) -> tuple[Doubts, tuple[Event, ...]]:
    """These holes have changed. Those that came and went too often are not believed any more.

    `calm`: the holes where no hand can be at work. There, fewer changes show that the sensor fails.
    """
    flips, doubted, events = dict(doubts.flips), dict(doubts.holes), list[Event]()
    for hole in holes_of(holes):
        before = flips.get(hole, ())
        if not before or now_ms - before[-1] > BOUNCE_MS:
            flips[hole] = (*before[1 - KEPT :], now_ms)
        if hole in doubted:
            doubted[hole] = now_ms
        elif flaps(flips[hole], now_ms, FLIPS if calm >> hole & 1 else HOME_FLIPS):
            doubted[hole] = now_ms
            events.append(Quarantined(hole, restless(board, hole)))
    return replace(doubts, holes=doubted, flips=flips), tuple(events)


def explained(doubts: Doubts, holes: int) -> Doubts:
    """A hand has put pegs into these holes, or taken them out, as the game wanted: that explains their changes."""
    return replace(doubts, flips={hole: late for hole, late in doubts.flips.items() if not holes >> hole & 1})


def stray(doubts: Doubts, board: Board, extra: Iterable[int], now_ms: int) -> tuple[Doubts, tuple[Event, ...]]:
    """The holes of `extra` show a peg although every peg stands elsewhere. After a while they are not believed."""
    since = {hole: doubts.strays.get(hole, now_ms) for hole in extra}
    stuck = [hole for hole, since_ms in since.items() if since_ms + STRAY_MS <= now_ms]
    events = tuple(Quarantined(h, unowned(board, h)) for h in stuck)
    left = {hole: since_ms for hole, since_ms in since.items() if hole not in stuck}
    return replace(doubts, strays=left, holes={**doubts.holes, **dict.fromkeys(stuck, now_ms)}), events


def steady(doubts: Doubts, stuck: int, now_ms: int) -> tuple[Doubts, tuple[Event, ...]]:
    """Holes that have not changed for a minute are believed again, except those of `stuck`."""
    good = [h for h, ms in doubts.holes.items() if ms + STEADY_MS <= now_ms and not stuck >> h & 1]
    if not good:
        return doubts, ()
    holes = {hole: ms for hole, ms in doubts.holes.items() if hole not in good}
    return replace(doubts, holes=holes), tuple(Trusted(hole) for hole in good)


def deadlines(doubts: Doubts, stuck: int) -> list[int]:
    """When `stray` or `steady` would conclude something."""
    waits = [ms + STEADY_MS for hole, ms in doubts.holes.items() if not stuck >> hole & 1]
    return waits + [since_ms + STRAY_MS for since_ms in doubts.strays.values()]
