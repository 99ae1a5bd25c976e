"""Which holes are believed. A hole that flaps, or is taken though no peg can be there, is quarantined. Pure.

A quarantined hole changes nothing: a peg at home in it rests there, and nobody else's peg is ever in it. When it
has behaved for a minute it is believed again.
"""

from collections.abc import Iterable
from typing import NamedTuple

from companion.board.events import Event, Quarantined, Trusted
from companion.board.race.levels import steps
from companion.board.race.reading import read
from companion.board.race.watch import FLAPPING_MS, Watch
from companion.board.shape.lanes import bits_of, holes_of
from companion.board.shape.layout import Board

FLIPS = 8
"""A hole that changes this often within FLAPPING_MS comes and goes, where no hand explains it."""

HOME_FLIPS = 12
"""A peg in its hole may be taken out and put back, or knocked; this often it is the sensor."""
TAPS = 20
"""A hand that looks for its hole may touch it, but not so often."""
RATTLES = 24
"""A hand that lifts a peg may rattle it, but not so often."""
STRAY_MS = 3000
"""A hole taken this long that is nobody's is a sensor stuck, or a peg that plays no part."""
STEADY_MS = 60_000
"""A hole that has behaved this long is believed again."""


class Change(NamedTuple):
    """A hole will be quarantined (`why`) or, where `why` is empty, trusted."""

    at_ms: int
    hole: int
    why: str


def flapping(watch: Watch, changed: int, handled: int, now_ms: int) -> tuple[Watch, tuple[Event, ...]]:
    """Quarantine the holes that have just changed once too often; in those of `handled` a hand may be at work."""
    events: list[Event] = []
    for hole in holes_of(changed & ~bits_of(watch.quarantined)):
        hand = HOME_FLIPS if watch.homes >> hole & 1 else TAPS
        calm = hand == TAPS and not handled >> hole & 1
        if flaps(watch.levels.of(hole).flips, now_ms, calm=calm, hand=hand):
            watch = watch.but(quarantined=watch.quarantined | {hole})
            events.append(Quarantined(hole, restless(watch.board, hole)))
    return watch, tuple(events)


def flaps(flips: Iterable[int], now_ms: int, *, calm: bool, hand: int = HOME_FLIPS) -> bool:
    """Whether a hole that changed at these times did so too often for a hand; where it is `calm`, none is there."""
    late = [ms for ms in flips if now_ms - ms <= FLAPPING_MS]
    return len(late) >= FLIPS if calm else steps(late) >= hand or len(late) >= RATTLES


def restless(board: Board, hole: int) -> str:
    """Why a hole that flaps is quarantined."""
    return f"The sensor of {board.holes[hole].id} comes and goes."


def unowned(board: Board, hole: int) -> str:
    """Why a hole that stays taken is quarantined."""
    return f"{board.holes[hole].id} is taken, and by nobody's peg."


def changes(watch: Watch) -> list[Change]:
    """The holes that will lose or win trust, and when."""
    strays = [s for s in watch.reading.strays if s.hole not in watch.quarantined]
    found = [Change(s.since_ms + STRAY_MS, s.hole, unowned(watch.board, s.hole)) for s in strays]
    for hole in watch.quarantined:
        if not _is_stuck(watch, hole):
            found.append(Change(watch.levels.changed(hole) + STEADY_MS, hole, ""))
    return found


def _is_stuck(watch: Watch, hole: int) -> bool:
    """Taken, and nobody's peg even if it is believed."""
    if watch.homes >> hole & 1 or not watch.levels.bits >> hole & 1:
        return False
    if watch.stands is None or not any(watch.gone):
        return True
    return any(s.hole == hole for s in read(watch.but(quarantined=watch.quarantined - {hole})).strays)


def changed(watch: Watch, change: Change) -> tuple[Watch, tuple[Event, ...]]:
    """A hole's trust changes."""
    if change.why:
        event: Event = Quarantined(change.hole, change.why)
        return watch.but(quarantined=watch.quarantined | {change.hole}), (event,)
    return watch.but(quarantined=watch.quarantined - {change.hole}), (Trusted(change.hole),)
