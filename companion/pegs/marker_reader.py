"""Marker pegs: where they stand, compared with where they belong. Pure; the time comes in as whole milliseconds.

A hole is believed when it has been quiet. Pegs of one kind are all alike: any of them may stand in any hole of the
kind. Knows no rules; the game says where each kind belongs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from companion.boards.board import bits_of, holes_of, union_bits
from companion.boards.catalog import Board
from companion.pegs import sensor_trust
from companion.pegs.events import PegEvent
from companion.pegs.sensor_trust import MarkerQuarantine


class ExpectedKind(NamedTuple):
    """Pegs of one kind: one belongs in each of `holes`, and `spare` more anywhere in the `box`.

    `area` are all the holes where such pegs ever stand. Holes are bits.
    """

    name: str
    area: int
    holes: int
    box: int = 0
    spare: int = 0


ExpectedPegs = tuple[ExpectedKind, ...]
"""Where every peg of the board ought to be."""


class MarkerShift(NamedTuple):
    """A peg to move, from the hole `lift` to the hole `place`. None stands for a hand, or for beside the board.

    `wrong`: a hand has misplaced the peg. False where the game has moved on and the peg has yet to follow.
    """

    kind: str
    lift: int | None
    place: int | None
    is_misplaced: bool


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
    expected: ExpectedPegs
    taken_bits: int | None = None
    bits: int = 0
    pending: Mapping[int, int] = field(default_factory=dict)
    first_report_ms: int | None = None
    settled_bits: int = 0
    wrongly_emptied: int = 0
    complete_bits: int | None = None
    advised_pairs: frozenset[tuple[int | None, int | None]] = frozenset()
    started: bool = False
    filled_ms: Mapping[int, int] = field(default_factory=dict)
    quarantine: MarkerQuarantine = field(default_factory=MarkerQuarantine)

    @property
    def stuck_bits(self) -> int:
        """The holes not believed that show a peg where none belongs."""
        return self.quarantine.quarantined_bits & self.bits & ~_expected_bits(self.expected)


class MarkerResult(NamedTuple):
    """The markers after a report or some time. `right`: the holes where a peg is right since then, as bits.

    `started`: all pegs are right for the first time. `events`: which holes are not believed any more, or again.
    """

    markers: Markers
    right_bits: int = 0
    started: bool = False
    events: tuple[PegEvent, ...] = ()


class SavedMarkers(NamedTuple):
    """What outlives the program: `Markers.whole`, whether the game has started, and which holes are not believed."""

    complete_bits: int | None = None
    started: bool = False
    quarantined: tuple[int, ...] = ()


def create_markers(board: Board, quiet_ms: int, wanted: ExpectedPegs, kept: SavedMarkers | None = None) -> Markers:
    """Markers before the first report. Nobody knows which pegs were right before: none is said to be put wrongly."""
    kept = kept or SavedMarkers()
    known = Markers(
        board=board,
        quiet_ms=quiet_ms,
        expected=wanted,
        taken_bits=kept.complete_bits,
        settled_bits=kept.complete_bits or 0,
    )
    doubts = MarkerQuarantine(dict.fromkeys(kept.quarantined, 0))
    return replace(known, complete_bits=kept.complete_bits, started=kept.started, quarantine=doubts)


def on_levels(markers: Markers, bits: int, now_ms: int) -> MarkerResult:
    """The sensors report all holes."""
    believed, changed = markers.taken_bits or 0, markers.bits ^ bits
    events: tuple[PegEvent, ...] = ()
    if markers.first_report_ms is None:  # since when a hole has been steady nobody knows before now
        doubts = replace(markers.quarantine, holes=dict.fromkeys(markers.quarantine.holes, now_ms))
    else:
        doubts, events = sensor_trust.record_marker_changes(
            markers.quarantine, markers.board, changed, now_ms, _unattended_bits(markers, bits)
        )
    markers = replace(markers, quarantine=doubts)
    differs = (bits ^ believed) & ~markers.quarantine.quarantined_bits
    unsure = {hole: now_ms if changed >> hole & 1 else markers.pending.get(hole, now_ms) for hole in holes_of(differs)}
    heard_ms = now_ms if markers.first_report_ms is None else markers.first_report_ms
    markers = replace(markers, bits=bits, pending=unsure, first_report_ms=heard_ms)
    seen = on_tick(_remember_advice(_fill_quarantined_holes(markers)) if events else markers, now_ms)
    return seen._replace(events=events + seen.events)


def on_tick(markers: Markers, now_ms: int) -> MarkerResult:
    """Time has passed: holes that have been quiet are believed."""
    due_ms = next_deadline_ms(markers)
    if due_ms is None or due_ms > now_ms:
        return MarkerResult(markers)
    doubts, trusted = sensor_trust.release_steady_holes(markers.quarantine, markers.stuck_bits, now_ms)
    unsure = {**markers.pending, **_find_contradictions(markers, doubts, now_ms)}
    markers = replace(markers, pending=unsure)
    quiet = {hole for hole, since_ms in markers.pending.items() if since_ms + markers.quiet_ms <= now_ms}
    flipped = bits_of(quiet)
    taken = (markers.taken_bits or 0) ^ flipped
    unsure = {hole: since_ms for hole, since_ms in markers.pending.items() if hole not in quiet}
    belongs, stood = _expected_bits(markers.expected), markers.settled_bits
    if markers.started:
        stood |= belongs & (markers.taken_bits or 0)
    bared = (markers.wrongly_emptied | (stood & _needed_bits(markers.expected, taken))) & ~taken
    filled = {h: ms for h, ms in markers.filled_ms.items() if taken >> h & 1} | {
        hole: markers.pending[hole] for hole in quiet if taken >> hole & 1
    }
    led = taken & belongs & ~markers.wrongly_emptied | stood & ~taken & ~_needed_bits(markers.expected, taken)
    markers = replace(markers, quarantine=sensor_trust.clear_marker_changes(doubts, flipped & led))
    after = _fill_quarantined_holes(
        replace(
            markers,
            taken_bits=taken,
            pending=unsure,
            settled_bits=stood & taken,
            wrongly_emptied=bared,
            filled_ms=filled,
        )
    )
    doubts, strays = sensor_trust.quarantine_strays(after.quarantine, after.board, _find_extra_pegs(after), now_ms)
    after = _fill_quarantined_holes(replace(after, quarantine=doubts))
    taken = after.taken_bits or 0
    if taken.bit_count() >= count_pegs(markers.expected):
        after = replace(after, complete_bits=taken)
    began = not markers.started and not find_shifts(after)
    right = taken & flipped & belongs if markers.taken_bits is not None else 0
    return MarkerResult(
        _remember_advice(replace(after, started=markers.started or began)), right, began, trusted + strays
    )


def _unattended_bits(markers: Markers, bits: int) -> int:
    """The holes where no hand can be at work, because all pegs stand elsewhere and none has just been lifted."""
    taken = (markers.taken_bits or 0) & (bits | markers.quarantine.quarantined_bits)
    more = taken.bit_count() - count_pegs(markers.expected)
    return 0 if more < 0 else ~taken if more == 0 else ~(taken & _expected_bits(markers.expected))


def _find_contradictions(markers: Markers, doubts: MarkerQuarantine, now_ms: int) -> dict[int, int]:
    """The holes that are believed again and show another level than was taken to be theirs."""
    again = markers.quarantine.quarantined_bits & ~doubts.quarantined_bits
    return dict.fromkeys(holes_of((markers.bits ^ (markers.taken_bits or 0)) & again), now_ms)


def _fill_quarantined_holes(markers: Markers) -> Markers:
    """The markers, where a hole that is not believed holds a peg if one belongs there that is nowhere else."""
    bits = markers.quarantine.quarantined_bits
    if markers.taken_bits is None or not bits:
        return markers
    sure = markers.taken_bits & ~bits
    homes = [hole for kind in markers.expected for hole in holes_of(kind.holes & bits)]
    for kind in markers.expected:
        few = kind.spare - (sure & kind.box).bit_count()
        homes += list(holes_of(kind.box & bits))[: max(0, few)]
    missing = max(0, count_pegs(markers.expected) - sure.bit_count())
    unsure = {hole: ms for hole, ms in markers.pending.items() if not bits >> hole & 1}
    return replace(markers, taken_bits=sure | bits_of(homes[:missing]), pending=unsure)


def _find_extra_pegs(markers: Markers) -> list[int]:
    """The holes that show more pegs than there are: of those where none belongs, the ones that filled last."""
    taken = markers.taken_bits or 0
    more = taken.bit_count() - count_pegs(markers.expected)
    if more <= 0:
        return []
    wrong = taken
    for kind in markers.expected:
        crowded = (taken & kind.box).bit_count() > kind.spare
        wrong &= ~(kind.holes | (0 if crowded else kind.box))
    return sorted(holes_of(wrong), key=lambda hole: markers.filled_ms.get(hole, 0))[-more:]


def on_sensors_back(markers: Markers, now_ms: int) -> Markers:
    """The sensors are back: holes that were not quiet when these were lost must be quiet anew."""
    return replace(
        markers,
        pending=dict.fromkeys(markers.pending, now_ms),
        quarantine=replace(markers.quarantine, flips={}, strays={}),
    )


def next_deadline_ms(markers: Markers) -> int | None:
    """When `tick` would next believe something."""
    if markers.first_report_ms is None:
        return None
    times = [since_ms + markers.quiet_ms for since_ms in markers.pending.values()]
    if markers.taken_bits is None:
        times.append(markers.first_report_ms + markers.quiet_ms)
    return min(times + sensor_trust.quarantine_deadlines(markers.quarantine, markers.stuck_bits), default=None)


def set_expected(markers: Markers, wanted: ExpectedPegs) -> Markers:
    """The game has moved on: pegs that were right are to be moved now, and are not wrong."""
    if wanted == markers.expected:
        return markers
    stood = (markers.settled_bits | _expected_bits(markers.expected)) & (markers.taken_bits or 0)
    return _remember_advice(
        _fill_quarantined_holes(replace(markers, expected=wanted, settled_bits=stood, wrongly_emptied=0))
    )


def _remember_advice(markers: Markers) -> Markers:
    return replace(markers, advised_pairs=frozenset((shift.lift, shift.place) for shift in find_shifts(markers)))


def count_pegs(wanted: ExpectedPegs) -> int:
    """How many pegs there are."""
    return sum(kind.holes.bit_count() + kind.spare for kind in wanted)


def find_shifts(markers: Markers) -> tuple[MarkerShift, ...]:
    """What is to be moved, each kind's nearest pairs first; nothing before the holes are known.

    A peg too many of one kind is taken to be the one that another kind lacks.
    """
    taken = markers.taken_bits
    if taken is None:
        return ()
    moves, lifts, places = list[MarkerShift](), list[int](), list[tuple[str, int]]()
    for kind in markers.expected:
        pairs, extra, empty = _match_kind(markers, kind, taken)
        moves += [MarkerShift(kind.name, lift, place, _is_misplaced(markers, lift)) for lift, place in pairs]
        lifts += extra
        places += [(kind.name, place) for place in empty]
    lifts += holes_of(taken & ~union_bits(kind.area for kind in markers.expected))
    while lifts and places:
        lift, (name, place) = min(
            product(lifts, places), key=lambda pair: _pair_preference(markers, pair[0], pair[1][1])
        )
        lifts.remove(lift)
        places.remove((name, place))
        moves.append(MarkerShift(name, lift, place, _is_misplaced(markers, lift)))
    moves += [
        MarkerShift(name, None, place, is_misplaced=bool(markers.wrongly_emptied >> place & 1))
        for name, place in places
    ]
    return tuple(moves + [MarkerShift("", lift, None, _is_misplaced(markers, lift)) for lift in lifts])


def _match_kind(markers: Markers, kind: ExpectedKind, taken: int) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """The pairs of one kind, the holes with a peg too many that are left over, and the holes left without one."""
    here = taken & kind.area
    lifts, places = list(holes_of(here & ~kind.holes & ~kind.box)), list(holes_of(kind.holes & ~taken))
    boxed, free = list(holes_of(here & kind.box)), list(holes_of(kind.box & ~taken & markers.wrongly_emptied))
    free += holes_of(kind.box & ~taken & ~markers.wrongly_emptied)
    too_many, pairs = len(boxed) - kind.spare, list[tuple[int, int]]()
    while True:
        # Of a box any peg will do, as many as it has too many or too few.
        tos, froms = (places + free if too_many < 0 else places), (lifts + boxed if too_many > 0 else lifts)
        if not tos or not froms:
            break
        lift, place = min(product(froms, tos), key=lambda pair: _pair_preference(markers, *pair))
        too_many += (place in free) - (lift in boxed)
        for some, hole in ((lifts, lift), (boxed, lift), (places, place), (free, place)):
            if hole in some:
                some.remove(hole)
        pairs.append((lift, place))
    return pairs, lifts + boxed[: max(0, too_many)], places + free[: max(0, -too_many)]


def _is_misplaced(markers: Markers, lift: int) -> bool:
    return not markers.settled_bits >> lift & 1


def _expected_bits(wanted: ExpectedPegs) -> int:
    return union_bits(kind.holes | kind.box for kind in wanted)


def _needed_bits(wanted: ExpectedPegs, taken: int) -> int:
    """The holes whose pegs must not be taken: where one belongs; and those of a box while it has too few pegs."""
    holes = 0
    for kind in wanted:
        few = (taken & kind.box).bit_count() < kind.spare
        holes |= kind.holes | (kind.box if few else 0)
    return holes


def _pair_preference(markers: Markers, lift: int, place: int) -> tuple[bool, float]:
    """By what pairs of holes are chosen, the least first: those advised before, then the nearest."""
    a, b = markers.board.holes[lift], markers.board.holes[place]
    return (lift, place) not in markers.advised_pairs, (a.x_mm - b.x_mm) ** 2 + (a.y_mm - b.y_mm) ** 2
