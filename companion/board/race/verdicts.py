"""What can be committed, and when: what a verdict waits for. Pure.

A seat that has its lane to itself waits for its own holes alone. Where seats share a lane, a hole that another's hand
may still be at waits with it: only pegs tell whose pegs they are.
"""

from collections.abc import Iterable

from companion.board.race.groups import Group, Resting
from companion.board.race.levels import NEVER, steps
from companion.board.race.meanings import MOST, is_likely
from companion.board.race.quiet import COUNTING_MS, latest, quiet
from companion.board.race.stories import LATE_MS
from companion.board.race.watch import Verdict
from companion.board.shape.lanes import bits_of, holes_of

HANDLED = 5
"""A home that has changed more often than this of late is no counting hand's doing: it tells nothing."""


def verdicts(group: Group) -> Iterable[Verdict]:
    """What the group's resting pegs mean, and when that is certain."""
    for rest in group.resting:
        found, known = rest.meaning, group.knowns[rest.index]
        if found.is_verdict and found.kind != "same" and not _came_to_be_unseen(group, rest):
            at_ms = _alone(group, rest, quiet(group.watch, known, found, rest.holes))
            if group.swapped:
                at_ms = max(at_ms, _still_ms(group) + group.watch.settings.doubt_ms)
            if known.due is None or found.to != known.due.place:
                at_ms = max(at_ms, _passed_ms(group, rest))
            yield Verdict(at_ms, rest.seat, found)


def settled(group: Group) -> Iterable[tuple[int, int]]:
    """The seats at home, and when that is certain."""
    for rest in group.resting:
        if rest.holes == group.knowns[rest.index].stand.holes:
            yield rest.seat, latest(group.watch, rest.holes) + group.watch.settings.quiet_ms


def _came_to_be_unseen(group: Group, rest: Resting) -> bool:
    """The new hole filled while the sensors were away, and with this seat's peg there another's pegs are odd."""
    new = [group.watch.levels.of(h).filled_ms for h in rest.holes - group.knowns[rest.index].stand.holes]
    unseen = len(group.seats) > 1 and bool(new) and max(new) <= group.watch.sight_ms
    return unseen and any(group.odd(story) for story in group.told)


def _passed_ms(group: Group, rest: Resting) -> int:
    """Until when a hole just filled, and legal to nobody else, may be this peg's next: sensors may be late.

    Not one that flickered before the peg was lifted: that sensor fails.
    """
    known, levels = group.knowns[rest.index], group.watch.levels
    down_ms = max(levels.of(h).filled_ms for h in rest.holes)
    left_ms = _left_ms(group, rest)
    story = group.told[0]
    odd = (
        places - other.stand.holes
        for i, (other, places) in enumerate(zip(group.knowns, story.places, strict=True))
        if places != rest.holes and not group.is_legal(i, places)
    )
    next_holes = (h for h in story.strays.union(*odd) if is_likely(known, h) and not group.watch.flickered(h, left_ms))
    filled = (levels.of(h).filled_ms for h in next_holes)
    return max((ms + LATE_MS + 1 for ms in filled if ms > down_ms), default=NEVER)


def _left_ms(group: Group, rest: Resting) -> int:
    """When the first of the seat's pegs that rests elsewhere now left its home."""
    homes = group.knowns[rest.index].stand.holes
    return min((group.left_ms(rest.index, h) for h in homes - rest.holes), default=NEVER)


def _alone(group: Group, rest: Resting, at_ms: int) -> int:
    """When a seat's place is certain: another's hole that tells whose it is must be quiet too."""
    if len(group.seats) == 1:
        return at_ms
    watch, known = group.watch, group.knowns[rest.index]
    expected = known.due is not None and known.due.place in rest.holes
    counting = list(_counting(group, rest, expected=expected))
    if expected and not counting:
        return at_ms  # the rules have it there, and nobody else is on a way that leads there
    slow_ms = latest(watch, rest.holes | known.stand.holes) + watch.settings.quiet_ms + COUNTING_MS
    if not expected and _filled_before(group, rest):
        at_ms = max(at_ms, slow_ms)
    at_ms = max([at_ms, *(min(slow_ms, _elsewhere_ms(group, rest, other)) for other in counting)])
    taken = watch.taken & group.bits
    others = [h for h in holes_of(taken & ~bits_of(known.stand.holes)) if h not in rest.holes]
    rest_ms = watch.settings.quiet_ms + (COUNTING_MS if _counts(group) else 0)
    flaps = [h for h in others if watch.homes >> h & 1 and steps(watch.levels.of(h).flips) > HANDLED]
    restless = [h for h in others if watch.changed(h) + rest_ms > at_ms and h not in flaps]
    told, _ = group.stories_of(taken & ~bits_of(restless))
    if all(story.places[rest.index] == rest.holes for story in told):
        return at_ms
    return latest(watch, restless) + rest_ms


def _counting(group: Group, rest: Resting, *, expected: bool) -> Iterable[int]:
    """The other seats whose pegs are in hands that may count along there, to their own due or to a claim.

    An unexpected peg may also be one that comes by where it could claim nothing.
    """
    new = rest.holes - group.knowns[rest.index].stand.holes
    for other, _ in group.others_gone(rest.index):
        known = group.knowns[other]
        low, free = known.stand.front_points, MOST if known.claims or known.counts else 0
        high = low + (free if known.due is None else known.due.points)
        if not expected:
            low, high = known.stand.back_points, low + MOST
        if any(known.lane.points(hole, low + 1, high) for hole in new) and group.touches(other):
            yield other


def _elsewhere_ms(group: Group, rest: Resting, other: int) -> int:
    """From when on another seat's peg is known to be elsewhere: it has touched a hole since this one filled.

    Where nothing is due here, not a hole that this seat's own hand may have touched: then the peg here is the other's.
    """
    levels, known = group.watch.levels, group.knowns[rest.index]
    down_ms = max(levels.of(h).filled_ms for h in rest.holes - known.stand.holes)
    own = group.touches(rest.index) if known.due is None and group.watch.gone[rest.seat] else ()
    since = (levels.of(h).filled_ms for h in group.touches(other) if h not in own)
    return min((ms + LATE_MS + 1 for ms in since if ms > down_ms), default=-NEVER)


def _filled_before(group: Group, rest: Resting) -> bool:
    """The seat's new hole filled before its peg left, and another's peg was out: sensors differ, or it is that one.

    A peg that is still counting touches holes that no claim of its own would reach.
    """
    homes = group.knowns[rest.index].stand.holes
    filled_ms = max((group.watch.levels.of(h).filled_ms for h in rest.holes - homes), default=NEVER)
    left_ms = _left_ms(group, rest)
    return filled_ms < left_ms and any(
        group.left_ms(other, h) <= filled_ms for other, gone in group.others_gone(rest.index) for h in gone
    )


def _counts(group: Group) -> bool:
    """A peg has touched and left holes of the lane since one was lifted: what rests now may be another touch."""
    return any(group.touches(index) for index, seat in enumerate(group.seats) if group.watch.gone[seat])


def _still_ms(group: Group) -> int:
    """Since when nothing on the lane has changed: what one seat's peg does in another's home is slow to believe."""
    holes = {h for story in group.told for places in story.places for h in places}
    return latest(group.watch, holes.union(*(known.stand.holes for known in group.knowns)))
