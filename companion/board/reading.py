"""The present levels explained: verdicts, troubles and strays, each with the time from which it holds. Pure.

Only times are computed here; `companion.board.pegs` lets them come true. Other seats' hands delay nothing: each
seat's verdict waits for the holes that it involves.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.board.lanes import bits_of
from companion.board.levels import NEVER
from companion.board.meanings import Known, Meaning, meaning
from companion.board.stories import LATE_MS, Scene, Story, stories
from companion.board.watch import Key, Reading, Stray, Trouble, Verdict, Watch

COUNTING_MS = 400
"""A peg that touched other holes on its way is believed this much later: it may still be counting."""
SET_UP_MS = 20_000
"""One seat may be set up this long before the other one is asked about."""


def read(watch: Watch) -> Reading:
    """What the levels say now."""
    return _set_up(watch) if watch.stands is None else _in_play(watch)


def _set_up(watch: Watch) -> Reading:
    """Before the game: only whether all pegs stand where they start."""
    start, taken = watch.ground.start, watch.taken
    if taken & start == start:
        return Reading(anew_ms=_latest(watch, bits_of(start)) + watch.settings.quiet_ms)
    ask_ms = None
    if taken.bit_count() == start.bit_count():
        ask_ms = _latest(watch, bits_of(taken | start)) + watch.settings.doubt_ms
    else:
        ready = [
            _latest(watch, one.route.start)
            for one in watch.ground.lanes
            if all(taken >> h & 1 for h in one.route.start)
        ]
        if ready:
            ask_ms = min(ready) + SET_UP_MS
    seats = tuple(range(len(watch.ground.lanes)))
    trouble = Trouble(Key("set_up", None, ()), seats, NEVER, ask_ms)
    return Reading(troubles=(trouble,))


def _in_play(watch: Watch) -> Reading:
    assert watch.stands is not None
    groups = [_Group(watch, seats, mask) for seats, mask in watch.ground.groups]
    lanes = 0
    for _, mask in watch.ground.groups:
        lanes |= mask
    strays = bits_of(watch.taken & ~lanes) + tuple(h for g in groups for h in g.strays)
    troubles = [t for g in groups for t in g.troubles()]
    misplaced = [t for h in strays if (t := _misplaced(watch, groups, h)) is not None]
    misplaced_holes = {h for t in misplaced for h in t.key.holes}
    concerned = {s for t in misplaced for s in t.seats}
    troubles = misplaced + [t for t in troubles if not concerned.intersection(t.seats)]
    verdicts = tuple(v for g in groups for v in g.verdicts())
    anew_ms = _anew(watch)
    if anew_ms is not None:
        verdicts, troubles = (), []
    elif not verdicts:
        troubles = _all_at_once(watch, troubles)
    return Reading(
        verdicts,
        tuple(troubles),
        tuple(Stray(h, watch.changed(h)) for h in strays if h not in misplaced_holes),
        tuple(s for g in groups for s in g.settled()),
        anew_ms,
    )


@dataclass(slots=True)
class _Group:
    """The seats that share a lane, read together."""

    watch: Watch
    seats: tuple[int, ...]
    mask: int
    told: tuple[Story, ...] = ()
    knowns: tuple[Known, ...] = ()

    def __post_init__(self) -> None:
        watch = self.watch
        assert watch.stands is not None
        won = any(s.front_points >= watch.ground.lanes[0].target for s in watch.stands)
        self.knowns = tuple(
            Known(watch.ground.lanes[s], watch.stands[s], watch.past[s], watch.due(s), watch.claims, won)
            for s in self.seats
        )
        told = stories(
            Scene(
                [k.lane for k in self.knowns],
                [k.stand for k in self.knowns],
                watch.levels,
                watch.taken & self.mask,
                [watch.calm_ms[s] for s in self.seats],
            )
        )
        odd = [self._odd(story) for story in told]
        self.told = tuple(story for story, many in zip(told, odd, strict=True) if many == min(odd))

    def _odd(self, story: Story) -> int:
        """How many seats' resting pegs mean nothing legal."""
        resting = [(k, p) for k, p in zip(self.knowns, story.places, strict=True) if len(p) == 2]
        return sum(not meaning(k, p).is_verdict for k, p in resting)

    @property
    def strays(self) -> tuple[int, ...]:
        """The holes that no story gives to anybody."""
        if not self.told:
            return ()
        return tuple(sorted(frozenset.intersection(*(story.strays for story in self.told))))

    def places(self, index: int) -> frozenset[frozenset[int]]:
        """Where the stories say that a seat's pegs rest."""
        return frozenset(story.places[index] for story in self.told)

    def resting(self) -> Iterable[tuple[int, Known, frozenset[int]]]:
        """The seats whose two pegs all stories find in the same holes."""
        for index, (seat, known) in enumerate(zip(self.seats, self.knowns, strict=True)):
            places = self.places(index)
            if len(places) == 1 and len(next(iter(places))) == 2:
                yield seat, known, next(iter(places))

    def verdicts(self) -> Iterable[Verdict]:
        """What can be committed, and when."""
        for seat, known, holes in self.resting():
            found = meaning(known, holes)
            if found.is_verdict and found.kind != "same":
                yield Verdict(_quiet(self.watch, known, found, holes), seat, found)

    def settled(self) -> Iterable[tuple[int, int]]:
        """The seats at home."""
        for seat, known, holes in self.resting():
            if holes == known.stand.holes:
                yield seat, _latest(self.watch, holes) + self.watch.settings.quiet_ms

    def troubles(self) -> Iterable[Trouble]:
        """What fits no one story."""
        if not self.told:
            yield self._scattered()
            return
        resting = {seat: (known, holes) for seat, known, holes in self.resting()}
        for index, (seat, known) in enumerate(zip(self.seats, self.knowns, strict=True)):
            if seat in resting:
                yield from self._odd_one(seat, *resting[seat])
            elif any(len(places) < 2 for places in self.places(index)):
                yield from self._in_hand(seat, known)
        unsure = [s for i, s in enumerate(self.seats) if len(self.places(i)) > 1]
        if unsure and all(len(places) == 2 for story in self.told for places in story.places):
            yield self._whose(tuple(unsure))

    def _odd_one(self, seat: int, known: Known, holes: frozenset[int]) -> Iterable[Trouble]:
        found, settings = meaning(known, holes), self.watch.settings
        if found.is_verdict:
            return
        rest_ms = _latest(self.watch, holes | known.stand.holes)
        notice_ms = _quiet(self.watch, known, found, holes)
        ask_ms: int | None = max(notice_ms, rest_ms + settings.doubt_ms)
        if found.kind in ("over", "under"):
            ask_ms = None  # the advice says it all, and the due stands
        elif known.won and holes - known.stand.holes <= set(known.lane.route.start):
            ask_ms = rest_ms + SET_UP_MS  # after a game the pegs go back one by one
        yield Trouble(Key(found.kind, seat, tuple(sorted(holes))), (seat,), notice_ms, ask_ms, found, ((holes,),))

    def _in_hand(self, seat: int, known: Known) -> Iterable[Trouble]:
        gone = tuple(sorted(h for h in known.stand.holes if not self.watch.taken >> h & 1))
        if not gone:
            return  # another's peg may stand in for this seat's: it is that one that is out
        since_ms = max(self._left(known, gone))
        ask_ms = since_ms + self.watch.settings.missing_ms
        if len(gone) == 2 and all(not places for places in self.places(self.seats.index(seat))):
            yield Trouble(Key("both_out", seat, gone), (seat,), since_ms + self.watch.settings.doubt_ms, ask_ms)
        else:
            yield Trouble(Key("out", seat, gone), (seat,), ask_ms, ask_ms)

    def _left(self, known: Known, gone: tuple[int, ...]) -> Iterable[int]:
        """When the pegs in hand last left a hole, their own or one that they touched."""
        first = min(self.watch.levels.of(h).emptied_ms for h in gone)
        yield from (self.watch.levels.of(h).emptied_ms for h in gone)
        yield from (self.watch.levels.of(h).emptied_ms for h in _touched(self.watch, known, first))

    def _whose(self, unsure: tuple[int, ...]) -> Trouble:
        holes = tuple(sorted({h for s in unsure for p in self.places(self.seats.index(s)) for h in p}))
        homes = [h for s in unsure for h in self.knowns[self.seats.index(s)].stand.holes]
        since_ms = _latest(self.watch, (*holes, *homes))
        settings = self.watch.settings
        return Trouble(Key("whose", None, holes), unsure, since_ms + settings.quiet_ms, since_ms + settings.doubt_ms)

    def _scattered(self) -> Trouble:
        homes = [h for known in self.knowns for h in known.stand.holes]
        since_ms = _latest(self.watch, (*homes, *bits_of(self.watch.taken & self.mask)))
        doubt_ms = since_ms + self.watch.settings.doubt_ms
        return Trouble(Key("scattered", None, tuple(sorted(homes))), self.seats, doubt_ms, doubt_ms)

    def gone(self) -> Iterable[tuple[int, int]]:
        """The seats with a peg out, and when the latest one left its home."""
        resting = {seat for seat, _, _ in self.resting()}
        for seat, known in zip(self.seats, self.knowns, strict=True):
            gone = [h for h in known.stand.holes if not self.watch.taken >> h & 1]
            if gone and seat not in resting:
                yield seat, min(self.watch.levels.of(h).emptied_ms for h in gone)


def _misplaced(watch: Watch, groups: Iterable[_Group], hole: int) -> Trouble | None:
    """A stray that may be the peg of a seat whose own lane this is not."""
    filled_ms = watch.levels.of(hole).filled_ms
    seats = tuple(s for g in groups for s, left_ms in g.gone() if left_ms <= filled_ms + LATE_MS)
    if not seats:
        return None
    homes = [h for s in seats for h in _stand_holes(watch, s)]
    since_ms = _latest(watch, (hole, *homes))
    meant = next((d for d in watch.dues if d.place == hole), None)
    key = Key("wrong_track", seats[0] if len(seats) == 1 else None, (hole,))
    if meant is not None and meant.seat not in seats:
        key, seats = Key("wrong_peg", meant.seat, (hole,)), (meant.seat, *seats)
    return Trouble(key, seats, since_ms + watch.settings.quiet_ms, since_ms + watch.settings.doubt_ms)


def _stand_holes(watch: Watch, seat: int) -> tuple[int, int]:
    assert watch.stands is not None
    return watch.stands[seat].back, watch.stands[seat].front


def _anew(watch: Watch) -> int | None:
    """In pegs-only all pegs back in the start holes begin a new game."""
    assert watch.stands is not None
    start = watch.ground.start
    begun = any(s != one.start for s, one in zip(watch.stands, watch.ground.lanes, strict=True))
    if not (watch.claims and begun and watch.taken & start == start):
        return None
    return _latest(watch, bits_of(start)) + watch.settings.quiet_ms


def _all_at_once(watch: Watch, troubles: list[Trouble]) -> list[Trouble]:
    """Every peg away from home: a cable, a node starting again or a board knocked over, and one question at most."""
    assert watch.stands is not None
    homes, taken = watch.homes, watch.taken
    if taken & homes or len(watch.stands) == 1:
        return troubles
    since_ms = _latest(watch, bits_of(homes | taken))
    settings, seats = watch.settings, tuple(range(len(watch.stands)))
    down = taken.bit_count() >= homes.bit_count()
    ask_ms = since_ms + (settings.doubt_ms if down else settings.missing_ms)
    key = Key("scattered" if taken else "empty", None, bits_of(homes))
    return [Trouble(key, seats, since_ms + settings.doubt_ms, ask_ms)]


def _quiet(watch: Watch, known: Known, found: Meaning, holes: frozenset[int]) -> int:
    """When a seat's change is certain: its holes have been quiet, and the peg is not likely to be counting."""
    homes = known.stand.holes
    quiet_ms = _latest(watch, holes | homes) + watch.settings.quiet_ms
    if found.kind == "same" or (known.due is not None and found.to == known.due.place):
        return quiet_ms
    left_ms = min((watch.levels.of(h).emptied_ms for h in homes - holes), default=NEVER)
    return quiet_ms + (COUNTING_MS if any(_touched(watch, known, left_ms, holes)) else 0)


def _touched(watch: Watch, known: Known, left_ms: int, holes: frozenset[int] = frozenset()) -> Iterable[int]:
    """The lane's holes that were filled and left again since a peg was lifted."""
    for hole, of in watch.levels.changes.items():
        if of.filled_ms + LATE_MS >= left_ms and of.filled_ms != NEVER and not watch.levels.bits >> hole & 1:
            own = known.lane.mask >> hole & 1 and hole not in known.stand.holes
            if own and hole not in holes and hole not in watch.quarantined:
                yield hole


def _latest(watch: Watch, holes: Iterable[int]) -> int:
    return max(map(watch.changed, holes))
