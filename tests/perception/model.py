"""A model of hands over a board: what they do, when, and what they mean by it. No watcher is imported here.

A `Scene` is one short story. Hands (`Hand`) lift, touch and put pegs down; every act leaves an `Edge` (a hole filled
or emptied at a moment) and every finished act that means something leaves a `Meant`: the truth to judge by.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from companion.board import layout
from companion.board.layout import Route

NO_HAND = (19, 25, 26, 27)
"""Points that no hand has (rules.md 2.1)."""
MOST = 29
QUIET, DOUBT, MISSING = 400, 1500, 10_000
"""The default settings, in milliseconds."""


class Edge(NamedTuple):
    """A hole filled or emptied. `act` is the number of the meant act that it belongs to."""

    ms: int
    hole: int
    on: bool
    act: int


@dataclass
class Meant:
    """What a hand meant: `pegged` or `undone` by a seat, `started`, `asked` (the holes alone cannot tell), `trusted`.

    `touched`: the peg touched other holes on its way. `by_ms` is when it must be known at the latest, if not by the
    quiet time.
    """

    act: int
    kind: str
    seat: int | None
    points: int = 0
    origin: int = -1
    to: int = -1
    touched: bool = False
    by_ms: int | None = None
    optional: bool = False


@dataclass
class Place:
    """Where a seat's pegs truly are, in points and in holes."""

    back: int
    front: int
    back_points: int
    front_points: int


@dataclass(frozen=True)
class Ground:
    """A board with so many players on it, in a game to `target`."""

    board: str
    seats: int
    target: int = 121

    @property
    def routes(self) -> tuple[Route, ...]:
        return _board(self.board).routes[self.seats]

    @property
    def shared(self) -> bool:
        """All pegs go over the same holes."""
        return bool(set(self.routes[0].way) & set(self.routes[1].way))

    def points(self, seat: int, hole: int) -> list[int]:
        """All the points that a hole stands for, on every lap."""
        return [p for p in range(-1, self.target + 1) if self.hole(seat, p) == hole]

    def hole(self, seat: int, points: int) -> int:
        return self.routes[seat].hole(points, self.target)

    @property
    def holes(self) -> int:
        return len(_board(self.board).holes)


_BOARDS: dict[str, layout.Board] = {}


def _board(name: str) -> layout.Board:
    if name not in _BOARDS:
        _BOARDS[name] = layout.load(name)
    return _BOARDS[name]


@dataclass
class Scene:
    """One story: a game begun or resumed, hands at work, sensors that may fail."""

    ground: Ground
    rng: Random
    game: str = "pegs-only"
    places: list[Place] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    meant: list[Meant] = field(default_factory=list)
    lines: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    stuck: list[tuple[int, int, int]] = field(default_factory=list)
    blind: list[tuple[int, int]] = field(default_factory=list)
    lost: float = 0.0
    lag: int = 25
    bounce: float = 0.15
    begun: bool = True
    busy: set[int] = field(default_factory=set)
    before: dict[int, list[Place]] = field(default_factory=dict)
    acts: int = 0
    overlap: bool = False
    alone: bool = True
    may_ask: bool = False
    end_ms: int = 0

    def __post_init__(self) -> None:
        self.start = [list(p) for p in _random_pegs(self.ground, self.rng)] if self.begun else []
        for seat, (back, front) in enumerate(self.start):
            self.places.append(Place(self._hole(seat, back), self._hole(seat, front), back, front))
        self.begin = [(p.back, p.front, p.back_points, p.front_points) for p in self.places]
        self.busy |= {h for p in self.places for h in (p.back, p.front)}

    def _hole(self, seat: int, points: int) -> int:
        return self.ground.hole(seat, points)

    def hand(self, seat: int, ms: int) -> "Hand":
        """A hand of this seat that comes to the board at `ms`."""
        return Hand(self, seat, ms)

    def new_act(self) -> int:
        self.acts += 1
        return self.acts

    def any_seat(self) -> int:
        return self.rng.randrange(len(self.ground.routes))

    def free(self, holes: Iterable[int]) -> list[int]:
        """Those of the holes that no peg is in and no hand has been at."""
        return [h for h in holes if h not in self.busy]


class Hand:
    """One player's hand. Its clock, `ms`, moves on with every act; `before` are its earlier placements."""

    def __init__(self, scene: Scene, seat: int, ms: int) -> None:
        self.scene, self.seat, self.ms, self.rng = scene, seat, ms, scene.rng
        self.act = scene.new_act()
        self.touched = False
        self.before = scene.before.setdefault(seat, [])

    @property
    def place(self) -> Place:
        return self.scene.places[self.seat]

    def wait(self, low: int, high: int) -> "Hand":
        self.ms += self.rng.randint(low, high)
        return self

    def lift(self, hole: int) -> "Hand":
        self.scene.edges.append(Edge(self.ms, hole, False, self.act))
        return self

    def put(self, hole: int) -> "Hand":
        self.scene.edges.append(Edge(self.ms, hole, True, self.act))
        self.scene.busy.add(hole)
        return self

    def touch(self, hole: int, low: int, high: int) -> "Hand":
        """In and out again after so long."""
        self.put(hole).wait(low, high).lift(hole)
        self.touched = True
        return self.wait(30, 250)

    def carry(self) -> "Hand":
        """The peg's way through the air."""
        return self.wait(120, 1800)

    def meant(self, kind: str, points: int = 0, **more: Any) -> None:
        """The act is finished: this is what it meant."""
        self.scene.meant.append(Meant(self.act, kind, self.seat, points, touched=self.touched, **more))
        self.act = self.scene.new_act()
        self.touched = False

    def room(self, low: int = 1, high: int = MOST, *, impossible: bool = False) -> int | None:
        """Random points whose hole is free; None where there are none, or where somebody has won."""
        front, target = self.place.front_points, self.scene.ground.target
        if any(place.front_points >= target for place in self.scene.places):
            return None
        found = [
            p
            for p in range(low, high + 1)
            if front + p < target
            and (p in NO_HAND) == impossible
            and self.scene.ground.hole(self.seat, front + p) not in self.scene.busy
        ]
        return self.rng.choice(found) if found else None

    def way(self, points: int) -> int:
        return self.scene.ground.hole(self.seat, points)

    def moved(self, points: int, *, front: bool) -> int:
        """Where a claim of so many points takes the pegs; gives the hole that was left."""
        place, to = self.place, self.way(self.place.front_points + points)
        if front:
            origin, place.front = place.front, to
        else:
            origin, place.back, place.back_points = place.back, place.front, place.front_points
            place.front = to
        place.front_points += points
        return origin


def _random_pegs(ground: Ground, rng: Random) -> list[tuple[int, int]]:
    """A placement somewhere in a game: for each seat (back, front) in points, no hole taken twice."""
    taken: set[int] = set()
    found = []
    for seat in range(len(ground.routes)):
        while True:
            front = 0 if rng.random() < 0.08 else rng.randint(1, ground.target - 16)
            back = -1 if front == 0 else max(-1, front - rng.randint(1, 24))
            if back == 0 and rng.random() < 0.5:
                back = -1
            holes = {ground.hole(seat, back), ground.hole(seat, front)}
            if len(holes) == 2 and not holes & taken:
                break
        taken |= holes
        found.append((back, front))
    return found
