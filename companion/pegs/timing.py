"""Fourth stage of a reading: what can be committed, and from when on it is certain. Pure.

A seat with a lane of its own waits for its own holes alone, old and new: no hand on another lane delays it. On a lane
that seats share, it also waits for the holes where another's hand may still be: only they tell whose peg is whose.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.boards.board import bits_of, holes_of, reach
from companion.common.constants import MOST
from companion.pegs.assignment import Group, Resting
from companion.pegs.interpretation import Known, Meaning, is_likely
from companion.pegs.sensor_trust import Believed
from companion.pegs.thresholds import (
    COUNTING_MS,
    FLICKER_MS,
    LATE_MS,
    NEVER,
    SLOW_TOUCH_MS,
    SLOWER_MS,
    SLOWEST_MS,
    UNSEEN_MS,
    UNSURE_MS,
)

BEYOND = 10
"""A hand that looks for its hole may touch holes up to this many beyond the furthest claim."""
HANDLED = 5
"""A home that changed more often than this of late fails: no counting hand does that. It tells nothing of pegs."""


class Verdict(NamedTuple):
    """What a seat's pegs mean, and when that is certain. Not yet committed.

    `touch_ms` is the longest time for which the hand touched another hole on its way.
    """

    at_ms: int
    seat: int
    meaning: Meaning
    touch_ms: int


def verdicts(group: Group) -> list[Verdict]:
    """What the group's resting pegs mean, and when that is certain."""
    certain = []
    for rest in group.resting:
        found, known = rest.meaning, group.knowns[rest.index]
        if not found.is_verdict or found.kind == "same" or _came_to_be_unseen(group, rest):
            continue
        at_ms, touch_ms = quiet(group, rest)
        if rest.begun_ms is None:
            at_ms = _alone(group, rest, at_ms)
            if group.swapped:
                at_ms = max(at_ms, _still_ms(group) + group.believed.facts.settings.doubt_ms)
            if known.due is None or found.to != known.due.place:
                at_ms = max(at_ms, _passed_ms(group, rest))
        if known.hasty and known.due is None and found.kind == "pegged" and found.origin == known.stand.front:
            # The claim goes on: the hole where it was told before was but touched.
            touch_ms = max(touch_ms, group.believed.facts.levels.changes[found.origin].held_ms)
        certain.append(Verdict(at_ms, rest.seat, found, touch_ms))
    return certain


def quiet(group: Group, rest: Resting) -> tuple[int, int]:
    """When a seat's resting pegs are certain, and the longest time for which its hand touched a hole on the way; in ms.

    That is when the seat's own holes have been quiet and its hand is not likely to be counting on. A hand that has
    begun its next act, put a card to the reader or pressed a button has finished this one.
    """
    believed, known, holes = group.believed, group.knowns[rest.index], rest.holes
    facts, homes, levels = believed.facts, known.stand.holes, believed.facts.levels
    new = holes - homes
    if rest.begun_ms is not None:
        return max(rest.begun_ms, believed.latest(new) + facts.settings.quiet_ms), 0
    still_ms = believed.latest(holes | homes)
    at_ms = still_ms + facts.settings.quiet_ms
    if rest.meaning.kind == "same":
        return at_ms, 0
    left_ms = min((levels.changes[h].emptied_ms for h in homes - holes), default=NEVER)
    touches = touched(believed, known, left_ms, holes)
    if known.due is not None and rest.meaning.to == known.due.place:
        return _due_ms(believed, rest.meaning.to, left_ms, touches, at_ms), 0
    down_ms = max((levels.changes[h].filled_ms for h in new), default=NEVER)
    before = [h for h in touches if levels.changes[h].emptied_ms <= down_ms + LATE_MS]
    alone = not _others_gone(group, rest.index)  # else the touches may have been another hand's
    touch_ms = max([levels.changes[h].held_ms for h in before], default=0) if alone else 0
    if any(believed.flickered(h, left_ms) for h in new):
        at_ms = still_ms + FLICKER_MS + (COUNTING_MS if before else 0)
    elif facts.input_ms >= down_ms > NEVER:
        return max(at_ms, facts.input_ms), touch_ms
    else:
        at_ms += _counting_ms(group, rest, touch_ms, counted=bool(before))
    later = [h for h in touches if levels.changes[h].filled_ms > down_ms and is_likely(known, h)]
    if len(later) > 1 and _others_out(believed, known, down_ms):
        at_ms = max(at_ms, believed.latest(later) + facts.settings.quiet_ms)
    return at_ms, touch_ms


def _due_ms(believed: Believed, place: int, left_ms: int, touches: Sequence[int], at_ms: int) -> int:
    """When a peg is certain in its due's own hole.

    If that hole's sensor is not believed: at the latest `UNSEEN_MS` after the peg was lifted or last touched another.
    """
    facts = believed.facts
    if not facts.doubted >> place & 1:
        return at_ms
    unseen_ms = max([left_ms, *map(believed.since, touches)]) + UNSEEN_MS
    return min(at_ms, unseen_ms) if facts.levels.bits >> place & 1 else unseen_ms


def _counting_ms(group: Group, rest: Resting, touch_ms: int, *, counted: bool) -> int:
    """How much longer than the quiet time a peg must rest, in ms: its hand may be counting on, at its pace of late.

    `counted`: on its way the peg touched other holes.
    """
    facts = group.believed.facts
    paces = facts.paces[rest.seat] if rest.meaning.kind == "pegged" else ()
    slow_ms = [touch_ms + SLOWER_MS] if touch_ms > SLOW_TOUCH_MS else []
    slow_ms += [2 * pace_ms + UNSURE_MS for pace_ms in paces if pace_ms > SLOW_TOUCH_MS]
    wait_ms = min(SLOWEST_MS, max(slow_ms, default=0)) - facts.settings.quiet_ms
    return max(wait_ms, COUNTING_MS if counted else 0)


def _others_out(believed: Believed, known: Known, down_ms: int) -> bool:
    """Whether a peg of another lane was out when this one came down.

    Then touches on this lane may be that hand's, by mistake: either peg may be the one that rests here.
    """
    for seat, lane in enumerate(believed.facts.ground.lanes):
        if not lane.bits & known.lane.bits and any(believed.left_ms(seat, h) <= down_ms for h in believed.gone[seat]):
            return True
    return False


def touched(believed: Believed, known: Known, left_ms: int, holes: frozenset[int] = frozenset()) -> list[int]:
    """The lane's holes that were filled and left again since a peg was lifted at `left_ms`, but for these `holes`."""
    facts = believed.facts
    own = (_near(known) if facts.ground.shared else known.lane.bits) & ~believed.homes & ~facts.levels.bits
    own &= ~facts.doubted
    return [
        hole
        for hole, of in facts.levels.changes.items()
        if own >> hole & 1 and of.filled_ms + LATE_MS >= left_ms and of.filled_ms != NEVER and hole not in holes
        if not (of.own and believed.flickered(hole, left_ms))
    ]


def _near(known: Known) -> int:
    """The holes where this seat's hand may count or put back, as bits.

    On a lane that seats share, touches elsewhere were another's.
    """
    stand = known.stand
    ahead = reach(known.lane, stand.back_points + 1, stand.front_points + MOST + BEYOND)
    return ahead | bits_of([hole for before in known.past[-2:] for hole in before.holes])


def _came_to_be_unseen(group: Group, rest: Resting) -> bool:
    """Whether the new hole filled while the sensors were away, and this seat's peg in it leaves another's pegs odd."""
    new = [group.believed.facts.levels.changes[h].filled_ms for h in rest.holes - group.knowns[rest.index].stand.holes]
    unseen = len(group.seats) > 1 and bool(new) and max(new) <= group.believed.facts.sight_ms
    return unseen and any(map(group.is_odd, group.told))


def _passed_ms(group: Group, rest: Resting) -> int:
    """The latest time at which a late sensor could still show that this peg has moved on; NEVER where none could.

    It has moved on if it is in a hole that filled after its own, and that is of no use to anybody else. A hole that
    flickered before the peg was lifted does not count: its sensor fails.
    """
    known, levels = group.knowns[rest.index], group.believed.facts.levels
    down_ms = max(levels.changes[h].filled_ms for h in rest.holes)
    left_ms = _left_ms(group, rest)
    story = group.told[0]
    odd = (
        places - other.stand.holes
        for i, (other, places) in enumerate(zip(group.knowns, story.places, strict=True))
        if places != rest.holes and not group.is_legal(i, places)
    )
    next_holes = (
        h for h in story.strays.union(*odd) if is_likely(known, h) and not group.believed.flickered(h, left_ms)
    )
    filled = (levels.changes[h].filled_ms for h in next_holes)
    return max((ms + LATE_MS + 1 for ms in filled if ms > down_ms), default=NEVER)


def _left_ms(group: Group, rest: Resting) -> int:
    """When the first of the seat's pegs that rests elsewhere now left its home."""
    homes = group.knowns[rest.index].stand.holes
    return min((group.left_ms(rest.index, h) for h in homes - rest.holes), default=NEVER)


def _alone(group: Group, rest: Resting, at_ms: int) -> int:
    """When it is certain that this peg is this seat's: on a shared lane the holes that tell so must be quiet too."""
    if len(group.seats) == 1:
        return at_ms
    believed, known = group.believed, group.knowns[rest.index]
    quiet_ms = believed.facts.settings.quiet_ms
    expected = known.due is not None and known.due.place in rest.holes
    counting = list(_counting(group, rest, expected=expected))
    if expected and not counting:
        return at_ms  # the rules have it there, and no other hand may be passing
    slow_ms = believed.latest(rest.holes | known.stand.holes) + quiet_ms + COUNTING_MS
    if not expected and _filled_before(group, rest):
        at_ms = max(at_ms, slow_ms)
    at_ms = max([at_ms, *(min(slow_ms, _elsewhere_ms(group, rest, other)) for other in counting)])
    taken = believed.taken & group.bits
    others = [h for h in holes_of(taken & ~bits_of(known.stand.holes)) if h not in rest.holes]
    rest_ms = quiet_ms + (COUNTING_MS if _counts(group) else 0)
    flaps = [h for h in others if believed.homes >> h & 1 and len(believed.facts.levels.changes[h].flips) > HANDLED]
    restless = [h for h in others if believed.since(h) + rest_ms > at_ms and h not in flaps]
    told, _ = group.stories_of(taken & ~bits_of(restless))
    if all(story.places[rest.index] == rest.holes for story in told):
        return at_ms
    return believed.latest(restless) + rest_ms


def _counting(group: Group, rest: Resting, *, expected: bool) -> Iterable[int]:
    """The other seats, by index, that have a peg in the hand and may be counting past here, to a due or a claim.

    Where the peg here is not `expected`, also seats that could claim nothing there but may be passing.
    """
    new = rest.holes - group.knowns[rest.index].stand.holes
    for other, _ in _others_gone(group, rest.index):
        known = group.knowns[other]
        low, free = known.stand.front_points, MOST if known.claims or known.counts else 0
        high = low + (free if known.due is None else known.due.points)
        if not expected:
            low, high = known.stand.back_points, low + MOST
        if any(known.lane.points(hole, low + 1, high) for hole in new) and _touches(group, other):
            yield other


def _elsewhere_ms(group: Group, rest: Resting, other: int) -> int:
    """From when on another seat's peg is known to be elsewhere: it has touched a hole since this one filled.

    Where nothing is due of this seat and it has a peg out, holes that this one may have touched do not count: the peg
    here may then be the other's. `-NEVER`, which never comes, where no hole counts.
    """
    levels, known = group.believed.facts.levels, group.knowns[rest.index]
    down_ms = max(levels.changes[h].filled_ms for h in rest.holes - known.stand.holes)
    own = _touches(group, rest.index) if known.due is None and group.believed.gone[rest.seat] else ()
    since = (levels.changes[h].filled_ms for h in _touches(group, other) if h not in own)
    return min((ms + LATE_MS + 1 for ms in since if ms > down_ms), default=-NEVER)


def _filled_before(group: Group, rest: Resting) -> bool:
    """Whether the seat's new hole filled before its peg had left, while another's peg was out.

    Then a sensor is late, or it is that other peg, even one that could claim nothing here: it touches the holes that
    it passes.
    """
    homes = group.knowns[rest.index].stand.holes
    filled_ms = max((group.believed.facts.levels.changes[h].filled_ms for h in rest.holes - homes), default=NEVER)
    left_ms = _left_ms(group, rest)
    return filled_ms < left_ms and any(
        group.left_ms(other, h) <= filled_ms for other, gone in _others_gone(group, rest.index) for h in gone
    )


def _counts(group: Group) -> bool:
    """Whether a peg that is out has touched and left holes of the lane: one that rests now may be but another touch."""
    return any(_touches(group, index) for index, seat in enumerate(group.seats) if group.believed.gone[seat])


def _others_gone(group: Group, index: int) -> Sequence[tuple[int, tuple[int, ...]]]:
    """The other seats whose pegs are out, by their index, with the homes that these have left."""
    gone = ((other, group.believed.gone[seat]) for other, seat in enumerate(group.seats) if other != index)
    return [(other, holes) for other, holes in gone if holes]


def _touches(group: Group, index: int) -> list[int]:
    """The holes that a seat's peg, out now, may have touched and left since it was lifted."""
    if index not in group.touches:
        left_ms = min(group.left_ms(index, h) for h in group.believed.gone[group.seats[index]])
        group.touches[index] = touched(group.believed, group.knowns[index], left_ms)
    return group.touches[index]


def _still_ms(group: Group) -> int:
    """Since when nothing has changed in the homes and the holes where pegs rest.

    A story in which one seat's peg rests in another's home must wait for all of these.
    """
    holes = {h for story in group.told for places in story.places for h in places}
    return group.believed.latest(holes.union(*(known.stand.holes for known in group.knowns)))
