"""The reading of a race's pegs, stage by stage: believe, explain, classify, time, and what is left to ask about. Pure.

Only times are computed here; when such a time has come, `companion.pegs.reader` draws the conclusion. Each seat's
verdict waits only for the holes that it involves.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from companion.boards.board import holes_of
from companion.common.frozen import replace
from companion.pegs.assignment import HANDS, Group, Resting, at_most, explain
from companion.pegs.levels import Facts
from companion.pegs.problems import ANOMALIES, Key, Kind, Trouble, Wait
from companion.pegs.sensor_trust import Believed, Trust, trusts
from companion.pegs.thresholds import AT_ONCE_MS, GREEN_MS, LATE_MS, NEVER, SET_UP_MS, Settings
from companion.pegs.timing import Verdict, quiet, touched, verdicts


@dataclass(frozen=True, slots=True)
class Reading:
    """The present levels explained, each conclusion with the time from which it holds.

    `away`: the seats whose pegs are not both at home. `strays`: the taken holes that are nobody's. `trusts`: the holes
    that will be believed no more, or again. `greens`: when a peg will have been in its due's own hole for `GREEN_MS`,
    and the hole. `anew_ms`: when all pegs will have rested in the start holes for the quiet time; None where they do
    not, or where that begins no game.
    """

    believed: Believed
    verdicts: Sequence[Verdict] = ()
    troubles: Sequence[Trouble] = ()
    strays: Sequence[int] = ()
    away: Set[int] = frozenset()
    trusts: Sequence[Trust] = ()
    greens: Sequence[tuple[int, int]] = ()
    anew_ms: int | None = None


def read(facts: Facts) -> Reading:
    """What the levels say now."""
    believed = Believed(facts)
    if facts.stands is None:
        return _set_up(believed)
    groups = explain(believed)
    if not groups and believed.taken == believed.homes:
        return Reading(believed, trusts=trusts(believed, ()))
    found = [verdict for group in groups for verdict in verdicts(group)]
    return _ask(believed, groups, found)


def _set_up(believed: Believed) -> Reading:
    """Before the game: only whether all pegs stand where they start."""
    facts, start, taken = believed.facts, believed.facts.ground.start, believed.taken
    trust = trusts(believed, ())
    if taken & start == start:
        anew_ms = believed.latest(holes_of(start)) + facts.settings.quiet_ms
        return Reading(believed, trusts=trust, anew_ms=anew_ms)
    ask_ms = None
    if taken.bit_count() == start.bit_count():
        ask_ms = believed.latest(holes_of(taken | start)) + facts.settings.doubt_ms
    elif ready := [believed.latest(one.route.start) for one in facts.ground.lanes if taken & one.begin == one.begin]:
        ask_ms = min(ready) + SET_UP_MS
    seats = tuple(range(len(facts.ground.lanes)))
    trouble = Trouble(Key("set_up", None, ()), seats, NEVER, ask_ms)
    return Reading(believed, troubles=(trouble,), trusts=trust)


def _ask(believed: Believed, groups: Sequence[Group], found: Sequence[Verdict]) -> Reading:
    """The last stage: what the verdicts leave to be asked about, on each lane and on the whole board."""
    facts = believed.facts
    strays = _strays(believed, groups)
    amiss = _troubles(believed, groups, strays)
    held = {h for t in amiss if t.key.kind in ("wrong_track", "wrong_peg") for h in t.key.holes}
    gathered = believed.taken & ~believed.homes & facts.ground.start
    anew_ms = _anew(believed)
    if anew_ms is not None:
        found, amiss = (), []
    elif facts.won and gathered and believed.homes & ~believed.taken:  # the pegs go home one by one, in any order
        due = {d.seat for d in facts.dues}  # a new game has begun: the lights guide their pegs home
        found, amiss = tuple(v for v in found if v.seat in due), [_of_all(believed, "homewards")]
    elif facts.knocked and not _fit(groups):
        found, amiss = () if facts.ground.shared else found, [_scattered(believed)]
    elif not found:
        amiss = _all_away(believed, amiss)
    if facts.won or (facts.claims and gathered.bit_count() > 1):  # pegs go back to the start: their sensors do not fail
        held.update(holes_of(gathered))
    nobodys = [(h, believed.latest((h,))) for h in strays if h not in held]
    away = {seat for group in groups for seat in group.away}
    trust = trusts(believed, nobodys)
    return Reading(believed, found, amiss, [h for h, _ in nobodys], away, trust, _greens(believed, found), anew_ms)


def _greens(believed: Believed, found: Iterable[Verdict]) -> list[tuple[int, int]]:
    """When the pegs in their dues' own holes turn green: before they are believed, as nothing follows from green."""
    places = {due.place for due in believed.facts.dues if due.points > 0}
    return [(believed.since(v.meaning.to) + GREEN_MS, v.meaning.to) for v in found if v.meaning.to in places]


def _strays(believed: Believed, groups: Sequence[Group]) -> tuple[int, ...]:
    """The taken holes that no story gives to anybody, and those on no lane."""
    beyond = believed.taken & ~believed.facts.ground.holes
    found = [*(holes_of(beyond) if beyond else ()), *(h for g in groups for h in g.strays)]
    return tuple([h for h in found if not believed.homes >> h & 1])  # a person's word may have made any hole a home


def _troubles(believed: Believed, groups: Sequence[Group], strays: Sequence[int]) -> list[Trouble]:
    """What is amiss on each lane. A stray that may be a seat's missing peg is told instead of the peg being out."""
    single = at_most(HANDS, believed, strays) if strays else ()
    misplaced = [t for h in single if (t := _misplaced(believed, groups, h)) is not None]
    concerned = {s for t in misplaced for s in t.seats}
    return misplaced + [t for g in groups for t in _of_group(g) if not concerned.intersection(t.seats)]


def _trouble(
    believed: Believed, kind: Kind, seats: tuple[int, ...], since_ms: int, holes: Iterable[int], *, alone: bool = False
) -> Trouble:
    """A trouble of this kind, which waits from `since_ms` on, when its holes last changed.

    With `alone` it is the first seat's; else it is nobody's alone.
    """
    row, settings = ANOMALIES[kind], believed.facts.settings
    notice_ms, ask_ms = (_wait_ms(wait, settings) for wait in (row.notice, row.ask))
    key = Key(kind, seats[0] if alone else None, tuple(sorted(holes)))
    return Trouble(key, seats, since_ms + (notice_ms or 0), None if ask_ms is None else since_ms + ask_ms)


def _wait_ms(wait: Wait, settings: Settings) -> int | None:
    """How long this wait is, in ms; None if it never ends."""
    return {
        "at once": 0, "quiet": settings.quiet_ms, "doubt": settings.doubt_ms, "missing": settings.missing_ms,
        "set up": SET_UP_MS, "never": None,
    }[wait]  # fmt: skip


def _misplaced(believed: Believed, groups: Iterable[Group], hole: int) -> Trouble | None:
    """The trouble of a stray that may be the missing peg of some seat; None where no peg was out for it."""
    facts = believed.facts
    filled_ms = facts.levels.changes[hole].filled_ms
    seats = tuple(s for g in groups for s, left_ms in g.out() if left_ms <= filled_ms + LATE_MS)
    if not seats or facts.stands is None:
        return None
    since_ms = believed.latest((hole, *(h for s in seats for h in facts.stands[s].holes)))
    meant = next((d for d in facts.dues if d.place == hole), None)
    if meant is not None and meant.seat not in seats:
        return _trouble(believed, "wrong_peg", (meant.seat, *seats), since_ms, (hole,), alone=True)
    return _trouble(believed, "wrong_track", seats, since_ms, (hole,), alone=len(seats) == 1)


def _of_group(group: Group) -> Iterable[Trouble]:
    """What is amiss with the pegs of one lane."""
    believed = group.believed
    if not group.told:
        homes = [h for known in group.knowns for h in known.stand.holes]
        since_ms = believed.latest((*homes, *holes_of(believed.taken & group.bits)))
        yield _trouble(believed, "scattered", group.seats, since_ms, homes)
        return
    resting = {rest.seat: rest for rest in group.resting}
    for index, seat in enumerate(group.seats):
        if seat in resting:
            yield from _misread(group, resting[seat])
        elif believed.gone[seat] and any(len(places) < 2 for places in group.places(index)):
            yield _in_hand(group, index, seat)
    unsure = [index for index, seat in enumerate(group.seats) if seat not in resting and len(group.places(index)) > 1]
    if unsure and all(len(places) == 2 for story in group.told for places in story.places):
        yield _whose(group, unsure)


def _misread(group: Group, rest: Resting) -> Iterable[Trouble]:
    found, believed = rest.meaning, group.believed
    if found.misread is None:
        return
    since_ms = believed.latest(rest.holes | group.knowns[rest.index].stand.holes)
    certain_ms, _ = quiet(group, rest)
    trouble = _trouble(believed, found.misread, (rest.seat,), since_ms, rest.holes, alone=True)
    notice_ms = max(certain_ms, trouble.notice_ms)
    ask_ms = None if trouble.ask_ms is None else max(notice_ms, trouble.ask_ms)
    yield replace(trouble, notice_ms=notice_ms, ask_ms=ask_ms, meaning=found, places=((rest.holes,),))


def _in_hand(group: Group, index: int, seat: int) -> Trouble:
    """The trouble of pegs that are in somebody's hand, since they last left a hole: their home, or one they touched."""
    believed, levels = group.believed, group.believed.facts.levels
    gone = believed.gone[seat]
    left = [levels.changes[h].emptied_ms for h in gone]
    left += [levels.changes[h].emptied_ms for h in touched(believed, group.knowns[index], min(left))]
    kind: Kind = "both_out" if len(gone) == 2 and not any(group.places(index)) else "out"
    return _trouble(believed, kind, (seat,), max(believed.facts.sight_ms, *left), gone, alone=True)


def _whose(group: Group, unsure: list[int]) -> Trouble:
    holes = {h for index in unsure for places in group.places(index) for h in places}
    since_ms = group.believed.latest(holes.union(*(group.knowns[index].stand.holes for index in unsure)))
    places = tuple(tuple(story.places[index] for index in unsure) for story in group.told)
    seats = tuple(group.seats[index] for index in unsure)
    return replace(_trouble(group.believed, "whose", seats, since_ms, holes), places=places)


def _of_all(believed: Believed, kind: Kind, holes: Iterable[int] = ()) -> Trouble:
    """A trouble of the whole board."""
    since_ms = believed.latest(holes_of(believed.homes | believed.taken))
    return _trouble(believed, kind, tuple(range(len(believed.facts.ground.lanes))), since_ms, holes)


def _anew(believed: Believed) -> int | None:
    """When all pegs, back in the start holes, begin a new game of pegs-only; None where they do not."""
    facts, start = believed.facts, believed.facts.ground.start
    if not facts.claims or facts.stands is None or (facts.levels.bits | facts.doubted) & start != start:
        return None
    begun = any(s != one.start for s, one in zip(facts.stands, facts.ground.lanes, strict=True))
    if not begun or believed.taken & believed.homes & ~start:
        return None
    return believed.latest(holes_of(start)) + facts.settings.quiet_ms


def _fit(groups: Sequence[Group]) -> bool:
    """Whether all pegs rest, and each seat's two make a verdict."""
    resting = [rest for group in groups for rest in group.resting]
    whole = len(resting) == sum(len(group.seats) for group in groups) and not any(group.swapped for group in groups)
    return whole and all(rest.meaning.is_verdict for rest in resting)


def _all_away(believed: Believed, amiss: list[Trouble]) -> list[Trouble]:
    """What is amiss, as one question where no peg is at home and not one for each seat.

    All pegs went at once; or they went to the start one by one, as when a game is given up.
    """
    if believed.taken & believed.homes:
        return _row(believed, amiss)
    given_up = believed.taken & believed.facts.ground.start & ~believed.homes
    alike = len(believed.facts.ground.lanes) > 1 and (given_up or at_once(believed, holes_of(believed.homes)))
    return [_scattered(believed)] if alike else amiss


def at_once(believed: Believed, holes: Iterable[int]) -> bool:
    """Whether these holes lost their pegs at once: within `AT_ONCE_MS`."""
    emptied = [believed.facts.levels.changes[hole].emptied_ms for hole in holes]
    return max(emptied) - min(emptied) <= AT_ONCE_MS


def _scattered(believed: Believed) -> Trouble:
    """The one question that is asked after a cable was out, a node restarted or the board fell."""
    found = _of_all(believed, "scattered" if believed.taken else "empty", holes_of(believed.homes))
    if believed.taken.bit_count() >= believed.homes.bit_count():
        return found
    settings = believed.facts.settings  # the missing pegs are in somebody's hand
    return replace(found, ask_ms=found.notice_ms - settings.doubt_ms + settings.missing_ms)


def _row(believed: Believed, amiss: list[Trouble]) -> list[Trouble]:
    """What is amiss, where pegs of several seats went at one instant, and no peg came since.

    No hand lifts pegs so, but a row of sensors fails so: that is one question.
    """
    facts = believed.facts
    seats = tuple(seat for seat, holes in enumerate(believed.gone) if holes)
    if len(seats) < 2 or believed.taken & ~believed.homes:
        return amiss
    holes = [h for each in believed.gone for h in each]
    instants = {facts.levels.changes[h].emptied_ms for h in holes}
    if len(instants) > 1:
        return amiss
    row = _trouble(believed, "row", seats, max(facts.sight_ms, *instants), holes)
    return [t for t in amiss if not set(t.seats) & set(seats)] + [row]
