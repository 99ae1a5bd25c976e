"""What fits no one story of a lane, from when on it is advised about, and from when on a person is asked. Pure."""

from collections.abc import Iterable

from companion.board.race.groups import Group, Resting
from companion.board.race.meanings import Known
from companion.board.race.quiet import latest, quiet, touched
from companion.board.race.watch import Key, Trouble
from companion.board.shape.lanes import holes_of


def troubles(group: Group) -> Iterable[Trouble]:
    """What is amiss with the group's pegs."""
    if not group.told:
        yield _scattered(group)
        return
    resting = {rest.seat: rest for rest in group.resting}
    for index, seat in enumerate(group.seats):
        if seat in resting:
            yield from _odd_one(group, resting[seat])
        elif any(len(places) < 2 for places in group.places(index)):
            yield from _in_hand(group, index, seat)
    unsure = [index for index in range(len(group.seats)) if len(group.places(index)) > 1]
    if unsure and all(len(places) == 2 for story in group.told for places in story.places):
        yield _whose(group, unsure)


def _odd_one(group: Group, rest: Resting) -> Iterable[Trouble]:
    found, known, watch = rest.meaning, group.knowns[rest.index], group.watch
    if found.is_verdict:
        return
    rest_ms = latest(watch, rest.holes | known.stand.holes)
    notice_ms = quiet(watch, known, found, rest.holes)
    ask_ms: int | None = max(notice_ms, rest_ms + watch.settings.doubt_ms)
    if found.kind in ("over", "under"):
        ask_ms = None  # the advice says it all, and the due stands
    key = Key(found.kind, rest.seat, tuple(sorted(rest.holes)))
    yield Trouble(key, (rest.seat,), notice_ms, ask_ms, found, ((rest.holes,),))


def _in_hand(group: Group, index: int, seat: int) -> Iterable[Trouble]:
    gone = group.watch.gone[seat]
    if not gone:
        return  # another's peg may stand in for this seat's: it is that one that is out
    settings = group.watch.settings
    since_ms = max(group.watch.sight_ms, *_left(group, group.knowns[index], gone))
    ask_ms = since_ms + settings.missing_ms
    if len(gone) == 2 and not any(group.places(index)):
        yield Trouble(Key("both_out", seat, gone), (seat,), since_ms + settings.doubt_ms, ask_ms)
    else:
        yield Trouble(Key("out", seat, gone), (seat,), ask_ms, ask_ms)


def _left(group: Group, known: Known, gone: tuple[int, ...]) -> Iterable[int]:
    """When the pegs in hand last left a hole, their own or one that they touched."""
    levels = group.watch.levels
    first = min(levels.of(h).emptied_ms for h in gone)
    yield from (levels.of(h).emptied_ms for h in gone)
    yield from (levels.of(h).emptied_ms for h in touched(group.watch, known, first))


def _whose(group: Group, unsure: list[int]) -> Trouble:
    seats = tuple(group.seats[index] for index in unsure)
    holes = tuple(sorted({h for index in unsure for places in group.places(index) for h in places}))
    homes = [h for index in unsure for h in group.knowns[index].stand.holes]
    since_ms, settings = latest(group.watch, (*holes, *homes)), group.watch.settings
    places = tuple(tuple(story.places[index] for index in unsure) for story in group.told)
    key, notice_ms, ask_ms = Key("whose", None, holes), since_ms + settings.quiet_ms, since_ms + settings.doubt_ms
    return Trouble(key, seats, notice_ms, ask_ms, places=places)


def _scattered(group: Group) -> Trouble:
    homes = [h for known in group.knowns for h in known.stand.holes]
    since_ms = latest(group.watch, (*homes, *holes_of(group.watch.taken & group.bits)))
    doubt_ms = since_ms + group.watch.settings.doubt_ms
    return Trouble(Key("scattered", None, tuple(sorted(homes))), group.seats, doubt_ms, doubt_ms)
