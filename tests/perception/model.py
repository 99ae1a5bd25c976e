"""A model of hands over a board: what they do, when, and what they mean by it. No watcher is imported here.

A `Scene` is one short story. Hands (`Hand`) lift, touch and put pegs down; every act leaves an `Edge` (a hole filled
or emptied at a moment) and every finished act that means something leaves a `Meant`: the truth to judge by.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

from tests.perception.ground import Ground
from tests.perception.truth import FOREVER, Edge, Fault, Line, Meant, Place

Span = tuple[int, int]
"""The least and the most of something that chance decides, in milliseconds if nothing else is said."""
CARRY: Span = (120, 1800)
"""How long a peg is in the air on its way."""
FIRST_MS = 800
"""The first hand comes to the board then."""
IMPOSSIBLE_POINTS = (19, 25, 26, 27)
"""Points that no hand has (docs/reference/counting.md)."""
MAX_POINTS = 29
"""The most points that a hand has."""
QUIET, DOUBT, MISSING = 400, 1500, 10_000
"""The default settings, in milliseconds."""
TOLD = 5000
"""A peg that no sensor reports is told so soon, in milliseconds, and asked about after `MISSING`."""
MAX_DELAY_MS = 1200
"""A claim is told so long after it rests, at the latest, in milliseconds: where its hand has counted slowly."""


@dataclass
class Scene:
    """One story: a game begun or resumed, hands at work, sensors that may fail.

    `lines` are what else is in the recording (a phone's moves, the cable), `options` the game's.
    `faults` are sensors that stick, `faulty` all holes whose sensors fail in any way. `blind` are (from, until), in ms.
    `lost` is the share of reports that never arrive, `bounce` that of edges that bounce, `chatter` that of edges whose
    worn contact chatters; `lag` the slowest sensor's in ms. `busy` are the holes where a peg is or was, or will be.
    `overlap`: hands were at work at the same time. `alone`: a hand may take its time in a neighbour's lane.
    `may_ask`: asking is right.
    """

    ground: Ground
    rng: Random
    game: str = "pegs-only"
    begun: bool = True
    places: list[Place] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    meant: list[Meant] = field(default_factory=list)
    lines: list[tuple[int, Line]] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    faulty: set[int] = field(default_factory=set)
    blind: list[tuple[int, int]] = field(default_factory=list)
    lost: float = 0.0
    lag: int = 25
    bounce: float = 0.15
    chatter: float = 0.0
    busy: set[int] = field(default_factory=set)
    before: dict[int, list[Place]] = field(default_factory=dict)
    acts: int = 0
    overlap: bool = False
    alone: bool = True
    may_ask: bool = False

    def __post_init__(self) -> None:
        self.begin_with(_random_places(self.ground, self.rng) if self.begun else [])

    def begin_with(self, places: list[Place]) -> None:
        """The story begins with the pegs there."""
        self.places, self.begin = list(places), list(places)
        self.busy = set(self.pegs)

    @property
    def seats(self) -> range:
        """All seats that have pegs on the board."""
        return range(len(self.places))

    @property
    def pegs(self) -> list[int]:
        """The holes where the pegs truly are, seat by seat."""
        return [hole for place in self.places for hole in place.pegs]

    @property
    def has_dues(self) -> bool:
        """The rules say what is to be pegged; else the pegs alone tell the score."""
        return self.game != "pegs-only" and self.options.get("counting") != "manual"

    @property
    def is_won(self) -> bool:
        """A seat's front peg is in the last hole."""
        return any(place.front_points >= self.ground.target for place in self.places)

    def has_peg(self, hole: int, ms: int) -> bool:
        """A peg is truly in the hole at this moment."""
        done = [edge.on for edge in sorted(self.edges) if edge.hole == hole and edge.act and edge.ms <= ms]
        return done[-1] if done else any(hole in place.pegs for place in self.begin)

    def any_seat(self) -> int:
        """A random seat."""
        return self.rng.randrange(len(self.ground.routes))

    def others(self, seat: int) -> list[int]:
        """The holes where the other seats' pegs are."""
        return [hole for other in self.seats if other != seat for hole in self.places[other].pegs]

    def free_holes(self, holes: Iterable[int] | None = None) -> list[int]:
        """Those of the holes, or of all, that no peg is in and no hand has been at."""
        return [h for h in (range(self.ground.holes) if holes is None else holes) if h not in self.busy]

    def pick_free_hole(self) -> int:
        """One hole of the board, from now on left alone by all hands."""
        hole = self.rng.choice(self.free_holes())
        self.busy.add(hole)
        return hole

    def add_hand(self, seat: int, ms: int = FIRST_MS) -> "Hand":
        """A hand of this seat that comes to the board at `ms`."""
        return Hand(self, seat, ms)

    def new_act(self) -> int:
        """The number of the next act."""
        self.acts += 1
        return self.acts

    def change_level(self, ms: int, hole: int, on: bool) -> None:
        """A hole filled or emptied that is no hand's act: a knock, a sensor that fails."""
        self.edges.append(Edge(ms, hole, on, 0))

    def fail_sensor(self, hole: int, begin_ms: int, *, on: bool, end_ms: int = FOREVER) -> None:
        """The hole's sensor shows nothing but this level from a moment on, until another."""
        self.faults.append(Fault(begin_ms, end_ms, hole, on))
        self.faulty.add(hole)

    def make_move(self, ms: int, **move: Any) -> None:
        """Somebody makes a move on a phone."""
        self.lines.append((ms, {"move": move}))

    def scan_card(self, ms: int, card: str) -> None:
        """A card is put to the reader."""
        self.lines.append((ms, {"scan": card}))

    def press_button(self, ms: int) -> None:
        """The dice button is pressed, which means nothing where no dice are due."""
        self.lines.append((ms, {"press": "dice"}))

    def take_board(self, ms: int) -> None:
        """A question is answered with the last of its choices: the board is taken as it stands."""
        self.lines.append((ms, {"answer": True}))


class Hand:
    """One player's hand. Its clock, `ms`, moves on with every act; `before` are its earlier placements."""

    def __init__(self, scene: Scene, seat: int, ms: int) -> None:
        self.scene, self.seat, self.ms, self.rng = scene, seat, ms, scene.rng
        self.act = scene.new_act()
        self.touched = 0
        self.before = scene.before.setdefault(seat, [])

    @property
    def place(self) -> Place:
        """Where the seat's pegs truly are."""
        return self.scene.places[self.seat]

    @place.setter
    def place(self, place: Place) -> None:
        self.scene.places[self.seat] = place

    def is_chance(self, share: float) -> bool:
        """True so often."""
        return self.rng.random() < share

    def hole_at(self, points: int) -> int:
        """The hole of so many points on the seat's way."""
        return self.scene.ground.hole(self.seat, points)

    def hole_ahead(self, points: int) -> int:
        """The hole so many points ahead of the front peg."""
        return self.hole_at(self.place.front_points + points)

    def holes_between(self, points: int) -> list[int]:
        """The free holes from the front peg to the one so many points ahead, both left out."""
        return self.scene.free_holes(self.hole_ahead(n) for n in range(1, points))

    def pick_points(self, low: int = 1, high: int = MAX_POINTS, *, impossible: bool = False) -> int | None:
        """Random points whose hole is free; None where there are none, or where somebody has won."""
        if self.scene.is_won:
            return None
        front, way, busy = self.place.front_points, self.scene.ground.ways[self.seat], self.scene.busy
        most = min(high, self.scene.ground.target - 1 - front)
        found = [
            p for p in range(low, most + 1) if (p in IMPOSSIBLE_POINTS) == impossible and way[front + p] not in busy
        ]
        return self.rng.choice(found) if found else None

    def wait(self, low: int, high: int) -> Self:
        """Time goes by."""
        self.ms += self.rng.randint(low, high)
        return self

    def carry(self) -> Self:
        """The peg's way through the air."""
        return self.wait(*CARRY)

    def lift(self, hole: int) -> Self:
        """A peg is taken out."""
        self.scene.edges.append(Edge(self.ms, hole, False, self.act))
        return self

    def put(self, hole: int) -> Self:
        """A peg is put in."""
        self.scene.edges.append(Edge(self.ms, hole, True, self.act))
        self.scene.busy.add(hole)
        return self

    def touch(self, hole: int, rest: Span, air: Span = (30, 250)) -> Self:
        """In, out again after a rest, and through the air."""
        since = self.put(hole).ms
        self.touched = max(self.touched, self.wait(*rest).ms - since)
        return self.lift(hole).wait(*air)

    def correct_score(self, score: int) -> None:
        """The front peg carried to this score: that is a claim, or takes back a part of one."""
        by, origin, to = score - self.place.front_points, self.place.front, self.hole_at(score)
        self.lift(origin).carry().put(to)
        self.place = self.place._replace(front=to, front_points=score)
        self.record_meaning("pegged" if by > 0 else "undone", abs(by), origin=origin, to=to)

    def record_claim(self, points: int, *, front: bool = False, to: int | None = None, **more: Any) -> None:
        """A peg, the back one or the front one, is down so many points ahead: this was the claim of them.

        `to` is its hole where the points' own hole is taken.
        """
        left = self.place
        to = self.move_placement(points, front=front, to=to)
        self.record_meaning("pegged", points, origin=left.front if front else left.back, to=to, **more)

    def move_placement(self, points: int, *, front: bool = False, to: int | None = None) -> int:
        """The same, but nobody is to know yet. Gives the hole."""
        left, to = self.place, self.hole_ahead(points) if to is None else to
        self.place = Place(left.front, to, left.front_points, left.front_points + points)
        if front:
            self.place = self.place._replace(back=left.back, back_points=left.back_points)
        return to

    def record_meaning(self, kind: str, points: int = 0, **more: Any) -> None:
        """The act is finished: this is what it meant."""
        place = self.place
        other = place.back if more.get("to") == place.front else place.front
        self.scene.meant.append(Meant(self.act, kind, self.seat, points, touched=self.touched, other=other, **more))
        self.act = self.scene.new_act()
        self.touched = 0

    def expect_question(self, within_ms: int, *, of: int | None) -> None:
        """What has been done must be asked about so soon: of one seat, or (None) of whomever; and told before."""
        self.scene.meant.append(Meant(self.act, "asked", of, by_ms=self.ms + within_ms))
        if within_ms >= MISSING:
            self.scene.meant.append(Meant(self.act, "told", of, by_ms=self.ms + TOLD))

    def expect_taken(self, points: int, answer_ms: int) -> None:
        """The board is taken as it stands then, which gives the seat so many points more."""
        self.scene.meant.append(Meant(self.act, "taken", self.seat, points, by_ms=answer_ms))


def _random_places(ground: Ground, rng: Random) -> list[Place]:
    """A placement somewhere in a game, no hole taken twice."""
    places: list[Place] = []
    for seat in range(len(ground.routes)):
        while True:
            front = 0 if rng.random() < 0.08 else rng.randint(1, ground.target - 16)
            back = -1 if front == 0 else max(-1, front - rng.randint(1, 24))
            if back == 0 and rng.random() < 0.5:
                back = -1
            place = Place(ground.hole(seat, back), ground.hole(seat, front), back, front)
            if place.back != place.front and not set(place.pegs) & {h for p in places for h in p.pegs}:
                break
        places.append(place)
    return places
