"""How long a change must rest before it is believed. Pure.

Only the holes that a seat's change involves count, so other hands delay nothing.
"""

from collections.abc import Iterable

from companion.board.race.levels import NEVER
from companion.board.race.meanings import MOST, Known, Meaning, is_likely
from companion.board.race.stories import LATE_MS
from companion.board.race.watch import Watch
from companion.board.shape.lanes import bits_of, reach

FLICKER_MS = 1500
"""A hole that changed of its own before the peg was lifted is believed to hold it only after this long."""
UNSEEN_MS = 3000
"""So long after it was lifted, or last touched another hole, a peg rests where it is due, if that sensor never does."""
COUNTING_MS = 400
"""A peg that touched other holes on its way is believed this much later: it may still be counting."""

BEYOND = 10
"""So many holes too far a hand may come that looks for its hole."""


def quiet(watch: Watch, known: Known, found: Meaning, holes: frozenset[int]) -> int:
    """When a seat's change is certain: its holes have been quiet, and the peg is not likely to be counting."""
    homes = known.stand.holes
    still_ms = latest(watch, holes | homes)
    left_ms = min((watch.levels.of(h).emptied_ms for h in homes - holes), default=NEVER)
    if found.kind == "same" or (known.due is not None and found.to == known.due.place):
        quiet_ms = still_ms + watch.settings.quiet_ms
        if found.to not in watch.quarantined:
            return quiet_ms
        unseen_ms = max([left_ms, *map(watch.changed, touched(watch, known, left_ms, holes))]) + UNSEEN_MS
        return min(quiet_ms, unseen_ms) if watch.levels.bits >> found.to & 1 else unseen_ms
    rest_ms = watch.settings.quiet_ms
    if any(watch.flickered(h, left_ms) for h in holes - homes):
        rest_ms = FLICKER_MS
    down_ms = max((watch.levels.of(h).filled_ms for h in holes - homes), default=NEVER)
    holes_touched = tuple(touched(watch, known, left_ms, holes))
    before = any(watch.levels.of(h).emptied_ms <= down_ms + LATE_MS for h in holes_touched)
    later = [h for h in holes_touched if watch.levels.of(h).filled_ms > down_ms and is_likely(known, h)]
    counts = len(later) > 1 and _others_out(watch, known, down_ms)
    after_ms = latest(watch, later) + rest_ms if counts else NEVER
    return max(still_ms + rest_ms + (COUNTING_MS if before else 0), after_ms)


def _others_out(watch: Watch, known: Known, down_ms: int) -> bool:
    """A peg of another lane's seat was out when this one came down.

    If a peg still touches hole after hole where this seat might be counting, either may be the one that rests here.
    """
    for seat, lane in enumerate(watch.ground.lanes):
        if not lane.bits & known.lane.bits and any(watch.left_ms(seat, h) <= down_ms for h in watch.gone[seat]):
            return True
    return False


def touched(watch: Watch, known: Known, left_ms: int, holes: frozenset[int] = frozenset()) -> Iterable[int]:
    """The lane's holes that were filled and left again since a peg was lifted."""
    own = (_near(known) if watch.ground.shared else known.lane.bits) & ~watch.homes & ~watch.levels.bits
    for hole, of in watch.levels.changes.items():
        if own >> hole & 1 and of.filled_ms + LATE_MS >= left_ms and of.filled_ms != NEVER and hole not in holes:
            believed = hole not in watch.quarantined and not (of.own and watch.flickered(hole, left_ms))
            if believed:
                yield hole


def _near(known: Known) -> int:
    """Where a hand counts or puts back; on a lane that seats share, the touches elsewhere were another's."""
    stand = known.stand
    ahead = reach(known.lane, stand.back_points + 1, stand.front_points + MOST + BEYOND)
    return ahead | bits_of(hole for before in known.past[-2:] for hole in before.holes)


def latest(watch: Watch, holes: Iterable[int]) -> int:
    """When the latest of these holes changed, or the holes were first seen again."""
    return max(watch.sight_ms, max(map(watch.changed, holes), default=NEVER))
