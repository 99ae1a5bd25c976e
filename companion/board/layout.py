"""A board is data: tracks of holes along lines and arcs, and the routes that seats take over them. Pure values.

A board file (TOML, docs/reference/boards.md) says how the holes are generated; each gets its bit (in the sensors'
order), its pixel, its id (`red-4`), its track, seat and number, and its place in millimetres.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from companion.board.geometry import Arc, Line, Point, spread
from companion.errors import BoardError
from companion.resources import folder


@dataclass(frozen=True, slots=True)
class Hole:
    """One hole. `seat` is None where seats share it; `number` is 0 (nearer) and −1 (farther) at the start."""

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
    """A seat's way: its start holes (nearer, farther) and the hole of each point; on a loop `way` is one lap."""

    seat: int
    start: tuple[int, int]
    way: tuple[int, ...]
    loop: bool = False

    def hole(self, points: int, target: int) -> int:
        """The bit of the hole of so many points: −1 the farther start hole, 0 the nearer (interfaces.md 6).

        On a loop the game's target, where it is one or two laps and one more, is the nearer start hole again.
        """
        if points <= 0:
            return self.start[-points]
        lap = len(self.way)
        if self.loop and points == target and target in (lap + 1, 2 * lap + 1):
            return self.start[0]
        return self.way[(points - 1) % lap]


class Pip(NamedTuple):
    """A pixel without a hole, one of a die's seven."""

    pixel: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Board:
    """A whole board. `holes` are in the order of their bits; `routes` go by the number of seats, none without a race.

    `dice` are of seven pips each: upper left and right, left, centre, right, lower left and right.
    """

    name: str
    holes: tuple[Hole, ...]
    routes: Mapping[int, tuple[Route, ...]]
    dice: tuple[tuple[Pip, ...], ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Hole]:
        """The holes by id."""
        return {hole.id: hole for hole in self.holes}

    @cached_property
    def pixels(self) -> int:
        """How many pixels the strip has."""
        last = max((pip.pixel for die in self.dice for pip in die), default=0)
        return 1 + max(last, *(hole.pixel for hole in self.holes))


def names() -> list[str]:
    """The boards that come with the companion."""
    return sorted(path.stem for path in folder("hardware/boards").glob("*.toml"))


def load(name: str) -> Board:
    """A shipped board by name, or a board file by path. Raises BoardError with one sentence."""
    path = Path(name) if name.endswith(".toml") else folder("hardware/boards") / f"{name}.toml"
    if not name.endswith(".toml") and name not in names():
        near = get_close_matches(name, names(), n=1, cutoff=0)[0]
        raise BoardError(f"There is no board {name[:40]!r}: the nearest is {near}; there are {', '.join(names())}.")
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BoardError(f"The board file {path.name} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BoardError(f"The board file {path.name} is no TOML: {error}.") from error
    try:
        return _checked(_Reader(path.stem, data).board())
    except BoardError as error:
        raise BoardError(f"The board file {path.name}: {error}") from None


def board_json(board: Board) -> dict[str, Any]:
    """The board as interfaces.md 6 has it."""
    routes = {
        str(seats): [{"seat": r.seat, "start": list(r.start), "way": list(r.way)} for r in routes]
        for seats, routes in board.routes.items()
    }
    told = {"name": board.name, "holes": [asdict(hole) for hole in board.holes], "routes": routes}
    return told | ({"dice": [[pip._asdict() for pip in die] for die in board.dice]} if board.dice else {})


def describe(board: Board) -> str:
    """A few lines for a reader at a terminal."""
    width, height = (max(getattr(h, axis) for h in board.holes) for axis in ("x_mm", "y_mm"))
    tracks = {
        track: sum(h.track == track for h in board.holes) for track in dict.fromkeys(h.track for h in board.holes)
    }
    lines = [
        f"{board.name}: {len(board.holes)} holes, {board.pixels} pixels, holes within {width:.0f} × {height:.0f} mm"
    ]
    lines += [f"  track {track:<6} {count:>4} holes" for track, count in tracks.items()]
    lines += [f"  {len(board.dice)} dice of {len(board.dice[0])} pixels"] if board.dice else []
    for seats, routes in board.routes.items():
        ways = ", ".join(board.holes[r.start[0]].id.removesuffix("-start-1") for r in routes)
        lines.append(
            f"  {seats} seats: {ways}; {len(routes[0].way)} holes {'a lap' if routes[0].loop else 'to the end'}"
        )
    return "\n".join(lines)


class _Reader:
    """Reads one board file: tracks first, then routes over their holes."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self._name = name
        self._data = _known(data, "the file", {"title", "track", "start", "routes", "dice", "spaces"})
        self._holes: list[Hole] = []

    def board(self) -> Board:
        """The board, not yet checked."""
        for track in self._tables("track"):
            self._track(_known(track, "a track", {"name", "seat", "path", "numbers", "start", "bit", "pixel"}))
        for start in self._tables("start", needed=False):
            self._start(_known(start, "a start", {"name", "seat", "at", "bit", "pixel"}))
        by_id = {hole.id: hole.bit for hole in self._holes}
        routes = self._data.get("routes", {})
        if not isinstance(routes, dict) or not (routes or "spaces" in self._data):
            raise BoardError("it has no routes.")
        ways = {
            int(seats): tuple(_route(by_id, each, i) for i, each in enumerate(many)) for seats, many in routes.items()
        }
        holes = tuple(sorted(self._holes, key=lambda hole: hole.bit))
        dice = tuple(_die(die, len(holes) + n * len(PIPS)) for n, die in enumerate(self._tables("dice", needed=False)))
        return Board(self._name, holes, ways, dice)

    def _tables(self, key: str, *, needed: bool = True) -> list[Any]:
        found = self._data.get(key, [])
        if not isinstance(found, list) or (needed and not found):
            raise BoardError(f"it has no {key} in it.")
        return found

    def _track(self, track: Mapping[str, Any]) -> None:
        """A lane: its two start holes, if it has its own, then its holes in the order of play."""
        name, seat = str(track["name"]), track.get("seat")
        if "start" in track:
            self._start({"name": name, "seat": seat, "at": track["start"], **_wiring(track)})
            track = {k: v for k, v in track.items() if k not in ("bit", "pixel")}
        points = [at for part in track["path"] for at in _stretch(part)]
        numbers = track.get("numbers", range(1, len(points) + 1))
        if len(numbers) != len(points) or any(type(n) is not int for n in numbers):
            raise BoardError(f"the numbers of {name} are whole numbers, one a hole.")
        self._add([f"{name}-{n}" for n in numbers], name, seat, numbers, points, track)

    def _start(self, start: Mapping[str, Any]) -> None:
        name = str(start["name"])
        points = [_point(each) for each in start["at"]]
        if len(points) != 2:
            raise BoardError(f"the start of {name} has two holes, the nearer first.")
        self._add((f"{name}-start-1", f"{name}-start-2"), name, start.get("seat"), (0, -1), points, start)

    def _add(
        self,
        ids: Sequence[str],
        track: str,
        seat: int | None,
        numbers: Sequence[int],
        points: Sequence[Point],
        wired: Mapping[str, Any],
    ) -> None:
        """Holes in a row: bits and pixels go on where the last ended, unless the file says where they begin."""
        bit = _whole(wired, "bit", 0, 4095, len(self._holes))
        pixel = _whole(wired, "pixel", 0, 4095, len(self._holes))
        for n, (hole_id, number, at) in enumerate(zip(ids, numbers, points, strict=True)):
            self._holes.append(Hole(bit + n, pixel + n, hole_id, track, seat, number, round(at.x, 2), round(at.y, 2)))


def _wiring(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: table[key] for key in ("bit", "pixel") if key in table}


def _route(by_id: Mapping[str, int], given: Any, seat: int) -> Route:
    """A route: a whole track, or a loop of it entered at a hole; `start` names whose start holes."""
    given = _known(given, "a route", {"track", "start", "from", "holes", "loop"})
    track, start = str(given["track"]), str(given.get("start", given["track"]))
    lane = [hole for hole in by_id if hole.rpartition("-")[0] == track]
    if not lane:
        raise BoardError(f"a route goes over the track {track!r}, which does not exist.")
    first = _whole(given, "from", 1, len(lane), 1)
    way = [f"{track}-{(first - 1 + n) % len(lane) + 1}" for n in range(_whole(given, "holes", 1, len(lane), len(lane)))]
    ids = [f"{start}-start-1", f"{start}-start-2", *way]
    missing = next((hole for hole in ids if hole not in by_id), None)
    if missing:
        raise BoardError(f"a route goes through the hole {missing}, which does not exist.")
    nearer, farther, *bits = (by_id[hole] for hole in ids)
    return Route(seat, (nearer, farther), tuple(bits), given.get("loop") is True)


PIPS = ((-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1))
"""Where the pips of a die lie, in pitches from its centre."""


def _die(given: Any, first: int) -> tuple[Pip, ...]:
    """A die, its pixels in a row from `first` unless the file says where."""
    given = _known(given, "a die", {"centre", "pitch", "pixel"})
    centre, pitch = _point(given.get("centre")), _number(given, "pitch")
    first = _whole(given, "pixel", 0, 4095, first)
    return tuple(Pip(first + n, centre.x + x * pitch, centre.y + y * pitch) for n, (x, y) in enumerate(PIPS))


def _checked(board: Board) -> Board:
    """The board, if its holes do not contradict each other. Raises BoardError."""
    for what in ("bit", "pixel", "id"):
        seen: dict[object, Hole] = {}
        for hole in board.holes:
            other = seen.setdefault(getattr(hole, what), hole)
            if other is not hole:
                raise BoardError(f"the holes {other.id} and {hole.id} have the same {what} {getattr(hole, what)}.")
    dark = {hole.pixel for hole in board.holes}
    if len(dark) + 7 * len(board.dice) != len(dark.union(*({pip.pixel for pip in die} for die in board.dice))):
        raise BoardError("a die has a pixel that is another's.")
    if board.holes[-1].bit != len(board.holes) - 1:
        raise BoardError(f"the bits leave a gap: {len(board.holes)} holes, and the last has bit {board.holes[-1].bit}.")
    return board


def _known(table: Any, what: str, keys: set[str]) -> Mapping[str, Any]:
    if not isinstance(table, dict):
        raise BoardError(f"{what} is a table.")
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, n=1, cutoff=0)[0]
            raise BoardError(f"{what} has no {key!r}; the nearest is {near!r}.")
    return table


def _whole(table: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    value = table.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise BoardError(f"{key} is a whole number from {low} to {high}.")
    return value


def _point(given: Any) -> Point:
    if not isinstance(given, list) or len(given) != 2 or not all(isinstance(n, int | float) for n in given):
        raise BoardError("a point is two numbers, in millimetres.")
    return Point(float(given[0]), float(given[1]))


def _stretch(given: Any) -> list[Point]:
    """The holes of one line or arc."""
    given = _known(given, "a stretch of a path", {"holes", "line", "arc", "radius", "from", "to"})
    count = _whole(given, "holes", 1, 1000)
    if "line" in given:
        return spread(Line(_point(given["line"][0]), _point(given["line"][-1])), count)
    if "arc" in given:
        return spread(Arc(_point(given["arc"]), *(_number(given, key) for key in ("radius", "from", "to"))), count)
    raise BoardError("a stretch of a path is a line or an arc.")


def _number(table: Mapping[str, Any], key: str) -> float:
    value = table.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BoardError(f"{key} is a number.")
    return float(value)
