"""From occupied holes to peg moves. Pure: the time comes in as whole milliseconds.

Pegging is leapfrog: a player lifts the back peg and sets it down ahead of the front one. This module knows no cards,
and of the scores only what is due. Pegs that fit no one clear story are reported as unclear, and a person is asked.
`read` says what the levels mean and when that is certain; at exactly that time it is concluded here.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from companion.boards.board import Ground, PegDue, Stand, bits_of, ground
from companion.boards.catalog import Board, Route
from companion.common.frozen import replace
from companion.common.snapshot import Advice
from companion.pegs import placement
from companion.pegs.events import Event, Resolved, Unclear
from companion.pegs.levels import Facts, Levels
from companion.pegs.pipeline import Reading, read
from companion.pegs.problems import Key, Trouble
from companion.pegs.questions import advise, question
from companion.pegs.sensor_trust import Trust, flapping, trusted
from companion.pegs.thresholds import NEVER, REPORT_MS, Settings
from companion.pegs.timing import Verdict

__all__ = [
    "PegDue", "Settings", "Stand", "Unclear", "Watch",
    "act", "adopt", "advice", "deadline", "dump", "expect", "found", "restore", "see", "start", "take_board",
    "take_over", "tick",
]  # fmt: skip

MOST_AT_ONCE = 1000
"""More conclusions at one time than this would never end: the program is at fault, and stops with an error."""


class Asked(NamedTuple):
    """An open question."""

    key: Key
    seats: tuple[int, ...]
    unclear: Unclear


@dataclass(frozen=True, eq=False)
class Watch:
    """All that is known of the pegs, what was read of it, and what was advised and asked about. Frozen.

    `noticed`: the troubles advised about. `asked`: those asked about, which are not asked about again. `open`: the
    questions still open, oldest first. `green`: the dues' own holes in which a peg has been for `GREEN_MS`.
    """

    facts: Facts
    reading: Reading
    noticed: frozenset[Key] = frozenset()
    asked: frozenset[Key] = frozenset()
    open: tuple[Asked, ...] = ()
    green: frozenset[int] = frozenset()

    @property
    def stands(self) -> tuple[Stand, ...] | None:
        """Where each seat's pegs are known to stand; None before the pegs were first set up."""
        return self.facts.stands

    @property
    def ground(self) -> Ground:
        """The board with the lanes of those who race."""
        return self.facts.ground

    @property
    def routes(self) -> tuple[Route, ...]:
        """Each seat's way."""
        return tuple(lane.route for lane in self.facts.ground.lanes)

    @property
    def homes(self) -> int:
        """Where the pegs are known to stand, as bits; the start holes before they were first set up."""
        return self.facts.homes

    @property
    def taken(self) -> int:
        """The holes believed to be taken, as bits."""
        return self.reading.believed.taken

    @property
    def quarantined(self) -> tuple[int, ...]:
        """The holes whose sensors are not believed, rising."""
        return tuple(sorted(self.facts.doubts))

    @property
    def question(self) -> Unclear | None:
        """What is asked now: the newest question still open."""
        return self.open[-1].unclear if self.open else None


Heard = tuple[Watch, tuple[Event, ...]]
"""The watch, and the events of what was concluded."""


def start(
    board: Board,
    routes: tuple[Route, ...],
    target: int,
    settings: Settings,
    *,
    claims: bool,
    counted: bool = False,
    stands: tuple[Stand, ...] | None = None,
) -> Watch:
    """A watch that has seen nothing yet.

    `claims` (pegs-only): a peg ahead is a claim. `counted`: the players count the cards themselves. `stands`: the
    placement of a game resumed; None before the pegs have been set up.
    """
    facts = Facts(
        ground=ground(board, routes, target),
        settings=settings,
        claims=claims,
        counted=claims or counted,
        stands=stands,
        past=((),) * len(routes),
        calm_ms=(NEVER,) * len(routes),
        paces=((),) * len(routes),
    )
    facts = facts.replace(levels=Levels(facts.homes if stands is not None else 0))
    return Watch(facts, read(facts))


def see(watch: Watch, bits: int, now_ms: int) -> Heard:
    """The sensors report all holes. Gives the watch, and the events of all that is certain by now.

    `bits`: the levels, a set bit where the hole is taken.
    """
    facts = watch.facts
    if facts.sight_ms > now_ms:
        watch = _read(watch, facts := facts.replace(sight_ms=now_ms))
    changed = bits ^ facts.levels.bits
    if not changed:
        due_ms = deadline(watch)
        return (watch, ()) if due_ms is None or due_ms > now_ms else tick(watch, now_ms)
    before = watch.reading.believed
    facts = facts.replace(
        levels=facts.levels.reported(bits, now_ms, before.reached),
        left=placement.left(before, changed & ~bits, now_ms),
        now_ms=max(facts.now_ms, now_ms),
    )
    facts, events = flapping(facts, before, changed)
    watch = _read(watch, facts)
    calmed = placement.calmed(watch.reading.believed)
    watch, later = tick(watch if calmed is watch.facts else _read(watch, calmed), now_ms)
    return watch, events + later


def found(watch: Watch, now_ms: int) -> Watch:
    """The sensors are back after they were lost. Anything may have moved: their next report is waited for."""
    return _read(watch, watch.facts.replace(sight_ms=now_ms + REPORT_MS))


def act(watch: Watch, now_ms: int) -> Heard:
    """A card was put to the reader or a button pressed: a peg that has rested the quiet time is believed at once."""
    return tick(_read(watch, watch.facts.replace(input_ms=now_ms)), now_ms)


def tick(watch: Watch, now_ms: int) -> Heard:
    """Time has passed: all that is certain by now is concluded, in the order of its times."""
    events: tuple[Event, ...] = ()
    if now_ms > watch.facts.now_ms:
        watch = replace(watch, facts=watch.facts.replace(now_ms=now_ms))
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
    return None if following is None else max(following.at_ms, watch.facts.now_ms)


def expect(watch: Watch, dues: tuple[PegDue, ...], now_ms: int, counting: frozenset[int] = frozenset()) -> Heard:
    """The rules say what is due, and that the seats `counting` may claim. What is pegged already is confirmed."""
    return tick(_read(watch, watch.facts.replace(dues=dues, counting=counting)), now_ms)


def adopt(watch: Watch, now_ms: int, points: tuple[int, ...]) -> Heard:
    """A person says that the pegs are right as they stand, for these scores, by seat. Questions are closed."""
    return _settled(watch, now_ms, points)


def take_board(watch: Watch, now_ms: int) -> Heard:
    """A person takes the board as it stands: where the pegs rest becomes their known place. Questions are closed."""
    return _settled(watch, now_ms, None)


def _settled(watch: Watch, now_ms: int, points: tuple[int, ...] | None) -> Heard:
    events: tuple[Event, ...] = (Resolved(),) if watch.open else ()
    facts = watch.facts.replace(now_ms=max(now_ms, watch.facts.now_ms))
    for trouble in watch.reading.troubles:
        facts = placement.settle(facts, watch.reading.believed, trouble, points)
    if points is None:
        facts = facts.replace(knocked=False)
    watch, more = tick(_read(replace(watch, open=()), facts), now_ms)
    return watch, events + more


def advice(watch: Watch, reasons: Mapping[int, str] | None = None) -> tuple[Advice, ...]:
    """What is amiss now, in players' words, with the holes to light. `reasons`: by seat, why so much is due."""
    reading = watch.reading
    found = [
        advice
        for trouble in reading.troubles
        if _is_noticed(watch, trouble)
        for advice in advise(reading.believed, trouble, reading.strays, reasons or {})
    ]
    asks = [Advice("ask", a.unclear.seat, a.unclear.why) for a in watch.open[-1:]]
    return tuple(found + asks)


def dump(watch: Watch) -> dict[str, Any]:
    """What a restart must know, ready for JSON: where the pegs are known to stand, and where they stood before.

    Also which holes' sensors are not believed, with the level that each shows.
    """
    facts = watch.facts
    stands = None if facts.stands is None else [list(asdict(s).values()) for s in facts.stands]
    past = [[list(asdict(s).values()) for s in past] for past in facts.past]
    kept = {"stands": stands, "past": past}
    return kept | {"doubted": [[h, facts.levels.bits >> h & 1] for h in facts.doubts]} if facts.doubts else kept


def restore(watch: Watch, saved: Mapping[str, Any]) -> Watch:
    """A fresh watch with what `dump` kept."""
    facts, shown = watch.facts, {int(hole): bool(level) for hole, level in saved.get("doubted", ())}
    if saved["stands"] is not None:
        past = tuple(tuple(Stand(*s) for s in past) for past in saved["past"])
        facts = facts.replace(stands=tuple(Stand(*s) for s in saved["stands"]), past=past)
    taken = bits_of(hole for hole, level in shown.items() if level)
    levels = Levels((facts.homes if facts.stands else 0) & ~bits_of(shown) | taken)
    return _read(watch, facts.replace(levels=levels, doubts=dict.fromkeys(shown, facts.now_ms)))


def take_over(fresh: Watch, old: Watch, now_ms: int) -> Watch:
    """The `fresh` watch, over other ways on the same board, with what the `old` one knows of the sensors."""
    levels = Levels(fresh.facts.levels.bits, old.facts.levels.changes)
    return _read(fresh, fresh.facts.replace(levels=levels, doubts=old.facts.doubts, now_ms=now_ms))


class _Following(NamedTuple):
    """Something that will be concluded at `at_ms`. Of the same time, the lower `order` comes first."""

    at_ms: int
    order: int
    what: Verdict | Trouble | Asked | Trust | int | None


@lru_cache(maxsize=1)  # a clock that asks for the deadline goes on to conclude it
def _next(watch: Watch) -> _Following | None:
    """What is concluded next, if nothing more is seen."""
    reading = watch.reading
    found = [_Following(v.at_ms, 1, v) for v in reading.verdicts]
    if reading.anew_ms is not None:
        found.append(_Following(reading.anew_ms, 0, None))
    found += [_Following(at_ms, 2, a) for a in watch.open if (at_ms := _resolves(watch, a)) is not None]
    found += [_Following(trust.at_ms, 3, trust) for trust in reading.trusts]
    found += [_Following(at_ms, 6, hole) for at_ms, hole in reading.greens if hole not in watch.green]
    for trouble in reading.troubles:
        if not _is_noticed(watch, trouble):
            found.append(_Following(trouble.notice_ms, 4, trouble))
        elif trouble.ask_ms is not None and not _is_asked(watch, trouble.key):
            found.append(_Following(trouble.ask_ms, 5, trouble))
    return min(found, key=_soonest, default=None)


def _soonest(following: _Following) -> tuple[int, int]:
    return following[:2]


def _is_noticed(watch: Watch, trouble: Trouble) -> bool:
    return trouble.notice_ms == NEVER or trouble.key in watch.noticed


def _is_asked(watch: Watch, key: Key) -> bool:
    return key in watch.asked or any(asked.key == key for asked in watch.open)


def _resolves(watch: Watch, asked: Asked) -> int | None:
    """When the pegs will have answered an open question; None while they do not.

    They do when both pegs of all its seats are at home, and no other hole that it is about is taken.
    """
    stands, believed = watch.facts.stands, watch.reading.believed
    if stands is None or not watch.reading.away.isdisjoint(asked.seats):
        return None
    extra = believed.taken & ~believed.homes
    if any(extra >> h & 1 for h in asked.key.holes):
        return None
    homes = [hole for seat in asked.seats for hole in stands[seat].holes]
    return believed.latest(homes) + watch.facts.settings.quiet_ms


def _come_true(watch: Watch, following: _Following) -> Heard:
    facts = watch.facts
    match following.what:
        case Verdict() as verdict:
            facts, events = placement.commit(facts, verdict)
            keys = (_without(each, verdict.seat) for each in (watch.asked, watch.noticed))
            return _read(replace(watch, **dict(zip(("asked", "noticed"), keys, strict=True))), facts), events
        case Asked() as asked:
            return _resolved(watch, asked), (Resolved(),)
        case Trouble() as trouble:
            return _trouble(watch, trouble)
        case int() as hole:
            return replace(watch, green=watch.green | {hole}), ()
        case None:
            facts, events = placement.begin(facts, following.at_ms)
            resolved = (Resolved(),) * len(watch.open)
            return _read(replace(watch, asked=frozenset(), noticed=frozenset(), open=()), facts), events + resolved
        case trust:
            facts, events = trusted(facts, trust)
            return _read(watch, facts), events


def _resolved(watch: Watch, asked: Asked) -> Watch:
    """A question is answered by the pegs."""
    still = tuple(a for a in watch.open if a is not asked)
    keys = frozenset(k for k in watch.asked if k != asked.key and k.seat not in asked.seats)
    watch = replace(watch, open=still, asked=keys)
    if asked.key.kind != "wrong_track":
        return watch
    levels = watch.facts.levels.explained(asked.key.holes)  # a hand made these changes: the sensor does not fail
    return _read(watch, watch.facts.replace(levels=levels))


def _trouble(watch: Watch, trouble: Trouble) -> Heard:
    """A trouble is noticed, and later asked about, once."""
    if not _is_noticed(watch, trouble):
        return replace(watch, noticed=watch.noticed | {trouble.key}), ()
    asked = Asked(trouble.key, trouble.seats, question(watch.reading.believed, trouble))
    others = tuple(a for a in watch.open if not set(a.seats) & set(trouble.seats))
    return replace(watch, open=(*others, asked), asked=watch.asked | {trouble.key}), (asked.unclear,)


def _without(keys: frozenset[Key], seat: int) -> frozenset[Key]:
    return frozenset(k for k in keys if k.seat is not None and k.seat != seat)


def _read(watch: Watch, facts: Facts) -> Watch:
    """The watch, with these facts read anew.

    A trouble that is gone is forgotten: the same mistake, made again, must rest again before it is told.
    """
    reading = read(facts)
    knocked = placement.knocked(reading.believed)
    if knocked != facts.knocked:
        reading = read(facts := facts.replace(knocked=knocked))
    noticed = watch.noticed and watch.noticed & {t.key for t in reading.troubles}
    green = watch.green and watch.green & {hole for _, hole in reading.greens}
    return replace(watch, facts=facts, reading=reading, noticed=noticed, green=green)
