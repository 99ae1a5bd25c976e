"""Which holes are believed. A hole that flaps, or is taken though no peg can be there, is quarantined. Pure.

A quarantined hole changes nothing: a peg at home in it rests there, and nobody else's peg is ever in it. When it
has behaved for a minute it is believed again.
"""

from dataclasses import replace
from typing import NamedTuple

from companion.board.events import Event, Quarantined, Trusted
from companion.board.lanes import bits_of
from companion.board.levels import FLIPS
from companion.board.watch import FLAPPING_MS, Watch

STRAY_MS = 3000
"""A hole taken this long that is nobody's is a sensor stuck, or a peg that plays no part."""
STEADY_MS = 60_000
"""A hole that has behaved this long is believed again."""


class Change(NamedTuple):
    """A hole will be quarantined (`why`) or, where `why` is empty, trusted."""

    at_ms: int
    hole: int
    why: str


def flapping(watch: Watch, changed: int, now_ms: int) -> tuple[Watch, tuple[Event, ...]]:
    """Quarantine the holes that have just changed once too often."""
    events: list[Event] = []
    for hole in bits_of(changed):
        of = watch.levels.of(hole)
        flaps = len(of.flips) == FLIPS and now_ms - of.flips[0] <= FLAPPING_MS
        # A hand may touch a hole often; one change that no hand explains, and it is the sensor.
        if flaps and of.own and of.own[-1] == now_ms and hole not in watch.quarantined:
            watch = replace(watch, quarantined=watch.quarantined | {hole})
            events.append(Quarantined(hole, f"The sensor of {watch.board.holes[hole].id} comes and goes."))
    return watch, tuple(events)


def changes(watch: Watch) -> list[Change]:
    """The holes that will lose or win trust, and when."""
    found = [
        Change(s.since_ms + STRAY_MS, s.hole, f"{watch.board.holes[s.hole].id} is taken, and by nobody's peg.")
        for s in watch.reading.strays
    ]
    for hole in watch.quarantined:
        stuck = watch.levels.bits >> hole & 1 and not watch.homes >> hole & 1
        if not stuck:
            found.append(Change(watch.levels.changed(hole) + STEADY_MS, hole, ""))
    return found


def changed(watch: Watch, change: Change) -> tuple[Watch, tuple[Event, ...]]:
    """A hole's trust changes."""
    if change.why:
        event: Event = Quarantined(change.hole, change.why)
        return replace(watch, quarantined=watch.quarantined | {change.hole}), (event,)
    return replace(watch, quarantined=watch.quarantined - {change.hole}), (Trusted(change.hole),)
