"""Where the pegs are known to stand, and how that changes: by a verdict, a new game or a person's word. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.board.events import Event, Pegged, Resolved, Started, Trusted, Undone
from companion.board.race.meanings import Known, standing
from companion.board.race.watch import Key, Trouble, Verdict, Watch
from companion.board.shape.lanes import Stand, bits_of, holes_of

PAST = 500
"""So many earlier placements of a side are kept: more than any game has."""

AT_ONCE_MS = 1000
"""Within this a board that is knocked over, or whose cable goes, loses its pegs; hands that lift them take longer."""

Heard = tuple[Watch, tuple[Event, ...]]


def commit(watch: Watch, verdict: Verdict, now_ms: int) -> Heard:
    """A seat's verdict becomes the known placement."""
    assert watch.stands is not None
    found, seat = verdict.meaning, verdict.seat
    assert found.stand is not None
    known, past = watch.stands[seat], watch.past[seat]
    if found.kind == "pegged":
        past = (*past[-PAST:], known)
    elif found.kind == "undone":
        past = _before(past, found.stand)
    watch = watch.but(
        stands=_with(watch.stands, seat, found.stand),
        past=_with(watch.past, seat, past),
        calm_ms=_with(watch.calm_ms, seat, now_ms),
        left={key: ms for key, ms in watch.left.items() if key[0] != seat},
        asked=_without(watch.asked, seat),
        noticed=_without(watch.noticed, seat),
        dues=tuple(due for due in watch.dues if due.seat != seat),
        levels=watch.levels.explained(known.holes | found.stand.holes),
    )
    if found.kind == "moved":
        return watch, ()
    event = Pegged if found.kind == "pegged" else Undone
    return watch, (event(seat, found.points, found.origin, found.to),)


def begin(watch: Watch, now_ms: int) -> Heard:
    """All pegs rest in the start holes: a game begins."""
    lanes = watch.ground.lanes
    events: list[Event] = []
    if watch.stands is not None:
        events += _corrected(watch)
    events.append(Started(tuple(range(len(lanes)))))
    events += [Resolved()] * len(watch.open)
    full = watch.quarantined & frozenset(holes_of(watch.ground.start & watch.levels.bits))
    events += map(Trusted, sorted(full))  # what was nobody's peg there is one that came home early
    watch = watch.but(
        stands=tuple(one.start for one in lanes),
        past=((),) * len(lanes),
        calm_ms=(now_ms,) * len(lanes),
        left={},
        asked=frozenset(),
        noticed=frozenset(),
        open=(),
        quarantined=watch.quarantined - full,
        levels=watch.levels.explained(watch.levels.changes),
    )
    return watch, tuple(events)


def _corrected(watch: Watch) -> list[Event]:
    """One seat's pegs alone were away, and it has been at the start: that is an undo, and a new game all the same."""
    assert watch.stands is not None
    away = [s for s, one in enumerate(watch.ground.lanes) if watch.stands[s] != one.start]
    if watch.won or len(away) != 1 or watch.ground.lanes[away[0]].start not in watch.past[away[0]]:
        return []
    stand, begin = watch.stands[away[0]], watch.ground.lanes[away[0]].start
    origin, to = stand.holes - begin.holes, begin.holes - stand.holes
    if len(to) > 1:
        origin, to = frozenset((stand.front,)), frozenset((begin.front,))
    return [Undone(away[0], stand.front_points, *origin, *to)]


def settle(watch: Watch, trouble: Trouble, points: tuple[int, ...], now_ms: int) -> Watch:
    """A trouble settled by a person's word: of the likely stories the one that fits the scores best.

    Where several seats are concerned, those that it does not fit are read again. A peg in the hand is taken to be
    where it was. Nothing is settled that would give a peg of one seat to another.
    """
    told = [_standing(watch, trouble, places, points) for places in trouble.places or (_lying(watch, trouble),)]
    best = min(told, key=lambda stands: sum(abs(s.front_points - points[seat]) for seat, s in stands.items()))
    assert watch.stands is not None
    before = watch
    for seat, stand in best.items():
        if stand != watch.stands[seat] and (len(trouble.seats) == 1 or stand.front_points == points[seat]):
            past = _before(watch.past[seat], stand)
            if stand.front_points > watch.stands[seat].front_points:
                past = (*watch.past[seat][-PAST:], watch.stands[seat])
            stands = _with(watch.stands, seat, stand)
            calm_ms = _with(watch.calm_ms, seat, now_ms)
            dues = tuple(due for due in watch.dues if due.seat != seat)  # it was due of where the pegs stood before
            watch = watch.but(stands=stands, past=_with(watch.past, seat, past), calm_ms=calm_ms, dues=dues)
            assert watch.stands is not None
    return before if _shared(watch) > _shared(before) else watch


def _shared(watch: Watch) -> int:
    """How many holes are said to hold another peg already."""
    homes = [hole for one in watch.stands or () for hole in one.holes]
    return len(homes) - len(frozenset(homes))


def _standing(
    watch: Watch, trouble: Trouble, places: tuple[frozenset[int], ...], points: tuple[int, ...]
) -> dict[int, Stand]:
    """The placements that resting pegs make for these scores."""
    assert watch.stands is not None
    found = {}
    for seat, holes in zip(trouble.seats, places, strict=True):
        known = Known(watch.ground.lanes[seat], watch.stands[seat], watch.past[seat], None, watch.claims)
        found[seat] = standing(known, holes, points[seat]) if len(holes) == 2 else known.stand
    return found


def _lying(watch: Watch, trouble: Trouble) -> tuple[frozenset[int], ...]:
    """Where the pegs of the seats concerned lie, those on a wrong track too; what is home stays its seat's."""
    assert watch.stands is not None
    kept = [frozenset(h for h in watch.stands[s].holes if watch.taken >> h & 1) for s in trouble.seats]
    held = frozenset(h for h in trouble.key.holes if watch.taken >> h & 1)
    others = frozenset(h for s, one in enumerate(watch.stands) if s != trouble.seats[0] for h in one.holes)
    return (kept[0] | held - others, *kept[1:])


def left(watch: Watch, emptied: int, now_ms: int) -> Mapping[tuple[int, int], int]:
    """When pegs first left their homes since they were last known for sure."""
    emptied &= watch.homes & ~bits_of(watch.quarantined)
    if watch.stands is None or not emptied:
        return watch.left
    new = {(s, h): now_ms for s, one in enumerate(watch.stands) for h in one.holes if emptied >> h & 1}
    fresh = {s for s, _ in new if _has_settled(watch, s, now_ms)}
    return {**new, **{key: ms for key, ms in watch.left.items() if key[0] not in fresh}}


def _has_settled(watch: Watch, seat: int, now_ms: int) -> bool:
    """A seat that has a lane of its own had both its pegs at home, and quiet, until now."""
    assert watch.stands is not None
    alone = all(len(seats) == 1 for seats, _ in watch.ground.groups if seat in seats)
    calm_ms = now_ms - watch.settings.quiet_ms
    homes = watch.stands[seat].holes
    return alone and all(watch.levels.bits >> h & 1 and watch.changed(h) <= calm_ms for h in homes)


def calmed(watch: Watch, now_ms: int) -> Watch:
    """Where all the pegs of a lane are home and no others, they are known for sure."""
    if watch.stands is None or not watch.left:
        return watch
    calm, homes, gone = list(watch.calm_ms), watch.homes, watch.left
    for seats, bits in watch.ground.groups:
        if watch.taken & bits == homes & bits and (homes & bits).bit_count() == 2 * len(seats):
            for seat in seats:
                calm[seat] = now_ms
            gone = {key: ms for key, ms in gone.items() if key[0] not in seats}
    if gone is watch.left:
        return watch
    return watch.but(calm_ms=tuple(calm), left=gone)


def knocked(watch: Watch) -> Watch:
    """Two seats have lost both their pegs at once: no hands do that. It is over when all pegs are home again."""
    if watch.stands is None:
        return watch
    if watch.knocked:
        return watch.but(knocked=False) if watch.taken & watch.homes == watch.homes else watch
    lost = [h for gone in watch.gone if len(gone) == 2 for h in gone]
    return watch.but(knocked=True) if len(lost) >= 4 and at_once(watch, lost) else watch


def at_once(watch: Watch, holes: Iterable[int]) -> bool:
    """These holes lost their pegs at once."""
    emptied = [watch.levels.of(hole).emptied_ms for hole in holes]
    return max(emptied) - min(emptied) <= AT_ONCE_MS


def _before(past: tuple[Stand, ...], stand: Stand) -> tuple[Stand, ...]:
    """The placements before this one: those before its own place in the past, or with a lower score."""
    for index in range(len(past) - 1, -1, -1):
        if past[index].holes == stand.holes:
            return past[:index]
    return tuple(s for s in past if s.front_points < stand.front_points)


def _with(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _without(keys: frozenset[Key], seat: int) -> frozenset[Key]:
    return frozenset(k for k in keys if k.seat is not None and k.seat != seat)
