"""Marker pegs: where they stand, compared with where they belong. Pure; the time comes in as whole milliseconds.

A hole is believed when it has been quiet. Pegs of one kind are all alike: any of them may stand in any hole of the
kind. Knows no rules; the game says where each kind belongs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from companion.boards.board import bits_of, holes_of, union
from companion.boards.catalog import Board
from companion.pegs import sensor_trust
from companion.pegs.events import Event
from companion.pegs.sensor_trust import Doubts


class Kind(NamedTuple):
    """Pegs of one kind: one belongs in each of `holes`, and `spare` more anywhere in the `box`.

    `area` are all the holes where such pegs ever stand. Holes are bits.
    """

    name: str
    area: int
    holes: int
    box: int = 0
    spare: int = 0


Wanted = tuple[Kind, ...]
"""Where every peg of the board ought to be."""


class Shift(NamedTuple):
    """A peg to move, from the hole `lift` to the hole `place`. None stands for a hand, or for beside the board.

    `wrong`: a hand has misplaced the peg. False where the game has moved on and the peg has yet to follow.
    """

    kind: str
    lift: int | None
    place: int | None
    wrong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """All that is known of the markers, a frozen value; sets of holes are bits.

    - `wanted`: where the pegs belong. `bits`: the levels last reported, the first of them at `heard_ms`.
    - `taken`: the holes believed to hold a peg, None before they are known, and since when each has (`filled`).
      `whole`: the same, when last no peg was in a hand.
    - `unsure`: the holes that show another level than is believed, with the time since when.
    - `stood`: the holes whose pegs were right once and have not moved since. `bared`: the holes that a hand has emptied
      although their pegs were right.
    - `told`: the pairs of holes, from and to, advised last; each is advised again while both its holes still need it.
    - `started`: all pegs have once been right. `doubts`: the holes that are not believed.
    """

    board: Board
    quiet_ms: int
    wanted: Wanted
    taken: int | None = None
    bits: int = 0
    unsure: Mapping[int, int] = field(default_factory=dict)
    heard_ms: int | None = None
    stood: int = 0
    bared: int = 0
    whole: int | None = None
    told: frozenset[tuple[int | None, int | None]] = frozenset()
    started: bool = False
    filled: Mapping[int, int] = field(default_factory=dict)
    doubts: Doubts = field(default_factory=Doubts)

    @property
    def stuck(self) -> int:
        """The holes not believed that show a peg where none belongs."""
        return self.doubts.bits & self.bits & ~_belongs(self.wanted)


class Seen(NamedTuple):
    """The markers after a report or some time. `right`: the holes where a peg is right since then, as bits.

    `started`: all pegs are right for the first time. `events`: which holes are not believed any more, or again.
    """

    markers: Markers
    right: int = 0
    started: bool = False
    events: tuple[Event, ...] = ()


class Kept(NamedTuple):
    """What outlives the program: `Markers.whole`, whether the game has started, and which holes are not believed."""

    whole: int | None = None
    started: bool = False
    quarantined: tuple[int, ...] = ()


def start(board: Board, quiet_ms: int, wanted: Wanted, kept: Kept | None = None) -> Markers:
    """Markers before the first report. Nobody knows which pegs were right before: none is said to be put wrongly."""
    kept = kept or Kept()
    known = Markers(board=board, quiet_ms=quiet_ms, wanted=wanted, taken=kept.whole, stood=kept.whole or 0)
    doubts = Doubts(dict.fromkeys(kept.quarantined, 0))
    return replace(known, whole=kept.whole, started=kept.started, doubts=doubts)


def see(markers: Markers, bits: int, now_ms: int) -> Seen:
    """The sensors report all holes."""
    believed, changed = markers.taken or 0, markers.bits ^ bits
    events: tuple[Event, ...] = ()
    if markers.heard_ms is None:  # since when a hole has been steady nobody knows before now
        doubts = replace(markers.doubts, holes=dict.fromkeys(markers.doubts.holes, now_ms))
    else:
        doubts, events = sensor_trust.changed(markers.doubts, markers.board, changed, now_ms, _calm(markers, bits))
    markers = replace(markers, doubts=doubts)
    differs = (bits ^ believed) & ~markers.doubts.bits
    unsure = {hole: now_ms if changed >> hole & 1 else markers.unsure.get(hole, now_ms) for hole in holes_of(differs)}
    heard_ms = now_ms if markers.heard_ms is None else markers.heard_ms
    markers = replace(markers, bits=bits, unsure=unsure, heard_ms=heard_ms)
    seen = tick(_retold(_resting(markers)) if events else markers, now_ms)
    return seen._replace(events=events + seen.events)


def tick(markers: Markers, now_ms: int) -> Seen:
    """Time has passed: holes that have been quiet are believed."""
    due_ms = deadline(markers)
    if due_ms is None or due_ms > now_ms:
        return Seen(markers)
    doubts, trusted = sensor_trust.steady(markers.doubts, markers.stuck, now_ms)
    unsure = {**markers.unsure, **_unlike(markers, doubts, now_ms)}
    markers = replace(markers, unsure=unsure)
    quiet = {hole for hole, since_ms in markers.unsure.items() if since_ms + markers.quiet_ms <= now_ms}
    flipped = bits_of(quiet)
    taken = (markers.taken or 0) ^ flipped
    unsure = {hole: since_ms for hole, since_ms in markers.unsure.items() if hole not in quiet}
    belongs, stood = _belongs(markers.wanted), markers.stood
    if markers.started:
        stood |= belongs & (markers.taken or 0)
    bared = (markers.bared | (stood & _short(markers.wanted, taken))) & ~taken
    filled = {h: ms for h, ms in markers.filled.items() if taken >> h & 1} | {
        hole: markers.unsure[hole] for hole in quiet if taken >> hole & 1
    }
    led = taken & belongs & ~markers.bared | stood & ~taken & ~_short(markers.wanted, taken)
    markers = replace(markers, doubts=sensor_trust.explained(doubts, flipped & led))
    after = _resting(replace(markers, taken=taken, unsure=unsure, stood=stood & taken, bared=bared, filled=filled))
    doubts, strays = sensor_trust.stray(after.doubts, after.board, _extra(after), now_ms)
    after = _resting(replace(after, doubts=doubts))
    taken = after.taken or 0
    if taken.bit_count() >= pegs(markers.wanted):
        after = replace(after, whole=taken)
    began = not markers.started and not shifts(after)
    right = taken & flipped & belongs if markers.taken is not None else 0
    return Seen(_retold(replace(after, started=markers.started or began)), right, began, trusted + strays)


def _calm(markers: Markers, bits: int) -> int:
    """The holes where no hand can be at work, because all pegs stand elsewhere and none has just been lifted."""
    taken = (markers.taken or 0) & (bits | markers.doubts.bits)
    more = taken.bit_count() - pegs(markers.wanted)
    return 0 if more < 0 else ~taken if more == 0 else ~(taken & _belongs(markers.wanted))


def _unlike(markers: Markers, doubts: Doubts, now_ms: int) -> dict[int, int]:
    """The holes that are believed again and show another level than was taken to be theirs."""
    again = markers.doubts.bits & ~doubts.bits
    return dict.fromkeys(holes_of((markers.bits ^ (markers.taken or 0)) & again), now_ms)


def _resting(markers: Markers) -> Markers:
    """The markers, where a hole that is not believed holds a peg if one belongs there that is nowhere else."""
    bits = markers.doubts.bits
    if markers.taken is None or not bits:
        return markers
    sure = markers.taken & ~bits
    homes = [hole for kind in markers.wanted for hole in holes_of(kind.holes & bits)]
    for kind in markers.wanted:
        few = kind.spare - (sure & kind.box).bit_count()
        homes += list(holes_of(kind.box & bits))[: max(0, few)]
    missing = max(0, pegs(markers.wanted) - sure.bit_count())
    unsure = {hole: ms for hole, ms in markers.unsure.items() if not bits >> hole & 1}
    return replace(markers, taken=sure | bits_of(homes[:missing]), unsure=unsure)


def _extra(markers: Markers) -> list[int]:
    """The holes that show more pegs than there are: of those where none belongs, the ones that filled last."""
    taken = markers.taken or 0
    more = taken.bit_count() - pegs(markers.wanted)
    if more <= 0:
        return []
    wrong = taken
    for kind in markers.wanted:
        crowded = (taken & kind.box).bit_count() > kind.spare
        wrong &= ~(kind.holes | (0 if crowded else kind.box))
    return sorted(holes_of(wrong), key=lambda hole: markers.filled.get(hole, 0))[-more:]


def found(markers: Markers, now_ms: int) -> Markers:
    """The sensors are back: holes that were not quiet when these were lost must be quiet anew."""
    return replace(
        markers, unsure=dict.fromkeys(markers.unsure, now_ms), doubts=replace(markers.doubts, flips={}, strays={})
    )


def deadline(markers: Markers) -> int | None:
    """When `tick` would next believe something."""
    if markers.heard_ms is None:
        return None
    times = [since_ms + markers.quiet_ms for since_ms in markers.unsure.values()]
    if markers.taken is None:
        times.append(markers.heard_ms + markers.quiet_ms)
    return min(times + sensor_trust.deadlines(markers.doubts, markers.stuck), default=None)


def expect(markers: Markers, wanted: Wanted) -> Markers:
    """The game has moved on: pegs that were right are to be moved now, and are not wrong."""
    if wanted == markers.wanted:
        return markers
    stood = (markers.stood | _belongs(markers.wanted)) & (markers.taken or 0)
    return _retold(_resting(replace(markers, wanted=wanted, stood=stood, bared=0)))


def _retold(markers: Markers) -> Markers:
    return replace(markers, told=frozenset((shift.lift, shift.place) for shift in shifts(markers)))


def pegs(wanted: Wanted) -> int:
    """How many pegs there are."""
    return sum(kind.holes.bit_count() + kind.spare for kind in wanted)


def shifts(markers: Markers) -> tuple[Shift, ...]:
    """What is to be moved, each kind's nearest pairs first; nothing before the holes are known.

    A peg too many of one kind is taken to be the one that another kind lacks.
    """
    taken = markers.taken
    if taken is None:
        return ()
    moves, lifts, places = list[Shift](), list[int](), list[tuple[str, int]]()
    for kind in markers.wanted:
        pairs, extra, empty = _of_kind(markers, kind, taken)
        moves += [Shift(kind.name, lift, place, _wrong(markers, lift)) for lift, place in pairs]
        lifts += extra
        places += [(kind.name, place) for place in empty]
    lifts += holes_of(taken & ~union(kind.area for kind in markers.wanted))
    while lifts and places:
        lift, (name, place) = min(product(lifts, places), key=lambda pair: _wish(markers, pair[0], pair[1][1]))
        lifts.remove(lift)
        places.remove((name, place))
        moves.append(Shift(name, lift, place, _wrong(markers, lift)))
    moves += [Shift(name, None, place, wrong=bool(markers.bared >> place & 1)) for name, place in places]
    return tuple(moves + [Shift("", lift, None, _wrong(markers, lift)) for lift in lifts])


def _of_kind(markers: Markers, kind: Kind, taken: int) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """The pairs of one kind, the holes with a peg too many that are left over, and the holes left without one."""
    here = taken & kind.area
    lifts, places = list(holes_of(here & ~kind.holes & ~kind.box)), list(holes_of(kind.holes & ~taken))
    boxed, free = list(holes_of(here & kind.box)), list(holes_of(kind.box & ~taken & markers.bared))
    free += holes_of(kind.box & ~taken & ~markers.bared)
    too_many, pairs = len(boxed) - kind.spare, list[tuple[int, int]]()
    while True:
        # Of a box any peg will do, as many as it has too many or too few.
        tos, froms = (places + free if too_many < 0 else places), (lifts + boxed if too_many > 0 else lifts)
        if not tos or not froms:
            break
        lift, place = min(product(froms, tos), key=lambda pair: _wish(markers, *pair))
        too_many += (place in free) - (lift in boxed)
        for some, hole in ((lifts, lift), (boxed, lift), (places, place), (free, place)):
            if hole in some:
                some.remove(hole)
        pairs.append((lift, place))
    return pairs, lifts + boxed[: max(0, too_many)], places + free[: max(0, -too_many)]


def _wrong(markers: Markers, lift: int) -> bool:
    return not markers.stood >> lift & 1


def _belongs(wanted: Wanted) -> int:
    return union(kind.holes | kind.box for kind in wanted)


def _short(wanted: Wanted, taken: int) -> int:
    """The holes whose pegs must not be taken: where one belongs; and those of a box while it has too few pegs."""
    holes = 0
    for kind in wanted:
        few = (taken & kind.box).bit_count() < kind.spare
        holes |= kind.holes | (kind.box if few else 0)
    return holes


def _wish(markers: Markers, lift: int, place: int) -> tuple[bool, float]:
    """By what pairs of holes are chosen, the least first: those advised before, then the nearest."""
    a, b = markers.board.holes[lift], markers.board.holes[place]
    return (lift, place) not in markers.told, (a.x_mm - b.x_mm) ** 2 + (a.y_mm - b.y_mm) ** 2
