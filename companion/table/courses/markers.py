"""Pegs that mark what a game says instead of racing: its course. Pure.

The game names where every peg belongs, by track and number (`companion.rules.engine.Marking`), and the board compares
holes (`companion.pegs.marker_reader`). Here names become holes, and what is to be moved is told in players' words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.boards.board import bits_of, holes_of, union
from companion.boards.catalog import Board, Hole
from companion.common.errors import BadMove, BoardError
from companion.common.snapshot import Advice, AdviceKind, Mark, Marker
from companion.display.lights import RUN_MS
from companion.i18n import Sentence, phrase, say
from companion.pegs import marker_reader
from companion.pegs.events import Started
from companion.pegs.marker_reader import Markers, Shift
from companion.rules.engine import History, Kind, Marking, Numbers, Way
from companion.settings import Settings
from companion.table.courses.course import Counted, Course, Heard, Shown
from companion.table.setup import Plan

_NOBODYS = {"runner": phrase("Runner peg"), "outs": phrase("Outs peg"), "innings": phrase("Innings peg")}
"""The kinds of pegs that are no side's, as advice on them begins."""

_PLACES = {"in": phrase("in {place}"), "on": phrase("on {place}"), "at": phrase("at {place}")}

REACHED_MS = 1200
"""A light that runs stays so long where it has come."""


@dataclass(frozen=True, kw_only=True)
class Marked(Course):
    """The course of a game whose pegs mark its state.

    `kinds` is where they belong by `state`, `known` where they are; `numbers` are those of the board's holes.
    """

    plan: Plan
    settings: Settings
    marking: Marking[Any]
    numbers: Numbers
    state: Any
    kinds: tuple[Kind, ...]
    known: Markers

    @property
    def placement(self) -> object:
        """Where all pegs stood when last none was in a hand, which holes are not believed, whether the game began."""
        known = self.known
        return (
            None
            if known.whole is None
            else marker_reader.Kept(known.whole, known.started, tuple(sorted(known.doubts.holes)))
        )

    def see(self, bits: int, now_ms: int) -> Heard:
        return self._heard(marker_reader.see(self.known, bits, now_ms))

    def tick(self, now_ms: int) -> Heard:
        return self._heard(marker_reader.tick(self.known, now_ms))

    def deadline(self) -> int | None:
        return marker_reader.deadline(self.known)

    def found(self, now_ms: int) -> Course:
        return replace(self, known=marker_reader.found(self.known, now_ms))

    def expect(self, past: History[Any], counted: Counted, now_ms: int) -> Heard:  # noqa: ARG002 - as every course
        state = past.state
        if state is self.state:
            return Heard(self)
        kinds = self.marking.kinds(state, self.numbers)
        known = marker_reader.expect(self.known, _wanted(self.plan.board, kinds))
        return Heard(replace(self, state=state, kinds=kinds, known=known))

    def runs(self, state: Any, from_ms: int) -> tuple[Mark, ...]:
        """A light for everybody who ran: to where they came; half the way and no further for an out."""
        found = [self._run(way, from_ms) for way in self.marking.ways(state)]
        return tuple(mark for mark in found if mark is not None)

    def goal(self, state: Any) -> int | None:  # noqa: ARG002 - as every course
        """The last hole of the track round which the light of a game that is won runs."""
        track = [hole for hole in self.plan.board.holes if hole.track == self.marking.round]
        return max(track, key=lambda hole: hole.number).bit if track else None

    def advice(self) -> tuple[Advice, ...]:
        return tuple(self._advised(shift) for shift in marker_reader.shifts(self.known))

    def pegs(self) -> Shown:
        """Where pegs are known to stand, right or wrong."""
        holes = self.plan.board.holes
        standing = (holes[bit] for bit in holes_of(self.known.taken or 0))
        return Shown(
            markers=tuple(Marker(hole.id, hole.seat) for hole in standing),
            quarantined=tuple(holes[bit].id for bit in sorted(self.known.doubts.holes)),
        )

    def resting(self) -> int:
        """Where the pegs were last known; else where they belong, the spare ones in the first holes of their box."""
        if self.known.whole is not None:
            return self.known.whole
        spare = (bits_of(holes_of(kind.box)[: kind.spare]) for kind in self.known.wanted)
        return union(kind.holes for kind in self.known.wanted) | union(spare)

    def dump(self) -> dict[str, Any]:
        known = self.known
        kept: dict[str, Any] = {"taken": f"{known.whole or 0:x}", "started": known.started}
        return kept | ({"doubted": sorted(known.doubts.holes)} if known.doubts.holes else {})

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:
        return _begun(self.plan, self.settings, past.state, saved)

    def _heard(self, seen: marker_reader.Seen) -> Heard:
        if seen.markers is self.known:
            return Heard(self)
        started = (Started(tuple(range(self.plan.sides))),) if seen.started else ()
        return Heard(replace(self, known=seen.markers), seen.events + started, holes_of(seen.right))

    def _run(self, way: Way, from_ms: int) -> Mark | None:
        found = tuple(f"{way.track}-{number}" for number in way.numbers)
        there = tuple(hole for hole in found if hole in self.plan.board.by_id)
        there = there[: len(there) // 2] if way.out else there
        if not there:  # safe where they stood
            return None
        until_ms = from_ms + len(there) * RUN_MS + REACHED_MS
        return Mark("out" if way.out else "run", there[-1], until_ms, from_ms, there)

    def _advised(self, shift: Shift) -> Advice:
        kind = next((kind for kind in self.kinds if kind.name == shift.kind), None)
        lift, place = (None if bit is None else self.plan.board.holes[bit] for bit in (shift.lift, shift.place))
        if kind is None or place is None:
            assert lift is not None
            return Advice(
                "take_off", None, say("No peg belongs {at}.", at=self._at(lift, "")), hole=lift.id, lift=lift.id
            )
        what, do = self._move(kind, lift, place, wrong=shift.wrong)
        who = (
            say(_NOBODYS.get(kind.name) or f"{kind.name.capitalize()} peg")
            if kind.side is None
            else self.plan.names[kind.side]
        )
        found = Advice(
            what, kind.side, say("{who}: {do}.", who=who, do=do), lift=None if lift is None else lift.id, place=place.id
        )
        return replace(found, hole=found.lift) if what == "put_back" else found

    def _move(self, kind: Kind, lift: Hole | None, place: Hole, *, wrong: bool) -> tuple[AdviceKind, Sentence]:
        """What is to be done with a peg that belongs in `place`, as a kind of advice and as the end of its sentence."""
        there = self._at(place, kind.name)
        if not self.known.started:
            if lift is None:
                return "set_up", say("one {there}", there=there)
            return "set_up", say("the one {here} starts {there}", here=self._at(lift, kind.name), there=there)
        if wrong:
            if lift is None:
                return "put_back", say("one is missing {there}", there=there)
            return "put_back", say("the one {here} belongs {there}", here=self._at(lift, kind.name), there=there)
        back = place.track == kind.box or (
            lift is not None and place.track == lift.track and place.number < lift.number
        )
        what: AdviceKind = "peg_back" if back else "peg_forward"
        if lift is None:
            return what, say("one is to be put {there}", there=there)
        start, goal = (self.marking.spot(hole.track, hole.number, kind.name).name for hole in (lift, place))
        return what, say("from {start} to {goal}", start=start, goal=goal)

    def _at(self, hole: Hole, kind: str) -> Sentence:
        """Where a peg of this kind is, as players say it: "on first base"."""
        at, place = self.marking.spot(hole.track, hole.number, kind)
        return say(_PLACES.get(at, f"{at} {{place}}"), place=place)


def begin(plan: Plan, settings: Settings, state: Any) -> Marked:
    """The course of a new game. Raises BoardError for a board that lacks something the game needs."""
    assert plan.game.marking is not None
    numbers = _numbers(plan.board)
    for track, needed in plan.game.marking.holes.items():
        if not set(needed) <= set(numbers.get(track, ())):
            raise BoardError(
                "The board {name} has no whole track {track}: {title} needs one.",
                name=plan.board.name,
                track=say(track),
                title=plan.game.title,
            )
    return _begun(plan, settings, state, None)


def _begun(plan: Plan, settings: Settings, state: Any, saved: Mapping[str, Any] | None) -> Marked:
    marking, numbers = plan.game.marking, _numbers(plan.board)
    assert marking is not None
    kinds = marking.kinds(state, numbers)
    kept = marker_reader.Kept() if saved is None else _kept(saved, len(plan.board.holes))
    known = marker_reader.start(plan.board, settings.quiet_ms, _wanted(plan.board, kinds), kept)
    return Marked(plan=plan, settings=settings, marking=marking, numbers=numbers, state=state, kinds=kinds, known=known)


def _kept(saved: Any, holes: int) -> marker_reader.Kept:
    """What `dump` kept of a board with so many holes. Raises BadMove for what it never kept."""
    try:
        whole, doubted = int(saved["taken"], 16), tuple(saved.get("doubted", ()))
    except (LookupError, TypeError, ValueError, AttributeError):
        whole, doubted = -1, ()
    if not 0 <= whole < 1 << holes or not all(type(hole) is int and 0 <= hole < holes for hole in doubted):
        raise BadMove(
            'The markers of a table are {{"taken": hexadecimal of {holes} bits, "started": true or false}}.',
            holes=holes,
        )
    return marker_reader.Kept(whole, saved.get("started") is True, doubted)


def _wanted(board: Board, kinds: tuple[Kind, ...]) -> marker_reader.Wanted:
    """Where every peg belongs, in holes of the board."""
    bits = {(hole.track, hole.number): 1 << hole.bit for hole in board.holes}
    tracks: dict[str, int] = {}
    for (track, _), bit in bits.items():
        tracks[track] = tracks.get(track, 0) | bit
    return tuple(
        marker_reader.Kind(
            kind.name, union(tracks[track] for track in kind.tracks), union(bits[place] for place in kind.at),
            tracks.get(kind.box, 0), kind.spare,
        )
        for kind in kinds
    )  # fmt: skip


def _numbers(board: Board) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for hole in board.holes:
        found.setdefault(hole.track, []).append(hole.number)
    return {track: tuple(sorted(numbers)) for track, numbers in found.items()}
