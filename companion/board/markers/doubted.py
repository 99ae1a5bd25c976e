"""Holes of marker pegs whose sensors are not believed, because they come and go, or show a peg too many. Pure.

As in a race (`companion.board.race.believe`) such a hole changes nothing. Where a peg belongs in it that is nowhere
else, it is taken to rest there. After a minute without a change the sensor is believed again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.board.events import Event, Quarantined, Trusted
from companion.board.race import believe
from companion.board.race.times import BOUNCE_MS, FLIPS, HOME_FLIPS, KEPT, STEADY_MS, STRAY_MS
from companion.board.shape.layout import Board
from companion.board.shape.wood import bits_of, holes_of


@dataclass(frozen=True, slots=True)
class Doubts:
    """`holes` are not believed; each with the time of its last change.

    `flips` are the times of each hole's latest changes. `strays` are holes that show a peg although every peg stands
    elsewhere, each with the time since when.
    """

    holes: Mapping[int, int] = field(default_factory=dict)
    flips: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    strays: Mapping[int, int] = field(default_factory=dict)

    @property
    def bits(self) -> int:
        """The holes that are not believed, as bits."""
        return bits_of(self.holes)


def changed(doubts: Doubts, board: Board, holes: int, now_ms: int, calm: int) -> tuple[Doubts, tuple[Event, ...]]:
    """These holes have changed. Those that came and went too often are not believed any more.

    `calm`: the holes where no hand can be at work. There, fewer changes show that the sensor fails.
    """
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
    """A hand has put pegs into these holes, or taken them out, as the game wanted: that explains their changes."""
    return replace(doubts, flips={hole: late for hole, late in doubts.flips.items() if not holes >> hole & 1})


def stray(doubts: Doubts, board: Board, extra: Iterable[int], now_ms: int) -> tuple[Doubts, tuple[Event, ...]]:
    """The holes of `extra` show a peg although every peg stands elsewhere. After a while they are not believed."""
    since = {hole: doubts.strays.get(hole, now_ms) for hole in extra}
    stuck = [hole for hole, since_ms in since.items() if since_ms + STRAY_MS <= now_ms]
    events = tuple(Quarantined(h, believe.unowned(board, h)) for h in stuck)
    left = {hole: since_ms for hole, since_ms in since.items() if hole not in stuck}
    return replace(doubts, strays=left, holes={**doubts.holes, **dict.fromkeys(stuck, now_ms)}), events


def steady(doubts: Doubts, stuck: int, now_ms: int) -> tuple[Doubts, tuple[Event, ...]]:
    """Holes that have not changed for a minute are believed again, except those of `stuck`."""
    good = [h for h, ms in doubts.holes.items() if ms + STEADY_MS <= now_ms and not stuck >> h & 1]
    if not good:
        return doubts, ()
    holes = {hole: ms for hole, ms in doubts.holes.items() if hole not in good}
    return replace(doubts, holes=holes), tuple(Trusted(hole) for hole in good)


def deadlines(doubts: Doubts, stuck: int) -> list[int]:
    """When `stray` or `steady` would conclude something."""
    waits = [ms + STEADY_MS for hole, ms in doubts.holes.items() if not stuck >> hole & 1]
    return waits + [since_ms + STRAY_MS for since_ms in doubts.strays.values()]
