"""The reader of marker pegs: compares where they are with where they belong. Pure; times are whole milliseconds.

Marker pegs show the state of a game instead of racing (baseball). A level is accepted when its hole has been quiet.
Pegs of one kind are interchangeable. The game says where each kind belongs; this module does not know the rules.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from companion.boards.board import Board, bits_of, holes_of, union_bits
from companion.pegs.events import PegEvent, Quarantined, Trusted, flapping_sentence, stray_sentence
from companion.pegs.levels import is_flapping
from companion.pegs.thresholds import (
    BOUNCE_MS,
    CHANGES_REMEMBERED,
    FAULTY_FLIPS,
    FAULTY_HOME_FLIPS,
    OVERRULE_SENSOR_MS,
    STEADY_RELEASE_MS,
)


class ExpectedKind(NamedTuple):
    """Where the pegs of one kind belong: one in each of `holes`, and `spare` more anywhere in the `box`.

    `area`: all holes where pegs of this kind can stand. Sets of holes are bits.
    """

    name: str
    area: int
    holes: int
    box: int = 0
    spare: int = 0


ExpectedPegs = tuple[ExpectedKind, ...]
"""Where all pegs of the board belong."""


class MarkerShift(NamedTuple):
    """A peg to move from the hole `lift` to the hole `place`. None is a hand or a place beside the board.

    `is_misplaced`: a hand has misplaced the peg. False if the game has moved on and the peg must follow.
    """

    kind: str
    lift: int | None
    place: int | None
    is_misplaced: bool


@dataclass(frozen=True, slots=True)
class MarkerQuarantine:
    """The sensor trust of a board with marker pegs. Frozen.

    `holes`: the quarantined holes, each with the time of its last change. `flips`: the times of each hole's latest
    changes. `strays`: the holes that report a peg although every peg is elsewhere, each with the time of the first
    such report.
    """

    holes: Mapping[int, int] = field(default_factory=dict)
    flips: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    strays: Mapping[int, int] = field(default_factory=dict)

    @property
    def quarantined_bits(self) -> int:
        return bits_of(self.holes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """Everything that is known about the marker pegs. Frozen; sets of holes are bits.

    - `expected`: where the pegs belong.
    - `taken_bits`: the holes that hold a peg, None before the first reading. `filled_ms`: when each was filled.
    - `bits`: the levels last reported. `first_report_ms`: when the first report came.
    - `pending`: the holes whose level differs from `taken_bits`, with the time since when.
    - `settled_bits`: the holes whose pegs were once right and have not moved since. `wrongly_emptied`: the holes that a
      hand has emptied although their pegs were right.
    - `complete_bits`: the last `taken_bits` with all pegs in holes.
    - `advised_pairs`: the pairs (from, to) of the last advice. A pair is kept while both its holes still need it.
    - `started`: all pegs have once been right.
    - `quarantine`: the holes whose sensors are not trusted.
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
        """The quarantined holes that report a peg where none belongs, as bits."""
        return self.quarantine.quarantined_bits & self.bits & ~_expected_bits(self.expected)


class MarkerResult(NamedTuple):
    """The markers after a report or a tick.

    `right_bits`: the holes where a peg has become right. `started`: all pegs are right for the first time. `events`:
    the changes of the quarantine.
    """

    markers: Markers
    right_bits: int = 0
    started: bool = False
    events: tuple[PegEvent, ...] = ()


class SavedMarkers(NamedTuple):
    """The state that a restart must know; the fields are those of `Markers`, with the quarantined holes."""

    complete_bits: int | None = None
    started: bool = False
    quarantined: tuple[int, ...] = ()


def create_markers(board: Board, quiet_ms: int, expected: ExpectedPegs, saved: SavedMarkers | None = None) -> Markers:
    """Create the markers before the first report. No peg counts as misplaced, because earlier states are not known."""
    saved = saved or SavedMarkers()
    known = Markers(
        board=board,
        quiet_ms=quiet_ms,
        expected=expected,
        taken_bits=saved.complete_bits,
        settled_bits=saved.complete_bits or 0,
    )
    quarantine = MarkerQuarantine(dict.fromkeys(saved.quarantined, 0))
    return replace(known, complete_bits=saved.complete_bits, started=saved.started, quarantine=quarantine)


def on_levels(markers: Markers, bits: int, now_ms: int) -> MarkerResult:
    """Handle a report of all holes. `bits`: the levels, a set bit for each taken hole."""
    taken, changed = markers.taken_bits or 0, markers.bits ^ bits
    events: tuple[PegEvent, ...] = ()
    if markers.first_report_ms is None:  # the time without a change counts from now
        quarantine = replace(markers.quarantine, holes=dict.fromkeys(markers.quarantine.holes, now_ms))
    else:
        quarantine, events = record_marker_changes(
            markers.quarantine, markers.board, changed, now_ms, _unattended_bits(markers, bits)
        )
    markers = replace(markers, quarantine=quarantine)
    differs = (bits ^ taken) & ~markers.quarantine.quarantined_bits
    pending = {hole: now_ms if changed >> hole & 1 else markers.pending.get(hole, now_ms) for hole in holes_of(differs)}
    heard_ms = now_ms if markers.first_report_ms is None else markers.first_report_ms
    markers = replace(markers, bits=bits, pending=pending, first_report_ms=heard_ms)
    seen = on_tick(_remember_advice(_fill_quarantined_holes(markers)) if events else markers, now_ms)
    return seen._replace(events=events + seen.events)


def on_tick(markers: Markers, now_ms: int) -> MarkerResult:
    """Accept the levels of the holes that have been quiet for long enough."""
    due_ms = next_deadline_ms(markers)
    if due_ms is None or due_ms > now_ms:
        return MarkerResult(markers)
    quarantine, trusted = release_steady_holes(markers.quarantine, markers.stuck_bits, now_ms)
    pending = {**markers.pending, **_find_contradictions(markers, quarantine, now_ms)}
    markers = replace(markers, pending=pending)
    quiet = {hole for hole, since_ms in markers.pending.items() if since_ms + markers.quiet_ms <= now_ms}
    flipped = bits_of(quiet)
    taken = (markers.taken_bits or 0) ^ flipped
    pending = {hole: since_ms for hole, since_ms in markers.pending.items() if hole not in quiet}
    belongs, settled = _expected_bits(markers.expected), markers.settled_bits
    if markers.started:
        settled |= belongs & (markers.taken_bits or 0)
    emptied = (markers.wrongly_emptied | (settled & _needed_bits(markers.expected, taken))) & ~taken
    filled = {h: ms for h, ms in markers.filled_ms.items() if taken >> h & 1} | {
        hole: markers.pending[hole] for hole in quiet if taken >> hole & 1
    }
    led = taken & belongs & ~markers.wrongly_emptied | settled & ~taken & ~_needed_bits(markers.expected, taken)
    markers = replace(markers, quarantine=clear_marker_changes(quarantine, flipped & led))
    after = _fill_quarantined_holes(
        replace(
            markers,
            taken_bits=taken,
            pending=pending,
            settled_bits=settled & taken,
            wrongly_emptied=emptied,
            filled_ms=filled,
        )
    )
    quarantine, strays = quarantine_strays(after.quarantine, after.board, _find_extra_pegs(after), now_ms)
    after = _fill_quarantined_holes(replace(after, quarantine=quarantine))
    taken = after.taken_bits or 0
    if taken.bit_count() >= count_pegs(markers.expected):
        after = replace(after, complete_bits=taken)
    began = not markers.started and not find_shifts(after)
    right = taken & flipped & belongs if markers.taken_bits is not None else 0
    return MarkerResult(
        _remember_advice(replace(after, started=markers.started or began)), right, began, trusted + strays
    )


def _unattended_bits(markers: Markers, bits: int) -> int:
    """Return the holes where no hand can be at work, because all pegs are elsewhere and none is out."""
    taken = (markers.taken_bits or 0) & (bits | markers.quarantine.quarantined_bits)
    more = taken.bit_count() - count_pegs(markers.expected)
    return 0 if more < 0 else ~taken if more == 0 else ~(taken & _expected_bits(markers.expected))


def _find_contradictions(markers: Markers, quarantine: MarkerQuarantine, now_ms: int) -> dict[int, int]:
    """Return the holes that are trusted again and report another level than was assumed."""
    again = markers.quarantine.quarantined_bits & ~quarantine.quarantined_bits
    return dict.fromkeys(holes_of((markers.bits ^ (markers.taken_bits or 0)) & again), now_ms)


def _fill_quarantined_holes(markers: Markers) -> Markers:
    """Assume that a quarantined hole holds a peg if one belongs there and is not elsewhere."""
    bits = markers.quarantine.quarantined_bits
    if markers.taken_bits is None or not bits:
        return markers
    sure = markers.taken_bits & ~bits
    homes = [hole for kind in markers.expected for hole in holes_of(kind.holes & bits)]
    for kind in markers.expected:
        few = kind.spare - (sure & kind.box).bit_count()
        homes += list(holes_of(kind.box & bits))[: max(0, few)]
    missing = max(0, count_pegs(markers.expected) - sure.bit_count())
    pending = {hole: ms for hole, ms in markers.pending.items() if not bits >> hole & 1}
    return replace(markers, taken_bits=sure | bits_of(homes[:missing]), pending=pending)


def _find_extra_pegs(markers: Markers) -> list[int]:
    """Return the holes with surplus pegs: of the holes where no peg belongs, those that filled last."""
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
    """Handle the return of lost sensors: holes that were not quiet must be quiet for the full time again."""
    return replace(
        markers,
        pending=dict.fromkeys(markers.pending, now_ms),
        quarantine=replace(markers.quarantine, flips={}, strays={}),
    )


def next_deadline_ms(markers: Markers) -> int | None:
    """Return when `on_tick` would next change something; None if never."""
    if markers.first_report_ms is None:
        return None
    times = [since_ms + markers.quiet_ms for since_ms in markers.pending.values()]
    if markers.taken_bits is None:
        times.append(markers.first_report_ms + markers.quiet_ms)
    return min(times + quarantine_deadlines(markers.quarantine, markers.stuck_bits), default=None)


def set_expected(markers: Markers, expected: ExpectedPegs) -> Markers:
    """Set where the pegs belong now. Pegs that were right so far must be moved, but are not misplaced."""
    if expected == markers.expected:
        return markers
    settled = (markers.settled_bits | _expected_bits(markers.expected)) & (markers.taken_bits or 0)
    return _remember_advice(
        _fill_quarantined_holes(replace(markers, expected=expected, settled_bits=settled, wrongly_emptied=0))
    )


def _remember_advice(markers: Markers) -> Markers:
    return replace(markers, advised_pairs=frozenset((shift.lift, shift.place) for shift in find_shifts(markers)))


def count_pegs(expected: ExpectedPegs) -> int:
    return sum(kind.holes.bit_count() + kind.spare for kind in expected)


def find_shifts(markers: Markers) -> tuple[MarkerShift, ...]:
    """Return the pegs to move, nearest pairs of each kind first; none before the first reading.

    A surplus peg of one kind is assumed to be one that another kind misses.
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
    """Return the pairs (from, to) of one kind, the holes left with a surplus peg, and the holes left without a peg."""
    here = taken & kind.area
    lifts, places = list(holes_of(here & ~kind.holes & ~kind.box)), list(holes_of(kind.holes & ~taken))
    boxed, free = list(holes_of(here & kind.box)), list(holes_of(kind.box & ~taken & markers.wrongly_emptied))
    free += holes_of(kind.box & ~taken & ~markers.wrongly_emptied)
    too_many, pairs = len(boxed) - kind.spare, list[tuple[int, int]]()
    while True:
        # Any peg of a box will do, but only as many as the box has too many or too few.
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


def _expected_bits(expected: ExpectedPegs) -> int:
    return union_bits(kind.holes | kind.box for kind in expected)


def _needed_bits(expected: ExpectedPegs, taken: int) -> int:
    """Return the holes whose pegs must stay: where one belongs, and those of a box with too few pegs."""
    holes = 0
    for kind in expected:
        few = (taken & kind.box).bit_count() < kind.spare
        holes |= kind.holes | (kind.box if few else 0)
    return holes


def _pair_preference(markers: Markers, lift: int, place: int) -> tuple[bool, float]:
    """Return the sort key of a pair of holes: pairs advised before come first, then the nearest."""
    a, b = markers.board.holes[lift], markers.board.holes[place]
    return (lift, place) not in markers.advised_pairs, (a.x_mm - b.x_mm) ** 2 + (a.y_mm - b.y_mm) ** 2


def record_marker_changes(
    quarantine: MarkerQuarantine, board: Board, holes: int, now_ms: int, calm: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """Record that these holes (bits) have changed, and quarantine those that have changed too often.

    `calm`: the holes where no hand can be at work, as bits. There, fewer changes show a fault.
    """
    flips, quarantined, events = dict(quarantine.flips), dict(quarantine.holes), list[PegEvent]()
    for hole in holes_of(holes):
        before = flips.get(hole, ())
        if not before or now_ms - before[-1] > BOUNCE_MS:
            flips[hole] = (*before[1 - CHANGES_REMEMBERED :], now_ms)
        if hole in quarantined:
            quarantined[hole] = now_ms
        elif is_flapping(flips[hole], now_ms, FAULTY_FLIPS if calm >> hole & 1 else FAULTY_HOME_FLIPS):
            quarantined[hole] = now_ms
            events.append(Quarantined(hole, flapping_sentence(board, hole)))
    return replace(quarantine, holes=quarantined, flips=flips), tuple(events)


def clear_marker_changes(quarantine: MarkerQuarantine, holes: int) -> MarkerQuarantine:
    """Forget the changes of these holes (bits): a hand made them as the game required."""
    return replace(quarantine, flips={hole: late for hole, late in quarantine.flips.items() if not holes >> hole & 1})


def quarantine_strays(
    quarantine: MarkerQuarantine, board: Board, extra: Iterable[int], now_ms: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """Quarantine those of the `extra` holes that have reported a surplus peg for `OVERRULE_SENSOR_MS`."""
    since = {hole: quarantine.strays.get(hole, now_ms) for hole in extra}
    stuck = [hole for hole, since_ms in since.items() if since_ms + OVERRULE_SENSOR_MS <= now_ms]
    events = tuple(Quarantined(h, stray_sentence(board, h)) for h in stuck)
    left = {hole: since_ms for hole, since_ms in since.items() if hole not in stuck}
    return replace(quarantine, strays=left, holes={**quarantine.holes, **dict.fromkeys(stuck, now_ms)}), events


def release_steady_holes(
    quarantine: MarkerQuarantine, stuck: int, now_ms: int
) -> tuple[MarkerQuarantine, tuple[PegEvent, ...]]:
    """Trust the holes again that have not changed for `STEADY_RELEASE_MS`, except those of `stuck` (bits)."""
    good = [h for h, ms in quarantine.holes.items() if ms + STEADY_RELEASE_MS <= now_ms and not stuck >> h & 1]
    if not good:
        return quarantine, ()
    holes = {hole: ms for hole, ms in quarantine.holes.items() if hole not in good}
    return replace(quarantine, holes=holes), tuple(Trusted(hole) for hole in good)


def quarantine_deadlines(quarantine: MarkerQuarantine, stuck: int) -> list[int]:
    """Return the times at which `quarantine_strays` or `release_steady_holes` may have an effect."""
    waits = [ms + STEADY_RELEASE_MS for hole, ms in quarantine.holes.items() if not stuck >> hole & 1]
    return waits + [since_ms + OVERRULE_SENSOR_MS for since_ms in quarantine.strays.values()]
