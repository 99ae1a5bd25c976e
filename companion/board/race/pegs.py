"""From occupied holes to peg moves. Pure: the time comes in as whole milliseconds.

Pegging is leapfrog: a player lifts the back peg and sets it down ahead of the front one. Knows nothing of cards
or scores but what is due; anything that is not one clear story is reported as unclear, and a person is asked.
`read` says what the levels mean and from when on; here that comes true, at exactly that time.
"""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple

from companion.board.events import Event, Resolved, Unclear
from companion.board.race import placing, trust
from companion.board.race.guidance import advise, question
from companion.board.race.levels import NEVER, Levels
from companion.board.race.placing import Heard
from companion.board.race.reading import read
from companion.board.race.watch import Asked, Settings, Trouble, Verdict, Watch
from companion.board.shape.lanes import PegDue, Stand, bits_of, ground
from companion.board.shape.layout import Board, Route
from companion.snapshot import Advice

__all__ = [
    "PegDue", "Settings", "Stand", "Unclear", "Watch",
    "adopt", "advice", "deadline", "dump", "earlier", "expect", "found", "restore", "see", "start", "tick",
]  # fmt: skip

REPORT_MS = 1000
"""All levels are reported at least this often."""
MOST_AT_ONCE = 1000
"""More conclusions than this have no end: a fault of ours, and better told than gone on with."""


def start(
    board: Board,
    routes: tuple[Route, ...],
    target: int,
    settings: Settings,
    *,
    claims: bool,
    stands: tuple[Stand, ...] | None = None,
) -> Watch:
    """A watch that has seen nothing yet.

    `claims` (pegs-only): a peg ahead is a claim. `stands`: the placement of a game resumed; None before the pegs
    have been set up.
    """
    found = ground(board, routes, target)
    watch = Watch(
        ground=found,
        settings=settings,
        claims=claims,
        stands=stands,
        past=((),) * len(routes),
        calm_ms=(NEVER,) * len(routes),
    )
    return _read(watch.but(levels=Levels(watch.homes if stands is not None else 0)))


def see(watch: Watch, bits: int, now_ms: int) -> Heard:
    """The sensors report all holes. What has fallen due by now is concluded from what they show."""
    if watch.sight_ms > now_ms:
        watch = _read(watch.but(sight_ms=now_ms))
    if bits == watch.levels.bits:
        due_ms = deadline(watch)
        return (watch, ()) if due_ms is None or due_ms > now_ms else tick(watch, now_ms)
    changed = bits ^ watch.levels.bits
    levels = watch.levels.reported(bits, now_ms, watch.reached)
    left = placing.left(watch, changed & ~bits, now_ms)
    taken, handled = watch.taken, watch.handled
    watch = watch.but(levels=levels, left=left, now_ms=max(watch.now_ms, now_ms))
    believed = ~bits_of(watch.quarantined) | watch.taken & ~watch.homes
    if not changed & believed and watch.taken == taken:
        return tick(watch, now_ms)  # what is not believed changes no reading
    watch, events = trust.flapping(watch, changed, handled, now_ms)
    watch, later = tick(placing.calmed(_read(watch), now_ms), now_ms)
    return watch, events + later


def found(watch: Watch, now_ms: int) -> Watch:
    """The sensors are back after they were lost. Anything may have moved: their next report is a new beginning."""
    return _read(watch.but(sight_ms=now_ms + REPORT_MS))


def tick(watch: Watch, now_ms: int) -> Heard:
    """Time has passed: all that falls due by now comes true, in order."""
    events: tuple[Event, ...] = ()
    if now_ms > watch.now_ms:
        watch = watch.but(now_ms=now_ms)
    for _ in range(MOST_AT_ONCE):
        following = _next(watch)
        if following is None or following.at_ms > now_ms:
            return watch, events
        watch, more = _come_true(watch, following)
        events += more
    raise RuntimeError("The pegs are read on and on.")


def deadline(watch: Watch) -> int | None:
    """The next time at which `tick` would conclude something; never before what was last seen."""
    following = _next(watch)
    return None if following is None else max(following.at_ms, watch.now_ms)


def expect(watch: Watch, dues: tuple[PegDue, ...], now_ms: int, counting: frozenset[int] = frozenset()) -> Heard:
    """The rules have spoken: this is due, and who is `counting` may claim. What is pegged already is confirmed."""
    return tick(_read(watch.but(dues=dues, counting=counting)), now_ms)


def adopt(watch: Watch, now_ms: int, points: tuple[int, ...]) -> Heard:
    """A person has settled it: the pegs as they stand are the placement, for these scores; questions are closed."""
    events: tuple[Event, ...] = (Resolved(),) if watch.open else ()
    if watch.stands is not None:
        for trouble in watch.reading.troubles:
            watch = placing.settle(watch, trouble, points, now_ms)
    watch, more = tick(_read(watch.but(open=())), now_ms)
    return watch, events + more


def advice(watch: Watch) -> tuple[Advice, ...]:
    """What is amiss now, in players' words, with the holes to light."""
    found = [a for t in watch.reading.troubles if _is_noticed(watch, t) for a in advise(watch, t)]
    asks = [Advice("ask", a.unclear.seat, a.unclear.why) for a in watch.open[-1:]]
    return tuple(found + asks)


def earlier(watch: Watch, seat: int, points: int) -> Stand | None:
    """The latest earlier placement of a seat with this score, or None."""
    return next((s for s in reversed(watch.past[seat]) if s.front_points == points), None)


def dump(watch: Watch) -> dict[str, Any]:
    """What a restart must know, ready for JSON: where the pegs are known to stand and stood before."""
    stands = None if watch.stands is None else [list(asdict(s).values()) for s in watch.stands]
    return {"stands": stands, "past": [[list(asdict(s).values()) for s in past] for past in watch.past]}


def restore(watch: Watch, saved: Mapping[str, Any]) -> Watch:
    """A fresh watch with what `dump` kept."""
    if saved["stands"] is None:
        return watch
    past = tuple(tuple(Stand(*s) for s in past) for past in saved["past"])
    watch = watch.but(stands=tuple(Stand(*s) for s in saved["stands"]), past=past)
    return _read(watch.but(levels=Levels(watch.homes)))


class _Following(NamedTuple):
    """Something that will come true. Of the same time, the lower `order` first."""

    at_ms: int
    order: int
    what: Verdict | Trouble | Asked | trust.Change | None


@lru_cache(maxsize=1)  # a clock that asks for the deadline goes on to conclude it
def _next(watch: Watch) -> _Following | None:
    """What comes true next, if nothing more is seen."""
    reading, open_keys = watch.reading, {a.key for a in watch.open}
    found = [_Following(v.at_ms, 1, v) for v in reading.verdicts]
    if reading.anew_ms is not None:
        found.append(_Following(reading.anew_ms, 0, None))
    found += [_Following(at_ms, 2, a) for a in watch.open if (at_ms := _resolves(watch, a)) is not None]
    found += [_Following(c.at_ms, 3, c) for c in trust.changes(watch)]
    for trouble in reading.troubles:
        if not _is_noticed(watch, trouble):
            found.append(_Following(trouble.notice_ms, 4, trouble))
        elif trouble.ask_ms is not None and trouble.key not in watch.asked | open_keys:
            found.append(_Following(trouble.ask_ms, 5, trouble))
    return min(found, key=lambda f: (f.at_ms, f.order), default=None)


def _is_noticed(watch: Watch, trouble: Trouble) -> bool:
    return trouble.notice_ms == NEVER or trouble.key in watch.noticed


def _resolves(watch: Watch, asked: Asked) -> int | None:
    """When an open question is settled by the pegs: all its seats are at home and its holes as they should be."""
    settled = dict(watch.reading.settled)
    if not all(seat in settled for seat in asked.seats):
        return None
    extra = watch.taken & ~watch.homes
    if any(extra >> h & 1 for h in asked.key.holes):
        return None
    return max(settled[seat] for seat in asked.seats)


def _come_true(watch: Watch, following: _Following) -> Heard:
    match following.what:
        case Verdict() as verdict:
            return _reread(placing.commit(watch, verdict, following.at_ms))
        case Asked() as asked:
            still = tuple(a for a in watch.open if a is not asked)
            keys = frozenset(k for k in watch.asked if k != asked.key and k.seat not in asked.seats)
            tracked = asked.key.holes if asked.key.kind == "wrong_track" else ()  # a hand's doing: no failing sensor
            return watch.but(open=still, asked=keys, levels=watch.levels.explained(tracked)), (Resolved(),)
        case Trouble() as trouble:
            return _trouble(watch, trouble)
        case None:
            return _reread(placing.begin(watch, following.at_ms))
        case change:
            watch, events = trust.changed(watch, change)
            return _read(watch), events


def _trouble(watch: Watch, trouble: Trouble) -> Heard:
    """A trouble is noticed, and later asked about, once."""
    if not _is_noticed(watch, trouble):
        return watch.but(noticed=watch.noticed | {trouble.key}), ()
    asked = Asked(trouble.key, trouble.seats, question(watch, trouble))
    others = tuple(a for a in watch.open if not set(a.seats) & set(trouble.seats))
    return watch.but(open=(*others, asked), asked=watch.asked | {trouble.key}), (asked.unclear,)


def _read(watch: Watch) -> Watch:
    """Read anew. What was noticed and is gone is forgotten: the same mistake again waits for its quiet again."""
    watch = placing.knocked(watch)
    reading = read(watch)
    return watch.but(reading=reading, noticed=watch.noticed & {t.key for t in reading.troubles})


def _reread(heard: Heard) -> Heard:
    return _read(heard[0]), heard[1]
