"""Pegs that race along lanes: the course of most games. Pure.

The peg reader (`companion.pegs.reader`) finds where the pegs stand, the rules give the scores; both meet here: dues,
advice, and the moves that pegs imply (docs/reference/http.md). The peg reader numbers the racing seats from 0; this
module translates between these indices and seats. They differ only after a knock-out.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any

from companion.boards.board import Hole, Lane, PegDue, Placement, bits_of
from companion.common.constants import IMPOSSIBLE_HAND_SCORES
from companion.common.errors import BoardError, IllegalMove
from companion.common.snapshot import Advice, AdviceKind, Due, PegPair, PegQuestion
from companion.common.values import replace
from companion.i18n import Message, format_message, gettext_noop
from companion.pegs import reader
from companion.pegs.events import PegEvent, Pegged, Resolved, Started, Unclear, Undone
from companion.pegs.levels import PegFacts
from companion.pegs.reader import PegReader
from companion.pegs.thresholds import PegTimings
from companion.rules import narration
from companion.rules.engine import CORRECTION_REASONS, Award, History
from companion.rules.moves import Adjust, AdjustmentPart, Claim, Move, Next, Peg, TakeBoard, Undo
from companion.rules.narration import summarize_counts
from companion.settings import Settings
from companion.table.courses import pursuit_loops, race_dump
from companion.table.courses.course import Course, CourseResult, RecentAwards, SnapshotPegs
from companion.table.courses.pursuit_loops import RaceLoop
from companion.table.setup import TablePlan, check_route_length


@dataclass(frozen=True, kw_only=True)
class RaceCourse(Course):
    """The course of a race.

    `bits` are the occupied holes last reported, including pegs left from other loops. `state` and `recent_awards` are
    the last ones of the game. `dues_source` is what the present dues were computed from: while it is unchanged, the
    dues are too.
    """

    plan: TablePlan
    settings: Settings
    loop: RaceLoop
    reader: PegReader
    bits: int
    state: Any
    recent_awards: RecentAwards = ()
    dues_source: tuple[Any, ...] = ()

    @property
    def placement(self) -> object:
        """The known positions of the pegs, the quarantined holes, and the pegs of other loops."""
        if self.facts.placements is None and not self.facts.quarantine and not self.loop.number:
            return None
        return self.facts.placements, frozenset(self.facts.quarantine), self.loop

    @property
    def facts(self) -> PegFacts:
        """What the peg reader knows."""
        return self.reader.facts

    def on_levels(self, bits: int, now_ms: int) -> CourseResult:
        loop, shown = self.loop, bits
        if loop.left_pegs:
            loop = loop.remove_lifted(loop.hidden_bits & ~bits)
            shown = bits & ~loop.hidden_bits
        peg_reader, events = reader.on_levels(self.reader, shown, now_ms)
        if bits == self.bits:
            return self._course_result(peg_reader, events)
        return replace(self, bits=bits, loop=loop)._course_result(peg_reader, events)

    def on_tick(self, now_ms: int) -> CourseResult:
        return self._course_result(*reader.on_tick(self.reader, now_ms))

    def next_deadline_ms(self) -> int | None:
        return reader.next_deadline_ms(self.reader)

    def on_sensors_back(self, now_ms: int) -> Course:
        return replace(self, reader=reader.on_sensors_back(self.reader, now_ms))

    def expect_state(self, past: History[Any], recent_awards: RecentAwards, now_ms: int) -> CourseResult:
        """Update the dues. A knock-out, or its undo, switches to another loop with other seats."""
        state = past.state
        source = (state, recent_awards, self.facts.placements)
        if self.dues_source and all(map(is_, source, self.dues_source)):  # identity is enough, and fast
            return CourseResult(self)
        if self._has_loop_changed(state):
            return self._switch_loop(state, now_ms)
        updated = replace(self, state=state, recent_awards=recent_awards, dues_source=source)
        dues = compute_dues(self.facts, updated.expected_points, updated._front_peg_places(), updated._find_steps)
        counting = frozenset(self.loop.seats.index(s % self.plan.sides) for s in self.plan.game.find_claimants(state))
        if dues == self.facts.dues and counting == self.facts.claiming_seats:
            return CourseResult(updated)
        side = past.move.seat % self.plan.sides if isinstance(past.move, Claim) else None
        claimed_by = self.loop.seats.index(side) if side in self.loop.seats else None
        return updated._course_result(*reader.set_dues(self.reader, dues, now_ms, counting, claimed_by))

    def adopt_pegs(self, state: Any, now_ms: int) -> CourseResult:
        if not self.reader.open_questions or self._has_loop_changed(state):
            return CourseResult(self)
        updated = replace(self, state=state)
        return updated._course_result(*reader.confirm_pegs(self.reader, now_ms, updated.expected_points))

    def on_input(self, now_ms: int) -> CourseResult:
        return self._course_result(*reader.on_input(self.reader, now_ms))

    def take_board(self, now_ms: int) -> CourseResult:
        peg_reader, events = reader.take_board(self.reader, now_ms)
        if not self.reader.taken_bits or (not events and peg_reader.facts.placements == self.facts.placements):
            raise IllegalMove("No peg has moved, so there is nothing to accept.")
        return self._course_result(peg_reader, events)

    def derive_moves(
        self, event: PegEvent | TakeBoard, past: History[Any], later: Sequence[PegEvent] = ()
    ) -> tuple[Move, ...]:
        """Return the implied moves. Further events of a loop that a claim has just ended imply none."""
        if self._has_loop_changed(past.state):
            return ()
        placements = dict(zip(self.loop.seats, self.facts.placements or (), strict=False))
        if isinstance(event, TakeBoard):
            # After a knock-out the scores are those of the loop that has ended.
            is_counted = self.facts.players_count and not self.plan.game.race_status(past.state).knocked_out
            return adjust_to_pegs(past.state.scores, placements) if is_counted else ()
        return derive_moves(self.plan, past, event, placements, later)

    def winning_hole(self, state: Any) -> int | None:
        """Return the hole of the winner's score on the loop that has just ended."""
        if self.facts.placements is None or state.winner not in self.loop.seats:
            return None
        lane = self.facts.race_board.lanes[self.loop.seats.index(state.winner)]
        return lane.hole_at(min(state.scores[state.winner], self.plan.target))

    def advice(self) -> tuple[Advice, ...]:
        loop, names = self.loop, self.plan.names
        racing_names = [names[seat] for seat in loop.seats]
        owed = {due.seat: self._find_owed_awards(due.seat, due.points) for due in self.facts.dues}
        found = build_advice(self.reader, racing_names, owed)
        if not loop.number and not loop.left_pegs:
            return found
        found = tuple(a if a.seat is None else replace(a, seat=loop.seats[a.seat]) for a in found)
        if self.facts.placements is None:
            found = tuple(a for a in found if a.kind != "set_up")
        alive = self.plan.game.race_status(self.state).alive or ()
        return pursuit_loops.build_advice(self.plan.board, loop, self.reader, alive, self.state.winner, names) + found

    def describe_pegs(self) -> SnapshotPegs:
        holes, seats = self.plan.board.holes, self.loop.seats
        standing = zip(seats, self.facts.placements or (), strict=False)
        return SnapshotPegs(
            pegs=tuple(
                PegPair(seat, holes[placement.front].id, holes[placement.back].id) for seat, placement in standing
            ),
            dues=tuple(
                Due(seats[due.seat], due.points, holes[due.lift].id, holes[due.place].id)
                for due in self.facts.dues
                if due.lift != due.place
            ),
            question=self._open_question(),
            quarantined=tuple(holes[bit].id for bit in sorted(self.facts.quarantine)),
            green_holes=tuple(holes[bit].id for bit in self.reader.green_holes),
        )

    def resting_holes(self) -> int:
        left_seats = [peg.seat for peg in self.loop.left_pegs]
        starts = [lane.route.start for lane in self.facts.race_board.lanes]
        places = starts if self.facts.placements is None else [(one.front, one.back) for one in self.facts.placements]
        standing = zip(self.loop.seats, places, strict=True)
        return self.loop.hidden_bits | bits_of(
            h for seat, two in standing for h in two[: max(0, 2 - left_seats.count(seat))]
        )

    def dump(self) -> dict[str, Any]:
        dump = reader.dump_reader(self.reader)
        return dump | ({"loop": self.loop.dump()} if self.loop.number or self.loop.left_pegs else {})

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:
        fresh = create_race_course(self.plan, self.settings, past.state)
        if saved is None:
            return fresh
        if isinstance(saved, Mapping) and "pegs" in saved:
            lanes = tuple(lane.route for lane in fresh.facts.race_board.lanes)
            saved = race_dump.dump_from_holes(self.plan, saved["pegs"], lanes, fresh.expected_points, past)
        race_dump.validate_dump(saved, len(self.plan.board.holes))
        loop = saved.get("loop", (0, (), ()))
        if loop[0] != fresh.loop.number or len(saved["past"]) != len(fresh.loop.seats):
            return fresh  # saved on another loop than the moves lead to
        again = replace(
            fresh,
            loop=pursuit_loops.load_loop(fresh.loop.seats, loop),
            reader=reader.restore_reader(fresh.reader, saved),
        )
        return replace(again, bits=again.resting_holes())

    @property
    def expected_points(self) -> tuple[int, ...]:
        """The points that the pegs should show, by racing seat.

        After a knock-out the pegs start the next loop at 0 while the scores of the last one are still shown. A peg
        stops at the target even where the score may exceed it (Sackson's swap).
        """
        if self.plan.game.race_status(self.state).knocked_out:
            return (0,) * len(self.loop.seats)
        return tuple(min(self.state.scores[seat], self.plan.target) for seat in self.loop.seats)

    def _course_result(self, peg_reader: PegReader, events: tuple[PegEvent, ...]) -> CourseResult:
        if peg_reader is self.reader and not events:
            return CourseResult(self)
        right = tuple(event.to for event in events if isinstance(event, Pegged | Undone))
        after = replace(self, reader=peg_reader)
        return CourseResult(after, tuple(after._event_by_seat(event) for event in events), right)

    def _has_loop_changed(self, state: Any) -> bool:
        """Return whether this state belongs to another loop, or to other racing seats, than the present one."""
        return (
            self.plan.game.race_status(state).loops != self.loop.number
            or racing_seats(self.plan, state) != self.loop.seats
        )

    def _switch_loop(self, state: Any, now_ms: int) -> CourseResult:
        old, seats = self.reader, racing_seats(self.plan, state)
        fresh = _create_reader(self.plan, self.settings, seats)
        number = self.plan.game.race_status(state).loops
        loop, fresh = pursuit_loops.switch_loop(self.loop, old, fresh, seats, number, self.bits)
        fresh = reader.take_over_sensors(fresh, old, now_ms)
        after = replace(self, loop=loop, reader=fresh, state=state, dues_source=())
        result = after._course_result(*reader.on_levels(fresh, self.bits & ~loop.hidden_bits, now_ms))
        return result._replace(events=(Resolved(),) * len(old.open_questions) + result.events)

    def _find_owed_awards(self, place: int, points: int) -> tuple[Award, ...]:
        return find_owed_awards(self.recent_awards, self.loop.seats[place], self.plan.sides, points)

    def _find_steps(self, place: int, points: int) -> tuple[int, ...]:
        """Return the movements that earned these points: each card, hand and crib is pegged by itself."""
        if not self.facts.race_board.has_shared_lanes:
            return ()  # only there the steps distinguish pegs
        steps, seat, names = list[int](), self.loop.seats[place], [""] * self.plan.setup.seats
        for awards in reversed(self.recent_awards):
            own = [award for award in awards if award.seat % self.plan.sides == seat]
            steps += [count.points for count in reversed(summarize_counts(own, names))]
            if sum(steps) >= points:
                break
        return tuple(reversed(steps)) if sum(steps) == points else ()

    def _front_peg_places(self) -> frozenset[int]:
        """Return the racers who move their front peg ahead: in pursuit a correction must not move the back peg."""
        if not self.plan.game.holes_per_player or self.facts.placements is None:
            return frozenset()
        placements = zip(self.expected_points, self.facts.placements, strict=True)
        lacking = enumerate(score - placement.front_points for score, placement in placements)
        owed = {place: self._find_owed_awards(place, points) for place, points in lacking if points > 0}
        return frozenset(
            p for p, awards in owed.items() if awards and all(a.reason in CORRECTION_REASONS for a in awards)
        )

    def _event_by_seat(self, event: PegEvent) -> PegEvent:
        """Return the event with seats in place of racer indices."""
        seats = self.loop.seats
        match event:
            case Started(places):
                return Started(tuple(seats[place] for place in places))
            case Pegged() | Undone():
                return replace(event, seat=seats[event.seat])
            case Unclear():
                return self._question_by_seat(event)
            case _:
                return event

    def _open_question(self) -> PegQuestion | None:
        if not self.reader.open_questions:
            return None
        question = self._question_by_seat(self.reader.open_questions[-1].unclear)
        holes = tuple(self.plan.board.holes[bit].id for bit in question.holes)
        return PegQuestion(question.why, question.choices, question.seat, holes)

    def _question_by_seat(self, question: Unclear) -> Unclear:
        """Return the question with seats in place of racer indices."""
        seat = None if question.seat is None else self.loop.seats[question.seat]
        choices = tuple(replace(choice, move=self._move_by_seat(choice.move)) for choice in question.choices)
        return replace(question, seat=seat, choices=choices)

    def _move_by_seat(self, move: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Return the move of an answer with seats in place of racer indices."""
        if move is None:
            return None
        by_seat = {**move, "seat": self.loop.seats[move["seat"]]} if "seat" in move else dict(move)
        if move["type"] == "claim":  # partners share pegs; and a claim that has lapsed is given all the same
            claimants = [
                seat
                for seat in self.plan.game.find_claimants(self.state)
                if seat % self.plan.sides == by_seat["seat"] % self.plan.sides
            ]
            by_seat |= {"seat": claimants[0]} if claimants else {"type": "adjust"}
        also = [{**each, "seat": self.loop.seats[each["seat"]]} for each in move.get("also", ())]
        return by_seat | ({"also": also} if also else {})


def create_race_course(plan: TablePlan, settings: Settings, state: Any) -> RaceCourse:
    """Create the course of a new game. Raises BoardError if the board lacks a route for a side."""
    if len(plan.routes) < plan.sides:
        raise BoardError(
            "The board {board_name} has no routes for {seats} players.",
            board_name=plan.board_name,
            seats=plan.setup.seats,
        )
    if plan.game.holes_per_player:
        pursuit_loops.check_loops(plan)
    else:
        check_route_length(plan, plan.routes[0])
    loop = RaceLoop(racing_seats(plan, state), plan.game.race_status(state).loops)
    peg_reader = _create_reader(plan, settings, loop.seats)
    return RaceCourse(
        plan=plan, settings=settings, loop=loop, reader=peg_reader, bits=peg_reader.home_bits, state=state
    )


def racing_seats(plan: TablePlan, state: Any) -> tuple[int, ...]:
    """Return the sides whose pegs race: those still in the match, and all of them once the match is over."""
    alive = plan.game.race_status(state).alive
    return tuple(range(plan.sides)) if alive is None or state.winner is not None else alive


def _create_reader(plan: TablePlan, settings: Settings, seats: tuple[int, ...]) -> PegReader:
    """Create a peg reader for the routes of these seats, before its first sensor report."""
    return reader.create_reader(
        plan.board,
        pursuit_loops.routes_for_seats(plan, seats),
        plan.target,
        PegTimings(settings.quiet_ms, settings.doubt_ms, settings.missing_ms),
        pegs_are_score=plan.game.peg_role == "score",
        players_count=plan.setup.options.get("counting") == "manual",
    )


def compute_dues(
    facts: PegFacts,
    scores: Sequence[int],
    by_front: Collection[int] = (),
    find_steps: Callable[[int, int], tuple[int, ...]] = lambda *_: (),
) -> tuple[PegDue, ...]:
    """Return what each side has still to peg, at most one due per side; nothing before the pegs are set up.

    Going ahead, the sides of `by_front` move their front peg, all others the back one. If the hole is occupied, the
    peg waits in a free start hole of its side; without a free one, or if it waits there already, it stays, and `lift`
    equals `place`.
    `find_steps(side, points)` returns the movements that earned the points.
    """
    found = []
    for side, (placement, score) in enumerate(zip(facts.placements or (), scores, strict=False)):
        if score != placement.front_points:
            lift, place = _due_holes(facts, side, score, front=side in by_front)
            if _is_hole_taken(facts, side, place, lift):
                lane = facts.race_board.lanes[side]
                free = [hole for hole in lane.route.start if hole not in placement.holes]
                place = free[0] if free and not is_waiting_in_start(lane, placement) else lift
            points = score - placement.front_points
            found.append(PegDue(side, points, lift, place, find_steps(side, points)))
    return tuple(found)


def _due_holes(facts: PegFacts, side: int, score: int, *, front: bool = False) -> tuple[int, int]:
    """Return the hole of the peg to move for a score, and the hole where it belongs, occupied or not."""
    assert facts.placements is not None
    placement, lane = facts.placements[side], facts.race_board.lanes[side]
    if score > placement.front_points:
        return placement.front if front or is_waiting_in_start(lane, placement) else placement.back, lane.hole_at(score)
    if score == 0 and placement.holes == lane.start_placement.holes:
        return placement.front, placement.front  # already home
    earlier = next((past for past in reversed(facts.past_placements[side]) if past.front_points == score), None)
    if earlier is not None and placement.back == earlier.front:
        return placement.front, earlier.back
    if placement.back_points < score or (score == 0 and placement.back_points < 0):
        return placement.front, lane.hole_at(score)
    behind = (lane.hole_at(p) for p in range(score - 1, -2, -1)) if score else reversed(lane.route.start)
    return placement.back, next(h for h in behind if not _is_hole_taken(facts, side, h, placement.back))


def is_waiting_in_start(lane: Lane, placement: Placement) -> bool:
    """Return whether the front peg waits in a start hole because its own hole was occupied. It moves next."""
    return (
        placement.front in lane.route.start
        and placement.front_points > 0
        and lane.hole_at(placement.front_points) != placement.front
    )


def _is_hole_taken(facts: PegFacts, side: int, hole: int, lift: int) -> bool:
    """Return whether the hole holds another side's peg or this side's other peg."""
    assert facts.placements is not None
    own = facts.placements[side].holes - {lift}
    return hole in own or any(hole in s.holes for i, s in enumerate(facts.placements) if i != side)


def find_owed_awards(recent_awards: RecentAwards, side: int, sides: int, points: int) -> tuple[Award, ...]:
    """Return the last awards of a side that add up to `points`, oldest first; empty if they do not add up."""
    found: list[Award] = []
    for award in (award for awards in reversed(recent_awards) for award in reversed(awards)):
        if points <= 0:
            break
        if award.seat % sides == side:
            found.append(award)
            points -= award.points
    return tuple(reversed(found)) if points == 0 else ()


def build_advice(
    peg_reader: PegReader, names: Sequence[str], owed: Mapping[int, Sequence[Award]]
) -> tuple[Advice, ...]:
    """Return the problems that the peg reader sees, and the next peg of each side that owes points without a problem.

    `owed` are the awards that add up to the due of each side, where they are known.
    """
    reasons = {seat: f" ({narration.describe_count(awards)})" for seat, awards in owed.items() if _are_counted(awards)}
    problems = reader.list_advice(peg_reader, reasons)
    seats = {each.seat for each in problems}
    facts = peg_reader.facts
    return problems + tuple(
        _next_peg_advice(facts, due, names[due.seat]) for due in facts.dues if due.seat not in seats
    )


def _are_counted(awards: Sequence[Award]) -> bool:
    """Return whether all of these points were counted, none of them by an adjustment or a correction."""
    return bool(awards) and not any(award.reason in CORRECTION_REASONS for award in awards)


def _next_peg_advice(facts: PegFacts, due: PegDue, name: str) -> Advice:
    """Return which peg of a side moves where: "Red: back peg to 4."."""
    assert facts.placements is not None
    placement = facts.placements[due.seat]
    holes = facts.race_board.board.holes
    lift, place = holes[due.lift], holes[due.place]
    peg = "back" if due.lift == placement.back else "front"
    kind: AdviceKind = "peg_forward" if due.points > 0 else "peg_back"
    shared = place.seat is None and place.number > 0
    where = _describe_lit_hole(facts, due) if shared else _describe_numbered_hole(due, place)
    sentence = format_message("{name}: back peg {where}.", name=name, where=where)
    if peg == "front":
        sentence = format_message("{name}: front peg {where}.", name=name, where=where)
    if due.place != _due_holes(facts, due.seat, placement.front_points + due.points)[1]:
        kind = "waiting"
        sentence = format_message("{name}'s hole is taken: the peg waits in the start until the next score.", name=name)
    return Advice(kind, due.seat, sentence, points=due.points, lift=lift.id, place=place.id)


def _describe_numbered_hole(due: PegDue, place: Hole) -> Message:
    """Describe a hole of a lane that only one side uses: "to 4", "back to the start"."""
    if place.number <= 0:
        return format_message("back to the start") if due.points < 0 else format_message("to the start")
    return format_message(gettext_noop("back to {n}") if due.points < 0 else gettext_noop("to {n}"), n=place.number)


def _describe_lit_hole(facts: PegFacts, due: PegDue) -> Message:
    """Describe a hole of a shared lane: "to the lit hole, 5 ahead of the front peg".

    Each seat counts from its own start there, so the hole's number would mislead. A back peg that goes ahead is given
    its distance from the front peg, any other peg its distance from where it stands.
    """
    assert facts.placements is not None
    placement, index = facts.placements[due.seat], facts.race_board.lanes[due.seat].first_lap_points
    start = placement.front if due.points > 0 else due.lift
    if due.place not in index:  # an answer has placed the peg outside this side's lane
        return format_message("to the lit hole")
    lap, place = len(facts.race_board.lanes[due.seat].route.way), index[due.place]
    if start not in index:
        return format_message("to the lit hole, {n} from the start", n=place)
    if due.points < 0:
        return format_message("to the lit hole, {n} back", n=(index[start] - place) % lap)
    ahead = (place - index[start]) % lap
    if due.lift == placement.back:
        return format_message("to the lit hole, {n} ahead of the front peg", n=ahead)
    return format_message("to the lit hole, {n} ahead", n=ahead)


def derive_moves(
    plan: TablePlan, past: History[Any], event: PegEvent, placements: Mapping[int, Placement], later: Sequence[PegEvent]
) -> tuple[Move, ...]:
    """Return the moves that an event implies, by seat. The rules may still refuse them.

    `stands` are the placements after the `later` events of the same moment. In pegs-only the pegs are the score. Where
    the players count, a peg moved ahead is its side's claim. In all other games pegs only confirm the rules' score.
    """
    pegs_only = plan.game.peg_role == "score"
    if isinstance(event, Started):
        return _restart_moves(past) if pegs_only else ()
    if not isinstance(event, Pegged | Undone) or event.seat not in placements:
        return ()
    if isinstance(event, Pegged) and event.is_claim:
        claimants = plan.game.find_claimants(past.state, event.points)  # partners share pegs
        return tuple([Claim(seat, event.points) for seat in claimants if seat % plan.sides == event.seat][:1])
    points = placements[event.seat].front_points - past.state.scores[event.seat]
    for each in later:
        if isinstance(each, Pegged | Undone) and each.seat == event.seat:
            points -= each.points if isinstance(each, Pegged) else -each.points
    if isinstance(event, Undone):
        return _undo_moves(past, event.seat, points) if pegs_only else ()
    if points <= 0 or not pegs_only:
        return ()
    # The rest of a claim that was recognised too early may be a number that no single hand can score.
    return (Adjust(event.seat, points) if points in IMPOSSIBLE_HAND_SCORES else Peg(event.seat, points),)


def adjust_to_pegs(scores: Sequence[int], placements: Mapping[int, Placement]) -> tuple[Adjust, ...]:
    """Return one adjustment that sets all scores to the pegs' points; empty if none differs."""
    differences = {seat: placement.front_points - scores[seat] for seat, placement in placements.items()}
    parts = [AdjustmentPart(seat, points) for seat, points in differences.items() if points]
    return (Adjust(parts[0].seat, parts[0].points, tuple(parts[1:])),) if parts else ()


def _restart_moves(past: History[Any]) -> tuple[Move, ...]:
    """Return the moves for pegs that are all back in the start holes: a new game, or the present one restarted."""
    if past.state.phase == "over":
        return (Next(),)
    return tuple(Adjust(side, -score) for side, score in enumerate(past.state.scores) if score)


def _undo_moves(past: History[Any], seat: int, points: int) -> tuple[Move, ...]:
    """Return the moves for a peg that went back: an undo if that leads to the same scores, else an adjustment."""
    if points == 0:
        return ()
    wanted = tuple(s + points if side == seat else s for side, s in enumerate(past.state.scores))
    before = past.parent
    return (Undo(),) if before is not None and before.state.scores == wanted else (Adjust(seat, points),)
