"""The present levels explained: verdicts, troubles and strays, each with the time from which it holds. Pure.

Only times are computed here; `companion.board.race.pegs` lets them come true. Other seats' hands delay nothing: each
seat's verdict waits for the holes that it involves.
"""

from collections.abc import Iterable, Sequence

from companion.board.race.groups import Group
from companion.board.race.levels import NEVER
from companion.board.race.placing import at_once
from companion.board.race.quiet import latest
from companion.board.race.stories import HANDS, LATE_MS, at_most
from companion.board.race.troubles import troubles
from companion.board.race.verdicts import settled, verdicts
from companion.board.race.watch import SET_UP_MS, Key, Reading, Stray, Trouble, Watch
from companion.board.shape.lanes import bits_of, holes_of


def read(watch: Watch) -> Reading:
    """What the levels say now."""
    return _set_up(watch) if watch.stands is None else _in_play(watch)


def _set_up(watch: Watch) -> Reading:
    """Before the game: only whether all pegs stand where they start."""
    start, taken = watch.ground.start, watch.taken
    if taken & start == start:
        return Reading(anew_ms=latest(watch, holes_of(start)) + watch.settings.quiet_ms)
    ask_ms = None
    if taken.bit_count() == start.bit_count():
        ask_ms = latest(watch, holes_of(taken | start)) + watch.settings.doubt_ms
    else:
        ready = [
            latest(watch, one.route.start) for one in watch.ground.lanes if all(taken >> h & 1 for h in one.route.start)
        ]
        if ready:
            ask_ms = min(ready) + SET_UP_MS
    seats = tuple(range(len(watch.ground.lanes)))
    trouble = Trouble(Key("set_up", None, ()), seats, NEVER, ask_ms)
    return Reading(troubles=(trouble,))


def _in_play(watch: Watch) -> Reading:
    groups = [Group(watch, seats, bits) for seats, bits in watch.ground.groups]
    strays = _strays(watch, groups)
    amiss = _troubles(watch, groups, strays)
    found = tuple(v for g in groups for v in verdicts(g))
    held = {h for t in amiss if t.key.kind in ("wrong_track", "wrong_peg") for h in t.key.holes}
    gathered = watch.taken & ~watch.homes & watch.ground.start
    anew_ms = _anew(watch)
    if anew_ms is not None:
        found, amiss = (), []
    elif watch.won and gathered and watch.homes & ~watch.taken:  # the pegs go home one by one, in any order
        due = {d.seat for d in watch.dues}  # a new game has begun: those are guided home, peg by peg
        found, amiss = tuple(v for v in found if v.seat in due), [_half_home(watch)]
    elif watch.knocked and not _fit(groups):
        found, amiss = () if watch.ground.shared else found, [_scattered(watch)]
    elif not found:
        amiss = _all_away(watch, amiss)
    if watch.won or (watch.claims and gathered.bit_count() > 1):  # pegs that go back to the start: no failing sensors
        held.update(holes_of(gathered))
    return Reading(
        found,
        tuple(amiss),
        tuple(Stray(h, latest(watch, (h,))) for h in strays if h not in held),
        tuple(s for g in groups for s in settled(g)),
        anew_ms,
    )


def _strays(watch: Watch, groups: Sequence[Group]) -> tuple[int, ...]:
    """The taken holes that no story gives to anybody, and those on no lane."""
    found = holes_of(watch.taken & ~watch.ground.holes) + tuple(h for g in groups for h in g.strays)
    return tuple(h for h in found if not watch.homes >> h & 1)  # a person's word may have put a home on any lane


def _troubles(watch: Watch, groups: Sequence[Group], strays: Sequence[int]) -> list[Trouble]:
    """What is amiss on each lane; a stray that may be a seat's peg says more than that this peg is out."""
    single = at_most(HANDS, watch.levels, strays, watch.quarantined)
    misplaced = [t for h in single if (t := _misplaced(watch, groups, h)) is not None]
    concerned = {s for t in misplaced for s in t.seats}
    return misplaced + [t for g in groups for t in troubles(g) if not concerned.intersection(t.seats)]


def _misplaced(watch: Watch, groups: Iterable[Group], hole: int) -> Trouble | None:
    """A stray that may be the peg of a seat whose own lane this is not."""
    filled_ms = watch.levels.of(hole).filled_ms
    seats = tuple(s for g in groups for s, left_ms in g.gone() if left_ms <= filled_ms + LATE_MS)
    if not seats:
        return None
    assert watch.stands is not None
    homes = [h for s in seats for h in watch.stands[s].holes]
    since_ms = latest(watch, (hole, *homes))
    meant = next((d for d in watch.dues if d.place == hole), None)
    key = Key("wrong_track", seats[0] if len(seats) == 1 else None, (hole,))
    if meant is not None and meant.seat not in seats:
        key, seats = Key("wrong_peg", meant.seat, (hole,)), (meant.seat, *seats)
    return Trouble(key, seats, since_ms + watch.settings.quiet_ms, since_ms + watch.settings.doubt_ms)


def _half_home(watch: Watch) -> Trouble:
    ask_ms = latest(watch, holes_of(watch.homes | watch.taken)) + SET_UP_MS
    seats = tuple(range(len(watch.ground.lanes)))
    return Trouble(Key("homewards", None, ()), seats, ask_ms, ask_ms)


def _anew(watch: Watch) -> int | None:
    """In pegs-only all pegs back in the start holes begin a new game."""
    assert watch.stands is not None
    start = watch.ground.start
    begun = any(s != one.start for s, one in zip(watch.stands, watch.ground.lanes, strict=True))
    left = not watch.taken & watch.homes & ~start
    gathered = (watch.levels.bits | bits_of(watch.quarantined)) & start == start
    if not (watch.claims and begun and left and gathered):
        return None
    return latest(watch, holes_of(start)) + watch.settings.quiet_ms


def _fit(groups: Sequence[Group]) -> bool:
    """All pegs rest, each in a hole that a story of its own explains."""
    resting = [rest for group in groups for rest in group.resting]
    whole = len(resting) == sum(len(group.seats) for group in groups) and not any(group.swapped for group in groups)
    return whole and all(rest.meaning.is_verdict for rest in resting)


def _all_away(watch: Watch, amiss: list[Trouble]) -> list[Trouble]:
    """No peg at home: they went at once, or one by one to the start, and a game is given up; both are one question."""
    if watch.taken & watch.homes:
        return _row(watch, amiss)
    given_up = watch.taken & watch.ground.start & ~watch.homes
    alike = len(watch.ground.lanes) > 1 and (given_up or at_once(watch, holes_of(watch.homes)))
    return [_scattered(watch)] if alike else amiss


def _scattered(watch: Watch) -> Trouble:
    """A cable, a node starting again, or a board knocked over: one question at most."""
    homes, taken, settings = watch.homes, watch.taken, watch.settings
    since_ms = latest(watch, holes_of(homes | taken))
    down = taken.bit_count() >= homes.bit_count()
    ask_ms = since_ms + (settings.doubt_ms if down else settings.missing_ms)
    key, seats = Key("scattered" if taken else "empty", None, holes_of(homes)), tuple(range(len(watch.ground.lanes)))
    return Trouble(key, seats, since_ms + settings.doubt_ms, ask_ms)


def _row(watch: Watch, amiss: list[Trouble]) -> list[Trouble]:
    """Pegs of several seats gone at one instant, and none since: no hand lifts so, but a row of sensors fails so."""
    seats = tuple(seat for seat, holes in enumerate(watch.gone) if holes)
    holes = tuple(sorted(h for each in watch.gone for h in each))
    instants = {watch.levels.of(h).emptied_ms for h in holes}
    if len(seats) < 2 or len(instants) > 1 or watch.taken & ~watch.homes:
        return amiss
    ask_ms = max(watch.sight_ms, *instants) + watch.settings.missing_ms
    return [t for t in amiss if not set(t.seats) & set(seats)] + [
        Trouble(Key("row", None, holes), seats, ask_ms, ask_ms)
    ]
