"""Holes of marker pegs that are not believed: one that comes and goes, or is taken though every peg stands. Pure.

As on a race (`companion.board.race.believe`): such a hole changes nothing, a peg that is nowhere else
is taken to rest in it where one belongs, and when it has behaved for a minute it is believed again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.board.events import Event, Quarantined, Trusted
from companion.board.race import believe
from companion.board.race.times import BOUNCE_MS, FLIPS, HOME_FLIPS, KEPT, STEADY_MS, STRAY_MS
from companion.board.shape.lanes import bits_of, holes_of
from companion.board.shape.layout import Board


@dataclass(frozen=True, slots=True)
class Doubts:
    """`holes` are those not believed, each with the time since when it has been steady.

    `flips` are the latest changes of each hole; `strays` the holes taken by a peg more than there are, since when.
    """

    holes: Mapping[int, int] = field(default_factory=dict)
    flips: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    strays: Mapping[int, int] = field(default_factory=dict)

    @property
    def bits(self) -> int:
        """The holes that are not believed, as bits."""
        return bits_of(self.holes)


def changed(doubts: Doubts, board: Board, holes: int, now_ms: int, calm: int) -> tuple[Doubts, tuple[Event, ...]]:
    """These holes have changed. In those of `calm` no hand can be at work: eight changes, and it is the sensor."""
    flips, doubted, events = dict(doubts.flips), dict(doubts.holes), list[Event]()
    for hole in holes_of(holes):
        before = flips.get(hole, ())
        if not before or now_ms - before[-1] > BOUNCE_MS:
            flips[hole] = (*before[1 - KEPT :], now_ms)
        if hole in doubted:
            doubted[hole] = now_ms
        elif believe.flaps(flips[hole], now_ms, FLIPS if calm >> hole & 1 else HOME_FLIPS):
            doubted[hole] = now_ms
            events.append(Quarantined(hole, believe.restless(board, hole)))
    return replace(doubts, holes=doubted, flips=flips), tuple(events)


def explained(doubts: Doubts, holes: int) -> Doubts:
    """In these holes a peg has been put, or taken from them, as the game wanted it: a hand explains their changes."""
    return replace(doubts, flips={hole: late for hole, late in doubts.flips.items() if not holes >> hole & 1})


def stray(doubts: Doubts, board: Board, extra: Iterable[int], now_ms: int) -> tuple[Doubts, tuple[Event, ...]]:
    """The holes of `extra` are taken although every peg stands elsewhere: for long, and no peg is in them."""
    since = {hole: doubts.strays.get(hole, now_ms) for hole in extra}
    stuck = [hole for hole, since_ms in since.items() if since_ms + STRAY_MS <= now_ms]
    events = tuple(Quarantined(h, believe.unowned(board, h)) for h in stuck)
    left = {hole: since_ms for hole, since_ms in since.items() if hole not in stuck}
    return replace(doubts, strays=left, holes={**doubts.holes, **dict.fromkeys(stuck, now_ms)}), events


def steady(doubts: Doubts, stuck: int, now_ms: int) -> tuple[Doubts, tuple[Event, ...]]:
    """Holes that have behaved for a minute are believed again, but those of `stuck`."""
    good = [h for h, ms in doubts.holes.items() if ms + STEADY_MS <= now_ms and not stuck >> h & 1]
    if not good:
        return doubts, ()
    holes = {hole: ms for hole, ms in doubts.holes.items() if hole not in good}
    return replace(doubts, holes=holes), tuple(Trusted(hole) for hole in good)


def deadlines(doubts: Doubts, stuck: int) -> list[int]:
    """When `stray` or `steady` would conclude something."""
    waits = [ms + STEADY_MS for hole, ms in doubts.holes.items() if not stuck >> hole & 1]
    return waits + [since_ms + STRAY_MS for since_ms in doubts.strays.values()]
