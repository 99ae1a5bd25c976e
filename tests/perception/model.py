"""A model of hands over a board: their actions, the times and the intentions. It does not import a peg reader.

A `Scene` is one short story. Hands (`Hand`) lift, touch and put down pegs. Every action adds an `Edge` (a hole that is
filled or emptied at a time), and every finished action with a meaning adds an `Intent`, the truth for the judge.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

from tests.perception.ground import Ground
from tests.perception.truth import FOREVER, Edge, Fault, Intent, Line, Place

Span = tuple[int, int]
"""Minimum and maximum of a random value, in milliseconds unless stated otherwise."""
CARRY: Span = (120, 1800)
"""Time that a peg is in the air on its way."""
FIRST_MS = 800
"""Time at which the first hand comes to the board."""
IMPOSSIBLE_POINTS = (19, 25, 26, 27)
"""Points that no hand can have (docs/reference/counting.md)."""
MAX_POINTS = 29
"""Maximum points of a hand."""
QUIET_MS, DOUBT_MS, MISSING_MS = 400, 1500, 10_000
"""The default settings of the peg reader."""
ADVICE_DELAY_MS = 5000
"""Maximum time until the advice about a peg that no sensor reports. The question follows after `MISSING_MS`."""
DIRECT_DELAY_MS = QUIET_MS
"""Maximum delay of a claim after its peg has come to rest, if the peg touched no other hole."""
TOUCHED_DELAY_MS = QUIET_MS + 400
"""The same for a peg that touched other holes on its way."""
MAX_DELAY_MS = 1200
"""The same for a hand that counts slowly. The judge's limits and the pauses of the hands follow from these three."""


@dataclass
class Scene:
    """One story: a new or resumed game, hands at work, and sensors that may fail.

    :param begun: whether the pegs are in the middle of a game; else none is on the board.
    :param lines: other lines of the recording, such as a phone's moves and the cable.
    :param options: options of the game.
    :param faults: sensors that stick.
    :param faulty: all holes whose sensors fail in any way.
    :param blind: periods without reports as (from, until), in ms.
    :param lost: share of the reports that never arrive.
    :param lag: lag of the slowest sensor in ms.
    :param bounce: share of the edges that bounce.
    :param chatter: share of the edges whose worn contact chatters.
    :param busy: holes where a peg is, was or will be.
    :param overlap: whether hands were at work at the same time.
    :param alone: whether a hand may rest in a neighbour's lane.
    :param may_ask: whether a question is right.
    """

    ground: Ground
    rng: Random
    game: str = "pegs-only"
    begun: bool = True
    places: list[Place] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    intents: list[Intent] = field(default_factory=list)
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
        """Begin the story with the pegs in these places."""
        self.places, self.begin = list(places), list(places)
        self.busy = set(self.pegs)

    @property
    def seats(self) -> range:
        return range(len(self.places))

    @property
    def pegs(self) -> list[int]:
        """Return the true holes of the pegs, seat by seat."""
        return [hole for place in self.places for hole in place.pegs]

    @property
    def has_dues(self) -> bool:
        """Return whether the rules determine the points to peg; otherwise the pegs alone determine the score."""
        return self.game != "pegs-only" and self.options.get("counting") != "manual"

    @property
    def is_won(self) -> bool:
        return any(place.front_points >= self.ground.target for place in self.places)

    def has_peg(self, hole: int, ms: int) -> bool:
        """Return whether a peg is truly in the hole at this time."""
        done = [edge.on for edge in sorted(self.edges) if edge.hole == hole and edge.act and edge.ms <= ms]
        return done[-1] if done else any(hole in place.pegs for place in self.begin)

    def pick_seat(self) -> int:
        return self.rng.randrange(len(self.ground.routes))

    def other_pegs(self, seat: int) -> list[int]:
        return [hole for other in self.seats if other != seat for hole in self.places[other].pegs]

    def free_holes(self, holes: Iterable[int] | None = None) -> list[int]:
        """Return those of the holes (default: all) that no peg is in and no hand has used."""
        return [h for h in (range(self.ground.holes) if holes is None else holes) if h not in self.busy]

    def pick_free_hole(self) -> int:
        """Return a random free hole, which no hand uses from now on."""
        hole = self.rng.choice(self.free_holes())
        self.busy.add(hole)
        return hole

    def add_hand(self, seat: int, ms: int = FIRST_MS) -> "Hand":
        return Hand(self, seat, ms)

    def new_act(self) -> int:
        self.acts += 1
        return self.acts

    def change_level(self, ms: int, hole: int, on: bool) -> None:
        """Fill or empty a hole without a hand: a knock, or a sensor that fails."""
        self.edges.append(Edge(ms, hole, on, 0))

    def fail_sensor(self, hole: int, begin_ms: int, *, on: bool, end_ms: int = FOREVER) -> None:
        """Let the hole's sensor show only this level from `begin_ms` until `end_ms`."""
        self.faults.append(Fault(begin_ms, end_ms, hole, on))
        self.faulty.add(hole)

    def make_move(self, ms: int, **move: Any) -> None:
        self.lines.append((ms, {"move": move}))

    def scan_card(self, ms: int, card: str) -> None:
        self.lines.append((ms, {"scan": card}))

    def press_button(self, ms: int) -> None:
        """Press the dice button, which has no effect when no dice are due."""
        self.lines.append((ms, {"press": "dice"}))

    def take_board(self, ms: int) -> None:
        """Answer a question with its last choice: the board is taken as it stands."""
        self.lines.append((ms, {"answer": True}))


class Hand:
    """One player's hand. Its clock, `ms`, advances with every action; `before` are its earlier placements."""

    def __init__(self, scene: Scene, seat: int, ms: int) -> None:
        self.scene, self.seat, self.ms, self.rng = scene, seat, ms, scene.rng
        self.act = scene.new_act()
        self.touched = 0
        self.before = scene.before.setdefault(seat, [])

    @property
    def place(self) -> Place:
        """Return the true placement of the seat's pegs."""
        return self.scene.places[self.seat]

    @place.setter
    def place(self, place: Place) -> None:
        self.scene.places[self.seat] = place

    def is_chance(self, share: float) -> bool:
        return self.rng.random() < share

    def hole_at(self, points: int) -> int:
        return self.scene.ground.hole(self.seat, points)

    def hole_ahead(self, points: int) -> int:
        return self.hole_at(self.place.front_points + points)

    def holes_between(self, points: int) -> list[int]:
        """Return the free holes between the front peg and the hole that is `points` ahead."""
        return self.scene.free_holes(self.hole_ahead(n) for n in range(1, points))

    def pick_points(self, low: int = 1, high: int = MAX_POINTS, *, impossible: bool = False) -> int | None:
        """Return random points whose hole is free; None if there are none, or if a player has won."""
        if self.scene.is_won:
            return None
        front, way, busy = self.place.front_points, self.scene.ground.ways[self.seat], self.scene.busy
        most = min(high, self.scene.ground.target - 1 - front)
        found = [
            p for p in range(low, most + 1) if (p in IMPOSSIBLE_POINTS) == impossible and way[front + p] not in busy
        ]
        return self.rng.choice(found) if found else None

    def wait(self, low: int, high: int) -> Self:
        self.ms += self.rng.randint(low, high)
        return self

    def carry(self) -> Self:
        return self.wait(*CARRY)

    def lift(self, hole: int) -> Self:
        self.scene.edges.append(Edge(self.ms, hole, False, self.act))
        return self

    def put(self, hole: int) -> Self:
        self.scene.edges.append(Edge(self.ms, hole, True, self.act))
        self.scene.busy.add(hole)
        return self

    def touch(self, hole: int, rest: Span, air: Span = (30, 250)) -> Self:
        """Put the peg into a hole, take it out after a rest, and carry it on."""
        since = self.put(hole).ms
        self.touched = max(self.touched, self.wait(*rest).ms - since)
        return self.lift(hole).wait(*air)

    def correct_score(self, score: int) -> None:
        """Carry the front peg to this score: a claim, or an undo of a part of one."""
        by, origin, to = score - self.place.front_points, self.place.front, self.hole_at(score)
        self.lift(origin).carry().put(to)
        self.place = self.place._replace(front=to, front_points=score)
        self.record_meaning("pegged" if by > 0 else "undone", abs(by), origin=origin, to=to)

    def record_claim(self, points: int, *, front: bool = False, to: int | None = None, **more: Any) -> None:
        """Record that a peg was put down as a claim of these points.

        :param front: whether the front peg was moved; else the back peg.
        :param to: the hole of the peg if the points' own hole is occupied.
        """
        left = self.place
        to = self.move_placement(points, front=front, to=to)
        self.record_meaning("pegged", points, origin=left.front if front else left.back, to=to, **more)

    def move_placement(self, points: int, *, front: bool = False, to: int | None = None) -> int:
        """Move the placement as `record_claim` does, but record no claim. Return the hole."""
        left, to = self.place, self.hole_ahead(points) if to is None else to
        self.place = Place(left.front, to, left.front_points, left.front_points + points)
        if front:
            self.place = self.place._replace(back=left.back, back_points=left.back_points)
        return to

    def record_meaning(self, kind: str, points: int = 0, **more: Any) -> None:
        """Finish the action and record its meaning."""
        place = self.place
        other = place.back if more.get("to") == place.front else place.front
        self.scene.intents.append(Intent(self.act, kind, self.seat, points, touched=self.touched, other=other, **more))
        self.act = self.scene.new_act()
        self.touched = 0

    def expect_question(self, within_ms: int, *, of: int | None) -> None:
        """Expect a question about the action within this time, preceded by advice.

        :param of: the seat of the question; None for any seat.
        """
        self.scene.intents.append(Intent(self.act, "asked", of, by_ms=self.ms + within_ms))
        if within_ms >= MISSING_MS:
            self.scene.intents.append(Intent(self.act, "advised", of, by_ms=self.ms + ADVICE_DELAY_MS))

    def expect_board_taken(self, points: int, answer_ms: int) -> None:
        """Expect that the board is taken as it stands at this time, which gives the seat `points` more."""
        self.scene.intents.append(Intent(self.act, "taken", self.seat, points, by_ms=answer_ms))


def _random_places(ground: Ground, rng: Random) -> list[Place]:
    """Return a random placement in the middle of a game, without two pegs in one hole."""
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
