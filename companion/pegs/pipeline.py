"""The pipeline of a reading: runs the stages on the present levels and collects what is left as problems. Pure.

The result is a set of conclusions with their times; `companion.pegs.reader` applies each one when its time has come.
"""

from collections.abc import Iterable, Sequence, Set
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from companion.boards.board import holes_of
from companion.common.values import replace
from companion.pegs.assignment import MAX_PEGS_AT_ONCE, LaneGroup, RestingPegs, assign_pegs, exclude_simultaneous
from companion.pegs.events import stray_sentence
from companion.pegs.interpretation import is_likely_hole
from companion.pegs.levels import PegFacts, TrustedLevels
from companion.pegs.problems import PROBLEM_TYPES, Problem, ProblemKey, ProblemKind, WaitKind, possible_claim
from companion.pegs.thresholds import (
    CALM_SENSOR_MS,
    FLAPPING_WINDOW_MS,
    GREEN_AFTER_MS,
    LONG_AGO_MS,
    MIN_ACT_REST_MS,
    OVERRULE_SENSOR_MS,
    SENSOR_LAG_MS,
    SET_UP_REMINDER_MS,
    SIMULTANEOUS_MS,
    STEADY_RELEASE_MS,
    PegTimings,
)
from companion.pegs.timing import PegVerdict, compute_certainty, find_touched_holes, find_verdicts


class TrustChange(NamedTuple):
    """A hole that will be quarantined at `at_ms`; if `why` is empty, a hole that will be trusted again."""

    at_ms: int
    hole: int
    why: str


class Reading(NamedTuple):
    """The interpretation of the present levels. Each conclusion has the time from which it holds if nothing changes.

    - `strays`: the taken holes that belong to no seat.
    - `away_seats`: the seats that do not have both pegs at home.
    - `trust_changes`: the holes that will be quarantined or trusted again.
    - `green_times`: when a peg will have been in the hole of its due for `GREEN_AFTER_MS`, with the hole.
    - `new_game_ms`: when all pegs will have rested in the start holes so that a game begins; None if they do not.
    """

    trusted: TrustedLevels
    verdicts: Sequence[PegVerdict] = ()
    problems: Sequence[Problem] = ()
    strays: Sequence[int] = ()
    away_seats: Set[int] = frozenset()
    trust_changes: Sequence[TrustChange] = ()
    green_times: Sequence[tuple[int, int]] = ()
    new_game_ms: int | None = None


def read_pegs(facts: PegFacts, before: TrustedLevels | None = None) -> Reading:
    """Run all stages on the present levels. `before`: the trusted levels of the reading before, whose context is kept.

    Whether the board is knocked over is decided between the stages, so the facts of the result say so.
    """
    trusted = TrustedLevels(facts, before)
    if (knocked := is_knocked_over(trusted)) != facts.is_knocked_over:
        trusted = TrustedLevels(facts := replace(facts, is_knocked_over=knocked), trusted)
    if facts.placements is None:
        return _read_set_up(trusted)
    groups = assign_pegs(trusted)
    if not groups and trusted.taken_bits == trusted.home_bits:
        problems = list(_find_surplus_pegs(trusted, ())) if facts.quarantine else ()
        return Reading(trusted, problems=problems, trust_changes=find_trust_changes(trusted, ()))
    read = [find_verdicts(group) for group in groups]
    found = [verdict for verdicts, _ in read for verdict in verdicts]
    return _collect_problems(trusted, groups, found, are_explained=any(is_explained for _, is_explained in read))


def _read_set_up(trusted: TrustedLevels) -> Reading:
    """Read the levels before a game: only check whether all pegs are in the start holes."""
    facts, start, taken = trusted.facts, trusted.facts.race_board.start_bits, trusted.taken_bits
    trust = find_trust_changes(trusted, ())
    if taken & start == start:
        new_game_ms = trusted.last_change_ms(holes_of(start)) + facts.settings.quiet_ms
        return Reading(trusted, trust_changes=trust, new_game_ms=new_game_ms)
    ask_ms = None
    if taken.bit_count() == start.bit_count():
        ask_ms = trusted.last_change_ms(holes_of(taken | start)) + facts.settings.doubt_ms
    elif ready := [
        trusted.last_change_ms(one.route.start)
        for one in facts.race_board.lanes
        if taken & one.start_bits == one.start_bits
    ]:
        ask_ms = min(ready) + SET_UP_REMINDER_MS
    seats = tuple(range(len(facts.race_board.lanes)))
    problem = Problem(ProblemKey("set_up", None, ()), seats, LONG_AGO_MS, ask_ms)
    return Reading(trusted, problems=(problem,), trust_changes=trust)


def _collect_problems(
    trusted: TrustedLevels, groups: Sequence[LaneGroup], found: Sequence[PegVerdict], *, are_explained: bool
) -> Reading:
    """Run the last stage: collect what the verdicts leave as problems, on each lane and on the whole board.

    `are_explained`: pegs that moved while the sensors were lost are where they may be; the board was not knocked over.
    """
    facts = trusted.facts
    strays = _find_strays(trusted, groups)
    problems = _find_problems(trusted, groups, strays)
    held = {h for t in problems if t.key.kind in ("wrong_track", "wrong_peg") for h in t.key.holes}
    gathered = trusted.taken_bits & ~trusted.home_bits & facts.race_board.start_bits
    new_game_ms = _new_game_ms(trusted)
    if new_game_ms is not None:
        found, problems = (), []
    elif trusted.is_won and gathered and trusted.home_bits & ~trusted.taken_bits:
        # The pegs return to the start one by one, in any order. Dues exist if a new game has begun already.
        due = {d.seat for d in facts.dues}
        found, problems = tuple(v for v in found if v.seat in due), [_whole_board_problem(trusted, "homewards")]
    elif facts.is_knocked_over and not are_explained and not _are_all_legal(groups):
        found, problems = () if facts.race_board.has_shared_lanes else found, [_scattered_problem(trusted)]
    elif not found:
        problems = _merge_if_all_away(trusted, problems)
    if trusted.is_won or (facts.pegs_are_score and gathered.bit_count() > 1):
        held.update(holes_of(gathered))  # these pegs return to the start, so their sensors do not fail
    unowned = [(h, trusted.last_change_ms((h,))) for h in strays if h not in held]
    away = {seat for group in groups for seat in group.away_seats}
    trust = find_trust_changes(trusted, unowned)
    greens = _find_green_times(trusted, found)
    return Reading(trusted, found, problems, [h for h, _ in unowned], away, trust, greens, new_game_ms)


def _find_green_times(trusted: TrustedLevels, found: Iterable[PegVerdict]) -> list[tuple[int, int]]:
    """Return when pegs in the holes of their dues turn green. This is before they are certain and has no effect.

    The time counts from the first contact of the peg, so chatter does not delay it.
    """
    places = {due.place for due in trusted.facts.dues if due.points > 0}
    return [
        (trusted.facts.levels.changes[v.interpretation.to].filled_ms + GREEN_AFTER_MS, v.interpretation.to)
        for v in found
        if v.interpretation.to in places
    ]


def _find_strays(trusted: TrustedLevels, groups: Sequence[LaneGroup]) -> tuple[int, ...]:
    """Return the taken holes that no assignment gives to a seat, and those on no lane."""
    beyond = trusted.taken_bits & ~trusted.facts.race_board.lane_bits
    found = [*(holes_of(beyond) if beyond else ()), *(h for g in groups for h in g.strays)]
    return tuple([h for h in found if not trusted.home_bits >> h & 1])  # a confirmed placement may be anywhere


def _find_problems(trusted: TrustedLevels, groups: Sequence[LaneGroup], strays: Sequence[int]) -> list[Problem]:
    """Return the problems of each lane. A stray that may be a seat's missing peg replaces the problem of the peg."""
    single = exclude_simultaneous(MAX_PEGS_AT_ONCE, trusted, strays) if strays else ()
    misplaced = [t for h in single if (t := _misplaced_peg_problem(trusted, groups, h)) is not None]
    concerned = {s for t in misplaced for s in t.seats}
    lanes = [t for g in groups for t in _lane_problems(g) if not concerned.intersection(t.seats)]
    explained = {h for t in misplaced for h in t.key.holes}
    return misplaced + lanes + list(_find_surplus_pegs(trusted, [h for h in single if h not in explained]))


def _create_problem(
    trusted: TrustedLevels,
    kind: ProblemKind,
    seats: tuple[int, ...],
    since_ms: int,
    holes: Iterable[int],
    *,
    alone: bool = False,
) -> Problem:
    """Create a problem of this kind. `since_ms`: when its holes last changed.

    With `alone` it concerns the first seat only, and its key names that seat.
    """
    row, settings = PROBLEM_TYPES[kind], trusted.facts.settings
    notice_ms, ask_ms = (_wait_ms(wait, settings) for wait in (row.notice_after, row.ask_after))
    key = ProblemKey(kind, seats[0] if alone else None, tuple(sorted(holes)))
    return Problem(key, seats, since_ms + (notice_ms or 0), None if ask_ms is None else since_ms + ask_ms)


@cache
def _wait_ms(wait: WaitKind, settings: PegTimings) -> int | None:
    """Return the wait in ms; None if it never ends."""
    return {
        "at once": 0, "quiet": settings.quiet_ms, "doubt": settings.doubt_ms, "missing": settings.missing_ms,
        "long out": settings.missing_ms * 2 // 5,  # advice only: the peg may still be in a hand
        "set up": SET_UP_REMINDER_MS, "never": None,
    }[wait]  # fmt: skip


def _misplaced_peg_problem(trusted: TrustedLevels, groups: Iterable[LaneGroup], hole: int) -> Problem | None:
    """Return the problem of a stray that may be the missing peg of a seat; None if no peg was out when it filled."""
    facts = trusted.facts
    filled_ms = facts.levels.changes[hole].filled_ms
    seats = tuple(s for g in groups for s, left_ms in g.find_pegs_out() if left_ms <= filled_ms + SENSOR_LAG_MS)
    if not seats or facts.placements is None:
        return None
    since_ms = trusted.last_change_ms((hole, *(h for s in seats for h in facts.placements[s].holes)))
    meant = next((d for d in facts.dues if d.place == hole), None)
    if meant is not None and meant.seat not in seats:
        if facts.players_count:
            return None  # the points were given because of this peg, so its old home's sensor sticks
        return _create_problem(trusted, "wrong_peg", (meant.seat, *seats), since_ms, (hole,), alone=True)
    return _create_problem(trusted, "wrong_track", seats, since_ms, (hole,), alone=len(seats) == 1)


def _find_surplus_pegs(trusted: TrustedLevels, strays: Iterable[int]) -> Iterable[Problem]:
    """Yield the problems of holes that have filled since the last act although no peg of their lane was out.

    If a claim is possible there, the levels do not show which sensor sticks: that of the hole, or that of a home
    whose peg has moved there. Strays remain problems in quarantine. With the next card or button the question comes at
    once, because the claim may lapse.
    """
    facts = trusted.facts
    if not facts.players_count or facts.is_knocked_over:
        return
    silent = [
        hole
        for hole, ms in facts.quarantine.items()
        if facts.levels.bits >> hole & 1 and ms > facts.levels.changes[hole].changed_ms > LONG_AGO_MS
    ]
    for hole in (*strays, *silent):
        changes = facts.levels.changes[hole]
        for lane_seats, bits in trusted.lane_groups:
            if not bits & ~trusted.home_bits & 1 << hole or any(trusted.empty_homes[seat] for seat in lane_seats):
                continue
            seats = tuple(
                [s for s in lane_seats if changes.changed_ms > facts.certain_ms[s] and possible_claim(trusted, s, hole)]
            )
            if seats:
                since_ms = max(facts.sensors_back_ms, changes.changed_ms)
                problem = _create_problem(trusted, "surplus", seats, since_ms, (hole,), alone=len(seats) == 1)
                if facts.input_ms >= changes.filled_ms + MIN_ACT_REST_MS and not facts.claiming_seats.isdisjoint(seats):
                    problem = problem._replace(notice_ms=facts.input_ms, ask_ms=facts.input_ms)
                yield problem


def _lane_problems(group: LaneGroup) -> Iterable[Problem]:
    trusted = group.trusted
    if not group.assignments:
        homes = [h for context in group.contexts for h in context.placement.holes]
        since_ms = trusted.last_change_ms((*homes, *holes_of(trusted.taken_bits & group.bits)))
        yield _create_problem(trusted, "scattered", group.seats, since_ms, homes)
        return
    resting = {rest.seat: rest for rest in group.resting_pegs}
    unsure = []
    for index, seat in enumerate(group.seats):
        if seat in resting:
            yield from _misread_problems(group, resting[seat])
            continue
        choices = group.possible_holes(index)
        if trusted.empty_homes[seat] and any(len(places) < 2 for places in choices):
            yield _peg_out_problem(group, index, seat)
        if len(choices) > 1:
            unsure.append(index)
    if unsure and all(len(places) == 2 for assignment in group.assignments for places in assignment.seat_holes):
        yield _ambiguous_problem(group, unsure)


def _misread_problems(group: LaneGroup, rest: RestingPegs) -> Iterable[Problem]:
    found, trusted = rest.interpretation, group.trusted
    if found.misread_kind is None:
        return
    since_ms = trusted.last_change_ms(rest.holes | group.contexts[rest.lane_index].placement.holes)
    certain_ms, _ = compute_certainty(group, rest)
    problem = _create_problem(trusted, found.misread_kind, (rest.seat,), since_ms, rest.holes, alone=True)
    notice_ms = max(certain_ms, problem.notice_ms)
    ask_ms = None if problem.ask_ms is None else max(notice_ms, problem.ask_ms)
    if ask_ms is None and group.contexts[rest.lane_index].may_claim:
        # It may be a claim beside the due. A card or a button asks at once, because the claim may lapse.
        ask_ms = max(notice_ms, since_ms + trusted.facts.settings.doubt_ms)
        if trusted.facts.input_ms >= since_ms + MIN_ACT_REST_MS:
            notice_ms = ask_ms = trusted.facts.input_ms
    yield problem._replace(notice_ms=notice_ms, ask_ms=ask_ms, interpretation=found, candidate_holes=((rest.holes,),))


def _peg_out_problem(group: LaneGroup, index: int, seat: int) -> Problem:
    """Return the problem of pegs in a hand. It counts from when they last left a hole, their home or a touched one."""
    trusted, levels = group.trusted, group.trusted.facts.levels
    gone = trusted.empty_homes[seat]
    left = [levels.changes[h].emptied_ms for h in gone]
    left += [levels.changes[h].emptied_ms for h in find_touched_holes(trusted, group.contexts[index], min(left))]
    kind: ProblemKind = "both_out" if len(gone) == 2 and not any(group.possible_holes(index)) else "out"
    return _create_problem(trusted, kind, (seat,), max(trusted.facts.sensors_back_ms, *left), gone, alone=True)


def _ambiguous_problem(group: LaneGroup, unsure: list[int]) -> Problem:
    holes = {h for index in unsure for places in group.possible_holes(index) for h in places}
    since_ms = group.trusted.last_change_ms(holes.union(*(group.contexts[index].placement.holes for index in unsure)))
    places = tuple(tuple(assignment.seat_holes[index] for index in unsure) for assignment in group.assignments)
    seats = tuple(group.seats[index] for index in unsure)
    return _create_problem(group.trusted, "whose", seats, since_ms, holes)._replace(candidate_holes=places)


def _whole_board_problem(trusted: TrustedLevels, kind: ProblemKind, holes: Iterable[int] = ()) -> Problem:
    since_ms = trusted.last_change_ms(holes_of(trusted.home_bits | trusted.taken_bits))
    return _create_problem(trusted, kind, tuple(range(len(trusted.facts.race_board.lanes))), since_ms, holes)


def _new_game_ms(trusted: TrustedLevels) -> int | None:
    """Return when all pegs, back in the start holes, begin a new game of pegs-only; None if they do not."""
    facts, start = trusted.facts, trusted.facts.race_board.start_bits
    if (
        not facts.pegs_are_score
        or facts.placements is None
        or (facts.levels.bits | trusted.quarantined_bits) & start != start
    ):
        return None
    begun = any(s != one.start_placement for s, one in zip(facts.placements, facts.race_board.lanes, strict=True))
    if not begun or trusted.taken_bits & trusted.home_bits & ~start:
        return None
    return trusted.last_change_ms(holes_of(start)) + facts.settings.quiet_ms


def _are_all_legal(groups: Sequence[LaneGroup]) -> bool:
    """Return whether all pegs rest and the pegs of each seat are a verdict."""
    resting = [rest for group in groups for rest in group.resting_pegs]
    whole = len(resting) == sum(len(group.seats) for group in groups) and not any(group.is_swapped for group in groups)
    return whole and all(rest.interpretation.is_verdict for rest in resting)


def _merge_if_all_away(trusted: TrustedLevels, problems: list[Problem]) -> list[Problem]:
    """Merge the problems into one if no peg is at home, instead of one for each seat.

    This happens if all pegs left at once, or went to the start one by one because the game was given up.
    """
    if trusted.taken_bits & trusted.home_bits:
        return _merge_row_fault(trusted, problems)
    given_up = trusted.taken_bits & trusted.facts.race_board.start_bits & ~trusted.home_bits
    alike = len(trusted.facts.race_board.lanes) > 1 and (
        given_up or emptied_at_once(trusted, holes_of(trusted.home_bits))
    )
    return [_scattered_problem(trusted)] if alike else problems


def emptied_at_once(trusted: TrustedLevels, holes: Iterable[int]) -> bool:
    """Return whether these holes lost their pegs within `SIMULTANEOUS_MS`."""
    emptied = [trusted.facts.levels.changes[hole].emptied_ms for hole in holes]
    return max(emptied) - min(emptied) <= SIMULTANEOUS_MS


def _scattered_problem(trusted: TrustedLevels) -> Problem:
    """Return the single problem after a cable was unplugged, a node restarted or the board fell."""
    found = _whole_board_problem(trusted, "scattered" if trusted.taken_bits else "empty", holes_of(trusted.home_bits))
    if trusted.taken_bits.bit_count() >= trusted.home_bits.bit_count():
        return found
    settings = trusted.facts.settings  # the missing pegs are in a hand
    return found._replace(ask_ms=found.notice_ms - settings.doubt_ms + settings.missing_ms)


def _merge_row_fault(trusted: TrustedLevels, problems: list[Problem]) -> list[Problem]:
    """Merge the problems into one if pegs of several seats left at one instant and no peg has come since.

    Hands do not lift pegs like that, but a row of sensors fails like that.
    """
    facts = trusted.facts
    seats = tuple(seat for seat, holes in enumerate(trusted.empty_homes) if holes)
    if len(seats) < 2 or trusted.taken_bits & ~trusted.home_bits:
        return problems
    holes = [h for each in trusted.empty_homes for h in each]
    instants = {facts.levels.changes[h].emptied_ms for h in holes}
    if len(instants) > 1:
        return problems
    row = _create_problem(trusted, "row", seats, max(facts.sensors_back_ms, *instants), holes)
    return [t for t in problems if not set(t.seats) & set(seats)] + [row]


def find_trust_changes(trusted: TrustedLevels, strays: Iterable[tuple[int, int]]) -> list[TrustChange]:
    """Return the holes that will be quarantined or trusted again if nothing changes.

    `strays`: taken holes that belong to no seat, each with the time of its last change.
    """
    facts = trusted.facts
    board, quarantined = facts.race_board.board, trusted.quarantined_bits
    found = []
    for hole, ms in strays:
        if (stuck := _find_stuck_home(trusted, hole)) is not None:
            # If a peg of another seat is out, it may be that one, unless the points were given because of this peg.
            is_sure = facts.players_count or not any(trusted.empty_homes)
            wait_ms = facts.settings.doubt_ms if is_sure else facts.settings.missing_ms
            found.append(TrustChange(ms + wait_ms, stuck, stray_sentence(board, stuck)))
        elif not quarantined >> hole & 1 and not _is_claimed_from_quarantine(trusted, hole):
            found.append(TrustChange(ms + OVERRULE_SENSOR_MS, hole, stray_sentence(board, hole)))
    for hole, quarantined_ms in facts.quarantine.items():
        is_stray = quarantined_ms > facts.levels.changes[hole].changed_ms and facts.levels.bits >> hole & 1
        if is_stray and (_find_stuck_home(trusted, hole) is not None or _is_claimed_from_quarantine(trusted, hole)):
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
            lane = next(bits for seats, bits in trusted.lane_groups if due.seat in seats)
            is_home = trusted.taken_bits >> due.lift & 1
            return due.lift if is_home and not trusted.quarantined_bits & trusted.home_bits & lane else None
    return None


def _is_claimed_from_quarantine(trusted: TrustedLevels, hole: int) -> bool:
    """Return whether a player was given the points of a peg in this hole that comes from a quarantined home."""
    return trusted.facts.players_count and any(
        due.place == hole and trusted.quarantined_bits >> due.lift & 1 for due in trusted.facts.dues
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
    for seats, lane in trusted.lane_groups:
        if lane >> hole & 1:
            gone = [(seat, home) for seat in seats for home in trusted.empty_homes[seat]]
            if (trusted.taken_bits & ~trusted.home_bits & lane).bit_count() < len(gone) and any(
                trusted.left_ms(seat, home) <= filled_ms + SENSOR_LAG_MS
                and is_likely_hole(trusted.seat_contexts[seat], hole)
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


def is_knocked_over(trusted: TrustedLevels) -> bool:
    """Return whether the board was knocked over: two seats lost both pegs at once, which hands do not do.

    This ends when all homes hold a peg again, also because an assignment that explains all pegs was accepted.
    """
    if trusted.facts.placements is None:
        return False
    if trusted.facts.is_knocked_over:
        return trusted.taken_bits & trusted.home_bits != trusted.home_bits
    lost = [h for gone in trusted.empty_homes if len(gone) == 2 for h in gone]
    return len(lost) >= 4 and emptied_at_once(trusted, lost)
