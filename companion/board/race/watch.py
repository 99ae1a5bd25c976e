"""What the peg watcher knows, and what follows from that alone. `pegs` makes it and moves it on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from companion.board.events import Unclear
from companion.board.frozen import with_fields
from companion.board.race.levels import NEVER, Levels
from companion.board.race.meanings import Meaning
from companion.board.race.stories import LATE_MS, overtaken
from companion.board.shape.lanes import Ground, PegDue, Stand, bits_of, holes_of, union
from companion.board.shape.layout import Board, Route

FLAPPING_MS = 8000
"""A hole that changes too often within this is no hand at work."""
SET_UP_MS = 20_000
"""One seat may be set up this long before the other one is asked about."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Times in milliseconds: quiet before a change is read, odd before it is asked about, a peg out before it is."""

    quiet_ms: int = 400
    doubt_ms: int = 1500
    missing_ms: int = 10000


class Key(NamedTuple):
    """One situation: it is noticed once and asked about once. `seat` is None where it is nobody's alone."""

    kind: str
    seat: int | None
    holes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Pegs that fit no one story. `seats` are concerned; `ask_ms` is None where advice is enough.

    From `notice_ms` on it is advised about, from `ask_ms` on a person is asked. `places` are the likely stories:
    in each, where the pegs of each of the seats rest.
    """

    key: Key
    seats: tuple[int, ...]
    notice_ms: int
    ask_ms: int | None
    meaning: Meaning | None = None
    places: tuple[tuple[frozenset[int], ...], ...] = ()


class Verdict(NamedTuple):
    """What a seat's pegs mean, and when that is certain. Not yet committed."""

    at_ms: int
    seat: int
    meaning: Meaning


class Stray(NamedTuple):
    """A taken hole that is nobody's, and since when."""

    hole: int
    since_ms: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The present levels explained. `settled` are the seats whose pegs are at home, with the time that is certain.

    `anew_ms`: when all pegs rest in the start holes for certain, where that would begin a game.
    """

    verdicts: tuple[Verdict, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    strays: tuple[Stray, ...] = ()
    settled: tuple[tuple[int, int], ...] = ()
    anew_ms: int | None = None


class Asked(NamedTuple):
    """An open question."""

    key: Key
    seats: tuple[int, ...]
    unclear: Unclear


_CONCLUDED = frozenset({"reading", "noticed", "asked", "open"})
"""The fields of a watch that nothing else is computed from: while only these change, what was computed holds."""
_MOVED = ("taken", "gone", "hands")
"""What is computed from the levels too."""
_PLACED = ("homes", "won")
"""What is computed from where the pegs are known to stand alone."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Watch:
    """All that is known of the pegs. Frozen; made by `start`, moved on by `see`, `tick`, `expect` and `adopt`.

    `stands` is None before the pegs were first set up. `past` holds each side's earlier placements, oldest first.
    `calm_ms` is, by seat, when its pegs were last known for sure; `left` is, by seat and hole, when a peg first left
    its home since then, kept where seats share a lane. `counting` are the seats whose peg ahead is a claim now.
    `sight_ms` is when the holes were first seen again after the sensors were lost: until then anything may have moved.
    `knocked`: the board was knocked over, and its pegs are not all back in holes that one story explains.
    """

    ground: Ground
    settings: Settings
    claims: bool
    stands: tuple[Stand, ...] | None
    past: tuple[tuple[Stand, ...], ...]
    calm_ms: tuple[int, ...]
    left: Mapping[tuple[int, int], int] = field(default_factory=dict)
    dues: tuple[PegDue, ...] = ()
    counting: frozenset[int] = frozenset()
    levels: Levels = field(default_factory=Levels)
    quarantined: frozenset[int] = frozenset()
    noticed: frozenset[Key] = frozenset()
    asked: frozenset[Key] = frozenset()
    open: tuple[Asked, ...] = ()
    now_ms: int = 0
    sight_ms: int = NEVER
    knocked: bool = False
    reading: Reading = Reading()

    def but(self, **changes: Any) -> "Watch":
        """This watch with some fields changed, and without what was computed of those."""
        changed = with_fields(self, changes)
        if not changes.keys() <= _CONCLUDED:
            for name in (*_MOVED, *_PLACED) if "stands" in changes else _MOVED:
                changed.__dict__.pop(name, None)
        return changed

    @property
    def board(self) -> Board:
        """The board watched."""
        return self.ground.board

    @property
    def routes(self) -> tuple[Route, ...]:
        """Each side's way."""
        return tuple(lane.route for lane in self.ground.lanes)

    @property
    def question(self) -> Unclear | None:
        """What is asked now: the newest question still open."""
        return self.open[-1].unclear if self.open else None

    @cached_property
    def homes(self) -> int:
        """Where pegs should be: as bits."""
        if self.stands is None:
            return self.ground.start
        return bits_of(h for stand in self.stands for h in (stand.back, stand.front))

    @cached_property
    def won(self) -> bool:
        """A seat has reached the target: nobody claims any more, and the pegs go back to the start in any order."""
        return any(s.front_points >= self.ground.lanes[0].target for s in self.stands or ())

    @cached_property
    def taken(self) -> int:
        """The taken holes as believed: a peg at home in a quarantined hole rests there, no other does.

        Unless the holes around it show that it has left, or that a peg has come.
        """
        doubted, homes = bits_of(self.quarantined), self.homes
        taken = self.levels.bits & ~doubted | doubted & homes
        if not doubted or self.stands is None:
            return taken
        changed = 0
        for seats, lane in self.ground.groups:
            changed |= self._left_unseen(taken, doubted, lane) or self._came_unseen(taken, doubted, seats, lane)
        return taken ^ changed

    def _left_unseen(self, taken: int, doubted: int, lane: int) -> int:
        """The one doubted home that must be empty: a peg came on its lane, and no other one is out."""
        home, new = doubted & self.homes & lane, taken & ~self.homes & lane
        missing = self.homes & ~taken
        only = home.bit_count() == 1 and not missing & ~lane
        return home if only and new.bit_count() == missing.bit_count() + 1 else 0

    def _came_unseen(self, taken: int, doubted: int, seats: tuple[int, ...], lane: int) -> int:
        """The doubted holes that pegs are due in, filled since those were lifted, where no other hole is."""
        if taken & lane & ~self.homes:
            return 0
        came = bits_of(
            due.place
            for due in self.dues
            if due.seat in seats
            and not taken >> due.lift & 1
            and self.levels.of(due.place).down_ms + LATE_MS >= self.left_ms(due.seat, due.lift)
        )
        return came & doubted & ~self.homes

    @cached_property
    def hands(self) -> tuple[tuple[int, int], ...]:
        """The lane of each seat that holds a peg, and where no hand is: what flickered before that was lifted."""
        if self.stands is None:
            return tuple((one.bits, 0) for one in self.ground.lanes if self.taken & one.begin != one.begin)
        found = []
        for seat, lane in enumerate(self.ground.lanes):
            if out := self.gone[seat] or self._doubtful(seat):
                left_ms = min(self.left_ms(seat, h) for h in out)
                found.append((lane.bits, bits_of(h for h in self.levels.changes if self.flickered(h, left_ms))))
        return tuple(found)

    @property
    def handled(self) -> int:
        """The holes that a peg in the hand of a lane's own player may be touching."""
        return union(lane & ~failing for lane, failing in self.hands) & ~self.homes

    @property
    def reached(self) -> int:
        """The holes that a peg in anybody's hand may be touching, by mistake on another's lane too."""
        return union(self.ground.holes & ~failing for _, failing in self.hands) & ~self.homes

    def _doubtful(self, seat: int) -> tuple[int, ...]:
        """The homes of a seat that look empty, and whose sensors are not believed."""
        assert self.stands is not None
        return tuple(h for h in self.stands[seat].holes if h in self.quarantined and not self.levels.bits >> h & 1)

    def flickered(self, hole: int, left_ms: int) -> bool:
        """A hole changed of late before any peg was lifted that could be in it: its sensor may be failing.

        What a home does once its peg has been lifted is a hand's doing.
        """
        own: Iterable[int] = self.levels.of(hole).own
        if not own:
            return False
        if self.homes >> hole & 1:
            lifted_ms = min((ms for (_, home), ms in self.left.items() if home == hole), default=None)
            own = own if lifted_ms is None else (ms for ms in own if ms < lifted_ms)
        return any(self.now_ms - FLAPPING_MS <= ms < left_ms - LATE_MS for ms in own)

    def changed(self, hole: int) -> int:
        """When the hole last changed; long ago where its sensor is not believed."""
        believed = hole not in self.quarantined or self.taken & ~self.homes & 1 << hole
        return self.levels.changed(hole) if believed else NEVER

    def left_ms(self, seat: int, hole: int) -> int:
        """When a seat's peg left its home: that it was filled again since may have been another's doing.

        Where the home's sensor is not believed, no later than a peg came on the lane.
        """
        left_ms = self.left.get((seat, hole), self.levels.of(hole).emptied_ms)
        if hole not in self.quarantined:
            return left_ms
        new = self.levels.bits & self.ground.lanes[seat].bits & ~self.homes & ~bits_of(self.quarantined)
        return min([left_ms, *(self.levels.of(h).down_ms for h in holes_of(new))])

    @cached_property
    def gone(self) -> tuple[tuple[int, ...], ...]:
        """By seat, the homes that its pegs are not in, rising."""
        assert self.stands is not None
        if not self.ground.shared and self.taken & self.homes == self.homes:
            return ((),) * len(self.stands)
        return tuple(self._gone(seat, stand) for seat, stand in enumerate(self.stands))

    def _gone(self, seat: int, stand: Stand) -> tuple[int, ...]:
        assert self.stands is not None
        taken, lost = self.taken, overtaken(self.stands, self.calm_ms, seat) if self.ground.shared else ()
        return tuple([h for h in sorted((stand.back, stand.front)) if h in lost or not taken >> h & 1])

    def due(self, seat: int) -> PegDue | None:
        """What is due of this seat."""
        return next((d for d in self.dues if d.seat == seat), None)
