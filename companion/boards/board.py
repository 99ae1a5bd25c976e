"""A board: its holes, routes, pixels and wiring, and the lanes on which seats race. Pure.

A set of holes is often an integer with the bits of the holes set, called "bits" here. Bits of the chain of shift
registers are another thing: they are used between the holes and the firmware only (`Wiring`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from companion.boards.geometry import Point
from companion.common.errors import BoardError

Wire = str | int | None
"""What a bit of the chain senses: a hole (its id), a fixed level (a sentinel, 0 or 1) or nothing (a gap)."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A part of the chain on one circuit board: `count` bits from bit `first` on. `part` is the board's design."""

    name: str
    part: str
    first: int
    count: int


@dataclass(frozen=True)
class Wiring:
    """The bits of the chain in the order in which they are clocked in, and the pixels of the strip from its start.

    A peg gives level 1, so a sentinel of 1 is an input tied to ground and a sentinel of 0 an input tied to 3.3 V. With
    `end` the last bit is not an input but the level at the serial input of the last register, which follows when all
    registers are empty. A pixel is a hole id, the name of a pip (`die-1-3`) or None. `panel` has the pins of buttons,
    buzzer and display as in `board.json`.
    """

    chain: tuple[Wire, ...]
    pixels: tuple[str | None, ...]
    tiles: tuple[Tile, ...]
    end: bool = False
    panel: Mapping[str, Any] = field(default_factory=dict)

    def find_tile(self, bit: int) -> Tile:
        """Return the tile of a bit of the chain, or the last tile for a bit beyond the last input."""
        return next((tile for tile in self.tiles if bit < tile.first + tile.count), self.tiles[-1])

    def pin_name(self, bit: int) -> str:
        """Return the pin of a bit: `U2.H` is input H of the second register of its tile. H is clocked in before G."""
        tile = self.find_tile(bit)
        if self.end and bit == len(self.chain) - 1:
            return f"U{-(-tile.count // 8)}.SER"
        register, place = divmod(bit - tile.first, 8)
        return f"U{register + 1}.{'HGFEDCBA'[place]}"

    def holes_on_register(self, hole: str) -> tuple[str, ...]:
        """Return the holes whose sensors are on the same register as this hole's, in the order of the chain."""
        registers = [(self.find_tile(bit), self.pin_name(bit).partition(".")[0]) for bit in range(len(self.chain))]
        own = registers[self.chain.index(hole)]
        there = zip(self.chain, registers, strict=True)
        return tuple(wire for wire, at in there if at == own and isinstance(wire, str))


def create_plain_wiring(holes: Sequence[str], pixels: Mapping[str, int]) -> Wiring:
    """Create the wiring of a board file without `[wiring]`: hole after hole on one tile, without sentinels."""
    return Wiring(tuple(holes), _order_pixels(pixels), (Tile("board", "board", 0, len(holes)),))


def _order_pixels(pixels: Mapping[str, int]) -> tuple[str | None, ...]:
    at = {pixel: name for name, pixel in pixels.items()}
    return tuple(at.get(pixel) for pixel in range(max(at) + 1))


def validate_wiring(wiring: Wiring, holes: Iterable[str], pixels: Iterable[str]) -> Wiring:
    """Check that each hole has one bit and each hole and pip one pixel, and return the wiring. Raises BoardError."""
    _require_each_once((bit for bit in wiring.chain if isinstance(bit, str)), set(holes), "chain")
    _require_each_once((name for name in wiring.pixels if name is not None), set(pixels), "strip of pixels")
    _require_unique_names([tile.name for tile in wiring.tiles])
    return wiring


def _require_each_once(given: Iterable[str], wanted: set[str], what: str) -> None:
    left = set(wanted)
    for name in given:
        if name not in wanted:
            raise BoardError(f"the {what} has {name!r}, which does not exist.")
        if name not in left:
            raise BoardError(f"the {what} has {name} twice.")
        left.remove(name)
    if left:
        raise BoardError(f"the {what} leaves out {min(left)}.")


def _require_unique_names(names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise BoardError(f"two tiles are called {twice}.")


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole. `seat` is None if seats share it. The `number` of start holes is 0 (nearer) and −1 (farther)."""

    bit: int
    pixel: int
    id: str
    track: str
    seat: int | None
    number: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Route:
    """The route of a seat: its start holes (nearer, farther), and `way`, the holes of 1, 2, 3 … points.

    On a loop `way` is one lap.
    """

    seat: int
    start: tuple[int, int]
    way: tuple[int, ...]
    loop: bool = False

    def hole_at(self, points: int, target: int) -> int:
        """Return the hole for a number of points; −1 is the farther start hole, 0 the nearer one.

        On a loop, the target of the game is the nearer start hole if it is one more than one or two laps.
        """
        if points <= 0:
            return self.start[-points]
        lap = len(self.way)
        if self.loop and points == target and target in (lap + 1, 2 * lap + 1):
            return self.start[0]
        return self.way[(points - 1) % lap]


class Pip(NamedTuple):
    """A pixel without a hole: one of the seven pips of a die, or of the 25 pixels of a display."""

    pixel: int
    x_mm: float
    y_mm: float


def name_pips(dice: Sequence[tuple[Pip, ...]], display: Sequence[Pip]) -> dict[str, Pip]:
    """Return the pips by name: `die-1-1` is the first pip of the first die, `display-25` the last of the display."""
    named = {f"die-{die}-{n}": pip for die, pips in enumerate(dice, 1) for n, pip in enumerate(pips, 1)}
    return named | {f"display-{n}": pip for n, pip in enumerate(display, 1)}


@dataclass(frozen=True)
class Board:
    """A board.

    - `holes`: in the order of their bits.
    - `routes`: by number of seats; empty on a board without a race.
    - `dice`: the seven pips of each die: upper left and right, left, centre, right, lower left and right.
    - `display`: 25 pixels, row by row, or empty.
    - `wood`: width and height of a board that our template does not cut, its upper left corner at 0, 0; None otherwise.
    - `screws`: where screws go through wood and circuit board; empty if the file does not say.
    - `title`: what players call it, in English; its name if the file does not say.
    """

    name: str
    holes: tuple[Hole, ...]
    routes: Mapping[int, tuple[Route, ...]]
    wiring: Wiring
    dice: tuple[tuple[Pip, ...], ...] = ()
    display: tuple[Pip, ...] = ()
    wood: Point | None = None
    screws: tuple[Point, ...] = ()
    title: str = ""

    @cached_property
    def by_id(self) -> Mapping[str, Hole]:
        return {hole.id: hole for hole in self.holes}

    @cached_property
    def holeless_pixels(self) -> Mapping[str, Pip]:
        """The pixels without a hole, by name."""
        return name_pips(self.dice, self.display)

    @cached_property
    def strip_order(self) -> tuple[int | None, ...]:
        """For each pixel of the strip as it is wired, the pixel of the frame that it shows; None if it stays dark."""
        at = {name: pip.pixel for name, pip in self.holeless_pixels.items()}
        at |= {hole.id: hole.pixel for hole in self.holes}
        return tuple(None if name is None else at[name] for name in self.wiring.pixels)

    @cached_property
    def pixel_count(self) -> int:
        bare = (pip.pixel for pips in (*self.dice, self.display) for pip in pips)
        return 1 + max(*bare, *(hole.pixel for hole in self.holes))


@dataclass(frozen=True)
class Placement:
    """The two pegs of a side: their holes and their points (start holes: −1 farther, 0 nearer).

    The points cannot always be derived from the hole: a peg that waits in a start hole keeps its points.
    """

    back: int
    front: int
    back_points: int
    front_points: int

    @cached_property
    def holes(self) -> frozenset[int]:
        return frozenset((self.back, self.front))


@dataclass(frozen=True, slots=True)
class PegDue:
    """A seat's score differs from its pegs by `points`: move the peg in the hole `lift` to the hole `place`.

    `steps` are the movements that earned the points, oldest first; empty if that is not known.
    """

    seat: int
    points: int
    lift: int
    place: int
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """The route of a seat in a game to `target`, with indexes for both directions.

    `first_lap_points`: by hole, its points on the first lap. `bits`: all holes of the lane. `start_bits`: its start.
    """

    route: Route
    target: int
    first_lap_points: Mapping[int, int]
    bits: int
    start_bits: int

    @property
    def start_placement(self) -> Placement:
        """Both pegs in the start holes."""
        nearer, farther = self.route.start
        return Placement(farther, nearer, -1, 0)

    def hole_at(self, points: int) -> int:
        return self.route.hole_at(points, self.target)

    def points_at(self, hole: int, low: int, high: int) -> tuple[int, ...]:
        """Return all points from `low` to `high` that the hole stands for, in ascending order.

        On a loop a hole stands for several numbers of points.
        """
        return _points_at(self, hole, low, min(high, self.target))


@lru_cache(maxsize=4096)
def _points_at(lane: Lane, hole: int, low: int, high: int) -> tuple[int, ...]:
    found = [p for p, start in enumerate(reversed(lane.route.start), -1) if start == hole and low <= p <= high]
    first = lane.first_lap_points.get(hole)
    if first is not None:
        lap = len(lane.route.way)
        laps = range(first + max(0, -(-(low - first) // lap)) * lap, high + 1, lap)
        found += [p for p in laps if lane.hole_at(p) == hole]
    if low <= lane.target <= high and lane.target not in found and lane.hole_at(lane.target) == hole:
        found.append(lane.target)
    return tuple(found)


@lru_cache(maxsize=64)
def build_lane(route: Route, target: int) -> Lane:
    """Return the lane of a route in a game to `target`."""
    index = {hole: points for points, hole in reversed(list(enumerate(route.way, 1)))}
    return Lane(route, target, index, bits_of((*route.start, *route.way)), bits_of(route.start))


@lru_cache(maxsize=256)
def bits_between(lane: Lane, low: int, high: int) -> int:
    """Return the holes of the lane from `low` to `high` points, at most to the target, as bits."""
    return bits_of(lane.hole_at(points) for points in range(max(low, -1), min(high, lane.target) + 1))


@dataclass(frozen=True, slots=True, eq=False)
class RaceBoard:
    """A board with the lanes of the seats that race now.

    `groups`: the seats whose lanes share holes, with these holes as bits. `start_bits`: all start holes. `lane_bits`:
    the holes of all lanes.
    """

    board: Board
    lanes: tuple[Lane, ...]
    groups: tuple[tuple[tuple[int, ...], int], ...]
    start_bits: int
    lane_bits: int
    has_shared_lanes: bool


def build_race_board(board: Board, routes: tuple[Route, ...], target: int) -> RaceBoard:
    """Return the board with the lanes of these routes in a game to `target`."""
    lanes = tuple(build_lane(route, target) for route in routes)
    groups: list[tuple[tuple[int, ...], int]] = []
    for seat, one in enumerate(lanes):
        shared = [g for g in groups if g[1] & one.bits]
        seats: tuple[int, ...] = (seat,)
        bits = one.bits
        for other in shared:
            groups.remove(other)
            seats, bits = tuple(sorted(seats + other[0])), bits | other[1]
        groups.append((seats, bits))
    start = bits_of(h for one in lanes for h in one.route.start)
    holes = union_bits(one.bits for one in lanes)
    return RaceBoard(board, lanes, tuple(sorted(groups)), start, holes, len(groups) < len(lanes))


def bits_of(holes: Iterable[int]) -> int:
    bits = 0
    for hole in holes:
        bits |= 1 << hole
    return bits


def union_bits(sets: Iterable[int]) -> int:
    bits = 0
    for each in sets:
        bits |= each
    return bits


@lru_cache(maxsize=1024)
def holes_of(bits: int) -> tuple[int, ...]:
    """Return the holes of these bits in ascending order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)
