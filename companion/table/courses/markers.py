"""The course of a game whose pegs mark its state instead of racing. Pure.

The game names where every peg belongs, by track and number (`companion.rules.engine.MarkerLayout`), and
`companion.pegs.marker_reader` compares holes. This module turns names into holes and describes moves to players.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.boards.board import Board, Hole, bits_of, holes_of, union_bits
from companion.common.errors import BadMove, BoardError
from companion.common.snapshot import Advice, AdviceKind, LightEffect, MarkerPosition
from companion.display.lights import RUN_STEP_MS
from companion.i18n import Message, format_message, gettext_noop
from companion.pegs import marker_reader
from companion.pegs.events import Started
from companion.pegs.marker_reader import Markers, MarkerShift
from companion.rules.engine import History, HoleNumbers, LightRun, MarkerKind, MarkerLayout
from companion.settings import Settings
from companion.table.courses.course import Course, CourseResult, RecentAwards, SnapshotPegs
from companion.table.setup import TablePlan

_UNOWNED_PEG_NAMES = {
    "runner": gettext_noop("Runner peg"),
    "outs": gettext_noop("Outs peg"),
    "innings": gettext_noop("Innings peg"),
}
"""Names of the pegs that belong to no side, as advice about them begins."""

_PLACE_PHRASES = {"in": gettext_noop("in {place}"), "on": gettext_noop("on {place}"), "at": gettext_noop("at {place}")}

RUN_END_LIT_MS = 1200
"""How long a running light stays on its last hole."""


@dataclass(frozen=True, kw_only=True)
class MarkerCourse(Course):
    """The course of a game whose pegs mark its state.

    `kinds` says where they belong in `state`, `known` where they are. `numbers` are the hole numbers by track.
    """

    plan: TablePlan
    settings: Settings
    layout: MarkerLayout[Any]
    numbers: HoleNumbers
    state: Any
    kinds: tuple[MarkerKind, ...]
    known: Markers

    @property
    def placement(self) -> object:
        """The last complete positions of all pegs, the quarantined holes, and whether the game has begun."""
        known = self.known
        return (
            None
            if known.complete_bits is None
            else marker_reader.SavedMarkers(known.complete_bits, known.started, tuple(sorted(known.quarantine.holes)))
        )

    def on_levels(self, bits: int, now_ms: int) -> CourseResult:
        return self._course_result(marker_reader.on_levels(self.known, bits, now_ms))

    def on_tick(self, now_ms: int) -> CourseResult:
        return self._course_result(marker_reader.on_tick(self.known, now_ms))

    def next_deadline_ms(self) -> int | None:
        return marker_reader.next_deadline_ms(self.known)

    def on_sensors_back(self, now_ms: int) -> Course:
        return replace(self, known=marker_reader.on_sensors_back(self.known, now_ms))

    def expect_state(self, past: History[Any], recent_awards: RecentAwards, now_ms: int) -> CourseResult:  # noqa: ARG002 - as every course
        state = past.state
        if state is self.state:
            return CourseResult(self)
        kinds = self.layout.marker_kinds(state, self.numbers)
        known = marker_reader.set_expected(self.known, _wanted_pegs(self.plan.board, kinds))
        return CourseResult(replace(self, state=state, kinds=kinds, known=known))

    def light_runs(self, state: Any, from_ms: int) -> tuple[LightEffect, ...]:
        """Return a light for each runner to where they came; for an out, it stops halfway."""
        found = [self._create_run_effect(run, from_ms) for run in self.layout.light_runs(state)]
        return tuple(effect for effect in found if effect is not None)

    def winning_hole(self, state: Any) -> int | None:  # noqa: ARG002 - as every course
        """Return the last hole of the track around which the light of a won game runs."""
        track = [hole for hole in self.plan.board.holes if hole.track == self.layout.victory_track]
        return max(track, key=lambda hole: hole.number).bit if track else None

    def advice(self) -> tuple[Advice, ...]:
        return tuple(self._shift_advice(shift) for shift in marker_reader.find_shifts(self.known))

    def describe_pegs(self) -> SnapshotPegs:
        """Return the pegs where they stand, correct or not."""
        holes = self.plan.board.holes
        standing = (holes[bit] for bit in holes_of(self.known.taken_bits or 0))
        return SnapshotPegs(
            markers=tuple(MarkerPosition(hole.id, hole.seat) for hole in standing),
            quarantined=tuple(holes[bit].id for bit in sorted(self.known.quarantine.holes)),
        )

    def resting_holes(self) -> int:
        """Return the last known holes of the pegs; else where they belong, spare pegs in the first holes of a box."""
        if self.known.complete_bits is not None:
            return self.known.complete_bits
        spare = (bits_of(holes_of(kind.box)[: kind.spare]) for kind in self.known.expected)
        return union_bits(kind.holes for kind in self.known.expected) | union_bits(spare)

    def dump(self) -> dict[str, Any]:
        known = self.known
        dump: dict[str, Any] = {"taken": f"{known.complete_bits or 0:x}", "started": known.started}
        return dump | ({"doubted": sorted(known.quarantine.holes)} if known.quarantine.holes else {})

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:
        return _build_course(self.plan, self.settings, past.state, saved)

    def _course_result(self, seen: marker_reader.MarkerResult) -> CourseResult:
        if seen.markers is self.known:
            return CourseResult(self)
        started = (Started(tuple(range(self.plan.sides))),) if seen.started else ()
        return CourseResult(replace(self, known=seen.markers), seen.events + started, holes_of(seen.right_bits))

    def _create_run_effect(self, run: LightRun, from_ms: int) -> LightEffect | None:
        found = tuple(f"{run.track}-{number}" for number in run.numbers)
        there = tuple(hole for hole in found if hole in self.plan.board.by_id)
        there = there[: len(there) // 2] if run.is_out else there
        if not there:  # the runner stayed on the base
            return None
        until_ms = from_ms + len(there) * RUN_STEP_MS + RUN_END_LIT_MS
        return LightEffect("out" if run.is_out else "run", there[-1], until_ms, from_ms, there)

    def _shift_advice(self, shift: MarkerShift) -> Advice:
        kind = next((kind for kind in self.kinds if kind.name == shift.kind), None)
        lift, place = (None if bit is None else self.plan.board.holes[bit] for bit in (shift.lift, shift.place))
        if kind is None or place is None:
            assert lift is not None
            return Advice(
                "take_off",
                None,
                format_message("No peg belongs {at}.", at=self._describe_hole(lift, "")),
                hole=lift.id,
                lift=lift.id,
            )
        what, do = self._describe_shift(kind, lift, place, wrong=shift.is_misplaced)
        owner = (
            format_message(_UNOWNED_PEG_NAMES.get(kind.name) or f"{kind.name.capitalize()} peg")
            if kind.side is None
            else self.plan.names[kind.side]
        )
        found = Advice(
            what,
            kind.side,
            format_message("{who}: {do}.", who=owner, do=do),
            lift=None if lift is None else lift.id,
            place=place.id,
        )
        return replace(found, hole=found.lift) if what == "put_back" else found

    def _describe_shift(
        self, kind: MarkerKind, lift: Hole | None, place: Hole, *, wrong: bool
    ) -> tuple[AdviceKind, Message]:
        """Return the kind of advice for a peg that belongs in `place`, and the end of its sentence."""
        there = self._describe_hole(place, kind.name)
        if not self.known.started:
            if lift is None:
                return "set_up", format_message("put a peg {there}", there=there)
            return "set_up", format_message(
                "the peg {here} starts {there}", here=self._describe_hole(lift, kind.name), there=there
            )
        if wrong:
            if lift is None:
                return "put_back", format_message("a peg is missing {there}", there=there)
            return "put_back", format_message(
                "the peg {here} belongs {there}", here=self._describe_hole(lift, kind.name), there=there
            )
        back = place.track == kind.box or (
            lift is not None and place.track == lift.track and place.number < lift.number
        )
        what: AdviceKind = "peg_back" if back else "peg_forward"
        if lift is None:
            return what, format_message("put a peg {there}", there=there)
        start, goal = (self.layout.hole_name(hole.track, hole.number, kind.name).name for hole in (lift, place))
        return what, format_message("from {start} to {goal}", start=start, goal=goal)

    def _describe_hole(self, hole: Hole, kind: str) -> Message:
        """Describe a hole for a kind of peg as players say it: "on first base"."""
        at, place = self.layout.hole_name(hole.track, hole.number, kind)
        return format_message(_PLACE_PHRASES.get(at, f"{at} {{place}}"), place=place)


def create_marker_course(plan: TablePlan, settings: Settings, state: Any) -> MarkerCourse:
    """Create the course of a new game. Raises BoardError if the board lacks a track that the game needs."""
    assert plan.game.marker_layout is not None
    numbers = _hole_numbers(plan.board)
    for track, needed in plan.game.marker_layout.holes.items():
        if not set(needed) <= set(numbers.get(track, ())):
            raise BoardError(
                "The board {name} lacks a complete track {track}, which {title} needs.",
                name=plan.board.name,
                track=format_message(track),
                title=plan.game.title,
            )
    return _build_course(plan, settings, state, None)


def _build_course(plan: TablePlan, settings: Settings, state: Any, saved: Mapping[str, Any] | None) -> MarkerCourse:
    layout, numbers = plan.game.marker_layout, _hole_numbers(plan.board)
    assert layout is not None
    kinds = layout.marker_kinds(state, numbers)
    markers = marker_reader.SavedMarkers() if saved is None else _parse_saved(saved, len(plan.board.holes))
    known = marker_reader.create_markers(plan.board, settings.quiet_ms, _wanted_pegs(plan.board, kinds), markers)
    return MarkerCourse(
        plan=plan, settings=settings, layout=layout, numbers=numbers, state=state, kinds=kinds, known=known
    )


def _parse_saved(saved: Any, holes: int) -> marker_reader.SavedMarkers:
    """Parse a `MarkerCourse.dump` of a board with this number of holes. Raises BadMove if it is invalid."""
    try:
        whole, doubted = int(saved["taken"], 16), tuple(saved.get("doubted", ()))
    except (LookupError, TypeError, ValueError, AttributeError):
        whole, doubted = -1, ()
    if not 0 <= whole < 1 << holes or not all(type(hole) is int and 0 <= hole < holes for hole in doubted):
        raise BadMove(
            'The markers of a table are {{"taken": hexadecimal of {holes} bits, "started": true or false}}.',
            holes=holes,
        )
    return marker_reader.SavedMarkers(whole, saved.get("started") is True, doubted)


def _wanted_pegs(board: Board, kinds: tuple[MarkerKind, ...]) -> marker_reader.ExpectedPegs:
    """Return where every peg belongs, as bits of holes."""
    bits = {(hole.track, hole.number): 1 << hole.bit for hole in board.holes}
    tracks: dict[str, int] = {}
    for (track, _), bit in bits.items():
        tracks[track] = tracks.get(track, 0) | bit
    return tuple(
        marker_reader.ExpectedKind(
            kind.name,
            union_bits(tracks[track] for track in kind.tracks),
            union_bits(bits[place] for place in kind.holes),
            tracks.get(kind.box, 0),
            kind.spare,
        )
        for kind in kinds
    )


def _hole_numbers(board: Board) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for hole in board.holes:
        found.setdefault(hole.track, []).append(hole.number)
    return {track: tuple(sorted(numbers)) for track, numbers in found.items()}
