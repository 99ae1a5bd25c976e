"""Stage 4, timing: which interpretations can be committed, and from which time on they are certain. Pure.

A seat with a lane of its own waits for its own holes only, the old and the new ones; hands on other lanes do not delay
it. On a shared lane it also waits for the holes where another hand may be at work, because they may decide whose peg is
whose.

`_find_unseen_verdicts` reads pegs that moved while the sensors were lost. The order of the changes is unknown then.
What is known is what each seat had to peg, in which steps: its pegs can rest where these lead, with any of them pegged
together. The levels decide a placement if it is the same in every way to explain all pegs of the lane.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.boards.board import Lane, PegDue, Placement, bits_between, bits_of, holes_of
from companion.common.constants import MAX_HAND_POINTS
from companion.pegs.assignment import LaneGroup, RestingPegs
from companion.pegs.interpretation import Interpretation, SeatContext, is_likely_hole
from companion.pegs.levels import NO_TOUCH, HandPace, TrustedLevels
from companion.pegs.thresholds import (
    CLAIM_REST_MS,
    COUNTING_EXTRA_MS,
    LONG_AGO_MS,
    MIN_ACT_REST_MS,
    OVERRULE_SENSOR_MS,
    SENSOR_LAG_MS,
    SLOW_HAND_EXTRA_MS,
)

SEARCH_MARGIN_HOLES = 10
"""Number of holes beyond the furthest claim that a hand may touch while it looks for its hole."""
MAX_COUNTING_FLIPS = 5
"""Maximum number of recent changes of a home that a counting hand can make. With more, its sensor fails."""


class PegVerdict(NamedTuple):
    """An interpretation that can be committed at `at_ms` if nothing changes until then.

    `pace`: how the hand touched other holes on its way.
    """

    at_ms: int
    seat: int
    interpretation: Interpretation
    pace: HandPace


def find_verdicts(group: LaneGroup) -> tuple[list[PegVerdict], bool]:
    """Return the verdicts on the group's pegs, and whether they explain moves made while the sensors were lost."""
    unseen = _find_unseen_verdicts(group)
    return (_find_seen_verdicts(group), False) if unseen is None else (unseen, bool(unseen))


def _find_seen_verdicts(group: LaneGroup) -> list[PegVerdict]:
    """Return the verdicts on the group's resting pegs, each with the time from which it is certain.

    Only the time of the earliest verdict is exact. The others come later than it, and are read again before they come.
    """
    rests = [
        rest
        for rest in group.resting_pegs
        if rest.interpretation.is_verdict and rest.interpretation.kind != "same" and not _was_put_unseen(group, rest)
    ]
    certain = {rest.seat: compute_certainty(group, rest) for rest in rests}
    earliest_ms = -LONG_AGO_MS
    for rest in sorted(rests, key=lambda rest: certain[rest.seat][0]):
        at_ms, pace = certain[rest.seat]
        if at_ms <= earliest_ms or group.trusted.is_won:  # after the win not all verdicts are used
            earliest_ms = min(earliest_ms, at_ms := _lane_certain_ms(group, rest, at_ms))
            certain[rest.seat] = at_ms, _learn_pace(group, rest, pace)
    return [PegVerdict(certain[rest.seat][0], rest.seat, rest.interpretation, certain[rest.seat][1]) for rest in rests]


def _lane_certain_ms(group: LaneGroup, rest: RestingPegs, at_ms: int) -> int:
    """Return when resting pegs are certain beside the other pegs of their lane, not earlier than `at_ms`."""
    found, due = rest.interpretation, group.contexts[rest.lane_index].due
    if rest.next_act_ms is None:
        at_ms = _shared_lane_certain_ms(group, rest, at_ms)
        if group.is_swapped:
            at_ms = max(at_ms, _unchanged_since_ms(group) + group.trusted.facts.settings.doubt_ms)
        if due is None or found.to != due.place:
            at_ms = max(at_ms, _moved_on_ms(group, rest))
    return at_ms


def _learn_pace(group: LaneGroup, rest: RestingPegs, pace: HandPace) -> HandPace:
    """Return the pace of a hand whose peg perhaps goes on with a claim that was reported early."""
    found, context, facts = rest.interpretation, group.contexts[rest.lane_index], group.trusted.facts
    is_going_on = context.is_hasty and context.due is None and found.origin == context.placement.front
    if not is_going_on or found.kind != "pegged":
        return pace
    held_ms = facts.levels.changes[found.origin].held_ms
    moved_on_ms = max([0, *(each.moved_on_ms for each in facts.hand_paces[rest.seat][-1:])])
    if pace.longest_ms or moved_on_ms:
        # The hand counts on, so it has only touched the hole of the early claim, as its first one.
        first_ms = max(held_ms, moved_on_ms)
        return HandPace(first_ms, max(first_ms, pace.longest_ms), held_ms)
    return HandPace(0, 0, held_ms)


def compute_certainty(group: LaneGroup, rest: RestingPegs) -> tuple[int, HandPace]:
    """Return when a seat's resting pegs are certain, in ms, and how the hand touched other holes on its way.

    They are certain when the seat's own holes have been quiet for long enough and its hand is unlikely to count on. A
    hand that has begun its next act, scanned a card or pressed a button has finished this act.
    """
    trusted, context, holes = group.trusted, group.contexts[rest.lane_index], rest.holes
    facts, homes, levels = trusted.facts, context.placement.holes, trusted.facts.levels
    new = holes - homes
    if rest.next_act_ms is not None:
        at_ms = max(rest.next_act_ms, trusted.last_change_ms(new) + facts.settings.quiet_ms)
        is_ended = context.may_claim and facts.input_ms >= rest.next_act_ms  # as below
        return facts.input_ms if is_ended else at_ms, NO_TOUCH
    still_ms = trusted.last_change_ms(holes | homes)
    at_ms = still_ms + facts.settings.quiet_ms
    if rest.interpretation.kind == "same":
        return at_ms, NO_TOUCH
    left_ms = min((levels.changes[h].emptied_ms for h in homes - holes), default=LONG_AGO_MS)
    touches = find_touched_holes(trusted, context, left_ms, holes)
    if context.due is not None and rest.interpretation.to == context.due.place:
        at_ms = _due_certain_ms(trusted, rest.interpretation.to, left_ms, touches, at_ms)
        return max(at_ms, _passing_claim_ms(group, rest, still_ms, counted=bool(touches))), NO_TOUCH
    down_ms = max((levels.changes[h].filled_ms for h in new), default=LONG_AGO_MS)
    before = [h for h in touches if levels.changes[h].emptied_ms <= down_ms + SENSOR_LAG_MS]
    alone = not _find_others_out(group, rest.lane_index)  # otherwise another hand may have made the touches
    held_ms = [levels.changes[h].held_ms for h in sorted(before, key=lambda h: levels.changes[h].put_ms)]
    pace = HandPace(held_ms[0], max(held_ms)) if alone and before else NO_TOUCH
    if any(trusted.has_flickered(h, left_ms) or group.is_too_early(h, left_ms) for h in new):
        still_ms = max(still_ms, trusted.last_change_ms(touches))
        at_ms = still_ms + facts.settings.doubt_ms + (COUNTING_EXTRA_MS if before else 0)
    elif facts.input_ms >= down_ms > LONG_AGO_MS:
        if context.may_claim and facts.input_ms >= down_ms + MIN_ACT_REST_MS:
            return facts.input_ms, pace  # the input may end the time in which the seat can claim
        return max(at_ms, facts.input_ms), pace
    else:
        at_ms = still_ms + _required_rest_ms(group, rest, pace, counted=bool(before))
        if rest.interpretation.is_claim:
            at_ms = min(still_ms + CLAIM_REST_MS, max(at_ms, _next_hand_ms(trusted, rest.seat, down_ms)))
    later = [h for h in touches if levels.changes[h].filled_ms > down_ms and is_likely_hole(context, h)]
    if len(later) > 1 and _is_other_lane_out(trusted, context, down_ms):
        at_ms = max(at_ms, trusted.last_change_ms(later) + facts.settings.quiet_ms)
    return at_ms, pace


def _passing_claim_ms(group: LaneGroup, rest: RestingPegs, still_ms: int, *, counted: bool) -> int:
    """Return until when a peg in the hole of its due may only be counting past it to a claim; `LONG_AGO_MS` if not.

    A peg that was lifted before the points became due goes to a claim and waits like one. What follows ends the wait.
    """
    context, facts = group.contexts[rest.lane_index], group.trusted.facts
    down_ms = facts.levels.changes[rest.interpretation.to].filled_ms
    if not context.may_claim or facts.input_ms >= down_ms + MIN_ACT_REST_MS:
        return LONG_AGO_MS
    rest_ms = CLAIM_REST_MS if context.is_claiming else _required_rest_ms(group, rest, NO_TOUCH, counted=counted)
    next_hand_ms = _next_hand_ms(group.trusted, rest.seat, down_ms)
    return min(still_ms + rest_ms, max(still_ms + facts.settings.quiet_ms, next_hand_ms))


def _due_certain_ms(trusted: TrustedLevels, place: int, left_ms: int, touches: Sequence[int], at_ms: int) -> int:
    """Return when a peg is certain in the hole of its due.

    For a quarantined hole: at the latest `OVERRULE_SENSOR_MS` after the peg was lifted or last touched another hole.
    """
    facts = trusted.facts
    if not trusted.quarantined_bits >> place & 1:
        return at_ms
    unseen_ms = max([left_ms, *map(trusted.unchanged_since_ms, touches)]) + OVERRULE_SENSOR_MS
    return min(at_ms, unseen_ms) if facts.levels.bits >> place & 1 else unseen_ms


def _required_rest_ms(group: LaneGroup, rest: RestingPegs, pace: HandPace, *, counted: bool) -> int:
    """Return how long a peg must rest, in ms: longer than the touches that are to be expected of its hand.

    `counted`: the peg touched other holes on its way. Otherwise this hole may only be the first one that it touches.
    """
    facts = group.trusted.facts
    quiet_ms = facts.settings.quiet_ms
    paces = facts.hand_paces[rest.seat] if rest.interpretation.kind == "pegged" else ()
    counted_ms = quiet_ms + COUNTING_EXTRA_MS
    if counted:
        return max(counted_ms, *[each.longest_ms + SLOW_HAND_EXTRA_MS for each in (*paces, pace)])
    slow_ms = [each.first_ms + SLOW_HAND_EXTRA_MS for each in paces if each.first_ms > quiet_ms]
    slow_ms += [counted_ms for each in paces if each.longest_ms + SLOW_HAND_EXTRA_MS > counted_ms]
    return max(slow_ms, default=quiet_ms)


def _next_hand_ms(trusted: TrustedLevels, seat: int, down_ms: int) -> int:
    """Return when another hand first lifted a peg after `down_ms`, and still has it; `-LONG_AGO_MS` if none has."""
    lifted = (
        trusted.left_ms(other, hole)
        for other, homes in enumerate(trusted.empty_homes)
        if other != seat
        for hole in homes
    )
    return min((ms for ms in lifted if ms > down_ms), default=-LONG_AGO_MS)


def _is_other_lane_out(trusted: TrustedLevels, context: SeatContext, down_ms: int) -> bool:
    """Return whether a peg of another lane was out when this peg was put down at `down_ms`.

    Then that hand may have touched this lane by mistake, and either peg may be the one that rests here.
    """
    for seat, lane in enumerate(trusted.facts.race_board.lanes):
        if not lane.bits & context.lane.bits and any(
            trusted.left_ms(seat, h) <= down_ms for h in trusted.empty_homes[seat]
        ):
            return True
    return False


def find_touched_holes(
    trusted: TrustedLevels, context: SeatContext, left_ms: int, holes: frozenset[int] = frozenset()
) -> list[int]:
    """Return the lane's holes, except `holes`, that were filled and left since a peg was lifted at `left_ms`."""
    own = _counting_range_bits(context) if trusted.facts.race_board.has_shared_lanes else context.lane.bits
    return [
        hole
        for hole, of in trusted.left_holes
        if of.filled_ms + SENSOR_LAG_MS >= left_ms
        and own >> hole & 1
        and hole not in holes
        and not (hole in trusted.unattended_holes and trusted.has_flickered(hole, left_ms))
    ]


@lru_cache(maxsize=64)
def _counting_range_bits(context: SeatContext) -> int:
    """Return the holes where this seat's hand may count or put a peg back, as bits.

    On a shared lane, touches elsewhere were made by another hand.
    """
    placement = context.placement
    ahead = bits_between(
        context.lane, placement.back_points + 1, placement.front_points + MAX_HAND_POINTS + SEARCH_MARGIN_HOLES
    )
    return ahead | bits_of([hole for before in context.past_placements[-2:] for hole in before.holes])


def _was_put_unseen(group: LaneGroup, rest: RestingPegs) -> bool:
    """Return whether the new hole filled while the sensors were lost and makes pegs of other seats illegal."""
    new = [
        group.trusted.facts.levels.changes[h].filled_ms
        for h in rest.holes - group.contexts[rest.lane_index].placement.holes
    ]
    unseen = len(group.seats) > 1 and bool(new) and max(new) <= group.trusted.facts.sensors_back_ms
    return unseen and any(map(group.is_illegal, group.assignments))


def _moved_on_ms(group: LaneGroup, rest: RestingPegs) -> int:
    """Return the last time at which a lagging sensor could show that this peg has moved on; else `LONG_AGO_MS`.

    It has moved on if it is in a hole that filled later than its own and that no other peg can explain. A hole that
    flickered before the peg was lifted does not count, because its sensor fails.
    """
    context, levels = group.contexts[rest.lane_index], group.trusted.facts.levels
    assignment = group.assignments[0]
    odd = (
        places - other.placement.holes
        for i, (other, places) in enumerate(zip(group.contexts, assignment.seat_holes, strict=True))
        if places != rest.holes and not group.is_legal(i, places)
    )
    next_holes = assignment.strays.union(*odd)
    if not next_holes:
        return LONG_AGO_MS
    down_ms, left_ms = max([levels.changes[h].filled_ms for h in rest.holes]), _first_left_ms(group, rest)
    filled = [
        levels.changes[h].filled_ms
        for h in next_holes
        if is_likely_hole(context, h) and not group.trusted.has_flickered(h, left_ms)
    ]
    return max([ms + SENSOR_LAG_MS + 1 for ms in filled if ms > down_ms], default=LONG_AGO_MS)


def _first_left_ms(group: LaneGroup, rest: RestingPegs) -> int:
    """Return when the first of the seat's pegs that are not at home left its home."""
    homes = group.contexts[rest.lane_index].placement.holes
    return min((group.left_ms(rest.lane_index, h) for h in homes - rest.holes), default=LONG_AGO_MS)


def _shared_lane_certain_ms(group: LaneGroup, rest: RestingPegs, at_ms: int) -> int:
    """Return when it is certain that this peg belongs to this seat, not earlier than `at_ms`.

    On a shared lane the other holes that decide this must be quiet, too.
    """
    if len(group.seats) == 1:
        return at_ms
    trusted, context = group.trusted, group.contexts[rest.lane_index]
    quiet_ms = trusted.facts.settings.quiet_ms
    expected = context.due is not None and context.due.place in rest.holes
    counting = list(_find_passing_seats(group, rest, expected=expected))
    if expected and not counting:
        return at_ms  # it is due there, and no other hand can be passing
    slow_ms = trusted.last_change_ms(rest.holes | context.placement.holes) + quiet_ms + COUNTING_EXTRA_MS
    if not expected and _has_filled_too_early(group, rest):
        at_ms = max(at_ms, slow_ms)
    at_ms = max([at_ms, *(min(slow_ms, _elsewhere_ms(group, rest, other)) for other in counting)])
    taken = trusted.taken_bits & group.bits
    others = [h for h in holes_of(taken & ~bits_of(context.placement.holes)) if h not in rest.holes]
    rest_ms = quiet_ms + (COUNTING_EXTRA_MS if _is_hand_counting(group) else 0)
    flaps = [
        h
        for h in others
        if trusted.home_bits >> h & 1 and len(trusted.facts.levels.changes[h].flip_times) > MAX_COUNTING_FLIPS
    ]
    restless = [h for h in others if trusted.unchanged_since_ms(h) + rest_ms > at_ms and h not in flaps]
    if not restless:
        return at_ms
    assignments, _ = group.likely_assignments(taken & ~bits_of(restless))
    if all(assignment.seat_holes[rest.lane_index] == rest.holes for assignment in assignments):
        return at_ms
    return trusted.last_change_ms(restless) + rest_ms


def _find_passing_seats(group: LaneGroup, rest: RestingPegs, *, expected: bool) -> Iterable[int]:
    """Yield the other seats, by index, that have a peg in the hand and may be counting past here to a due or a claim.

    If the peg here is not `expected`, also seats that cannot claim it but may be passing.
    """
    new = rest.holes - group.contexts[rest.lane_index].placement.holes
    for other, _ in _find_others_out(group, rest.lane_index):
        context = group.contexts[other]
        low, free = (
            context.placement.front_points,
            MAX_HAND_POINTS if context.pegs_are_score or context.may_claim else 0,
        )
        high = low + (free if context.due is None else context.due.points)
        if not expected:
            low, high = context.placement.back_points, low + MAX_HAND_POINTS
        if any(context.lane.points_at(hole, low + 1, high) for hole in new) and _find_seat_touches(group, other):
            yield other


def _elsewhere_ms(group: LaneGroup, rest: RestingPegs, other: int) -> int:
    """Return when another seat's peg is known to be elsewhere, because it has touched a hole since this one filled.

    If nothing is due from this seat and it has a peg out, holes that this seat may have touched do not count, because
    the peg here may be the other seat's. Returns `-LONG_AGO_MS`, a time that never comes, if no hole counts.
    """
    levels, context = group.trusted.facts.levels, group.contexts[rest.lane_index]
    down_ms = max(levels.changes[h].filled_ms for h in rest.holes - context.placement.holes)
    own = (
        _find_seat_touches(group, rest.lane_index)
        if context.due is None and group.trusted.empty_homes[rest.seat]
        else ()
    )
    since = (levels.changes[h].filled_ms for h in _find_seat_touches(group, other) if h not in own)
    return min((ms + SENSOR_LAG_MS + 1 for ms in since if ms > down_ms), default=-LONG_AGO_MS)


def _has_filled_too_early(group: LaneGroup, rest: RestingPegs) -> bool:
    """Return whether the seat's new hole filled before its peg had left, while another seat's peg was out.

    Then a sensor lags, or the other peg is in the hole, even one that cannot claim it but touches holes on its way.
    """
    homes = group.contexts[rest.lane_index].placement.holes
    filled_ms = max((group.trusted.facts.levels.changes[h].filled_ms for h in rest.holes - homes), default=LONG_AGO_MS)
    left_ms = _first_left_ms(group, rest)
    return filled_ms < left_ms and any(
        group.left_ms(other, h) <= filled_ms for other, gone in _find_others_out(group, rest.lane_index) for h in gone
    )


def _is_hand_counting(group: LaneGroup) -> bool:
    """Return whether a peg that is out has touched holes of the lane, so that a resting peg may be another touch."""
    return any(
        _find_seat_touches(group, index) for index, seat in enumerate(group.seats) if group.trusted.empty_homes[seat]
    )


def _find_others_out(group: LaneGroup, index: int) -> Sequence[tuple[int, tuple[int, ...]]]:
    """Return the other seats whose pegs are out, by index, with the homes that these have left."""
    gone = ((other, group.trusted.empty_homes[seat]) for other, seat in enumerate(group.seats) if other != index)
    return [(other, holes) for other, holes in gone if holes]


@lru_cache(maxsize=16)
def _find_seat_touches(group: LaneGroup, index: int) -> list[int]:
    """Return the holes that a seat's peg, which is out, may have touched since it was lifted."""
    left_ms = min(group.left_ms(index, h) for h in group.trusted.empty_homes[group.seats[index]])
    return find_touched_holes(group.trusted, group.contexts[index], left_ms)


def _unchanged_since_ms(group: LaneGroup) -> int:
    """Return when the homes and the holes with resting pegs last changed.

    An assignment with a peg in another seat's home must wait for all of them.
    """
    holes = {h for assignment in group.assignments for places in assignment.seat_holes for h in places}
    return group.trusted.last_change_ms(holes.union(*(context.placement.holes for context in group.contexts)))


MAX_EXPLANATIONS = 2000
"""Explanations that are tried. With more, the levels decide nothing."""


def _find_unseen_verdicts(group: LaneGroup) -> list[PegVerdict] | None:
    """Return the verdicts on pegs that moved while the sensors were lost; None if the lane can be read as usual."""
    if len(group.seats) == 1:
        return None
    trusted, facts = group.trusted, group.trusted.facts
    changes = facts.levels.changes
    is_unseen = any(
        changes[home].emptied_ms == facts.sensors_back_ms for seat in group.seats for home in trusted.empty_homes[seat]
    )
    if not is_unseen or (group.assignments and not any(map(group.is_illegal, group.assignments))):
        return None
    taken = trusted.taken_bits & group.bits
    explanations = _explain_pegs(group, taken, 0) or _explain_pegs(group, taken, 1)
    if not explanations:
        return None
    verdicts = []
    for index, seat in enumerate(group.seats):
        known, placement = group.contexts[index].placement, explanations[0][index]
        if (
            placement is None
            or placement == known
            or any(explanation[index] != placement for explanation in explanations)
        ):
            continue
        at_ms = trusted.last_change_ms(placement.holes | known.holes) + CLAIM_REST_MS
        points = placement.front_points - known.front_points
        interpretation = Interpretation("pegged", points, known.back, placement.front, placement)
        verdicts.append(PegVerdict(at_ms, seat, interpretation, NO_TOUCH))
    return verdicts


def _explain_pegs(group: LaneGroup, taken: int, missing: int) -> list[tuple[Placement | None, ...]]:
    """Return the placements of all seats that fill exactly these holes, with `missing` pegs in a hand.

    A seat whose peg is in a hand has None. Returns none if there are too many to decide anything.
    """
    choices = [list(_list_choices(group, index)) for index in range(len(group.seats))]
    explanations = list[tuple[Placement | None, ...]]()

    def search(index: int, left: int, hands: int, chosen: tuple[Placement | None, ...]) -> None:
        if len(explanations) > MAX_EXPLANATIONS:
            return
        if index == len(choices):
            if not left and not hands:
                explanations.append(chosen)
            return
        for placement in choices[index]:
            bits = bits_of(placement.holes)
            if bits & left == bits:
                search(index + 1, left & ~bits, hands, (*chosen, placement))
        for hole in {hole for placement in choices[index] for hole in placement.holes} if hands else ():
            if left >> hole & 1:
                search(index + 1, left & ~(1 << hole), hands - 1, (*chosen, None))

    search(0, taken, missing, ())
    return explanations if len(explanations) <= MAX_EXPLANATIONS else []


def _list_choices(group: LaneGroup, index: int) -> Iterator[Placement]:
    """Yield the placements of a seat's pegs: as known, and after any of the steps that it has to peg."""
    seat = group.contexts[index]
    yield seat.placement
    if seat.due is None or seat.due.points <= 0:
        return
    places = _list_places(seat.lane, seat.placement, seat.due)
    for number, (points, hole) in enumerate(places[1:], 1):
        for behind, kept in ((seat.placement.back_points, seat.placement.back), *places[:number]):
            yield Placement(kept, hole, behind, points)


def _list_places(lane: Lane, placement: Placement, due: PegDue) -> list[tuple[int, int]]:
    """Return where a front peg may stand, in points and holes: at home, and after each step of the due."""
    places = [(placement.front_points, placement.front)]
    for step in due.steps or (due.points,):
        points = places[-1][0] + step
        places.append((points, lane.hole_at(points)))
    return places
