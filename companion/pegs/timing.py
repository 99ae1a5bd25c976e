"""Fourth stage of a reading: what can be committed, and from when on it is certain. Pure.

A seat with a lane of its own waits for its own holes alone, old and new: no hand on another lane delays it. On a lane
that seats share, it also waits for the holes where another's hand may still be: only they tell whose peg is whose.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.boards.board import bits_between, bits_of, holes_of
from companion.common.constants import MAX_HAND_POINTS
from companion.pegs.assignment import LaneGroup, RestingPegs
from companion.pegs.interpretation import Interpretation, KnownSeat, is_likely_hole
from companion.pegs.sensor_trust import TrustedLevels
from companion.pegs.thresholds import (
    COUNTING_EXTRA_MS,
    FLICKERED_REST_MS,
    LONG_AGO_MS,
    MAX_COUNTING_MS,
    PACE_MARGIN_MS,
    SENSOR_LAG_MS,
    SLOW_HAND_EXTRA_MS,
    SLOW_TOUCH_MS,
    UNSEEN_DUE_MS,
)

SEARCH_MARGIN_HOLES = 10
"""A hand that looks for its hole may touch holes up to this many beyond the furthest claim."""
MAX_COUNTING_FLIPS = 5
"""A home that changed more often than this of late fails: no counting hand does that. It tells nothing of pegs."""


class PegVerdict(NamedTuple):
    """What a seat's pegs mean, and when that is certain. Not yet committed.

    `touch_ms` is the longest time for which the hand touched another hole on its way.
    """

    at_ms: int
    seat: int
    interpretation: Interpretation
    touch_ms: int


def find_verdicts(group: LaneGroup) -> list[PegVerdict]:
    """What the group's resting pegs mean, and when that is certain."""
    certain = []
    for rest in group.resting_pegs:
        found, known = rest.interpretation, group.known_seats[rest.index]
        if not found.is_verdict or found.kind == "same" or _was_put_unseen(group, rest):
            continue
        at_ms, touch_ms = compute_certainty(group, rest)
        if rest.next_act_ms is None:
            at_ms = _shared_lane_certain_ms(group, rest, at_ms)
            if group.is_swapped:
                at_ms = max(at_ms, _unchanged_since_ms(group) + group.trusted.facts.settings.doubt_ms)
            if known.due is None or found.to != known.due.place:
                at_ms = max(at_ms, _moved_on_ms(group, rest))
        if known.is_hasty and known.due is None and found.kind == "pegged" and found.origin == known.placement.front:
            # The claim goes on: the hole where it was told before was but touched.
            touch_ms = max(touch_ms, group.trusted.facts.levels.changes[found.origin].held_ms)
        certain.append(PegVerdict(at_ms, rest.seat, found, touch_ms))
    return certain


def compute_certainty(group: LaneGroup, rest: RestingPegs) -> tuple[int, int]:
    """When a seat's resting pegs are certain, and the longest time for which its hand touched a hole on the way; in ms.

    That is when the seat's own holes have been quiet and its hand is not likely to be counting on. A hand that has
    begun its next act, put a card to the reader or pressed a button has finished this one.
    """
    trusted, known, holes = group.trusted, group.known_seats[rest.index], rest.holes
    facts, homes, levels = trusted.facts, known.placement.holes, trusted.facts.levels
    new = holes - homes
    if rest.next_act_ms is not None:
        return max(rest.next_act_ms, trusted.last_change_ms(new) + facts.settings.quiet_ms), 0
    still_ms = trusted.last_change_ms(holes | homes)
    at_ms = still_ms + facts.settings.quiet_ms
    if rest.interpretation.kind == "same":
        return at_ms, 0
    left_ms = min((levels.changes[h].emptied_ms for h in homes - holes), default=LONG_AGO_MS)
    touches = find_touched_holes(trusted, known, left_ms, holes)
    if known.due is not None and rest.interpretation.to == known.due.place:
        return _due_certain_ms(trusted, rest.interpretation.to, left_ms, touches, at_ms), 0
    down_ms = max((levels.changes[h].filled_ms for h in new), default=LONG_AGO_MS)
    before = [h for h in touches if levels.changes[h].emptied_ms <= down_ms + SENSOR_LAG_MS]
    alone = not _find_others_out(group, rest.index)  # else the touches may have been another hand's
    touch_ms = max([levels.changes[h].held_ms for h in before], default=0) if alone else 0
    if any(trusted.has_flickered(h, left_ms) for h in new):
        at_ms = still_ms + FLICKERED_REST_MS + (COUNTING_EXTRA_MS if before else 0)
    elif facts.input_ms >= down_ms > LONG_AGO_MS:
        return max(at_ms, facts.input_ms), touch_ms
    else:
        at_ms += _extra_rest_ms(group, rest, touch_ms, counted=bool(before))
    later = [h for h in touches if levels.changes[h].filled_ms > down_ms and is_likely_hole(known, h)]
    if len(later) > 1 and _is_other_lane_out(trusted, known, down_ms):
        at_ms = max(at_ms, trusted.last_change_ms(later) + facts.settings.quiet_ms)
    return at_ms, touch_ms


def _due_certain_ms(trusted: TrustedLevels, place: int, left_ms: int, touches: Sequence[int], at_ms: int) -> int:
    """When a peg is certain in its due's own hole.

    If that hole's sensor is not trusted: at the latest `UNSEEN_MS` after the peg was lifted or last touched another.
    """
    facts = trusted.facts
    if not facts.quarantined_bits >> place & 1:
        return at_ms
    unseen_ms = max([left_ms, *map(trusted.unchanged_since_ms, touches)]) + UNSEEN_DUE_MS
    return min(at_ms, unseen_ms) if facts.levels.bits >> place & 1 else unseen_ms


def _extra_rest_ms(group: LaneGroup, rest: RestingPegs, touch_ms: int, *, counted: bool) -> int:
    """How much longer than the quiet time a peg must rest, in ms: its hand may be counting on, at its pace of late.

    `counted`: on its way the peg touched other holes.
    """
    facts = group.trusted.facts
    paces = facts.longest_touches_ms[rest.seat] if rest.interpretation.kind == "pegged" else ()
    slow_ms = [touch_ms + SLOW_HAND_EXTRA_MS] if touch_ms > SLOW_TOUCH_MS else []
    slow_ms += [2 * pace_ms + PACE_MARGIN_MS for pace_ms in paces if pace_ms > SLOW_TOUCH_MS]
    wait_ms = min(MAX_COUNTING_MS, max(slow_ms, default=0)) - facts.settings.quiet_ms
    return max(wait_ms, COUNTING_EXTRA_MS if counted else 0)


def _is_other_lane_out(trusted: TrustedLevels, known: KnownSeat, down_ms: int) -> bool:
    """Whether a peg of another lane was out when this one came down.

    Then touches on this lane may be that hand's, by mistake: either peg may be the one that rests here.
    """
    for seat, lane in enumerate(trusted.facts.race_board.lanes):
        if not lane.bits & known.lane.bits and any(
            trusted.left_ms(seat, h) <= down_ms for h in trusted.empty_homes[seat]
        ):
            return True
    return False


def find_touched_holes(
    trusted: TrustedLevels, known: KnownSeat, left_ms: int, holes: frozenset[int] = frozenset()
) -> list[int]:
    """The lane's holes that were filled and left again since a peg was lifted at `left_ms`, but for these `holes`."""
    facts = trusted.facts
    own = (
        (_counting_range_bits(known) if facts.race_board.has_shared_lanes else known.lane.bits)
        & ~trusted.home_bits
        & ~facts.levels.bits
    )
    own &= ~facts.quarantined_bits
    return [
        hole
        for hole, of in facts.levels.changes.items()
        if own >> hole & 1
        and of.filled_ms + SENSOR_LAG_MS >= left_ms
        and of.filled_ms != LONG_AGO_MS
        and hole not in holes
        if not (of.unattended_times and trusted.has_flickered(hole, left_ms))
    ]


def _counting_range_bits(known: KnownSeat) -> int:
    """The holes where this seat's hand may count or put back, as bits.

    On a lane that seats share, touches elsewhere were another's.
    """
    placement = known.placement
    ahead = bits_between(
        known.lane, placement.back_points + 1, placement.front_points + MAX_HAND_POINTS + SEARCH_MARGIN_HOLES
    )
    return ahead | bits_of([hole for before in known.past_placements[-2:] for hole in before.holes])


def _was_put_unseen(group: LaneGroup, rest: RestingPegs) -> bool:
    """Whether the new hole filled while the sensors were away, and this seat's peg in it leaves another's pegs odd."""
    new = [
        group.trusted.facts.levels.changes[h].filled_ms
        for h in rest.holes - group.known_seats[rest.index].placement.holes
    ]
    unseen = len(group.seats) > 1 and bool(new) and max(new) <= group.trusted.facts.sensors_back_ms
    return unseen and any(map(group.is_illegal, group.assignments))


def _moved_on_ms(group: LaneGroup, rest: RestingPegs) -> int:
    """The latest time at which a late sensor could still show that this peg has moved on; NEVER where none could.

    It has moved on if it is in a hole that filled after its own, and that is of no use to anybody else. A hole that
    flickered before the peg was lifted does not count: its sensor fails.
    """
    known, levels = group.known_seats[rest.index], group.trusted.facts.levels
    down_ms = max(levels.changes[h].filled_ms for h in rest.holes)
    left_ms = _first_left_ms(group, rest)
    story = group.assignments[0]
    odd = (
        places - other.placement.holes
        for i, (other, places) in enumerate(zip(group.known_seats, story.seat_holes, strict=True))
        if places != rest.holes and not group.is_legal(i, places)
    )
    next_holes = (
        h for h in story.strays.union(*odd) if is_likely_hole(known, h) and not group.trusted.has_flickered(h, left_ms)
    )
    filled = (levels.changes[h].filled_ms for h in next_holes)
    return max((ms + SENSOR_LAG_MS + 1 for ms in filled if ms > down_ms), default=LONG_AGO_MS)


def _first_left_ms(group: LaneGroup, rest: RestingPegs) -> int:
    """When the first of the seat's pegs that rests elsewhere now left its home."""
    homes = group.known_seats[rest.index].placement.holes
    return min((group.left_ms(rest.index, h) for h in homes - rest.holes), default=LONG_AGO_MS)


def _shared_lane_certain_ms(group: LaneGroup, rest: RestingPegs, at_ms: int) -> int:
    """When it is certain that this peg is this seat's: on a shared lane the holes that tell so must be quiet too."""
    if len(group.seats) == 1:
        return at_ms
    trusted, known = group.trusted, group.known_seats[rest.index]
    quiet_ms = trusted.facts.settings.quiet_ms
    expected = known.due is not None and known.due.place in rest.holes
    counting = list(_find_passing_seats(group, rest, expected=expected))
    if expected and not counting:
        return at_ms  # the rules have it there, and no other hand may be passing
    slow_ms = trusted.last_change_ms(rest.holes | known.placement.holes) + quiet_ms + COUNTING_EXTRA_MS
    if not expected and _has_filled_too_early(group, rest):
        at_ms = max(at_ms, slow_ms)
    at_ms = max([at_ms, *(min(slow_ms, _elsewhere_ms(group, rest, other)) for other in counting)])
    taken = trusted.taken_bits & group.bits
    others = [h for h in holes_of(taken & ~bits_of(known.placement.holes)) if h not in rest.holes]
    rest_ms = quiet_ms + (COUNTING_EXTRA_MS if _is_hand_counting(group) else 0)
    flaps = [
        h
        for h in others
        if trusted.home_bits >> h & 1 and len(trusted.facts.levels.changes[h].flip_times) > MAX_COUNTING_FLIPS
    ]
    restless = [h for h in others if trusted.unchanged_since_ms(h) + rest_ms > at_ms and h not in flaps]
    told, _ = group.likely_assignments(taken & ~bits_of(restless))
    if all(story.seat_holes[rest.index] == rest.holes for story in told):
        return at_ms
    return trusted.last_change_ms(restless) + rest_ms


def _find_passing_seats(group: LaneGroup, rest: RestingPegs, *, expected: bool) -> Iterable[int]:
    """The other seats, by index, that have a peg in the hand and may be counting past here, to a due or a claim.

    Where the peg here is not `expected`, also seats that could claim nothing there but may be passing.
    """
    new = rest.holes - group.known_seats[rest.index].placement.holes
    for other, _ in _find_others_out(group, rest.index):
        known = group.known_seats[other]
        low, free = known.placement.front_points, MAX_HAND_POINTS if known.pegs_are_score or known.may_claim else 0
        high = low + (free if known.due is None else known.due.points)
        if not expected:
            low, high = known.placement.back_points, low + MAX_HAND_POINTS
        if any(known.lane.points_at(hole, low + 1, high) for hole in new) and _get_touched_holes(group, other):
            yield other


def _elsewhere_ms(group: LaneGroup, rest: RestingPegs, other: int) -> int:
    """From when on another seat's peg is known to be elsewhere: it has touched a hole since this one filled.

    Where nothing is due of this seat and it has a peg out, holes that this one may have touched do not count: the peg
    here may then be the other's. `-NEVER`, which never comes, where no hole counts.
    """
    levels, known = group.trusted.facts.levels, group.known_seats[rest.index]
    down_ms = max(levels.changes[h].filled_ms for h in rest.holes - known.placement.holes)
    own = _get_touched_holes(group, rest.index) if known.due is None and group.trusted.empty_homes[rest.seat] else ()
    since = (levels.changes[h].filled_ms for h in _get_touched_holes(group, other) if h not in own)
    return min((ms + SENSOR_LAG_MS + 1 for ms in since if ms > down_ms), default=-LONG_AGO_MS)


def _has_filled_too_early(group: LaneGroup, rest: RestingPegs) -> bool:
    """Whether the seat's new hole filled before its peg had left, while another's peg was out.

    Then a sensor is late, or it is that other peg, even one that could claim nothing here: it touches the holes that
    it passes.
    """
    homes = group.known_seats[rest.index].placement.holes
    filled_ms = max((group.trusted.facts.levels.changes[h].filled_ms for h in rest.holes - homes), default=LONG_AGO_MS)
    left_ms = _first_left_ms(group, rest)
    return filled_ms < left_ms and any(
        group.left_ms(other, h) <= filled_ms for other, gone in _find_others_out(group, rest.index) for h in gone
    )


def _is_hand_counting(group: LaneGroup) -> bool:
    """Whether a peg that is out has touched and left holes of the lane: one that rests now may be but another touch."""
    return any(
        _get_touched_holes(group, index) for index, seat in enumerate(group.seats) if group.trusted.empty_homes[seat]
    )


def _find_others_out(group: LaneGroup, index: int) -> Sequence[tuple[int, tuple[int, ...]]]:
    """The other seats whose pegs are out, by their index, with the homes that these have left."""
    gone = ((other, group.trusted.empty_homes[seat]) for other, seat in enumerate(group.seats) if other != index)
    return [(other, holes) for other, holes in gone if holes]


def _get_touched_holes(group: LaneGroup, index: int) -> list[int]:
    """The holes that a seat's peg, out now, may have touched and left since it was lifted."""
    if index not in group.touched_holes:
        left_ms = min(group.left_ms(index, h) for h in group.trusted.empty_homes[group.seats[index]])
        group.touched_holes[index] = find_touched_holes(group.trusted, group.known_seats[index], left_ms)
    return group.touched_holes[index]


def _unchanged_since_ms(group: LaneGroup) -> int:
    """Since when nothing has changed in the homes and the holes where pegs rest.

    A story in which one seat's peg rests in another's home must wait for all of these.
    """
    holes = {h for story in group.assignments for places in story.seat_holes for h in places}
    return group.trusted.last_change_ms(holes.union(*(known.placement.holes for known in group.known_seats)))
